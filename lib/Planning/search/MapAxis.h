//===- MapAxis.h - plans in which a loop becomes a dimension ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose work-items each walk along a row of their own: neighbours touch
// cells a row apart, and iterations touch neighbouring cells. Lanes run along
// the loop instead.
//
// Tested by test/unit/MapAxisTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_MAPAXIS_H
#define CLOPT_PLANNING_MAPAXIS_H

#include "Planning/search/Planner.h"

#include <optional>

namespace clopt {

/// `privatize`, `map` and what keeps several loads of a work-item under way;
/// nothing where accesses are coalesced already, no loop makes them so, or the
/// device does not combine the accesses of neighbours.
std::optional<Plan> planMappedLoop(const TransformedKernel &start,
                                   const DeviceProfile &profile,
                                   AliasMode alias);

} // namespace clopt

#endif // CLOPT_PLANNING_MAPAXIS_H
