//===- RangeChoice.h - when an NDRange of its own pays ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel with an NDRange of its own and the drop-in kernel do the same work.
// docs/internals/planner.md says what the difference is worth.
//
// Tested by test/unit/RangeChoiceTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_RANGECHOICE_H
#define CLOPT_PLANNING_RANGECHOICE_H

#include "Model/TransformedKernel.h"
#include "Target/DeviceProfile.h"
#include "clopt/LaunchPlan.h"

#include <optional>

namespace clopt {

/// The condition under which `variant`, the kernel's own NDRange, is predicted
/// to beat the drop-in kernel; nothing when it always is.
std::optional<PlanCondition> ownRangePays(const TransformedKernel &kernel,
                                          const PlanVariant &variant,
                                          const DeviceProfile &profile);

} // namespace clopt

#endif // CLOPT_PLANNING_RANGECHOICE_H
