//===- Compare.h - bit-by-bit comparison of two buffers --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeCompareTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_COMPARE_H
#define CLOPT_RUNTIME_COMPARE_H

#include "Runtime/ElementType.h"

#include <cstdint>
#include <vector>

namespace clopt::runtime {

/// What differs between two buffers of the same type and length. All counts are
/// of elements; padding is not compared, and any two NaNs are equal.
struct BufferDifference {
  std::size_t elements = 0;  // compared
  std::size_t differing = 0; // have at least one different component
  std::size_t first = 0;     // index of the first that differs
  std::string firstExpected; // its first differing component, as text
  std::string firstActual;

  /// The largest distance in units in the last place, and where it is. Integers
  /// that differ, a NaN against a number, and +-infinity against a finite value
  /// count as `infiniteUlp`, so that no tolerance excuses them.
  std::uint64_t maxUlp = 0;
  std::size_t maxUlpIndex = 0;

  /// Of those that differ: how many by more than is tolerated.
  std::size_t intolerable = 0;

  bool equal() const { return differing == 0; }
};

constexpr std::uint64_t infiniteUlp = ~std::uint64_t(0);

/// The distance of two values of a floating kind in representable values
/// between them; 0 for two NaNs, and for +0 and -0 it is 1: they are different
/// bits.
std::uint64_t ulpDistance(ScalarKind kind, const std::uint8_t *a,
                          const std::uint8_t *b);

/// What differences of floating-point values are accepted: either is enough.
struct Tolerance {
  std::uint64_t ulp = 0;
  /// How far apart two values may be, measured by the larger of their
  /// magnitudes. Sums of terms of both signs come out small, and their errors
  /// are those of the terms: no measure is smaller than the median magnitude of
  /// the values expected in the buffer.
  double relative = 0;
  /// The same, with the measure of the type: half of its digits.
  bool isReassociated = false;
};

/// Half of the digits of a floating kind: the square root of the distance from
/// 1 to the next value.
double halfOfDigits(ScalarKind kind);

/// Both buffers hold whole elements of `type` and have the same length.
BufferDifference compareBuffers(const ElementType &type,
                                const std::vector<std::uint8_t> &expected,
                                const std::vector<std::uint8_t> &actual,
                                const Tolerance &tolerance = {});

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_COMPARE_H
