//===- CoarsenTest.cpp - which work-items may be merged -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

using namespace clopt;

static const char *const plain =
    "__kernel void f(__global float *a, int n) {\n"
    "  int i = get_global_id(1), j = get_global_id(0);\n"
    "  a[i * n + j] += 1; }";

TEST(CoarsenTest, BlocksAndStridesArePoints) {
  TestedKernel tested(plain);
  ASSERT_EQ(tested.apply("coarsen i:4\ncoarsen j:2 stride").message, "");
  EXPECT_EQ(tested.kernel.work[1].points, 4u);
  EXPECT_FALSE(tested.kernel.work[1].strided);
  EXPECT_EQ(tested.kernel.work[0].points, 2u);
  EXPECT_TRUE(tested.kernel.work[0].strided);
  EXPECT_TRUE(tested.kernel.isVirtual());
}

TEST(CoarsenTest, PointsAndLanesMultiply) {
  TestedKernel tested(plain);
  ASSERT_EQ(tested.apply("vectorize j:8\ncoarsen j:2").message, "");
  EXPECT_EQ(tested.kernel.work[0].total(), 16u);
}

TEST(CoarsenTest, AliasingDoesNotMatter) {
  expectTaken(kernelOf("int i = get_global_id(0); a[i] = b[i] + b[i + 1];"),
              "coarsen i:4", AliasMode::Strict);
}

TEST(CoarsenTest, CountsHaveLimits) {
  expectTaken(plain, "coarsen i:64");
  expectRefused(plain, "coarsen i:1", "clopt-not-profitable", "2 to 64");
  expectRefused(plain, "coarsen i:65", "clopt-not-profitable", "2 to 64");
  expectRefused(plain, "coarsen i:16 j:8", "clopt-not-profitable", "2 to 64");
  expectRefused(plain, "coarsen i", "", "'coarsen' needs a number: 'i:4'");
}

TEST(CoarsenTest, ADimensionIsCoarsenedOnce) {
  expectRefused(plain, "coarsen i:2\ncoarsen i:2", "clopt-dependence",
                "coarsened already");
}

TEST(CoarsenTest, LoopsAreNotWorkItems) {
  expectRefused(kernelOf("for (int k = 0; k < n; k++) r[k] = 1;"),
                "coarsen k:2", "", "no work-item dimension 'k'");
}
