//===- PricesTest.cpp - what a recipe gains, step by step -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clopt/Clopt.h"

#include <gtest/gtest.h>

using namespace clopt;

static const char *columns =
    "__kernel void sums(__global const float *a, __global float *s, int rows, "
    "int columns) { int c = get_global_id(0); if (c >= columns) return; "
    "s[c] = 0.0f; for (int r = 0; r < rows; r++) s[c] += a[r * columns + c]; }"
    "\n__kernel void other(__global float *a) { a[get_global_id(0)] = 1.0f; }";

static Result explained(Options options) {
  options.target = "nvidia-hopper";
  return optimize("a.cl", columns, options);
}

TEST(PricesTest, EveryStepHasAPrice) {
  Options options;
  options.explain = "sums";
  Result result = explained(options);
  ASSERT_EQ(result.kernels.size(), 2u);
  EXPECT_FALSE(result.kernels[1].prices);
  ASSERT_TRUE(result.kernels[0].prices);
  const PriceList &prices = *result.kernels[0].prices;
  EXPECT_EQ(prices.problem, "");
  ASSERT_GT(prices.steps.size(), 1u);
  EXPECT_EQ(prices.steps[0].label, "as written");
  for (const PriceReport &price : prices.steps)
    EXPECT_GT(price.nanoseconds, 0) << price.label << price.problem;
  // The sum is in memory as written: no two loads overlap.
  EXPECT_GT(prices.steps.front().nanoseconds,
            1.5 * prices.steps.back().nanoseconds);
  EXPECT_FALSE(prices.others.empty());
}

TEST(PricesTest, KernelsThatAreNotThereAreNamed) {
  Options options;
  options.explain = "sum";
  Result result = explained(options);
  EXPECT_FALSE(result.ok);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].message,
            "no kernel 'sum' in 'a.cl'; did you mean 'sums'?");
}

TEST(PricesTest, TheTextIsTheSame) {
  Options options;
  const Result without = explained(options);
  EXPECT_FALSE(without.kernels[0].prices);
  options.explain = "";
  const Result with = explained(options);
  EXPECT_EQ(with.output, without.output);
  EXPECT_EQ(with.recipe, without.recipe);
  ASSERT_TRUE(with.kernels[1].prices); // of kernels that stay, too
  EXPECT_EQ(with.kernels[1].prices->steps.size(), 1u);
}
