//===- PeelTest.cpp - the first or last iterations run apart --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"
#include "Transform/verify/VerifySteps.h"

using namespace clopt;

static std::string loopOf(const std::string &head) {
  return kernelOf("for (" + head + ") { r[k] = s[k]; s[k + 1] = 1; }");
}

/// Taken, with the same order to an eye that knows nothing of the step.
static void expectPeeled(const std::string &source, const std::string &steps) {
  TestedKernel tested(source);
  ASSERT_TRUE(tested.isStarted()) << source;
  ASSERT_EQ(tested.apply(steps).message, "") << source << steps;
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  EXPECT_FALSE(wrong) << source << steps << wrong->message;
}

TEST(PeelTest, TheLoopHasTwoParts) {
  TestedKernel tested(loopOf("int k = 0; k < n; k++"));
  ASSERT_EQ(tested.apply("peel k:2").message, "");
  EXPECT_EQ(printTree(tested.kernel), "schedule of f\n"
                                      "  loop k_part [written out]\n"
                                      "    loop k\n"
                                      "      S0: r[k] = s[k];\n"
                                      "      S1: s[k + 1] = 1;\n");
}

TEST(PeelTest, AllKindsOfLoopsKeepTheirOrder) {
  for (const char *head :
       {"int k = 0; k < n; k++", "int k = 3; k < n; k += 2",
        "int k = n; k >= m; k--", "int k = 17; k > n; k -= 3"})
    for (const char *steps :
         {"peel k:1", "peel k:3 last", "peel k:2\npeel k:1 last",
          "peel k:1\nunroll k:2", "unroll k:4\npeel k:1",
          "tile k:4\npeel k:1 last"})
      expectPeeled(loopOf(head), steps);
}

TEST(PeelTest, ThePlaceMayDependOnLoopsAndWorkItems) {
  const std::string source =
      kernelOf("int i = get_global_id(0);\n"
               "for (int j = 0; j < n; j++)\n"
               "  for (int k = j + i; k < n; k++) r[i * n + j] += s[k];");
  expectPeeled(source, "peel k:1");
  expectPeeled(source, "peel k:1 last");
  expectPeeled(source, "peel j:2");
  expectPeeled(source, "privatize r\npeel k:1");
}

TEST(PeelTest, Refusals) {
  const std::string loop = loopOf("int k = 0; k < n; k++");
  expectRefused(loop, "peel k", "", "'peel' needs a number: 'k:1'");
  expectRefused(loop, "peel q:1", "", "has no loop 'q'");
  expectRefused(loop, "peel k:65", "clopt-step-value", "at most 64 iterations");
  expectRefused(loop, "require k:4\npeel k:1", "clopt-dependence",
                "launches are chosen");
  expectRefused(kernelOf("for (int k = 0; k < n; k++) {\n"
                         "  if (p[k] > 3) break;\n"
                         "  r[k] = 1;\n}"),
                "peel k:1", "clopt-non-affine-control", "");
}
