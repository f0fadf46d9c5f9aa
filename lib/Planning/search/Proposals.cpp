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

bool forEachProposal(const TransformedKernel &start,
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
    if (std::optional<Plan> plan = planning.make(start, profile, alias))
      if (take({*plan, planning.dropped}))
        return true;
  return false;
}

Plan firstPlan(const TransformedKernel &start, const DeviceProfile &profile,
               AliasMode alias) {
  Plan result;
  forEachProposal(start, profile, alias, [&result](const Proposal &first) {
    result = first.plan;
    return true;
  });
  return result;
}

} // namespace clopt
