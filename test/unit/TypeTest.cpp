//===- TypeTest.cpp - names and text of types -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Type.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

Type arrayOf(Type element, uint64_t extent) {
  Type type;
  type.kind = TypeKind::Array;
  type.extent = extent;
  type.element = std::make_shared<const Type>(std::move(element));
  return type;
}

const Type floatType = Type::makeScalar(ScalarKind::Float);

TEST(Type, SizesAndNames) {
  EXPECT_EQ(sizeOf(ScalarKind::Half), 2u);
  EXPECT_EQ(sizeOf(ScalarKind::Void), 0u);
  EXPECT_EQ(typeName(ScalarKind::UInt, 4), "uint4");
  EXPECT_EQ(typeName(ScalarKind::Double), "double");
  EXPECT_EQ(Type::makeVector(ScalarKind::Float, 3).size, 16u);
  EXPECT_EQ(Type::makeVector(ScalarKind::Short, 8).size, 16u);
  EXPECT_TRUE(Type::makeVector(ScalarKind::Int, 1).isScalar());
}

TEST(Type, ComparisonsOfVectorsGiveSignedIntegers) {
  EXPECT_EQ(signedOfSameSize(ScalarKind::Float), ScalarKind::Int);
  EXPECT_EQ(signedOfSameSize(ScalarKind::Double), ScalarKind::Long);
  EXPECT_EQ(signedOfSameSize(ScalarKind::UChar), ScalarKind::Char);
  EXPECT_EQ(signedOfSameSize(ScalarKind::Half), ScalarKind::Short);
}

TEST(Type, Classes) {
  EXPECT_TRUE(floatType.isFloating());
  EXPECT_FALSE(floatType.isInteger());
  EXPECT_TRUE(Type::makeScalar(ScalarKind::Bool).isUnsigned());
  EXPECT_TRUE(Type::makeVector(ScalarKind::ULong, 2).isUnsigned());
  EXPECT_FALSE(Type::makeScalar(ScalarKind::Int).isUnsigned());
  EXPECT_FALSE(Type::makePointer(floatType, AddressSpace::Global).isInteger());
}

TEST(Type, TextOfPointers) {
  Type constant = floatType;
  constant.isConst = true;
  Type pointer = Type::makePointer(constant, AddressSpace::Global);
  EXPECT_EQ(typeText(pointer), "__global const float *");
  pointer.isRestrict = true;
  EXPECT_EQ(declarationText(pointer, "a"), "__global const float *restrict a");
  pointer.isConst = true;
  EXPECT_EQ(declarationText(pointer, "a"),
            "__global const float *const restrict a");
  EXPECT_EQ(
      declarationText(Type::makePointer(floatType, AddressSpace::Private), "p"),
      "float *p");
}

TEST(Type, TextOfPointersToPointers) {
  Type inner = Type::makePointer(floatType, AddressSpace::Global);
  EXPECT_EQ(typeText(Type::makePointer(inner, AddressSpace::Local)),
            "__global float *__local *");
  EXPECT_EQ(
      declarationText(Type::makePointer(inner, AddressSpace::Private), "p"),
      "__global float **p");
}

TEST(Type, TextOfArrays) {
  Type tile = arrayOf(arrayOf(floatType, 17), 16);
  EXPECT_EQ(declarationText(tile, "t"), "float t[16][17]");
  EXPECT_EQ(typeText(tile), "float[16][17]");
  Type row = Type::makePointer(arrayOf(floatType, 17), AddressSpace::Local);
  EXPECT_EQ(declarationText(row, "r"), "__local float (*r)[17]");
  Type pointers =
      arrayOf(Type::makePointer(floatType, AddressSpace::Global), 4);
  EXPECT_EQ(declarationText(pointers, "p"), "__global float *p[4]");
}

TEST(Type, TheAuthorsSpellingIsKept) {
  Type size = Type::makeScalar(ScalarKind::ULong);
  size.spelling = "size_t";
  size.isVolatile = true;
  EXPECT_EQ(declarationText(size, "n"), "volatile size_t n");
}

} // namespace
