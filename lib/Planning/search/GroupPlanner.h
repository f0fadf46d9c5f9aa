//===- GroupPlanner.h - plans in which groups share tiles -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For devices whose local memory is real: when the work-items of a group read
// the same cells, or read cells that lie apart although a group's cells lie
// together, the group takes a tile of work-items and copies the cells for a
// tile of iterations to local memory.
//
// Tested by test/unit/GroupPlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_GROUPPLANNER_H
#define CLOPT_PLANNING_GROUPPLANNER_H

#include "Planning/search/Planner.h"

#include <optional>

namespace clopt {

/// Nothing when no array gains by being staged, or when that is not legal.
std::optional<Plan> planGroups(const TransformedKernel &start,
                               const DeviceProfile &profile, AliasMode alias);

/// True when several ids together decide which work-items have work, as in a
/// triangle: then about half of them have. May throw isl::exception.
bool hasDiagonal(const KernelModel &model);

} // namespace clopt

#endif // CLOPT_PLANNING_GROUPPLANNER_H
