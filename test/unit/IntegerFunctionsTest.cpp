//===- IntegerFunctionsTest.cpp - OpenCL's functions of integers ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/IntegerFunctions.h"

#include <gtest/gtest.h>

using namespace clopt;
using F = IntegerFunction;
using Kind = ScalarKind;

namespace {

int64_t call(F function, Kind kind, int64_t x, int64_t y = 0, int64_t z = 0) {
  int64_t operands[3] = {x, y, z};
  return wrapTo(kind, integerFunction(function, kind, operands));
}

TEST(IntegerFunctionsTest, OrderIsThatOfTheType) {
  EXPECT_EQ(call(F::Min, Kind::Int, -1, 3), -1);
  EXPECT_EQ(call(F::Min, Kind::ULong, -1, 3), 3);
  EXPECT_EQ(call(F::Max, Kind::Char, -1, 3), 3);
  EXPECT_EQ(call(F::Clamp, Kind::Int, 9, 1, 5), 5);
  EXPECT_EQ(call(F::Abs, Kind::Int, -7), 7);
  EXPECT_EQ(call(F::AbsDiff, Kind::Int, -7, 3), 10);
}

TEST(IntegerFunctionsTest, Bits) {
  EXPECT_EQ(call(F::Rotate, Kind::UChar, 0x81, 1), 3);
  EXPECT_EQ(call(F::Rotate, Kind::Int, 1, 33), 2);
  EXPECT_EQ(call(F::Popcount, Kind::Char, -1), 8);
  EXPECT_EQ(call(F::Clz, Kind::UShort, 1), 15);
  EXPECT_EQ(call(F::Clz, Kind::Int, 0), 32);
  EXPECT_EQ(call(F::Ctz, Kind::Int, 8), 3);
  EXPECT_EQ(call(F::Ctz, Kind::UChar, 0), 8);
  EXPECT_EQ(call(F::Bitselect, Kind::Int, 0x0f, 0xf0, 0x3c), 0x33);
}

TEST(IntegerFunctionsTest, WideResults) {
  EXPECT_EQ(call(F::MulHi, Kind::Int, 1 << 30, 8), 2);
  EXPECT_EQ(call(F::MulHi, Kind::Int, -1, 1), -1);
  EXPECT_EQ(call(F::MulHi, Kind::ULong, -1, -1), -2);
  EXPECT_EQ(call(F::MadHi, Kind::UInt, 0x80000000, 4, 5), 7);
  EXPECT_EQ(call(F::Hadd, Kind::Int, INT32_MAX, INT32_MAX), INT32_MAX);
  EXPECT_EQ(call(F::Rhadd, Kind::UChar, 254, 255), 255);
  int64_t parts[3] = {0x12, 0x34, 0};
  EXPECT_EQ(integerFunction(F::Upsample, Kind::UChar, parts), 0x1234);
}

TEST(IntegerFunctionsTest, Saturation) {
  EXPECT_EQ(call(F::AddSat, Kind::Char, 100, 100), 127);
  EXPECT_EQ(call(F::SubSat, Kind::UInt, 1, 2), 0);
  EXPECT_EQ(call(F::AddSat, Kind::Long, INT64_MAX, 1), INT64_MAX);
  EXPECT_EQ(call(F::AddSat, Kind::ULong, -1, 1), -1);
  EXPECT_EQ(call(F::MadSat, Kind::Short, 300, 300, 1), INT16_MAX);
  EXPECT_EQ(call(F::MadSat, Kind::ULong, -1, -1, -1), -1);
  EXPECT_EQ(saturated(Kind::UChar, -3), 0);
  EXPECT_EQ(saturated(Kind::Int, __int128(1) << 90), INT32_MAX);
}

TEST(IntegerFunctionsTest, Of24Bits) {
  EXPECT_EQ(call(F::Mul24, Kind::UInt, 0x1000002, 3), 6);
  EXPECT_EQ(call(F::Mul24, Kind::Int, -2, 3), -6);
  EXPECT_EQ(call(F::Mad24, Kind::Int, -2, 3, 10), 4);
}

} // namespace
