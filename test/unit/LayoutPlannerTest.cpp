//===- LayoutPlannerTest.cpp - converted buffers that pay -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/LayoutPlanner.h"

#include "KernelTesting.h"

#include <cstdlib>

using namespace clopt;

namespace {

DeviceProfile profileOf(const std::string &name) {
  llvm::Expected<DeviceProfile> profile = loadProfile(name);
  if (!profile)
    std::abort();
  return *profile;
}

std::string productOf(const std::string &right) {
  return "__kernel void f(__global const float *a, __global const float *b,\n"
         "                __global float *c, int n) {\n"
         "  int i = get_global_id(1), j = get_global_id(0);\n"
         "  float sum = 0;\n"
         "  for (int k = 0; k < n; k++) sum += a[i * n + k] * " +
         right + ";\n  c[i * n + j] = sum; }\n";
}

std::string stepsOf(const std::vector<LayoutProposal> &proposals) {
  std::string text;
  for (const LayoutProposal &proposal : proposals)
    text += printSteps({proposal.step});
  return text;
}

std::string proposalsFor(const std::string &source, const std::string &device) {
  TestedKernel tested(source);
  return stepsOf(proposeLayouts(tested.kernel, profileOf(device)));
}

double clocksOf(const std::string &source,
                const std::vector<std::string> &flags) {
  TestedKernel tested(source, flags);
  const DeviceProfile profile = profileOf("cpu");
  const Plan plan = choosePlan(tested.kernel, profile, AliasMode::Check);
  return predictClocks(tested.kernel, plan, profile, AliasMode::Check)
      .value_or(-1);
}

} // namespace

TEST(LayoutPlannerTest, ColumnsOfTheInnermostLoopAreProposed) {
  EXPECT_EQ(proposalsFor(productOf("b[k * n + j]"), "cpu"),
            "layout     b transpose buffer\n");
  EXPECT_EQ(proposalsFor(productOf("b[j * n + k]"), "cpu"), "");
}

TEST(LayoutPlannerTest, OfThreeDimensionsTheOneThatMoves) {
  EXPECT_EQ(proposalsFor("__kernel void f(__global const float *a,\n"
                         "  __global float *r, int n, int m) {\n"
                         "  int j = get_global_id(0), i = get_global_id(1);\n"
                         "  for (int k = 0; k < n; k++)\n"
                         "    r[i * m + j] += a[k * m * m + i * m + j]; }\n",
                         "cpu"),
            "layout     a transpose:0,2 buffer\n");
}

/// Every access has to gain by the same exchange.
TEST(LayoutPlannerTest, AccessesThatWantOtherLayoutsKeepTheirs) {
  EXPECT_EQ(proposalsFor(productOf("b[k * n + j] * b[j * n + k]"), "cpu"), "");
}

TEST(LayoutPlannerTest, WorkItemsOfGpusAreTheirNeighbours) {
  const std::string rows =
      "__kernel void f(__global const float *a, __global float *r, int n) {\n"
      "  int i = get_global_id(0), j = get_global_id(1);\n"
      "  r[j * n + i] = a[i * n + j]; }\n";
  EXPECT_EQ(proposalsFor(rows, "generic-gpu"),
            "layout     a transpose buffer\n");
  EXPECT_EQ(proposalsFor(rows, "cpu"), "") << "no loop";
  EXPECT_EQ(proposalsFor(productOf("b[k * n + j]"), "generic-gpu"), "");
}

TEST(LayoutPlannerTest, RowsAreFasterThanColumnsOnCpus) {
  const std::vector<std::string> anyOrder = {"-cl-unsafe-math-optimizations"};
  double columns = clocksOf(productOf("b[k * n + j]"), anyOrder);
  double rows = clocksOf(productOf("b[j * n + k]"), anyOrder);
  EXPECT_GT(columns, 0);
  EXPECT_LT(rows, 0.6 * columns);
  // A sum in its order has no lanes along its loop.
  EXPECT_GT(clocksOf(productOf("b[j * n + k]"), {}), rows);
}

TEST(LayoutPlannerTest, StepsBeyondTheModelHaveNoPrediction) {
  TestedKernel tested(productOf("b[k * n + j]"));
  Plan plan;
  Step step;
  step.name = "tile";
  plan.steps.push_back(step);
  EXPECT_FALSE(predictClocks(tested.kernel, plan, profileOf("generic-gpu"),
                             AliasMode::Check));
}

TEST(LayoutPlannerTest, OnlyClearGainsCount) {
  TestedKernel tested(productOf("b[k * n + j]"));
  const DeviceProfile cpu = profileOf("cpu");
  std::vector<LayoutProposal> proposals = proposeLayouts(tested.kernel, cpu);
  EXPECT_FALSE(judgeLayouts(tested.kernel, proposals, 1000, 601, cpu));
  std::optional<LayoutAdvice> advice =
      judgeLayouts(tested.kernel, proposals, 1000, 500, cpu);
  ASSERT_TRUE(advice);
  // b[k][j] is the same for all work-items along dimension 1.
  EXPECT_EQ(advice->dims, std::vector<unsigned>{1});
  EXPECT_GT(advice->leastUses, 1);
  EXPECT_GT(advice->leastBytes, 0);
  std::optional<LayoutAdvice> better =
      judgeLayouts(tested.kernel, proposals, 2000, 500, cpu);
  ASSERT_TRUE(better);
  EXPECT_LT(better->leastUses, advice->leastUses);
}

/// Cells that are used once have to repay their conversion at once.
TEST(LayoutPlannerTest, NobodySharesACellThatIsUsedOnce) {
  TestedKernel tested(
      "__kernel void f(__global const float *a, __global float *r, int n) {\n"
      "  int i = get_global_id(0), j = get_global_id(1);\n"
      "  r[j * n + i] = a[i * n + j]; }\n");
  const DeviceProfile gpu = profileOf("generic-gpu");
  std::vector<LayoutProposal> proposals = proposeLayouts(tested.kernel, gpu);
  ASSERT_EQ(proposals.size(), 1u);
  double conversion = 2 * gpu.latency.global;
  EXPECT_FALSE(judgeLayouts(tested.kernel, proposals, 2 * conversion,
                            0.5 * conversion, gpu));
  EXPECT_TRUE(judgeLayouts(tested.kernel, proposals, 4 * conversion,
                           1.5 * conversion, gpu));
}
