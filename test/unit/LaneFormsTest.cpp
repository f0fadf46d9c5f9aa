//===- LaneFormsTest.cpp - what statements are over lanes -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/LaneForms.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

Type scalar(ScalarKind kind) { return Type::makeScalar(kind); }

/// True when four ids along the kernel's first dimension make vectors.
bool makesVectors(const std::string &statement) {
  TestedKernel tested("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                      "__kernel void f(__global const ushort *a,"
                      " __global float *b, __global half *h,"
                      " __global const int *at) {\n"
                      "  int i = get_global_id(0);\n" +
                      statement + "\n}\n");
  const KernelModel &model = *tested.kernel.model;
  const SymbolId id = *model.symbols.find(SymbolKind::GlobalId, 0);
  return hasVectors(tested.kernel, tested.kernel.tree, {id, 1, 4});
}

} // namespace

TEST(LaneFormsTest, VariationIsThatOfTheElements) {
  const Type number = scalar(ScalarKind::Float),
             half = scalar(ScalarKind::Half);
  EXPECT_EQ(variationOf(number, Polynomial(0)), OperandVariation::Uniform);
  EXPECT_EQ(variationOf(half, Polynomial(0)), OperandVariation::Uniform);
  EXPECT_EQ(variationOf(number, Polynomial(1)), OperandVariation::Consecutive);
  EXPECT_EQ(variationOf(half, Polynomial(1)), OperandVariation::Other);
  EXPECT_EQ(variationOf(number, Polynomial(-2)), OperandVariation::Strided);
  EXPECT_EQ(variationOf(number, std::nullopt), OperandVariation::Other);
}

TEST(LaneFormsTest, NeighboursAndWhatIsComputedAreVectors) {
  EXPECT_TRUE(makesVectors("b[i] = as_float((uint)a[i] << 16);"));
  EXPECT_TRUE(makesVectors("b[at[i]] = b[at[i + 1]] * 2.0f;"));
}

TEST(LaneFormsTest, WhatVectorsDoNotHoldIsNone) {
  EXPECT_FALSE(makesVectors("h[i] = (half)as_float((uint)a[i] << 16);"));
  EXPECT_FALSE(makesVectors("b[at[i]] = b[at[i] + 1];"));
}

TEST(LaneFormsTest, HalvesAreConvertedTogetherWhereTheyLieSideBySide) {
  EXPECT_TRUE(makesVectors("vstore_half(b[i] * 2.0f, i, h);"));
  EXPECT_FALSE(makesVectors("vstore_half(b[i] * 2.0f, 2 * i, h);"));
  EXPECT_TRUE(makesVectors("b[i] = vload_half(i, h);"));
}
