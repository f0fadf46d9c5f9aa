//===- RecipeTest.cpp - recipe text: parse and print ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clopt/Recipe.h"

#include <gtest/gtest.h>

#include <random>

using namespace clopt;

namespace {

Recipe parsed(const std::string &text) {
  RecipeError error;
  std::optional<Recipe> recipe = parseRecipe(text, error);
  EXPECT_TRUE(recipe) << error.line << ":" << error.column << ": "
                      << error.message;
  EXPECT_EQ(error.line, 0u);
  return recipe.value_or(Recipe());
}

struct BadRecipe {
  const char *text;
  unsigned line, column;
  const char *message;
};

class RecipeErrorTest : public testing::TestWithParam<BadRecipe> {};

} // namespace

TEST(RecipeTest, TilesAndSections) {
  Recipe recipe = parsed("tile i:64 k:16\nstage a local pad=2\n");
  ASSERT_EQ(recipe.kernels.size(), 1u);
  const std::vector<Step> &steps = recipe.kernels[0].steps;
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].name, "tile");
  EXPECT_EQ(steps[0].targets[1].name, "k");
  EXPECT_EQ(steps[0].targets[1].count, 16u);
  EXPECT_EQ(steps[1].targets.size(), 1u);
  EXPECT_TRUE(steps[1].hasFlag("local"));
  EXPECT_EQ(steps[1].parameter("pad"), 2);
}

TEST(RecipeTest, TargetsFlagsAndParametersAreTold) {
  Recipe recipe = parsed("kernel mm\n"
                         "  coarsen i:4 j:2 stride  # both\n"
                         "vectorize k_1:8 load=4\n");
  ASSERT_EQ(recipe.kernels.size(), 1u);
  ASSERT_EQ(recipe.kernels[0].steps.size(), 2u);
  const Step &coarsen = recipe.kernels[0].steps[0];
  EXPECT_EQ(coarsen.name, "coarsen");
  ASSERT_EQ(coarsen.targets.size(), 2u);
  EXPECT_EQ(coarsen.targets[1].name, "j");
  EXPECT_EQ(coarsen.targets[1].count, 2);
  EXPECT_TRUE(coarsen.hasFlag("stride"));
  EXPECT_FALSE(coarsen.hasFlag("block"));
  EXPECT_EQ(coarsen.line, 2u);
  EXPECT_EQ(coarsen.column, 3u);
  const Step &vectorize = recipe.kernels[0].steps[1];
  EXPECT_EQ(vectorize.parameter("load"), 4);
  EXPECT_EQ(vectorize.parameter("store"), std::nullopt);
}

TEST(RecipeTest, StepsWithoutKernelAreForAllKernels) {
  Recipe recipe = parsed("unroll k:2\nkernel own\nunroll k:4\n");
  ASSERT_NE(recipe.find("other"), nullptr);
  EXPECT_EQ(recipe.find("other")->steps[0].targets[0].count, 2);
  EXPECT_EQ(recipe.find("own")->steps[0].targets[0].count, 4);
  EXPECT_EQ(parsed("kernel own\nunroll k\n").find("other"), nullptr);
}

TEST(RecipeTest, AWordIsAFlagOnlyWhereTheStepHasIt) {
  // An array may be called `block`, or `stride`.
  Recipe recipe = parsed("privatize block stride\ncoarsen block:2 block\n");
  EXPECT_EQ(recipe.kernels[0].steps[0].targets.size(), 2u);
  EXPECT_TRUE(recipe.kernels[0].steps[0].flags.empty());
  EXPECT_EQ(recipe.kernels[0].steps[1].targets.size(), 1u);
  EXPECT_EQ(recipe.kernels[0].steps[1].flags.size(), 1u);
}

TEST(RecipeTest, EmptyTextCommentsAndBlanks) {
  EXPECT_TRUE(parsed("").kernels.empty());
  EXPECT_TRUE(parsed("# nothing\n\n   \t\n").kernels.empty());
  EXPECT_EQ(parsed("kernel f # empty\n").kernels[0].steps.size(), 0u);
  EXPECT_EQ(parsed("unroll\tk:2\r\n").kernels[0].steps[0].targets[0].count, 2);
  EXPECT_EQ(parsed("unroll k").kernels[0].steps[0].targets[0].count,
            std::nullopt);
}

TEST(RecipeTest, PrintedTextIsCanonical) {
  Recipe recipe = parsed("unroll   i\nkernel mm\n coarsen j:4 block i:2 # x\n"
                         "vectorize j:8   load=4\n");
  EXPECT_EQ(printRecipe(recipe), "unroll     i\n"
                                 "\n"
                                 "kernel mm\n"
                                 "coarsen    j:4 i:2 block\n"
                                 "vectorize  j:8 load=4\n");
}

TEST(RecipeTest, LayoutsOfThePlan) {
  Recipe recipe = parsed("kernel f\nunroll k\nkernel f plan\n"
                         "layout a  skew:-2,0,1 transpose buffer\n"
                         "layout offset offset:3 local\n");
  ASSERT_EQ(recipe.kernels.size(), 2u);
  EXPECT_EQ(recipe.find("f"), &recipe.kernels[0]);
  EXPECT_EQ(recipe.findForPlan("f"), &recipe.kernels[1]);
  EXPECT_EQ(recipe.findForPlan("g"), nullptr);
  const Step &step = recipe.kernels[1].steps[0];
  ASSERT_EQ(step.changes.size(), 2u);
  EXPECT_EQ(step.changes[0].name, "skew");
  EXPECT_EQ(step.changes[0].numbers, (std::vector<int64_t>{-2, 0, 1}));
  EXPECT_TRUE(step.changes[1].numbers.empty());
  EXPECT_EQ(printRecipe(recipe), "kernel f\n"
                                 "unroll     k\n"
                                 "\n"
                                 "kernel f plan\n"
                                 "layout     a skew:-2,0,1 transpose buffer\n"
                                 "layout     offset offset:3 local\n");
  RecipeError error;
  EXPECT_FALSE(parseRecipe("layout a skew:x", error));
  EXPECT_EQ(error.message, "expected numbers after 'skew:'");
  EXPECT_FALSE(parseRecipe("kernel f plans", error));
}

TEST(RecipeTest, ParsingPrintedTextGivesTheSameRecipe) {
  std::mt19937 random(7);
  const char *const steps[] = {"privatize", "coarsen", "vectorize",  "unroll",
                               "layout",    "map",     "interchange"};
  for (int trial = 0; trial < 200; ++trial) {
    Recipe recipe;
    for (unsigned k = 0; k < 1 + random() % 3; ++k) {
      KernelRecipe kernel;
      kernel.kernel = k == 0 && random() % 2 ? "" : "k" + std::to_string(k);
      for (unsigned s = 0; s < 1 + random() % 4; ++s) {
        Step step;
        step.name = steps[random() % std::size(steps)];
        for (unsigned t = 0; t < 1 + random() % 3; ++t) {
          StepTarget target{"_v" + std::to_string(random() % 9), std::nullopt};
          if (random() % 2)
            target.count = 1 + random() % 99999999;
          step.targets.push_back(target);
        }
        if (step.name == "coarsen" && random() % 2)
          step.flags.push_back(random() % 2 ? "block" : "stride");
        if (random() % 2)
          step.parameters.emplace_back("load", random() % 17);
        kernel.steps.push_back(step);
      }
      recipe.kernels.push_back(kernel);
    }
    std::string text = printRecipe(recipe);
    Recipe again = parsed(text);
    EXPECT_EQ(printRecipe(again), text);
    ASSERT_EQ(again.kernels.size(), recipe.kernels.size()) << text;
    for (size_t k = 0; k < recipe.kernels.size(); ++k) {
      ASSERT_EQ(again.kernels[k].steps.size(), recipe.kernels[k].steps.size());
      for (size_t s = 0; s < recipe.kernels[k].steps.size(); ++s) {
        const Step &was = recipe.kernels[k].steps[s];
        const Step &is = again.kernels[k].steps[s];
        EXPECT_EQ(is.name, was.name);
        EXPECT_EQ(is.flags, was.flags);
        EXPECT_EQ(is.parameters, was.parameters);
        ASSERT_EQ(is.targets.size(), was.targets.size());
        for (size_t t = 0; t < was.targets.size(); ++t) {
          EXPECT_EQ(is.targets[t].name, was.targets[t].name);
          EXPECT_EQ(is.targets[t].count, was.targets[t].count);
        }
      }
    }
  }
}

TEST_P(RecipeErrorTest, HasPlaceAndMessage) {
  RecipeError error;
  EXPECT_FALSE(parseRecipe(GetParam().text, error));
  EXPECT_EQ(error.line, GetParam().line);
  EXPECT_EQ(error.column, GetParam().column);
  EXPECT_EQ(error.message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, RecipeErrorTest,
    testing::Values(
        BadRecipe{"  frobnicate i", 1, 3, "unknown step 'frobnicate'"},
        BadRecipe{"Unroll i", 1, 1,
                  "unknown step 'Unroll'; did you mean 'unroll'?"},
        BadRecipe{"\n# x\n unroll", 3, 2,
                  "step 'unroll' needs something to work on"},
        BadRecipe{"coarsen stride", 1, 1,
                  "step 'coarsen' needs something to work on"},
        BadRecipe{"vectorize load=4", 1, 1,
                  "step 'vectorize' needs something to work on"},
        BadRecipe{"unroll i:", 1, 8, "expected a positive number after 'i:'"},
        BadRecipe{"unroll i:0", 1, 8, "expected a positive number after 'i:'"},
        BadRecipe{"unroll i:-4", 1, 8, "expected a positive number after 'i:'"},
        BadRecipe{"unroll i:four", 1, 8,
                  "expected a positive number after 'i:'"},
        BadRecipe{"unroll i:99999999999", 1, 8,
                  "expected a positive number after 'i:'"},
        BadRecipe{"vectorize i:4 load=x", 1, 15,
                  "expected a positive number after 'load='"},
        BadRecipe{"vectorize i:4 load=", 1, 15,
                  "expected a positive number after 'load='"},
        BadRecipe{"unroll i :4", 1, 10, "expected a name, found ':4'"},
        BadRecipe{"unroll 4", 1, 8, "expected a name, found '4'"},
        BadRecipe{"unroll i,j", 1, 8, "expected a name, found 'i,j'"},
        BadRecipe{"kernel", 1, 1, "expected 'kernel NAME'"},
        BadRecipe{"kernel a b", 1, 10, "expected 'kernel NAME'"},
        BadRecipe{"kernel 1a", 1, 8, "expected 'kernel NAME'"},
        BadRecipe{"kernel a\nkernel b\nkernel a", 3, 8,
                  "kernel 'a' has a recipe already"}));

TEST(RecipeTest, NoTextCrashesTheParser) {
  std::mt19937 random(11);
  const std::string letters = "kernel unroll i:4=#\n\t -_\x80\xff";
  for (int trial = 0; trial < 2000; ++trial) {
    std::string text;
    for (unsigned i = 0; i < random() % 60; ++i)
      text += letters[random() % letters.size()];
    RecipeError error;
    std::optional<Recipe> recipe = parseRecipe(text, error);
    EXPECT_EQ(recipe.has_value(), error.message.empty()) << text;
    EXPECT_EQ(error.line != 0, !recipe) << text;
  }
}
