//===- StageTest.cpp - sections of arrays in local memory -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which cells a section has, and when there is none. That every access finds
// its cell is compared with enumeration by test/oracle.
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

#include "Analysis/memory/TileLayout.h"
#include "Transform/verify/VerifySteps.h"

using namespace clopt;

static const char *const product =
    "__kernel void f(__global const float *restrict A,\n"
    "  __global const float *restrict B, __global float *restrict C, int n) {\n"
    "  int i = get_global_id(1), j = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];\n"
    "  C[i * n + j] = sum; }";

/// A kernel of rank one whose work-items have id i.
static std::string itemOf(const std::string &body) {
  return kernelOf("int i = get_global_id(0);\n" + body);
}

static std::string planeOf(const std::string &body) {
  return kernelOf("int y = get_global_id(1), x = get_global_id(0);\n" + body);
}

/// "base; constant + perId..." of a dimension.
static std::string boxOf(const TestedKernel &tested, const ArrayTile &tile,
                         unsigned dim) {
  const SymbolTable &symbols = tested.model->symbols;
  std::string text = tile.base[dim].str([&](SymbolId id) {
    return symbols.name(id);
  }) + "; " + std::to_string(tile.extents[dim].constant);
  for (unsigned d = 0; d < 3; ++d)
    if (int64_t factor = tile.extents[dim].perId[d])
      text += " + " + std::to_string(factor) + "*d" + std::to_string(d);
  return text;
}

//===-- What a section is
//---------------------------------------------------===//

/// F12.
TEST(StageTest, SectionsOfAProduct) {
  TestedKernel tested(product);
  ASSERT_EQ(tested.apply("tile i:16 j:32\ntile k:8\nstage A B pad=2").message,
            "");
  ASSERT_EQ(tested.kernel.tiles.size(), 2u);
  const ArrayTile &a = tested.kernel.tiles[0], &b = tested.kernel.tiles[1];
  EXPECT_EQ(a.array, tested.array("A"));
  EXPECT_EQ(a.loop, tested.loop("k"));
  EXPECT_TRUE(a.copyIn);
  EXPECT_FALSE(a.copyOut);
  EXPECT_EQ(a.pad, 2u);
  EXPECT_EQ(a.largest(tested.kernel, 0), 16);
  EXPECT_EQ(a.largest(tested.kernel, 1), 8);
  EXPECT_EQ(boxOf(tested, a, 0), "w1; 0 + 1*d1");
  EXPECT_EQ(boxOf(tested, a, 1), "k; 8");
  EXPECT_EQ(boxOf(tested, b, 0), "k; 8");
  EXPECT_EQ(boxOf(tested, b, 1), "w0; 0 + 1*d0");
  EXPECT_EQ(localBytes(tested.kernel), 4 * (16 * (8 + 2) + 8 * (32 + 2)));
}

/// Tiles away from the borders use a box, the others read the array.
TEST(StageTest, ChoicesThatAreResolvedAreBoxes) {
  const std::string source = planeOf(
      "r[y * n + x] = s[clamp(y - 1, 0, n - 1) * n + x] + s[y * n + x];");
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply("tile x:16 y:8\nstage s").ruleId,
            "clopt-non-affine-subscript")
      << "no box at the borders";
  TestedKernel resolved(source);
  ASSERT_EQ(resolved.apply("select s\ntile x:16 y:8\nstage s").message, "");
  ASSERT_EQ(resolved.kernel.tiles.size(), 1u);
  EXPECT_EQ(boxOf(resolved, resolved.kernel.tiles[0], 0), "w1 - 1; 1 + 1*d1");
  // Around a loop the section would be for all tiles.
  TestedKernel loop(kernelOf(
      "int x = get_global_id(0); float sum = 0;\n"
      "for (int k = 0; k < n; k++) sum += s[min(max(x + k, 0), n - 1)];\n"
      "r[x] = sum;"));
  EXPECT_EQ(loop.apply("select s\ntile x:16\ntile k:8\nstage s").ruleId,
            "clopt-non-affine-subscript");
}

TEST(StageTest, WithoutATiledLoopTheRegionIsTheWholeWorkItem) {
  TestedKernel tested(itemOf("r[i] = s[2 * i] + s[2 * i + 1];"));
  ASSERT_EQ(tested.apply("tile i:16\nstage s").message, "");
  const ArrayTile &tile = tested.kernel.tiles[0];
  EXPECT_FALSE(tile.loop);
  // The last work-item's first cell is 2*ids - 2 behind the first one's.
  EXPECT_EQ(boxOf(tested, tile, 0), "2*w0; 0 + 2*d0");
  EXPECT_EQ(tile.accesses.size(), 2u);
}

TEST(StageTest, TheInnermostTiledLoopAroundAllAccesses) {
  const std::string nest =
      itemOf("float t = 0;\nfor (int k = 0; k < n; k++)\n"
             "  for (int l = 0; l < m; l++) t += s[k] * b[k * m + l];\n"
             "r[i] = t;");
  TestedKernel tested(nest);
  ASSERT_EQ(tested.apply("tile i:16\ntile k:4\ntile l:8").message, "");
  EXPECT_EQ(stagingLoop(tested.kernel, tested.array("b")), tested.loop("l"));
  EXPECT_EQ(stagingLoop(tested.kernel, tested.array("r")), std::nullopt);
}

/// F12.
TEST(StageTest, CornersOfACrossAreSkipped) {
  TestedKernel tested(
      planeOf("if (x > 0 && y > 0 && x < n - 1 && y < m - 1)\n"
              "  r[y * n + x] = s[y * n + x - 1] + s[y * n + x + 1] +\n"
              "    s[(y - 1) * n + x] + s[(y + 1) * n + x];"));
  ASSERT_EQ(tested.apply("tile y:8 x:16\nstage s").message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  const ArrayTile &tile = tested.kernel.tiles[0];
  EXPECT_EQ(boxOf(tested, tile, 0), "w1 - 1; 2 + 1*d1");
  EXPECT_EQ(boxOf(tested, tile, 1), "w0 - 1; 2 + 1*d0");
  EXPECT_EQ(tile.skipFirst, std::vector<int64_t>({0, 1}));
  EXPECT_EQ(tile.skipLast, std::vector<int64_t>({0, 1}));
}

TEST(StageTest, ABoxOfAllNeighboursHasNoCorners) {
  TestedKernel tested(planeOf("if (x > 0 && y > 0 && x < n - 1 && y < m - 1)\n"
                              "  r[y * n + x] = s[(y - 1) * n + x - 1] +\n"
                              "    s[(y + 1) * n + x + 1];"));
  ASSERT_EQ(tested.apply("tile y:8 x:16\nstage s").message, "");
  const ArrayTile &tile = tested.kernel.tiles[0];
  EXPECT_EQ(tile.skipFirst, std::vector<int64_t>({0, 0}));
  EXPECT_EQ(tile.skipLast, std::vector<int64_t>({0, 0}));
}

TEST(StageTest, ReferencesOfUnlikeFormsAreSectionsOfTheirOwn) {
  TestedKernel tested(
      planeOf("float t = 0;\nfor (int k = 0; k < m; k++)\n"
              "  t += s[y * m + k] * s[x * m + k] + s[y * m + k + m];\n"
              "r[y * n + x] = t;"));
  ASSERT_EQ(tested.apply("tile y:8 x:16\ntile k:4\nstage s").message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 2u);
  EXPECT_EQ(tested.kernel.tiles[0].accesses.size(), 2u);
  EXPECT_EQ(boxOf(tested, tested.kernel.tiles[0], 0), "w1; 1 + 1*d1");
  EXPECT_EQ(boxOf(tested, tested.kernel.tiles[1], 0), "w0; 0 + 1*d0");
}

TEST(StageTest, InnerLoopsAndStepsWidenTheBox) {
  TestedKernel tested(
      itemOf("float t = 0;\nfor (int k = 0; k < n; k += 2)\n"
             "  for (int d = 3; d < 8; d++) t += s[k - d];\nr[i] = t;"));
  ASSERT_EQ(tested.apply("tile i:16\ntile k:4\nstage s").message, "");
  // k0 .. k0 + 6, less 3 .. 7
  EXPECT_EQ(boxOf(tested, tested.kernel.tiles[0], 0), "k - 7; 11");
}

TEST(StageTest, RowsRunAlongWhatAWorkItemUsesTogether) {
  struct Case {
    const char *steps;
    unsigned row;
  };
  for (const Case &each :
       {Case{"tile i:16 j:16\ntile k:8\nstage A", 1u},
        Case{"coarsen i:4\ntile i:16 j:16\ntile k:8\nstage A", 0u},
        Case{"coarsen i:4 stride\ntile i:16 j:16\ntile k:8\nstage A", 1u},
        Case{"coarsen i:4 j:4\ntile i:16 j:16\ntile k:8\nstage B", 1u}}) {
    TestedKernel tested(product);
    ASSERT_EQ(tested.apply(each.steps).message, "") << each.steps;
    EXPECT_EQ(tested.kernel.tiles[0].rowDimension, each.row) << each.steps;
  }
}

TEST(StageTest, WhatIsWrittenIsCopiedOut) {
  TestedKernel tested(planeOf("r[x * m + y] = s[y * n + x];"));
  ASSERT_EQ(tested.apply("tile x:16 y:16\nstage r pad=1").message, "");
  EXPECT_TRUE(tested.kernel.tiles[0].copyOut);
  EXPECT_FALSE(tested.kernel.tiles[0].copyIn);
}

TEST(StageTest, ArraysThatMayOverlapAreGuardedOrRefused) {
  // The write to b comes before the copy of a that moves past it.
  std::string source =
      itemOf("if (i < n) { b[i] = 1; r[i] = a[i] + a[i + 1]; }");
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply("tile i:16\nstage a").message, "");
  EXPECT_EQ(tested.kernel.disjointArrays.size(), 1u);
  expectRefused(source, "tile i:16\nstage a", "clopt-may-alias",
                "'a' and 'b' may overlap", AliasMode::Strict);
  TestedKernel none(source);
  ASSERT_EQ(none.apply("tile i:16\nstage a", AliasMode::None).message, "");
  EXPECT_TRUE(none.kernel.disjointArrays.empty());
}

TEST(StageTest, WrittenArraysLieApartWhereOneStatementDoesAll) {
  std::string source = itemOf("if (i < n) b[i] = a[i] + a[i + 2];");
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply("tile i:16\nstage a").message, "");
  EXPECT_EQ(tested.kernel.disjointArrays.size(), 1u);
  expectRefused(source, "tile i:16\nstage a", "clopt-may-alias",
                "'a' and 'b' may overlap", AliasMode::Strict);
}

TEST(StageTest, WritesAnywhereInTheKernelCount) {
  // What a work-item wrote to b before the loop might be what others copy.
  std::string source =
      itemOf("for (int k = 0; k < n; k++) b[i * n + k] = 1;\nfloat t = 0;\n"
             "for (int l = 0; l < n; l++) t += a[i * n + l];\nr[i] = t;");
  expectRefused(source, "tile i:16\ntile l:4\nstage a", "clopt-may-alias",
                "'a' and 'b' may overlap", AliasMode::Strict);
}

//===-- When there is none
//--------------------------------------------------===//

TEST(StageTest, GroupsMustShareATile) {
  expectRefused(product, "tile k:8\nstage A", "clopt-not-profitable",
                "the work-items of a group share no tile");
}

TEST(StageTest, AccessesAreStagedOrKeptInRegistersOnce) {
  expectRefused(product, "tile i:8 j:8\ntile k:4\nstage A\nstage A",
                "clopt-not-profitable", "no access to 'A' goes to memory");
  expectRefused(product, "tile i:8 j:8\ntile k:4\nstage A\nprivatize A",
                "clopt-not-profitable", "no access to 'A' goes to memory");
  expectRefused(planeOf("for (int k = 0; k < n; k++) r[y * n + x] += s[k];"),
                "privatize r\ntile x:8\nstage r", "clopt-not-profitable",
                "no access to 'r' goes to memory");
}

static std::string vectorsOf(const std::string &body) {
  return "struct P { float x, y; int2 z; };\n"
         "__kernel void f(__global const float4 *restrict a,\n"
         "  __global const struct P *restrict p, __global float4 *restrict b,\n"
         "  __global float *restrict r, int n) {\n"
         "  int i = get_global_id(0);\n" +
         body + "\n}";
}

/// F12.
TEST(StageTest, CellsAreVectorsOrStructures) {
  const std::string source = vectorsOf(
      "float sum = a[i].w;\nfor (int k = 0; k < n; k++)\n"
      "  sum += a[k].zyx.x * p[k].z.y + p[k].x + p[k].z.x;\nr[i] = sum;");
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply("tile i:8\ntile k:4\nstage a p").message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 2u);
  const ArrayTile &a = tested.kernel.tiles[0], &p = tested.kernel.tiles[1];
  EXPECT_EQ(a.accesses.size(), 1u);
  EXPECT_EQ(p.accesses.size(), 3u);
  EXPECT_EQ(a.cellBytes(*tested.model), 16u);
  EXPECT_EQ(a.cellType(*tested.model), "float4");
  EXPECT_EQ(p.cellBytes(*tested.model), 16u);
  EXPECT_EQ(p.cellType(*tested.model), "struct P");
  EXPECT_EQ(localBytes(tested.kernel), 4 * 16 + 4 * 16);
}

/// F12. Vectors of scalars that lie side by side, with a row to themselves.
TEST(StageTest, SeveralCellsOfARowAtOnce) {
  TestedKernel tested(
      itemOf("float sum = 0;\n"
             "for (int k = 0; k < n; k++)\n"
             "  sum += dot(vload4(k, s + i * m), vload4(k, r)) +\n"
             "         vload3(k, r).y;\n"
             "b[i] = sum;"));
  ASSERT_EQ(
      tested.apply("tile i:8\ntile k:4\nstage s", AliasMode::None).message, "");
  EXPECT_EQ(boxOf(tested, tested.kernel.tiles[0], 1), "4*k; 16");
  EXPECT_EQ(tested.kernel.tiles[0].rowDimension, 1u);
  ASSERT_EQ(tested.apply("stage r", AliasMode::None).message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 3u);
  EXPECT_EQ(boxOf(tested, tested.kernel.tiles[1], 0), "4*k; 16");
  EXPECT_EQ(boxOf(tested, tested.kernel.tiles[2], 0), "3*k; 12");
  EXPECT_NE(tested.apply("layout s transpose local").message.find("at once"),
            std::string::npos);
  expectRefused(itemOf("vstore4((float4)(0.0f), i, r);"), "tile i:8\nstage r",
                "clopt-non-affine-subscript", "is not known");
}

/// What is only read goes to local memory for one loop, if the rest of it is
/// too much.
TEST(StageTest, ReadsOutsideOfTheLoopGoToMemory) {
  TestedKernel tested(itemOf("float own = s[i];\n"
                             "for (int k = 0; k < n; k++) own += s[k];\n"
                             "r[i] = own;"));
  ASSERT_EQ(tested.apply("tile i:8\ntile k:4\nstage s").message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  EXPECT_EQ(tested.kernel.tiles[0].loop, tested.loop("k"));
  EXPECT_EQ(tested.kernel.tiles[0].accesses.size(), 1u);
  TestedKernel two(itemOf("float own = s[i];\n"
                          "for (int k = 0; k < n; k++) own += s[k];\n"
                          "for (int l = 0; l < n; l++) own *= s[l];\n"
                          "r[i] = own;"));
  ASSERT_EQ(two.apply("tile i:8\ntile k:4\ntile l:4\nstage s").message, "");
  EXPECT_EQ(two.kernel.tiles.size(), 2u);
  expectRefused(itemOf("float own = s[i];\n"
                       "for (int k = 0; k < n; k++) own += s[k];\n"
                       "s[i] = own;"),
                "tile i:8\ntile k:4\nstage s", "clopt-dependence",
                "both read and written");
}

TEST(StageTest, OnlyCellsOfGlobalMemory) {
  expectRefused(vectorsOf("b[i] = ((__global const float *)a)[i] + a[i];"),
                "tile i:8\nstage a", "clopt-not-profitable",
                "the cells of 'a' are not accessed as they are declared");
  expectRefused(vectorsOf("b[i].x = n;"), "tile i:8\nstage b",
                "clopt-non-affine-subscript", "not every cell");
  expectRefused(itemOf("float t[4];\nfor (int k = 0; k < 4; k++) t[k] = s[k];\n"
                       "r[i] = t[0];"),
                "tile i:8\nstage t", "clopt-not-profitable",
                "'t' is not in global memory");
  expectRefused(itemOf("r[i] = s[i];"), "tile i:8\nstage a",
                "clopt-not-profitable", "'a' is not used there");
}

TEST(StageTest, SectionsMustFit) {
  expectRefused(product, "tile i:512 j:64\ntile k:64\nstage A",
                "clopt-local-memory",
                "the tiles need more than 32768 bytes of local memory");
  expectRefused(product, "tile i:16 j:16\ntile k:8\nstage A pad=600",
                "clopt-local-memory", "more than 32768 bytes");
}

TEST(StageTest, WhatTheLoopDoesNotMoveStaysInRegisters) {
  const std::string pairs =
      itemOf("float t = 0;\nfor (int k = 0; k < n; k++) t += s[k] - s[i];\n"
             "r[i] = t;");
  TestedKernel tested(pairs);
  ASSERT_EQ(tested.apply("tile i:16\ntile k:4\nstage s").message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  EXPECT_EQ(boxOf(tested, tested.kernel.tiles[0], 0), "k; 4");
  expectRefused(itemOf("float t = 0;\nfor (int k = 0; k < n; k++) t += s[i];\n"
                       "r[i] = t;"),
                "tile i:16\ntile k:4\nstage s", "clopt-not-profitable",
                "no reference to 's' moves with the loop");
}

TEST(StageTest, ReadAndWrittenCellsStay) {
  expectRefused(itemOf("r[i] = r[i] * 2;"), "tile i:8\nstage r",
                "clopt-dependence",
                "'r' is both read and written in the region");
}

TEST(StageTest, WrittenSectionsAreWhole) {
  auto refused = [](const std::string &body, const std::string &steps,
                    const std::string &rule, const std::string &part) {
    expectRefused(body, steps, rule, part);
  };
  refused(itemOf("r[2 * i] = 1;"), "tile i:8\nstage r",
          "clopt-non-affine-subscript",
          "not every cell of the section of 'r' is written");
  refused(itemOf("r[i] = 1; r[i + 1] = 2;"), "tile i:8\nstage r",
          "clopt-non-affine-subscript", "not every cell");
  refused(itemOf("if (s[i] > 0) r[i] = 1;"), "tile i:8\nstage r",
          "clopt-non-affine-control",
          "'r' is written under a condition that depends on data");
  refused(itemOf("r[i * n] = 1; r[i * m + 1] = 2;"), "tile i:8\nstage r",
          "clopt-non-affine-subscript", "a subscript of 'r' is not known");
  refused(planeOf("r[y * n + x] = 1; r[x * n + y + n * n] = 2;"),
          "tile x:8 y:8\nstage r", "clopt-dependence",
          "several sections of 'r' are written");
}

TEST(StageTest, CellsAreWrittenOutsideTheirTileNoMore) {
  const char *const again = "'r' is written again by other iterations";
  expectRefused(itemOf("for (int k = 0; k < n; k++) r[i] = s[k];"),
                "tile i:8\ntile k:4\nstage r", "clopt-dependence", again);
  expectRefused(itemOf("for (int t = 0; t < 3; t++)\n"
                       "  for (int k = t; k < n; k++) r[i * n + k] = t;"),
                "tile i:8\ntile k:4\nstage r", "clopt-dependence", again);
  expectTaken(itemOf("for (int k = 0; k < n; k++) r[i * n + k] = s[k];"),
              "tile i:8\ntile k:4\nstage r");
}

TEST(StageTest, SectionsNeedKnownBoxes) {
  auto refused = [](const std::string &body, const std::string &part,
                    const std::string &steps = "tile i:8\nstage s") {
    expectRefused(itemOf(body), steps, "clopt-non-affine-subscript", part);
  };
  refused("r[i] = s[p[i]];", "a subscript of 's' is not known");
  refused("r[i] = s[n - i];", "are no box of known size");
  TestedKernel choice(itemOf("r[i] = s[max(i - 1, 0)];"));
  const Refusal refusal = choice.apply("tile i:8\nstage s");
  EXPECT_NE(refusal.message.find("are no box of known size"),
            std::string::npos);
  EXPECT_NE(refusal.hint.find("take the step 'select' before"),
            std::string::npos);
  EXPECT_EQ(TestedKernel(itemOf("r[i] = s[max(i - 1, 0)];"))
                .apply("select s\ntile i:8\nstage s")
                .message,
            "");
  // The number of iterations is not known, or not that of the tile.
  refused("float t = 0; for (int k = 0; k < n; k++) t += s[k];\nr[i] = t;",
          "are no box of known size");
  // The first iteration is another one for each work-item, and the last is not.
  refused("float t = 0; for (int d = i; d < n; d++) t += s[d];\nr[i] = t;",
          "are no box of known size");
  EXPECT_EQ(TestedKernel(itemOf("float t = 0; for (int d = i; d < i + 4; d++)\n"
                                "t += s[d]; r[i] = t;"))
                .apply("tile i:8\nstage s")
                .message,
            "");
}

TEST(StageTest, AccessesMustRunInAllIterations) {
  expectRefused(itemOf("float t = 0;\nfor (int k = 0; k < n; k++)\n"
                       "  for (int d = 0; d < 4; d++)\n"
                       "    if (d < k) t += s[k + d];\nr[i] = t;"),
                "tile i:8\ntile k:4\nstage s", "clopt-non-affine-control",
                "'s' is not accessed in all iterations");
}

/// The iterator is the greatest of its tile.
TEST(StageTest, TilesOfLoopsThatCountDownward) {
  TestedKernel plain(
      itemOf("float t = 0;\nfor (int k = n; k > 0; k--) t += s[k];\n"
             "r[i] = t;"));
  ASSERT_EQ(plain.apply("tile i:8\ntile k:4\nstage s").message, "");
  EXPECT_EQ(boxOf(plain, plain.kernel.tiles[0], 0), "k - 3; 4");
  TestedKernel steps(
      itemOf("float t = 0;\n"
             "for (int k = n; k > 5; k -= 3) t += s[2 * k] + s[2 * k - 5];\n"
             "r[i] = t;"));
  ASSERT_EQ(steps.apply("tile i:8\ntile k:4\nstage s").message, "");
  EXPECT_EQ(boxOf(steps, steps.kernel.tiles[0], 0), "2*k - 23; 24");
  TestedKernel back(
      itemOf("float t = 0;\nfor (int k = n; k > 0; k--) t += s[n - k];\n"
             "r[i] = t;"));
  ASSERT_EQ(back.apply("tile i:8\ntile k:4\nstage s").message, "");
  EXPECT_EQ(boxOf(back, back.kernel.tiles[0], 0), "n - k; 4");
}

TEST(StageTest, LoopsThatCountDownwardAreCopiedOut) {
  const std::string source =
      itemOf("for (int k = n - 1; k >= 0; k--) r[i * n + k] = s[i] + k;");
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply("tile i:8\ntile k:4\nstage r").message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  EXPECT_TRUE(tested.kernel.tiles[0].copyOut);
  EXPECT_EQ(boxOf(tested, tested.kernel.tiles[0], 1), "k - 3; 4");
  EXPECT_FALSE(verifyOrder(tested.kernel, AliasMode::Check));
}

//===-- Several loops
//------------------------------------------------------===//

/// Both read p[0] to p[31]: one section, filled once.
TEST(StageTest, LoopsOverTheSameCellsShareASection) {
  TestedKernel tested(
      itemOf("float t = 0, u = 0;\n"
             "for (int k = 0; k < 32; k++) t += s[k];\n"
             "for (int l = 0; l < 32; l++) u += s[31 - l] * t;\n"
             "r[i] = u;"));
  ASSERT_EQ(tested.apply("tile i:16\nstage s").message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  EXPECT_EQ(boxOf(tested, tested.kernel.tiles[0], 0), "0; 32");
  EXPECT_EQ(tested.kernel.tiles[0].accesses.size(), 2u);
  EXPECT_EQ(tested.kernel.tiles[0].required.size(), 2u);
  EXPECT_EQ(localBytes(tested.kernel), 4 * 32);
}

/// The second loop goes on where the first one ends.
TEST(StageTest, BoxesThatTouchAreOneSection) {
  auto boxes = [](int first) {
    TestedKernel tested(itemOf("float t = 0;\n"
                               "for (int k = 0; k < 8; k++) t += s[n + k];\n"
                               "for (int l = 0; l < 4; l++) t += s[n + l + " +
                               std::to_string(first) + "];\nr[i] = t;"));
    EXPECT_EQ(tested.apply("tile i:16\nstage s").message, "");
    std::string text;
    for (const ArrayTile &tile : tested.kernel.tiles)
      text += boxOf(tested, tile, 0) + ", ";
    return text;
  };
  EXPECT_EQ(boxes(2), "n; 8, ");
  EXPECT_EQ(boxes(-3), "n - 3; 11, ");
  EXPECT_EQ(boxes(8), "n; 12, ");
  EXPECT_EQ(boxes(9), "n; 8, n + 9; 4, ") << "a hole";
}

TEST(StageTest, SectionsOfRowsAndColumnsStayApart) {
  TestedKernel tested(
      itemOf("float t = 0;\n"
             "for (int k = 0; k < 8; k++) t += s[i * n + k];\n"
             "for (int l = 0; l < 8; l++) t += s[l * n + i];\nr[i] = t;"));
  ASSERT_EQ(tested.apply("tile i:8\nstage s").message, "");
  EXPECT_EQ(tested.kernel.tiles.size(), 2u);
}

/// The tiles of the second loop come after those of the first: they take their
/// place.
TEST(StageTest, TilesOfLoopsOneAfterTheOtherShareStorage) {
  const std::string source =
      itemOf("float t = 0, u = 0;\n"
             "for (int k = 0; k < n; k++) t += s[k];\n"
             "for (int l = n - 1; l >= 0; l--) u += s[l] * t;\nr[i] = u;");
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply("tile i:16\ntile k:8\ntile l:32\nstage s").message,
            "");
  ASSERT_EQ(tested.kernel.tiles.size(), 2u);
  EXPECT_EQ(tested.kernel.tiles[0].loop, tested.loop("k"));
  EXPECT_EQ(tested.kernel.tiles[1].loop, tested.loop("l"));
  EXPECT_EQ(storageOf(tested.kernel, 1), 0u);
  EXPECT_EQ(storageShape(tested.kernel, 0), std::vector<int64_t>{32});
  EXPECT_EQ(localBytes(tested.kernel), 4 * 32);
  EXPECT_FALSE(verifyOrder(tested.kernel, AliasMode::Check));
}

/// Sections of one loop are there at the same time, and so are those of a loop
/// and of one around it.
TEST(StageTest, SectionsInUseKeepTheirStorage) {
  TestedKernel both(
      itemOf("float t = 0;\nfor (int k = 0; k < n; k++) t += s[k] * s[m - k];\n"
             "r[i] = t;"));
  ASSERT_EQ(both.apply("tile i:16\ntile k:8\nstage s").message, "");
  ASSERT_EQ(both.kernel.tiles.size(), 2u);
  EXPECT_EQ(storageOf(both.kernel, 1), 1u);
  EXPECT_EQ(localBytes(both.kernel), 4 * 16);
}

TEST(StageTest, LoopsHaveBoundsOfTheirOwn) {
  expectRefused(itemOf("float t = 0;\nfor (int k = 0; k < 4; k++)\n"
                       "  for (int d = k; d < k + 3; d++) t += s[d];\n"
                       "r[i] = t;"),
                "tile i:8\nstage s", "clopt-non-affine-control",
                "the bounds of a loop depend on another one");
  // Nor does what begins with the iteration begin with the first of a tile.
  expectRefused(itemOf("float t = 0;\nfor (int k = 0; k < n; k++)\n"
                       "  for (int d = k; d < k + 3; d++) t += s[k + d];\n"
                       "r[i] = t;"),
                "tile i:8\ntile k:4\nstage s", "clopt-non-affine-control",
                "the bounds of a loop depend on another one");
}

TEST(StageTest, LanesAroundTheLoopUseOneSection) {
  auto rule = [](const std::string &row) {
    TestedKernel tested("__kernel void f(__global const int *restrict in,\n"
                        "                __global int *restrict out, int n) {\n"
                        "  int i = get_global_id(0);\n"
                        "  for (int v = 0; v < 8; v++) {\n"
                        "    int s = 0;\n"
                        "    for (int t = 0; t < n; t++) s += in[(" +
                        row + ") * n + t];\n    out[i * 8 + v] = s; } }");
    EXPECT_EQ(tested.apply("tile i:8\ntile t:4\nvectorize v:2").message, "");
    return tested.apply("stage in").ruleId;
  };
  EXPECT_EQ(rule("v + i"), "clopt-lane-control");
  EXPECT_EQ(rule("i"), "");
}

TEST(StageTest, VolatileCellsStay) {
  expectRefused("__kernel void f(__global volatile float *restrict a,\n"
                "  __global float *restrict b) {\n"
                "  int i = get_global_id(0); b[i] = a[i]; }",
                "tile i:8\nstage a", "clopt-ordered-effect",
                "the kernel has volatile accesses");
}

//===-- Conditions and effects within statements --------------------------===//

TEST(StageTest, ACellThatAConditionOfTheStatementSkips) {
  const char *const rule = "clopt-non-affine-control";
  for (const char *value :
       {"i + k > 2 ? r[i + k - 3] : 0.0f", "m != 0 ? r[i + k] : 0.0f",
        "m > 3 && r[i + k] > 0.0f", "m > 3 || r[i + k] > 0.0f",
        "s[k] > 0 ? r[i + k] : 0.0f"})
    expectRefused(itemOf("float sum = 0; for (int k = 0; k < 8; k++)\n"
                         "  sum += " +
                         std::string(value) + ";\nb[i] = sum;"),
                  "tile i:16\nstage r", rule,
                  "'r' is not accessed in all iterations", AliasMode::None);
  expectRefused(itemOf("for (int k = 0; k < 8; k++)\n"
                       "  (void)(k > 2 && (r[i * 8 + k] = s[i * 8 + k]));"),
                "tile i:16\nstage r", rule,
                "'r' is not accessed in all iterations");
  // Every cell of the middle lies between two that are certain to be read.
  expectTaken(itemOf("b[i] = r[i] + (m > 3 ? r[i + 1] : 0.0f) + r[i + 2];"),
              "tile i:16\nstage r", AliasMode::None);
}

TEST(StageTest, ChoicesThatAreMadeAreNoConditions) {
  const std::string source = itemOf("b[i] = i > 0 ? r[i - 1] : 0.0f;");
  expectRefused(source, "tile i:16\nstage r", "clopt-non-affine-control",
                "'r' is not accessed in all iterations", AliasMode::None);
  expectTaken(source, "select r\ntile i:16\nstage r", AliasMode::None);
}

/// The text of a section in the place of `*q++` would not move `q`.
TEST(StageTest, APlaceWithAnEffectStays) {
  const std::string source =
      itemOf("__global float *q = r + i * 8 - 1;\n"
             "for (int k = 0; k < 8; k++) *(q = q + 1) = s[i * 8 + k];");
  expectRefused(source, "tile i:16\nstage r", "clopt-non-affine-subscript",
                "a subscript of 'r' is not known");
  expectTaken(source, "tile i:16\nstage s");
}
