//===- RowPlanner.h - plans for work-items with a row each ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans for kernels in which every work-item walks along a row of its own.
//
// Tested by test/unit/RowPlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_ROWPLANNER_H
#define CLOPT_PLANNING_ROWPLANNER_H

#include "Planning/search/Planner.h"

#include <optional>
#include <set>

namespace clopt {

/// True when work-items side by side are far apart in the array, and the next
/// iteration of the loop goes on with the next cell.
bool isRow(const KernelModel &model, const Access &access, unsigned loop,
           const DeviceProfile &profile);

/// The arrays in memory of which all iterations of the loop write the same
/// cell.
std::set<unsigned> accumulatorsIn(const TransformedKernel &kernel,
                                  unsigned loop);

/// Steps by which work-items move several cells of their rows at once; nothing
/// for kernels that do not walk along rows, and for devices without lanes that
/// are served together.
std::optional<Plan> planRows(const TransformedKernel &start,
                             const DeviceProfile &profile, AliasMode alias);

} // namespace clopt

#endif // CLOPT_PLANNING_ROWPLANNER_H
