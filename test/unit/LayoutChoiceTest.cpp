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

Result plannedText(const std::string &source, const std::string &target,
                   const std::vector<std::string> &flags = {}) {
  Options options;
  options.target = target;
  options.makePlan = true;
  options.buildFlags = flags;
  return optimize("f.cl", source, options);
}

std::string rowSums(const std::string &terms) {
  return "__kernel void f(__global const float *restrict a,\n"
         "                __global const float *restrict b,\n"
         "                __global float *restrict c, int n) {\n"
         "  int i = get_global_id(1), j = get_global_id(0);\n"
         "  float sum = 0;\n"
         "  for (int k = 0; k < " +
         terms + "; k++) sum += a[i * " + terms + " + k] * b[j * " + terms +
         " + k];\n  c[i * n + j] = sum; }\n";
}

/// F10: 15 terms are two vectors with a zero, 16 need none.
TEST(LayoutChoiceTest, F10ShortSumsArePadded) {
  const std::vector<std::string> anyOrder = {"-cl-unsafe-math-optimizations"};
  const Result result = plannedText(rowSums("15"), "cpu", anyOrder);
  ASSERT_TRUE(converts(result));
  EXPECT_NE(result.recipe.find("kernel f plan\nlayout     a buffer pad=8\n"
                               "layout     b buffer pad=8\nvectorize  k:8\n"),
            std::string::npos)
      << result.recipe;
  EXPECT_FALSE(converts(plannedText(rowSums("16"), "cpu", anyOrder)));
  EXPECT_FALSE(converts(plannedText(rowSums("15"), "cpu")));
}

/// F06: diagonals that several work-items sum along.
TEST(LayoutChoiceTest, F06DiagonalsBecomeRows) {
  const std::string source =
      "__kernel void f(__global const float *restrict a,\n"
      "                __global float *restrict c, int n) {\n"
      "  int i = get_global_id(0), l = get_global_id(1); float s = 0;\n"
      "  for (int k = 0; k < n; k++) s += a[(i + k) * n + k] * l;\n"
      "  c[l * n + i] = s; }\n";
  const Result result = plannedText(source, "cpu");
  ASSERT_TRUE(converts(result));
  EXPECT_NE(result.recipe.find("layout     a skew:1,1,0 buffer"),
            std::string::npos)
      << result.recipe;
}

/// In a short loop the lines of a few rows stay near, for the next work-items.
TEST(LayoutChoiceTest, ShortColumnsStay) {
  const std::string source =
      "__kernel void f(__global const float *restrict a,\n"
      "                __global const float *restrict b,\n"
      "                __global float *restrict c, int n) {\n"
      "  int i = get_global_id(1), j = get_global_id(0);\n"
      "  float sum = 0;\n"
      "  for (int k = 0; k < 16; k++) sum += a[i * 16 + k] * b[k * n + j];\n"
      "  c[i * n + j] = sum; }\n";
  EXPECT_FALSE(
      converts(plannedText(source, "cpu", {"-cl-unsafe-math-optimizations"})));
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
