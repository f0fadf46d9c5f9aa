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
// memory, so its iterations are free otherwise, or is a scan (SplitScan.cpp).
// Elsewhere, memory that the
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
#include "Analysis/dependence/TimeStamps.h"
#include "Support/DimCount.h"
#include "Transform/tree/StripMine.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

/// Work-items that share a loop, at most: groups of any device are as large.
static constexpr unsigned maxLanes = 256;

const ScheduleNode *Splitter::node() const {
  return shared.loop ? findLoop(result.tree, *shared.loop) : nullptr;
}

StepResult Splitter::checkKernel() const {
  unsigned n = shared.lanes;
  if (n < 2 || n > maxLanes || (n & (n - 1)) != 0)
    return refuse("clopt-step-value",
                  "a loop is shared by 2, 4, 8 ... 256 work-items");
  if (StepResult refusal = mergeableWorkItems(result, 0))
    return refusal;
  if (result.isTiled() || !result.sections().empty())
    return refuse("clopt-group-shape",
                  "the work-items that share a loop do one logical work-item "
                  "at a time, and keep no section of an array",
                  "split the reduction instead");
  if (!result.selections.empty())
    return refuse("clopt-barrier",
                  "work-items choose versions of their own, and those that "
                  "share a loop meet at barriers",
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

/// Behind a shared loop all work-items that share it meet at barriers.
static Refusal differentIterations(const Loop &loop) {
  return refuse("clopt-barrier",
                "work-items that share the loop '" + loop.name +
                    "' run different iterations of it, and cannot share one in "
                    "it");
}

StepResult Splitter::checkPlace() const {
  const std::vector<unsigned> &around =
      shared.loop ? model.loops[*shared.loop].outer
                  : model.statements[shared.statement].loops;
  for (unsigned outer : around) {
    if (findCooperativeReduction(result, outer))
      return differentIterations(model.loops[outer]);
    const ScheduleNode *loop = findLoop(result.tree, outer);
    if (loop && loop->lanes > 1)
      return refuse("clopt-barrier", "iterations of the loop '" +
                                         model.loops[outer].name +
                                         "' run as one vector");
  }
  if (shared.loop && hasShared(*node()))
    return differentIterations(model.loops[*shared.loop]);
  return std::nullopt;
}

/// All work-items of a group run the loops around barriers alike: the
/// iterations do not depend on the work-item.
StepResult Splitter::checkOuterLoops() const {
  for (unsigned index : statements) {
    const Statement &statement = model.statements[index];
    unsigned work = workDimensions(model, statement);
    unsigned outer = static_cast<unsigned>(statement.loops.size());
    if (shared.loop)
      outer =
          static_cast<unsigned>(std::find(statement.loops.begin(),
                                          statement.loops.end(), *shared.loop) -
                                statement.loops.begin());
    // A scan has barriers in the loop itself.
    outer += shared.isScan;
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
                    shared.isScan
                        ? "work-items scan differently many iterations"
                        : "work-items run a loop around it differently often",
                    "", statement.stmt ? statement.stmt->range : SourceRange());
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
    unsigned inner = dimCount(isl_set_dim(domain, isl_dim_set)) - 1;
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
  if (StepResult refusal = addScan())
    return refusal;
  return checkRange();
}

//===-- Results -----------------------------------------------------------===//

StepResult Splitter::checkWrites() const {
  const std::vector<unsigned> once(summed.begin(), summed.end());
  for (unsigned index : shared.loop ? once : statements)
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
  if (shared.results.empty() && !shared.writes)
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

/// Work-items take pieces of what runs at once: so many iterations together are
/// a loop of their own, around which there is one over pieces. Those of a tile
/// are shared within it.
static StepResult shareRole(TransformedKernel &kernel,
                            CooperativeReduction &shared, AliasMode alias) {
  const unsigned loop = *shared.loop;
  if (!findLoop(kernel.tree, loop))
    return refuse("clopt-opaque-code",
                  "the loop is part of code that is kept as written");
  LoopRole role = takeRole(kernel, loop);
  if (role.isPlain())
    return std::nullopt;
  if (role.unroll == 0)
    return refuse("clopt-not-profitable", "all iterations of '" +
                                              kernel.model->loops[loop].name +
                                              "' are written out");
  unsigned pieces;
  const unsigned size = role.tile ? role.tile : role.lanes * role.unroll;
  if (StepResult refusal = stripMine(kernel, loop, size, pieces))
    return refusal;
  if (!role.tile)
    shared.loop = pieces;
  role.tile = 0;
  return giveRole(kernel, loop, role, alias);
}

StepResult splitReduction(TransformedKernel &kernel,
                          const CooperativeReduction &loop, AliasMode alias) {
  TransformedKernel before = kernel;
  CooperativeReduction shared = loop;
  // The iterations of each work-item may be shared once more.
  std::vector<CooperativeReduction> &others = before.cooperativeReductions;
  for (auto own = others.begin(); own != others.end();) {
    if (own->loop != loop.loop || own->statement != loop.statement) {
      ++own;
      continue;
    }
    shared.lanes = std::min(shared.lanes, 2 * maxLanes) * own->lanes;
    own = others.erase(own);
  }
  if (shared.loop)
    if (StepResult refusal = shareRole(before, shared, alias))
      return refusal;
  Splitter work(before, shared, alias);
  if (StepResult refusal = work.run())
    return refusal;
  kernel = std::move(work.result);
  return std::nullopt;
}

} // namespace clopt
