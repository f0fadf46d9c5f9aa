//===- StencilPlanner.h - tiles with halos in local memory ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For devices whose buffers have no cache: what neighbouring work-items read of
// each other's cells, as stencils and convolutions do, is copied to local
// memory by the group, with the cells around its own.
//
// Tested by test/unit/StencilPlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_STENCILPLANNER_H
#define CLOPT_PLANNING_STENCILPLANNER_H

#include "Planning/search/Planner.h"

#include <optional>

namespace clopt {

/// Nothing when the device has such caches, or no array gains by being staged.
std::optional<Plan> planStencils(const TransformedKernel &start,
                                 const DeviceProfile &profile, AliasMode alias);

} // namespace clopt

#endif // CLOPT_PLANNING_STENCILPLANNER_H
