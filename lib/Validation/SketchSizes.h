//===- SketchSizes.h - sizes of launches for devices ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LaunchSkeletonTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_SKETCHSIZES_H
#define CLOPT_VALIDATION_SKETCHSIZES_H

#include <array>
#include <cstdint>

namespace clopt {

/// What sizes are about: nothing fits, some is left over, all fits.
enum class SizeKind { Prime, Uneven, Whole };
constexpr SizeKind allKinds[] = {SizeKind::Prime, SizeKind::Uneven,
                                 SizeKind::Whole};

/// Work-items along one dimension of a launch in groups of this shape.
/// `scale`: about how many, 0 for a launch that is run symbolically. `index`:
/// sizes of other numbers differ.
int64_t gridSize(SizeKind kind, const std::array<int64_t, 3> &local,
                 int64_t scale, unsigned index);

} // namespace clopt

#endif // CLOPT_VALIDATION_SKETCHSIZES_H
