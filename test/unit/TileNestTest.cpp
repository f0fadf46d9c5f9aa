//===- TileNestTest.cpp - tiles of several nested loops -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

#include "Emit/lower/Lowering.h"
#include "Transform/verify/VerifySteps.h"

using namespace clopt;

static std::string item(const std::string &body) {
  return kernelOf("int w = get_global_id(0);\n" + body);
}

static std::string order(const TransformedKernel &kernel) {
  std::string names;
  for (unsigned loop : loopsBelow(kernel.tree))
    names += (names.empty() ? "" : " ") + kernel.model->loops[loop].name;
  return names;
}

static bool isWithin(const isl::set &set, const std::string &text) {
  return set.is_subset(isl::set(set.ctx(), text)) && !set.is_empty();
}

static const char *const square = "for (int i = 0; i < n; i++)\n"
                                  "  for (int j = 0; j < m; j++)\n";

TEST(TileNestTest, PointLoopsSinkInside) {
  TestedKernel tested(item(square + std::string("r[i * m + j] += s[j];")));
  ASSERT_EQ(tested.apply("tile i:16 j:32").message, "");
  EXPECT_EQ(order(tested.kernel), "i_tile j_tile i j");
  const KernelModel &model = *tested.kernel.model;
  EXPECT_EQ(model.loops[2].step, 16);
  EXPECT_EQ(model.loops[3].step, 32);
  EXPECT_TRUE(
      isWithin(model.statements.back().domain,
               "[n, m] -> { S1[w, it, jt, i, j] : it <= i < it + 16 and "
               "jt <= j < jt + 32 and it mod 16 = 0 and jt mod 32 = 0 "
               "and 0 <= i < n and 0 <= j < m }"));
  EXPECT_FALSE(verifyOrder(tested.kernel, AliasMode::Check));
  // The front end's model has no loops over tiles.
  EXPECT_EQ(tested.model->loops.size(), 2u);
}

TEST(TileNestTest, TheOrderOfTargetsDoesNotMatter) {
  TestedKernel tested(item(square + std::string("r[i * m + j] += s[j];")));
  ASSERT_EQ(tested.apply("tile j:32 i:16").message, "");
  EXPECT_EQ(order(tested.kernel), "i_tile j_tile i j");
}

TEST(TileNestTest, ThreeLoops) {
  TestedKernel tested(
      item("for (int i = 0; i < n; i++)\n"
           "  for (int j = 0; j < n; j++)\n"
           "    for (int k = 0; k < n; k++)\n"
           "      r[i * n + j] += s[i * n + k] * a[k * n + j];"));
  ASSERT_EQ(tested.apply("tile i:4 j:8 k:16").message, "");
  EXPECT_EQ(order(tested.kernel), "i_tile j_tile k_tile i j k");
  EXPECT_FALSE(verifyOrder(tested.kernel, AliasMode::Check));
}

TEST(TileNestTest, Triangles) {
  for (const char *inner : {"int j = i; j < n; j++", "int j = 0; j <= i; j++",
                            "int j = n - 1; j > i; j--"}) {
    TestedKernel tested(item("for (int i = 0; i < n; i++)\n  for (" +
                             std::string(inner) + ") r[j] += s[i * n + j];"));
    ASSERT_EQ(tested.apply("tile i:8 j:8").message, "") << inner;
    EXPECT_FALSE(verifyOrder(tested.kernel, AliasMode::Check)) << inner;
  }
}

TEST(TileNestTest, WhatStandsBetweenGoesInside) {
  TestedKernel tested(item("for (int i = 0; i < n; i++) {\n"
                           "  float x = s[i];\n"
                           "  r[i] = 0;\n"
                           "  for (int j = 0; j < 64; j++) r[i] += x * s[j];\n"
                           "}"));
  ASSERT_EQ(tested.apply("tile i:8 j:16").message, "");
  // The store is done in the first tile of j only.
  const Statement &store = tested.kernel.model->statements[2];
  EXPECT_TRUE(isWithin(store.domain, "{ S2[w, it, 0, i] }"));
  EXPECT_FALSE(verifyOrder(tested.kernel, AliasMode::Check));
}

TEST(TileNestTest, FurtherStepsSeeLoops) {
  const std::string source =
      item(square + std::string("r[i * m + j] += s[j];"));
  for (const char *step : {"unroll j:4", "vectorize j:8", "unroll i:2",
                           "interchange i j", "tile j:4", "coarsen w:2"})
    expectTaken(source, std::string("tile i:16 j:32\n") + step);
}

TEST(TileNestTest, ABandMustBePermutable) {
  expectRefused(item("for (int i = 1; i < n; i++)\n"
                     "  for (int j = 0; j < m - 1; j++)\n"
                     "    r[i * m + j] = r[(i - 1) * m + j + 1];"),
                "tile i:8 j:8", "clopt-dependence",
                "the value written to 'r' at line 7 is read in a later");
  expectRefused(item("float x = 0;\n" + std::string(square) +
                     "x += s[i * m + j];\nr[w] = x;"),
                "tile i:8 j:8", "clopt-reassociation", "the value of 'x'");
}

TEST(TileNestTest, RefusedSteps) {
  const std::string source =
      item(square + std::string("r[i * m + j] += s[j];"));
  expectRefused(source, "tile i:1 j:8", "clopt-step-value",
                "a tile has 2 to 2048 elements");
  expectTaken(source, "unroll j:4\ntile i:8 j:8");
  expectRefused(item("for (long i = 0; i < n; i++)\n"
                     "  for (int j = 0; j < m; j++) r[i * m + j] = 1;"),
                "tile i:8 j:8", "clopt-not-profitable", "more than 32 bits");
  expectRefused(item("for (int i = 0; i < n; i++)\n"
                     "  for (int t = 0; t < 3; t++)\n"
                     "    for (int j = 0; j < m; j++) r[i * m + j] += s[t];"),
                "tile i:8 j:8", "clopt-dependence", "stands between");
}

TEST(TileNestTest, ChunksOfTrianglesAreRefusedInTheirOwnWords) {
  // One loop of a triangle, cut into chunks: their iterations differ, which
  // plans do not write.
  TestedKernel tested(item("for (int i = 0; i < n; i++)\n"
                           "  for (int j = i; j < n; j++) r[j] += s[i];"));
  ASSERT_EQ(tested.apply("tile i:4").message, "");
  LoweringError error;
  EXPECT_TRUE(lower(tested.kernel, error));
  EXPECT_FALSE(lower(tested.kernel, error, true));
  EXPECT_EQ(error.message, "the iterations of one tile of 'i' do not run the "
                           "same statements");
}
