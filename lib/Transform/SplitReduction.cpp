//===- SplitReduction.cpp - one reduction loop, several work-items --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `split-reduction k:32` lets 32 work-items of a group do one logical
// work-item together. Each takes every 32nd iteration of the loop `k` and has
// results of its own, which are combined in local memory after the loop:
//
//   for (int k = row_ptr[i]; k < row_ptr[i + 1]; k++)     neighbours read
//     sum += val[k] * x[col[k]];                          val[k], val[k + 1],
//     ...
//
// Everything else is done by all 32 of them where it only concerns private
// values, and by the first one where it changes memory.
//
// Legality. The only values that go from one iteration to another are those
// that every iteration combines with something (integers always, floating-point
// values where the flags of the program permit any order). The loop writes no
// memory, so its iterations are free otherwise. Elsewhere, memory that the
// first work-item writes must not be read by the others without a barrier in
// between: that of a shared loop, or none where the cells differ.
//
// Reference: P4 (work-group reduction); Harris, Optimizing Parallel Reduction
// in CUDA, 2007; Bell and Garland, Efficient Sparse Matrix-Vector
// Multiplication on CUDA, 2008 (one vector of threads per row).
//
// Tested by test/unit/SplitReductionTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Steps.h"

#include "Analysis/Dependences.h"
#include "Analysis/SharedLoops.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

namespace {

/// Where a statement stands among the barriers of the shared loops.
struct Place {
  unsigned phase = 0;  ///< shared loops that are over
  bool inLoop = false; ///< of a loop around shared ones
};

class Splitter {
public:
  Splitter(const TransformedKernel &before, const SharedLoop &target,
           AliasMode aliasMode)
      : result(before), model(*before.model), shared(target), alias(aliasMode) {
  }
  StepResult run();
  TransformedKernel result;

private:
  StepResult checkKernel() const;
  StepResult checkPlace() const;
  StepResult checkOuterLoops() const;
  StepResult checkRange() const;
  StepResult findBody();
  StepResult findCounted();
  StepResult checkWrites() const;
  StepResult addResults();
  StepResult addResult(unsigned array);
  StepResult checkMemoryOfGroup() const;
  StepResult checkPrivates() const;
  StepResult checkFlow(const std::vector<unsigned> &accesses) const;
  void findPlaces(const ScheduleNode &node, bool inLoop);
  StepResult checkOrder();
  struct Reference {
    unsigned array = 0;
    const Access *access = nullptr; ///< null: cells of a copy
    Place place;
    std::optional<size_t> sharedBy; ///< the shared loop that it is in
  };
  StepResult checkPair(const Reference &write, const Reference &read);
  StepResult checkCells(const Reference &write, const Reference &read) const;
  std::optional<size_t> sharedAround(unsigned statement) const;
  void addReferences(std::vector<Reference> &writes,
                     std::vector<Reference> &reads) const;
  bool isInRegisters(unsigned access) const;
  bool leaves(unsigned array, bool toItself) const;
  bool hasShared(const ScheduleNode &node) const;
  const ScheduleNode *node() const;

  const KernelModel &model;
  SharedLoop shared;
  AliasMode alias;
  std::vector<unsigned> statements; ///< of the loop
  std::vector<StmtRef> body;
  std::set<unsigned> values; ///< arrays that go from iteration to iteration
  std::map<unsigned, Place> places, copyPlaces;
  unsigned phase = 0;
};

} // namespace

const ScheduleNode *Splitter::node() const {
  return shared.loop ? findLoop(result.tree, *shared.loop) : nullptr;
}

static bool isPlain(const ScheduleNode &node) {
  if (node.lanes > 1 || node.tile)
    return false;
  return std::all_of(node.children.begin(), node.children.end(), isPlain);
}

StepResult Splitter::checkKernel() const {
  unsigned n = shared.lanes;
  if (n < 2 || n > 256 || (n & (n - 1)) != 0)
    return refuse("clopt-not-profitable",
                  "a loop is shared by 2, 4, 8 ... 256 work-items");
  if (StepResult refusal = mergeableWorkItems(result, 0))
    return refusal;
  if (result.isTiled() || !result.tiles.empty() ||
      !model.ndrange.mapped.empty())
    return refuse("clopt-dependence",
                  "the work-items of the kernel have been changed already",
                  "split the reduction instead");
  if (!isPlain(result.tree) || !result.selections.empty())
    return refuse("clopt-dependence", "the loops are tiled or vectorized",
                  "split the reduction instead");
  for (const SharedLoop &other : result.sharedLoops)
    if (other.lanes != n)
      return refuse("clopt-dependence",
                    "all shared loops have the same number of work-items");
  return std::nullopt;
}

bool Splitter::hasShared(const ScheduleNode &at) const {
  if (at.kind == ScheduleNode::Kind::Leaf && sharedLoopOf(result, at.statement))
    return true;
  if (at.kind == ScheduleNode::Kind::Loop && findSharedLoop(result, at.loop))
    return true;
  return std::any_of(
      at.children.begin(), at.children.end(),
      [this](const ScheduleNode &child) { return hasShared(child); });
}

/// No shared loop in or around this one.
StepResult Splitter::checkPlace() const {
  const Refusal taken =
      refuse("clopt-dependence", "a loop around or in it is shared already");
  const std::vector<unsigned> &around =
      shared.loop ? model.loops[*shared.loop].outer
                  : model.statements[shared.statement].loops;
  for (unsigned outer : around)
    if (findSharedLoop(result, outer))
      return taken;
  if (!shared.loop)
    return sharedLoopOf(result, shared.statement) ? StepResult(taken)
                                                  : std::nullopt;
  if (!node())
    return refuse("clopt-opaque-code", "the loop is not in the schedule");
  if (node()->unroll != 1)
    return refuse("clopt-dependence", "the loop is unrolled already");
  return hasShared(*node()) ? StepResult(taken) : std::nullopt;
}

static unsigned workCount(const KernelModel &model,
                          const Statement &statement) {
  unsigned count = 0;
  while (count < statement.coordinates.size() &&
         model.symbols[statement.coordinates[count]].kind !=
             SymbolKind::Iterator)
    ++count;
  return count;
}

/// All work-items of a group run the loops around barriers alike: the
/// iterations do not depend on the work-item.
StepResult Splitter::checkOuterLoops() const {
  for (unsigned index : statements) {
    const Statement &statement = model.statements[index];
    unsigned work = workCount(model, statement);
    unsigned outer = static_cast<unsigned>(statement.loops.size());
    if (shared.loop)
      outer =
          static_cast<unsigned>(std::find(statement.loops.begin(),
                                          statement.loops.end(), *shared.loop) -
                                statement.loops.begin());
    if (outer == 0)
      continue;
    isl_set *all = isl_set_project_out(
        statement.domain.copy(), isl_dim_set, work + outer,
        static_cast<unsigned>(statement.coordinates.size()) - work - outer);
    all = isl_set_reset_tuple_id(all);
    isl_set *items =
        isl_set_project_out(isl_set_copy(all), isl_dim_set, work, outer);
    isl_set *loops =
        isl_set_project_out(isl_set_copy(all), isl_dim_set, 0, work);
    isl_set *box = isl_set_flat_product(items, loops);
    bool isUniform = isl_set_is_subset(box, all) == isl_bool_true;
    isl_set_free(box);
    isl_set_free(all);
    if (!isUniform)
      return refuse("clopt-barrier",
                    "work-items run a loop around it differently often", "",
                    statement.stmt ? statement.stmt->range : SourceRange());
  }
  return std::nullopt;
}

/// The iterator and what a pass adds to it stay within 64 bits.
StepResult Splitter::checkRange() const {
  const Loop &loop = model.loops[*shared.loop];
  if (loop.var && loop.var->type.size < 4)
    return refuse("clopt-value-range",
                  "'" + loop.name + "' has fewer than 32 bits", "",
                  loop.stmt->range);
  if (!loop.var || loop.var->type.size == 4)
    return std::nullopt;
  for (unsigned index : statements) {
    const Statement &statement = model.statements[index];
    auto place = std::find(statement.coordinates.begin(),
                           statement.coordinates.end(), loop.iterator);
    auto position =
        static_cast<unsigned>(place - statement.coordinates.begin());
    isl_set *domain = isl_set_intersect_params(statement.domain.copy(),
                                               model.paramContext.copy());
    domain = isl_set_project_out(domain, isl_dim_set, 0, position);
    unsigned inner = isl_set_dim(domain, isl_dim_set) - 1;
    domain = isl_set_project_out(domain, isl_dim_set, 1, inner);
    domain = isl_set_project_out(domain, isl_dim_param, 0,
                                 isl_set_dim(domain, isl_dim_param));
    isl_val *end = loop.step > 0 ? isl_set_dim_max_val(domain, 0)
                                 : isl_set_dim_min_val(domain, 0);
    isl_val *size = isl_val_abs(end);
    isl_val *most = isl_val_2exp(isl_val_int_from_si(model.context.get(), 62));
    bool fits = isl_val_is_int(size) == isl_bool_true &&
                isl_val_lt(size, most) == isl_bool_true;
    isl_val_free(size);
    isl_val_free(most);
    if (!fits)
      return refuse("clopt-value-range",
                    "'" + loop.name + "' may come near the end of its type", "",
                    loop.stmt->range);
  }
  return std::nullopt;
}

StepResult Splitter::findBody() {
  if (!shared.loop) {
    statements = {shared.statement};
    return findCounted();
  }
  statements = statementsBelow(*node());
  for (unsigned index : statements)
    body.push_back(StmtRef(StmtRef(), model.statements[index].stmt));
  LoopDependences found =
      analyzeLoop(model, result.tree, *shared.loop, 2, result.privates);
  if (found.fence)
    return refuse("clopt-ordered-effect",
                  "the loop has code that must keep its order", "",
                  model.statements[*found.fence].stmt->range);
  if (!found.violated.empty())
    return refuse("clopt-dependence", describe(model, found.violated.front()),
                  "", model.accesses[found.violated.front().second].range);
  if (found.innerCopy)
    return refuse(
        "clopt-dependence",
        "'" + model.arrays[result.privates[*found.innerCopy].array].name +
            "' is kept in registers over an inner loop");
  for (const auto *set :
       {&found.carriedPrivates, &found.liveOut, &found.enters})
    values.insert(set->begin(), set->end());
  for (const auto *set : {&found.carriedCopies, &found.liveOutCopies})
    for (unsigned copy : *set)
      values.insert(result.privates[copy].array);
  return checkRange();
}

//===-- Loops with bounds that depend on data -----------------------------===//

static unsigned mentions(const StmtRef &stmt, const Variable *variable) {
  unsigned count = 0;
  forEachExpr(stmt, [&](const ExprRef &expr) {
    count += expr->kind == ExprKind::VarRef && expr->var == variable;
  });
  return count;
}

static bool mentions(const ExprRef &expr,
                     const std::set<const Variable *> &variables) {
  bool found = false;
  forEachExpr(expr, [&](const ExprRef &each) {
    found |= each->kind == ExprKind::VarRef && variables.count(each->var);
  });
  return found;
}

/// True when every iteration begins with an assignment to the variable.
static bool isSetFirst(const StmtRef &body, const Variable *variable) {
  std::vector<StmtRef> statements = {body};
  if (body->kind == StmtKind::Block || body->kind == StmtKind::Group)
    statements = body->children;
  for (const StmtRef &stmt : statements) {
    unsigned count = mentions(stmt, variable);
    if (count == 0)
      continue;
    const ExprRef &expr = stmt->expr;
    return stmt->kind == StmtKind::Expr && expr->kind == ExprKind::Assign &&
           expr->op == Op::None && count == 1 &&
           expr->operands[0]->kind == ExprKind::VarRef &&
           expr->operands[0]->var == variable && variable->type.isScalar();
  }
  return false;
}

static bool isLeft(const StmtRef &stmt, bool inLoop) {
  if (!stmt)
    return false;
  if (stmt->kind == StmtKind::Return || stmt->kind == StmtKind::Opaque ||
      stmt->kind == StmtKind::Barrier)
    return true;
  if (stmt->kind == StmtKind::Break)
    return !inLoop;
  if (stmt->kind == StmtKind::Switch)
    return true; // kept as text
  bool isLoop = stmt->kind == StmtKind::For || stmt->kind == StmtKind::While ||
                stmt->kind == StmtKind::Do;
  bool found = isLeft(stmt->body, inLoop || isLoop) ||
               isLeft(stmt->elseBody, inLoop) || isLeft(stmt->init, inLoop);
  for (const StmtRef &child : stmt->children)
    found |= isLeft(child, inLoop);
  return found;
}

/// True when a value of the array goes from the loop to another statement, or
/// to the loop itself when it runs again.
bool Splitter::leaves(unsigned array, bool toItself) const {
  std::vector<unsigned> accesses;
  for (const Access &access : model.accesses)
    if (access.array == array)
      accesses.push_back(access.id);
  isl::map_list flows = valueFlow(model, result.tree, accesses).get_map_list();
  const std::string &own = model.statements[shared.statement].name;
  for (unsigned i = 0; i < static_cast<unsigned>(flows.size()); ++i) {
    isl::map flow = flows.at(i);
    bool isSource = isl_map_get_tuple_name(flow.get(), isl_dim_in) == own;
    bool isOwn = isl_map_get_tuple_name(flow.get(), isl_dim_out) == own;
    if (isSource && (!isOwn || toItself))
      return true;
  }
  return false;
}

StepResult Splitter::findCounted() {
  const Statement &statement = model.statements[shared.statement];
  const SourceRange &range = statement.stmt->range;
  std::optional<CountedLoop> loop = readCountedLoop(*statement.stmt);
  if (!loop || !statement.isCompound || statement.isOpaque)
    return refuse("clopt-non-affine-control", "the loop does not count", "",
                  range);
  if (isLeft(statement.stmt->body, false))
    return refuse("clopt-non-affine-control",
                  "the loop may be left early, depending on data", "", range);
  body = {statement.stmt->body};
  std::set<const Variable *> inside, written;
  forEachStmt(statement.stmt->body, [&](const StmtRef &stmt) {
    if (stmt->kind == StmtKind::Decl)
      inside.insert(stmt->var);
  });
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    const Variable *variable = model.arrays[access.array].var;
    if (!access.isWrite || access.isOrdered)
      continue;
    bool isHead = variable == loop->var;
    for (const StmtRef &other : loop->others)
      isHead |= other->var == variable;
    if (!isHead)
      written.insert(variable);
    if (isHead || inside.count(variable))
      continue;
    bool isTemporary = model.arrays[access.array].isPrivateScalar() &&
                       isSetFirst(statement.stmt->body, variable) &&
                       !leaves(access.array, false);
    if (!isTemporary)
      values.insert(access.array);
  }
  auto isChanged = [&](const Variable *variable) {
    bool found = false;
    forEachExpr(statement.stmt->body, [&](const ExprRef &expr) {
      bool changes = expr->kind == ExprKind::Assign ||
                     (expr->kind == ExprKind::Unary && expr->op >= Op::PreInc);
      found |= changes && expr->operands[0]->kind == ExprKind::VarRef &&
               expr->operands[0]->var == variable;
    });
    return found;
  };
  for (const StmtRef &other : loop->others)
    if (isChanged(other->var) || other->var->addressTaken)
      return refuse("clopt-dependence",
                    "the value of '" + other->var->name +
                        "' goes from one iteration to the next",
                    "", range);
  if (isChanged(loop->var) || mentions(loop->bound, written) ||
      mentions(loop->bound, {loop->var}))
    return refuse("clopt-non-affine-control",
                  "the loop changes how often it runs", "", range);
  for (const Access &access : model.accesses)
    if (model.arrays[access.array].var == loop->var) {
      if (leaves(access.array, !statement.stmt->init))
        return refuse("clopt-dependence",
                      "'" + loop->var->name + "' is used after the loop", "",
                      range);
      break;
    }
  return std::nullopt;
}

//===-- Results -----------------------------------------------------------===//

bool Splitter::isInRegisters(unsigned access) const {
  return std::any_of(result.privates.begin(), result.privates.end(),
                     [&](const PrivateCopy &copy) {
                       return std::find(copy.accesses.begin(),
                                        copy.accesses.end(),
                                        access) != copy.accesses.end();
                     });
}

StepResult Splitter::checkWrites() const {
  for (unsigned index : statements)
    for (unsigned id : model.statements[index].accesses) {
      const Access &access = model.accesses[id];
      const Array &array = model.arrays[access.array];
      if (access.isWrite && array.space != AddressSpace::Private &&
          !isInRegisters(id))
        return refuse("clopt-dependence",
                      "the loop writes '" + array.name + "' at line " +
                          std::to_string(access.range.line),
                      "privatize '" + array.name + "' first", access.range);
    }
  return std::nullopt;
}

StepResult Splitter::addResult(unsigned array) {
  const Array &info = model.arrays[array];
  LoopValue value = valueOf(result, array);
  std::optional<Combination> operation;
  bool isScalar = info.elementType.isScalar() &&
                  info.elementType.scalar != ScalarKind::Bool &&
                  info.elementType.scalar != ScalarKind::Half;
  bool isOneCell = value.copy ? result.privates[*value.copy].cells() == 1
                              : info.isPrivateScalar();
  if (isScalar && isOneCell)
    operation = combinationIn(result, body, value);
  bool isFloat = info.elementType.isFloating();
  if (operation && (!isFloat || model.unit->unsafeMath)) {
    shared.results.push_back({array, *operation});
    return std::nullopt;
  }
  return refuse(isFloat ? "clopt-reassociation" : "clopt-dependence",
                "the value of '" + info.name +
                    "' goes from one iteration to the next",
                operation ? "pass -cl-unsafe-math-optimizations" : "",
                info.var ? info.var->range : SourceRange());
}

StepResult Splitter::addResults() {
  for (unsigned array : values)
    if (StepResult refusal = addResult(array))
      return refusal;
  if (shared.results.empty())
    return refuse("clopt-not-profitable", "the loop has no result");
  return std::nullopt;
}

StepResult Splitter::checkMemoryOfGroup() const {
  if (cellsPerResult(result) > 0)
    return std::nullopt;
  return refuse("clopt-local-memory",
                "the results of the loop need too much local memory");
}

//===-- Around the loop ---------------------------------------------------===//

/// Only the first work-item runs statements that change memory, so nothing else
/// may need the private values that they set.
StepResult Splitter::checkFlow(const std::vector<unsigned> &accesses) const {
  bool isSet = std::any_of(accesses.begin(), accesses.end(), [&](unsigned id) {
    const Access &access = model.accesses[id];
    return access.isWrite && isDoneOnce(result, access.statement);
  });
  if (!isSet)
    return std::nullopt;
  isl::map_list flows = valueFlow(model, result.tree, accesses).get_map_list();
  for (unsigned i = 0; i < static_cast<unsigned>(flows.size()); ++i) {
    isl::map flow = flows.at(i);
    std::optional<unsigned> from =
        model.findStatement(isl_map_get_tuple_name(flow.get(), isl_dim_in));
    std::optional<unsigned> to =
        model.findStatement(isl_map_get_tuple_name(flow.get(), isl_dim_out));
    if (!from || !to || !isDoneOnce(result, *from) || isDoneOnce(result, *to))
      continue;
    const Array &array = model.arrays[model.accesses[accesses[0]].array];
    return refuse("clopt-dependence",
                  "the value of '" + array.name +
                      "' is set together with memory and used in other "
                      "statements",
                  "", model.statements[*from].stmt->range);
  }
  return std::nullopt;
}

StepResult Splitter::checkPrivates() const {
  std::map<unsigned, std::vector<unsigned>> byArray;
  for (const Access &access : model.accesses)
    if (model.arrays[access.array].space == AddressSpace::Private)
      byArray[access.array].push_back(access.id);
  for (const auto &[array, accesses] : byArray)
    if (StepResult refusal = checkFlow(accesses))
      return refusal;
  for (const PrivateCopy &copy : result.privates)
    if (StepResult refusal = checkFlow(copy.accesses))
      return refusal;
  return std::nullopt;
}

void Splitter::findPlaces(const ScheduleNode &at, bool inLoop) {
  if (at.kind == ScheduleNode::Kind::Copy) {
    copyPlaces[at.copy] = {phase, inLoop};
    return;
  }
  bool isShared = false;
  if (at.kind == ScheduleNode::Kind::Leaf) {
    places[at.statement] = {phase, inLoop};
    isShared = sharedLoopOf(result, at.statement) != nullptr;
  } else if (at.kind == ScheduleNode::Kind::Loop) {
    isShared = findSharedLoop(result, at.loop) != nullptr;
    // A loop that need not run at all separates nothing.
    inLoop |= !isShared && hasShared(at);
  }
  for (const ScheduleNode &child : at.children)
    findPlaces(child, inLoop);
  if (isShared && !inLoop)
    ++phase;
}

void Splitter::addReferences(std::vector<Reference> &writes,
                             std::vector<Reference> &reads) const {
  for (const auto &[statement, place] : places)
    for (unsigned id : model.statements[statement].accesses) {
      const Access &access = model.accesses[id];
      if (isInRegisters(id) ||
          model.arrays[access.array].space == AddressSpace::Private)
        continue;
      if (access.isWrite)
        writes.push_back({access.array, &access, place, {}});
      else if (!isDoneOnce(result, statement))
        reads.push_back(
            {access.array, &access, place, sharedAround(statement)});
    }
  for (const auto &[index, place] : copyPlaces) {
    const CopyStatement &copy = result.copies[index];
    unsigned array = result.privates[copy.privateCopy].array;
    if (copy.isShift)
      continue;
    (copy.isIn || copy.isFill ? reads : writes)
        .push_back({array, nullptr, place, {}});
  }
}

std::optional<size_t> Splitter::sharedAround(unsigned statement) const {
  const std::vector<unsigned> &loops = model.statements[statement].loops;
  for (size_t i = 0; i < result.sharedLoops.size(); ++i) {
    const SharedLoop &each = result.sharedLoops[i];
    bool isIn = each.loop ? std::find(loops.begin(), loops.end(), *each.loop) !=
                                loops.end()
                          : each.statement == statement;
    if (isIn)
      return i;
  }
  return std::nullopt;
}

/// Nothing when a barrier stands between the two, or they never meet.
StepResult Splitter::checkPair(const Reference &write, const Reference &read) {
  if (areDisjoint(model, write.array, read.array))
    return std::nullopt;
  // Within a loop around shared ones the write may come first, too.
  bool inLoop = write.place.inLoop && read.place.inLoop;
  if (write.place.phase != read.place.phase && !inLoop) {
    result.ordersMemory = true;
    return std::nullopt;
  }
  if (write.array == read.array && !checkCells(write, read))
    return std::nullopt;
  if (read.sharedBy) {
    result.sharedLoops[*read.sharedBy].waits = true;
    result.ordersMemory = true;
    return std::nullopt;
  }
  StepResult refusal =
      write.array != read.array
          ? requireDisjoint(result, write.array, read.array, alias)
          : checkCells(write, read);
  bool canWait =
      read.access && model.statements[read.access->statement].loops.empty();
  if (!refusal || !canWait)
    return refusal;
  result.fencedStatements.insert(read.access->statement);
  result.ordersMemory = true;
  return std::nullopt;
}

/// Whether one work-item never writes and reads the same cell.
StepResult Splitter::checkCells(const Reference &write,
                                const Reference &read) const {
  if (write.access && read.access) {
    const Statement &s = model.statements[write.access->statement];
    const Statement &t = model.statements[read.access->statement];
    // { S[w, i] -> T[w, j] : same cell }
    isl_map *both = isl_map_apply_range(
        isl_map_intersect_domain(write.access->relation.copy(),
                                 s.domain.copy()),
        isl_map_reverse(isl_map_intersect_domain(read.access->relation.copy(),
                                                 t.domain.copy())));
    for (unsigned c = 0; c < workCount(model, s); ++c)
      both = isl_map_equate(both, isl_dim_in, c, isl_dim_out, c);
    bool never = isl_map_is_empty(both) == isl_bool_true;
    isl_map_free(both);
    if (never)
      return std::nullopt;
  }
  const SourceRange range = write.access ? write.access->range : SourceRange();
  return refuse("clopt-dependence",
                "'" + model.arrays[write.array].name +
                    "' is written by one of the work-items and read by the "
                    "others",
                "", range);
}

StepResult Splitter::checkOrder() {
  findPlaces(result.tree, false);
  std::vector<Reference> writes, reads;
  addReferences(writes, reads);
  for (const Reference &write : writes)
    for (const Reference &read : reads)
      if (StepResult refusal = checkPair(write, read))
        return refusal;
  return std::nullopt;
}

StepResult Splitter::run() {
  if (StepResult refusal = checkKernel())
    return refusal;
  if (StepResult refusal = checkPlace())
    return refusal;
  if (StepResult refusal = findBody())
    return refusal;
  if (StepResult refusal = checkWrites())
    return refusal;
  if (StepResult refusal = checkOuterLoops())
    return refusal;
  if (StepResult refusal = addResults())
    return refusal;
  result.sharedLoops.push_back(shared);
  if (StepResult refusal = checkMemoryOfGroup())
    return refusal;
  if (StepResult refusal = checkPrivates())
    return refusal;
  return checkOrder();
}

StepResult splitReduction(TransformedKernel &kernel, const SharedLoop &loop,
                          AliasMode alias) {
  Splitter work(kernel, loop, alias);
  if (StepResult refusal = work.run())
    return refusal;
  kernel = std::move(work.result);
  return std::nullopt;
}

} // namespace clopt
