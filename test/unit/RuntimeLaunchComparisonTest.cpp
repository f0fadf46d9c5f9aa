//===- RuntimeLaunchComparisonTest.cpp - what two kernels made of buffers -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/LaunchComparison.h"

#include <gtest/gtest.h>

#include <cstring>

namespace clopt::runtime {

namespace {

/// Two buffers of floats, and runs that leave what a test says.
class RuntimeLaunchComparisonTest : public testing::Test {
protected:
  RuntimeLaunchComparisonTest() {
    for (const char *name : {"a", "b"})
      launch.buffers.push_back(
          {name, *parseElementType("float"), {}, std::nullopt});
  }

  static std::vector<std::uint8_t> bytesOf(const std::vector<float> &values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  }

  static Outcome makeOutcome(const std::vector<float> &values) {
    Outcome outcome;
    outcome.buffers = {bytesOf({1, 2}), bytesOf(values)};
    outcome.damage.resize(2);
    outcome.outside.resize(2);
    return outcome;
  }

  LaunchResult compare(const Outcome &original, const Outcome &optimized) {
    std::optional<Outcome> expected;
    LaunchResult result;
    LaunchComparison(launch, Tolerance())
        .compare([&] { return ++originals, original; },
                 [&] { return optimized; }, expected, result);
    return result;
  }

  Launch launch;
  int originals = 0;
};

TEST_F(RuntimeLaunchComparisonTest, Equal) {
  const LaunchResult result = compare(makeOutcome({3}), makeOutcome({3}));
  EXPECT_EQ(result.status, LaunchStatus::Equal);
  EXPECT_EQ(originals, 1);
}

// A launch in which no work-item has work proves nothing.
TEST_F(RuntimeLaunchComparisonTest, LaunchesThatChangeNothing) {
  launch.buffers[0].contents = bytesOf({1, 2});
  launch.buffers[1].contents = bytesOf({3});
  EXPECT_TRUE(compare(makeOutcome({3}), makeOutcome({3})).changesNothing);
  EXPECT_FALSE(compare(makeOutcome({4}), makeOutcome({4})).changesNothing);
  // What the optimized kernel does is judged as always.
  const LaunchResult result = compare(makeOutcome({3}), makeOutcome({4}));
  EXPECT_TRUE(result.changesNothing);
  EXPECT_EQ(result.status, LaunchStatus::Differs);
}

TEST_F(RuntimeLaunchComparisonTest, DifferenceAsksTheOriginalAgain) {
  const LaunchResult result = compare(makeOutcome({3}), makeOutcome({4}));
  EXPECT_EQ(result.status, LaunchStatus::Differs);
  ASSERT_EQ(result.differences.size(), 1u);
  EXPECT_EQ(result.differences[0].name, "b");
  EXPECT_EQ(originals, 2);
}

// What the original does not do twice is no evidence against the other.
TEST_F(RuntimeLaunchComparisonTest, OriginalsThatVary) {
  std::optional<Outcome> expected;
  LaunchResult result;
  const LaunchComparison comparison(launch, Tolerance());
  float value = 3;
  const KernelRun original = [&] { return makeOutcome({value++}); };
  auto compare = [&](const Outcome &optimized) {
    comparison.compare(original, [&] { return optimized; }, expected, result);
  };
  compare(makeOutcome({0}));
  EXPECT_EQ(result.status, LaunchStatus::NotComparable);
  EXPECT_EQ(result.message,
            "the original's own result in 'b' varies from run to run");
  EXPECT_TRUE(isGood(result.status));
  EXPECT_FALSE(isCompared(result.status));
  // That both agree in another place of the buffers does not change that.
  compare(*expected);
  EXPECT_EQ(result.status, LaunchStatus::NotComparable);
  // A wrong value in a buffer that does not vary is wrong.
  Outcome wrong = makeOutcome({0});
  wrong.buffers[0] = bytesOf({1, 3});
  compare(wrong);
  EXPECT_EQ(result.status, LaunchStatus::Differs);
}

// Nor does it excuse what is not allowed whatever the values are.
TEST_F(RuntimeLaunchComparisonTest, OriginalsThatVaryExcuseNoAccess) {
  std::optional<Outcome> expected;
  LaunchResult result;
  float value = 3;
  Outcome optimized = makeOutcome({0});
  optimized.damage[1] = GuardDamage{false, 4};
  LaunchComparison(launch, Tolerance())
      .compare([&] { return makeOutcome({value++}); },
               [&] { return optimized; }, expected, result);
  EXPECT_EQ(result.status, LaunchStatus::GuardOverwritten);
}

TEST_F(RuntimeLaunchComparisonTest, ReadsOfTheOptimizedKernel) {
  Outcome optimized = makeOutcome({3});
  optimized.outside[0] = {{true, 4, false, 0x1000}};
  const LaunchResult result = compare(makeOutcome({3}), optimized);
  EXPECT_EQ(result.status, LaunchStatus::OutsideAccess);
  EXPECT_EQ(result.message,
            "the optimized kernel reads 4 bytes before the begin of 'a'");
}

TEST_F(RuntimeLaunchComparisonTest, ReadsOfBoth) {
  Outcome original = makeOutcome({3});
  original.outside[0] = {{false, 1, false, 0x1000}};
  Outcome optimized = original;
  LaunchResult result = compare(original, optimized);
  EXPECT_EQ(result.status, LaunchStatus::Equal);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0],
            "the original kernel itself reads 1 byte past the end of 'a'");
  // Another page, or another buffer.
  optimized.outside[0].push_back({false, 5000, false, 0x2000});
  EXPECT_EQ(compare(original, optimized).status, LaunchStatus::OutsideAccess);
  optimized = original;
  std::swap(optimized.outside[0], optimized.outside[1]);
  EXPECT_EQ(compare(original, optimized).status, LaunchStatus::OutsideAccess);
}

TEST_F(RuntimeLaunchComparisonTest, OneNoteForEachSideOfABuffer) {
  Outcome original = makeOutcome({3});
  original.outside[0] = {{false, 1, false, 0x1000},
                         {true, 4, false, 0x5000},
                         {false, 4097, false, 0x2000}};
  const LaunchResult result = compare(original, original);
  EXPECT_EQ(result.status, LaunchStatus::Equal);
  EXPECT_EQ(result.notes.size(), 2u);
}

TEST_F(RuntimeLaunchComparisonTest, WritesOfTheOriginal) {
  Outcome original = makeOutcome({3});
  original.outside[1] = {{false, 1, true, 0x1000}};
  const LaunchResult result = compare(original, original);
  EXPECT_EQ(result.status, LaunchStatus::GuardOverwritten);
  EXPECT_EQ(result.message,
            "the original kernel writes 1 byte past the end of 'b'");
}

TEST_F(RuntimeLaunchComparisonTest, OverwrittenGuard) {
  Outcome optimized = makeOutcome({3});
  optimized.damage[1] = GuardDamage{false, 2};
  const LaunchResult result = compare(makeOutcome({3}), optimized);
  EXPECT_EQ(result.status, LaunchStatus::GuardOverwritten);
  EXPECT_EQ(result.message,
            "the optimized kernel writes 2 bytes past the end of 'b'");
}

TEST_F(RuntimeLaunchComparisonTest, AnotherPlaceAsksTheOriginalOnlyWhenNeeded) {
  std::optional<Outcome> expected = makeOutcome({3});
  LaunchResult result;
  const LaunchComparison comparison(launch, Tolerance());
  Outcome here = makeOutcome({3});
  const auto original = [&] { return ++originals, here; };
  comparison.compare(
      original, [&] { return makeOutcome({3}); }, expected, result);
  EXPECT_EQ(result.status, LaunchStatus::Equal);
  EXPECT_EQ(originals, 0);
  // What the original does here as well is no fault.
  here.outside[0] = {{false, 1, false, 0x9000}};
  comparison.compare(original, [&] { return here; }, expected, result);
  EXPECT_EQ(result.status, LaunchStatus::Equal);
  EXPECT_EQ(originals, 1);
  EXPECT_EQ(result.notes.size(), 1u);
  // But what it does not do is one.
  const Outcome bad = here;
  here = makeOutcome({3});
  comparison.compare(original, [&] { return bad; }, expected, result);
  EXPECT_EQ(result.status, LaunchStatus::OutsideAccess);
}

TEST_F(RuntimeLaunchComparisonTest, FailedCalls) {
  std::optional<Outcome> expected;
  LaunchResult result;
  LaunchComparison(launch, Tolerance())
      .compare([&] { return makeOutcome({3}); },
               []() -> Outcome {
                 throw OpenCLError("clFinish", CL_OUT_OF_RESOURCES);
               },
               expected, result);
  EXPECT_EQ(result.status, LaunchStatus::Failed);
  EXPECT_EQ(result.message,
            "optimized kernel: clFinish failed: CL_OUT_OF_RESOURCES (-5)");
}

TEST(RuntimeToleranceTest, FollowsFlagsAndOptions) {
  VerifyOptions options;
  EXPECT_FALSE(toleranceFor(options, {"-cl-mad-enable"}).isReassociated);
  for (const char *flag :
       {"-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"})
    EXPECT_TRUE(toleranceFor(options, {"-DX", flag}).isReassociated);
  options.toleratedRelative = 0.5;
  const Tolerance own = toleranceFor(options, {"-cl-fast-relaxed-math"});
  EXPECT_FALSE(own.isReassociated);
  EXPECT_EQ(own.relative, 0.5);
  options.toleratedRelative = 0;
  EXPECT_FALSE(toleranceFor(options, {"-cl-fast-relaxed-math"}).isReassociated);
}

} // namespace

} // namespace clopt::runtime
