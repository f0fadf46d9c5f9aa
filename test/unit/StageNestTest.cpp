//===- StageNestTest.cpp - sections for tiles of nested loops -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// During which loop over tiles a section is kept, in which tiles, and the text
// of the copies.
//
//===----------------------------------------------------------------------===//

#include "Analysis/ranges/NestTiles.h"

#include "EmissionTesting.h"

using namespace clopt;

/// A kernel of rank one whose work-items have the nest.
static std::string nestOf(const std::string &body) {
  return kernelOf("int w = get_global_id(0);\n" + body);
}

static const std::string product =
    nestOf("for (int i = 0; i < n; i++)\n"
           "  for (int j = 0; j < n; j++)\n"
           "    for (int k = 0; k < n; k++)\n"
           "      r[(i * n + j) * n + w] += s[i * n + k] * s[k * n + j];");

static const std::string tiles = "tile w:64\ntile i:4 j:8 k:2\n";

//===-- Where a section is kept
//---------------------------------------------===//

TEST(StageNestTest, TheInnermostLoopThatMovesTheArray) {
  TestedKernel tested(product);
  ASSERT_EQ(
      tested.apply("tile w:16\ntile i:4 j:8 k:2\nstage s\nstage r").message,
      "");
  const KernelModel &model = *tested.kernel.model;
  ASSERT_EQ(tested.kernel.tiles.size(), 3u);
  const ArrayTile &rows = tested.kernel.tiles[0];
  EXPECT_EQ(rows.loop, model.findLoop("k_tile"));
  EXPECT_EQ(rows.extents[0].constant, 4);
  EXPECT_EQ(rows.extents[1].constant, 2);
  EXPECT_EQ(rows.nest.size(), 2u);
  EXPECT_TRUE(rows.copyIn && !rows.copyOut);
  const ArrayTile &sums = tested.kernel.tiles[2];
  EXPECT_EQ(sums.loop, model.findLoop("j_tile"));
  EXPECT_TRUE(sums.copyIn && sums.copyOut);
  EXPECT_TRUE(keepsSections(tested.kernel, *sums.loop));
  EXPECT_FALSE(keepsSections(tested.kernel, *model.findLoop("i_tile")));
  EXPECT_EQ(tilesOfPoints(model, *model.findLoop("j")), sums.loop);
  EXPECT_EQ(tilesOfPoints(model, *sums.loop), std::nullopt);
}

/// { [w, i_tile, j_tile] } in which the statement runs for all i and j.
static isl::set wholeOnes(const TestedKernel &tested) {
  const ArrayTile &tile = tested.kernel.tiles.front();
  const KernelModel &model = *tested.kernel.model;
  const Statement &statement =
      model.statements[model.accesses[*tile.required.begin()].statement];
  unsigned count =
      static_cast<unsigned>(coordinatesAt(tested.kernel, *tile.loop).size());
  return wholeTiles(model, statement, statement.domain, count, tile.nest);
}

static void expectWhole(const std::string &loops, const std::string &steps,
                        const std::string &whole) {
  TestedKernel tested(nestOf(loops + "r[w * n + j] += s[i * m + j];"));
  ASSERT_EQ(tested.apply("tile w:64\n" + steps + "\nstage s").message, "");
  isl::set found = wholeOnes(tested);
  isl::set expected(found.ctx(), whole);
  expected = isl::manage(
      isl_set_intersect_params(expected.release(), found.params().release()));
  EXPECT_TRUE(found.is_subset(expected)) << found;
  isl::set launch = found.params();
  EXPECT_TRUE(expected.intersect_params(launch).is_subset(found)) << found;
}

TEST(StageNestTest, TilesThatAreWhole) {
  const std::string first = "[n, m, gs0, go0] -> { [w, i, j] : go0 <= w < go0 "
                            "+ gs0 and i mod 4 = 0 and j mod 8 = 0 and ";
  expectWhole("for (int i = 0; i < m; i++)\n  for (int j = 0; j < n; j++)\n",
              "tile i:4 j:8", first + "0 <= i <= m - 4 and 0 <= j <= n - 8 }");
  // Below the diagonal.
  expectWhole("for (int i = 0; i < m; i++)\n  for (int j = 0; j <= i; j++)\n",
              "tile i:4 j:8", first + "0 <= i <= m - 4 and 0 <= j <= i - 7 }");
}

//===-- The text
//------------------------------------------------------------===//

TEST(StageNestTest, CopiesBeforeWholeTilesOnly) {
  std::string text = emittedBody(product, tiles + "stage s");
  size_t loop = text.find("for (int k_tile = 0; k_tile");
  ASSERT_NE(loop, std::string::npos) << text;
  size_t barrier = text.find("barrier(CLK_LOCAL_MEM_FENCE);", loop);
  size_t copy = text.find("s_tile[cell / 2][cell % 2] =", loop);
  size_t use = text.find("s_tile[i - i_tile][k - k_tile] *", loop);
  EXPECT_LT(barrier, copy) << text;
  EXPECT_LT(copy, use) << text;
  EXPECT_TRUE(has(text, "s_tile_x[k - k_tile][j - j_tile]")) << text;
  // What is left of j uses memory.
  EXPECT_TRUE(has(text, "s[i * n + k] * s[")) << text;
}

TEST(StageNestTest, AStencilHasOneSectionWithAHalo) {
  std::string text = emittedBody(
      nestOf(
          "for (int i = 1; i < m; i++)\n  for (int j = 1; j < n; j++)\n"
          "    r[(w * m + i) * n + j] = s[i * n + j] + s[(i - 1) * n + j] +\n"
          "                             s[i * n + j - 1];"),
      "tile w:64\ntile i:4 j:8\nstage s");
  EXPECT_TRUE(has(text, "__local float s_tile[5][9]")) << text;
  EXPECT_TRUE(has(text, "s_tile[i - i_tile + 1][j - j_tile + 1]")) << text;
  EXPECT_TRUE(has(text, "s_tile[i - i_tile][j - j_tile + 1]")) << text;
  // No row above, and no column before, the first one: the corner is not read.
  EXPECT_TRUE(has(text, "int cell = item + 1;")) << text;
}

TEST(StageNestTest, UpdatesAreCopiedInAndOut) {
  std::string text =
      emittedBody(product, "tile w:16\ntile i:4 j:8 k:2\nstage r");
  EXPECT_TRUE(has(text, "r_tile[i - i_tile][j - j_tile][w_local] +=")) << text;
  EXPECT_TRUE(has(text, "= r_tile[cell")) << text;
}

TEST(StageNestTest, DownwardLoops) {
  std::string text = emittedBody(nestOf("for (int i = n - 1; i >= 0; i--)\n"
                                        "  for (int j = 0; j < n; j += 2)\n"
                                        "    r[w * n + i] += s[i * n + j];"),
                                 "tile w:64\ntile i:4 j:4\nstage s");
  EXPECT_TRUE(has(text, "__local float s_tile[4][7]")) << text;
  EXPECT_TRUE(has(text, "s_tile[i - i_tile + 3][j - j_tile]")) << text;
}

//===-- In registers
//--------------------------------------------------------===//

TEST(StageNestTest, ABlockOfOneWorkItem) {
  std::string text = emittedBody(
      product, "tile i:4 j:4 k:2\nstage r private\nstage s private");
  EXPECT_FALSE(has(text, "__local")) << text;
  EXPECT_FALSE(has(text, "barrier")) << text;
  size_t sums = text.find("float r_tile[4][4]");
  size_t loop = text.find("for (int k_tile = 0;");
  size_t rows = text.find("float s_tile[4][2];");
  EXPECT_LT(sums, loop) << text;
  EXPECT_LT(loop, rows) << text;
  size_t points = text.find("for (int i = i_tile; i <= i_tile + 3; i++)");
  ASSERT_NE(points, std::string::npos) << text;
  EXPECT_NE(text.rfind("#pragma unroll", points), std::string::npos);
  EXPECT_LT(points - text.rfind("#pragma unroll", points), 80u) << text;
}

TEST(StageNestTest, BlocksInRegistersAreSmall) {
  expectRefused(product, "tile i:8 j:8 k:2\nstage r private",
                "clopt-not-profitable", "at most 32 cells");
  expectRefused(nestOf("for (int i = 0; i < n; i++)\n"
                       "  for (int j = 0; j < n; j++)\n"
                       "    r[w * n + i] += s[i + j];"),
                "tile i:16 j:8\nstage s private", "clopt-not-profitable",
                "more than 64 iterations would be written out");
}

//===-- When there is none
//--------------------------------------------------===//

TEST(StageNestTest, CellsThatOtherTilesHaveStay) {
  // Every tile of j adds to the same cells, and they come again.
  expectRefused(nestOf("for (int j = 0; j < n; j++)\n"
                       "  for (int i = 0; i < n; i++)\n"
                       "    r[w * n + i] += s[i * n + j];"),
                "tile w:16\ntile j:8 i:8\nstage r", "clopt-dependence",
                "written again by other iterations");
  expectRefused(
      nestOf("for (int i = 0; i < n; i++)\n"
             "  for (int j = 1; j < n; j++)\n"
             "    r[(w * n + i) * n + j] += r[(w * n + i) * n + j - 1];"),
      "tile w:4\ntile i:4 j:4\nstage r", "clopt-dependence",
      "both read and written");
}

TEST(StageNestTest, NoTileIsWhole) {
  expectRefused(nestOf("for (int i = 0; i < 3; i++)\n"
                       "  for (int j = 0; j < n; j++)\n"
                       "    r[(w * 3 + i) * n + j] = s[i * n + j];"),
                "tile w:64\ntile i:4 j:8\nstage s", "clopt-non-affine-control",
                "is not accessed in all iterations");
}

TEST(StageNestTest, ACellThatAConditionOfTheStatementSkips) {
  expectRefused(kernelOf("int w = get_global_id(0);\n"
                         "for (int i = 0; i < n; i++)\n"
                         "  for (int k = 0; k < n; k++)\n"
                         "    r[(w * n + k) * n + i] =\n"
                         "        m > 0 ? s[(w * n + i) * n + k] : 0.0f;"),
                "tile w:16\ntile i:8 k:8\nstage s", "clopt-non-affine-control",
                "'s' is not accessed in all iterations");
}
