//===- Planner.h - facts and a device profile to a recipe -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides, never does: the result is the same text a person could have written.
// docs/internals/planner.md describes the model.
//
// Tested by test/unit/PlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_PLANNER_H
#define CLOPT_PLANNING_PLANNER_H

#include "Model/TransformedKernel.h"
#include "Target/DeviceProfile.h"
#include "Transform/Apply.h"
#include "clopt/Options.h"
#include "clopt/Recipe.h"

#include <optional>
#include <vector>

namespace clopt {

/// A step that would have paid, and why it was not taken.
struct MissedStep {
  Step step;
  Refusal refusal;
};

struct Plan {
  std::vector<Step> steps; ///< empty: leave the kernel as it is
  std::vector<MissedStep> missed;
};

/// The plan for a kernel that no step was applied to yet.
Plan planKernel(const TransformedKernel &start, const DeviceProfile &profile,
                AliasMode alias);

/// The plan with neighbours in groups as lanes, between barriers, for devices
/// that run the work-items of a group one after the other; nothing where that
/// does not pay.
std::optional<Plan> planGroupLanes(const TransformedKernel &start,
                                   const DeviceProfile &profile,
                                   AliasMode alias);

/// The plan for loops around others whose work-items share what several
/// iterations load (LoopBlocks.cpp); nothing where that does not pay.
std::optional<Plan> planLoopBlocks(const TransformedKernel &start,
                                   const DeviceProfile &profile,
                                   AliasMode alias);

} // namespace clopt

#endif // CLOPT_PLANNING_PLANNER_H
