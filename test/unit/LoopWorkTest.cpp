//===- LoopWorkTest.cpp - what a work-item does in a loop -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/LoopWork.h"

#include "KernelTesting.h"

using namespace clopt;

/// Of the loop with this number, or of all of the kernel.
static LoopWork work(const std::string &body,
                     std::optional<unsigned> loop = std::nullopt,
                     const std::string &steps = "") {
  TestedKernel tested("__kernel void f(__global const float *restrict a,\n"
                      "  __global float *restrict b, int n) {\n"
                      "  int i = get_global_id(0); float x = 0;\n" +
                      body + "}");
  EXPECT_EQ(tested.apply(steps).message, "") << body;
  return workIn(tested.kernel, DeviceProfile(), loop);
}

TEST(LoopWorkTest, PartsMakeTheWhole) {
  const std::string two = "for (int k = 0; k < n; k++) x += a[k];\n"
                          "for (int k = 0; k < n; k++) x += a[k] * a[k + 1];";
  EXPECT_LT(work(two, 0).total(), work(two, 1).total());
  EXPECT_DOUBLE_EQ(work(two, 0).total() + work(two, 1).total(),
                   work(two).total());
}

TEST(LoopWorkTest, OperationsAndLoadsAreApart) {
  const LoopWork plain = work("for (int k = 0; k < n; k++) x += a[k];", 0);
  const LoopWork sines = work("for (int k = 0; k < n; k++) x += sin(a[k]);", 0);
  EXPECT_GT(sines.arithmetic, 10 * plain.arithmetic);
  EXPECT_DOUBLE_EQ(sines.memory, plain.memory);
}

TEST(LoopWorkTest, LoopsInsideRunAsOften) {
  const std::string nest = "for (int k = 0; k < n; k++)\n"
                           "  for (int l = 0; l < 10; l++) x += a[k * 10 + l];";
  EXPECT_DOUBLE_EQ(work(nest, 0).arithmetic, work(nest, 1).arithmetic);
  EXPECT_GT(work(nest, 0).arithmetic,
            work("for (int k = 0; k < n; k++) x += a[k];", 0).arithmetic);
}

TEST(LoopWorkTest, CopiesInRegistersCostNothing) {
  const std::string sum = "for (int k = 0; k < n; k++) b[i] += a[k];";
  EXPECT_LT(work(sum, 0, "privatize b").memory, work(sum, 0).memory);
}

/// Of the first loop.
static unsigned carriedBy(const std::string &body) {
  TestedKernel tested("__kernel void f(__global const float *restrict a,\n"
                      "  __global float *restrict b, int n) {\n"
                      "  int i = get_global_id(0); float x = 0, y = 0, t;\n"
                      "  float4 v = 0;\n" +
                      body + "}");
  return wordsCarriedBy(tested.kernel, 0);
}

TEST(LoopWorkTest, SumsAreCarried) {
  EXPECT_EQ(carriedBy("for (int k = 0; k < n; k++) x += a[k];"), 1u);
  EXPECT_EQ(carriedBy("for (int k = 0; k < n; k++) { x += a[k]; y -= x; }"),
            2u);
  EXPECT_EQ(carriedBy("for (int k = 0; k < n; k++) v += a[k];"), 4u);
}

TEST(LoopWorkTest, WhatAnIterationSetsAnewIsNotCarried) {
  EXPECT_EQ(carriedBy("for (int k = 0; k < n; k++) { t = a[k]; x += t * t; }"),
            1u);
  EXPECT_EQ(carriedBy("for (int k = 0; k < n; k++) { t = a[k]; b[k] = t; }"),
            0u);
  // Read, and never written.
  EXPECT_EQ(carriedBy("for (int k = 0; k < n; k++) x += a[k] * y;"), 1u);
}
