//===- PointLoops.cpp - the points of a work-item in one loop -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cannot be said with whole vectors, because every lane has a place or a
// condition of its own, is one loop over all points and lanes of a work-item:
//
//   const float8 r_points[2] = {sum_0, sum_1};
//   #pragma unroll
//   for (int point = 0; point < 16; point++) {
//       const int x = x0 + point;
//       r[3 * x] = ((__private const float *)r_points)[point];
//   }
//
// Registers stay registers: the loop sees copies of them, whose places are
// known once it is unrolled. Values are vectors where they are computed.
//
// Tested by test/unit/MovedTilesTest.cpp, test/lit/tile/moved.test,
// test/lit/vectorize/scattered.test.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"
#include "Emit/body/PointCounter.h"

#include "Analysis/access/Selections.h"
#include "Analysis/dependence/Dependences.h"
#include "Model/MakeTree.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <deque>

namespace clopt {

/// Of so few stores a list is no longer than a loop.
static constexpr unsigned fewPoints = 4;
/// Operations that cost less one by one than a vector that is taken apart.
static constexpr unsigned fewOperations = 2;

namespace {

/// Values of a work-item's points, side by side.
struct PointValues {
  std::string array;
  std::vector<std::string> values; ///< vectors, where `isVector`
  bool isVector = false;
  bool isInPlace = false; ///< the array is where the values are kept
  bool isConstant = false;
  std::string place;          ///< of the point that is being written
  std::string type;           ///< of one value of a point
  std::set<std::string> uses; ///< names in the values

  std::string cell() const {
    return (isVector ? "((__private " + type + " *)" + array + ")" : array) +
           "[" + place + "]";
  }
};

} // namespace

class BodyWriter::PointLoop {
public:
  PointLoop(BodyWriter &bodyWriter, const AstNames &astNames, PointsOf which)
      : writer(bodyWriter), names(astNames), ids(which),
        lane(bodyWriter.divergence->axis()),
        points(bodyWriter.environment.points, lane, bodyWriter.laneDimension()),
        atPoint(bodyWriter.environment), plain(bodyWriter.environment) {
    if (writer.pointName.empty())
      writer.pointName = writer.freshLocal("point");
    points.name = writer.pointName;
    // One point, and nothing that has to be known about the others.
    plain.divergence = nullptr;
    plain.windows = nullptr;
  }

  void add(const EmitNode &node);
  /// Notes which ids of the work-item are its tile's own.
  void addOwn();
  /// What stands before the loop, the loop, and what stands behind it.
  void finish(std::vector<OutNode> &out);

private:
  using Print = std::function<std::string(const PrintSite &, int)>;
  /// Sets the value of a point and lane.
  using Assign = std::function<std::vector<std::string>(
      const PrintSite &, int, const std::string &value)>;
  /// What the loop does with values: those that it loads are zero where it does
  /// not, those that it changes stay what they are.
  enum class Use { Read, Load, Change };
  PrintedText distanceAlong(size_t axis) const;
  PrintSite siteOfPoint(const PrintSite &site, std::vector<OutNode> &lines);
  PrintSite enter(const EmitNode &node, const PrintSite &site);
  const PointValues &valuesOf(DivergenceMask mask, bool isVector,
                              const std::string &stem, const std::string &type,
                              Use use, const Print &print,
                              const Assign &assign = nullptr);
  bool mayBeNone(const Expr &expr) const;
  std::optional<PrintedText> ofPoint(const Expr &expr);
  void addCopy(const EmitNode &node, const PrintSite &at);
  void addScattered(const Statement &statement, const PrintSite &at);
  std::string arrayName(const std::string &stem);
  std::string arrayOf(const std::vector<std::string> &values) const;
  void addZeros(const PointValues &values);

  BodyWriter &writer;
  const AstNames &names;
  PointsOf ids;
  const LaneAxis &lane;
  PointCounter points;
  StatementPrinter atPoint;
  PrintEnvironment plain;
  PrintSite first; ///< of the first point
  std::vector<OutNode> declared, before, body, after;
  std::map<const Variable *, Use> changed; ///< by what is being written
  std::deque<PointValues> known;           ///< what is in it stays where it is
  std::set<std::string> arrays;
  std::set<std::string> read; ///< arrays that the loop reads in place
  std::string condition;
};

/// From the id of the first point to that of the point.
PrintedText BodyWriter::PointLoop::distanceAlong(size_t axis) const {
  const PointCounter::Axis &along = points.axes[axis];
  const PrintedText digit = points.digit(axis);
  const std::vector<unsigned> dims = workCoordinates(writer.model);
  const auto i = static_cast<size_t>(
      std::find(dims.begin(), dims.end(), *along.dim) - dims.begin());
  const WorkDimension &work = writer.kernel.work[*along.dim];
  std::string step = writer.shared.strides[i];
  if (step.empty() && work.strided)
    step = std::to_string(work.threads() * work.lanes);
  if (step.empty() || along.points == 1)
    return digit;
  if (along.lanes == 1)
    return {digit.text + " * " + step, PrecMultiplicative};
  const std::string lanes = std::to_string(along.lanes);
  return {digit.text + " / " + lanes + " * " + step + " + " + digit.text +
              " % " + lanes,
          PrecAdditive};
}

/// Where the point is, and what declares the names of its ids.
PrintSite BodyWriter::PointLoop::siteOfPoint(const PrintSite &site,
                                             std::vector<OutNode> &lines) {
  const std::vector<unsigned> dims = workCoordinates(writer.model);
  PrintSite at = site;
  for (size_t axis = 0; axis < points.axes.size(); ++axis) {
    const PointCounter::Axis &along = points.axes[axis];
    if (!along.dim) {
      LinearForm &iterator = at.coordinates.at(lane.symbol);
      iterator =
          iterator +
          LinearForm::ofTerm(atLeast(points.digit(axis), PrecUnary), lane.step);
      continue;
    }
    const auto i = static_cast<size_t>(
        std::find(dims.begin(), dims.end(), *along.dim) - dims.begin());
    const SymbolId id =
        *writer.model.symbols.find(SymbolKind::GlobalId, *along.dim);
    auto coordinate = at.coordinates.find(id);
    if (coordinate == at.coordinates.end())
      continue;
    LinearForm &own = coordinate->second;
    const std::string type = "const " + writer.shared.idTypes[i] + " ";
    const std::string place =
        own.print().text + " + " + distanceAlong(axis).text;
    const bool isNearest = ids == PointsOf::Nearest && writer.moved->moves[i];
    const std::string named =
        writer.shared.ids[i] + " = " +
        (isNearest ? extremeOf("max", place, writer.shared.firsts[i],
                               hasOwnExtremes(*writer.model.function))
                   : place);
    OutNode line = lineOf(type + named + ";");
    line.isDeclaration = true;
    line.declares = type;
    line.declared = named;
    for (const PrintedTerm &term : own.terms)
      line.uses.insert(term.text);
    if (isNearest)
      line.uses.insert(writer.shared.firsts[i]);
    lines.push_back(std::move(line));
    const LinearForm value = LinearForm::ofTerm(writer.shared.ids[i]);
    if (auto relative = at.relative.find(id); relative != at.relative.end())
      relative->second = relative->second + (value - own);
    own = value;
  }
  return at;
}

/// Where the point is; the names of its ids are declared in the loop.
PrintSite BodyWriter::PointLoop::enter(const EmitNode &node,
                                       const PrintSite &site) {
  std::vector<OutNode> lines;
  PrintSite at = siteOfPoint(site, lines);
  if (declared.empty())
    declared = std::move(lines);
  if (ids == PointsOf::All || ids == PointsOf::Nearest)
    return at;
  const PrintedText owns = writer.ownsPoint(node, at, points, names);
  condition = owns.text;
  if (ids == PointsOf::Owner)
    condition = atLeast(writer.ownsAll(node, names), PrecLAnd + 1) + " || " +
                atLeast(owns, PrecLAnd + 1);
  return at;
}

/// A name for one loop; others may have it, too.
std::string BodyWriter::PointLoop::arrayName(const std::string &stem) {
  for (unsigned count = 0;; ++count) {
    std::string name = stem + "_points" + (count ? std::to_string(count) : "");
    if (arrays.count(name) || writer.shared.reserved.count(name) ||
        writer.locals.count(name) ||
        (writer.madeNames.count(name) && !writer.pointArrays.count(name)))
      continue;
    arrays.insert(name);
    writer.pointArrays.insert(name);
    writer.madeNames.insert(name);
    return name;
  }
}

/// The array that has the values, and no others, one after the other.
std::string
BodyWriter::PointLoop::arrayOf(const std::vector<std::string> &values) const {
  for (const auto &[name, local] : writer.locals) {
    if (local.suffix != "[" + std::to_string(values.size()) + "]")
      continue;
    bool isSame = true;
    for (size_t i = 0; i < values.size(); ++i)
      isSame &= values[i] == name + "[" + std::to_string(i) + "]";
    if (isSame)
      return name;
  }
  return "";
}

/// What is loaded for ids that are not the tile's own is zero.
void BodyWriter::PointLoop::addZeros(const PointValues &values) {
  OutNode loop =
      lineOf("for (int " + points.name + " = 0; " + points.name + " < " +
             std::to_string(values.values.size()) + "; " + points.name + "++)");
  loop.isScope = loop.isLoop = true;
  loop.pragma = "#pragma unroll";
  OutNode line = lineOf(values.array + "[" + points.name + "] = 0;");
  line.uses = values.uses;
  loop.children.push_back(std::move(line));
  before.push_back(std::move(loop));
}

/// The type of a value; what vectors of a scalar add to, not a name of it.
static std::string valueType(const Type &type) {
  Type plain = type;
  plain.isConst = false;
  return type.isScalar() ? typeName(type.scalar) : typeText(plain);
}

/// The values that differ along the mask, declared before the loop.
const PointValues &BodyWriter::PointLoop::valuesOf(DivergenceMask mask,
                                                   bool isVector,
                                                   const std::string &stem,
                                                   const std::string &type,
                                                   Use use, const Print &print,
                                                   const Assign &assign) {
  std::vector<PrintSite> sites;
  writer.forEachPoint(mask & ~LaneBit, first,
                      [&](PrintSite &each) { sites.push_back(each); });
  std::stable_sort(sites.begin(), sites.end(),
                   [&](const PrintSite &a, const PrintSite &b) {
                     return points.isBefore(a, b);
                   });
  PointValues values;
  values.isVector = isVector;
  const int lanes =
      (mask & LaneBit) && !isVector ? static_cast<int>(lane.lanes) : 0;
  OutNode line;
  std::vector<std::pair<PrintSite, int>> places;
  for (const PrintSite &each : sites)
    for (int k = 0; k < std::max(1, lanes); ++k) {
      places.emplace_back(each, lanes ? k : -1);
      values.values.push_back(print(each, places.back().second));
      values.uses.insert(atPoint.uses().begin(), atPoint.uses().end());
    }
  values.place = points.place(mask).text;
  for (const PointValues &old : known)
    if (old.values == values.values && old.place == values.place) {
      if (use != Use::Read && old.isConstant)
        writer.failure = "a value that points read and change";
      return old;
    }
  // In front of a pointer the word would be about what it points to.
  const bool isPointer = !type.empty() && type.back() == '*';
  values.isConstant = use == Use::Read && !isPointer;
  values.type = (values.isConstant ? "const " : "") + type;
  values.array = arrayOf(values.values);
  values.isInPlace = !values.array.empty();
  if (values.isInPlace) {
    read.insert(values.uses.begin(), values.uses.end());
    if (use == Use::Load)
      addZeros(values);
    known.push_back(std::move(values));
    return known.back();
  }
  values.array = arrayName(stem);
  std::string text =
      values.type + (isVector ? std::to_string(lane.lanes) : "") + " " +
      values.array + "[" + std::to_string(values.values.size()) + "] = {";
  for (size_t i = 0; i < values.values.size() && use != Use::Load; ++i)
    text += (i ? ", " : "") + values.values[i];
  line.lines.push_back(text + (use == Use::Load ? "0};" : "};"));
  line.isDeclaration = true;
  line.uses = values.uses;
  before.push_back(std::move(line));
  for (size_t i = 0; use != Use::Read && i < values.values.size(); ++i) {
    const std::string value = values.array + "[" + std::to_string(i) + "]";
    OutNode back = lineOf(values.values[i] + " = " + value + ";");
    if (assign)
      back.lines = assign(places[i].first, places[i].second, value);
    back.uses = values.uses;
    after.push_back(std::move(back));
  }
  known.push_back(std::move(values));
  return known.back();
}

/// True for a cell that a loop or an id counts and that is read under a
/// condition: the subscript may be outside of the array where the condition
/// does not hold.
bool BodyWriter::PointLoop::mayBeNone(const Expr &expr) const {
  const KernelModel &model = writer.model;
  const Access *access = model.accessOf(expr);
  if (!access || isAlwaysMade(model, *access, writer.kernel.selections))
    return false;
  const std::optional<unsigned> copy = copyOfExpr(writer.kernel, expr);
  if (!access->offset)
    return true;
  auto counts = [&](const Polynomial &place, SymbolKind kind,
                    const ArrayTile *tile) {
    return llvm::any_of(first.coordinates, [&](const auto &coordinate) {
      const auto &[symbol, value] = coordinate;
      return model.symbols[symbol].kind == kind && place.contains(symbol) &&
             !value.terms.empty() &&
             !(tile && countsFromFirst(model, *tile, symbol));
    });
  };
  if (counts(*access->offset, SymbolKind::Iterator, nullptr))
    return true;
  if (!copy)
    return false;
  const ArrayTile &tile = writer.kernel.tiles[*copy];
  return llvm::any_of(
      tileDimensions(writer.kernel, tile), [&](unsigned dimension) {
        return counts(relativeSubscript(model, tile, *access, dimension),
                      SymbolKind::GlobalId, &tile);
      });
}

/// PrintEnvironment::ofPoint
std::optional<PrintedText> BodyWriter::PointLoop::ofPoint(const Expr &expr) {
  const Divergence &divergence = *writer.divergence;
  DivergenceMask mask = 0;
  bool isVector = false;
  std::string stem;
  Use use = Use::Read;
  if (std::optional<unsigned> copy = copyOfExpr(writer.kernel, expr)) {
    mask = divergence.ofCopy(*copy);
    isVector = mask & LaneBit;
    stem = plain.tileNames[*copy];
  } else {
    const Expr *base = &expr;
    bool isOneCell = true; ///< for all lanes
    while (base->kind != ExprKind::VarRef) {
      if (base->kind == ExprKind::Subscript)
        isOneCell &= !(divergence.ofExpr(base->operands[1]) & LaneBit);
      base = base->operands[0].get();
    }
    const VariableDivergence &own = divergence.ofVariable(base->var);
    if (!own.mask)
      return std::nullopt;
    if (expr.type.isArray()) {
      writer.failure = "an array of every point as a whole";
      return std::nullopt;
    }
    mask = divergence.ofExpr(ExprRef(ExprRef(), &expr));
    isVector = own.isVector() && isOneCell && !base->var->type.hasParts();
    stem = base->var->name;
    if (auto own = changed.find(base->var); own != changed.end())
      use = own->second;
  }
  if (!mask)
    return std::nullopt;
  if (mayBeNone(expr))
    writer.failure = "a cell that points read under a condition";
  return PrintedText{
      valuesOf(
          mask, isVector, stem, valueType(expr.type), use,
          [&](const PrintSite &each, int k) {
            return atPoint.valueText(expr, each, k);
          },
          [&](const PrintSite &each, int k, const std::string &value) {
            return atPoint.setValue(expr, each, k, value);
          })
          .cell(),
      PrecPostfix};
}

void BodyWriter::PointLoop::addCopy(const EmitNode &node, const PrintSite &at) {
  const CopyStatement &copy = writer.kernel.copies[node.index];
  const std::vector<int64_t> cell = writer.copiedCell(node, names);
  const DivergenceMask mask = writer.divergence->ofCopy(copy.tile);
  const ArrayTile &registers = writer.kernel.tiles[copy.tile];
  const PointValues &values = valuesOf(
      mask, mask & LaneBit, plain.tileNames[copy.tile],
      valueType(writer.model.arrays[registers.array].elementType),
      copy.isIn ? Use::Load : Use::Read, [&](const PrintSite &each, int) {
        return atPoint.registerText(node.index, each, cell);
      });
  StatementPrinter printer(plain);
  writer.addLines(printer.printOwnCopy(node.index, at, cell, values.cell()),
                  body);
  if (!printer.failure().empty())
    writer.failure = printer.failure();
}

/// A vector of every point, and stores of its lanes.
void BodyWriter::PointLoop::addScattered(const Statement &statement,
                                         const PrintSite &at) {
  DivergenceMask mask = LaneBit;
  for (const PointCounter::Axis &axis : points.axes)
    mask |= axis.dim ? 1u << *axis.dim : 0;
  ScatteredStore scattered;
  writer.environment.scattered = &scattered;
  // The values tell their type.
  atPoint.print(statement, first);
  const PointValues &values =
      valuesOf(mask, true, scattered.array, typeName(scattered.kind), Use::Read,
               [&](const PrintSite &each, int) {
                 atPoint.print(statement, each);
                 return scattered.value;
               });
  writer.environment.scattered = nullptr;
  if (values.values.front().empty())
    writer.failure = "a store that is not one of a vector";
  StatementPrinter printer(plain);
  writer.addLines(printer.printStore(statement, at, values.cell()), body);
  if (!printer.failure().empty())
    writer.failure = printer.failure();
}

void BodyWriter::PointLoop::add(const EmitNode &node) {
  const bool isCopy = node.kind == EmitNode::Kind::Copy;
  plain.ofPoint = [this](const Expr &expr) { return ofPoint(expr); };
  if (isCopy) {
    const CopyStatement &copy = writer.kernel.copies[node.index];
    first =
        writer.siteOf(node, writer.kernel.tiles[copy.tile].coordinates, names);
    return addCopy(node, enter(node, first));
  }
  Statement statement = writer.statementInRounds(
      writer.statementInShared(writer.model.statements[node.index]),
      node.index);
  first = writer.siteOf(node, statement.coordinates, names);
  changed.clear();
  for (unsigned id : statement.accesses) {
    const Array &array = writer.model.arrays[writer.model.accesses[id].array];
    if (writer.model.accesses[id].isWrite && array.var &&
        array.space == AddressSpace::Private)
      changed[array.var] = Use::Change;
  }
  // The variable itself is declared before the loop.
  if (const StmtRef &stmt = StmtRef(StmtRef(), statement.stmt);
      stmt->kind == StmtKind::Decl && stmt->expr) {
    changed[stmt->var] = Use::Load;
    writer.madeStatements.push_back(makeStatement(
        makeAssign(makeName(stmt->var, stmt->var->type), stmt->expr)));
    statement.stmt = writer.madeStatements.back().get();
  }
  const PrintSite at = enter(node, first);
  if (ids == PointsOf::All && !writer.isCheap(statement))
    return addScattered(statement, at);
  StatementPrinter printer(plain);
  writer.addLines(printer.print(statement, at), body);
  if (!printer.failure().empty())
    writer.failure = printer.failure();
}

void BodyWriter::PointLoop::addOwn() {
  points = writer.countedIds();
  points.name = writer.pointName;
  const PrintSite at = siteOfPoint(writer.siteOfMoved(), declared);
  body.push_back(lineOf(
      writer.shared.own + " |= (" + ownType(writer.ownBits()) + ")" +
      atLeast(writer.isOwn(at), PrecUnary) + " << " + points.name + ";"));
}

void BodyWriter::PointLoop::finish(std::vector<OutNode> &out) {
  if (!atPoint.failure().empty())
    writer.failure = atPoint.failure();
  if (body.empty())
    return;
  OutNode loop;
  loop.isScope = loop.isLoop = true;
  loop.pragma = "#pragma unroll";
  loop.lines.push_back("for (int " + points.name + " = 0; " + points.name +
                       " < " + std::to_string(points.count()) + "; " +
                       points.name + "++)");
  loop.children = std::move(declared);
  loop.uses = read;
  OutNode own;
  own.isScope = true;
  own.condition = {condition, PrecLOr};
  own.lines.push_back("if (" + condition + ")");
  const bool isChosen = ids == PointsOf::Mixed || ids == PointsOf::Owner;
  std::vector<OutNode> &inner = isChosen ? own.children : loop.children;
  std::move(body.begin(), body.end(), std::back_inserter(inner));
  if (isChosen)
    loop.children.push_back(std::move(own));
  std::move(before.begin(), before.end(), std::back_inserter(out));
  if (ids == PointsOf::Nearest) {
    OutNode some;
    some.isScope = true;
    const std::string has = writer.hasOwnIds();
    some.condition = {has, PrecLAnd};
    some.lines.push_back("if (" + has + ")");
    some.children.push_back(std::move(loop));
    loop = std::move(some);
  }
  out.push_back(std::move(loop));
  std::move(after.begin(), after.end(), std::back_inserter(out));
}

std::vector<std::string> BodyWriter::ownIds() {
  const PrintSite first = siteOfMoved();
  if (!ownBits())
    return {"const bool " + shared.own + " = " + ownsWhole(first).text + ";"};
  OutNode some;
  some.isScope = true;
  some.lines.push_back("if (" + ownsWhole(first, true).text + ")");
  some.children.push_back(lineOf(shared.own + " = 0;"));
  const AstNames none;
  PointLoop loop(*this, none, PointsOf::All);
  loop.addOwn();
  loop.finish(some.children);
  some.children.back().pragma = "#pragma unroll 1";
  std::vector<std::string> lines = {ownType(ownBits()) + " " + shared.own +
                                    " = " + allOwn() + ";"};
  flatten(some, 0, lines);
  return lines;
}

void BodyWriter::emitPointLoop(const std::vector<const EmitNode *> &nodes,
                               PointsOf ids, const AstNames &names,
                               std::vector<OutNode> &out) {
  PointLoop loop(*this, names, ids);
  for (const EmitNode *node : nodes)
    loop.add(*node);
  loop.finish(out);
}

/// Operations on registers and numbers; more than a few for anything else.
static unsigned operationsOf(const TransformedKernel &kernel,
                             const ExprRef &expr) {
  if (copyOfExpr(kernel, *expr))
    return 0;
  unsigned count = 0;
  switch (expr->kind) {
  case ExprKind::VarRef:
  case ExprKind::IntLiteral:
  case ExprKind::FloatLiteral:
    return 0;
  case ExprKind::Cast:
    break;
  case ExprKind::Binary:
    count = 1;
    break;
  default:
    return fewOperations + 1;
  }
  for (const ExprRef &operand : expr->operands)
    count += operationsOf(kernel, operand);
  return count;
}

/// True for a store whose lanes are computed as well one by one.
bool BodyWriter::isCheap(const Statement &statement) const {
  return statement.stmt && statement.stmt->kind == StmtKind::Expr &&
         statement.stmt->expr->kind == ExprKind::Assign &&
         operationsOf(kernel, statement.stmt->expr->operands[1]) <=
             fewOperations;
}

/// True where the text for all ids and that for owners differ in nothing but
/// the condition.
bool BodyWriter::isCheapAndScattered(const EmitNode &node,
                                     const AstNames &names) {
  return isScattered(node, names) && (node.kind == EmitNode::Kind::Copy ||
                                      isCheap(model.statements[node.index]));
}

/// True for stores of vectors that are written lane by lane, in a row of
/// work-items that need no common order.
bool BodyWriter::isScattered(const EmitNode &node, const AstNames &names) {
  const LaneAxis &lane = divergence->axis();
  if (!tiled || lane.lanes <= 1 || (node.guard && !node.guardOfAll) ||
      kernel.sharesWork() || kernel.keepsGroups() ||
      model.symbols[lane.symbol].kind != SymbolKind::GlobalId)
    return false;
  unsigned count = lane.lanes;
  for (unsigned points : environment.points)
    count *= points;
  if (count <= fewPoints)
    return false;
  StatementPrinter printer(environment);
  if (node.kind == EmitNode::Kind::Copy)
    return printer.isScattered(
        node.index,
        siteOf(node, kernel.tiles[kernel.copies[node.index].tile].coordinates,
               names),
        copiedCell(node, names));
  if (node.kind != EmitNode::Kind::Statement)
    return false;
  const Statement statement = statementInRounds(
      statementInShared(model.statements[node.index]), node.index);
  ScatteredStore scattered;
  environment.scattered = &scattered;
  printer.print(statement, siteOf(node, statement.coordinates, names));
  environment.scattered = nullptr;
  return !scattered.value.empty() && printer.failure().empty();
}

/// Statements and copies of all ids, those that are scattered in one loop.
/// `isBranch`: nothing else is in the branch that they are written to.
void BodyWriter::emitAll(const std::vector<const EmitNode *> &nodes,
                         const AstNames &names, bool isBranch,
                         std::vector<OutNode> &out) {
  for (size_t at = 0; at < nodes.size();) {
    std::vector<const EmitNode *> run;
    for (; at < nodes.size() && isScattered(*nodes[at], names); ++at)
      run.push_back(nodes[at]);
    if (!run.empty()) {
      OutNode block;
      block.isScope = true;
      block.lines.push_back("");
      emitPointLoop(run, PointsOf::All, names, block.children);
      addLoads(environment.windowLoads, out);
      environment.windowLoads.clear();
      // Alone in a branch it needs no block of its own.
      if (isBranch && run.size() == nodes.size())
        std::move(block.children.begin(), block.children.end(),
                  std::back_inserter(out));
      else if (!block.children.empty())
        out.push_back(std::move(block));
      continue;
    }
    if (nodes[at]->kind == EmitNode::Kind::Copy)
      emitCopy(*nodes[at], names, out);
    else
      emitStatement(*nodes[at], names, out);
    ++at;
  }
}

} // namespace clopt
