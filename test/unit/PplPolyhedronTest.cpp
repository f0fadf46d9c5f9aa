//===- PplPolyhedronTest.cpp - tests of Analysis/ranges/PplPolyhedron -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/ranges/PplPolyhedron.h"

#include <gtest/gtest.h>

#include <random>

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

TEST(PplPolyhedron, unboundedFractionsAreTightened) {
  // y = w + 3 e, y <= 36 x + w + most, 2 e >= 24 x + 3: e is 12 x + 1.5 or
  // more, and at most 12 x + most / 3.
  auto points = [](int64_t most) {
    return findIntegerPoint(
        {4,
         {zero(0, {0, 1, -1, -3}), atLeastZero(most, {36, -1, 1, 0}),
          atLeastZero(-3, {-24, 0, 0, 2})}});
  };
  EXPECT_EQ(points(5), Points::None);
  EXPECT_EQ(points(6), Points::Some);
}

TEST(PplPolyhedron, boundsThatLeaveOneValueAreEqualities) {
  // w = 3 b + r, r in 1 .. 2, o = w - 1 - 3 a, o in low .. -1: with o = -1, w
  // is a multiple of three.
  auto points = [](int64_t low) {
    return findIntegerPoint(
        {5, // w, a, b, r, o
         {zero(0, {1, 0, -3, -1, 0}), atLeastZero(-1, {0, 0, 0, 1, 0}),
          atLeastZero(2, {0, 0, 0, -1, 0}), zero(-1, {1, -3, 0, 0, -1}),
          atLeastZero(-low, {0, 0, 0, 0, 1}),
          atLeastZero(-1, {0, 0, 0, 0, -1})}});
  };
  EXPECT_EQ(points(-1), Points::None);
  EXPECT_NE(points(-2), Points::None);
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
  EXPECT_EQ(findIntegerPoint({2, {zero(-1, {2, -2})}}), Points::None);
  EXPECT_EQ(findIntegerPoint({2, {zero(-2, {2, -2})}}), Points::Some);
}

/// The cheapest choice by trying all, the lexicographically greatest of them.
std::optional<std::vector<bool>> tryAll(const BinaryProgram &program) {
  std::optional<std::vector<bool>> best;
  int64_t bestCost = 0;
  const unsigned count = static_cast<unsigned>(program.costs.size());
  for (unsigned bits = 0; bits < (1u << count); ++bits) {
    std::vector<bool> choice;
    int64_t cost = 0;
    for (unsigned i = 0; i < count; ++i) {
      choice.push_back(bits >> i & 1);
      cost += choice.back() ? program.costs[i] : 0;
    }
    bool isGood = true;
    for (const LinearConstraint &constraint : program.constraints) {
      int64_t value = constraint.constant;
      for (unsigned i = 0; i < count; ++i)
        value += choice[i] ? constraint.coefficients[i] : 0;
      isGood &= constraint.isEquality ? value == 0 : value >= 0;
    }
    if (isGood &&
        (!best || cost < bestCost || (cost == bestCost && choice > *best))) {
      best = choice;
      bestCost = cost;
    }
  }
  return best;
}

TEST(PplPolyhedron, binaryProgramsAgreeWithTryingAll) {
  std::mt19937 random(4);
  auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  unsigned solved = 0;
  for (unsigned round = 0; round < 120; ++round) {
    BinaryProgram program;
    const unsigned count = static_cast<unsigned>(pick(1, 7));
    for (unsigned i = 0; i < count; ++i)
      program.costs.push_back(pick(-6, 6));
    for (int row = pick(0, 3); row > 0; --row) {
      LinearConstraint constraint;
      constraint.isEquality = pick(0, 4) == 0;
      constraint.constant = pick(-3, 9);
      for (unsigned i = 0; i < count; ++i)
        constraint.coefficients.push_back(pick(-4, 4));
      program.constraints.push_back(constraint);
    }
    std::optional<std::vector<bool>> expected = tryAll(program);
    solved += expected.has_value();
    EXPECT_EQ(minimizeBinary(program), expected) << "round " << round;
  }
  EXPECT_GT(solved, 60u);
}

TEST(PplPolyhedron, equalCostsGoToTheFirst) {
  // One of three that cost the same; room for two of them.
  EXPECT_EQ(minimizeBinary({{5, 5, 5}, {zero(-1, {1, 1, 1})}}),
            (std::vector<bool>{true, false, false}));
  EXPECT_EQ(minimizeBinary({{-5, -5, -5}, {atLeastZero(2, {-1, -1, -1})}}),
            (std::vector<bool>{true, true, false}));
}

TEST(PplPolyhedron, noChoiceAtAll) {
  EXPECT_EQ(minimizeBinary({{1}, {atLeastZero(-2, {1})}}), std::nullopt);
  EXPECT_EQ(minimizeBinary({{}, {}}), std::vector<bool>{});
}

} // namespace
