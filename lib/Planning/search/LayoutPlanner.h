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

#include "Planning/search/Planner.h"

#include <optional>
#include <vector>

namespace clopt {

/// A layout step that might pay.
struct LayoutProposal {
  unsigned array = 0;
  Step step; ///< `layout B transpose buffer`
  /// Structures of so many elements, of which so many are used.
  int64_t stride = 1, used = 1;
};

/// Arrays whose cells lie apart for the iterations of the innermost loop
/// (devices whose work-items run one after the other) or for neighbouring
/// work-items, along columns, diagonals or in strides, and would be neighbours
/// in the copy.
std::vector<LayoutProposal> proposeLayouts(const TransformedKernel &start,
                                           const DeviceProfile &profile);

/// The layouts with zeros at the ends of all rows along which the loop sums, so
/// that it runs a multiple of this many times; rows that stay rows get copies,
/// too. Empty when the loop does not only read them.
std::vector<LayoutProposal> padRows(const TransformedKernel &start,
                                    std::vector<LayoutProposal> layouts,
                                    unsigned loop, int64_t multiple);

/// Predicted clocks of one of the application's work-items: its accesses to
/// global memory, and arithmetic. Nothing when the steps are beyond the model.
std::optional<double> predictClocks(const TransformedKernel &start,
                                    const Plan &plan,
                                    const DeviceProfile &profile,
                                    AliasMode alias);
/// The same for a kernel that the steps have been applied to.
std::optional<double> predictClocks(const TransformedKernel &start,
                                    const TransformedKernel &kernel,
                                    const std::vector<Step> &steps,
                                    const DeviceProfile &profile);

/// When a copy pays.
struct LayoutNeed {
  /// Every cell of the copy has to be used by so many work-items ...
  int64_t minUses = 1;
  /// ... which differ along these dimensions.
  std::vector<unsigned> dims;
  /// And the copy has to have so many bytes; below that the cells stay in a
  /// cache, whatever their layout.
  int64_t minBytes = 0;
};

/// When a kernel on copies is chosen: one need per copy, in their order.
struct LayoutAdvice {
  std::vector<LayoutNeed> needs;
};

/// The kernel on the copies takes at most this part of the clocks; with zeros
/// at the ends of rows, at most that part of those without.
constexpr double clearGain = 0.6, zerosGain = 0.9;

/// Nothing when the gain is not clear: the kernel on the copies has to take at
/// most `gain` of the clocks, and the conversions of one launch at most half of
/// what it saves.
std::optional<LayoutAdvice>
judgeLayouts(const TransformedKernel &start,
             const std::vector<LayoutProposal> &proposals, double before,
             double after, const DeviceProfile &profile,
             double gain = clearGain);

} // namespace clopt

#endif // CLOPT_PLANNING_LAYOUTPLANNER_H
