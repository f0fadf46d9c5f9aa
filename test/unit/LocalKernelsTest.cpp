//===- LocalKernelsTest.cpp - plans for kernels with local memory ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/LocalKernels.h"

#include "KernelTesting.h"

#include <llvm/Support/Error.h>

using namespace clopt;

static DeviceProfile deviceNamed(const std::string &name) {
  return llvm::cantFail(loadProfile(name));
}

static std::string inGroups(const std::string &body,
                            const std::string &group = "32, 8, 1") {
  return "__kernel __attribute__((reqd_work_group_size(" + group +
         ")))\nvoid f(__global int *a, int n) {\n"
         "  int l = get_local_id(0), m = get_local_id(1);\n" +
         body + "\n}\n";
}

static std::string padded(const std::string &body,
                          const DeviceProfile &profile) {
  TestedKernel tested(inGroups(body));
  return printSteps(paddingSteps(tested.kernel, profile));
}

static std::string unrolled(const std::string &body) {
  TestedKernel tested(inGroups(body));
  return printSteps(tileLoopSteps(tested.kernel, deviceNamed("nvidia-hopper")));
}

static const char *const columnOfTile =
    "__local int t[32][32]; t[m][l] = l;\n"
    "barrier(CLK_LOCAL_MEM_FENCE); a[l] = t[l][m];";

TEST(LocalKernelsTest, ColumnsArePadded) {
  DeviceProfile hopper = deviceNamed("nvidia-hopper");
  EXPECT_EQ(padded(columnOfTile, hopper), "pad        t:1\n");
  EXPECT_EQ(padded("__local int t[32][33]; t[m][l] = l;\n"
                   "barrier(CLK_LOCAL_MEM_FENCE); a[l] = t[l][m];",
                   hopper),
            "");
  EXPECT_EQ(padded("__local int t[32][32]; t[m][l] = l;\n"
                   "barrier(CLK_LOCAL_MEM_FENCE); a[l] = t[31 - m][l];",
                   hopper),
            "");
}

TEST(LocalKernelsTest, AWordPerGapForSmallElements) {
  EXPECT_EQ(padded("__local short t[1024]; t[l * 64] = l;\n"
                   "barrier(CLK_LOCAL_MEM_FENCE); a[l] = t[l * 32];",
                   deviceNamed("nvidia-hopper")),
            "pad        t:2 every=64\n");
}

/// Strides that do not divide the banks: gaps after the common multiple.
TEST(LocalKernelsTest, F13StridesThatAreNoPowerOfTwo) {
  DeviceProfile hopper = deviceNamed("nvidia-hopper");
  EXPECT_EQ(padded("__local int t[512]; t[l * 12] = l;\n"
                   "barrier(CLK_LOCAL_MEM_FENCE); a[l] = t[l * 12];",
                   hopper),
            "pad        t:1 every=96\n");
  EXPECT_EQ(padded("__local int t[1024]; t[l * 16] = l;\n"
                   "barrier(CLK_LOCAL_MEM_FENCE); a[l] = t[l * 16];",
                   hopper),
            "pad        t:1\n");
}

TEST(LocalKernelsTest, F13OddStridesAreLeftAlone) {
  for (const char *factor : {"1", "3", "5", "7", "31", "33"}) {
    std::string cell = std::string("t[l * ") + factor + "]";
    EXPECT_EQ(padded("__local int t[2048]; " + cell +
                         " = l; barrier(CLK_LOCAL_MEM_FENCE); a[l] = " + cell +
                         ";",
                     deviceNamed("nvidia-hopper")),
              "")
        << factor;
  }
}

/// Bytes: rows of 32 are 8 words, and 4 more bytes make them 9.
TEST(LocalKernelsTest, F14RowsOfBytesGetAWord) {
  EXPECT_EQ(padded("__local uchar t[32][32]; t[m][l] = l;\n"
                   "barrier(CLK_LOCAL_MEM_FENCE); a[l] = t[l][m];",
                   deviceNamed("nvidia-hopper")),
            "pad        t:4\n");
}

TEST(LocalKernelsTest, TreesArePadded) {
  EXPECT_EQ(padded("__local int t[512]; t[l] = l;\n"
                   "for (int s = 1; s < 256; s *= 2) {\n"
                   "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "  if (2 * s * l < 256) t[2 * s * l] += t[2 * s * l + s]; }",
                   deviceNamed("nvidia-hopper")),
            "pad        t:1\n");
}

TEST(LocalKernelsTest, OrdinaryMemoryHasNoBanks) {
  EXPECT_EQ(padded(columnOfTile, deviceNamed("cpu")), "");
}

/// F23.
TEST(LocalKernelsTest, OccupancyIsKept) {
  DeviceProfile profile = deviceNamed("nvidia-hopper");
  // Four groups of 256 work-items are needed.
  profile.localMemoryBytes = 4 * 4096;
  EXPECT_EQ(padded(columnOfTile, profile), "");
  profile.localMemoryBytes = 4 * 4224;
  EXPECT_EQ(padded(columnOfTile, profile), "pad        t:1\n");
  // Fewer fitted before: none may be lost.
  profile.localMemoryBytes = 2 * 4096 + 100;
  EXPECT_EQ(padded(columnOfTile, profile), "");
  profile.localMemoryBytes = 3 * 4096 - 100;
  EXPECT_EQ(padded(columnOfTile, profile), "pad        t:1\n");
}

TEST(LocalKernelsTest, LoopsOverTiles) {
  EXPECT_EQ(unrolled("__local int t[32]; t[l] = l;\n"
                     "barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "for (int k = 0; k < 32; k++) a[l] += t[k];\n"
                     "for (int j = 0; j < n; j++) a[l] += t[j];\n"
                     "for (int i = 0; i < 32; i++) a[l] += i;"),
            "unroll     k\nunroll     j:4\n");
}

TEST(LocalKernelsTest, LoopsWithBarriersStay) {
  EXPECT_EQ(unrolled("__local int t[32]; t[l] = l;\n"
                     "for (int k = 0; k < 8; k++) {\n"
                     "  barrier(CLK_LOCAL_MEM_FENCE); a[l] += t[k]; }"),
            "");
}

TEST(LocalKernelsTest, CellsThatStayInRegisters) {
  TestedKernel tested(
      inGroups("__local int t[32], s[32]; t[l] = s[l] = l;\n"
               "for (int k = 0; k < n; k++) t[l] += s[l];\n"
               "for (int j = 0; j < n; j++) {\n"
               "  barrier(CLK_LOCAL_MEM_FENCE); s[l] = t[31 - l]; }"));
  auto may = [&](const char *array, const char *loop) {
    return mayKeepCells(tested.kernel, tested.array(array), tested.loop(loop));
  };
  EXPECT_TRUE(may("t", "k"));
  EXPECT_FALSE(may("s", "k")); // only read
  EXPECT_FALSE(may("s", "j")); // a barrier between
  EXPECT_TRUE(may("a", "j"));
}

static std::string mergedGroups(const std::string &loads) {
  TestedKernel tested(
      "__kernel void f(__global const float *a, __global const float *x,\n"
      "                __global float *y, int n) {\n"
      "  __local float t[64]; int g = get_group_id(0), l = get_local_id(0);\n"
      "  float s = 0;\n"
      "  for (int k = l; k < n; k += 64) s += " +
      loads +
      ";\n  t[l] = s; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (l == 0) { float r = 0; for (int i = 0; i < 64; i++) r += t[i];\n"
      "    y[g] = r; } }\n");
  return printSteps(mergingSteps(tested.kernel, deviceNamed("nvidia-hopper"),
                                 AliasMode::Check));
}

// Both come with as few requests: sharing one of two saves too little.
TEST(LocalKernelsTest, GroupsThatShareContiguousLoadsStay) {
  EXPECT_EQ(mergedGroups("a[g * n + k] * x[k]"), "");
}

// A request for each work-item is worth sharing.
TEST(LocalKernelsTest, GroupsThatShareScatteredLoadsAreMerged) {
  EXPECT_EQ(mergedGroups("a[g * n + k] * x[32 * k]"), "coarsen    g0:4\n");
}

TEST(LocalKernelsTest, GroupsThatShareNothingStay) {
  EXPECT_EQ(mergedGroups("a[g * n + k] * x[32 * (g * n + k)]"), "");
}

/// Of a textbook product in groups of size x size; `group`: an attribute.
static std::string mergedTiles(unsigned size, const std::string &group = "") {
  const std::string s = std::to_string(size);
  TestedKernel tested(
      group +
      " __kernel void f(__global const float *a, __global const float *b,\n"
      "                __global float *c, int n) {\n"
      "  __local float s[" +
      s + "][" + s + "], t[" + s + "][" + s +
      "];\n"
      "  int l = get_local_id(0), m = get_local_id(1);\n"
      "  int x = get_group_id(0) * " +
      s + " + l, y = get_group_id(1) * " + s +
      " + m;\n  float sum = 0;\n"
      "  for (int k = 0; k < n / " +
      s + "; k++) {\n    s[m][l] = a[y * n + k * " + s +
      " + l]; t[m][l] = b[(k * " + s +
      " + m) * n + x];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    for (int i = 0; i < " +
      s +
      "; i++) sum += s[m][i] * t[i][l];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE); }\n"
      "  c[y * n + x] = sum; }\n");
  return printSteps(mergingSteps(tested.kernel, deviceNamed("nvidia-hopper"),
                                 AliasMode::Check));
}

// All registers of the device go to 1,024 work-items with 64 of them each.
TEST(LocalKernelsTest, LargeGroupsAreMergedLess) {
  EXPECT_EQ(mergedTiles(16), "coarsen    g0:4\ncoarsen    g1:4\n");
  EXPECT_EQ(mergedTiles(32), "coarsen    g0:4\ncoarsen    g1:2\n");
  // What is known of groups goes before what they have room for.
  EXPECT_EQ(mergedTiles(32, "__attribute__((reqd_work_group_size(32, 4, 1)))"),
            "coarsen    g0:4\ncoarsen    g1:4\n");
}

/// Of one tile of a product: `rows` iterations, with `own` added in each.
static std::string mergedOnce(unsigned rows, const std::string &own = "0") {
  const std::string r = std::to_string(rows);
  TestedKernel tested(
      "__kernel void f(__global const float *a, __global const float *b,\n"
      "                __global float *c, int n) {\n"
      "  __local float s[" +
      r + "][" + r + "], t[" + r + "][" + r +
      "];\n"
      "  int l = get_local_id(0), m = get_local_id(1);\n"
      "  int x = get_group_id(0) * " +
      r + " + l, y = get_group_id(1) * " + r +
      " + m;\n  s[m][l] = a[y * n + l]; t[m][l] = b[m * n + x];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n  float sum = 0;\n"
      "  for (int i = 0; i < " +
      r + "; i++) sum += s[m][i] * t[i][l] + " + own +
      ";\n  c[y * n + x] = sum; }\n");
  return printSteps(mergingSteps(tested.kernel, deviceNamed("nvidia-hopper"),
                                 AliasMode::Check));
}

TEST(LocalKernelsTest, TilesThatAreFilledOnceAreMergedAlongOneDimension) {
  EXPECT_EQ(mergedOnce(16), "coarsen    g0:4\n");
  EXPECT_EQ(mergedOnce(8), "");
  // Loads from memory in the loop are as many as before.
  EXPECT_EQ(mergedOnce(16, "a[i * n + x]"), "");
}
