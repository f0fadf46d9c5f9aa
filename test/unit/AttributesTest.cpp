//===- AttributesTest.cpp - reuse, read-only, unpredictable, uniform ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Attributes.h"
#include "HandModel.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

/// F04.
TEST(AttributesTest, MatrixProduct) {
  HandModel hand;
  SymbolId n = hand.param("n");
  SymbolId j = hand.globalId(0), i = hand.globalId(1), k = hand.iterator("k");
  unsigned a = hand.array("A", {Polynomial(), sym(n)});
  unsigned c = hand.array("C", {Polynomial(), sym(n)});
  hand.statement("0 <= w0 < n and 0 <= w1 < n and 0 <= k < n");
  hand.access(a, {sym(i), sym(k)});
  hand.access(c, {sym(i), sym(j)}, true);
  auto arrays = arrayAttributes(hand.model);
  EXPECT_TRUE(arrays[a].isReused); // the same row for all j
  EXPECT_TRUE(arrays[a].isReadOnly);
  EXPECT_FALSE(arrays[a].isUniform); // i differs within a group
  EXPECT_TRUE(arrays[c].isWriteOnly);
  EXPECT_TRUE(arrays[c].isReused); // every k writes it again
  EXPECT_FALSE(arrays[c].isUnpredictable);
}

/// F04.
TEST(AttributesTest, ReuseByRankOrBySeveralReferences) {
  HandModel hand;
  SymbolId i = hand.globalId(0);
  unsigned once = hand.array("once", {Polynomial()});
  unsigned twice = hand.array("twice", {Polynomial()});
  unsigned one = hand.array("one", {Polynomial()});
  hand.statement("0 <= w0 < 64");
  hand.access(once, {sym(i)});
  hand.access(twice, {sym(i) + num(10)});
  hand.access(twice, {sym(i) + num(11)});
  hand.access(one, {num(3)});
  auto arrays = arrayAttributes(hand.model);
  EXPECT_FALSE(arrays[once].isReused);
  EXPECT_TRUE(arrays[twice].isReused);
  EXPECT_EQ(arrays[twice].references, 2u);
  EXPECT_TRUE(arrays[one].isReused);
  EXPECT_TRUE(arrays[one].isUniform);
}

/// F04.
TEST(AttributesTest, IndirectAccess) {
  HandModel hand;
  hand.globalId(0);
  SymbolId data = hand.unknown(true), argument = hand.unknown(false);
  unsigned p = hand.array("p", {Polynomial()});
  unsigned q = hand.array("q", {Polynomial()});
  hand.statement("0 <= w0 < 64");
  hand.access(p, {sym(data)});
  hand.access(q, {sym(argument)});
  auto arrays = arrayAttributes(hand.model);
  EXPECT_TRUE(arrays[p].isUnpredictable);
  EXPECT_TRUE(arrays[p].isReused); // nothing says that the cells differ
  EXPECT_TRUE(arrays[p].isReadOnly);
  EXPECT_FALSE(arrays[p].isUniform);
  EXPECT_FALSE(arrays[q].isUnpredictable);
  EXPECT_TRUE(arrays[q].isUniform);
}

/// F04.
TEST(AttributesTest, UniformMeansWithinTheGroup) {
  HandModel hand;
  Symbol group, local;
  group.kind = SymbolKind::GroupId;
  group.name = "g0";
  local.kind = SymbolKind::LocalId;
  local.name = "l0";
  SymbolId k = hand.iterator("k");
  SymbolId g = hand.coordinate(group), l = hand.coordinate(local);
  unsigned sums = hand.array("sums", {Polynomial()});
  unsigned line = hand.array("line", {Polynomial()});
  hand.statement("0 <= g0 and 0 <= l0 < 64 and 0 <= k < 8");
  hand.access(sums, {sym(g) + sym(k)});
  hand.access(line, {sym(g) * num(64) + sym(l)});
  auto accesses = accessAttributes(hand.model);
  EXPECT_TRUE(accesses[0].isUniform);
  EXPECT_FALSE(accesses[1].isUniform);
}

TEST(AttributesTest, AnUnusedArrayHasNone) {
  HandModel hand;
  hand.globalId(0);
  unsigned a = hand.array("A", {Polynomial()});
  hand.statement("0 <= w0 < 64");
  auto arrays = arrayAttributes(hand.model);
  EXPECT_FALSE(arrays[a].isReadOnly);
  EXPECT_FALSE(arrays[a].isWriteOnly);
  EXPECT_FALSE(arrays[a].isUniform);
}

} // namespace
