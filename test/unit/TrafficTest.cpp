//===- TrafficTest.cpp - footprints and times of arrays -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/Traffic.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

DeviceProfile device(const std::string &name) {
  return llvm::cantFail(loadProfile(name));
}

/// Figures of one array of one kernel.
ArrayTraffic figuresOf(const std::string &source, const std::string &array,
                       const std::string &target = "generic-gpu",
                       int64_t maxBytes = 8192) {
  TestedKernel tested(source);
  DeviceProfile profile = device(target);
  TrafficModel model(tested.kernel, profile);
  return model.traffic(tested.array(array), maxBytes);
}

const char *const stencil =
    "__kernel void f(__global const int *a, __global int *b, int w) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  int s = 0;\n"
    "  for (int j = 0; j < 3; j++) for (int i = 0; i < 3; i++)\n"
    "    s += a[(y + j) * (w + 2) + x + i];\n"
    "  b[y * w + x] = s; }\n";

const char *const product =
    "__kernel void f(__global const float *a, __global const float *b,\n"
    "                __global float *c, int n) {\n"
    "  int j = get_global_id(0), i = get_global_id(1);\n"
    "  float s = 0;\n"
    "  for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];\n"
    "  c[i * n + j] = s; }\n";

} // namespace

TEST(TrafficTest, TheBoxOfAStencil) {
  ArrayTraffic a = figuresOf(stencil, "a");
  EXPECT_EQ(a.groupCells, 18 * 18);
  EXPECT_EQ(a.tile, 0u);
  EXPECT_EQ(a.runs, 9);
  EXPECT_FALSE(a.launchCells);
}

TEST(TrafficTest, TilesOfALongLoopFitTheRoom) {
  ArrayTraffic a = figuresOf(product, "a");
  EXPECT_EQ(a.tile, 128u);
  EXPECT_EQ(a.groupCells, 16 * 128);
  EXPECT_EQ(figuresOf(product, "b", "generic-gpu", 1024).tile, 16u);
}

TEST(TrafficTest, ATableOfTheWholeLaunch) {
  ArrayTraffic t =
      figuresOf("__kernel void f(__global const int *t, __global int *b) {\n"
                "  int x = get_global_id(0); int s = 0;\n"
                "  for (int i = 0; i < 10; i++) s += t[2 * i + 1] * x;\n"
                "  b[x] = s; }\n",
                "t");
  EXPECT_EQ(t.launchCells, 19);
  EXPECT_EQ(t.groupCells, 19);
}

TEST(TrafficTest, DataDependentCellsAreNotCounted) {
  const char *source =
      "__kernel void f(__global const int *t, __global const int *c,\n"
      "                __global int *b) {\n"
      "  int x = get_global_id(0); b[x] = t[c[x]]; }\n";
  EXPECT_FALSE(figuresOf(source, "t").groupCells);
  EXPECT_EQ(figuresOf(source, "c").groupCells, 256);
}

TEST(TrafficTest, TheLocalSizeIsTheGroup) {
  ArrayTraffic a =
      figuresOf("__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
                "void f(__global const int *a, __global int *b) {\n"
                "  int x = get_global_id(0); b[x] = a[x] + a[x + 3]; }\n",
                "a");
  EXPECT_EQ(a.groupCells, 67);
}

TEST(TrafficTest, ClampedSubscriptsCountAsAwayFromTheBorder) {
  ArrayTraffic a = figuresOf(
      "__kernel void f(__global const int *a, __global int *b, int n) {\n"
      "  int x = get_global_id(0); if (x >= n) return; int s = 0;\n"
      "  for (int i = -1; i <= 1; i++) {\n"
      "    int p = x + i; p = p < 0 ? 0 : p >= n ? n - 1 : p;\n"
      "    s += a[p]; }\n"
      "  b[x] = s; }\n",
      "a");
  EXPECT_EQ(a.groupCells, 258);
}

TEST(TrafficTest, ScatteredRequestsTakeTurns) {
  const char *source =
      "__kernel void f(__global const int *a, __global const int *c,\n"
      "                __global int *b, int n) {\n"
      "  int x = get_global_id(0); b[x] = a[x * n] + c[x]; }\n";
  // 32 segments of 32 bytes instead of 4.
  EXPECT_EQ(figuresOf(source, "a").global, 8 * 219);
  EXPECT_EQ(figuresOf(source, "c").global, 219);
}

TEST(TrafficTest, ACacheServesWhatAGroupUsesAgain) {
  ArrayTraffic without = figuresOf(stencil, "a", "generic-gpu");
  EXPECT_EQ(without.global, 9 * 219);
  ArrayTraffic with = figuresOf(stencil, "a", "nvidia-hopper");
  EXPECT_LT(with.global, 9 * 302 / 3.0);
  EXPECT_GT(with.global, 9 * 40.0);
}

TEST(TrafficTest, ACacheDoesNotServeWhatStreamsBy) {
  EXPECT_EQ(figuresOf(product, "b", "nvidia-hopper").global, 256 * 302);
  // Cells side by side: one fetch for eight of them.
  EXPECT_EQ(figuresOf(product, "a", "nvidia-hopper").global,
            256 * (302 / 8.0 + 40 * 7 / 8.0));
}

TEST(TrafficTest, LocalMemoryPaysForTheCopy) {
  ArrayTraffic a = figuresOf(stencil, "a");
  EXPECT_DOUBLE_EQ(a.local, 324 / 256.0 * (219 + 48) + 2 * 48 + 9 * 48);
}

/// Wide cells are as many requests where they come from memory, one where they
/// are in the cache or in local memory.
TEST(TrafficTest, WideCells) {
  const std::string scalars = stencil;
  std::string vectors = scalars;
  for (size_t at = 0; (at = vectors.find("int *", at)) != std::string::npos;)
    vectors.replace(at, 5, "int4 *");
  vectors.replace(vectors.find("int s = 0"), 9, "int4 s = 0");
  ArrayTraffic a = figuresOf(vectors, "a");
  EXPECT_EQ(a.global, 9 * 4 * 219);
  EXPECT_DOUBLE_EQ(a.local, 324 / 256.0 * (4 * 219 + 48) + 2 * 48 + 9 * 48);
  EXPECT_DOUBLE_EQ(figuresOf(vectors, "a", "nvidia-hopper").global -
                       figuresOf(scalars, "a", "nvidia-hopper").global,
                   324 / 256.0 * 3 * 302);
  // Stored once, side by side: nothing to gain.
  ArrayTraffic b = figuresOf(vectors, "b", "nvidia-hopper");
  EXPECT_GT(b.local, b.global);
}

TEST(TrafficTest, ImagesWithoutACacheOfTheirOwnAreBuffers) {
  ArrayTraffic a = figuresOf(product, "b", "nvidia-hopper");
  EXPECT_EQ(a.image, a.global);
  EXPECT_LT(figuresOf(product, "b", "amd-cypress").image,
            figuresOf(product, "b", "amd-cypress").global);
}
