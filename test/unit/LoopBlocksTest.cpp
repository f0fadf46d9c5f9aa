//===- LoopBlocksTest.cpp - several iterations around inner loops ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"
#include "Planning/search/Planner.h"

using namespace clopt;

namespace {

/// The plan for lanes along an outer loop, on a device that combines the
/// accesses of neighbours.
std::string planOf(const std::string &body, bool hasLocalMemory = true,
                   unsigned registers = 64, bool isApart = false) {
  std::string source = kernelOf("int i = get_global_id(0);\n" + body);
  for (size_t at = source.find("*"); isApart && at < source.find("{");
       at = source.find("*", at + 1))
    source.insert(at + 1, "restrict ");
  TestedKernel tested(source);
  DeviceProfile profile;
  profile.localMemoryIsReal = hasLocalMemory;
  profile.vectorizeComputation = false;
  profile.registersPerWorkItem = registers;
  std::optional<Plan> plan =
      planLoopBlocks(tested.kernel, profile, AliasMode::Check);
  return plan ? printSteps(plan->steps) : "";
}

/// A row of s with each row of r.
std::string nearest(const std::string &head = "int j = 0; j < m; j++",
                    const std::string &inner = "int k = 0; k < n; k++",
                    const std::string &factor = "r[j * n + k]") {
  return "float best = 0;\nfor (" + head + ") {\n  float t = 0;\n  for (" +
         inner + ") t += s[i * n + k] * " + factor +
         ";\n  best = fmax(best, t);\n}\na[i] = best;";
}

TEST(LoopBlocksTest, InnerLoopsRunOnceForEightIterations) {
  EXPECT_EQ(planOf(nearest()), "vectorize  j:8\nrequire    j:8\n"
                               "unroll     k:4 pragma\n");
}

TEST(LoopBlocksTest, LanesAreThoseThatALoopHas) {
  EXPECT_EQ(planOf(nearest("int j = 0; j < 16; j++")),
            "vectorize  j:8\nunroll     k:4 pragma\n");
  // Eight would leave four to be done one by one.
  EXPECT_EQ(planOf(nearest("int j = 0; j < 12; j++")),
            "vectorize  j:4\nunroll     k:4 pragma\n");
  EXPECT_EQ(planOf(nearest("int j = 0; j < 1; j++")), "");
}

TEST(LoopBlocksTest, InnerLoopsOfKnownLengthAreWrittenOut) {
  EXPECT_EQ(planOf(nearest("int j = 0; j < m; j++", "int k = 0; k < 16; k++")),
            "vectorize  j:8\nrequire    j:8\nunroll     k pragma\n");
  // Compilers do so with the whole nest.
  EXPECT_EQ(planOf(nearest("int j = 0; j < 8; j++", "int k = 0; k < 8; k++")),
            "");
}

TEST(LoopBlocksTest, NestsOfKnownLengthAreWrittenOut) {
  // Of loops within one another the inner one: its results lie together.
  EXPECT_EQ(planOf("for (int u = 0; u < 8; u++)\n"
                   "  for (int v = 0; v < 8; v++) {\n"
                   "    float t = 0;\n"
                   "    for (int y = 0; y < 8; y++)\n"
                   "      for (int x = 0; x < 8; x++)\n"
                   "        t += s[(i * 8 + y) * m + x] * b[u * 8 + y] *\n"
                   "             b[v * 8 + x];\n"
                   "    r[(i * 8 + u) * m + v] = t;\n  }"),
            "vectorize  v:8\nunroll     x pragma\nunroll     y pragma\n");
}

/// `for (k = p[i]; k < p[i + 1]; k++)`, around which j goes.
static std::string sparse(const std::string &first, const std::string &place) {
  return "for (int j = 0; j < m; j++) {\n  float t = 0;\n"
         "  for (int k = p[" +
         first + "]; k < p[" + first + " + 1]; k++)\n    t += s[k] * r[" +
         place + "];\n  a[i * m + j] = t;\n}";
}

TEST(LoopBlocksTest, LoopsThatDataEndsRunOnceForAllLanes) {
  auto planOfSparse = [](const std::string &first, const std::string &place) {
    return planOf(sparse(first, place), true, 64, true);
  };
  EXPECT_EQ(planOfSparse("i", "p[k] * m + j"),
            "vectorize  j:8\nrequire    j:8\n");
  // What lies apart is loaded for each lane.
  EXPECT_EQ(planOfSparse("i", "j * m + p[k]"),
            "vectorize  j:4\nrequire    j:4\n");
  // Not where each lane has an end of its own.
  EXPECT_EQ(planOfSparse("j", "p[k] * m + j"), "");
}

TEST(LoopBlocksTest, WorkItemsAreLanesOfLoopsThatDataEnds) {
  auto planOfRows = [](const std::string &row) {
    TestedKernel tested(
        "__kernel void f(__global const float *restrict s, __global const "
        "float *restrict r,\n  __global const int *restrict p, __global float "
        "*restrict a, int n, int m) {\n"
        "  int i = get_global_id(0), o = get_global_id(1);\n"
        "  float t = 0;\n  for (int k = p[" +
        row + "]; k < p[" + row +
        " + 1]; k++)\n    t += s[k * n + i] * r[o * m + k];\n"
        "  a[o * n + i] = t; }");
    DeviceProfile profile;
    profile.localMemoryIsReal = true;
    profile.vectorizeComputation = false;
    profile.computeUnits = 10;
    profile.itemsPerComputeUnit = 100;
    std::optional<Plan> plan =
        planLoopBlocks(tested.kernel, profile, AliasMode::Check);
    return plan ? printSteps(plan->steps) : "";
  };
  EXPECT_EQ(planOfRows("i"), "vectorize  o:4\nrequire    items=2000\n");
  EXPECT_EQ(planOfRows("o"), "");
}

// Neighbours have them in common, and squares of work-items share more.
TEST(LoopBlocksTest, WindowsOfKnownSizeStay) {
  auto windows = [](const std::string &radius) {
    return planOf("float best = 0;\nfor (int j = 0; j < m; j++) {\n"
                  "  float t = 0;\n  for (int k = -" +
                  radius + "; k <= " + radius +
                  "; k++)\n    t += s[i + k] * r[j * n + k];\n"
                  "  best = fmax(best, t);\n}\na[i] = best;");
  };
  EXPECT_EQ(windows("4"), "");
  EXPECT_EQ(windows("n"), "vectorize  j:8\nrequire    j:8\n"
                          "unroll     k:4 pragma\n");
}

TEST(LoopBlocksTest, FewRegistersMakeFewLanes) {
  EXPECT_EQ(planOf(nearest(), true, 8),
            "vectorize  j:4\nrequire    j:4\nunroll     k:4 pragma\n");
}

TEST(LoopBlocksTest, EveryLaneHasTheArraysOfAnIteration) {
  auto withArray = [](const std::string &cells) {
    return planOf("for (int j = 0; j < m; j++) {\n  float t[" + cells +
                  "];\n  for (int k = 0; k < " + cells +
                  "; k++) t[k] = 0;\n"
                  "  for (int l = 0; l < n; l++)\n"
                  "    t[1] += s[i * n + l] * r[j * n + l];\n"
                  "  a[j * n + i] = t[0] + t[1];\n}");
  };
  EXPECT_EQ(withArray("2").substr(0, 14), "vectorize  j:8");
  EXPECT_EQ(withArray("5").substr(0, 14), "vectorize  j:4");
  EXPECT_EQ(withArray("32"), "");
}

TEST(LoopBlocksTest, PartsOfOneSumAreNoResults) {
  EXPECT_EQ(planOf("int t = 0;\nfor (int j = 0; j < m; j++)\n"
                   "  for (int k = 0; k < n; k++)\n"
                   "    t += p[i * n + k] * p[j];\na[i] = t;"),
            "");
}

// Nothing is shared, or each iteration has lines of its own; there is no inner
// loop; two statements use what goes on; vectors are of neighbours.
TEST(LoopBlocksTest, WhatStays) {
  EXPECT_EQ(planOf(nearest("int j = 0; j < m; j++", "int k = 0; k < n; k++",
                           "r[(i * m + j) * n + k]")),
            "");
  EXPECT_EQ(planOf("float t = 0;\nfor (int j = 0; j < m; j++)\n"
                   "  for (int k = 0; k < n; k++) t += s[i * n + k];\n"
                   "a[i] = t;"),
            "");
  EXPECT_EQ(planOf("float best = 0;\nfor (int j = 0; j < m; j++)\n"
                   "  best = fmax(best, s[i] * r[j]);\na[i] = best;"),
            "");
  EXPECT_EQ(planOf("float best = 0;\nfor (int j = 0; j < m; j++) {\n"
                   "  float t = 0;\n"
                   "  for (int k = 0; k < n; k++)\n"
                   "    t += s[i * n + k] * r[j * n + k];\n"
                   "  best = best * t + 1;\n  a[i * m + j] = best;\n}"),
            "");
  EXPECT_EQ(planOf(nearest(), false), "");
}

} // namespace
