//===- PlacedVariants.h - memories that the host sets up --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the placement puts arrays in images or in constant memory
// (Planning/cost/Placement.h), the launch plan has a variant with these, as the
// steps `layout a image` and `stage a constant` of a recipe would ask for. What
// follows for the kernel that reads them is the planner's.
//
// Tested by test/unit/PipelineTest.cpp, test/lit/planner/images.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_PLACEDVARIANTS_H
#define CLOPT_DRIVER_PLACEDVARIANTS_H

#include "Driver/LayoutVariants.h"
#include "Driver/TimeBudget.h"
#include "Target/DeviceProfile.h"
#include "clopt/Result.h"

namespace clopt {

/// Adds one variant per kernel that has such arrays. An array for which the
/// step is refused stays where it is; result has a remark then.
void addPlacedVariants(const TranslationUnit &unit,
                       const DeviceProfile &profile, const Options &options,
                       TimeBudget &time, LayoutVariants &variants,
                       Result &result);

} // namespace clopt

#endif // CLOPT_DRIVER_PLACEDVARIANTS_H
