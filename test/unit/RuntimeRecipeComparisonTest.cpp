//===- RuntimeRecipeComparisonTest.cpp - recipes side by side -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/RecipeComparison.h"

#include <gtest/gtest.h>

using namespace clopt::runtime;

namespace {

using Steps = std::vector<std::string>;

TEST(RuntimeRecipeComparisonTest, StepsThatNotAllHave) {
  EXPECT_EQ(ownSteps({{"vectorize j:8", "coarsen i:4"},
                      {"vectorize j:8", "coarsen i:2"}}),
            (std::vector<Steps>{{"coarsen i:4"}, {"coarsen i:2"}}));
  EXPECT_EQ(ownSteps({{"a", "b"}, {"b", "a"}}), (std::vector<Steps>{{}, {}}));
  // The second time of a step is one of its own.
  EXPECT_EQ(ownSteps({{"a", "b", "a"}, {"a", "b"}}),
            (std::vector<Steps>{{"a"}, {}}));
  EXPECT_EQ(ownSteps({{"a", "b"}, {"a", "c"}, {"a", "b"}}),
            (std::vector<Steps>{{"b"}, {"c"}, {"b"}}));
  EXPECT_EQ(ownSteps({{}, {"a"}}), (std::vector<Steps>{{}, {"a"}}));
}

TEST(RuntimeRecipeComparisonTest, TheBestIsThatOfTheLargestRatio) {
  RecipeComparison comparison;
  comparison.results.resize(3);
  EXPECT_EQ(comparison.best(), std::nullopt);
  // The machine was slower with the second: the original was, too.
  comparison.results[0].times = Times{10, 5, {}};
  comparison.results[1].times = Times{30, 10, {}};
  EXPECT_EQ(comparison.best(), 1u);
}

TEST(RuntimeRecipeComparisonTest, StepsOfOneKernel) {
  const std::vector<KernelSteps> recipe =
      splitRecipe("unroll k:2\nkernel mm\ncoarsen i:4\n");
  EXPECT_EQ(stepsFor(recipe, "mm"), Steps{"coarsen i:4"});
  EXPECT_EQ(stepsFor(recipe, "other"), Steps{"unroll k:2"});
  EXPECT_EQ(stepsFor({}, "mm"), Steps{});
}

TEST(RuntimeRecipeComparisonTest, APointIsAsGoodAsItsWorstLaunch) {
  PointResult point;
  EXPECT_EQ(point.summary().status, LaunchStatus::Equal);
  const auto add = [&](LaunchStatus status, const std::string &message) {
    LaunchResult launch;
    launch.status = status;
    launch.message = message;
    point.launches.push_back(launch);
  };
  add(LaunchStatus::Equal, "");
  add(LaunchStatus::WithinTolerance, "a");
  EXPECT_EQ(point.summary().message, "a");
  add(LaunchStatus::Differs, "b");
  add(LaunchStatus::Failed, "c");
  EXPECT_EQ(point.summary().message, "b");
}

} // namespace
