//===- SketchSizes.cpp - sizes of launches for devices --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LaunchSkeletonTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/SketchSizes.h"

#include <algorithm>
#include <iterator>

namespace clopt {

int64_t gridSize(SizeKind kind, const std::array<int64_t, 3> &local,
                 int64_t scale, unsigned index) {
  const int64_t group = std::max({local[0], local[1], local[2]});
  const int64_t step = std::max<int64_t>(8, group);
  static constexpr int64_t primes[] = {3, 5, 7, 13, 31, 61, 127, 251, 1021};
  if (kind == SizeKind::Whole && scale == 0)
    return step * (2 + index % 2);
  if (kind == SizeKind::Whole)
    return std::max<int64_t>(2, scale / (1 + index % 2) / step) * step;
  if (kind == SizeKind::Uneven)
    return scale == 0
               ? 20 - 8 * (index % 2)
               : std::max<int64_t>(20, scale / 10 * 6 / 4 * 4) - 4 * index;
  if (scale == 0)
    return primes[2 - index % 3];
  size_t at = 3;
  while (at + 1 < std::size(primes) && primes[at + 1] <= scale / 4)
    ++at;
  return primes[at - index % 3];
}

} // namespace clopt
