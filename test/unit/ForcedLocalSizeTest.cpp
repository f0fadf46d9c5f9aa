//===- ForcedLocalSizeTest.cpp - the one local size with a meaning --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/memory/ForcedLocalSize.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

using Size = std::optional<std::array<int64_t, 3>>;

const std::string barrier = "barrier(CLK_LOCAL_MEM_FENCE);\n";

Size sizeOf(const std::string &body, const ModelOptions &options = {}) {
  const TestedKernel tested(
      "__kernel void f(__global float *a, __global float *b, __local float "
      "*p, int n) {\nint l = get_local_id(0), i = get_global_id(0);\n" +
          body + "}\n",
      {}, options);
  return forcedLocalSize(*tested.model);
}

/// `t[write]` is written, then `t[read]` read.
Size sizeFor(const std::string &write, const std::string &read) {
  return sizeOf("__local float t[64];\nt[" + write + "] = a[i];\n" + barrier +
                "b[i] = t[" + read + "];\n");
}

Size of(int64_t x, int64_t y, int64_t z) {
  return std::array<int64_t, 3>{x, y, z};
}

} // namespace

TEST(ForcedLocalSizeTest, CellsThatAreReadHaveToBeWritten) {
  EXPECT_EQ(sizeFor("l", "63 - l"), of(64, 1, 1));
  EXPECT_EQ(sizeFor("2 * l", "62 - 2 * l"), of(32, 1, 1));
  EXPECT_EQ(sizeOf("__local float t[64];\nt[l] = a[i];\n" + barrier +
                   "float s = 0;\nfor (int k = 0; k < 64; k++) s += t[k];\n"
                   "b[i] = s;\n"),
            of(64, 1, 1));
}

TEST(ForcedLocalSizeTest, SmallerGroupsHaveAMeaning) {
  // Each reads its own, or none that a smaller group lacks.
  EXPECT_EQ(sizeFor("l", "l"), std::nullopt);
  EXPECT_EQ(sizeFor("l", "0"), std::nullopt);
  EXPECT_EQ(sizeFor("l", "get_local_size(0) - 1 - l"), std::nullopt);
  // Another work-item's loop writes what a smaller group lacks.
  EXPECT_EQ(sizeOf("__local float t[64];\n"
                   "for (int k = l; k < 64; k += get_local_size(0))\n"
                   "t[k] = a[k];\n" +
                   barrier + "b[i] = t[63 - l];\n"),
            std::nullopt);
}

/// Whoever writes the cells: a smaller group has them all.
TEST(ForcedLocalSizeTest, OthersWriteTheCells) {
  const std::string t = "__local float t[64];\n";
  const std::string end = barrier + "b[i] = t[63 - l];\n";
  for (const char *fill :
       {"wait_group_events(1, (event_t[]){async_work_group_copy(t, a, 64, "
        "0)});\n",
        "event_t e = async_work_group_copy(t, a, 64, 0);\n"
        "wait_group_events(1, &e);\n",
        "if (l == 0) for (int k = 0; k < 64; k++) t[k] = a[k];\n",
        "int k = l; while (k < 64) { t[k] = a[k]; k += get_local_size(0); }\n",
        "__local float *q = t; for (int k = 0; k < 64; k++) q[k] = a[k];\n",
        "for (int k = 0; k < 16; k++) vstore4((float4)(0), k, t);\n",
        "__local float *q = n ? t : p; q[63] = q[l] = q[n] = 1;\n"})
    EXPECT_EQ(sizeOf(t + fill + end), std::nullopt) << fill;
  const TestedKernel helper(
      "void fill(__local float *t) { for (int k = 0; k < 64; k++) t[k] = k; }\n"
      "__kernel void f(__global float *b) {\n"
      "__local float t[64]; int l = get_local_id(0);\n"
      "fill(t);\n" +
      barrier + "b[get_global_id(0)] = t[63 - l]; }\n");
  EXPECT_EQ(forcedLocalSize(*helper.model), std::nullopt);
}

TEST(ForcedLocalSizeTest, LargerGroupsHaveAMeaning) {
  EXPECT_EQ(sizeOf("__local float t[64];\nif (l < 64) t[l] = a[i];\n" +
                   barrier + "if (l < 64) b[i] = t[63 - l];\n"),
            std::nullopt);
  // Two write one cell at once, perhaps the same value.
  EXPECT_EQ(sizeFor("l & 63", "(63 - l) & 63"), std::nullopt);
}

TEST(ForcedLocalSizeTest, WhatIsNotKnownProvesNothing) {
  const std::string end = barrier + "b[i] = t[63 - l];\n";
  const std::string t = "__local float t[64];\n";
  EXPECT_EQ(sizeOf(t + "t[(int)a[i]] = a[i];\n" + end), std::nullopt);
  EXPECT_EQ(sizeOf(t + "t[l] = a[i];\n" + barrier +
                   "if (a[0] > 0) b[i] = t[63 - l];\n"),
            std::nullopt);
  EXPECT_EQ(sizeOf(t + "t[(uchar)l] = a[i];\n" + end), std::nullopt);
  // The host decides how large the array is.
  EXPECT_EQ(sizeOf("p[l] = a[i];\n" + barrier + "b[i] = p[63 - l];\n"),
            std::nullopt);
  EXPECT_EQ(sizeOf("b[i] = a[i];\n"), std::nullopt);
  const TestedKernel noIds("__kernel void f(__global float *b) {\n"
                           "__local float t[4]; t[0] = 1; b[0] = t[0]; }\n");
  EXPECT_EQ(forcedLocalSize(*noIds.model), std::nullopt);
  ModelOptions promised;
  promised.localSize = {64u, 1u, 1u};
  EXPECT_EQ(sizeOf(t + "t[l] = a[i];\n" + end, promised), std::nullopt);
}

TEST(ForcedLocalSizeTest, Dimensions) {
  const std::string tile = "__local float t[8][16];\nint m = "
                           "get_local_id(1);\n";
  EXPECT_EQ(sizeOf(tile + "t[m][l] = a[i];\n" + barrier +
                   "b[i] = t[7 - m][15 - l];\n"),
            of(16, 8, 1));
  // Any number of rows.
  EXPECT_EQ(
      sizeOf(tile + "t[m][l] = a[i];\n" + barrier + "b[i] = t[m][15 - l];\n"),
      std::nullopt);
  // Several rows may load the same weights.
  EXPECT_EQ(sizeOf("__local float t[64];\nint y = get_global_id(1);\n"
                   "t[l] = a[l];\n" +
                   barrier + "b[y * n + i] = t[63 - l];\n"),
            std::nullopt);
}

TEST(ForcedLocalSizeTest, TilesInALoop) {
  EXPECT_EQ(sizeOf("__local float t[16];\nfloat s = 0;\n"
                   "for (int k = 0; k < n / 16; k++) {\n"
                   "t[l] = a[16 * k + l];\n" +
                   barrier + "for (int j = 0; j < 16; j++) s += t[j];\n" +
                   barrier + "}\nb[i] = s;\n"),
            of(16, 1, 1));
}

/// What a group probably is, where several sizes have a meaning.
static Size likelyFor(const std::string &body) {
  const TestedKernel tested(
      "__kernel void f(__global float *a, __global float *b, int n) {\n"
      "int l = get_local_id(0), m = get_local_id(1);\n"
      "int i = get_global_id(0), y = get_global_id(1);\n" +
      body + "}\n");
  return likelyLocalSize(*tested.model);
}

TEST(ForcedLocalSizeTest, ArraysAreAsLargeAsGroups) {
  const std::string end = "b[y * n + i] = s;\n";
  // Only 8 of the columns are read: 16 are what there is room for.
  EXPECT_EQ(likelyFor("__local float t[16][16];\nfloat s = 0;\n"
                      "t[m][l] = a[y * n + i];\n" +
                      barrier +
                      "for (int k = 0; k < 8; k++) s += t[m][k] * "
                      "t[k][l];\n" +
                      end),
            of(16, 16, 1));
  // 32 x 8, of which 16 columns are copied.
  EXPECT_EQ(likelyFor("__local float t[8][16], u[16][32];\nfloat s = 0;\n"
                      "if (l < 16) t[m][l] = a[y * n + l];\n"
                      "u[m][l] = a[m * n + i];\nu[m + 8][l] = a[(m + 8) * n + "
                      "i];\n" +
                      barrier +
                      "for (int k = 0; k < 16; k++) s += t[m][k] * "
                      "u[k][l];\n" +
                      end),
            of(32, 8, 1));
  // A column more keeps cells apart.
  EXPECT_EQ(likelyFor("__local float t[16][17];\nfloat s = 0;\n"
                      "t[m][l] = a[y * n + i];\n" +
                      barrier + "for (int k = 0; k < 16; k++) s += t[m][k];\n" +
                      end),
            of(16, 0, 1));
  // No device has groups as large as the array.
  EXPECT_EQ(likelyFor("__local float t[4096];\nfloat s = 0;\n"
                      "t[l] = a[i];\n" +
                      barrier + "for (int k = 0; k < 64; k++) s += t[k];\n" +
                      end),
            of(64, 0, 1));
}
