//===- OtherLaunchesTest.cpp - launches that a plan is not for ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/OtherLaunches.h"

#include "KernelTesting.h"

using namespace clopt;

static const char *const product =
    "__kernel void f(__global const float *restrict a,\n"
    "  __global const float *restrict b, __global float *restrict c, int n) {\n"
    "  int i = get_global_id(1), j = get_global_id(0);\n  float s = 0;\n"
    "  for (int k = 0; k < n; k++)\n    s += a[i * n + k] * b[k * n + j];\n"
    "  c[i * n + j] = s;\n}\n";

static const char *const tiles =
    "coarsen i:4\nvectorize j:4\ntile j:64\ntile i:64\ntile k:16\n"
    "stage a\nstage b\nunroll k:8\n";

static std::string stepsAfter(const std::string &steps,
                              const std::string &target = "nvidia-hopper",
                              const std::string &source = product) {
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(steps).message, "") << steps;
  llvm::Expected<DeviceProfile> profile = loadProfile(target);
  EXPECT_TRUE(static_cast<bool>(profile));
  RecipeError error;
  const std::optional<Recipe> recipe = parseRecipe(steps, error);
  return printSteps(stepsForOtherLaunches(
      tested.kernel, recipe->kernels.front().steps, *profile));
}

TEST(OtherLaunchesTest, BlocksStayWhereTilesGo) {
  EXPECT_EQ(stepsAfter(std::string(tiles) + "require k:16 items=4096\n"),
            "otherwise\ncoarsen    i:4\nvectorize  j:4\n"
            "require    below=32 items=4096\n");
}

TEST(OtherLaunchesTest, NothingWithoutTilesOrBlocks) {
  // No loop that has to be long, no local memory, no blocks.
  EXPECT_EQ(stepsAfter(tiles), "");
  EXPECT_EQ(stepsAfter("coarsen i:4\nvectorize j:4\nrequire k:16\n"), "");
  EXPECT_EQ(stepsAfter("tile j:16\ntile i:16\ntile k:16\nstage a\n"
                       "require k:16\n"),
            "");
  // Where local memory is none.
  EXPECT_EQ(stepsAfter(std::string(tiles) + "require k:16\n", "cpu"), "");
  EXPECT_EQ(stepsAfter(std::string(tiles) + "require k:16\n", "mali-midgard"),
            "");
}

TEST(OtherLaunchesTest, NothingWhereGroupsAreKnown) {
  std::string source = product;
  source.insert(source.find("void"),
                "__attribute__((reqd_work_group_size(16, 16, 1))) ");
  EXPECT_EQ(stepsAfter(std::string(tiles) + "require k:16\n", "nvidia-hopper",
                       source),
            "");
}

TEST(OtherLaunchesTest, NothingThatTakesMoreRegisters) {
  const std::string steps = std::string(tiles) + "require k:16\n";
  std::string source = product;
  source.replace(source.find("s += a[i * n + k] * b[k * n + j]"), 32,
                 "s += a[i * n + k] * b[k * n + j] - a[j * n + k]");
  EXPECT_EQ(stepsAfter(steps, "nvidia-hopper", source), "");
  source = product;
  source.replace(source.find("for (int k"), 10, "if (i >= j) for (int k");
  EXPECT_EQ(stepsAfter(steps, "nvidia-hopper", source), "");
}

static const char *const layer =
    "__kernel void f(__global const float *restrict a,\n"
    "  __global const float *restrict w, __global float *restrict c, int n) {\n"
    "  int x = get_global_id(0), o = get_global_id(1), b = get_global_id(2);\n"
    "  float s = 0;\n  for (int k = 0; k < n; k++)\n"
    "    s += a[(b * n + k) * 64 + x] * w[k * n + o];\n"
    "  c[(b * n + o) * 64 + x] = s;\n}\n";

TEST(OtherLaunchesTest, LanesStayWhereBatchesAreSmall) {
  EXPECT_EQ(
      stepsAfter("vectorize x:8\nrequire k:16\ncoarsen b:4\n", "cpu", layer),
      "otherwise\nvectorize  x:8\nrequire    k:16\n");
  // Without lanes there is the author's text, without blocks one version.
  EXPECT_EQ(stepsAfter("coarsen b:4\n", "cpu", layer), "");
  EXPECT_EQ(stepsAfter("vectorize x:8\n", "cpu", layer), "");
  EXPECT_EQ(stepsAfter("vectorize x:8\ncoarsen b:4\n", "nvidia-hopper", layer),
            "");
  // Rows of a product are a batch, too, whichever operand they share.
  EXPECT_EQ(stepsAfter("vectorize x:8\ncoarsen o:4\n", "cpu", layer),
            "otherwise\nvectorize  x:8\n");
  EXPECT_EQ(stepsAfter("vectorize o:8\ncoarsen b:4\n", "cpu", layer),
            "otherwise\nvectorize  o:8\n");
  // A triangle with few rows has few columns, planes share nothing but a
  // window.
  std::string triangle = product;
  triangle.replace(triangle.find("for (int k"), 10, "if (i >= j) for (int k");
  EXPECT_EQ(stepsAfter("vectorize j:8\ncoarsen i:4\n", "cpu", triangle), "");
  // So has a square.
  std::string square = product;
  square.replace(square.find("float s"), 0, "if (i >= n || j >= n) return;\n");
  EXPECT_EQ(stepsAfter("vectorize j:8\ncoarsen i:4\n", "cpu", square), "");
  std::string planes = layer;
  planes.replace(planes.find("w[k * n + o]"), 12, "w[k]");
  EXPECT_EQ(stepsAfter("vectorize x:8\ncoarsen b:4\n", "cpu", planes), "");
}
