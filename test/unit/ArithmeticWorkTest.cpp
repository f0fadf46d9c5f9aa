//===- ArithmeticWorkTest.cpp - instructions of an iteration --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/ArithmeticWork.h"

#include "KernelTesting.h"

using namespace clopt;

/// Of the first loop, in which `statement` stands.
static int64_t work(const std::string &statement,
                    const std::string &steps = "") {
  TestedKernel tested(
      "__kernel void f(__global const float *restrict a,\n"
      "  __global float *restrict b, __global int *restrict c,\n"
      "  int n, int m) {\n"
      "  int i = get_global_id(0); float x = 0; int e = 0;\n"
      "  for (int k = 0; k < n; k++) {" +
      statement + "}\n  b[i] = x; c[i] = e; }");
  EXPECT_EQ(tested.apply(steps).message, "") << statement;
  return instructionsPerIteration(tested.kernel, 0);
}

TEST(ArithmeticWorkTest, OperatorsCountOne) {
  EXPECT_EQ(work("x += a[i * n + k] * a[k];"), 2);
  EXPECT_EQ(work("x = k < m ? x : -x;"), 3);
}

TEST(ArithmeticWorkTest, SubscriptsCountNothing) {
  EXPECT_EQ(work("x = a[(k * 7 + i) % m];"), 0);
}

TEST(ArithmeticWorkTest, DivisionsCostMore) {
  EXPECT_GT(work("x /= a[k];"), 5);
  EXPECT_GT(work("e += k / m;"), work("e += k / 7;"));
}

TEST(ArithmeticWorkTest, FunctionsCostMost) {
  EXPECT_GT(work("x += sin(a[k]);"), 50);
  EXPECT_LT(work("x += native_sin(a[k]);"), 4);
  EXPECT_LT(work("x += fma(a[k], x, 2.0f);"), 4);
}

TEST(ArithmeticWorkTest, EveryPointCounts) {
  EXPECT_EQ(work("x += a[i * n + k] * a[k];", "coarsen i:4"), 8);
}
