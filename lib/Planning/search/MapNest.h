//===- MapNest.h - plans in which a nest becomes blocks of pairs *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-items that each go through a loop of sums, of which some operands are
// their own and others those of the iteration: every sum belongs to a pair of a
// work-item and an iteration. The loop becomes a dimension, and a work-item
// takes several pairs that share operands.
//
// Tested by test/unit/MapNestTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_MAPNEST_H
#define CLOPT_PLANNING_MAPNEST_H

#include "Planning/search/Planner.h"

#include <optional>

namespace clopt {

/// `privatize` for sums in memory, `map`, `coarsen` and what a launch needs for
/// that; nothing where operands are not shared on both sides, neighbours would
/// not read neighbouring cells, or too little is saved.
std::optional<Plan> planMappedNest(const TransformedKernel &start,
                                   const DeviceProfile &profile,
                                   AliasMode alias);

} // namespace clopt

#endif // CLOPT_PLANNING_MAPNEST_H
