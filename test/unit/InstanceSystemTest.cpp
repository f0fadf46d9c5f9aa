//===- InstanceSystemTest.cpp - tests of Transform/legality/InstanceSystem ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/legality/InstanceSystem.h"

#include <isl/ctx.h>

#include <gtest/gtest.h>

using namespace clopt;

namespace {

struct InstanceSystemTest : ::testing::Test {
  InstanceSystemTest() : raw(isl_ctx_alloc()), context(raw) {}
  ~InstanceSystemTest() override { isl_ctx_free(raw); }

  /// Whether PPL finds a point in some basic set.
  Points pointIn(const char *text) {
    isl::set set(context, text);
    Points result = Points::None;
    for (const RelationPiece &piece : piecesOf(set)) {
      InstanceSystem system;
      system.addPiece(piece, {}, system.addColumns(piece.outputs));
      if (system.findPoint() != Points::None)
        result = system.findPoint();
    }
    return result;
  }

  isl_ctx *raw;
  isl::ctx context;
};

TEST_F(InstanceSystemTest, setsWithQuotients) {
  EXPECT_EQ(pointIn("[n] -> { A[i] : 4 * floor(i/4) = i and 5 <= i <= 8 }"),
            Points::Some);
  EXPECT_EQ(pointIn("[n] -> { A[i] : (i mod 4) = 1 and 6 <= i <= 8 }"),
            Points::None);
  EXPECT_EQ(pointIn("[n] -> { A[i] : exists e : i = 3 e and n < i < n + 3 }"),
            Points::Some);
}

TEST_F(InstanceSystemTest, piecesShareParametersByName) {
  isl::set small(context, "[n, m] -> { A[i] : i < n and m = n }");
  isl::set large(context, "[m] -> { A[i] : i >= m }");
  InstanceSystem system;
  Columns i = system.addColumns(1);
  system.addPiece(piecesOf(small)[0], {}, i);
  EXPECT_EQ(system.findPoint(), Points::Some);
  system.addPiece(piecesOf(large)[0], {}, i);
  EXPECT_EQ(system.findPoint(), Points::None);
}

TEST_F(InstanceSystemTest, twoInstancesOfOneMap) {
  // { S[i] -> A[floor(i/2)] }: two instances touch one cell when they are
  // neighbours, never when they are two apart.
  isl::map map(context, "{ S[i] -> A[c] : 2 c <= i <= 2 c + 1 }");
  RelationPiece piece = piecesOf(map)[0];
  for (int64_t distance : {1, 2}) {
    InstanceSystem system;
    Columns cell = system.addColumns(1);
    Columns first = system.addColumns(1), second = system.addColumns(1);
    system.addPiece(piece, first, cell);
    system.addPiece(piece, second, cell);
    LinearSum apart{-distance, {{second[0], 1}, {first[0], -1}}};
    system.addZero(apart);
    EXPECT_EQ(system.findPoint(), distance == 1 ? Points::Some : Points::None);
  }
}

TEST_F(InstanceSystemTest, numbersBeyondSixtyFourBits) {
  // The constraint is left out, so that no point is lost.
  EXPECT_EQ(pointIn("{ A[i] : i >= 3 and i <= 100000000000000000000 }"),
            Points::Some);
}

} // namespace
