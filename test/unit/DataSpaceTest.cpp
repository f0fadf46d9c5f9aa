//===- DataSpaceTest.cpp - layouts of arrays ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The six patterns of Fig. 5 of Chen and Wu with the parts that undo them, and
// what a transform refuses.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/DataSpace.h"
#include "HandModel.h"

#include <gtest/gtest.h>

using namespace clopt;
using Kind = LayoutPart::Kind;

namespace {

LayoutPart part(Kind kind, unsigned dim, unsigned other = 0, int64_t factor = 0,
                int64_t residue = 0) {
  LayoutPart result;
  result.kind = kind;
  result.dim = dim;
  result.other = other;
  result.factor = factor;
  result.residue = residue;
  return result;
}

std::string noNames(SymbolId) { return "?"; }

class DataSpaceTest : public ::testing::Test {
protected:
  DataSpaceTest() {
    n = hand.param("N");
    i = hand.iterator("i");
    j = hand.iterator("j");
    a = hand.array("A", {Polynomial(), sym(n)});
    hand.statement("0 <= i < N and 0 <= j < N");
  }

  /// The parts for an access along j; its subscripts afterwards in `after`.
  std::string undone(std::vector<Polynomial> subscripts, int64_t step = 1) {
    unsigned access = hand.access(a, subscripts);
    Pattern pattern =
        classify(hand.model, hand.model.accesses[access], j, step);
    std::optional<DataSpace> space = undoing(pattern);
    if (!space)
      return "none";
    EXPECT_EQ(space->transform(), pattern.transform);
    for (Polynomial &subscript : subscripts)
      subscript = subscript.substitute(j, sym(j) * num(step));
    auto result = space->apply(subscripts, hand.model.symbols);
    after.clear();
    if (result)
      for (const Polynomial &value : *result)
        after += (after.empty() ? "" : ", ") + value.str([&](SymbolId id) {
          return hand.model.symbols.name(id);
        });
    return space->str();
  }

  HandModel hand;
  SymbolId n, i, j;
  unsigned a;
  std::string after;
};

/// F06.
TEST_F(DataSpaceTest, PatternsOfFigureFive) {
  EXPECT_EQ(undone({sym(i), sym(j)}), "");
  EXPECT_EQ(after, "i, j");
  EXPECT_EQ(undone({sym(i), sym(j)}, -1), "reverse 1");
  EXPECT_EQ(after, "i, j");
  EXPECT_EQ(undone({sym(i), sym(j) + num(2)}), "offset 1 2");
  EXPECT_EQ(after, "i, j");
  EXPECT_EQ(undone({sym(i), sym(i) + sym(j)}), "skew 1 0 1");
  EXPECT_EQ(after, "i, j");
  EXPECT_EQ(undone({sym(i), sym(j) * num(5)}), "compact 1 5 0");
  EXPECT_EQ(after, "i, j");
  EXPECT_EQ(undone({sym(j), sym(i)}), "exchange 0 1");
  EXPECT_EQ(after, "i, j");
}

/// F06.
TEST_F(DataSpaceTest, PatternsThatAreComposed) {
  EXPECT_EQ(undone({sym(j) + num(1), sym(i)}), "exchange 0 1, offset 1 1");
  EXPECT_EQ(after, "i, j");
  EXPECT_EQ(undone({sym(i), sym(j) * num(3) + num(7)}),
            "compact 1 3 1, offset 1 2");
  EXPECT_EQ(after, "i, j");
  EXPECT_EQ(undone({sym(i), sym(j) * num(3) - num(1)}),
            "compact 1 3 2, offset 1 -1");
  EXPECT_EQ(after, "i, j");
  EXPECT_EQ(undone({sym(i), num(4) - sym(i) - sym(j) * num(2)}),
            "reverse 1, skew 1 0 1, compact 1 2 0, offset 1 -2");
  EXPECT_EQ(after, "i, j");
  EXPECT_EQ(undone({sym(i) + sym(j), sym(j)}), "skew 0 1 1");
  EXPECT_EQ(after, "i, j");
}

TEST_F(DataSpaceTest, PatternsWithoutATransform) {
  EXPECT_EQ(undone({sym(i), sym(i)}), "none") << "free of the axis";
  EXPECT_EQ(undone({sym(i), sym(j) * sym(n)}), "none")
      << "stride of the launch";
  EXPECT_EQ(undone({sym(i), sym(j) + sym(n)}), "none")
      << "offset of the launch";
}

TEST_F(DataSpaceTest, SplitKeepsEveryResidue) {
  DataSpace space(2);
  ASSERT_TRUE(space.add(part(Kind::Split, 1, 0, 3)));
  EXPECT_EQ(space.rank(), 3u);
  EXPECT_EQ(str(space.transform(), noNames), "(0 0; 1 0; 0 1/3)");
  EXPECT_EQ(str({space.delta({2})}, noNames), "(2 0 -2/3)");
  auto result =
      space.apply({sym(i), sym(j) * num(3) + num(5)}, hand.model.symbols);
  ASSERT_TRUE(result);
  EXPECT_EQ((*result)[0], num(2));
  EXPECT_EQ((*result)[1], sym(i));
  EXPECT_EQ((*result)[2], sym(j) + num(1));
  // Any cell has a place, also where the residue varies.
  result = space.apply({sym(i), sym(j)}, hand.model.symbols);
  ASSERT_TRUE(result);
  EXPECT_EQ(hand.model.symbols[(*result)[0].symbols().front()].kind,
            SymbolKind::Modulo);
  EXPECT_EQ(hand.model.symbols[(*result)[2].symbols().front()].kind,
            SymbolKind::FloorDiv);
}

TEST_F(DataSpaceTest, CompactKeepsOneResidue) {
  DataSpace space(1);
  ASSERT_TRUE(space.add(part(Kind::Compact, 0, 0, 4, 3)));
  EXPECT_EQ(space.apply({11}), std::vector<int64_t>{2});
  EXPECT_EQ(space.apply({-1}), std::vector<int64_t>{-1});
  EXPECT_FALSE(space.apply({12}));
  EXPECT_FALSE(space.apply({sym(j)}, hand.model.symbols));
  EXPECT_FALSE(space.apply({sym(j) * num(4)}, hand.model.symbols));
}

TEST_F(DataSpaceTest, MatricesAreUnimodular) {
  DataSpace space(2);
  LayoutPart matrix = part(Kind::Matrix, 0);
  matrix.matrix = {2, 1, 1, 1};
  EXPECT_TRUE(space.add(matrix));
  EXPECT_EQ(space.inverse(), (IntegerMatrix{{1, -1}, {-1, 2}}));
  matrix.matrix = {2, 0, 0, 1};
  EXPECT_FALSE(space.add(matrix)) << "determinant 2";
  matrix.matrix = {1, 1, 1, 1};
  EXPECT_FALSE(space.add(matrix)) << "singular";
  matrix.matrix = {1, 0, 0};
  EXPECT_FALSE(space.add(matrix)) << "not square";
}

TEST_F(DataSpaceTest, PartsWithoutMeaningAreNotTaken) {
  DataSpace space(2);
  EXPECT_FALSE(space.add(part(Kind::Exchange, 0, 0)));
  EXPECT_FALSE(space.add(part(Kind::Exchange, 0, 2)));
  EXPECT_FALSE(space.add(part(Kind::Reverse, 2)));
  EXPECT_FALSE(space.add(part(Kind::Skew, 1, 1, 1)));
  EXPECT_FALSE(space.add(part(Kind::Compact, 1, 0, 1)));
  EXPECT_FALSE(space.add(part(Kind::Compact, 1, 0, 3, 3)));
  EXPECT_FALSE(space.add(part(Kind::Split, 1, 0, 0)));
  EXPECT_FALSE(space.add(part(Kind::Offset, 1, 0, int64_t(1) << 40)));
  EXPECT_TRUE(space.isIdentity());
  // Products of factors stay small, too.
  EXPECT_TRUE(space.add(part(Kind::Compact, 1, 0, 1 << 20)));
  EXPECT_FALSE(space.add(part(Kind::Compact, 1, 0, 2)));
}

TEST_F(DataSpaceTest, RelationOfCells) {
  DataSpace space(2);
  space.add(part(Kind::Split, 1, 0, 2));
  space.add(part(Kind::Exchange, 0, 2));
  isl::ctx ctx(hand.model.context.get());
  isl::map relation(ctx, space.relation("A", "B"));
  isl::map expected(ctx,
                    "{ A[i, j] -> B[q, i, r] : j = 2q + r and 0 <= r <= 1 }");
  EXPECT_TRUE(relation.is_equal(expected)) << space.relation("A", "B");
}

} // namespace
