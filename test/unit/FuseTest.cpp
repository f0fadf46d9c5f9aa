//===- FuseTest.cpp - two loops in sequence become one --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"
#include "Transform/verify/VerifySteps.h"

using namespace clopt;

static std::string loopsOf(const std::string &first, const std::string &second,
                           const std::string &between = "") {
  return kernelOf("int x = 0;\nfor (int k = 0; k < n; k++) { " + first +
                  " }\n" + between + "for (int j = 0; j < n; j++) { " + second +
                  " }");
}

/// Taken, with the same order to an eye that knows nothing of the step.
static void expectFused(const std::string &source, const std::string &steps) {
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply(steps).message, "") << source << steps;
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  EXPECT_FALSE(wrong) << source << steps << wrong->message;
}

TEST(FuseTest, OneLoopHasBothBodies) {
  TestedKernel tested(loopsOf("r[k] = 1;", "s[j] = r[j] + j / 2;"));
  ASSERT_EQ(tested.apply("fuse k j").message, "");
  EXPECT_EQ(printTree(tested.kernel), "schedule of f\n"
                                      "  S0: int x = 0;\n"
                                      "  loop k\n"
                                      "    S1: r[k] = 1;\n"
                                      "    S2: s[j] = r[j] + j / 2;\n");
}

TEST(FuseTest, EarlierIterationsMayBeUsed) {
  expectFused(loopsOf("r[k + 1] = 1;", "s[j] = r[j];"), "fuse k j");
  expectFused(loopsOf("s[k] = r[k + 1];", "r[j] = 1;"), "fuse k j");
  expectFused(loopsOf("s[k] = 1;", "r[j] = s[j];"), "fuse k j\nunroll k:3");
  expectFused(loopsOf("s[k] = 1;", "r[j] = s[j];"), "fuse k j\nvectorize k:4");
}

TEST(FuseTest, LaterIterationsMayNot) {
  expectRefused(loopsOf("r[k] = 1;", "s[j] = r[j + 1];"), "fuse k j",
                "clopt-dependence", "the value written to 'r'");
  expectRefused(loopsOf("s[k] = r[k];", "r[j + 1] = 1;"), "fuse k j",
                "clopt-dependence", "'r'");
  expectRefused(loopsOf("r[k] = 1;", "s[j] = r[p[j]];"), "fuse k j",
                "clopt-dependence", "'r'");
}

TEST(FuseTest, BuffersThatMayOverlapAreChecked) {
  const std::string source = loopsOf("a[k] = 1;", "b[j] = 2;");
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply("fuse k j").message, "");
  EXPECT_EQ(tested.kernel.disjointArrays.size(), 1u);
  expectRefused(source, "fuse k j", "clopt-may-alias", "may overlap",
                AliasMode::Strict);
}

TEST(FuseTest, PrivateValuesKeepTheirReaders) {
  expectRefused(loopsOf("x += p[k];", "r[j] = x;"), "fuse k j",
                "clopt-dependence", "the value of 'x' goes from");
  expectFused(loopsOf("int y = p[k]; r[k] = y;", "int y = p[j + 1]; s[j] = y;"),
              "fuse k j");
}

TEST(FuseTest, Refusals) {
  const std::string source = loopsOf("r[k] = 1;", "s[j] = 2;");
  expectRefused(source, "fuse k", "", "'fuse' needs two loops");
  expectRefused(source, "fuse k j:2", "", "'fuse' takes no numbers");
  expectRefused(source, "fuse k q", "", "has no loop 'q'");
  expectRefused(source, "fuse k k", "clopt-dependence", "does not follow");
  expectRefused(source, "fuse j k", "clopt-dependence", "does not follow");
  expectTaken(loopsOf("r[k] = 1;", "s[j + 1] = s[j];"),
              "vectorize k:4\nfuse k j");
  expectRefused(loopsOf("r[k] = 1;", "s[j + 1] = s[j]; s[j + 2] = 2;"),
                "vectorize k:4\nfuse k j", "clopt-dependence",
                "the value written to 's'");
  expectRefused(loopsOf("r[k] = 1;", "s[j] = 2;", "r[n] = 3;\n"), "fuse k j",
                "clopt-dependence", "does not follow");
  expectRefused(
      loopsOf("r[k] = 1;", "barrier(CLK_GLOBAL_MEM_FENCE); s[j] = 2;"),
      "fuse k j", "clopt-barrier", "barrier");
  expectRefused(kernelOf("for (int k = 0; k < n; k++) r[k] = 1;\n"
                         "for (int j = 0; j < m; j++) s[j] = 1;"),
                "fuse k j", "clopt-dependence", "the same iterations");
}
