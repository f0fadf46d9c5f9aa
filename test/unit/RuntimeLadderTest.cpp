//===- RuntimeLadderTest.cpp - what each step of a recipe gains -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Ladder.h"

#include <gtest/gtest.h>

using namespace clopt::runtime;

namespace {

TEST(RuntimeLadderTest, F43RecipesAreSplitIntoTheStepsOfKernels) {
  const std::vector<KernelSteps> recipe = splitRecipe("# what all have\n"
                                                      "unroll   k:2 # twice\n"
                                                      "kernel mm\n"
                                                      "privatize  C\n"
                                                      "\n"
                                                      "coarsen\ti:4\n"
                                                      "kernel mm plan\n"
                                                      "layout A transpose\n"
                                                      "kernel other\n");
  ASSERT_EQ(recipe.size(), 3u);
  EXPECT_EQ(recipe[0].kernel, "");
  EXPECT_EQ(recipe[0].steps, std::vector<std::string>{"unroll k:2"});
  EXPECT_EQ(recipe[1].kernel, "mm");
  EXPECT_EQ(recipe[1].steps,
            (std::vector<std::string>{"privatize C", "coarsen i:4"}));
  EXPECT_EQ(recipe[2].kernel, "other");
  EXPECT_TRUE(recipe[2].steps.empty());
  EXPECT_TRUE(splitRecipe("# nothing\n").empty());
}

TEST(RuntimeLadderTest, F43EveryRungHasOneStepMore) {
  const std::vector<std::string> steps{"privatize C", "coarsen i:4"};
  EXPECT_EQ(recipePrefix("mm", steps, 1), "kernel mm\nprivatize C\n");
  EXPECT_EQ(recipePrefix("mm", steps, 2),
            "kernel mm\nprivatize C\ncoarsen i:4\n");
}

Rung rungOf(const std::string &step, double original, double optimized) {
  Rung rung;
  rung.step = step;
  rung.times = Times{original, optimized, true};
  return rung;
}

TEST(RuntimeLadderTest, F43LossesAreShown) {
  std::vector<Rung> rungs{rungOf("a", 8, 4), rungOf("b", 9, 9), Rung(),
                          rungOf("c", 8, 2)};
  computeGains(rungs);
  EXPECT_DOUBLE_EQ(rungs[0].gain, 2);
  EXPECT_DOUBLE_EQ(rungs[1].gain, 0.5);
  EXPECT_DOUBLE_EQ(rungs[2].gain, 0);
  // What follows a rung without a time has nothing to be compared with.
  EXPECT_DOUBLE_EQ(rungs[3].gain, 0);
}

TEST(RuntimeLadderTest, TheChartHasABarForEachRung) {
  LadderResult result;
  result.kernel = "mm";
  result.point = {{"n", 64}};
  result.rungs = {rungOf("select a<b", 8, 4), rungOf("unroll k:2", 8, 5),
                  Rung()};
  computeGains(result.rungs);
  const std::string chart = ladderChart({result});
  EXPECT_EQ(chart.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0), 0u);
  EXPECT_NE(chart.find(">mm n=64</text>"), std::string::npos);
  EXPECT_NE(chart.find(">select a&lt;b</text>"), std::string::npos);
  EXPECT_NE(chart.find(">8 ms </text>"), std::string::npos);
  EXPECT_NE(chart.find(">5 ms 0.80x</text>"), std::string::npos);
  EXPECT_NE(chart.find("width=\"225\" height=\"16\" fill=\"#c0504d\""),
            std::string::npos);
  EXPECT_NE(chart.find("no time</text>"), std::string::npos);
}

} // namespace
