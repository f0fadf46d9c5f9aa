//===- StepTableTest.cpp - the table of steps -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/StepTable.h"

#include "clopt/Recipe.h"

#include <gtest/gtest.h>

#include <set>

using namespace clopt;

TEST(StepTableTest, NamesAreFoundOnce) {
  std::set<std::string> names;
  for (const StepInfo &step : allSteps()) {
    EXPECT_TRUE(names.insert(step.name).second) << step.name;
    EXPECT_EQ(findStep(step.name), &step);
    EXPECT_FALSE(step.summary.empty());
  }
  EXPECT_EQ(findStep("vectorise"), nullptr);
  EXPECT_EQ(stepNames().size(), names.size());
}

TEST(StepTableTest, WordsAreFlagsOfTheirStepsOnly) {
  EXPECT_TRUE(findStep("coarsen")->hasFlag("stride"));
  EXPECT_FALSE(findStep("privatize")->hasFlag("stride"));
  EXPECT_TRUE(findStep("require")->hasParameter("group"));
  EXPECT_FALSE(findStep("require")->hasParameter("load"));
}

TEST(StepTableTest, EveryStepAndFlagIsReadFromARecipe) {
  for (const StepInfo &info : allSteps()) {
    const bool isAlone = info.targets == StepTargets::Nothing;
    std::string line = info.name + (isAlone ? "" : " a");
    for (const std::string &flag : info.flags)
      line += " " + flag;
    RecipeError error;
    std::optional<Recipe> recipe = parseRecipe(line, error);
    ASSERT_TRUE(recipe) << line;
    EXPECT_EQ(recipe->kernels[0].steps[0].flags, info.flags) << line;
    EXPECT_EQ(recipe->kernels[0].steps[0].targets.size(), isAlone ? 0u : 1u)
        << line;
  }
}

TEST(StepTableTest, MistakesGetASuggestion) {
  RecipeError error;
  EXPECT_FALSE(parseRecipe("vectorise a", error));
  EXPECT_EQ(error.message,
            "unknown step 'vectorise'; did you mean 'vectorize'?");
}
