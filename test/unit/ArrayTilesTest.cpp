//===- ArrayTilesTest.cpp - text for sections in local memory -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/body/ArrayTiles.h"

#include "EmissionTesting.h"

using namespace clopt;

static const char *const product =
    "__kernel void f(__global const float *restrict A,\n"
    "  __global const short *restrict B, __global float *restrict C, int n) {\n"
    "  int i = get_global_id(1), j = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];\n"
    "  C[i * n + j] = sum; }";

TEST(ArrayTilesTest, DeclarationsHaveTheLargestExtentsAndThePadding) {
  TestedKernel tested(product);
  ASSERT_EQ(
      tested.apply("tile i:16 j:32\ntile k:8\nstage A pad=2\nstage B").message,
      "");
  KernelNames names;
  names.tiles = {"A_tile", "B_tile"};
  std::vector<std::string> lines = declareTiles(tested.kernel, names);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(has(lines[0], "__local float A_tile[16][10]")) << lines[0];
  EXPECT_TRUE(has(lines[1], "__local short B_tile[8][32]")) << lines[1];
  EXPECT_EQ(rowCells(tested.kernel, tested.kernel.tiles[0]), 10);
}

TEST(ArrayTilesTest, PlanesComeFirst) {
  TestedKernel tested("__kernel void f(__global const float4 *restrict A,\n"
                      "  __global float4 *restrict C, int n) {\n"
                      "  int i = get_global_id(1), j = get_global_id(0);\n"
                      "  C[i * n + j] = A[i * n + j] + A[i * n + j + 1]; }");
  ASSERT_EQ(tested.apply("tile i:4 j:32\nstage A pad=1").message, "");
  KernelNames names;
  names.tiles = {"A_tile"};
  EXPECT_TRUE(has(declareTiles(tested.kernel, names)[0],
                  "__local float4 A_tile[4][34]"));
  ASSERT_EQ(tested.apply("layout A planes local").message, "");
  EXPECT_TRUE(has(declareTiles(tested.kernel, names)[0],
                  "__local float A_tile[4][4][34]"));
}

TEST(ArrayTilesTest, RowsComeLast) {
  TestedKernel tested(product);
  ASSERT_EQ(
      tested.apply("coarsen i:4\ntile i:16 j:32\ntile k:8\nstage A").message,
      "");
  EXPECT_EQ(tileDimensions(tested.kernel, tested.kernel.tiles[0]),
            std::vector<unsigned>({1, 0}));
  KernelNames names;
  names.tiles = {"A_tile"};
  EXPECT_TRUE(has(declareTiles(tested.kernel, names)[0], "A_tile[8][16]"));
}

TEST(ArrayTilesTest, DimensionsOfOneCellAreLeftOut) {
  TestedKernel tested(
      kernelOf("int x = get_global_id(0), y = get_global_id(1);\n"
               "if (x < n) r[y * n + x] = s[y * n + x] + s[y * n + x + n];"));
  ASSERT_EQ(tested.apply("tile x:16\nstage r").message, "");
  ASSERT_EQ(tested.kernel.tiles[0].extents.size(), 2u);
  EXPECT_EQ(tileDimensions(tested.kernel, tested.kernel.tiles[0]),
            std::vector<unsigned>({1}));
}

TEST(ArrayTilesTest, PlacesCountFromTheFirstCell) {
  TestedKernel tested(kernelOf(
      "int i = get_global_id(0);\nif (i > 1) r[i] = s[i - 2] + s[i];"));
  ASSERT_EQ(tested.apply("tile i:16\nstage s").message, "");
  const ArrayTile &tile = tested.kernel.tiles[0];
  auto place = [&](unsigned access) {
    return relativeSubscript(*tested.model, tile,
                             tested.model->accesses[tile.accesses[access]], 0);
  };
  Polynomial id =
      Polynomial::symbol(*tested.model->symbols.find(SymbolKind::GlobalId, 0));
  EXPECT_TRUE(place(0) == id);
  EXPECT_TRUE(place(1) == id + Polynomial(2));
}

TEST(ArrayTilesTest, OnlyCellsBetweenTwoThatAreReadAreCopied) {
  const std::string guard =
      "int x = get_global_id(0), y = get_global_id(1);\n"
      "if (x > 0 && y > 0 && x < n - 1 && y < m - 1)\n  r[y * n + x] = ";
  std::string cross =
      emittedBody(kernelOf(guard + "s[y * n + x - 1] + s[y * n + x + 1] +\n"
                                   "s[(y - 1) * n + x] + s[(y + 1) * n + x];"),
                  "tile x:16 y:8\nstage s");
  EXPECT_TRUE(has(cross, "cell = item + 1; cell <")) << cross;
  EXPECT_TRUE(has(cross, " - 1; cell += group_size")) << cross;
  std::string box = emittedBody(
      kernelOf(guard + "s[(y - 1) * n + x - 1] + s[(y + 1) * n + x + 1];"),
      "tile x:16 y:8\nstage s");
  EXPECT_TRUE(has(box, "cell = item; cell <")) << box;
  EXPECT_FALSE(has(box, " - 1; cell +="));
}

TEST(ArrayTilesTest, NarrowElementsKeepTheirType) {
  std::string text =
      emittedBody("__kernel void f(__global const uchar *restrict a,\n"
                  "  __global int *restrict b) { int i = get_global_id(0);\n"
                  "  b[i] = a[i] + a[i + 1]; }",
                  "tile i:16\nstage a");
  EXPECT_TRUE(has(text, "__local uchar a_tile[TILE_I + 1]")) << text;
}
