//===- SplitReductionTest.cpp - which loops work-items may share ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

using namespace clopt;

/// A row per work-item; `body` in the loop, `after` behind it.
static std::string
row(const std::string &body, const std::string &after,
    const std::string &before = "int sum = 0;",
    const std::string &head = "int k = p[i]; k < p[i + 1]; k++") {
  return kernelOf("int i = get_global_id(0);\n" + before + "\nfor (" + head +
                  ") {\n" + body + "\n}\n" + after);
}

TEST(SplitReductionTest, SharesRowsWhoseLengthIsData) {
  expectTaken(row("sum += p[k];", "r[i] = sum;"), "split-reduction k:8");
  expectTaken(row("sum += p[k];", "r[i] = sum + r[i];"),
              "split-reduction k:256");
  expectTaken(row("if (p[k] > 3) sum = max(sum, p[k]);", "r[i] = sum;"),
              "split-reduction k:2");
}

// F28
TEST(SplitReductionTest, SharesAffineLoops) {
  expectTaken(row("sum ^= p[k];", "r[i] = sum;", "int sum = 0;",
                  "int k = 0; k < n; k++"),
              "split-reduction k:8");
  expectTaken(row("sum ^= p[k];", "r[i] = sum;", "int sum = 0;",
                  "int k = n; k > i; k -= 3"),
              "split-reduction k:8");
}

TEST(SplitReductionTest, ValuesThatAreUsedInTheLoopAreNoResults) {
  expectRefused(row("sum += p[k]; all |= sum;", "r[i] = sum + all;",
                    "int sum = 0, all = 0;"),
                "split-reduction k:8", "clopt-dependence",
                "the value of 'sum' goes from one iteration to the next");
  expectRefused(row("sum = p[k] - sum;", "r[i] = sum;"), "split-reduction k:8",
                "clopt-dependence", "the value of 'sum'");
  expectRefused(row("sum += p[k]; sum *= 3;", "r[i] = sum;"),
                "split-reduction k:8", "clopt-dependence",
                "the value of 'sum'");
}

// F28
TEST(SplitReductionTest, SumsOfFractionsNeedPermission) {
  Refusal refusal =
      expectRefused(row("sum += a[k];", "b[i] = sum;", "float sum = 0;"),
                    "split-reduction k:8", "clopt-reassociation",
                    "the value of 'sum' goes from one iteration to the next");
  EXPECT_EQ(refusal.hint, "pass -cl-unsafe-math-optimizations");
}

TEST(SplitReductionTest, ALoopThatWritesMemoryIsNotShared) {
  expectRefused(row("sum += p[k]; r[k] = 0;", "r[i] = sum;"),
                "split-reduction k:8", "clopt-dependence",
                "the loop writes 'r' at line");
}

TEST(SplitReductionTest, AVariableOfTheHeadIsNotUsedAfterTheLoop) {
  expectRefused(row("sum += p[k];", "r[i] = sum + k;", "int sum = 0, k;",
                    "k = p[i]; k < p[i + 1]; k++"),
                "split-reduction k:8", "clopt-dependence",
                "'k' is used after the loop");
  expectTaken(row("sum += p[k];", "r[i] = sum;", "int sum = 0, k;",
                  "k = p[i]; k < p[i + 1]; k++"),
              "split-reduction k:8");
}

TEST(SplitReductionTest, TemporariesBelongToTheIteration) {
  expectTaken(row("t = p[k]; sum += t * t;", "r[i] = sum;", "int sum = 0, t;"),
              "split-reduction k:8");
  expectRefused(
      row("t = p[k]; sum += t * t;", "r[i] = sum + t;", "int sum = 0, t = 0;"),
      "split-reduction k:8", "clopt-dependence", "the value of 't'");
  expectRefused(
      row("sum += t; t = p[k];", "r[i] = sum;", "int sum = 0, t = 0;"),
      "split-reduction k:8", "clopt-dependence", "the value of 't'");
}

TEST(SplitReductionTest, ABoundThatTheLoopChangesIsNone) {
  expectRefused(row("sum += p[k]; e += 1;", "r[i] = sum;",
                    "int sum = 0, e = p[i];", "int k = p[i]; k < e; k++"),
                "split-reduction k:8", "clopt-non-affine-control",
                "the loop changes how often it runs");
}

TEST(SplitReductionTest, LanesNeedWhatOneOfThemSets) {
  expectRefused(row("sum += p[k];",
                    "if (p[sum]) { t = 2 * sum; r[i] = t; }\n"
                    "if (p[sum]) { u = t; }\n"
                    "r[i + n] = u;",
                    "int sum = 0, t = 0, u = 0;"),
                "split-reduction k:8", "clopt-dependence",
                "the value of 't' is set together with memory");
}

TEST(SplitReductionTest, LoopsAroundBarriersRunAlike) {
  expectRefused(kernelOf("int i = get_global_id(0);\n"
                         "for (int j = 0; j < i; j++) { int sum = 0;\n"
                         "for (int k = p[j]; k < p[j + 1]; k++) sum += p[k];\n"
                         "r[i * n + j] = sum; }"),
                "split-reduction k:8", "clopt-barrier",
                "work-items run a loop around it differently often");
}

// What other work-items do stands anywhere in the text, barriers included.
TEST(SplitReductionTest, LoopsOfOtherWorkItemsOrderNothing) {
  auto branches = [](const std::string &condition) {
    return kernelOf("int i = get_global_id(0);\nif (" + condition +
                    ") {\nr[i] += 3;\n} else {\nint sum = 0;\n"
                    "for (int k = 0; k < n; k++) { sum += p[k]; }\n}");
  };
  for (const char *condition : {"i < 4", "n < 4"}) {
    TestedKernel tested(branches(condition));
    EXPECT_EQ(tested.apply("privatize r").message, "") << condition;
    EXPECT_EQ(tested.apply("split-reduction k:8").message,
              "'r' is written by one of the work-items and read by the others")
        << condition;
  }
  TestedKernel after(row("sum += p[k];", "r[i] = sum;", "int sum = r[i];",
                         "int k = 0; k < n; k++"));
  EXPECT_EQ(after.apply("split-reduction k:8").message, "");
  EXPECT_TRUE(after.kernel.fencedStatements.empty());
}

TEST(SplitReductionTest, BarriersOrderWhatMayOverlap) {
  TestedKernel tested(row("sum += p[k];", "b[i] = sum;"));
  EXPECT_EQ(tested.apply("split-reduction k:8").message, "");
  EXPECT_TRUE(tested.kernel.ordersMemory);
  EXPECT_TRUE(tested.kernel.disjointArrays.empty());
}
