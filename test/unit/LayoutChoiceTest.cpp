//===- LayoutChoiceTest.cpp - the planner's own converted buffers ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RuntimeLayoutTest.cpp runs what is chosen.
//
//===----------------------------------------------------------------------===//

#include "Driver/LayoutChoice.h"

#include "clopt/Clopt.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

const char *const product =
    "__kernel void f(__global const float *restrict a,\n"
    "                __global const float *restrict b,\n"
    "                __global float *restrict c, int n) {\n"
    "  int i = get_global_id(1), j = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];\n"
    "  c[i * n + j] = sum; }\n";

Result planned(const std::string &target, bool anyOrder, bool withPlan = true) {
  Options options;
  options.target = target;
  options.makePlan = withPlan;
  if (anyOrder)
    options.buildFlags = {"-cl-unsafe-math-optimizations"};
  return optimize("f.cl", product, options);
}

bool converts(const Result &result) {
  const PlanKernel *kernel = result.plan.find("f");
  return kernel && !kernel->variants.front().buffers.empty();
}

} // namespace

TEST(LayoutChoiceTest, ProductsOnCpusReadATransposedCopy) {
  const Result result = planned("cpu", true);
  ASSERT_TRUE(converts(result));
  const PlanVariant &variant = result.plan.find("f")->variants.front();
  EXPECT_EQ(variant.buffers[0].source, "b");
  EXPECT_EQ(variant.before.size(), 1u);
  std::string advice;
  for (const PlanCondition &condition : variant.conditions)
    if (condition.isAdvice)
      advice += condition.expression + "; ";
  EXPECT_NE(advice.find("get_global_size(1) >= "), std::string::npos);
  EXPECT_NE(advice.find("b_t_cells * 4 >= "), std::string::npos);
  EXPECT_NE(result.recipe.find("kernel f plan\nlayout     b transpose buffer\n"
                               "vectorize  k:8\n"),
            std::string::npos)
      << result.recipe;
  // The drop-in kernel is what it was.
  const PlanVariant &last = result.plan.find("f")->variants.rbegin()[1];
  EXPECT_EQ(last.launch.kernel, "f");
}

TEST(LayoutChoiceTest, SumsInTheirOrderDoNot) {
  EXPECT_FALSE(converts(planned("cpu", false)));
}

TEST(LayoutChoiceTest, TilesInLocalMemoryAreBetter) {
  EXPECT_FALSE(converts(planned("nvidia-hopper", true)));
}

TEST(LayoutChoiceTest, WithoutAPlanThereAreNoCopies) {
  const Result result = planned("cpu", true, false);
  EXPECT_EQ(result.output.find("b_t"), std::string::npos);
}
