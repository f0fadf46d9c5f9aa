//===- IndirectReadsTest.cpp - subscripts that are themselves data --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/IndirectReads.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

bool isIndirect(const std::string &body, const std::string &array = "a") {
  TestedKernel tested("__kernel void f(__global const float *a,\n"
                      "  __global const int *p, __global float *c, int n) {\n"
                      "  int x = get_global_id(0);\n  " +
                      body + "\n}\n");
  return indirectlyAccessed(*tested.model)[tested.array(array)];
}

TEST(IndirectReadsTest, SubscriptsFromMemory) {
  EXPECT_TRUE(isIndirect("c[x] = a[p[x]];"));
  EXPECT_TRUE(isIndirect("c[x] = *(a + p[x]);"));
  EXPECT_TRUE(isIndirect("int k = p[x]; c[x] = a[2 * k + 1];"));
  EXPECT_TRUE(isIndirect("int k; k = p[x]; int m = k + 1; c[x] = a[m];"));
  EXPECT_TRUE(
      isIndirect("for (int k = p[x]; k < p[x + 1]; k++) c[x] += a[p[k]];"));
  EXPECT_TRUE(isIndirect("int m = 0; for (int k = 0; k < n; k++) {\n"
                         "    c[x] += a[m]; m = p[m]; }"));
}

TEST(IndirectReadsTest, CountersAndIds) {
  EXPECT_FALSE(isIndirect("c[x] = a[x];"));
  EXPECT_FALSE(isIndirect("c[x] = a[x % n];"));
  EXPECT_FALSE(isIndirect("if (p[x] > 0) c[x] = a[x + 1];"));
  const std::string row = "for (int k = p[x]; k < p[x + 1]; k++) c[x] += a[k];";
  EXPECT_FALSE(isIndirect(row));
  EXPECT_FALSE(isIndirect("int k; for (k = p[x]; k < n; k++) c[x] += a[k];"));
  EXPECT_FALSE(isIndirect(row, "p"));
}

} // namespace
