//===- ApplyTest.cpp - names of a recipe, and steps taken whole -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

using namespace clopt;

static const char *const nest =
    "__kernel void f(__global float *restrict a,\n"
    "                __global float *restrict b, int n) {\n"
    "  int row = get_global_id(1);\n"
    "  int col = get_global_id(0);\n"
    "  for (int k = 0; k < n; k++) a[row * n + col] += b[k];\n"
    "  for (int k = 0; k < n; k++) b[row * n + k] = 0;\n"
    "}";

TEST(ApplyTest, DimensionsHaveTwoNames) {
  TestedKernel tested(nest);
  for (const char *name : {"row", "w1"}) {
    AxisName axis = resolveAxis(*tested.model, name);
    EXPECT_FALSE(axis.loop);
    EXPECT_EQ(axis.dim, 1u);
  }
  EXPECT_EQ(resolveAxis(*tested.model, "w0").dim, 0u);
  EXPECT_EQ(axisName(*tested.model, 0), "col");
  EXPECT_EQ(axisName(*tested.model, 1), "row");
}

TEST(ApplyTest, DimensionsBeyondTheRankHaveNoName) {
  TestedKernel tested(nest);
  EXPECT_FALSE(resolveAxis(*tested.model, "w2").dim);
  EXPECT_FALSE(resolveAxis(*tested.model, "").dim);
}

TEST(ApplyTest, LaterLoopsOfTheSameNameAreNumbered) {
  TestedKernel tested(nest);
  EXPECT_EQ(resolveAxis(*tested.model, "k").loop, tested.loop("k"));
  EXPECT_EQ(resolveAxis(*tested.model, "k_1").loop, tested.loop("k_1"));
  EXPECT_NE(tested.loop("k"), tested.loop("k_1"));
}

TEST(ApplyTest, ADimensionWithoutAVariableKeepsItsNumber) {
  TestedKernel tested(kernelOf("r[get_global_id(0)] = 1;"));
  EXPECT_EQ(axisName(*tested.model, 0), "w0");
}

TEST(ApplyTest, AVariableThatChangesDoesNotNameADimension) {
  TestedKernel tested(kernelOf("int i = get_global_id(0); r[i] = 1;\n"
                               "i = i + 1; r[i] = 2;"));
  EXPECT_EQ(axisName(*tested.model, 0), "w0");
}

TEST(ApplyTest, TheIdPlusAConstantNamesADimension) {
  TestedKernel tested(kernelOf("int x = get_global_id(0) + 1; r[x] = 1;"));
  EXPECT_EQ(axisName(*tested.model, 0), "x");
  EXPECT_EQ(resolveAxis(*tested.model, "x").dim, std::optional<unsigned>(0));
  EXPECT_EQ(resolveAxis(*tested.model, "w0").dim, std::optional<unsigned>(0));
  TestedKernel changed(kernelOf("int x = get_global_id(0) + 1; r[x] = 1;\n"
                                "x = x + 1; r[x] = 2;"));
  EXPECT_EQ(axisName(*changed.model, 0), "w0");
  TestedKernel twice(kernelOf("int x = 2 * get_global_id(0) + 1; r[x] = 1;"));
  EXPECT_EQ(axisName(*twice.model, 0), "w0");
}

TEST(ApplyTest, NamesOfSomethingElseAreToldAsSuch) {
  expectRefused(nest, "unroll row", "",
                "'row' is a work-item dimension, not a loop");
  expectRefused(nest, "coarsen k:2", "",
                "'k' is a loop, not a work-item dimension");
}

TEST(ApplyTest, LoopsThatAreNotAnalysedAreToldWithTheReason) {
  expectRefused(kernelOf("int i = get_global_id(0);\n"
                         "if (s[i] > 0) for (int e = 0; e < n; e++) {\n"
                         "  if (s[e] > 1) break; r[i] += s[e]; }"),
                "unroll e:2", "clopt-non-affine-control",
                "the loop 'e' is not analysed");
}

TEST(ApplyTest, AStepIsTakenWholeOrNotAtAll) {
  TestedKernel tested(nest);
  EXPECT_NE(tested.apply("coarsen row:2 nowhere:2").message, "");
  EXPECT_EQ(tested.kernel.work[1].points, 1u);
  EXPECT_NE(tested.apply("unroll k:2 load=3").message, "");
  EXPECT_EQ(findLoop(tested.kernel.tree, tested.loop("k"))->unroll, 1u);
}

TEST(ApplyTest, UnknownNamesAreToldWithTheKernel) {
  expectRefused(nest, "vectorize q:4", "",
                "kernel 'f' has no loop or work-item dimension 'q'; it has "
                "col, row, k, k_1");
  expectRefused(nest, "privatize q", "", "kernel 'f' has no array 'q'");
}

TEST(ApplyTest, StepsAddUp) {
  TestedKernel tested(nest);
  ASSERT_EQ(tested
                .apply("privatize a\ncoarsen row:2\nvectorize col:4\n"
                       "unroll k:2\nunroll k_1:4")
                .message,
            "");
  EXPECT_EQ(tested.kernel.tiles.size(), 1u);
  EXPECT_EQ(tested.kernel.work[1].points, 2u);
  EXPECT_EQ(tested.kernel.work[0].lanes, 4u);
  EXPECT_EQ(findLoop(tested.kernel.tree, tested.loop("k"))->unroll, 2u);
  EXPECT_EQ(findLoop(tested.kernel.tree, tested.loop("k_1"))->unroll, 4u);
}

TEST(ApplyTest, StepsCannotBeginOnWhatIsNotModelled) {
  TestedKernel tested(nest);
  tested.model->isUntouchable = true;
  EXPECT_FALSE(startTransforming(*tested.model));
}

TEST(ApplyTest, ALoopAndADimensionAreTiledByTheSameStep) {
  TestedKernel tested(nest);
  ASSERT_EQ(tested.apply("tile row:8 k:4").message, "");
  EXPECT_EQ(tested.kernel.work[1].groupIds, 8u);
  EXPECT_EQ(findLoop(tested.kernel.tree, tested.loop("k"))->tile, 4u);
  EXPECT_EQ(findLoop(tested.kernel.tree, tested.loop("k_1"))->tile, 0u);
}

TEST(ApplyTest, StagingTakesArraysAPaddingAndNothingElse) {
  const std::string sum =
      kernelOf("int i = get_global_id(0);\nr[i] = s[i] + s[i + 1];");
  TestedKernel tested(sum);
  ASSERT_EQ(tested.apply("tile i:8\nstage s local pad=3").message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  EXPECT_EQ(tested.kernel.tiles[0].pad, 3u);
  TestedKernel other(sum);
  EXPECT_NE(other.apply("tile i:8\nstage s gap=3").message, "");
  EXPECT_TRUE(other.kernel.sections().empty());
  // The second array cannot be staged: the first one is not, either.
  EXPECT_NE(other.apply("stage s i").message, "");
  EXPECT_TRUE(other.kernel.sections().empty());
  EXPECT_NE(other.apply("tile i").message, "");
}
