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

#include "Transform/steps/Splitter.h"

#include "Analysis/dependence/Dependences.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

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
    return refuse("clopt-step-value",
                  "a loop is shared by 2, 4, 8 ... 256 work-items");
  if (StepResult refusal = mergeableWorkItems(result, 0))
    return refusal;
  if (result.isTiled() || !result.sections().empty() ||
      !model.ndrange.mapped.empty())
    return refuse("clopt-dependence",
                  "the work-items of the kernel have been changed already",
                  "split the reduction instead");
  if (!isPlain(result.tree) || !result.selections.empty())
    return refuse("clopt-dependence", "the loops are tiled or vectorized",
                  "split the reduction instead");
  for (const CooperativeReduction &other : result.cooperativeReductions)
    if (other.lanes != n)
      return refuse("clopt-dependence",
                    "all shared loops have the same number of work-items");
  return std::nullopt;
}

bool Splitter::hasShared(const ScheduleNode &at) const {
  if (at.kind == ScheduleNode::Kind::Leaf &&
      cooperativeReductionOf(result, at.statement))
    return true;
  if (at.kind == ScheduleNode::Kind::Loop &&
      findCooperativeReduction(result, at.loop))
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
    if (findCooperativeReduction(result, outer))
      return taken;
  if (!shared.loop)
    return cooperativeReductionOf(result, shared.statement) ? StepResult(taken)
                                                            : std::nullopt;
  if (!node())
    return refuse("clopt-opaque-code", "the loop is not in the schedule");
  if (node()->unroll != 1)
    return refuse("clopt-dependence", "the loop is unrolled already");
  return hasShared(*node()) ? StepResult(taken) : std::nullopt;
}

unsigned workCount(const KernelModel &model, const Statement &statement) {
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
      analyzeLoop(model, result.tree, *shared.loop, 2, result.tiles);
  if (found.fence)
    return refuse("clopt-ordered-effect",
                  "the loop has code that must keep its order", "",
                  model.statements[*found.fence].stmt->range);
  if (!found.violated.empty())
    return refuse("clopt-dependence", describe(model, found.violated.front()),
                  "", model.accesses[found.violated.front().second].range);
  if (found.innerCopy)
    return refuse("clopt-dependence",
                  "'" +
                      model.arrays[result.tiles[*found.innerCopy].array].name +
                      "' is kept in registers over an inner loop");
  for (const auto *set :
       {&found.carriedPrivates, &found.liveOut, &found.enters})
    values.insert(set->begin(), set->end());
  for (const auto *set : {&found.carriedCopies, &found.liveOutCopies})
    for (unsigned copy : *set)
      values.insert(result.tiles[copy].array);
  return checkRange();
}

//===-- Results -----------------------------------------------------------===//

StepResult Splitter::checkWrites() const {
  for (unsigned index : statements)
    for (unsigned id : model.statements[index].accesses) {
      const Access &access = model.accesses[id];
      const Array &array = model.arrays[access.array];
      if (access.isWrite && array.space != AddressSpace::Private &&
          !result.registersOf(id))
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
  std::optional<ReductionOp> operation;
  bool isScalar = info.elementType.isScalar() &&
                  info.elementType.scalar != ScalarKind::Bool &&
                  info.elementType.scalar != ScalarKind::Half;
  bool isOneCell = value.copy ? result.tiles[*value.copy].cells(result) == 1
                              : info.isPrivateScalar();
  if (isScalar && isOneCell)
    operation = reductionOpIn(result, body, value);
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

//===-- The step ----------------------------------------------------------===//

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
  result.cooperativeReductions.push_back(shared);
  if (StepResult refusal = checkMemoryOfGroup())
    return refusal;
  if (StepResult refusal = checkPrivates())
    return refusal;
  return checkOrder();
}

StepResult splitReduction(TransformedKernel &kernel,
                          const CooperativeReduction &loop, AliasMode alias) {
  Splitter work(kernel, loop, alias);
  if (StepResult refusal = work.run())
    return refusal;
  kernel = std::move(work.result);
  return std::nullopt;
}

} // namespace clopt
