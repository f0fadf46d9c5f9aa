//===- StagePrivateTest.cpp - sections of arrays in registers -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which sections a work-item may keep during a tile of a loop, what they are,
// and the text that moves them.
//
//===----------------------------------------------------------------------===//

#include "EmissionTesting.h"

using namespace clopt;

/// A kernel of rank one whose work-items have row i.
static std::string rowOf(const std::string &body) {
  return kernelOf("int i = get_global_id(0);\n" + body);
}

static const std::string scan =
    rowOf("float t = 0;\nfor (int k = 0; k < m; k++) {\n"
          "  t += s[i * m + k];\n  r[i * m + k] = t; }");

//===-- What a section is
//---------------------------------------------------===//

TEST(StagePrivateTest, TheSectionOfOneWorkItem) {
  TestedKernel tested(scan);
  ASSERT_EQ(tested.apply("tile k:32\nstage s r private").message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 2u);
  const ArrayTile &in = tested.kernel.tiles[0], &out = tested.kernel.tiles[1];
  EXPECT_TRUE(in.isPrivate() && out.isPrivate());
  EXPECT_TRUE(in.copyIn && !in.copyOut);
  EXPECT_TRUE(out.copyOut && !out.copyIn);
  EXPECT_EQ(in.extents.back().constant, 32);
  SymbolId id = tested.model->symbols.find(SymbolKind::GlobalId, 0).value();
  bool hasId = false;
  for (const Polynomial &base : in.base)
    hasId |= base.contains(id);
  EXPECT_TRUE(hasId);
  EXPECT_EQ(localBytes(tested.kernel), 0);
}

TEST(StagePrivateTest, EveryTiledLoopHasItsOwnSection) {
  std::string source =
      rowOf("float t = 0;\nfor (int k = 0; k < m; k++) t += s[i * m + k];\n"
            "for (int l = 0; l < m; l++) r[i * m + l] = s[i * m + l] / t;");
  TestedKernel tested(source);
  ASSERT_EQ(tested
                .apply("tile k:32\nstage s private\ntile l:16\n"
                       "stage s r private")
                .message,
            "");
  ASSERT_EQ(tested.kernel.tiles.size(), 3u);
  EXPECT_EQ(tested.kernel.tiles[0].extents.back().constant, 32);
  EXPECT_EQ(tested.kernel.tiles[1].extents.back().constant, 16);
}

//===-- Its text
//------------------------------------------------------------===//

TEST(StagePrivateTest, WideAlignedCopiesAroundConstantIndices) {
  std::string text = emittedBody(scan, "tile k:32\nstage s r private");
  EXPECT_TRUE(has(text, "float s_tile[TILE_K];")) << text;
  EXPECT_FALSE(has(text, "__local")) << text;
  EXPECT_FALSE(has(text, "barrier")) << text;
  EXPECT_TRUE(has(text, "if (((size_t)&s[m * i + k0] & 15) == 0)") ||
              has(text, "if (((size_t)&s[i * m + k0] & 15) == 0)"))
      << text;
  EXPECT_TRUE(has(text, "const float4 cells = *(__global const float4 *)&s["))
      << text;
  EXPECT_TRUE(has(text, "s_tile[cell + 3] = cells.s3;")) << text;
  EXPECT_TRUE(has(text, "for (int cell = 0; cell < TILE_K; cell++)")) << text;
  EXPECT_TRUE(has(text, "t += s_tile[k - k0];")) << text;
  EXPECT_TRUE(has(text, "r_tile[k - k0] = t;")) << text;
  EXPECT_TRUE(has(text, "*(__global float4 *)&r[")) << text;
}

TEST(StagePrivateTest, OtherBranchesNeedNoBarrierEither) {
  std::string text = emittedBody(
      rowOf("float t = 0;\nif (i < n)\nfor (int k = 0; k < m; k++) {\n"
            "  t += s[i * m + k];\n  r[i * m + k] = t; }"),
      "tile k:32\nstage s r private");
  EXPECT_TRUE(has(text, "s_tile[TILE_K]")) << text;
  EXPECT_FALSE(has(text, "barrier")) << text;
}

TEST(StagePrivateTest, TilesOfALoopNeedNoGroups) {
  std::string text = emittedBody(scan, "tile k:8");
  EXPECT_TRUE(has(text, "for (int k0 = 0; k0 + TILE_K <= m; k0 += TILE_K)"))
      << text;
  EXPECT_TRUE(has(text, "for (int k = k0; k < k0 + TILE_K; k++)")) << text;
}

TEST(StagePrivateTest, CopiesOfALoopAroundHaveTheirOwnCells) {
  std::string text = emittedBody(
      rowOf("float t = 0;\nfor (int j = 0; j < 4; j++)\n"
            "  for (int k = 0; k < m; k++) t += s[(i * 4 + j) * m + k];\n"
            "r[i] = t;"),
      "unroll j:2\ntile k:8\nstage s private");
  EXPECT_TRUE(has(text, "j + 1")) << text;
}

//===-- When there is none
//--------------------------------------------------===//

TEST(StagePrivateTest, ALoopIsTiledFirst) {
  expectRefused(scan, "stage s private", "clopt-not-profitable",
                "no tiled loop is left that uses 's'");
  expectRefused(scan, "tile k:8\nstage s private\nstage s private",
                "clopt-not-profitable", "no tiled loop is left");
}

/// F17.
TEST(StagePrivateTest, RegistersAreFew) {
  expectRefused(scan, "tile k:64\nstage s private", "clopt-not-profitable",
                "at most 32 cells");
  expectRefused(rowOf("for (int k = 0; k < m; k++)\n"
                      "  r[i * m + k] = s[i * m + k] + a[i * m + k];"),
                "tile k:32\nstage s r a private", "clopt-not-profitable",
                "more than 64 registers");
}

TEST(StagePrivateTest, IndicesAreConstants) {
  expectRefused(rowOf("float t = 0;\nfor (int k = 0; k < m; k++)\n"
                      "  for (int d = 0; d < 3; d++) t += s[i * m + k + d];\n"
                      "r[i] = t;"),
                "tile k:8\nstage s private", "clopt-not-profitable",
                "the tiled loop has another loop in it");
}

TEST(StagePrivateTest, WorkItemsDoOnePoint) {
  expectRefused(scan, "coarsen i:2\ntile k:8\nstage s private",
                "clopt-not-profitable", "does the work of several");
  expectRefused(scan, "tile i:64\ntile k:8\nstage s private",
                "clopt-not-profitable", "does the work of several");
  expectRefused(scan, "tile k:8\nstage s private\ncoarsen i:2",
                "clopt-dependence", "arrays are staged");
}

TEST(StagePrivateTest, CellsThatChangeStay) {
  const std::string steps = "tile k:8\nstage r private";
  for (const char *body :
       {"r[k * n + i] = r[(k - 9) * n + i];", // cells between that are not used
        "r[k * n + i] = r[k * n + i + 1];",   // of two columns
        "r[i * m + 2 * k] += 1;",             // every other cell
        "r[k * n + i] += 1; r[(k + 1) * n + i] = 2;"}) // two are written
    expectRefused(
        rowOf(std::string("for (int k = 0; k < m; k++) {\n") + body + " }"),
        steps, "clopt-dependence", "both read and written");
  expectRefused(rowOf("for (int k = 0; k < m; k++)\n"
                      "  if (s[i * m + k] > 0) r[i * m + k] = 1;"),
                "tile k:8\nstage r private", "clopt-non-affine-control",
                "under a condition that depends on data");
  expectRefused(rowOf("for (int k = 0; k < m; k++) b[i * m + k] =\n"
                      "  a[i * m + k];"),
                "tile k:8\nstage a private", "clopt-may-alias",
                "'a' and 'b' may overlap", AliasMode::Strict);
}

/// The text of a loop over the cells of a column.
static std::string columnText(const std::string &body) {
  return emittedBody(rowOf("for (int k = 9; k < m; k++) { " + body + " }"),
                     "tile k:8\nstage r private");
}

TEST(StagePrivateTest, WhatEarlierIterationsWroteIsThere) {
  // Of nine cells all are read before they are written.
  std::string text = columnText("r[k * n + i] += r[(k - 1) * n + i];");
  EXPECT_TRUE(has(text, "float r_tile[TILE_K + 1][1];")) << text;
  EXPECT_TRUE(has(text, "for (int cell = 0; cell < TILE_K + 1; cell++)"))
      << text;
  EXPECT_TRUE(has(text, "for (int cell = 1; cell < TILE_K + 1; cell++)"))
      << text;
  EXPECT_TRUE(has(text, "r_tile[k - k0 + 1][0] += r_tile[k - k0][0];")) << text;
  // The last two of the tile before are.
  text = columnText(
      "r[k * n + i] = r[(k - 1) * n + i] + r[(k - 2) * n + i] + a[k];");
  EXPECT_TRUE(has(text, "float r_tile[TILE_K + 2][1];")) << text;
  EXPECT_TRUE(has(text, "for (int cell = 0; cell < TILE_K + 2 - 8; cell++)"))
      << text;
  EXPECT_TRUE(has(text, "for (int cell = 2; cell < TILE_K + 2; cell++)"))
      << text;
  // What comes after is loaded, too.
  text = columnText("r[k * n + i] = r[(k + 1) * n + i];");
  EXPECT_TRUE(has(text, "for (int cell = 1; cell < TILE_K + 1; cell++)"))
      << text;
  EXPECT_TRUE(has(text, "for (int cell = 0; cell < TILE_K + 1 - 1; cell++)"))
      << text;
  // Side by side, the cells are copied by vectors.
  text = emittedBody(rowOf("for (int k = 0; k < m; k++) r[i * m + k] *= 2;"),
                     "tile k:8\nstage r private");
  EXPECT_TRUE(has(text, "const float4 cells = *(__global const float4 *)&r["))
      << text;
}

TEST(StagePrivateTest, RecurrencesGoDownwards) {
  std::string text =
      emittedBody(rowOf("for (int k = m - 2; k >= 0; k--)\n"
                        "  r[k * n + i] = (a[k] - r[(k + 1) * n + i]) * 0.5f;"),
                  "tile k:8\nstage r private");
  EXPECT_TRUE(has(text, "float r_tile[TILE_K + 1][1];")) << text;
  EXPECT_TRUE(has(text, "for (int cell = 8; cell < TILE_K + 1; cell++)"))
      << text;
  EXPECT_TRUE(has(text, "for (int cell = 0; cell < TILE_K + 1 - 1; cell++)"))
      << text;
}

TEST(StagePrivateTest, MemoryIsSeenAcrossBarriers) {
  expectRefused(rowOf("for (int k = 0; k < m; k++) {\n"
                      "  r[i * m + k] = s[i * m + k];\n"
                      "  barrier(CLK_GLOBAL_MEM_FENCE); }"),
                "tile k:8\nstage s private", "clopt-barrier",
                "must see memory as it is");
}

TEST(StagePrivateTest, OrderedAccessesKeepTheirPlace) {
  expectRefused(rowOf("for (int k = 0; k < m; k++) {\n"
                      "  r[i * m + k] = s[i * m + k]; atomic_inc(&p[k]); }"),
                "tile k:8\nstage s private", "clopt-ordered-effect",
                "accesses in a fixed order");
}

TEST(StagePrivateTest, LanesOfALoopAroundWouldShareCells) {
  const std::string nest =
      rowOf("for (int j = 0; j < n; j++) {\n  float t = 0;\n"
            "  for (int k = 0; k < m; k++) t += s[(i * n + j) * m + k];\n"
            "  r[i * n + j] = t; }");
  expectRefused(nest, "tile k:8\nstage s private\nvectorize j:4",
                "clopt-dependence", "arrays are staged in the loop");
  expectRefused(nest, "vectorize j:4\ntile k:8\nstage s private",
                "clopt-lane-control",
                "iterations of 'j' run as one vector around them");
}
