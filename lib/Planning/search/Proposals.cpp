//===- Proposals.cpp - the plans of a kernel, best first ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/Proposals.h"

#include "Planning/search/GroupPlanner.h"
#include "Planning/search/MapAxis.h"
#include "Planning/search/MapNest.h"
#include "Planning/search/RowPlanner.h"
#include "Planning/search/StencilPlanner.h"

namespace clopt {

namespace {

/// Makes a plan from a fact about the kernel, if it has it.
struct Planning {
  std::optional<Plan> (*make)(const TransformedKernel &, const DeviceProfile &,
                              AliasMode);
  std::vector<std::vector<std::string>> dropped;
};

std::optional<Plan> planAnyKernel(const TransformedKernel &start,
                                  const DeviceProfile &profile,
                                  AliasMode alias) {
  return planKernel(start, profile, alias);
}

} // namespace

/// The plans of the kernel that these steps have made.
static bool forEachPlan(const TransformedKernel &start,
                        const std::vector<Step> &before,
                        const std::vector<MissedStep> &missed,
                        const DeviceProfile &profile, AliasMode alias,
                        llvm::function_ref<bool(const Proposal &)> take) {
  const Planning plannings[] = {
      {planGroups, {{}, {"unroll"}}},
      {planMappedNest, {{}}},
      {planLoopBlocks, {{}, {"unroll"}, {"strength"}}},
      {planRows, {{}}},
      {planMappedLoop,
       {{}, {"vectorize"}, {"coarsen"}, {"vectorize", "coarsen"}}},
      {planStencils, {{}, {"unroll"}}},
      {planGroupLanes, {{}, {"strength"}, {"unroll"}}},
      {planAnyKernel,
       {{},
        {"strength"},
        {"unroll"},
        {"layout"},
        {"coarsen"},
        {"vectorize", "layout", "strength rows"},
        {"vectorize", "layout", "strength rows", "coarsen", "unroll"}}}};
  for (const Planning &planning : plannings)
    if (std::optional<Plan> plan = planning.make(start, profile, alias)) {
      if (take({start, before, missed, *plan, planning.dropped, {}}))
        return true;
    }
  return false;
}

/// `forward` of all local arrays, of kernels that have any.
static std::vector<Step> forwardSteps(const KernelModel &model) {
  Step step;
  step.name = "forward";
  for (const Array &array : model.arrays)
    if (array.space == AddressSpace::Local && array.var)
      step.targets.push_back({array.name, std::nullopt});
  if (step.targets.empty())
    return {};
  return {step};
}

/// The work-items that merged groups need, as many as keep all compute units
/// busy; nothing for other plans.
static std::optional<uint64_t> leastMerged(const TransformedKernel &kernel,
                                           const NDRange &groups,
                                           const DeviceProfile &profile) {
  if (!kernel.mergesGroups())
    return std::nullopt;
  uint64_t items = profile.computeUnits;
  for (unsigned dim = 0; dim < 3; ++dim)
    items *= uint64_t(kernel.work[dim].points) *
             static_cast<uint64_t>(groups.localSize[dim].value_or(1));
  return items;
}

/// Tiles in another shape than the author's; launches that are too small for
/// them go on with what there is for the author's.
static bool takeOtherTiles(const TransformedKernel &start,
                           const TransformedKernel &forwarded,
                           const std::vector<Step> &before,
                           const DeviceProfile &profile, AliasMode alias,
                           llvm::function_ref<bool(const Proposal &)> take) {
  const std::optional<Plan> blocks = planGroups(forwarded, profile, alias);
  if (!blocks)
    return false;
  Proposal tiles = {forwarded, before, {}, *blocks, {{}, {"unroll"}}, {}};
  forEachPlan(start, {}, {}, profile, alias, [&](const Proposal &own) {
    TransformedKernel first = forwarded, second = start;
    for (const Step &step : blocks->steps)
      applyStep(first, step, alias);
    for (const Step &step : own.plan.steps)
      applyStep(second, step, alias);
    const auto least = leastMerged(second, forwarded.model->ndrange, profile);
    if (own.plan.steps.empty() || (least && *least >= first.minWorkItems))
      return true;
    Step otherwise;
    otherwise.name = "otherwise";
    tiles.otherwise = {otherwise};
    llvm::append_range(tiles.otherwise, own.plan.steps);
    return true;
  });
  return take(tiles);
}

bool forEachProposal(const TransformedKernel &start,
                     const DeviceProfile &profile, AliasMode alias,
                     llvm::function_ref<bool(const Proposal &)> take) {
  std::vector<MissedStep> missed;
  const std::vector<Step> steps = forwardSteps(*start.model);
  if (!steps.empty()) {
    TransformedKernel forwarded = start;
    const StepResult refusal = applyStep(forwarded, steps.front(), alias);
    // Where local memory is memory like any other, copies and barriers are all
    // that it takes.
    if (refusal && !profile.localMemoryIsReal)
      missed.push_back({steps.front(), *refusal});
    if (!refusal &&
        (profile.localMemoryIsReal
             ? takeOtherTiles(start, forwarded, steps, profile, alias, take)
             : forEachPlan(forwarded, steps, {}, profile, alias, take)))
      return true;
  }
  return forEachPlan(start, {}, missed, profile, alias, take);
}

Plan firstPlan(const TransformedKernel &start, const DeviceProfile &profile,
               AliasMode alias) {
  Plan result;
  forEachProposal(start, profile, alias, [&result](const Proposal &first) {
    result = first.plan;
    result.steps.insert(result.steps.begin(), first.before.begin(),
                        first.before.end());
    return true;
  });
  return result;
}

} // namespace clopt
