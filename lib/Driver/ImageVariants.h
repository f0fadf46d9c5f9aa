//===- ImageVariants.h - images that the placement asks for -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the placement puts arrays in images (Planning/Placement.h), the launch
// plan has a variant with these images, as a recipe `layout a image` would ask
// for. What follows for the kernel that reads them is the planner's.
//
// Tested by test/unit/PipelineTest.cpp, test/lit/planner/images.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_IMAGEVARIANTS_H
#define CLOPT_DRIVER_IMAGEVARIANTS_H

#include "Driver/LayoutVariants.h"
#include "Target/DeviceProfile.h"
#include "clopt/Result.h"

namespace clopt {

/// Adds one variant per kernel that has arrays for images. An array that
/// cannot become one stays where it is; result has a remark then.
void addImageVariants(const TranslationUnit &unit, const DeviceProfile &profile,
                      const Options &options, LayoutVariants &variants,
                      Result &result);

} // namespace clopt

#endif // CLOPT_DRIVER_IMAGEVARIANTS_H
