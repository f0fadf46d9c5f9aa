//===- NeighboursTest.cpp - recipes one change away from another ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/Neighbours.h"

#include "KernelTesting.h"
#include "Support/StepTable.h"

#include <algorithm>

using namespace clopt;

static const char *const product =
    "__kernel void f(__global const float *A, __global const float *B,\n"
    "                __global float *C, int n) {\n"
    "  int i = get_global_id(1), j = get_global_id(0);\n"
    "  for (int k = 0; k < n; k++)\n"
    "    C[i * n + j] += A[i * n + k] * B[k * n + j]; }";

static Neighbourhood around(const std::string &source,
                            const std::string &recipe,
                            const std::string &target = "cpu") {
  TestedKernel tested(source);
  llvm::Expected<DeviceProfile> profile = loadProfile(target);
  if (!profile) {
    ADD_FAILURE() << llvm::toString(profile.takeError());
    return {};
  }
  RecipeError error;
  std::optional<Recipe> parsed = parseRecipe(recipe, error);
  EXPECT_TRUE(parsed) << error.message;
  const std::vector<Step> steps = parsed->kernels.empty()
                                      ? std::vector<Step>()
                                      : parsed->kernels.front().steps;
  return findNeighbours(tested.kernel, steps, *profile, AliasMode::Check);
}

/// The steps of the neighbour with this change; "none" without one.
static std::string stepsOf(const Neighbourhood &all,
                           const std::string &change) {
  for (const Neighbour &one : all.others)
    if (one.change == change)
      return printSteps(one.steps);
  return "none";
}

TEST(NeighboursTest, F21NumbersAreHalvedAndDoubled) {
  const Neighbourhood all = around(product, "privatize C\nunroll k:4\n");
  EXPECT_EQ(stepsOf(all, "unroll k:8 for unroll k:4"),
            "privatize  C\nunroll     k:8\n");
  EXPECT_EQ(stepsOf(all, "unroll k:2 for unroll k:4"),
            "privatize  C\nunroll     k:2\n");
  EXPECT_EQ(stepsOf(all, "unroll k:3 for unroll k:4"), "none");
}

TEST(NeighboursTest, StepsAreLeftOutAndAdded) {
  const Neighbourhood all = around(product, "privatize C\nunroll k:4\n");
  EXPECT_EQ(stepsOf(all, "without privatize C"), "unroll     k:4\n");
  EXPECT_EQ(stepsOf(all, "without unroll k:4"), "privatize  C\n");
  EXPECT_EQ(stepsOf(all, "with coarsen i:4"),
            "privatize  C\nunroll     k:4\ncoarsen    i:4\n");
  // Dimensions are cut into tiles after what a work-item does is known: the
  // step stands where all others stay legal.
  EXPECT_NE(stepsOf(all, "with tile k:4"), "none");
}

TEST(NeighboursTest, F09LanesAreSideBySideOrAlongTheSum) {
  // Along the loop the additions would be in another order.
  const std::string sum =
      "__kernel void f(__global const float *a, __global float *r, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  for (int k = 0; k < n; k++) r[k * n + i] = a[k * n + i]; }";
  const Neighbourhood all = around(sum, "vectorize i:4\n");
  EXPECT_EQ(stepsOf(all, "vectorize k:4 for vectorize i:4"),
            "vectorize  k:4\n");
}

TEST(NeighboursTest, FlagsAndParametersOfTheTable) {
  const Neighbourhood all = around(product, "vectorize j:8\ncoarsen i:4\n");
  EXPECT_NE(stepsOf(all, "coarsen i:4 stride for coarsen i:4"), "none");
  EXPECT_NE(stepsOf(all, "vectorize j:8 load=4 for vectorize j:8"), "none");
  const Neighbourhood more =
      around(product, "vectorize j:8 load=2\ncoarsen i:4 stride\n");
  EXPECT_NE(stepsOf(more, "vectorize j:8 for vectorize j:8 load=2"), "none");
  EXPECT_NE(stepsOf(more, "vectorize j:8 load=4 for vectorize j:8 load=2"),
            "none");
  EXPECT_NE(stepsOf(more, "coarsen i:4 for coarsen i:4 stride"), "none");
}

TEST(NeighboursTest, StepsThatNeedWhatIsLeftOutGoWithIt) {
  // A loop of vectors is not unrolled: that is legal without the vectors only.
  const Neighbourhood all =
      around(product, "tile i:16 j:16 k:16\nstage A B\n", "nvidia-hopper");
  ASSERT_EQ(all.centre.steps.size(), 2u);
  const std::string without = stepsOf(all, "without tile i:16 j:16 k:16");
  EXPECT_EQ(without.find("stage"), std::string::npos) << without;
}

TEST(NeighboursTest, EveryNeighbourIsLegalAndNoTwoAreTheSame) {
  for (const char *recipe : {"", "privatize C\nvectorize j:8\ncoarsen i:4\n"}) {
    const Neighbourhood all = around(product, recipe);
    std::set<std::string> seen{printSteps(all.centre.steps)};
    for (const Neighbour &one : all.others) {
      EXPECT_TRUE(seen.insert(printSteps(one.steps)).second) << one.change;
      TestedKernel tested(product);
      EXPECT_EQ(tested.apply(printSteps(one.steps)).message, "") << one.change;
    }
    EXPECT_GT(all.others.size(), 10u);
  }
}

TEST(NeighboursTest, NumbersWithoutAnEffectAreNone) {
  const Neighbourhood all = around(product, "");
  EXPECT_NE(stepsOf(all, "with privatize C"), "none");
  EXPECT_EQ(stepsOf(all, "with privatize C:4"), "none");
  EXPECT_NE(stepsOf(all, "with unroll k:4"), "none");
}

TEST(NeighboursTest, NorInAnotherPlace) {
  const Neighbourhood all =
      around("__kernel void f(__global float *restrict x,\n"
             "                __global const float *restrict y,\n"
             "                __global const float *restrict z) {\n"
             "  int i = get_global_id(0);\n"
             "  x[i] = y[i] * (z[i + 1] + z[i + 2]); }",
             "vectorize i:4\nprivatize y\n");
  EXPECT_NE(stepsOf(all, "with privatize z"), "none");
  EXPECT_EQ(stepsOf(all, "with privatize z:2"), "none");
}

TEST(NeighboursTest, RequirementsStay) {
  const Neighbourhood all = around(product, "require k:16\nunroll k:4\n");
  for (const Neighbour &one : all.others)
    EXPECT_NE(printSteps(one.steps).find("require    k:16\n"),
              std::string::npos)
        << one.change;
  for (const Neighbour &one : around(product, "").others)
    EXPECT_EQ(one.change.find("require"), std::string::npos);
}

TEST(NeighboursTest, RefusedStepsAreNoPartOfTheCentre) {
  const Neighbourhood all = around(product, "unroll q:4\nunroll k:4\n");
  EXPECT_EQ(printSteps(all.centre.steps), "unroll     k:4\n");
}

TEST(NeighboursTest, ThePredictionComesAlong) {
  const Neighbourhood all = around(product, "privatize C\nvectorize j:8\n");
  ASSERT_TRUE(all.centre.clocks);
  for (const Neighbour &one : all.others)
    if (one.change == "without vectorize j:8") {
      ASSERT_TRUE(one.clocks);
      EXPECT_GT(*one.clocks, *all.centre.clocks);
    }
  for (const Neighbour &one : all.others)
    if (one.change == "with tile k:4") {
      EXPECT_FALSE(one.clocks); // beyond the model
    }
}
