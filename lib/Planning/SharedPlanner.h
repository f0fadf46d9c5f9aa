//===- SharedPlanner.h - plans that share reduction loops -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that each work-item walks along by itself, such as those of a sparse
// matrix, become the work of neighbours.
//
// Tested by test/unit/SharedPlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_SHAREDPLANNER_H
#define CLOPT_PLANNING_SHAREDPLANNER_H

#include "Planning/Planner.h"
#include "Target/DeviceProfile.h"

#include <optional>

namespace clopt {

/// The plan that shares all loops of the kernel that read rows; nothing when
/// there is none, when one of them cannot be shared, or when the device does
/// not combine what neighbours read.
std::optional<Plan> planSharedLoops(const TransformedKernel &start,
                                    const DeviceProfile &profile,
                                    AliasMode alias);

} // namespace clopt

#endif // CLOPT_PLANNING_SHAREDPLANNER_H
