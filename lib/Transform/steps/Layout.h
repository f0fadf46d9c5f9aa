//===- Layout.h - the step `layout` -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three places where the cells of an array can be put in another order:
// registers, local memory, and a copy of the buffer.
//
// Tested by test/unit/LayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_LAYOUT_H
#define CLOPT_TRANSFORM_LAYOUT_H

#include "Analysis/access/DataSpace.h"
#include "Transform/Steps.h"
#include "clopt/Recipe.h"

namespace clopt {

/// The transform that the words of a recipe name, for an array of this rank;
/// nothing when they make no sense for it.
std::optional<DataSpace> dataSpaceOf(const std::vector<LayoutChange> &changes,
                                     unsigned rank);

/// Rows of the array's sections in local memory run along another dimension.
StepResult layoutInLocalMemory(TransformedKernel &kernel, unsigned array,
                               const DataSpace &space);

/// The components of the vectors in the array's sections lie in planes.
StepResult planesInLocalMemory(TransformedKernel &kernel, unsigned array);

} // namespace clopt

#endif // CLOPT_TRANSFORM_LAYOUT_H
