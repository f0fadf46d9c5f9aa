//===- ConversionsTest.cpp - chains of conversions of a cell --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Conversions.h"

#include <gtest/gtest.h>

using namespace clopt;

/// Conversions from the first type to the last, one after the other.
static ExprRef chain(const std::vector<ScalarKind> &kinds) {
  auto leaf = std::make_shared<Expr>();
  leaf->kind = ExprKind::IntLiteral;
  leaf->type = Type::makeScalar(kinds[0]);
  ExprRef result = leaf;
  for (size_t i = 1; i < kinds.size(); ++i) {
    auto cast = std::make_shared<Expr>();
    cast->kind = ExprKind::Cast;
    cast->type = Type::makeScalar(kinds[i]);
    cast->operands.push_back(result);
    result = cast;
  }
  return result;
}

static bool isConverted(const std::vector<ScalarKind> &kinds) {
  ExprRef expr = chain(kinds);
  const Expr *cell = convertedInteger(*expr);
  EXPECT_TRUE(!cell || cell->kind == ExprKind::IntLiteral);
  return cell;
}

using Kind = ScalarKind;

TEST(ConversionsTest, IntegersToFloatingTypes) {
  EXPECT_TRUE(isConverted({Kind::UChar, Kind::Float}));
  EXPECT_TRUE(isConverted({Kind::UInt, Kind::Double}));
  EXPECT_FALSE(isConverted({Kind::UChar, Kind::Int}));
  EXPECT_FALSE(isConverted({Kind::Float, Kind::Double}));
  EXPECT_FALSE(isConverted({Kind::UChar}));
}

TEST(ConversionsTest, WhatIsInBetweenKeepsTheValue) {
  EXPECT_TRUE(isConverted({Kind::UChar, Kind::Int, Kind::Float}));
  EXPECT_TRUE(isConverted({Kind::Char, Kind::Short, Kind::Int, Kind::Float}));
  EXPECT_TRUE(isConverted({Kind::UShort, Kind::UShort, Kind::Float}));
  EXPECT_FALSE(isConverted({Kind::Int, Kind::Char, Kind::Float}));
  EXPECT_FALSE(isConverted({Kind::Char, Kind::UInt, Kind::Float}));
  EXPECT_FALSE(isConverted({Kind::UInt, Kind::Int, Kind::Float}));
  EXPECT_FALSE(isConverted({Kind::Int, Kind::Bool, Kind::Float}));
  EXPECT_FALSE(isConverted({Kind::UChar, Kind::Half, Kind::Float}));
}
