//===- MapAxis.cpp - plans in which a loop becomes a dimension ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decided from strides along dimension 0 and along the loop. The launch gives
// one work-item per row, too few to hide the latency of memory: each takes two
// neighbouring columns as a vector and four rows, which share loads.
//
// Tested by test/unit/MapAxisTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/MapAxis.h"

#include "Analysis/access/AccessPattern.h"

#include <set>

namespace clopt {

/// Columns and rows of one work-item, found by measurement.
static constexpr int64_t columnsPerItem = 2;
static constexpr int64_t rowsPerItem = 4;
/// Work-items of a launch below which it keeps the loops of its own.
static constexpr int64_t minItems = 256;

namespace {

/// What the accesses of one loop are like.
struct LoopPattern {
  unsigned apart = 0;      ///< neighbours along dimension 0 are far apart
  unsigned contiguous = 0; ///< iterations are neighbours
  bool fits = true;        ///< no other access would become worse
  std::set<unsigned> overwritten; ///< arrays that iterations write again
};

} // namespace

static std::optional<int64_t>
constantStride(const KernelModel &model, const Access &access, SymbolId axis) {
  if (!access.offset)
    return std::nullopt;
  std::optional<Polynomial> stride = laneStride(model, *access.offset, axis, 1);
  return stride ? stride->asConstant() : std::nullopt;
}

static LoopPattern patternOf(const TransformedKernel &kernel, unsigned loop,
                             SymbolId item) {
  const KernelModel &model = *kernel.model;
  LoopPattern pattern;
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, loop)))
    for (unsigned id : model.statements[index].accesses) {
      const Access &access = model.accesses[id];
      AddressSpace space = model.arrays[access.array].space;
      if (space == AddressSpace::Private || space == AddressSpace::Constant)
        continue;
      SymbolId iterator = model.loops[loop].iterator;
      std::optional<int64_t> along = constantStride(model, access, iterator);
      std::optional<int64_t> across = constantStride(model, access, item);
      bool moves = along && (*along == 1 || *along == -1);
      pattern.contiguous += moves;
      pattern.apart += moves && !across;
      // A cell that the loop does not move is the business of `privatize`.
      pattern.fits &= moves || (along && *along == 0);
      if (access.isWrite && along && *along == 0)
        pattern.overwritten.insert(access.array);
    }
  return pattern;
}

static Step stepOn(const std::string &name, const std::string &target,
                   std::optional<int64_t> count = std::nullopt) {
  Step step;
  step.name = name;
  step.targets.push_back({target, count});
  return step;
}

/// The steps for one loop; nothing when one that is needed is refused.
static std::optional<Plan> planLoop(const TransformedKernel &start,
                                    unsigned loop, const LoopPattern &pattern,
                                    AliasMode alias, unsigned units) {
  const KernelModel &model = *start.model;
  TransformedKernel kernel = start;
  Plan plan;
  std::vector<Step> needed;
  for (unsigned array : pattern.overwritten)
    needed.push_back(stepOn("privatize", model.arrays[array].name));
  needed.push_back(stepOn("map", model.loops[loop].name));
  for (const Step &step : needed) {
    if (applyStep(kernel, step, alias))
      return std::nullopt;
    plan.steps.push_back(step);
  }
  for (const Step &step :
       {stepOn("vectorize", model.loops[loop].name, columnsPerItem),
        stepOn("coarsen", axisName(model, 0), rowsPerItem)})
    if (!applyStep(kernel, step, alias))
      plan.steps.push_back(step);
  Step least;
  least.name = "require";
  least.parameters.emplace_back("items", minItems);
  if (units > 1 && !applyStep(kernel, least, alias))
    plan.steps.push_back(least);
  return plan;
}

std::optional<Plan> planMappedLoop(const TransformedKernel &start,
                                   const DeviceProfile &profile,
                                   AliasMode alias) {
  const KernelModel &model = *start.model;
  std::optional<SymbolId> item = model.symbols.find(SymbolKind::GlobalId, 0);
  bool combines = !profile.vectorizeComputation && !profile.spreadWorkItems;
  if (!combines || !item || model.ndrange.rank != 1 || model.ndrange.split[0])
    return std::nullopt;
  for (unsigned loop : loopsBelow(start.tree)) {
    LoopPattern pattern = patternOf(start, loop, *item);
    bool pays = pattern.fits && pattern.apart > 0 &&
                2 * pattern.apart >= pattern.contiguous;
    if (!pays || loopsBelow(*findLoop(start.tree, loop)).size() > 1)
      continue;
    if (std::optional<Plan> plan =
            planLoop(start, loop, pattern, alias, profile.computeUnits))
      return plan;
  }
  return std::nullopt;
}

} // namespace clopt
