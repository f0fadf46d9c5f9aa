//===- RuntimeCompareTest.cpp - tests of Runtime/Compare ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace clopt::runtime;

namespace {

template <typename T> std::vector<std::uint8_t> bytesOf(std::vector<T> values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

BufferDifference compareFloats(std::vector<float> expected,
                               std::vector<float> actual) {
  return compareBuffers(*parseElementType("float"),
                        bytesOf(std::move(expected)),
                        bytesOf(std::move(actual)));
}

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(RuntimeCompare, equalBuffers) {
  const BufferDifference result = compareFloats({1.0f, -2.0f}, {1.0f, -2.0f});
  EXPECT_TRUE(result.equal());
  EXPECT_EQ(result.elements, 2u);
  EXPECT_EQ(result.maxUlp, 0u);
}

TEST(RuntimeCompare, countsAndPlaces) {
  const float next = std::nextafter(2.0f, 3.0f);
  const float third = std::nextafter(std::nextafter(4.0f, 0.0f), 0.0f);
  const BufferDifference result =
      compareFloats({1.0f, 2.0f, 3.0f, 4.0f}, {1.0f, next, 3.0f, third});
  EXPECT_EQ(result.differing, 2u);
  EXPECT_EQ(result.first, 1u);
  EXPECT_EQ(result.firstExpected, "2");
  EXPECT_EQ(result.maxUlp, 2u);
  EXPECT_EQ(result.maxUlpIndex, 3u);
}

TEST(RuntimeCompare, nanEqualsAnyNanButNoNumber) {
  EXPECT_TRUE(compareFloats({nan, 1.0f}, {-nan, 1.0f}).equal());
  EXPECT_EQ(compareFloats({nan}, {1.0f}).maxUlp, infiniteUlp);
  EXPECT_EQ(compareFloats({1.0f}, {nan}).maxUlp, infiniteUlp);
}

TEST(RuntimeCompare, infinityIsFarFromEverything) {
  const float largest = std::numeric_limits<float>::max();
  EXPECT_EQ(compareFloats({largest}, {infinity}).maxUlp, infiniteUlp);
  EXPECT_EQ(compareFloats({-infinity}, {infinity}).maxUlp, infiniteUlp);
  EXPECT_TRUE(compareFloats({infinity}, {infinity}).equal());
}

TEST(RuntimeCompare, zerosOfBothSignsAreOneApart) {
  EXPECT_EQ(compareFloats({0.0f}, {-0.0f}).maxUlp, 1u);
  const float smallest = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(compareFloats({smallest}, {-smallest}).maxUlp, 3u);
}

TEST(RuntimeCompare, distanceIsThatOfSteppingThroughTheNumbers) {
  for (float start : {1.0f, -1.0f, 1e-44f, 0.99999f, -3e38f}) {
    float value = start;
    for (std::uint64_t steps = 1; steps < 50; ++steps) {
      value = std::nextafter(value, 4.0f);
      const std::uint64_t distance = ulpDistance(
          ScalarKind::Float, reinterpret_cast<const std::uint8_t *>(&start),
          reinterpret_cast<const std::uint8_t *>(&value));
      ASSERT_EQ(distance, steps) << start;
    }
  }
}

TEST(RuntimeCompare, doublesOfOppositeSignsDoNotOverflow) {
  const double a = -std::numeric_limits<double>::max();
  const double b = std::numeric_limits<double>::max();
  const std::uint64_t distance = ulpDistance(
      ScalarKind::Double, reinterpret_cast<const std::uint8_t *>(&a),
      reinterpret_cast<const std::uint8_t *>(&b));
  EXPECT_EQ(distance, 2u * 0x7fefffffffffffffu + 1u);
}

TEST(RuntimeCompare, integersHaveNoTolerance) {
  const BufferDifference result = compareBuffers(
      *parseElementType("int"), bytesOf<int>({1, 2}), bytesOf<int>({1, 3}));
  EXPECT_EQ(result.maxUlp, infiniteUlp);
  EXPECT_EQ(result.firstActual, "3");
}

TEST(RuntimeCompare, paddingIsNotCompared) {
  const ElementType type = *parseElementType("float3");
  EXPECT_TRUE(compareBuffers(type, bytesOf<float>({1, 2, 3, 4}),
                             bytesOf<float>({1, 2, 3, 5}))
                  .equal());
  EXPECT_EQ(compareBuffers(type, bytesOf<float>({1, 2, 3, 4}),
                           bytesOf<float>({1, 2, 9, 4}))
                .differing,
            1u);
}

Tolerance relative(double share) {
  Tolerance result;
  result.relative = share;
  return result;
}

std::size_t intolerable(std::vector<float> expected, std::vector<float> actual,
                        const Tolerance &tolerance) {
  return compareBuffers(*parseElementType("float"), bytesOf(expected),
                        bytesOf(actual), tolerance)
      .intolerable;
}

TEST(RuntimeCompare, relativeTolerance) {
  EXPECT_EQ(intolerable({100.0f}, {101.0f}, relative(0.02)), 0u);
  EXPECT_EQ(intolerable({100.0f}, {103.0f}, relative(0.02)), 1u);
  EXPECT_EQ(intolerable({100.0f}, {101.0f}, {}), 1u);
  // What nearly cancels is measured by the others.
  EXPECT_EQ(
      intolerable({10, -9, 11, 1e-6f}, {10, -9, 11, 2e-6f}, relative(1e-4)),
      0u);
  EXPECT_EQ(intolerable({10, -9, 11, 0}, {10, -9, 11, 0.1f}, relative(1e-4)),
            1u);
  // Zeros, and one large value, do not count.
  EXPECT_EQ(intolerable({0, 0, 0, 1, 1, 1e30f}, {0, 0, 0, 1, 1.5f, 1e30f},
                        relative(1e-4)),
            1u);
  EXPECT_EQ(intolerable({0, 0}, {0, 1e-20f}, relative(0.5)), 1u);
}

TEST(RuntimeCompare, noToleranceForWhatIsNoNumber) {
  const Tolerance all = relative(1e30);
  EXPECT_EQ(intolerable({1}, {nan}, all), 1u);
  EXPECT_EQ(intolerable({infinity}, {1}, all), 1u);
  EXPECT_EQ(intolerable({infinity}, {-infinity}, all), 1u);
  EXPECT_EQ(compareBuffers(*parseElementType("int"), bytesOf<std::int32_t>({1}),
                           bytesOf<std::int32_t>({2}), all)
                .intolerable,
            1u);
}

TEST(RuntimeCompare, halfOfTheDigits) {
  EXPECT_NEAR(halfOfDigits(ScalarKind::Float), 3.45e-4, 1e-6);
  EXPECT_NEAR(halfOfDigits(ScalarKind::Double), 1.49e-8, 1e-10);
  EXPECT_NEAR(halfOfDigits(ScalarKind::Half), 0.03125, 1e-9);
  Tolerance reassociated;
  reassociated.isReassociated = true;
  EXPECT_EQ(intolerable({1}, {1.0003f}, reassociated), 0u);
  EXPECT_EQ(intolerable({1}, {1.0004f}, reassociated), 1u);
  EXPECT_EQ(compareBuffers(*parseElementType("double"), bytesOf<double>({1}),
                           bytesOf<double>({1.0003}), reassociated)
                .intolerable,
            1u);
}

} // namespace
