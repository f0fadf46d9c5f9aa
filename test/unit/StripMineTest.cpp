//===- StripMineTest.cpp - one loop as two, and how a loop runs -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"
#include "Transform/verify/VerifySteps.h"

using namespace clopt;

static std::string loopOf(const std::string &head) {
  return kernelOf("for (" + head + ") r[k] = s[k];");
}

/// The tree after the steps, in an order that is right to an eye that knows
/// nothing of them.
static std::string treeAfter(const std::string &source,
                             const std::string &steps) {
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(steps).message, "") << source << steps;
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  EXPECT_FALSE(wrong) << source << steps << wrong->message;
  return printTree(tested.kernel);
}

static const char *const up = "int k = 0; k < n; k++";

TEST(StripMineTest, TilesOfTilesAreALoopAround) {
  const std::string both = "schedule of f\n"
                           "  loop k_tile [tiles of k]\n"
                           "    loop k [tile 4]\n"
                           "      S0: r[k] = s[k];\n";
  EXPECT_EQ(treeAfter(loopOf(up), "tile k:16\ntile k:4"), both);
  EXPECT_EQ(treeAfter(loopOf(up), "tile k:4\ntile k:16"), both);
  EXPECT_EQ(treeAfter(loopOf(up), "tile k:4\ntile k:4"),
            treeAfter(loopOf(up), "tile k:4"));
}

TEST(StripMineTest, TilesOfVectorsAreALoopAround) {
  const std::string both = "schedule of f\n"
                           "  loop k_tile [tiles of k]\n"
                           "    loop k [lanes 4]\n"
                           "      S0: r[k] = s[k];\n";
  EXPECT_EQ(treeAfter(loopOf(up), "tile k:16\nvectorize k:4"), both);
  EXPECT_EQ(treeAfter(loopOf(up), "vectorize k:4\ntile k:16"), both);
}

TEST(StripMineTest, CopiesOfVectors) {
  const std::string both = "schedule of f\n"
                           "  loop k [lanes 4, unroll 2]\n"
                           "    S0: r[k] = s[k];\n";
  EXPECT_EQ(treeAfter(loopOf(up), "unroll k:2\nvectorize k:4"), both);
  EXPECT_EQ(treeAfter(loopOf(up), "vectorize k:4\nunroll k:2"), both);
  // All whole vectors of eleven iterations.
  const std::string short11 = loopOf("int k = 0; k < 11; k++");
  EXPECT_EQ(treeAfter(short11, "vectorize k:4\nunroll k"), both);
  EXPECT_EQ(treeAfter(short11, "unroll k\nvectorize k:4"), both);
}

TEST(StripMineTest, AllKindsOfLoopsKeepTheirOrder) {
  for (const char *head :
       {up, "int k = 3; k < n; k += 2", "int k = n; k >= m; k--",
        "int k = 17; k > n; k -= 3"})
    for (const char *steps : {"tile k:8\ntile k:3", "tile k:6\nvectorize k:4",
                              "tile k:16\ntile k:8\ntile k:4\nunroll k:2"})
      treeAfter(loopOf(head), steps);
}

TEST(StripMineTest, RegistersFollow) {
  const std::string source =
      kernelOf("int i = get_global_id(0);\n"
               "for (int k = 0; k < n; k++)\n"
               "  for (int j = 0; j < m; j++) r[i * n + k] += s[j];");
  treeAfter(source, "privatize r\ntile k:8\ntile k:4");
  treeAfter(source, "privatize r\npeel k:1");
  expectRefused(kernelOf("for (int k = 1; k < n; k++)\n"
                         "  s[k] = r[k - 1] + r[k];"),
                "hoist r\npeel k:1", "clopt-dependence",
                "are passed on from one iteration to the next");
}

TEST(StripMineTest, WhatIsMovedIsAskedAgain) {
  // The lanes of k rely on the order of the loops in their body.
  const std::string source = kernelOf("for (int k = 0; k < n; k++)\n"
                                      "  for (int i = 0; i < n; i++)\n"
                                      "    for (int j = 0; j < m; j++)\n"
                                      "      r[(k + j) * m + i] += s[k];");
  expectRefused(source, "vectorize k:4\ninterchange i j", "clopt-dependence",
                "");
}

/// A tile would begin with an iteration that only some work-items have.
TEST(StripMineTest, IterationsOfEachWorkItemHaveNoTilesInCommon) {
  auto from = [](const std::string &first) {
    return kernelOf("int l = get_local_id(0);\n"
                    "for (int k = " +
                    first + "; k < n; k += 4) r[n * l + k] = s[k];");
  };
  expectRefused(from("l"), "tile k:2\ntile k:8", "clopt-non-affine-control",
                "work-items run other iterations of 'k'");
  expectTaken(from("l"), "tile k:8");
  expectTaken(from("4 * l"), "tile k:2\ntile k:8");
  expectTaken(from("m"), "tile k:2\ntile k:8");
}
