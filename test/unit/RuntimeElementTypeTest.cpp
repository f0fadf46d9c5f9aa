//===- RuntimeElementTypeTest.cpp - tests of Runtime/ElementType ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ElementType.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

using namespace clopt::runtime;

namespace {

TEST(RuntimeElementType, namesOfBothWorlds) {
  EXPECT_EQ(parseElementType("int32")->size, 4u);
  EXPECT_EQ(parseElementType("uchar")->size, 1u);
  EXPECT_EQ(parseElementType("ulong")->components[0].kind, ScalarKind::UInt64);
  EXPECT_EQ(parseElementType("float16")->size, 64u);
  EXPECT_EQ(parseElementType("half4")->components.size(), 4u);
  EXPECT_FALSE(parseElementType("float5"));
  EXPECT_FALSE(parseElementType("image2d_t"));
  EXPECT_FALSE(parseElementType(""));
  EXPECT_FALSE(parseElementType("4"));
}

TEST(RuntimeElementType, bitWidthsWinOverVectorWidths) {
  EXPECT_EQ(parseElementType("int8")->size, 1u);
  EXPECT_EQ(parseElementType("intx8")->size, 32u);
  EXPECT_EQ(parseElementType("uint16")->size, 2u);
  EXPECT_EQ(parseElementType("uint32x2")->size, 8u);
}

TEST(RuntimeElementType, threeLanesTakeTheRoomOfFour) {
  const ElementType type = *parseElementType("float3");
  EXPECT_EQ(type.size, 16u);
  EXPECT_EQ(type.components.size(), 3u);
}

TEST(RuntimeElementType, structsAreLaidOutAsInC) {
  struct Sample {
    char tag[3];
    double value;
    short last;
  };
  const ElementType type = *makeStructType({"char[3]", "double", "short"});
  EXPECT_EQ(type.size, sizeof(Sample));
  EXPECT_EQ(type.components[3].offset, offsetof(Sample, value));
  EXPECT_EQ(type.components[4].offset, offsetof(Sample, last));
  EXPECT_FALSE(makeStructType({"char[0]"}));
  EXPECT_FALSE(makeStructType({"char[2"}));
  EXPECT_FALSE(makeStructType({"thing"}));
}

std::uint16_t halfBits(double value) {
  std::uint16_t bits = 0;
  storeReal(ScalarKind::Half, value, reinterpret_cast<std::uint8_t *>(&bits));
  return bits;
}

TEST(RuntimeElementType, halfRoundsToNearest) {
  EXPECT_EQ(halfBits(0.0), 0x0000);
  EXPECT_EQ(halfBits(-0.0), 0x8000);
  EXPECT_EQ(halfBits(1.0), 0x3c00);
  EXPECT_EQ(halfBits(-2.5), 0xc100);
  EXPECT_EQ(halfBits(65504.0), 0x7bff);
  EXPECT_EQ(halfBits(65520.0), 0x7c00);
  EXPECT_EQ(halfBits(0x1p-24), 0x0001);
  EXPECT_EQ(halfBits(0x1p-14), 0x0400);
  EXPECT_EQ(halfBits(1.0 + 0x1p-11), 0x3c00); // halfway, to even
  EXPECT_EQ(halfBits(2047.9), 0x6800);        // carries into the exponent
}

TEST(RuntimeElementType, everyFiniteHalfComesBack) {
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    const auto exact = static_cast<std::uint16_t>(bits);
    const int exponent = static_cast<int>(bits >> 10);
    const double mantissa = static_cast<double>(bits & 0x3ff);
    const double value = exponent == 0
                             ? mantissa * 0x1p-24
                             : std::ldexp(mantissa + 1024, exponent - 25);
    ASSERT_EQ(halfBits(value), exact);
  }
}

TEST(RuntimeElementType, integersWrap) {
  std::uint8_t byte = 0;
  storeInteger(ScalarKind::UInt8, 257, &byte);
  EXPECT_EQ(byte, 1);
  EXPECT_EQ(formatValue(ScalarKind::UInt8, &byte), "1");
  storeInteger(ScalarKind::Int8, -3, &byte);
  EXPECT_EQ(formatValue(ScalarKind::Int8, &byte), "-3");
}

} // namespace
