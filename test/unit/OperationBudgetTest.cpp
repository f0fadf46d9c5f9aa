//===- OperationBudgetTest.cpp - how much isl may compute -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No clock: what is allowed is a number of operations.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/OperationBudget.h"

#include "KernelTesting.h"
#include "Model/Operations.h"
#include "clopt/Clopt.h"

#include <isl/options.h>
#include <isl/val.h>

#include <algorithm>

using namespace clopt;

static std::string deepNest(unsigned depth) {
  std::string loops, sum;
  for (unsigned i = 0; i < depth; ++i) {
    std::string name = "i" + std::to_string(i);
    loops += "for (int " + name + " = 0; " + name + " < n; " + name + "++)\n";
    sum += (i ? " + " : "") + name;
  }
  return "__kernel void deep(__global float *a, int n) {\n" + loops + "a[" +
         sum + "] += 1.0f;\n}\n";
}

static const Function &kernelIn(const ParseResult &parsed) {
  return *parsed.unit->functions.front();
}

TEST(OperationBudgetTest, DepthIsThatOfLoopsInOneAnother) {
  ParseResult one = parseOpenCL("t.cl", deepNest(1), {});
  ParseResult three = parseOpenCL(
      "t.cl",
      "__kernel void f(__global int *a, int n) {\n"
      "  for (int i = 0; i < n; i++) { if (a[i]) { while (a[i]) a[i]--; } }\n"
      "  for (int i = 0; i < n; i++)\n"
      "    for (int j = 0; j < n; j++) { int k = 0; do a[k]++; while (++k < "
      "n); "
      "} }\n",
      {});
  ASSERT_TRUE(one.unit && three.unit);
  EXPECT_EQ(loopDepth(kernelIn(one)), 1u);
  EXPECT_EQ(loopDepth(kernelIn(three)), 3u);
}

TEST(OperationBudgetTest, DeepNestsGetFewer) {
  const uint64_t budget = 20000000;
  auto allowed = [&](unsigned depth, uint64_t most) {
    ParseResult parsed = parseOpenCL("t.cl", deepNest(depth), {});
    return operationsFor(kernelIn(parsed), most);
  };
  EXPECT_EQ(allowed(1, budget), budget);
  EXPECT_EQ(allowed(12, budget), budget);
  EXPECT_LT(allowed(13, budget), budget);
  EXPECT_NEAR(static_cast<double>(allowed(24, budget)), budget / 4.0, 1000);
  EXPECT_NEAR(static_cast<double>(allowed(60, budget)), budget / 25.0, 1000);
  EXPECT_EQ(allowed(60, 10), 1u);
  EXPECT_EQ(allowed(60, 0), 0u);
}

TEST(OperationBudgetTest, DivisionsMakeOperationsLonger) {
  ParseResult parsed = parseOpenCL(
      "t.cl",
      "__kernel void f(__global int *a, float x) {\n"
      "  int i = get_global_id(0);\n"
      "  a[i % 13 + 13 * (i / 169)] = i % 169 / 13 * (int)(x / 3.0f);\n}\n",
      {});
  ASSERT_TRUE(parsed.unit);
  EXPECT_EQ(quotientWeight(kernelIn(parsed)), 2.0);
  EXPECT_EQ(operationsFor(kernelIn(parsed), 1000), 500u);
}

TEST(OperationBudgetTest, TheModelIsMadeWithThese) {
  ModelOptions options;
  options.operationBudget = 20000000;
  ParseResult parsed = parseOpenCL("t.cl", deepNest(13), {});
  auto model = buildModel(*parsed.unit, kernelIn(parsed), options);
  EXPECT_EQ(isl_ctx_get_max_operations(model->context.get()),
            operationsFor(kernelIn(parsed), options.operationBudget));
}

TEST(OperationBudgetTest, ADeepNestKeepsItsTextWithARemark) {
  Options options;
  options.target = "generic-gpu";
  options.operationBudget = 100000;
  const std::string source = deepNest(40);
  Result result = optimize("t.cl", source, options);
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(result.output, source);
  EXPECT_TRUE(std::any_of(
      result.remarks.begin(), result.remarks.end(),
      [](const Remark &remark) { return remark.ruleId == "clopt-budget"; }));
}

static void work(isl_ctx *context, unsigned times) {
  for (unsigned k = 0; k < times; ++k)
    isl_val_free(isl_val_zero(context));
}

TEST(OperationBudgetTest, OperationsAreCounted) {
  isl_ctx *context = isl_ctx_alloc();
  isl_options_set_on_error(context, ISL_ON_ERROR_CONTINUE);
  const uint64_t before = operationsDone(context);
  work(context, 100000);
  const uint64_t after = operationsDone(context);
  EXPECT_GE(after - before, 100000u);
  EXPECT_LT(after - before, 100100u);
  isl_ctx_set_max_operations(context, after + 200);
  operationsDone(context);
  EXPECT_EQ(isl_ctx_get_max_operations(context), after + 200);
  EXPECT_EQ(isl_ctx_last_error(context), isl_error_none);
  isl_ctx_free(context);
}

TEST(OperationBudgetTest, ALimitLiesWithinTheOther) {
  isl_ctx *context = isl_ctx_alloc();
  isl_options_set_on_error(context, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(context, 10000);
  {
    OperationLimit inner(context, 1000);
    EXPECT_LT(isl_ctx_get_max_operations(context), 1200u);
    OperationLimit none(context, 0);
    EXPECT_LT(isl_ctx_get_max_operations(context), 1200u);
  }
  EXPECT_EQ(isl_ctx_get_max_operations(context), 10000u);
  {
    OperationLimit larger(context, 100000);
    EXPECT_EQ(isl_ctx_get_max_operations(context), 10000u);
    work(context, 11000);
  }
  EXPECT_EQ(isl_ctx_last_error(context), isl_error_none);
  isl_ctx_free(context);
}
