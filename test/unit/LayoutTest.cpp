//===- LayoutTest.cpp - the data-space transform in registers -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the vectors are permuted is seen in the text: test/lit/layout.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Layout.h"
#include "KernelTesting.h"

using namespace clopt;

TEST(LayoutTest, ArraysAreRecorded) {
  TestedKernel tested(
      kernelOf("int i = get_global_id(0); r[i] = s[2 * i] + a[n - i];"));
  ASSERT_EQ(tested.apply("vectorize i:4\nlayout s a").message, "");
  std::set<unsigned> expected = {tested.array("s"), tested.array("a")};
  EXPECT_EQ(tested.kernel.registerLayouts, expected);
}

TEST(LayoutTest, TheOrderOfStepsDoesNotMatter) {
  TestedKernel tested(kernelOf("int i = get_global_id(0); r[i] = s[2 * i];"));
  ASSERT_EQ(tested.apply("layout s register\nvectorize i:4").message, "");
  EXPECT_EQ(tested.kernel.registerLayouts.count(tested.array("s")), 1u);
}

TEST(LayoutTest, PrivateArraysHaveNoLayout) {
  expectRefused(kernelOf("float t[4]; for (int k = 0; k < 4; k++)\n"
                         "  t[k] = s[k]; r[0] = t[p[0] & 3];"),
                "layout t", "clopt-not-profitable",
                "'t' is a private variable");
}

TEST(LayoutTest, ElementsMustBeScalars) {
  expectRefused("__kernel void f(__global float4 *a) {\n"
                "  int i = get_global_id(0); a[2 * i] = a[i]; }",
                "layout a", "clopt-not-profitable",
                "the elements of 'a' are not scalars");
}

TEST(LayoutTest, UnknownArrays) {
  expectRefused(kernelOf("r[get_global_id(0)] = 1;"), "layout q", "",
                "kernel 'f' has no array 'q'");
}

TEST(LayoutTest, WordsOfARecipe) {
  auto spaceOf = [](const std::string &words, unsigned rank) {
    RecipeError error;
    std::optional<Recipe> recipe = parseRecipe("layout a " + words, error);
    EXPECT_TRUE(recipe) << words;
    std::optional<DataSpace> space =
        dataSpaceOf(recipe->kernels[0].steps[0].changes, rank);
    return space ? space->str() : "none";
  };
  EXPECT_EQ(spaceOf("transpose", 2), "exchange 0 1");
  EXPECT_EQ(spaceOf("transpose:0,2", 3), "exchange 0 2");
  EXPECT_EQ(spaceOf("transpose", 1), "none");
  EXPECT_EQ(spaceOf("reverse", 3), "reverse 2");
  EXPECT_EQ(spaceOf("offset:3 offset:-1,0", 2), "offset 1 3, offset 0 -1");
  EXPECT_EQ(spaceOf("skew:2", 2), "skew 1 0 2");
  EXPECT_EQ(spaceOf("skew:2,1,0", 2), "skew 0 1 2");
  EXPECT_EQ(spaceOf("stride:3", 1), "split 0 3");
  EXPECT_EQ(spaceOf("stride:3,2", 1), "compact 0 3 2");
  EXPECT_EQ(spaceOf("stride:3 transpose:0,1", 1), "split 0 3, exchange 0 1");
  EXPECT_EQ(spaceOf("matrix:1,1,0,1", 2), "matrix 1 1 0 1");
  EXPECT_EQ(spaceOf("matrix:1,1", 2), "none");
  EXPECT_EQ(spaceOf("reverse:-1", 2), "none");
  EXPECT_EQ(spaceOf("stride:1", 2), "none");
}

TEST(LayoutTest, SectionsInLocalMemoryAreTurned) {
  const std::string source =
      "__kernel void f(__global const float *restrict a, __global float\n"
      "  *restrict b, int n) {\n"
      "  int i = get_global_id(0), j = get_global_id(1);\n"
      "  float sum = 0;\n"
      "  for (int k = 0; k < n; k++) sum += a[i * n + k];\n"
      "  b[j * n + i] = sum; }";
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply("tile w0:16 w1:16 k:16\nstage a").message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  const unsigned before = tested.kernel.tiles[0].rowDimension;
  ASSERT_EQ(tested.apply("layout a transpose local").message, "");
  EXPECT_EQ(tested.kernel.tiles[0].rowDimension, 1 - before);
  ASSERT_EQ(tested.apply("layout a transpose local").message, "");
  EXPECT_EQ(tested.kernel.tiles[0].rowDimension, before);
  expectRefused(source, "layout a transpose local", "clopt-not-profitable",
                "'a' is not in local memory");
  expectRefused(source, "tile w0:16 w1:16 k:16\nstage a\nlayout a skew:1 local",
                "clopt-not-profitable", "can be transposed, nothing else");
  expectRefused(source, "layout a transpose register", "",
                "the pattern of an access says how it is permuted");
  expectRefused(source, "layout a transpose buffer", "", "'buffer' is for the");
}
