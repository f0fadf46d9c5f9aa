//===- CoalescingTest.cpp - verdicts and transaction counts ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Coalescing.h"
#include "HandModel.h"

#include <gtest/gtest.h>

using namespace clopt;
using Verdict = Coalescing::Verdict;

namespace {

/// One-dimensional kernels over n work-items with a 2-D array and a 1-D one.
class CoalescingTest : public ::testing::Test {
protected:
  CoalescingTest() {
    n = hand.param("n");
    i = hand.globalId(0);
    k = hand.iterator("k");
    line = hand.array("L", {Polynomial()});
    square = hand.array("A", {Polynomial(), sym(n)});
  }

  void domain(const std::string &condition) { hand.statement(condition); }

  Coalescing verdict(unsigned array, std::vector<Polynomial> subscripts,
                     unsigned width = 1) {
    last = hand.access(array, std::move(subscripts), false, width);
    return analyzeCoalescing(hand.model, hand.model.accesses[last], i);
  }

  TransactionCount count(unsigned lanes = 32, unsigned segment = 32) {
    return countTransactions(hand.model, hand.model.accesses[last], i, lanes,
                             segment);
  }

  HandModel hand;
  SymbolId n, i, k;
  unsigned line, square, last = 0;
};

/// F02.
TEST_F(CoalescingTest, IdealAccess) {
  domain("0 <= w0 < n and 0 <= k < n");
  Coalescing result = verdict(line, {sym(i)});
  EXPECT_EQ(result.verdict, Verdict::Contiguous);
  EXPECT_TRUE(result.isIdeal());
  EXPECT_EQ(count().best, 4u);
  EXPECT_EQ(count().worst, 4u);
  EXPECT_EQ(count().ideal, 4u);
  EXPECT_TRUE(count().isExact);
}

/// F02.
TEST_F(CoalescingTest, OffsetBreaksConditionFourOnly) {
  domain("0 <= w0 < n and 0 <= k < n");
  Coalescing result = verdict(line, {sym(i) + num(10)});
  EXPECT_EQ(result.verdict, Verdict::Contiguous);
  EXPECT_FALSE(result.isIdeal());
  EXPECT_TRUE(result.isCoalesced());
  EXPECT_EQ(count().best, 5u);
  EXPECT_EQ(count().worst, 5u);
  EXPECT_EQ(count(4, 16).addresses, (std::vector<int64_t>{8, 12, 16, 20}));
}

/// F02: Fig. 4 of Chen and Wu: requests of four cells.
TEST_F(CoalescingTest, CostModelOfFigureFour) {
  domain("0 <= w0 < n and 0 <= k < n");
  verdict(line, {sym(i)});
  EXPECT_EQ(count(4, 16).best, 1u); // cells 0 to 3: 100 %
  verdict(line, {sym(i) + num(1)});
  EXPECT_EQ(count(4, 16).best, 2u); // cells 1 to 4: 50 %
  verdict(line, {num(4) * sym(i)});
  EXPECT_EQ(count(2, 16).best, 2u); // cells 0 and 4: 25 %
}

TEST_F(CoalescingTest, RowsOfUnknownPitch) {
  domain("0 <= w0 < n and 0 <= k < n");
  EXPECT_TRUE(verdict(square, {sym(k), sym(i)}).isIdeal());
  EXPECT_EQ(count().best, 4u);
  EXPECT_EQ(count().worst, 5u);
  EXPECT_FALSE(count().isExact);
  Coalescing column = verdict(square, {sym(i), sym(k)});
  EXPECT_EQ(column.verdict, Verdict::Strided);
  EXPECT_EQ(column.stride, sym(n));
  EXPECT_EQ(count().best, 32u);
  EXPECT_FALSE(count().reason.empty());
  EXPECT_TRUE(count().addresses.empty()) << "n is not known";
}

TEST_F(CoalescingTest, BroadcastAndStride) {
  domain("0 <= w0 < n and 0 <= k < n");
  EXPECT_EQ(verdict(line, {sym(k)}).verdict, Verdict::Broadcast);
  EXPECT_EQ(count().worst, 1u);
  EXPECT_EQ(verdict(line, {num(3) * sym(i) + sym(k)}).verdict,
            Verdict::Strided);
  EXPECT_EQ(count().best, 12u);
  EXPECT_EQ(count().worst, 13u);
  EXPECT_TRUE(count().isExact);
  EXPECT_EQ(verdict(line, {sym(n) - sym(i)}).verdict, Verdict::Strided);
}

TEST_F(CoalescingTest, Vectors) {
  domain("0 <= w0 < n and 0 <= k < n");
  EXPECT_EQ(verdict(line, {num(4) * sym(i)}, 4).verdict, Verdict::Contiguous);
  EXPECT_EQ(count().ideal, 16u);
  EXPECT_EQ(count().worst, 16u);
  EXPECT_EQ(verdict(line, {sym(i)}, 4).verdict, Verdict::Strided);
  EXPECT_EQ(count().worst, 5u);
}

TEST_F(CoalescingTest, ClampedIndexIsNearby) {
  domain("0 <= w0 < n and 0 <= k < n");
  Condition isInside{Condition::Kind::NonNegative, sym(i) - num(1), {}};
  SymbolId clamped =
      hand.model.symbols.select(isInside, sym(i) - num(1), num(0));
  Coalescing result = verdict(square, {sym(k), sym(clamped)});
  EXPECT_EQ(result.verdict, Verdict::Nearby);
  EXPECT_TRUE(result.isCoalesced());
}

TEST_F(CoalescingTest, SplitIndexIsContiguousAllTheSame) {
  domain("0 <= w0 < n and 0 <= k < n");
  SymbolId row = hand.model.symbols.floorDiv(sym(i), 8);
  SymbolId column = hand.model.symbols.modulo(sym(i), 8);
  unsigned tiles = hand.array("T", {Polynomial(), num(8)});
  Coalescing result = verdict(tiles, {sym(row), sym(column)});
  EXPECT_EQ(result.verdict, Verdict::Contiguous);
  EXPECT_EQ(count().best, 4u);
  EXPECT_EQ(count().worst, 4u);
  result = verdict(line, {sym(row)});
  EXPECT_EQ(result.verdict, Verdict::Nearby);
  EXPECT_EQ(count().worst, 1u);
  EXPECT_TRUE(count().isExact);
  result = verdict(line, {num(5) * sym(row)});
  EXPECT_EQ(result.verdict, Verdict::Irregular);
  EXPECT_FALSE(result.isCoalesced());
}

TEST_F(CoalescingTest, ASingleWorkItemHasNoNeighbours) {
  domain("w0 = 5 and 0 <= k < n");
  EXPECT_EQ(verdict(line, {sym(i) * num(7)}).verdict, Verdict::NoNeighbours);
}

TEST_F(CoalescingTest, UnknownAddress) {
  domain("0 <= w0 < n and 0 <= k < n");
  SymbolId data = hand.unknown(true);
  EXPECT_EQ(verdict(line, {sym(data)}).verdict, Verdict::Unknown);
  EXPECT_EQ(count().best, 32u);
  last = hand.access(line, {sym(i)});
  hand.model.accesses[last].offset = std::nullopt;
  hand.model.accesses[last].subscripts.clear();
  EXPECT_EQ(count().best, 0u);
}

TEST(CoalescingTriangleTest, NeighboursAreComparedAtTheSameTime) {
  HandModel hand;
  SymbolId n = hand.param("n");
  SymbolId i = hand.globalId(0);
  SymbolId k = hand.iterator("k", sym(i));
  unsigned line = hand.array("L", {Polynomial()});
  hand.statement("0 <= w0 < n and w0 <= k < n");
  unsigned access = hand.access(line, {sym(k)});
  EXPECT_EQ(
      analyzeCoalescing(hand.model, hand.model.accesses[access], i).verdict,
      Verdict::Contiguous);
  access = hand.access(line, {sym(k) - sym(i) + sym(n)});
  EXPECT_EQ(
      analyzeCoalescing(hand.model, hand.model.accesses[access], i).verdict,
      Verdict::Broadcast);
}

TEST(CountSegmentsTest, StraddlingAndNegativeAddresses) {
  EXPECT_EQ(countSegments({0, 4, 28}, 4, 32), 1u);
  EXPECT_EQ(countSegments({30}, 4, 32), 2u);
  EXPECT_EQ(countSegments({-4, 0}, 4, 32), 2u);
}

} // namespace
