//===- TimeBudgetTest.cpp - how much work a file may take -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No clock: what is allowed is a number of operations.
//
//===----------------------------------------------------------------------===//

#include "Driver/TimeBudget.h"

#include "KernelTesting.h"
#include "clopt/Clopt.h"

#include <isl/val.h>

#include <algorithm>

using namespace clopt;

static std::string kernelOf(const std::string &name, unsigned loops) {
  std::string text = "__kernel void " + name +
                     "(__global float *restrict a, __global const float "
                     "*restrict b, int n) {\n  int i = get_global_id(0);\n";
  for (unsigned k = 0; k < loops; ++k)
    text +=
        "  for (int k = 0; k < n; k++)\n    a[k * n + i] += b[i * n + k];\n";
  return text + "}\n";
}

static bool hasRemark(const Result &result, const std::string &kernel,
                      const std::string &rule) {
  return std::any_of(
      result.remarks.begin(), result.remarks.end(), [&](const Remark &remark) {
        return remark.function == kernel && remark.ruleId == rule;
      });
}

TEST(TimeBudgetTest, AModelMayDoWhatIsLeft) {
  ParseResult parsed =
      parseOpenCL("t.cl", kernelOf("f", 2) + kernelOf("g", 2), {});
  ASSERT_TRUE(parsed.unit);
  Options options;
  options.timeBudget = 2; // 3 million operations for planning
  TimeBudget time(*parsed.unit, options);
  time.begin("f");
  auto model = time.build(*parsed.unit, *parsed.unit->functions.front());
  time.limitToShare(*model);
  const unsigned long first = isl_ctx_get_max_operations(model->context.get());
  EXPECT_LT(first, 1500000u);
  EXPECT_GT(first, 1000000u);
  for (unsigned k = 0; k < 1000; ++k)
    isl_val_free(isl_val_zero(model->context.get()));
  time.limitToShare(*model);
  EXPECT_LT(isl_ctx_get_max_operations(model->context.get()), first);
  time.charge(*model);
  EXPECT_FALSE(time.isSpent());
  time.finish();
}

TEST(TimeBudgetTest, WithoutABudgetOnlyTheAnalysisIsLimited) {
  ParseResult parsed = parseOpenCL("t.cl", kernelOf("f", 1), {});
  ASSERT_TRUE(parsed.unit);
  Options options;
  options.timeBudget = 0;
  TimeBudget time(*parsed.unit, options);
  time.begin("f");
  auto model = time.build(*parsed.unit, *parsed.unit->functions.front());
  time.limit(*model);
  EXPECT_EQ(isl_ctx_get_max_operations(model->context.get()),
            options.operationBudget);
  time.limitToShare(*model);
  EXPECT_EQ(isl_ctx_get_max_operations(model->context.get()), 0u);
  EXPECT_FALSE(time.isSpent());
  EXPECT_EQ(time.beginValidation(*model, 100), 100u);
}

TEST(TimeBudgetTest, ValidationIsShared) {
  ParseResult parsed =
      parseOpenCL("t.cl", kernelOf("f", 1) + kernelOf("g", 1), {});
  ASSERT_TRUE(parsed.unit);
  Options options;
  options.timeBudget = 4;
  TimeBudget time(*parsed.unit, options);
  for (const auto &function : parsed.unit->functions)
    time.addToValidation(*function);
  auto f = time.build(*parsed.unit, *parsed.unit->functions.front());
  auto g = time.build(*parsed.unit, *parsed.unit->functions.back());
  const uint64_t share = time.beginValidation(*f, UINT64_MAX);
  EXPECT_EQ(time.beginValidation(*f, 1000), 1000u);
  EXPECT_EQ(share, time.beginValidation(*g, UINT64_MAX));
  EXPECT_GT(isl_ctx_get_max_operations(g->context.get()), 0u);
  time.finishValidation(*f, 1000);
  EXPECT_GT(time.beginValidation(*g, UINT64_MAX), share);
}

TEST(TimeBudgetTest, VariantsOfPlansAreCharged) {
  ParseResult parsed =
      parseOpenCL("t.cl", kernelOf("f", 1) + kernelOf("g", 1), {});
  ASSERT_TRUE(parsed.unit);
  Options options;
  options.timeBudget = 4;
  TimeBudget time(*parsed.unit, options);
  for (const auto &function : parsed.unit->functions)
    time.addPlanToValidation(*function, 2);
  auto f = time.build(*parsed.unit, *parsed.unit->functions.front());
  auto g = time.build(*parsed.unit, *parsed.unit->functions.back());
  const uint64_t share = time.beginPlan("f", *f, UINT64_MAX);
  EXPECT_EQ(time.beginPlan("f", *f, 1000), 1000u);
  EXPECT_EQ(share, time.beginPlan("g", *g, UINT64_MAX));
  time.chargePlan("f", *f, 1000);
  EXPECT_LE(time.beginPlan("f", *f, UINT64_MAX), share - 1000);
  EXPECT_GT(time.beginPlan("f", *f, UINT64_MAX), share - 100000);
  EXPECT_FALSE(time.isPlanSpent("f"));
  time.chargePlan("f", *f, share);
  EXPECT_TRUE(time.isPlanSpent("f"));
  time.finishPlan("f");
  EXPECT_LT(time.beginPlan("g", *g, UINT64_MAX), share);
}

TEST(TimeBudgetTest, AKernelWithoutTimeKeepsItsText) {
  Options options;
  options.target = "cpu";
  options.timeBudget = 1e-6;
  const std::string source = kernelOf("f", 2) + kernelOf("g", 1);
  Result result = optimize("t.cl", source, options);
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.output, source);
  EXPECT_TRUE(hasRemark(result, "f", "clopt-time-budget"));
  EXPECT_TRUE(hasRemark(result, "g", "clopt-time-budget"));
  EXPECT_FALSE(hasRemark(result, "f", "clopt-budget"));
  EXPECT_FALSE(hasRemark(result, "f", "clopt-opaque-code"));
}

TEST(TimeBudgetTest, TheSameInputGivesTheSame) {
  const std::string source = kernelOf("f", 6) + kernelOf("g", 2);
  for (double seconds : {0.02, 0.1, 0.5}) {
    Options options;
    options.target = "cpu";
    options.timeBudget = seconds;
    const Result one = optimize("t.cl", source, options);
    const Result two = optimize("t.cl", source, options);
    ASSERT_TRUE(one.ok && two.ok);
    EXPECT_EQ(one.output, two.output);
    EXPECT_EQ(one.remarks.size(), two.remarks.size());
  }
}
