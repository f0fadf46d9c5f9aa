//===- StridedSumsTest.cpp - where rounds are planned ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/StridedSums.h"

#include "KernelTesting.h"

#include <llvm/Support/Error.h>

using namespace clopt;

static std::string
planned(const std::string &body, const std::string &device = "cpu",
        const std::string &bound = "(uint)n",
        const std::string &after = "barrier(CLK_LOCAL_MEM_FENCE);") {
  TestedKernel tested(kernelOf("float x = 0; for (uint i = get_global_id(0); "
                               "i < " +
                               bound + "; i += get_global_size(0)) { " + body +
                               " } " + after + " r[get_global_id(0)] = x;"));
  return printSteps(
      strideSteps(tested.kernel, llvm::cantFail(loadProfile(device))));
}

TEST(StridedSumsTest, GroupsGoThroughMemoryTogether) {
  const std::string both =
      "rounds     i:8 together\nrequire    i:32 group=16\n";
  EXPECT_EQ(planned("x += a[i];"), both);
  EXPECT_EQ(planned("x = fmax(x, a[i] + b[i + m]);"), both);
  EXPECT_EQ(planned("x += a[i] + a[i + get_local_size(0)];"), both);
}

TEST(StridedSumsTest, OnlyWhereNeighboursReadNeighbours) {
  EXPECT_EQ(planned("x += a[2 * i];"), "");
  EXPECT_EQ(planned("x += a[p[i]];"), "");
  EXPECT_EQ(planned("x += a[m];"), "");
  EXPECT_EQ(planned("for (int k = 0; k < m; k++) x += a[i];"), "");
}

TEST(StridedSumsTest, OnlyWhereTheLaunchIsKnownToGain) {
  EXPECT_EQ(planned("x += a[i];", "cpu", "(uint)n", ""), "");
  EXPECT_EQ(planned("x += a[i];", "cpu", "get_group_id(0) + 4 * m"), "");
}

TEST(StridedSumsTest, DevicesOfManyLanesHaveSeveralLoadsUnderWay) {
  for (const char *device : {"nvidia-hopper", "generic-gpu"}) {
    EXPECT_EQ(planned("x += a[i];", device), "rounds     i:8\n");
    EXPECT_EQ(planned("x += a[i];", device, "(uint)n", ""), "rounds     i:8\n");
    EXPECT_EQ(planned("x += a[i] * b[i];", device), "rounds     i:8\n");
    EXPECT_EQ(planned("x += a[i] * b[i] + a[i + m];", device),
              "rounds     i:5\n");
    EXPECT_EQ(planned("x += a[p[i]];", device), "rounds     i:8\n");
    EXPECT_EQ(planned("x += a[i] * a[i];", device), "rounds     i:8\n");
    EXPECT_EQ(
        planned("x += a[i] + b[i] + a[i + 1] + b[i + 1] + a[i + 2] + b[i + 2]"
                " + a[i + 3] + b[i + 3] + a[i + 4];",
                device),
        "");
    // What only some iterations load cannot come first.
    EXPECT_EQ(planned("if (x > 0) x += a[i];", device), "");
    // Nor what they write, or may.
    EXPECT_EQ(planned("r[i + n] = r[i];", device), "");
    EXPECT_EQ(planned("a[i] = b[i];", device), "");
  }
}

TEST(StridedSumsTest, SumsInLocalMemoryHaveSeveralLoadsUnderWay) {
  TestedKernel tested(
      "__kernel void f(__global const float *a, __global float *r, "
      "__local float *t, uint n) {\n"
      "  const uint l = get_local_id(0);\n  t[l] = 0;\n"
      "  for (uint i = l; i < n; i += get_local_size(0)) t[l] += a[i];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  r[get_global_id(0)] = t[l] + t[0]; }");
  EXPECT_EQ(printSteps(strideSteps(
                tested.kernel, llvm::cantFail(loadProfile("nvidia-hopper")))),
            "rounds     i:8\n");
}
