//===- LayoutPlannerTest.cpp - converted buffers that pay -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/LayoutPlanner.h"
#include "Planning/search/Proposals.h"

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
  const Plan plan = firstPlan(tested.kernel, profile, AliasMode::Check);
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

/// Diagonals, structures of which some elements are used, and both; cells of
/// other directions are as near.
TEST(LayoutPlannerTest, WhatUndoesThePatternIsProposed) {
  auto loopOver = [](const std::string &read) {
    return "__kernel void f(__global const int *a, __global int *r, int n) {\n"
           "  int i = get_global_id(0), l = get_global_id(1), s = 0;\n"
           "  for (int k = 0; k < n; k++) s += l * (" +
           read + ");\n  r[l * n + i] = s; }\n";
  };
  EXPECT_EQ(proposalsFor(loopOver("a[(i + k) * n + k]"), "cpu"),
            "layout     a skew:1,1,0 buffer\n");
  EXPECT_EQ(proposalsFor(loopOver("a[8 * k + 3]"), "cpu"),
            "layout     a stride:8,3 buffer\n");
  EXPECT_EQ(proposalsFor(loopOver("a[8 * k + 3] - a[8 * k]"), "cpu"),
            "layout     a stride:8 buffer\n");
  EXPECT_EQ(proposalsFor(loopOver("a[8 * k] - a[4 * k]"), "cpu"), "");
  EXPECT_EQ(proposalsFor(loopOver("a[n - 1 - k]"), "cpu"), "");
  EXPECT_EQ(proposalsFor(loopOver("a[k + 1] + a[k]"), "cpu"), "");
  EXPECT_EQ(proposalsFor(loopOver("a[8 * i + 1]"), "generic-gpu"),
            "layout     a stride:8,1 buffer\n");
}

/// Elements of structures that are used, too, come with the same lines: planes
/// save nothing when all are, less when most are.
TEST(LayoutPlannerTest, UsedElementsComeAlong) {
  auto sum = [](const std::string &read) {
    return "__kernel void f(__global const int *a, __global int *r, int n) {\n"
           "  int i = get_global_id(0), s = 0;\n"
           "  for (int k = 0; k < n; k++) s += i * (" +
           read + ");\n  r[i] = s; }\n";
  };
  const DeviceProfile cpu = profileOf("cpu");
  auto usesOf = [&](const std::string &read) -> int64_t {
    TestedKernel tested(sum(read));
    std::optional<LayoutAdvice> advice = judgeLayouts(
        tested.kernel, proposeLayouts(tested.kernel, cpu), 10000, 1000, cpu);
    return advice ? advice->needs.at(0).minUses : -1;
  };
  EXPECT_EQ(usesOf("a[4 * k] + a[4 * k + 1] - a[4 * k + 2] * a[4 * k + 3]"),
            -1);
  EXPECT_GT(usesOf("a[16 * k]"), 0);
  EXPECT_GT(usesOf("a[16 * k + 3] + a[16 * k]"), usesOf("a[16 * k + 3]"));
}

/// F10: zeros in all rows that the loop sums along.
TEST(LayoutPlannerTest, F10RowsOfOneSumArePaddedTogether) {
  TestedKernel tested(productOf("b[k * n + j]"));
  const DeviceProfile cpu = profileOf("cpu");
  const unsigned loop = tested.loop("k");
  EXPECT_EQ(stepsOf(padRows(tested.kernel, proposeLayouts(tested.kernel, cpu),
                            loop, 8)),
            "layout     b transpose buffer pad=8\n"
            "layout     a buffer pad=8\n");
  EXPECT_EQ(stepsOf(padRows(tested.kernel, {}, loop, 4)),
            "layout     a buffer pad=4\nlayout     b buffer pad=4\n");
}

/// What a vector loop leaves over costs; known multiples leave nothing.
TEST(LayoutPlannerTest, RestsOfVectorsCost) {
  auto clocks = [](const std::string &terms) {
    return clocksOf("__kernel void f(__global const float *a,\n"
                    "  __global const float *b, __global float *c, int n) {\n"
                    "  int i = get_global_id(1), j = get_global_id(0);\n"
                    "  float sum = 0;\n"
                    "  for (int k = 0; k < " +
                        terms +
                        "; k++)\n    sum += a[i * 64 + k] * b[j * 64 "
                        "+ k];\n  c[i * n + j] = sum; }\n",
                    {"-cl-unsafe-math-optimizations"});
  };
  EXPECT_GT(clocks("15"), clocks("16"));
  EXPECT_GT(clocks("23"), clocks("24"));
  EXPECT_LT(clocks("16"), clocks("24"));
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
  ASSERT_EQ(advice->needs.size(), 1u);
  EXPECT_EQ(advice->needs[0].dims, std::vector<unsigned>{1});
  EXPECT_GT(advice->needs[0].minUses, 1);
  EXPECT_GT(advice->needs[0].minBytes, 0);
  std::optional<LayoutAdvice> better =
      judgeLayouts(tested.kernel, proposals, 2000, 500, cpu);
  ASSERT_TRUE(better);
  EXPECT_LT(better->needs[0].minUses, advice->needs[0].minUses);
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
