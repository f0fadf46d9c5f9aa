//===- ProductGuardsTest.cpp - checks of products that cannot wrap --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/ProductGuards.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

constexpr uint64_t Int = uint64_t(1) << 31;
constexpr uint64_t Uint = UINT32_MAX;
constexpr int64_t Values = int64_t(1) << 32;

/// The conditions for terms over symbols 0 to 3, "n", "m", "p" and "q".
std::string printed(const std::map<Monomial, int64_t> &terms, int64_t maximum,
                    uint64_t factorMaximum) {
  ProductBound bound;
  bound.poly.terms = terms;
  bound.maximum = maximum;
  std::map<SymbolId, ProductFactor> factors;
  const char *names[] = {"n", "m", "p", "q"};
  for (SymbolId id = 0; id < 4; ++id)
    factors[id] = {names[id], factorMaximum};
  return joined(printProductBound(bound, factors));
}

} // namespace

TEST(ProductGuardsTest, TwoFactorsOfThirtyTwoBitsFitSixtyFour) {
  EXPECT_EQ(printed({{{0, 1}, 1}}, Values, Uint), "(ulong)n * m <= 4294967296");
}

TEST(ProductGuardsTest, SumsOfIntsFitAsWell) {
  EXPECT_EQ(printed({{{0, 1}, 1}, {{2, 3}, 1}, {{0}, 1}}, 100, Int),
            "(ulong)n * m + (ulong)p * q + n <= 100");
}

TEST(ProductGuardsTest, UnsignedSumsAreCheckedTermByTerm) {
  EXPECT_EQ(printed({{{0, 1}, 1}, {{2, 3}, 1}}, 100, Uint),
            "(ulong)n * m <= 100 && (ulong)n * m + (ulong)p * q <= 100");
}

TEST(ProductGuardsTest, ThirdFactorsWaitForTheFirstTwo) {
  EXPECT_EQ(printed({{{0, 1, 2}, 1}}, Values, Uint),
            "(ulong)n * m <= 4294967295 && (ulong)n * m * p <= 4294967296");
}

TEST(ProductGuardsTest, FactorsOfUnknownSizeAreCheckedFirst) {
  EXPECT_EQ(printed({{{0, 1}, 1}}, 1000, UINT64_MAX),
            "n <= 4294967295 && m <= 4294967295 && (ulong)n * m <= 1000");
}

TEST(ProductGuardsTest, CoefficientsCountAsFactors) {
  EXPECT_EQ(printed({{{0}, 12}}, 1000, Uint), "(ulong)n * 12 <= 1000");
  EXPECT_EQ(printed({{{0, 1}, 12}}, 1000, Uint),
            "(ulong)n * m <= 83 && (ulong)n * m * 12 <= 1000");
}

TEST(ProductGuardsTest, SumsWithoutProductsAreAddedInSixtyFourBits) {
  EXPECT_EQ(printed({{{0}, 1}, {{1}, 1}}, 1000, Uint), "(ulong)n + m <= 1000");
}

TEST(ProductGuardsTest, NothingIsAskedOfNothing) {
  EXPECT_EQ(printed({}, 1000, Uint), "");
}
