//===- LayoutPlanner.h - converted buffers that pay -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arrays of a kernel would be read better from a copy in another layout,
// and whether the kernel on the copies, with the time of the conversions in
// every launch, is predicted to be clearly faster. docs/internals/planner.md
// has the model.
//
// Tested by test/unit/LayoutPlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_LAYOUTPLANNER_H
#define CLOPT_PLANNING_LAYOUTPLANNER_H

#include "Planning/Planner.h"

#include <optional>
#include <vector>

namespace clopt {

/// A layout step that might pay.
struct LayoutProposal {
  unsigned array = 0;
  Step step; ///< `layout B transpose buffer`
};

/// Arrays whose cells lie a row apart for the iterations of the innermost loop
/// (devices whose work-items run one after the other) or for neighbouring
/// work-items, and would be neighbours in the copy.
std::vector<LayoutProposal> proposeLayouts(const TransformedKernel &start,
                                           const DeviceProfile &profile);

/// The plan that is carried out first for this kernel.
Plan choosePlan(const TransformedKernel &start, const DeviceProfile &profile,
                AliasMode alias);

/// Predicted clocks of one of the application's work-items: its accesses to
/// global memory, and arithmetic. Nothing when the steps are beyond the model.
std::optional<double> predictClocks(const TransformedKernel &start,
                                    const Plan &plan,
                                    const DeviceProfile &profile,
                                    AliasMode alias);

/// When a kernel on copies is chosen.
struct LayoutAdvice {
  /// Every cell of the copies has to be used by so many work-items ...
  int64_t leastUses = 1;
  /// ... which differ along these dimensions.
  std::vector<unsigned> dims;
  /// And each of the copies has to have so many bytes; below that the cells
  /// stay in a cache, whatever their layout.
  int64_t leastBytes = 0;
};

/// Nothing when the gain is not clear: the kernel on the copies has to take at
/// most three fifths of the clocks, and the conversions at most half of what it
/// saves.
std::optional<LayoutAdvice>
judgeLayouts(const TransformedKernel &start,
             const std::vector<LayoutProposal> &proposals, double before,
             double after, const DeviceProfile &profile);

} // namespace clopt

#endif // CLOPT_PLANNING_LAYOUTPLANNER_H
