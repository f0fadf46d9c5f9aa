//===- AccessSummary.cpp - what `clopt check` says of each access ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/AccessSummaryTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/AccessSummary.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/Attributes.h"
#include "Analysis/access/Coalescing.h"
#include "Analysis/access/LaneAxis.h"
#include "Analysis/access/LaneFlow.h"
#include "Analysis/access/Vectorizability.h"
#include "Analysis/dependence/LocalRaces.h"
#include "Analysis/memory/BankConflict.h"
#include "Analysis/ranges/ValueRange.h"
#include "Model/ExprPrinter.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

using namespace clopt;
using Verdict = Coalescing::Verdict;

static Access withoutOffset(const KernelModel &model, const Access &access) {
  Access result = access;
  if (result.offset)
    result.offset = withoutOffset(model, *result.offset);
  for (Polynomial &subscript : result.subscripts)
    subscript = withoutOffset(model, subscript);
  return result;
}

//===-- One access --------------------------------------------------------===//

namespace {

/// Writes the report of one access after another.
class Reporter {
public:
  Reporter(const KernelModel &kernel, const DeviceProfile &device)
      : model(kernel), profile(device), axis(laneAxis(kernel)),
        names(authorNames(kernel)), attributes(accessAttributes(kernel)) {
    nameOf = [this](SymbolId symbol) {
      return displayName(model, symbol, names);
    };
  }

  std::vector<AccessReport> run();

private:
  void colorStatements();
  unsigned lanesOfRequest() const;
  bool neighboursRun(unsigned statement);
  void followLanes(const Access &access, Pattern &pattern, Coalescing &verdict,
                   TransactionCount &count) const;
  AccessReport report(const Access &access);
  std::string paddingHint(const Access &access, const BankConflict &before,
                          const BankShape &shape) const;
  std::optional<AccessReport> reportBanks(const Access &access) const;
  const Expr *subscriptOutside(const Access &access);
  void judgeBounds(const Access &access, const Expr &subscript,
                   AccessReport &report) const;
  std::optional<AccessReport> reportAny(const Access &access);
  AccessReport reportRace(const Conflict &race) const;
  void addRaces(std::vector<AccessReport> &reports) const;
  void describe(const Access &access, AccessReport &report) const;
  void measure(const Access &access, AccessReport &report);
  void judge(const Access &access, const Pattern &pattern,
             const Coalescing &verdict, AccessReport &report);
  void judgeStride(const Access &access, const Pattern &pattern,
                   const Polynomial &stride, AccessReport &report);
  void judgeUnknown(const Access &access, AccessReport &report);
  std::optional<std::string> memoryInSubscript(const Access &access) const;
  std::string axisName() const { return displayName(model, *axis); }
  std::string contiguousHint(const Access &access) const;
  bool isContiguousAlong(const Access &access, SymbolId symbol) const;

  const KernelModel &model;
  const DeviceProfile &profile;
  std::optional<SymbolId> axis;
  std::map<SymbolId, std::string> names;
  std::vector<AccessAttributes> attributes;
  std::function<std::string(SymbolId)> nameOf;
  std::map<unsigned, ColoredAccess> colors; ///< by access
  std::map<unsigned, bool> neighbours;      ///< by statement
  std::optional<ValueRanges> ranges;        ///< once they are asked for
};

} // namespace

/// The source text of the access, in one line; of those in other files and in
/// bodies of functions, the expression.
static std::string sourceText(const KernelModel &model, const Access &access) {
  const SourceRange &range = access.range;
  if (!model.unit || !range.isEditable() ||
      range.end > static_cast<int64_t>(model.unit->text.size()))
    return access.expr ? printExpr(std::make_shared<Expr>(*access.expr)) : "";
  std::string line;
  for (char c : model.unit->spelling(range.begin, range.end)) {
    bool isSpace = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!isSpace)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return line;
}

static std::string elementTypeOf(const Array &array, const Access &access) {
  const Type &type = array.elementType;
  if (type.isScalar() && access.width > 1)
    return typeName(type.scalar, access.width);
  return type.spelling.empty() ? typeText(type) : type.spelling;
}

void Reporter::describe(const Access &access, AccessReport &report) const {
  const Array &array = model.arrays[access.array];
  report.kernel = model.function ? model.function->name : "";
  report.array = array.name;
  report.isWrite = access.isWrite;
  report.location = access.range;
  report.text = sourceText(model, access);
  report.elementType = elementTypeOf(array, access);
  const AccessAttributes &own = attributes[access.id];
  report.isReadOnly = own.isReadOnly;
  report.isReused = own.isReused;
  report.isUniform = own.isUniform;
  if (own.isUnpredictable) {
    report.subscript = "unknown";
    return;
  }
  for (const Polynomial &subscript : access.subscripts)
    report.subscript += "[" + subscript.str(nameOf) + "]";
  if (report.subscript.empty())
    report.subscript = "[" + access.offset->str(nameOf) + "]";
}

/// A request cannot reach beyond a row of the group when that is known.
unsigned Reporter::lanesOfRequest() const {
  const Symbol &id = model.symbols[*axis];
  if (std::optional<int64_t> size = model.ndrange.localSize[id.dim])
    if (*size > 0 && *size < static_cast<int64_t>(profile.lanes))
      return *size;
  return profile.lanes;
}

bool Reporter::neighboursRun(unsigned statement) {
  auto [known, isNew] = neighbours.try_emplace(statement, false);
  if (isNew)
    known->second = hasNeighbours(model, model.statements[statement], *axis);
  return known->second;
}

/// The model has no value for the subscript, but neighbours may still be an
/// even distance apart.
void Reporter::followLanes(const Access &access, Pattern &pattern,
                           Coalescing &verdict, TransactionCount &count) const {
  verdict.stride = lockstepStride(model, access, *axis);
  if (!verdict.stride)
    return;
  const Polynomial vector(access.width);
  PatternPart part;
  part.kind = PatternKind::Stride;
  part.amount = Ratio(*verdict.stride, vector);
  verdict.verdict = Verdict::Strided;
  if (verdict.stride->isZero()) {
    part.kind = PatternKind::Broadcast;
    verdict.verdict = Verdict::Broadcast;
  } else if (*verdict.stride == vector) {
    part.kind = PatternKind::Forward;
    verdict.verdict = Verdict::Contiguous;
  }
  pattern.parts = {part};
  const std::optional<int64_t> distance = verdict.stride->asConstant();
  if (!distance || std::abs(*distance) > (int64_t(1) << 40))
    return;
  const int64_t bytes = model.arrays[access.array].elementBytes;
  std::vector<int64_t> addresses;
  for (unsigned lane = 0; lane < lanesOfRequest(); ++lane)
    addresses.push_back(*distance * bytes * lane);
  count.best =
      countSegments(addresses, bytes * access.width, profile.segmentBytes);
  count.addresses = std::move(addresses);
}

void Reporter::measure(const Access &access, AccessReport &report) {
  Pattern pattern = classify(model, access, *axis);
  auto color = colors.find(access.id);
  report.isVectorizable =
      color != colors.end() && color->second.color == AccessColor::Vectorizable;
  Coalescing verdict =
      analyzeCoalescing(model, access, *axis, neighboursRun(access.statement));
  TransactionCount count = countTransactions(
      model, access, *axis, lanesOfRequest(), profile.segmentBytes);
  if (verdict.verdict == Verdict::Unknown && !access.offset)
    followLanes(access, pattern, verdict, count);
  report.pattern = pattern.str(nameOf);
  report.isContiguous = verdict.verdict == Verdict::Contiguous;
  report.isBroadcast = verdict.verdict == Verdict::Broadcast;
  report.transactions = count.best;
  report.idealTransactions = count.ideal;
  if (count.best > 0)
    report.request = {lanesOfRequest(),
                      model.arrays[access.array].elementBytes * access.width,
                      profile.segmentBytes, 0, std::move(count.addresses)};
  judge(access, pattern, verdict, report);
}

AccessReport Reporter::report(const Access &access) {
  AccessReport result;
  describe(access, result);
  if (axis) {
    measure(access, result);
    return result;
  }
  // All work-items of such a kernel do the same.
  result.isBroadcast = !attributes[access.id].isUnpredictable;
  result.pattern = result.isBroadcast ? "broadcast" : "unpredictable";
  return result;
}

//===-- Findings ----------------------------------------------------------===//

bool Reporter::isContiguousAlong(const Access &access, SymbolId symbol) const {
  if (!access.offset || access.offset->overflow)
    return false;
  return laneStride(model, *access.offset, symbol) == Polynomial(access.width);
}

/// How neighbouring work-items could be made to touch neighbouring cells.
std::string Reporter::contiguousHint(const Access &access) const {
  const std::string &array = model.arrays[access.array].name;
  std::string hint = "let " + axisName() + " run along the last subscript";
  for (SymbolId symbol : model.statements[access.statement].coordinates) {
    if (symbol == *axis || !isContiguousAlong(access, symbol))
      continue;
    hint += isId(model.symbols[symbol])
                ? " by exchanging it with " + displayName(model, symbol)
                : ", where `" + nameOf(symbol) + "` runs";
    break;
  }
  return hint + ", or transpose `" + array + "`";
}

/// Distances that are the same for all neighbours.
void Reporter::judgeStride(const Access &access, const Pattern &pattern,
                           const Polynomial &stride, AccessReport &report) {
  const std::string &array = model.arrays[access.array].name;
  std::optional<int64_t> constant = stride.asConstant();
  std::string distance =
      (stride * Polynomial(constant && *constant < 0 ? -1 : 1)).str(nameOf);
  report.reason = "neighbouring work-items are " + distance +
                  (distance == "1" ? " element" : " elements") + " apart";
  if (constant && *constant < 0) {
    report.ruleId = "clopt-unvectorized-reverse";
    report.reason += " and run backwards through memory";
    report.hint =
        "number the work-items from the other end, or reverse `" + array + "`";
    return;
  }
  if (pattern.has(PatternKind::Skew) && pattern.isCompatible) {
    report.ruleId = "clopt-unvectorized-skew";
    report.reason += ", along a diagonal";
    report.hint = contiguousHint(access);
    return;
  }
  if (!constant) {
    report.ruleId = "clopt-unvectorized-column";
    report.hint = contiguousHint(access);
    return;
  }
  report.ruleId = "clopt-unvectorized-stride";
  report.hint = "keep the " + distance + " elements of each work-item in " +
                distance + " separate arrays, or " +
                (access.isWrite ? "store" : "load") + " them as vectors";
  if (*constant > 16 || *constant % access.width != 0)
    report.hint = contiguousHint(access);
}

void Reporter::judge(const Access &access, const Pattern &pattern,
                     const Coalescing &verdict, AccessReport &report) {
  if (verdict.isCoalesced())
    return;
  if (verdict.stride) {
    judgeStride(access, pattern, *verdict.stride, report);
    return;
  }
  judgeUnknown(access, report);
}

/// True for a pointer that is handed to a function.
static bool isArgument(const Access &access) {
  return access.expr->type.isPointer() || access.expr->type.isArray();
}

/// Not those that an atomic operation or a store of vectors writes.
static std::vector<ExprRef> operandsOfAddress(const Expr &expr) {
  if (expr.kind != ExprKind::Call || expr.operands.empty())
    return expr.operands;
  if (expr.effect == CallEffect::Atomic)
    return {expr.operands.front()};
  return {expr.operands.begin() + (isVectorStore(expr) ? 1 : 0),
          expr.operands.end()};
}

/// Addresses that move unevenly, or as data has it.
void Reporter::judgeUnknown(const Access &access, AccessReport &report) {
  const std::string &array = model.arrays[access.array].name;
  if (!attributes[access.id].isUnpredictable) {
    report.ruleId = "clopt-unvectorized-unknown";
    report.reason = "the distance between neighbouring work-items is not the "
                    "same for all of them";
    report.hint = "make the subscript linear in " + axisName();
    return;
  }
  report.ruleId = "clopt-unvectorized-indirect";
  if (isArgument(access)) {
    report.reason = "which elements the called function touches is not known";
    report.hint =
        "write the function's accesses to `" + array + "` in the kernel itself";
    return;
  }
  std::optional<std::string> memory = memoryInSubscript(access);
  report.reason = memory ? "the subscript is read from `" + *memory + "`"
                         : "the subscript is only known at run time";
  report.hint = "give neighbouring work-items neighbouring subscripts, or read "
                "`" +
                array + "` through local memory or an image";
}

/// Name of an array that the subscript itself reads.
std::optional<std::string>
Reporter::memoryInSubscript(const Access &access) const {
  std::optional<std::string> result;
  for (const ExprRef &operand : operandsOfAddress(*access.expr))
    forEachExpr(operand, [&](const ExprRef &part) {
      auto read = model.reads.find(part.get());
      if (result || read == model.reads.end())
        return;
      const Array &array = model.arrays[model.accesses[read->second].array];
      if (array.space != AddressSpace::Private && part.get() != access.expr)
        result = array.name;
    });
  return result;
}

//===-- Local memory ------------------------------------------------------===//

/// What the step `pad` would do, and how many turns it leaves if that is known.
std::string Reporter::paddingHint(const Access &access,
                                  const BankConflict &before,
                                  const BankShape &shape) const {
  const Array &array = model.arrays[access.array];
  const bool hasRows = array.var && array.var->type.isArray() &&
                       array.var->type.element->isArray();
  LocalPadding padding;
  padding.array = access.array;
  padding.count = std::max<int64_t>(1, shape.bytes / array.elementBytes);
  if (!hasRows)
    padding.every = shape.banks * padding.count;
  const std::string count = padding.count == 1
                                ? (hasRows ? "one element" : "an element")
                                : std::to_string(padding.count) + " elements";
  std::string hint =
      hasRows
          ? "make the rows of `" + array.name + "` " + count + " longer"
          : "leave " + count + " of `" + array.name + "` free after every " +
                std::to_string(padding.every) + " of them";
  BankConflict after = analyzeBanks(model, access, shape, &padding);
  if (after.kind != before.kind || after.degree == 0 ||
      after.degree >= before.degree)
    return hint;
  return hint + ": then they take " +
         (before.kind == BankConflict::Kind::Varying ? "at most " : "") +
         (after.degree == 1 ? "one turn"
                            : std::to_string(after.degree) + " turns");
}

/// A finding when work-items that are served together wait for one bank.
std::optional<AccessReport> Reporter::reportBanks(const Access &access) const {
  if (!profile.localMemoryIsReal || !axis)
    return std::nullopt;
  const BankShape shape{profile.banks, profile.bankBytes, profile.bankLaneGroup,
                        profile.bankWordByWord};
  BankConflict conflict = analyzeBanks(model, access, shape, nullptr);
  if (conflict.degree < 2)
    return std::nullopt;
  const bool isTree = conflict.kind == BankConflict::Kind::Varying;
  AccessReport result;
  describe(access, result);
  result.pattern = classify(model, access, *axis).str(nameOf);
  result.transactions = conflict.degree;
  result.idealTransactions = 1;
  if (!conflict.addresses.empty())
    result.request = {static_cast<unsigned>(conflict.addresses.size()),
                      conflict.accessBytes, shape.bytes, shape.banks,
                      conflict.addresses};
  result.ruleId = "clopt-bank-conflict";
  result.reason = "work-items that are served together take " +
                  std::string(conflict.isExact ? "" : "up to ") +
                  std::to_string(conflict.degree) + " turns" +
                  (isTree ? ", in the worst round of a loop with distances "
                            "that double or halve"
                          : "") +
                  ", as they want different words of one bank";
  result.hint = paddingHint(access, conflict, shape);
  return result;
}

//===-- Bounds ------------------------------------------------------------===//

/// The array that a subscript selects from is a variable or a row of one. Those
/// in structures are left out: the last may have more elements than declared.
static bool isOfVariable(const Expr &subscript) {
  const Expr *base = subscript.operands[0].get();
  while (base->kind == ExprKind::Subscript ||
         (base->kind == ExprKind::Cast && base->implicit))
    base = base->operands[0].get();
  return base->kind == ExprKind::VarRef && base->var->type.isArray();
}

/// A Subscript of the accessed place that is outside its array whenever it is
/// evaluated, or null. `&a[16]` alone is no access.
const Expr *Reporter::subscriptOutside(const Access &access) {
  const Expr *expr = access.expr;
  while (expr->kind == ExprKind::Subscript || expr->kind == ExprKind::Swizzle ||
         (expr->kind == ExprKind::Member && !expr->arrow) ||
         (expr->kind == ExprKind::Cast && expr->implicit)) {
    if (expr->kind == ExprKind::Subscript && declaredExtent(*expr) > 0 &&
        isOfVariable(*expr)) {
      if (!ranges)
        ranges = analyzeRanges(model);
      if (ranges->provesOutOfBounds(*expr))
        return expr;
    }
    expr = expr->operands[0].get();
  }
  return nullptr;
}

void Reporter::judgeBounds(const Access &access, const Expr &subscript,
                           AccessReport &report) const {
  const Array &array = model.arrays[access.array];
  const int64_t extent = declaredExtent(subscript);
  const ValueRange known = *ranges->range(*subscript.operands[1]);
  const bool isAbove = known.minimum && *known.minimum >= extent;
  const int64_t nearest = isAbove ? *known.minimum : *known.maximum;
  const bool isOne = known.minimum == known.maximum;
  report.ruleId = "clopt-out-of-bounds";
  report.reason = "the subscript is " +
                  std::string(isOne     ? ""
                              : isAbove ? "at least "
                                        : "at most ") +
                  std::to_string(nearest) + ", outside the " +
                  std::to_string(extent) +
                  (extent == 1 ? " element" : " elements") + " of `" +
                  array.name + "` in this dimension";
  report.hint = "keep the subscript between 0 and " +
                std::to_string(extent - 1) + ", or make `" + array.name +
                "` larger";
}

//===-- Races -------------------------------------------------------------===//

static bool shareLoop(const Statement &first, const Statement &second) {
  return !first.loops.empty() && !second.loops.empty() &&
         first.loops.front() == second.loops.front();
}

/// At the later of the two accesses.
AccessReport Reporter::reportRace(const Conflict &race) const {
  const Access &first = model.accesses[race.first];
  const Access &second = model.accesses[race.second];
  AccessReport result;
  describe(second, result);
  result.ruleId = "clopt-race";
  if (race.first == race.second) {
    result.reason = "work-items of a group may write the same element of `" +
                    result.array + "` at the same time";
    result.hint = "let one work-item write it, or use an atomic operation";
    return result;
  }
  auto verb = [](const Access &access) {
    return access.isWrite ? "write" : "read";
  };
  result.reason = "a work-item may " + std::string(verb(second)) +
                  " an element of `" + result.array +
                  "` while another of its group " + verb(first) +
                  "s it in line " + std::to_string(first.range.line) +
                  ": no barrier is between";
  result.hint = "put barrier(CLK_LOCAL_MEM_FENCE) between the two";
  if (shareLoop(model.statements[first.statement],
                model.statements[second.statement]))
    result.hint += ", also from one iteration of their loop to the next";
  return result;
}

//===-- All accesses ------------------------------------------------------===//

void Reporter::colorStatements() {
  if (!axis)
    return;
  for (unsigned index = 0; index < model.statements.size(); ++index)
    for (ColoredAccess &node : colorAccesses(model, index, *axis))
      colors.emplace(node.access, std::move(node));
}

/// Accesses to private and local memory are only reported as findings.
std::optional<AccessReport> Reporter::reportAny(const Access &access) {
  if (const Expr *subscript = subscriptOutside(access)) {
    AccessReport result = report(withoutOffset(model, access));
    judgeBounds(access, *subscript, result);
    return result;
  }
  switch (model.arrays[access.array].space) {
  case AddressSpace::Global:
  case AddressSpace::Constant:
    return report(withoutOffset(model, access));
  case AddressSpace::Local:
    return reportBanks(access);
  default:
    return std::nullopt;
  }
}

/// Loops that are written out have several copies of what stands in one place:
/// what counts is the one with the most transactions.
static void keepWorst(std::vector<AccessReport> &reports) {
  std::vector<AccessReport> kept;
  for (AccessReport &report : reports) {
    bool isCopy =
        !kept.empty() && kept.back().location.begin == report.location.begin &&
        kept.back().location.end == report.location.end &&
        kept.back().isWrite == report.isWrite &&
        kept.back().array == report.array && kept.back().text == report.text;
    if (!isCopy)
      kept.push_back(std::move(report));
    else if (report.transactions > kept.back().transactions)
      kept.back() = std::move(report);
  }
  reports = std::move(kept);
}

static void sortByPlace(std::vector<AccessReport> &reports) {
  std::stable_sort(
      reports.begin(), reports.end(),
      [](const AccessReport &a, const AccessReport &b) {
        return std::tuple(a.location.line, a.location.column, a.isWrite) <
               std::tuple(b.location.line, b.location.column, b.isWrite);
      });
}

/// One for each access that races, with the first of those it races with.
void Reporter::addRaces(std::vector<AccessReport> &reports) const {
  std::set<const Expr *> seen;
  for (const Conflict &race : localRaces(model))
    if (seen.insert(model.accesses[race.second].expr).second)
      reports.push_back(reportRace(race));
}

std::vector<AccessReport> Reporter::run() {
  colorStatements();
  std::vector<AccessReport> reports;
  std::set<std::pair<const Expr *, bool>> seen;
  for (const Access &access : model.accesses) {
    if (!access.expr || !seen.insert({access.expr, access.isWrite}).second)
      continue;
    if (std::optional<AccessReport> one = reportAny(access))
      reports.push_back(std::move(*one));
  }
  sortByPlace(reports);
  keepWorst(reports);
  addRaces(reports);
  sortByPlace(reports);
  return reports;
}

std::vector<AccessReport> clopt::reportAccesses(const KernelModel &model,
                                                const DeviceProfile &profile) {
  return Reporter(model, profile).run();
}
