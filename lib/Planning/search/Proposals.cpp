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
      if (take({start, before, missed, *plan, planning.dropped}))
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

bool forEachProposal(const TransformedKernel &start,
                     const DeviceProfile &profile, AliasMode alias,
                     llvm::function_ref<bool(const Proposal &)> take) {
  // Where local memory is memory like any other, copies and barriers are all
  // that it takes.
  std::vector<MissedStep> missed;
  const std::vector<Step> steps = forwardSteps(*start.model);
  if (!steps.empty() && !profile.localMemoryIsReal) {
    TransformedKernel forwarded = start;
    if (StepResult refusal = applyStep(forwarded, steps.front(), alias))
      missed.push_back({steps.front(), *refusal});
    else if (forEachPlan(forwarded, steps, {}, profile, alias, take))
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
