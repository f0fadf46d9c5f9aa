//===- Proposals.h - the plans of a kernel, best first ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LayoutPlannerTest.cpp, test/lit/planner.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_PROPOSALS_H
#define CLOPT_PLANNING_PROPOSALS_H

#include "Planning/search/Planner.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <string>
#include <vector>

namespace clopt {

/// A plan, and which of its steps may be left out where it cannot be written:
/// names, `strength rows` for a step with a flag. The lists are tried in order.
struct Proposal {
  /// The kernel that the plan is for, and the steps that made it.
  const TransformedKernel &kernel;
  std::vector<Step> before;
  std::vector<MissedStep> missed; ///< in front of it
  Plan plan;
  std::vector<std::vector<std::string>> dropped;
  /// `otherwise` and the steps for launches that the plan is not for; the plan
  /// is written with these or not at all.
  std::vector<Step> otherwise = {};

  /// Behind the plan there is nothing to do.
  bool isEmpty() const {
    return before.empty() && plan.steps.empty() && plan.missed.empty();
  }
};

/// Gives the plans for a kernel that no step was applied to yet to `take`, one
/// after the other, until it returns true. The last one may be empty: it says
/// what it missed. True when one was taken.
bool forEachProposal(const TransformedKernel &start,
                     const DeviceProfile &profile, AliasMode alias,
                     llvm::function_ref<bool(const Proposal &)> take);

/// The first of them.
Plan firstPlan(const TransformedKernel &start, const DeviceProfile &profile,
               AliasMode alias);

} // namespace clopt

#endif // CLOPT_PLANNING_PROPOSALS_H
