//===- VerifyTilesTest.cpp - sections that are too small ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step finds the right box, so boxes are changed here.
//
//===----------------------------------------------------------------------===//

#include "Transform/verify/VerifySteps.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

const std::string product =
    "__kernel void f(__global const float *a, __global const float *b,\n"
    "                __global float *restrict c, int n) {\n"
    "  int j = get_global_id(0), i = get_global_id(1);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; k++)\n"
    "    sum += a[i * n + k] * b[k * n + j];\n"
    "  c[i * n + j] = sum;\n"
    "}\n";
const std::string productRecipe = "coarsen j:2\ncoarsen i:2\ntile j:16\n"
                                  "tile i:16\ntile k:8\nstage a\nstage b\n";

const std::string stencil =
    "__kernel void f(__global const float *restrict a,\n"
    "                __global float *restrict c, int n) {\n"
    "  int j = get_global_id(0), i = get_global_id(1);\n"
    "  if (i > 0 && j > 0 && i < n - 1 && j < n - 1)\n"
    "    c[i * n + j] = a[i * n + j - 1] + a[i * n + j + 1]\n"
    "                 + a[(i - 1) * n + j] + a[(i + 1) * n + j];\n"
    "}\n";

std::string wrongness(const TestedKernel &tested) {
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  return wrong ? wrong->message : "";
}

/// What is wrong when the sections are changed.
std::string after(const std::function<void(TransformedKernel &)> &change,
                  const std::string &source = product,
                  const std::string &recipe = productRecipe) {
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(recipe).message, "");
  EXPECT_EQ(wrongness(tested), "");
  EXPECT_FALSE(tested.kernel.sections().empty());
  change(tested.kernel);
  return wrongness(tested);
}

void expectOutside(const std::string &message, const std::string &array) {
  std::string part = "a reference to '" + array + "' is outside of its section";
  EXPECT_NE(message.find(part), std::string::npos) << "was: " << message;
}

ArrayTile &tileOf(TransformedKernel &kernel, const std::string &array) {
  for (ArrayTile &tile : kernel.tiles)
    if (kernel.model->arrays[tile.array].name == array)
      return tile;
  ADD_FAILURE() << "no section of " << array;
  return kernel.tiles.front();
}

TEST(VerifyTilesTest, ExtentsAreLargeEnough) {
  for (const std::string array : {"a", "b"})
    for (unsigned d : {0u, 1u}) {
      expectOutside(after([&](TransformedKernel &kernel) {
                      --tileOf(kernel, array).extents[d].constant;
                    }),
                    array);
      EXPECT_EQ(after([&](TransformedKernel &kernel) {
                  ++tileOf(kernel, array).extents[d].constant;
                }),
                "");
    }
}

TEST(VerifyTilesTest, TheFirstCellIsTheFirst) {
  for (int64_t by : {1, -1})
    expectOutside(after([&](TransformedKernel &kernel) {
                    Polynomial &base = tileOf(kernel, "b").base[0];
                    base = base + Polynomial(by);
                  }),
                  "b");
}

TEST(VerifyTilesTest, TilesOfLoopsAndGroupsFit) {
  expectOutside(after([](TransformedKernel &kernel) {
                  findLoop(kernel.tree, *tileOf(kernel, "a").loop)->tile = 9;
                }),
                "a");
  // The extent follows the ids of the tile, unless it says otherwise.
  EXPECT_EQ(
      after([](TransformedKernel &kernel) { kernel.work[1].groupIds *= 2; }),
      "");
  expectOutside(after([](TransformedKernel &kernel) {
                  TileExtent &extent = tileOf(kernel, "a").extents[0];
                  extent.constant += kernel.work[1].groupIds - 1;
                  extent.perId[1] = 0;
                }),
                "a");
}

TEST(VerifyTilesTest, HalosBelongToTheSection) {
  const std::string recipe = "tile j:16\ntile i:8\nstage a\n";
  for (unsigned d : {0u, 1u})
    expectOutside(after(
                      [&](TransformedKernel &kernel) {
                        TileExtent &extent = tileOf(kernel, "a").extents[d];
                        extent.constant -= 2;
                      },
                      stencil, recipe),
                  "a");
}

TEST(VerifyTilesTest, RowsOfOneWorkItem) {
  const std::string source =
      kernelOf("int i = get_global_id(0);\nfloat x = 0;\n"
               "for (int k = 0; k < n; k++) x += r[i * n + k];\ns[i] = x;");
  expectOutside(after(
                    [](TransformedKernel &kernel) {
                      --tileOf(kernel, "r").extents[1].constant;
                    },
                    source, "tile k:8\nstage r private\n"),
                "r");
}

} // namespace
