//===- SymmetricTest.cpp - one half of a symmetric result is computed -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"
#include "Transform/verify/VerifySteps.h"

using namespace clopt;

static std::string kernelWith(const std::string &body) {
  return kernelOf("int j = get_global_id(0), i = get_global_id(1);\n" + body);
}

/// The tree after the steps, whose order is right to an eye that knows nothing
/// of them.
static std::string treeAfter(const std::string &body,
                             const std::string &steps) {
  TestedKernel tested(kernelWith(body));
  EXPECT_EQ(tested.apply(steps).message, "") << body;
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  EXPECT_FALSE(wrong) << body << steps << wrong->message;
  const std::string all = printTree(tested.kernel);
  return all.substr(0, all.find("  requires"));
}

TEST(SymmetricTest, F29EveryStoreHasAMirroredOne) {
  EXPECT_EQ(treeAfter("if (i < n && j < n) r[i * n + j] = s[i] * s[j];",
                      "symmetric i j"),
            "schedule of f\n"
            "  work w0 (j), w1 (i)\n"
            "    S0\n"
            "    S1\n"
            "    S3: s[i] * s[j]\n"
            "    S2: r[i * n + j] = s[i] * s[j];\n"
            "    S4\n");
}

TEST(SymmetricTest, F29HalfOfTheWorkItemsAreLeft) {
  TestedKernel tested(kernelWith("r[i * n + j] = s[i] * s[j];"));
  ASSERT_EQ(tested.apply("symmetric i j").message, "");
  for (const Statement &statement : tested.kernel.model->statements) {
    const isl::set half =
        isl::set(tested.model->context.get(),
                 "{ " + statement.name + "[w0, w1] : w1 <= w0 }");
    EXPECT_TRUE(statement.domain.is_subset(half));
  }
}

TEST(SymmetricTest, F29BuffersMayOverlap) {
  treeAfter("a[i * n + j] = b[i] * b[j];", "symmetric i j");
  treeAfter("a[i * n + j] = p[i] * p[j];\n"
            "b[i * n + j] = s[i] * s[j];\nr[i + j * m + 3] = 2;",
            "symmetric j i");
}

TEST(SymmetricTest, F29StepsMayFollow) {
  const std::string body = "if (i < n && j < n) {\n"
                           "float t = 0;\n"
                           "for (int k = 0; k < m; k++)\n"
                           "  t += s[i * m + k] * s[j * m + k];\n"
                           "r[i * n + j] = t;\n}";
  for (const char *steps : {"vectorize j:4", "coarsen i:4", "unroll k:2",
                            "coarsen i:2\ncoarsen j:2", "tile i:8"})
    treeAfter(body, std::string("symmetric i j\n") + steps);
}

TEST(SymmetricTest, Refusals) {
  const std::string one = kernelWith("r[i * n + j] = s[i] * s[j];");
  expectRefused(one, "symmetric i", "", "two dimensions");
  expectRefused(one, "symmetric i i", "", "two dimensions");
  expectRefused(one, "symmetric i:2 j", "", "two dimensions");
  expectRefused(one, "symmetric i q", "", "no loop or work-item dimension");
  expectRefused(one, "coarsen i:2\nsymmetric i j", "clopt-dependence",
                "changed by other steps");
  expectRefused(one, "symmetric i j\nsymmetric i j", "clopt-dependence",
                "changed by other steps");
  expectRefused(kernelWith("r[i * n + j] = s[i];"), "symmetric i j",
                "clopt-dependence", "the value of 'r' is not proved");
  expectRefused(kernelWith("if (i < j) r[i * n + j] = s[i] * s[j];"),
                "symmetric i j", "clopt-dependence", "run other statements");
  expectRefused(kernelWith("r[p[i] * n + j] = 1;"), "symmetric i j",
                "clopt-non-affine-subscript", "cannot be named");
  expectRefused(kernelWith("float x = s[i] * s[j];"), "symmetric i j",
                "clopt-not-profitable", "stores nothing");
}
