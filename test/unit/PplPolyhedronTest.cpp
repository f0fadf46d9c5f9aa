//===- PplPolyhedronTest.cpp - tests of Analysis/PplPolyhedron ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/PplPolyhedron.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

LinearConstraint atLeastZero(int64_t constant, std::vector<int64_t> terms) {
  return {false, constant, std::move(terms)};
}

LinearConstraint zero(int64_t constant, std::vector<int64_t> terms) {
  return {true, constant, std::move(terms)};
}

TEST(PplPolyhedron, noDimensions) {
  EXPECT_EQ(findIntegerPoint({0, {}}), Points::Some);
  EXPECT_EQ(findIntegerPoint({0, {atLeastZero(-1, {})}}), Points::None);
}

TEST(PplPolyhedron, linearContradiction) {
  // x >= y + 1 and y >= x.
  EXPECT_EQ(findIntegerPoint(
                {2, {atLeastZero(-1, {1, -1}), atLeastZero(0, {-1, 1})}}),
            Points::None);
  EXPECT_EQ(findIntegerPoint({2, {atLeastZero(-1, {1, -1})}}), Points::Some);
}

TEST(PplPolyhedron, onlyFractions) {
  // 1 <= 3 x <= 2 has rational points, no integer one.
  EXPECT_EQ(findIntegerPoint({1, {atLeastZero(-1, {3}), atLeastZero(2, {-3})}}),
            Points::None);
  // 2 x = y, y = 2 z + 1, all of them bounded.
  EXPECT_EQ(findIntegerPoint(
                {3,
                 {zero(0, {2, -1, 0}), zero(1, {0, -1, 2}),
                  atLeastZero(0, {1, 0, 0}), atLeastZero(9, {-1, 0, 0})}}),
            Points::None);
}

TEST(PplPolyhedron, largeNumbers) {
  const int64_t big = int64_t(1) << 62;
  EXPECT_EQ(
      findIntegerPoint({1, {atLeastZero(-big, {1}), atLeastZero(big, {-1})}}),
      Points::Some);
  EXPECT_EQ(findIntegerPoint(
                {1, {atLeastZero(-big, {1}), atLeastZero(big - 1, {-1})}}),
            Points::None);
}

TEST(PplPolyhedron, anUnboundedSearchEnds) {
  // 2 x = 2 y + 1 without bounds.
  EXPECT_NE(findIntegerPoint({2, {zero(-1, {2, -2})}}), Points::Some);
}

} // namespace
