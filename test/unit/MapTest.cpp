//===- MapTest.cpp - a loop becomes a dimension ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

using namespace clopt;

static std::string item(const std::string &body) {
  return kernelOf("int i = get_global_id(0);\n" + body);
}

static const Statement &statement(const TestedKernel &tested, unsigned index) {
  return tested.kernel.model->statements.at(index);
}

static bool isWithin(const isl::set &set, const std::string &text) {
  return set.is_subset(isl::set(set.ctx(), text)) && !set.is_empty();
}

//===-- The new model -----------------------------------------------------===//

TEST(MapTest, TheIteratorIsAWorkCoordinate) {
  TestedKernel tested(
      item("for (int k = 0; k < n; k++) r[i * n + k] = s[i * n + k];"));
  ASSERT_EQ(tested.apply("map k").message, "");
  const KernelModel &model = *tested.kernel.model;
  EXPECT_NE(&model, tested.model.get());
  EXPECT_EQ(model.ndrange.rank, 2u);
  EXPECT_EQ(model.ndrange.launchRank(), 1u);
  ASSERT_TRUE(model.ndrange.findMapped(1));
  EXPECT_TRUE(model.ndrange.findMapped(1)->isFastest);
  const Symbol &symbol = model.symbols[model.loops[0].iterator];
  EXPECT_EQ(symbol.kind, SymbolKind::GlobalId);
  EXPECT_EQ(symbol.dim, 1u);
  EXPECT_TRUE(loopsBelow(tested.kernel.tree).empty());
  EXPECT_TRUE(tested.kernel.isVirtual());
  EXPECT_FALSE(tested.kernel.isTiled());
  // The model of the front end stays as it was.
  EXPECT_EQ(tested.model->ndrange.rank, 1u);
  EXPECT_EQ(tested.model->symbols[model.loops[0].iterator].kind,
            SymbolKind::Iterator);
}

TEST(MapTest, TheNameMeansTheDimension) {
  TestedKernel tested(
      item("for (int k = 0; k < n; k++) r[i * n + k] = s[i * n + k];"));
  ASSERT_EQ(tested.apply("map k slow\nvectorize k:4\ncoarsen i:2").message, "");
  EXPECT_FALSE(tested.kernel.model->ndrange.findMapped(1)->isFastest);
  EXPECT_EQ(tested.kernel.work[1].lanes, 4u);
  EXPECT_EQ(tested.kernel.work[0].points, 2u);
  EXPECT_EQ(axisName(*tested.kernel.model, 1), "k");
}

TEST(MapTest, AnInnerLoopMovesInFrontOfTheOthers) {
  TestedKernel tested(item("for (int t = 0; t < 3; t++)\n"
                           "  for (int k = 0; k < n; k++)\n"
                           "    r[i * n + k] += s[t * n + k];"));
  ASSERT_EQ(tested.apply("map k").message, "");
  const KernelModel &model = *tested.kernel.model;
  const Statement &update = statement(tested, 1);
  ASSERT_EQ(update.coordinates.size(), 3u);
  EXPECT_EQ(model.symbols.name(update.coordinates[1]), "k");
  EXPECT_EQ(model.symbols.name(update.coordinates[2]), "t");
  EXPECT_TRUE(isWithin(update.domain,
                       "[n] -> { S1[w, k, t] : 0 <= t < 3 and 0 <= k < n }"));
  EXPECT_TRUE(model.loops[tested.loop("k")].outer.empty() ||
              !update.loops.empty());
}

TEST(MapTest, WhatStandsAroundIsDoneOnce) {
  TestedKernel tested(item("float x = s[i];\n"
                           "a[i] = x;\n"
                           "for (int k = 2; k < n; k++) r[i * n + k] = x;\n"
                           "b[i] = x;"));
  ASSERT_EQ(tested.apply("map k").message, "");
  EXPECT_TRUE(isWithin(statement(tested, 1).domain,
                       "[n] -> { S1[w, k] : 2 <= k < n }"));
  EXPECT_TRUE(isWithin(statement(tested, 2).domain, "{ S2[w, 2] }"));
  EXPECT_TRUE(isWithin(statement(tested, 4).domain, "[n] -> { S4[w, n - 1] }"));
  // Where the loop does not run, they would not be done at all.
  const Assumption &runs = tested.kernel.model->assumptions.back();
  EXPECT_EQ(runs.text, "the loop 'k' runs");
  EXPECT_TRUE(
      isWithin(runs.condition.intersect(tested.kernel.model->paramContext),
               "[n] -> { : n >= 3 }"));
}

TEST(MapTest, TheLastIterationStores) {
  TestedKernel tested(item("for (int k = 1; k < n; k++) {\n"
                           "  r[i] = s[k * n + i];\n"
                           "  b[i * n + k] = r[i]; }"));
  ASSERT_EQ(tested.apply("privatize r\nmap k").message, "");
  const ArrayTile &copy = tested.kernel.tiles.at(0);
  EXPECT_FALSE(copy.copyIn);
  ASSERT_TRUE(copy.outDomain);
  EXPECT_TRUE(isWithin(*copy.outDomain, "[n] -> { Copy[w, n - 1, 0] }"));
}

TEST(MapTest, TheLastIterationOfADownwardLoopIsTheLowest) {
  TestedKernel tested(item("for (int k = n - 1; k > 4; k--) {\n"
                           "  r[i] = s[k * n + i];\n"
                           "  b[i * n + k] = r[i]; }"));
  ASSERT_EQ(tested.apply("privatize r\nmap k").message, "");
  EXPECT_TRUE(
      isWithin(*tested.kernel.tiles.at(0).outDomain, "{ Copy[w, 5, 0] }"));
}

TEST(MapTest, PlanesOfOneArrayAreIndependent) {
  expectTaken(kernelOf("int i = get_global_id(0);\n"
                       "if (i < 1 || i >= n - 1) return;\n"
                       "for (int k = 1; k < n - 1; k++)\n"
                       "  r[n * n + i * n + k] = r[i * n + k + 1] +\n"
                       "    r[i * n + k - 1];"),
              "map k");
}

TEST(MapTest, ArraysThatMayOverlapAreChecked) {
  TestedKernel tested(item("for (int k = 0; k < n; k++) a[i * n + k] = b[k];"));
  ASSERT_EQ(tested.apply("map k").message, "");
  EXPECT_EQ(tested.kernel.disjointArrays.size(), 1u);
}

TEST(MapTest, TwoLoopsBecomeTwoDimensions) {
  TestedKernel tested(item("for (int j = 0; j < m; j++)\n"
                           "  for (int k = 0; k < n; k++)\n"
                           "    r[(i * m + j) * n + k] = s[k];"));
  ASSERT_EQ(tested.apply("map j k").message, "");
  EXPECT_EQ(tested.kernel.model->ndrange.rank, 3u);
}

//===-- Refusals ----------------------------------------------------------===//

TEST(MapTest, ARecurrenceIsRefused) {
  expectRefused(item("for (int k = 1; k < n; k++)\n"
                     "  r[i * n + k] = r[i * n + k - 1] * 2;"),
                "map k", "clopt-dependence",
                "the value written to 'r' at line 6 is read in a later "
                "iteration at line 6");
}

TEST(MapTest, AnAntiDependenceIsRefused) {
  // Lanes of a vector would keep it, independent work-items do not.
  expectRefused(item("for (int k = 0; k < n - 1; k++)\n"
                     "  r[i * n + k] = r[i * n + k + 1];"),
                "map k", "clopt-dependence",
                "the value read from 'r' at line 6 is overwritten in a later "
                "iteration at line 6");
}

TEST(MapTest, OverwrittenCellsMustBePrivate) {
  Refusal refusal = expectRefused(
      item("for (int k = 0; k < n; k++) r[i] = s[k];"), "map k",
      "clopt-dependence",
      "'r' at line 5 is written again in a later iteration at line 5");
  EXPECT_EQ(refusal.hint, "privatize 'r' first");
}

TEST(MapTest, ASumInRegistersIsRefused) {
  expectRefused(item("for (int k = 0; k < n; k++) r[i] += s[k];"),
                "privatize r\nmap k", "clopt-dependence",
                "the value written to 'r' at line 5 is read in a later "
                "iteration at line 5");
}

TEST(MapTest, APrivateSumIsRefused) {
  expectRefused(item("float x = 0;\n"
                     "for (int k = 0; k < n; k++) x += s[k];\nr[i] = x;"),
                "map k", "clopt-reassociation", "'x'");
  expectRefused(item("int x = 0;\n"
                     "for (int k = 0; k < n; k++) { p[k * n + i] = x; x = p[k "
                     "* n + i] + 2; }"),
                "map k", "clopt-dependence", "'x'");
}

TEST(MapTest, AValueOfAnEarlierIterationThanTheLastIsRefused) {
  expectRefused(item("float x = 0;\n"
                     "for (int k = 0; k < n; k++) { if (k < 3) x = s[k];\n"
                     "  r[i * n + k] = k; }\n"
                     "b[i] = x;"),
                "map k", "clopt-reassociation", "'x'");
}

TEST(MapTest, AStoreBeforeTheLoopThatItReadsIsRefused) {
  expectRefused(item("r[i * n] = 1;\n"
                     "for (int k = 0; k < n; k++) b[i * n + k] = r[i * n];"),
                "map k", "clopt-dependence", "'r' at line 5");
}

TEST(MapTest, ABodyWithMoreThanTheLoopIsRefused) {
  expectRefused(item("for (int t = 0; t < 3; t++) {\n"
                     "  for (int k = 0; k < n; k++) r[i * n + k] += s[k];\n"
                     "  b[i * 3 + t] = 1; }"),
                "map k", "clopt-dependence",
                "the loop 't' has more in its body than the loop 'k'");
}

TEST(MapTest, StepsOfTwoAreRefused) {
  expectRefused(item("for (int k = 0; k < n; k += 2) r[i * n + k] = 1;"),
                "map k", "clopt-not-profitable", "leaves out values");
}

TEST(MapTest, WorkItemsDoWhatTheLoopDid) {
  TestedKernel tested(item("for (int k = 0; k < n; k++) r[i * n + k] = 1;"));
  ASSERT_EQ(tested.apply("vectorize k:4\nunroll k:2\nmap k").message, "");
  EXPECT_EQ(tested.kernel.work[1].lanes, 4u);
  EXPECT_EQ(tested.kernel.work[1].points, 2u);
  expectRefused(item("for (int k = 0; k < 4; k++) r[i * 4 + k] = 1;"),
                "unroll k\nmap k", "clopt-group-shape",
                "a work-item does all iterations of the loop 'k'");
}

TEST(MapTest, AFourthDimensionIsRefused) {
  expectRefused(kernelOf("int i = get_global_id(0), j = get_global_id(1),\n"
                         "  l = get_global_id(2);\n"
                         "for (int k = 0; k < n; k++)\n"
                         "  r[((i * n + j) * n + l) * n + k] = 1;"),
                "map k", "clopt-group-shape", "three dimensions");
}

TEST(MapTest, ADataDependentLastWriterIsRefused) {
  expectRefused(item("r[i] = 0;\n"
                     "for (int k = 0; k < n; k++) if (p[k]) r[i] = s[k];"),
                "privatize r\nmap k", "clopt-non-affine-control",
                "which iteration writes 'r' last depends on data");
}

TEST(MapTest, TheVariableOutsideTheLoopIsRefused) {
  expectRefused(item("int k = 2;\np[i] = k;\n"
                     "for (k = 0; k < n; k++) r[i * n + k] = 1;"),
                "map k", "clopt-dependence", "'k' is used outside the loop");
}

TEST(MapTest, BarriersAreRefused) {
  expectRefused(item("barrier(CLK_GLOBAL_MEM_FENCE);\n"
                     "for (int k = 0; k < n; k++) r[i * n + k] = 1;"),
                "map k", "clopt-barrier", "barriers");
}

TEST(MapTest, MayAliasIsRefusedUnderStrict) {
  expectRefused(item("for (int k = 0; k < n; k++) a[i * n + k] = b[k];"),
                "map k", "clopt-may-alias", "'a' and 'b' may overlap",
                AliasMode::Strict);
}

TEST(MapTest, ARefusalLeavesTheKernel) {
  TestedKernel tested(item("for (int k = 0; k < n; k++) r[i] += s[k];"));
  EXPECT_NE(tested.apply("map k").message, "");
  EXPECT_EQ(tested.kernel.model, tested.model.get());
  EXPECT_EQ(loopsBelow(tested.kernel.tree).size(), 1u);
}

TEST(MapTest, TilesAndMappedLoopsExcludeEachOther) {
  std::string kernel = item("for (int k = 0; k < n; k++) r[i * n + k] = s[k];");
  expectRefused(kernel, "tile i:64\nmap k", "clopt-group-shape",
                "along dimensions of the launch only");
  expectRefused(kernel, "map k\ntile i:64", "clopt-group-shape",
                "'k' is a dimension of the virtual NDRange");
}

TEST(MapTest, OnlyLoopsCanBeMapped) {
  expectRefused(item("r[i] = 1;"), "map i", "",
                "'i' is a work-item dimension, not a loop");
}
