//===- BodyWriter.cpp - loops, conditions and statements as text ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two passes. The first makes a tree of lines and remembers which private
// variables each line uses. The second places the declarations: in the deepest
// block that contains all uses, but never inside a loop that the author's
// declaration stood outside of (the value could have to survive an iteration).
//
// Tested by test/unit/BodyWriterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"

#include "Analysis/access/LaneAxis.h"
#include "Emit/frame/Guards.h"
#include "Emit/frame/IntRanges.h"
#include "Emit/frame/WorkMapping.h"

#include <algorithm>
#include <cstdlib>

namespace clopt {

/// Points that are written in a loop: of fewer a list is no longer.
static constexpr unsigned fewestRepeated = 4;

LinearForm wholeIds(const TransformedKernel &kernel, const KernelNames &names,
                    size_t coordinate) {
  const std::vector<std::string> &extents = names.group.extents;
  const std::string adaptive = extents.empty() ? "" : extents[coordinate];
  unsigned dim = workCoordinates(*kernel.model)[coordinate];
  const WorkDimension &work = kernel.work[dim];
  if (!adaptive.empty())
    return LinearForm::ofTerm(adaptive);
  const std::vector<std::string> &sizes = names.group.sizes;
  return sizes.empty() || sizes[coordinate].empty()
             ? LinearForm(std::max(work.groupIds, work.total()))
             : LinearForm::ofTerm(sizes[coordinate]);
}

std::vector<std::string> declareConstants(const GroupNames &names) {
  std::string text;
  for (const auto &[name, value] : names.constants)
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  if (text.empty())
    return {};
  return {"enum { " + text + " };"};
}

LinearForm validIds(const TransformedKernel &kernel, const KernelNames &names,
                    size_t coordinate) {
  const std::string &valid = names.group.valid[coordinate];
  return valid.empty() ? wholeIds(kernel, names, coordinate)
                       : LinearForm::ofTerm(valid);
}

LinearForm endOfIds(const KernelNames &names, size_t coordinate) {
  const std::string &end = names.ends[coordinate];
  if (names.idTypes[coordinate] != "int")
    return LinearForm::ofTerm(end);
  LinearForm form = LinearForm::ofTerm("(int)" + end);
  form.terms.front().names = {end};
  return form;
}

const std::string &firstOfTile(const KernelNames &names, size_t coordinate,
                               bool isGrouped) {
  if (!names.firsts.empty() && !names.firsts[coordinate].empty())
    return names.firsts[coordinate];
  return isGrouped ? names.group.bases[coordinate] : names.bases[coordinate];
}

/// Values of an argument that is read as `int`.
static IntRange valuesOf(const Symbol &symbol) {
  if (isQuotient(symbol))
    return {0, INT32_MAX};
  const Type &type = symbol.var->type;
  unsigned bits = type.size * 8;
  bool isUnsigned = type.isUnsigned();
  if (isUnsigned && bits == 32)
    bits = 31; // guards see to it
  int64_t top = int64_t(1) << (isUnsigned ? bits : bits - 1);
  return {isUnsigned ? 0 : -top, top - 1};
}

std::string ConstantDeclaration::text() const {
  const std::string declared = type + " " + name + " = " + value + ";";
  if (checked.empty())
    return "const " + declared;
  std::string text = declared + " if (" + name + ") {";
  for (const ConstantDeclaration &check : checks)
    text += " " + check.text();
  return text + " " + name + " = " + checked + "; }";
}

AstNames parameterNames(const KernelModel &model, bool wide,
                        const LaunchNames &launch) {
  AstNames result;
  result.hasOwnExtremes = hasOwnExtremes(*model.function);
  PrintEnvironment environment;
  TransformedKernel plain;
  plain.model = &model;
  environment.kernel = &plain;
  environment.launch = launch;
  for (SymbolId id = 0; id < model.symbols.size(); ++id) {
    const Symbol &symbol = model.symbols[id];
    bool isLaunch = symbol.kind == SymbolKind::GlobalSize ||
                    symbol.kind == SymbolKind::LocalSize ||
                    symbol.kind == SymbolKind::NumGroups ||
                    symbol.kind == SymbolKind::GlobalOffset;
    bool isParam = symbol.kind == SymbolKind::Param && symbol.var;
    if (!isLaunch && !isParam && symbol.kind != SymbolKind::Product)
      continue;
    StatementPrinter printer(environment);
    PrintSite nowhere;
    LinearForm &form = result.names[symbol.name];
    if (symbol.kind == SymbolKind::Product) {
      form = printer.product(symbol, nowhere, wide || !isQuotient(symbol));
      const PrintedTerm &term = form.terms.front();
      if (term.isLong || wide || !isQuotient(symbol))
        result.wideTerms.insert(term.text);
      else
        result.intTerms[term.text] = valuesOf(symbol);
    } else {
      const std::string variable =
          printer.polynomial(Polynomial::symbol(id), nowhere, false).text;
      bool is64 = isLaunch || (isParam && symbol.var->type.size > 4);
      bool isUnsigned = isLaunch || (isParam && symbol.var->type.isUnsigned());
      // Functions of two integers take them in one type.
      const bool isNarrow = isParam && symbol.var->type.size < 4;
      if (!isUnsigned && !isNarrow)
        form = LinearForm::ofTerm(variable, 1, is64);
      else
        form = wide || is64 ? LinearForm::inLong(variable)
                            : LinearForm::ofTerm("(int)" + variable);
      const std::string &text = form.terms.front().text;
      if (wide || is64)
        result.wideTerms.insert(text);
      if (isParam && !is64 && !(isUnsigned && wide)) {
        result.intTerms[text] = valuesOf(symbol);
        result.arguments[text] = variable;
      }
    }
    const std::set<std::string> &asked = printer.uses();
    form.terms.front().names.assign(asked.begin(), asked.end());
  }
  return result;
}

BodyWriter::BodyWriter(const TransformedKernel &transformed,
                       const KernelNames &allNames, bool isTiled,
                       const Divergence::Guards &allGuards)
    : kernel(transformed), model(*transformed.model), shared(allNames),
      tiled(isTiled), guards(allGuards) {
  environment.kernel = &kernel;
  environment.isVirtual = kernel.isVirtual();
  environment.locals = &locals;
  environment.reserved = &shared.reserved;
  environment.launch = shared.launch;
  environment.tileNames = shared.tiles;
  environment.coordinateVariables = shared.coordinateVariables;
  if (environment.isVirtual && !kernel.keepsGroups())
    environment.groupVariables = shared.groupVariables;
  environment.variableNames = shared.variables;
  environment.localCopies = shared.localCopies;
  environment.tables = shared.tables;
  environment.uniformCalls = shared.uniformCalls;
  LaneAxis axis;
  DivergenceMask points = 0;
  // Vectors of iterations have scalars beside them, and rows have pointers.
  const std::vector<unsigned> loops = loopsBelow(kernel.tree);
  if (tiled && !kernel.sharesWork() && !kernel.keepsGroups() &&
      kernel.rounds.empty() && kernel.rowPointers.empty() &&
      std::none_of(loops.begin(), loops.end(), [&](unsigned loop) {
        return findLoop(kernel.tree, loop)->lanes > 1;
      }))
    environment.pointArrays = fewestRepeated;
  if (tiled)
    for (unsigned d = 0; d < 3; ++d) {
      const WorkDimension &work = kernel.work[d];
      environment.points[d] = work.points;
      if (work.points > 1)
        points |= 1u << d;
      if (work.lanes <= 1)
        continue;
      axis.lanes = work.lanes;
      axis.symbol = *laneIdOf(model, d);
    }
  divergence =
      std::make_unique<Divergence>(kernel, kernel.tree, axis, points, guards);
  environment.divergence = divergence.get();
  if (tiled && kernel.hasGroupLanes()) {
    findSteering();
    environment.leads = shared.group.inside;
    environment.steering = &steering;
  }
  findScopes(model.function->body, {});
  // Loops that a step has put around a declaration.
  for (const Statement &statement : model.statements)
    if (statement.stmt && statement.stmt->kind == StmtKind::Decl)
      scopes[statement.stmt->var].insert(statement.loops.begin(),
                                         statement.loops.end());
}

void BodyWriter::findScopes(const StmtRef &stmt, std::vector<unsigned> loops) {
  if (!stmt)
    return;
  // What a `for` declares is the same variable in all its iterations.
  findScopes(stmt->init, loops);
  for (unsigned i = 0; i < model.loops.size(); ++i)
    if (model.loops[i].stmt == stmt.get())
      loops.push_back(i);
  if (stmt->kind == StmtKind::Decl)
    scopes[stmt->var] = std::set<unsigned>(loops.begin(), loops.end());
  findScopes(stmt->body, loops);
  findScopes(stmt->elseBody, loops);
  for (const StmtRef &child : stmt->children)
    findScopes(child, loops);
}

//===-- First pass
//----------------------------------------------------------===//

void BodyWriter::addLines(PrintedStatement printed, std::vector<OutNode> &out) {
  if (printed.lines.empty())
    return;
  OutNode node;
  node.lines = std::move(printed.lines);
  node.uses = std::move(printed.uses);
  node.defines = node.lines.size() == 1 ? printed.defines : "";
  node.computes = std::move(printed.computes);
  node.list = std::move(printed.list);
  out.push_back(std::move(node));
}

void BodyWriter::addLoads(const std::vector<LoadLine> &loads,
                          std::vector<OutNode> &out) {
  for (const LoadLine &line : loads) {
    OutNode load = lineOf(line.text);
    load.uses = line.uses;
    load.isDeclaration = true;
    out.push_back(std::move(load));
  }
}

void BodyWriter::emit(const EmitNode &node, AstNames names,
                      std::vector<OutNode> &out) {
  if (kernel.sharesWork() && !isAlone)
    return emitUniform(node, names, out);
  bool isLeaf = node.kind == EmitNode::Kind::Statement ||
                node.kind == EmitNode::Kind::Copy;
  if (kernel.sharesWork() && !isByOne && isLeaf && runsOnLaneZero(node)) {
    OutNode scope;
    scope.isScope = true;
    scope.lines.push_back("if (" + shared.shared.lane + " == 0)");
    emitNode(node, std::move(names), scope.children);
    out.push_back(std::move(scope));
    return;
  }
  if (isActive || !tiled || (!kernel.isGrouped() && !kernel.hasGroupLanes()))
    return emitNode(node, std::move(names), out);
  emitShared(node, names, out);
}

void BodyWriter::emitNode(const EmitNode &node, AstNames names,
                          std::vector<OutNode> &out) {
  switch (node.kind) {
  case EmitNode::Kind::Block:
    return emitBlock(node, names, out);
  case EmitNode::Kind::For:
    return emitFor(node, std::move(names), out);
  case EmitNode::Kind::If:
    return emitIf(node, names, out);
  case EmitNode::Kind::Statement:
    if (isOwned(node))
      return emitOwned({&node}, names, out);
    return node.guard ? emitGuarded({&node}, names, out)
                      : emitAll({&node}, names, false, out);
  case EmitNode::Kind::Copy:
    return isOwned(node) ? emitOwned({&node}, names, out)
                         : emitAll({&node}, names, false, out);
  case EmitNode::Kind::Fill:
    return emitFill(node, names, out);
  case EmitNode::Kind::Section:
    return emitSection(node, names, out);
  }
}

void BodyWriter::emitIf(const EmitNode &node, const AstNames &names,
                        std::vector<OutNode> &out) {
  OutNode scope;
  scope.isScope = true;
  scope.condition = printAst(*node.condition, names);
  scope.lines.push_back("if (" + scope.condition.text + ")");
  conditionsAround.push_back(scope.condition.text);
  emit(node.children[0], names, scope.children);
  conditionsAround.pop_back();
  bool hasElse = node.children.size() > 1;
  // The author's barriers stand where all work-items go the same way.
  const bool mayPart = !isActive && !kernel.hasGroupLanes();
  bool first = mayPart && hasStage(node.children[0], true);
  bool second = mayPart && hasElse && hasStage(node.children[1], true);
  OutNode barrier;
  barrier.lines.push_back(groupBarrier);
  if (second && !first)
    scope.children.push_back(barrier);
  if (!scope.children.empty())
    out.push_back(std::move(scope));
  else if (hasElse)
    failure = "an empty branch";
  if (!hasElse && !first)
    return;
  OutNode other;
  other.isScope = other.isElse = true;
  other.lines.push_back("else");
  if (hasElse)
    emit(node.children[1], names, other.children);
  if (first && !second)
    other.children.push_back(barrier);
  if (!other.children.empty())
    out.push_back(std::move(other));
}

LinearForm toForm(const isl::ast_expr &expr, const AstNames &names) {
  if (std::optional<LinearForm> form = linearize(expr, names))
    return *form;
  const PrintedText text = printAst(expr, names);
  return LinearForm::ofTerm("(" + text.text + ")", 1, text.isLong);
}

/// No iteration has a greater value (of isl's iterator, which counts up).
int64_t BodyWriter::lastValue(const EmitNode &node, const AstNames &names) {
  int64_t last = largestBelow(*node.condition, node.iterator, names);
  bool isGuarded = node.loopKind == EmitNode::LoopKind::Sequential &&
                   clearOfEnds(kernel, node.loop);
  return isGuarded ? std::min(last, largestClearInt) : last;
}

/// Between the first iterations of two tiles, vectors or unrolled copies.
int64_t BodyWriter::distanceOf(const EmitNode &node) const {
  unsigned count = node.tile ? node.tile : node.lanes * node.unroll;
  return std::llabs(model.loops[node.loop].step) * std::max(1u, count);
}

std::string BodyWriter::loopHeader(const EmitNode &node, AstNames &names) {
  std::string name, type = "int";
  if (node.loopKind == EmitNode::LoopKind::Work) {
    name = shared.ids[node.loop];
    type = shared.idTypes[node.loop];
  } else {
    const Loop &loop = model.loops[node.loop];
    name = node.tile || isCut(node) ? shared.group.loopTiles.at(node.loop)
                                    : shared.loops[node.loop];
    if (loop.var && loop.var->type.size > 4)
      type = "long";
  }
  const std::string size = node.tile || isCut(node)
                               ? shared.group.loopSizes.at(node.loop)
                               : std::string();
  // Only here the number is what it is called.
  if (!size.empty())
    names.constants[std::max(node.tile, node.cutTile)] = size;
  PrintedText init = printAst(*node.init, names);
  if (node.isDownward)
    init = printNegated(*node.init, names);
  bool looksAhead =
      node.lanes > 1 || node.unroll > 1 || node.tile > 0 || isCut(node);
  std::optional<IntRange> first = rangeBelow(
      *node.init, names, looksAhead ? largestClearInt : wholeInt.high);
  // The first value counts even where no iteration runs.
  if (type == "int" && first && !isWithinInt(*first))
    type = "long";
  names.names[node.iterator] =
      LinearForm::ofTerm(name, node.isDownward ? -1 : 1);
  if (type == "long") {
    names.wideTerms.insert(name);
    environment.wideIterators.insert(name);
  } else if (node.loopKind == EmitNode::LoopKind::Work) {
    addEnd(name, node.loop, names);
  }
  if (node.loopKind == EmitNode::LoopKind::Sequential)
    iterators[model.loops[node.loop].iterator] = LinearForm::ofTerm(name);
  int64_t step = linearize(*node.increment, names)->constant;
  if (isCut(node))
    step *= node.cutTile;
  IntRange values = first.value_or(wholeInt);
  int64_t last = lastValue(node, names);
  auto setValues = [&](int64_t most) {
    IntRange own = {values.low, std::max(values.high, most)};
    if (node.isDownward)
      own = {-own.high, -own.low};
    if (type == "int")
      names.intTerms[name] = own;
  };
  // The condition is asked once more behind the last iteration.
  setValues(std::min(last + step, wholeInt.high));
  std::string condition = printAst(*node.condition, names).text;
  names.constants.clear();
  values.high = std::min(values.high, last);
  setValues(last);
  // Where isl sees no common distance, it visits every value and asks.
  if (node.loopKind == EmitNode::LoopKind::Sequential &&
      step < distanceOf(node))
    failure = "'" + name + "' in steps from a value that is not affine";
  std::string sign = node.isDownward ? "-" : "+";
  std::string advance = step == 1
                            ? name + sign + sign
                            : name + " " + sign + "= " + std::to_string(step);
  const int64_t single =
      size.empty() ? 0 : std::llabs(model.loops[node.loop].step);
  if (single && step == single * std::max(node.tile, node.cutTile))
    advance = name + " " + sign + "= " +
              LinearForm::ofTerm(size, single).print().text;
  return "for (" + type + " " + name + " = " + init.text + "; " + condition +
         "; " + advance + ")";
}

/// What the author says about a loop holds as long as it is one.
static std::string authorsPragma(const Loop &loop) {
  std::string text;
  if (loop.stmt)
    for (const std::string &line : loop.stmt->pragmas)
      text += (text.empty() ? "" : "\n") + line;
  return text;
}

static bool hasWorkLoop(const EmitNode &node) {
  bool any = node.kind == EmitNode::Kind::For &&
             node.loopKind == EmitNode::LoopKind::Work;
  for (const EmitNode &child : node.children)
    any |= hasWorkLoop(child);
  return any;
}

void BodyWriter::emitFor(const EmitNode &node, AstNames names,
                         std::vector<OutNode> &out) {
  if (node.loopKind == EmitNode::LoopKind::Cell && node.condition) {
    failure = "registers with a variable index";
    return;
  }
  bool runsOnce = !node.condition;
  const bool hasRows = tiled && !runsOnce && !kernel.rowPointers.empty() &&
                       node.loopKind == EmitNode::LoopKind::Sequential;
  RowPointers rows;
  if (hasRows)
    rows.outside = termsOf(names);
  OutNode scope;
  scope.isScope = true;
  if (runsOnce && node.init) {
    LinearForm only = toForm(*node.init, names);
    names.names[node.iterator] = only;
    if (node.loopKind == EmitNode::LoopKind::Sequential)
      iterators[model.loops[node.loop].iterator] =
          only.times(node.isDownward ? -1 : 1);
  }
  if (!runsOnce) {
    scope.lines.push_back(loopHeader(node, names));
    scope.isLoop = true;
  }
  if (!runsOnce && isBesideTiles(node))
    scope.pragma = "#pragma unroll 1";
  const bool isSequential = node.loopKind == EmitNode::LoopKind::Sequential;
  std::optional<unsigned> copies;
  if (isSequential && tiled)
    copies = findLoop(kernel.tree, node.loop)->askedCopies;
  if (isSequential && writtenOut.count(node.loop))
    copies = 0;
  if (!runsOnce && copies)
    scope.pragma =
        "#pragma unroll" + (*copies ? " " + std::to_string(*copies) : "");
  else if (!runsOnce && scope.pragma.empty() && isSequential &&
           node.lanes <= 1 && node.unroll <= 1 && node.tile == 0 &&
           !isCut(node))
    scope.pragma = authorsPragma(model.loops[node.loop]);
  if (node.loopKind == EmitNode::LoopKind::Sequential)
    scope.loop = node.loop;
  std::vector<OutNode> combined;
  if (node.tile > 0 || isCut(node)) {
    emitTile(node, names, scope);
  } else if (node.lanes > 1) {
    emitLanes(node, names, scope);
    emitPartials(node, scope, out, combined);
  } else {
    if (hasRows)
      openRows(node.loop, rows);
    // All copies run the same inner iterations, so only the coordinate of this
    // loop is shifted; isl may have written it without naming the iterator.
    for (unsigned copy = 0; copy < std::max(1u, node.unroll); ++copy) {
      if (node.unroll > 1)
        shifts[model.loops[node.loop].iterator] =
            static_cast<int64_t>(copy) * model.loops[node.loop].step;
      emit(node.children[0], names, scope.children);
    }
    if (node.unroll > 1)
      shifts.erase(model.loops[node.loop].iterator);
    if (hasRows)
      closeRows(rows, out);
  }
  if (scope.children.empty())
    return;
  // The next group's work begins when nobody reads this one's local arrays.
  if (node.loopKind == EmitNode::LoopKind::Work && kernel.mergesGroups() &&
      !hasWorkLoop(node.children[0])) {
    OutNode end;
    end.lines.push_back("barrier(CLK_LOCAL_MEM_FENCE);");
    scope.children.push_back(std::move(end));
  }
  // A block keeps the names of a single iteration apart from its neighbours'.
  if (runsOnce && node.lanes > 1)
    scope.lines.push_back("");
  if (!runsOnce || node.lanes > 1) {
    out.push_back(std::move(scope));
    std::move(combined.begin(), combined.end(), std::back_inserter(out));
    return;
  }
  for (OutNode &child : scope.children)
    out.push_back(std::move(child));
}

PrintSite BodyWriter::siteOf(const EmitNode &node,
                             const std::vector<SymbolId> &coordinates,
                             const AstNames &names) {
  PrintSite site;
  for (size_t i = 0; i < coordinates.size(); ++i) {
    LinearForm form = toForm(node.coordinates[i], names);
    if (auto point = pointIterators.find(coordinates[i]);
        point != pointIterators.end())
      form = point->second;
    if (auto shift = shifts.find(coordinates[i]); shift != shifts.end())
      form.constant += shift->second;
    site.coordinates[coordinates[i]] = form;
  }
  if (tiled)
    makeRelative(site);
  return site;
}

void BodyWriter::forEachPoint(DivergenceMask mask, PrintSite site,
                              const std::function<void(PrintSite &)> &action) {
  unsigned counts[3] = {1, 1, 1};
  for (unsigned d = 0; d < 3; ++d)
    if (mask & (1u << d))
      counts[d] = environment.points[d];
  std::vector<unsigned> dims = workCoordinates(model);
  for (unsigned z = 0; z < counts[2]; ++z)
    for (unsigned y = 0; y < counts[1]; ++y)
      for (unsigned x = 0; x < counts[0]; ++x) {
        PrintSite shifted = site;
        unsigned point[3] = {x, y, z};
        std::copy(point, point + 3, shifted.point);
        for (size_t i = 0; i < dims.size(); ++i) {
          unsigned d = dims[i];
          std::optional<SymbolId> id =
              model.symbols.find(model.ndrange.split[d] ? SymbolKind::GroupId
                                                        : SymbolKind::GlobalId,
                                 d);
          bool isLocal = i > 0 && dims[i - 1] == d;
          if (!id || isLocal || !point[d] || !shifted.coordinates.count(*id))
            continue;
          const WorkDimension &work = kernel.work[d];
          LinearForm distance(point[d] * work.lanes);
          if (!shared.strides[i].empty())
            distance = LinearForm::ofTerm(shared.strides[i], point[d]);
          else if (work.strided)
            distance = distance.times(work.threads());
          shifted.coordinates[*id] = shifted.coordinates[*id] + distance;
          if (auto own = shifted.relative.find(*id);
              own != shifted.relative.end())
            own->second = own->second + distance;
        }
        action(shifted);
      }
}

/// The dimension whose points are written as a loop around those of the
/// dimensions below it; nothing: all are written out.
std::optional<unsigned>
BodyWriter::repeatedDimension(DivergenceMask mask) const {
  std::optional<unsigned> dim;
  for (unsigned d = 0; d < 3; ++d)
    if ((mask & (1u << d)) && environment.points[d] > 1)
      dim = d;
  if (!environment.pointArrays || !dim ||
      environment.points[*dim] < fewestRepeated ||
      !model.symbols.find(SymbolKind::GlobalId, *dim) ||
      model.ndrange.split[*dim] ||
      !llvm::is_contained(workCoordinates(model), *dim))
    return std::nullopt;
  return dim;
}

/// The site for all points along the dimension, which are a loop.
PrintSite BodyWriter::anyPoint(unsigned dim, const PrintSite &site) {
  const SymbolId id = *model.symbols.find(SymbolKind::GlobalId, dim);
  std::vector<unsigned> dims = workCoordinates(model);
  const auto i = static_cast<size_t>(std::find(dims.begin(), dims.end(), dim) -
                                     dims.begin());
  if (pointName.empty())
    pointName = freshLocal("point");
  PrintSite any = site;
  any.pointName = pointName;
  any.pointDim = dim;
  const WorkDimension &work = kernel.work[dim];
  LinearForm distance = LinearForm::ofTerm(pointName, work.lanes);
  if (!shared.strides[i].empty())
    distance = LinearForm::ofTerm(pointName + " * " + shared.strides[i]);
  else if (work.strided)
    distance = distance.times(work.threads());
  if (auto own = any.coordinates.find(id); own != any.coordinates.end())
    own->second = own->second + distance;
  if (auto own = any.relative.find(id); own != any.relative.end())
    own->second = own->second + distance;
  return any;
}

/// One statement of all points, in the loop over them that came before where
/// the order does not matter.
void BodyWriter::addRepeated(std::vector<PrintedStatement> printed,
                             unsigned dim, bool mayGoOn,
                             std::vector<OutNode> &out) {
  // What is loaded is not to wait for stores of other points.
  if (out.empty() || out.back().repeats != dim || !out.back().mayGoOn ||
      !mayGoOn) {
    OutNode loop = lineOf("for (int " + pointName + " = 0; " + pointName +
                          " < " + std::to_string(environment.points[dim]) +
                          "; " + pointName + "++)");
    loop.isScope = loop.isLoop = true;
    loop.pragma = "#pragma unroll";
    loop.repeats = dim;
    out.push_back(std::move(loop));
  }
  out.back().mayGoOn = mayGoOn;
  for (PrintedStatement &text : printed)
    addLines(std::move(text), out.back().children);
}

void BodyWriter::emitStatement(const EmitNode &node, const AstNames &names,
                               std::vector<OutNode> &out) {
  const Statement statement = statementInRounds(
      statementInShared(model.statements[node.index]), node.index);
  StatementPrinter printer(environment);
  PrintSite site = siteOf(node, statement.coordinates, names);
  ReadCollector reads;
  auto print = [&] {
    std::vector<PrintedStatement> printed;
    forEachPoint(printer.pointsOf(statement), site, [&](PrintSite &at) {
      printed.push_back(printer.print(statement, at));
    });
    return printed;
  };
  environment.reads = canLoadFirst(statement) ? &reads : nullptr;
  std::vector<PrintedStatement> printed = print();
  const std::vector<LoadLine> loads =
      reads.load([this](const std::string &array) { return freshRead(array); });
  if (!loads.empty())
    printed = print();
  environment.reads = nullptr;
  mergeEqualConditions(model, statement, printed);
  addLoads(environment.windowLoads, out);
  addLoads(loads, out);
  const bool isPlain = loads.empty() && environment.windowLoads.empty() &&
                       !statement.isCompound && !statement.isOpaque;
  environment.windowLoads.clear();
  std::optional<unsigned> dim;
  if (isPlain && std::none_of(printed.begin(), printed.end(),
                              [](const PrintedStatement &text) {
                                return text.isCondition || text.lines.empty();
                              }))
    dim = repeatedDimension(printer.pointsOf(statement));
  StatementPrinter anyPrinter(environment);
  std::vector<PrintedStatement> repeated;
  if (dim)
    forEachPoint(
        printer.pointsOf(statement) & ~(1u << *dim), site, [&](PrintSite &at) {
          repeated.push_back(anyPrinter.print(statement, anyPoint(*dim, at)));
        });
  if (dim && anyPrinter.failure().empty()) {
    const bool mayGoOn = std::none_of(
        statement.accesses.begin(), statement.accesses.end(),
        [&](unsigned access) {
          return (model.accesses[access].isWrite ||
                  model.accesses[access].isOrdered) &&
                 model.arrays[model.accesses[access].array].space !=
                     AddressSpace::Private &&
                 !kernel.registersOf(access);
        });
    addRepeated(std::move(repeated), *dim, mayGoOn, out);
  } else {
    for (PrintedStatement &text : printed)
      addLines(std::move(text), out);
  }
  if (!printer.failure().empty())
    failure = printer.failure();
}

/// The index of a copy's cell in every dimension.
std::vector<int64_t> BodyWriter::copiedCell(const EmitNode &node,
                                            const AstNames &names) {
  const ArrayTile &copy = kernel.tiles[kernel.copies[node.index].tile];
  std::vector<int64_t> cell;
  for (size_t i = copy.coordinates.size(); i < node.coordinates.size(); ++i) {
    LinearForm value = toForm(node.coordinates[i], names);
    if (!value.isConstant())
      failure = "registers with a variable index";
    cell.push_back(value.constant);
  }
  return cell;
}

void BodyWriter::emitCopy(const EmitNode &node, const AstNames &names,
                          std::vector<OutNode> &out) {
  const CopyStatement &statement = kernel.copies[node.index];
  const ArrayTile &copy = kernel.tiles[statement.tile];
  StatementPrinter printer(environment);
  PrintSite site = siteOf(node, copy.coordinates, names);
  const std::vector<int64_t> cell = copiedCell(node, names);
  DivergenceMask mask = divergence->ofCopy(statement.tile) & ~LaneBit;
  std::optional<unsigned> dim;
  if (copy.cells(kernel) == 1 && !copy.window)
    dim = repeatedDimension(mask);
  std::vector<PrintedStatement> printed;
  forEachPoint(dim ? mask & ~(1u << *dim) : mask, site, [&](PrintSite &at) {
    printed.push_back(
        printer.printCopy(node.index, dim ? anyPoint(*dim, at) : at, cell));
  });
  if (dim)
    addRepeated(std::move(printed), *dim, statement.isIn, out);
  else
    for (PrintedStatement &text : printed)
      addLines(std::move(text), out);
  if (!printer.failure().empty())
    failure = printer.failure();
}

/// The first id of a work-item, and what a guard can see of it.
void BodyWriter::addId(size_t index, unsigned dim, AstNames &names) const {
  const std::string &base = shared.bases[index];
  names.intTerms[base] = idValues(kernel, dim);
  addEnd(base, index, names);
}

void BodyWriter::addEnd(const std::string &id, size_t index,
                        AstNames &names) const {
  bool isMapped = model.ndrange.findMapped(workCoordinates(model)[index]);
  if (!isMapped && !shared.ends[index].empty())
    names.idEnds[id] = shared.ends[index];
}

WrittenBody BodyWriter::write(const EmitNode &root) {
  WrittenBody result;
  AstNames names = parameterNames(model, false, shared.launch);
  names.clear = &clear;
  names.mentioned = &headerTerms;
  for (const auto &[name, value] : shared.group.constants)
    names.intTerms[name] = {value, value};
  std::vector<unsigned> dims = workCoordinates(model);
  for (size_t i = 0; i < dims.size(); ++i)
    if (shared.idTypes[i] == "int") {
      addId(i, dims[i], names);
    } else {
      names.wideTerms.insert(
          {shared.bases[i], shared.ends[i], shared.strides[i], shared.ids[i]});
      if (kernel.isGrouped())
        names.wideTerms.insert(shared.group.bases[i]);
    }
  OutNode top;
  top.isScope = true;
  for (size_t i = 0; i < baseParameters.size(); ++i) {
    bool isGroup = tiled && kernel.isGrouped();
    names.names[baseParameters[i]] =
        LinearForm::ofTerm(isGroup ? shared.group.bases[i] : shared.bases[i]);
    if (!extentParameters[i].empty())
      names.names[extentParameters[i]] = validIds(kernel, shared, i);
    if (!endParameters[i].empty())
      names.names[endParameters[i]] = endOfIds(shared, i);
    if (!strideParameters[i].empty())
      names.names[strideParameters[i]] = LinearForm::ofTerm(shared.strides[i]);
  }
  if (tiled)
    emitCopies(std::nullopt, true, top.children);
  setTiles(std::nullopt, true);
  runs = shared.shared.active;
  emit(root, names, top.children);
  if (kernel.sharesWork() &&
      sharedWritten < kernel.cooperativeReductions.size())
    failure = "a shared loop that never runs";
  setTiles(std::nullopt, false);
  if (tiled)
    emitCopies(std::nullopt, false, top.children);
  if (!failure.empty()) {
    result.failure = failure;
    return result;
  }
  dropUnread(top, headerTerms);
  dissolveBlocks(top);
  placeDeclarations(top);
  joinDeclarations(top);
  checkLists(top);
  if (!failure.empty()) {
    result.failure = failure;
    return result;
  }
  const std::vector<OutNode> &nodes = linesWithin(top);
  flattenAll(nodes, result.lines);
  if (nodes.size() == 1 && nodes[0].isChoice()) {
    result.condition = nodes[0].condition;
    flattenAll(linesWithin(nodes[0]), result.chosen);
  }
  if (moved) {
    result.own = ownIds();
    headerTerms.insert(shared.strides.begin(), shared.strides.end());
  }
  result.clear = std::move(clear);
  result.asked = std::move(environment.asked);
  result.asksWhole = asksWhole;
  result.mentioned = std::move(headerTerms);
  addUses(top, result.mentioned);
  result.ok = true;
  return result;
}

WrittenBody writeBody(const TransformedKernel &kernel,
                      const LoweredKernel &lowered, const EmitNode &root,
                      bool tiled, const KernelNames &names) {
  BodyWriter writer(kernel, names, tiled, guardsBelow(root));
  writer.baseParameters = lowered.baseNames;
  writer.strideParameters = lowered.strideNames;
  writer.endParameters = lowered.endNames;
  writer.extentParameters = lowered.extentNames;
  if (tiled && !lowered.moves.empty())
    writer.moved = &lowered;
  return writer.write(root);
}

} // namespace clopt
