//===- ImageSketch.h - images for a device, from the kernel -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel says how many dimensions an image has and what kind of numbers its
// channels give; their format and the sampler are the host's business.
//
// Tested by test/unit/LaunchSkeletonTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_IMAGESKETCH_H
#define CLOPT_VALIDATION_IMAGESKETCH_H

#include "Validation/OffsetBounds.h"
#include "clopt/LaunchSkeleton.h"

namespace clopt {

/// An image or a sampler that launch specifications can describe.
bool isSketchable(const Type &type);

/// Texels per dimension of an image that has all integer coordinates that
/// `bounds` knows, and is as large as the launch. Of a sampler, no matter what.
std::array<Polynomial, 3> imageExtents(const Function &function,
                                       const Variable &parameter,
                                       const Assignments &assignments,
                                       const TermLaunch &launch,
                                       OffsetBounds &bounds, SizeTerms &terms);

/// No dimension of an image is larger: all devices have such images.
constexpr int64_t mostTexels = 2048;

/// Describes an image of these extents, or a sampler. `argument` has its name.
void describeImage(const Function &function, const Variable &parameter,
                   const std::array<Polynomial, 3> &extents,
                   const SizeTerms &terms, SkeletonArgument &argument);

} // namespace clopt

#endif // CLOPT_VALIDATION_IMAGESKETCH_H
