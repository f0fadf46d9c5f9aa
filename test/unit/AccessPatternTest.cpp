//===- AccessPatternTest.cpp - patterns and their transforms --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first tests are Fig. 5 of Chen and Wu with the matrices of their table,
// as corrected in docs/analysis.md.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/AccessPattern.h"
#include "HandModel.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

/// Two loops i, j over an N x N array, as in Fig. 5.
class Fig5Test : public ::testing::Test {
protected:
  Fig5Test() {
    n = hand.param("N");
    i = hand.iterator("i");
    j = hand.iterator("j");
    a = hand.array("A", {Polynomial(), sym(n)});
    hand.statement("0 <= i < N and 0 <= j < N");
  }

  std::string text(const RationalMatrix &matrix) const {
    return str(matrix,
               [this](SymbolId id) { return hand.model.symbols.name(id); });
  }

  Pattern classifyAt(std::vector<Polynomial> subscripts, SymbolId axis,
                     int64_t step = 1) {
    unsigned access = hand.access(a, std::move(subscripts));
    return classify(hand.model, hand.model.accesses[access], axis, step);
  }

  HandModel hand;
  SymbolId n, i, j;
  unsigned a;
};

/// F03.
TEST_F(Fig5Test, Forward) {
  Pattern pattern = classifyAt({sym(i), sym(j)}, j);
  EXPECT_EQ(pattern.str(hand.model), "forward");
  EXPECT_EQ(text(pattern.access.entries), "(1 0 0; 0 1 0)");
  EXPECT_EQ(text(pattern.transform), "(1 0; 0 1)");
  EXPECT_EQ(text(pattern.delta), "(0 0 0; 0 0 0)");
  EXPECT_TRUE(pattern.isCompatible);
}

/// F03.
TEST_F(Fig5Test, Reverse) {
  Pattern pattern = classifyAt({sym(i), sym(j)}, j, -1);
  EXPECT_EQ(pattern.str(hand.model), "reverse");
  EXPECT_EQ(text(pattern.access.entries), "(1 0 0; 0 -1 0)");
  EXPECT_EQ(text(pattern.transform), "(1 0; 0 -1)");
  EXPECT_EQ(text(pattern.delta), "(0 0 0; 0 0 0)");
  ASSERT_TRUE(pattern.rebase);
  EXPECT_EQ(*pattern.rebase, sym(n) - num(1));
}

TEST_F(Fig5Test, ReverseBySubscript) {
  Pattern pattern = classifyAt({sym(i), sym(n) - num(1) - sym(j)}, j);
  EXPECT_EQ(pattern.str(hand.model), "reverse");
  // The copy starts at the other end of the row, so an offset is relative to
  // that end.
  pattern = classifyAt({sym(i), sym(n) - num(3) - sym(j)}, j);
  EXPECT_EQ(pattern.str(hand.model), "reverse + offset 2");
}

/// F03.
TEST_F(Fig5Test, Offset) {
  Pattern pattern = classifyAt({sym(i), sym(j) + num(2)}, j);
  EXPECT_EQ(pattern.str(hand.model), "offset 2");
  EXPECT_EQ(text(pattern.access.entries), "(1 0 0; 0 1 2)");
  EXPECT_EQ(text(pattern.transform), "(1 0; 0 1)");
  EXPECT_EQ(text(pattern.delta), "(0 0 0; 0 0 -2)");
}

TEST_F(Fig5Test, OffsetByAParameterHasItsOwnColumn) {
  Pattern pattern = classifyAt({sym(i), sym(j) + sym(n) - num(1)}, j);
  EXPECT_EQ(pattern.str(hand.model), "offset (N - 1)");
  EXPECT_EQ(text(pattern.access.entries), "(1 0 0 0; 0 1 1 -1)");
  EXPECT_EQ(text(pattern.delta), "(0 0 0 0; 0 0 -1 1)");
}

/// F03.
TEST_F(Fig5Test, Skew) {
  Pattern pattern = classifyAt({sym(i), sym(i) + sym(j)}, j);
  EXPECT_EQ(pattern.str(hand.model), "skew 1");
  EXPECT_EQ(text(pattern.access.entries), "(1 0 0; 1 1 0)");
  EXPECT_EQ(text(pattern.transform), "(1 0; -1 1)");
  EXPECT_EQ(text(pattern.delta), "(0 0 0; 0 0 0)");
  pattern = classifyAt({sym(i), num(3) * sym(i) + sym(j)}, j);
  EXPECT_EQ(pattern.str(hand.model), "skew 3");
  EXPECT_EQ(text(pattern.transform), "(1 0; -3 1)");
}

/// F03.
TEST_F(Fig5Test, Stride) {
  Pattern pattern = classifyAt({sym(i), num(5) * sym(j)}, j);
  EXPECT_EQ(pattern.str(hand.model), "stride 5");
  EXPECT_EQ(text(pattern.access.entries), "(1 0 0; 0 5 0)");
  EXPECT_EQ(text(pattern.transform), "(1 0; 0 1/5)");
}

/// F03.
TEST_F(Fig5Test, Column) {
  Pattern pattern = classifyAt({sym(j), sym(i)}, j);
  EXPECT_EQ(pattern.str(hand.model), "column");
  EXPECT_EQ(text(pattern.access.entries), "(0 1 0; 1 0 0)");
  EXPECT_EQ(text(pattern.transform), "(0 1; 1 0)");
}

/// F03.
TEST_F(Fig5Test, Compositions) {
  EXPECT_EQ(classifyAt({sym(j) + num(1), sym(i)}, j).str(hand.model),
            "column + offset 1");
  Pattern pattern = classifyAt({sym(i), num(2) * sym(j) + num(1)}, j);
  EXPECT_EQ(pattern.str(hand.model), "stride 2 + offset 1");
  EXPECT_EQ(text(pattern.transform), "(1 0; 0 1/2)");
  EXPECT_EQ(text(pattern.delta), "(0 0 0; 0 0 -1/2)");
  EXPECT_EQ(classifyAt({sym(i), sym(i) - sym(j)}, j).str(hand.model),
            "reverse + skew -1 + offset (N - 1)");
}

TEST_F(Fig5Test, Diagonal) {
  Pattern pattern = classifyAt({sym(j), sym(j)}, j);
  EXPECT_EQ(pattern.str(hand.model), "skew 1");
  EXPECT_EQ(text(pattern.transform), "(1 -1; 0 1)");
}

/// F03.
TEST_F(Fig5Test, BroadcastIsNotTransformed) {
  Pattern pattern = classifyAt({sym(i), num(0)}, j);
  EXPECT_EQ(pattern.str(hand.model), "broadcast");
  EXPECT_FALSE(pattern.isCompatible);
}

TEST_F(Fig5Test, TheAxisDecides) {
  EXPECT_EQ(classifyAt({sym(i), sym(j)}, i).str(hand.model), "column");
  EXPECT_EQ(classifyAt({sym(i), sym(j)}, j).str(hand.model), "forward");
}

/// An access is incompatible when another coordinate moves the last subscript
/// alone: no constant matrix takes it out.
TEST(AccessPatternTest, WindowIsNotCompatible) {
  HandModel hand;
  SymbolId x = hand.globalId(0), u = hand.iterator("u");
  unsigned a = hand.array("A", {Polynomial()});
  hand.statement("0 <= w0 < 64 and 0 <= u < 16");
  unsigned access = hand.access(a, {sym(x) + sym(u)});
  Pattern pattern = classify(hand.model, hand.model.accesses[access], x);
  EXPECT_EQ(pattern.str(hand.model), "skew 1");
  EXPECT_FALSE(pattern.isCompatible);
  EXPECT_FALSE(pattern.reason.empty());
}

TEST(AccessPatternTest, SymbolicStride) {
  HandModel hand;
  SymbolId n = hand.param("n");
  SymbolId i = hand.globalId(0), k = hand.iterator("k");
  unsigned a = hand.array("A", {Polynomial()});
  hand.statement("0 <= w0 < n and 0 <= k < n");
  unsigned access = hand.access(a, {sym(i) * sym(n) + num(1)});
  Pattern pattern = classify(hand.model, hand.model.accesses[access], i);
  EXPECT_EQ(pattern.str(hand.model), "stride n + offset 1");
  EXPECT_TRUE(pattern.isCompatible);
  EXPECT_EQ(str(pattern.transform,
                [&](SymbolId id) { return hand.model.symbols.name(id); }),
            "(1/n)");
  // The number of cells per step changes from iteration to iteration.
  access = hand.access(a, {sym(i) * sym(k)});
  pattern = classify(hand.model, hand.model.accesses[access], i);
  EXPECT_EQ(pattern.str(hand.model), "stride k");
  EXPECT_FALSE(pattern.isCompatible);
  access = hand.access(a, {sym(i) * sym(i)});
  pattern = classify(hand.model, hand.model.accesses[access], i);
  EXPECT_EQ(pattern.str(hand.model), "unpredictable");
}

TEST(AccessPatternTest, VectorsCountAsWholes) {
  HandModel hand;
  SymbolId i = hand.globalId(0);
  unsigned a = hand.array("A", {Polynomial()});
  hand.statement("0 <= w0 < 64");
  unsigned access = hand.access(a, {num(4) * sym(i)}, false, 4);
  Pattern pattern = classify(hand.model, hand.model.accesses[access], i);
  EXPECT_EQ(pattern.str(hand.model), "forward");
  access = hand.access(a, {num(8) * sym(i)}, false, 4);
  pattern = classify(hand.model, hand.model.accesses[access], i);
  EXPECT_EQ(pattern.str(hand.model), "stride 2");
}

/// F03.
TEST(AccessPatternTest, DataAndConditionsAreUnpredictable) {
  HandModel hand;
  SymbolId i = hand.globalId(0);
  SymbolId data = hand.unknown(true), fixed = hand.unknown(false);
  unsigned a = hand.array("A", {Polynomial()});
  hand.statement("0 <= w0 < 64");
  unsigned access = hand.access(a, {sym(data)});
  EXPECT_EQ(
      classify(hand.model, hand.model.accesses[access], i).str(hand.model),
      "unpredictable");
  access = hand.access(a, {sym(i) + sym(fixed)});
  EXPECT_EQ(
      classify(hand.model, hand.model.accesses[access], i).str(hand.model),
      "offset ?");
  SymbolId half = hand.model.symbols.floorDiv(sym(i), 2);
  access = hand.access(a, {sym(half)});
  EXPECT_EQ(
      classify(hand.model, hand.model.accesses[access], i).str(hand.model),
      "unpredictable");
  SymbolId rest = hand.model.symbols.modulo(sym(i), 2);
  unsigned whole = hand.access(a, {sym(half) * num(2) + sym(rest)});
  EXPECT_EQ(classify(hand.model, hand.model.accesses[whole], i).str(hand.model),
            "forward");
  // Two steps at a time it moves evenly.
  EXPECT_EQ(
      classify(hand.model, hand.model.accesses[access], i, 2).str(hand.model),
      "forward");
}

TEST(LaneStrideTest, Polynomials) {
  HandModel hand;
  SymbolId n = hand.param("n");
  SymbolId i = hand.globalId(0), k = hand.iterator("k");
  const KernelModel &model = hand.model;
  EXPECT_EQ(laneStride(model, sym(i) * sym(n) + sym(k), i), sym(n));
  EXPECT_EQ(laneStride(model, sym(i) * sym(n) + sym(k), k), num(1));
  EXPECT_EQ(laneStride(model, sym(k), i), num(0));
  EXPECT_EQ(laneStride(model, sym(i) * sym(k), i), sym(k));
  EXPECT_EQ(laneStride(model, sym(i) * sym(i), i), std::nullopt);
  EXPECT_EQ(laneStride(model, sym(i) * num(3), i, -2), num(-6));
}

TEST(LaneStrideTest, Atoms) {
  HandModel hand;
  SymbolId i = hand.globalId(0), k = hand.iterator("k");
  KernelModel &model = hand.model;
  SymbolId quotient = model.symbols.floorDiv(sym(i) + sym(k), 4);
  SymbolId rest = model.symbols.modulo(sym(i), 4);
  Condition isInside{Condition::Kind::NonNegative, sym(k) - num(1), {}};
  SymbolId shifted = model.symbols.select(isInside, sym(i) + num(1), sym(i));
  Condition isLeft{Condition::Kind::NonNegative, sym(i) - num(1), {}};
  SymbolId clamped = model.symbols.select(isLeft, sym(i), num(0));
  EXPECT_EQ(laneStride(model, sym(quotient), i), std::nullopt);
  EXPECT_EQ(laneStride(model, sym(quotient), i, 8), num(2));
  EXPECT_EQ(laneStride(model, sym(rest), i, 4), num(0));
  EXPECT_EQ(laneStride(model, sym(rest), i, 2), std::nullopt);
  EXPECT_EQ(laneStride(model, sym(rest), k), num(0));
  EXPECT_EQ(laneStride(model, sym(shifted), i), num(1));
  EXPECT_EQ(laneStride(model, sym(clamped), i), std::nullopt);
}

TEST(LaneStrideTest, TrianglesRunInLockstep) {
  HandModel hand;
  SymbolId i = hand.globalId(0);
  SymbolId k = hand.iterator("k", sym(i));
  hand.statement("0 <= w0 < 64 and w0 <= k < 64");
  Polynomial seen = inLockstep(hand.model, hand.model.statements[0], sym(k), i);
  EXPECT_EQ(seen, sym(i) + sym(k));
  EXPECT_EQ(laneStride(hand.model, seen, i), num(1));
}

TEST(RationalMatrixTest, FractionsAreReduced) {
  auto name = [](SymbolId id) { return std::string(1, char('a' + id)); };
  Polynomial x = sym(0), y = sym(1);
  EXPECT_EQ(Ratio(num(2), num(-4)).str(name), "-1/2");
  EXPECT_EQ(Ratio(x * num(2), x * y * num(4)).str(name), "1/(2*b)");
  EXPECT_EQ(Ratio(x * y + y, x + num(1)).str(name), "b");
  EXPECT_TRUE((Ratio(x, y) - Ratio(x * num(3), y * num(3))).isZero());
  EXPECT_EQ(Ratio(x + y, num(2)).asPolynomial(), std::nullopt);
}

TEST(RationalMatrixTest, RankAndCombinations) {
  auto row = [](std::vector<int> values) {
    std::vector<Ratio> result;
    for (int value : values)
      result.push_back(Ratio(num(value)));
    return result;
  };
  EXPECT_EQ(rankOf({row({1, 2}), row({2, 4})}), 1u);
  EXPECT_EQ(rankOf({row({0, 2}), row({2, 4})}), 2u);
  auto factors =
      solveRowCombination({row({1, 0, 1}), row({0, 2, 0})}, row({3, 4, 3}));
  ASSERT_TRUE(factors);
  EXPECT_EQ((*factors)[0].asConstant(), 3);
  EXPECT_EQ((*factors)[1].asConstant(), 2);
  EXPECT_FALSE(solveRowCombination({row({1, 0})}, row({0, 1})));
}

} // namespace
