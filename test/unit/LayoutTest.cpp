//===- LayoutTest.cpp - the data-space transform in registers -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the vectors are permuted is seen in the text: test/lit/layout.
//
//===----------------------------------------------------------------------===//

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
                "'t' is in registers already");
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
