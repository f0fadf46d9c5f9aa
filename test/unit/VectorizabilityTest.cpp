//===- VectorizabilityTest.cpp - colours of accesses ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The examples of Chen and Wu, as hand-made models. AccessSummaryTest.cpp has
// the same programs as OpenCL kernels.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Vectorizability.h"
#include "HandModel.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

using Names = std::vector<std::string>;

std::string colors(const std::vector<ColoredAccess> &nodes) {
  std::string text;
  for (const ColoredAccess &node : nodes)
    text += std::to_string(int(node.color));
  return text;
}

/// F05.
/// Example 1: A[i] = A[i] + B[i][j] + C[i][2j] * D[i][j+10]. A is dependent
/// although no two lanes along j are neighbours in it; "compatible" means
/// transformable, so stride and offset are in the set.
TEST(VectorizabilityTest, ExampleOne) {
  HandModel hand;
  SymbolId n = hand.param("N");
  SymbolId i = hand.iterator("i"), j = hand.iterator("j");
  unsigned a = hand.array("A", {Polynomial()});
  unsigned b = hand.array("B", {Polynomial(), sym(n)});
  unsigned c = hand.array("C", {Polynomial(), sym(n)});
  unsigned d = hand.array("D", {Polynomial(), sym(n)});
  hand.statement("0 <= i < N and 0 <= j < N");
  hand.access(a, {sym(i)});
  hand.access(b, {sym(i), sym(j)});
  hand.access(c, {sym(i), num(2) * sym(j)});
  hand.access(d, {sym(i), sym(j) + num(10)});
  hand.access(a, {sym(i)}, true);
  auto nodes = colorAccesses(hand.model, 0, j);
  EXPECT_EQ(colors(nodes), "31113");
  EXPECT_EQ(vectorizableArrays(hand.model, nodes), (Names{"B", "C", "D"}));
  EXPECT_EQ(nodes[0].conflict, 4u);
}

/// F05.
/// As printed, the algorithm finds only the first of accesses that share one
/// pattern.
TEST(VectorizabilityTest, AllForward) {
  HandModel hand;
  SymbolId i = hand.globalId(0);
  unsigned a = hand.array("A", {Polynomial()});
  unsigned b = hand.array("B", {Polynomial()});
  unsigned c = hand.array("C", {Polynomial()});
  hand.statement("0 <= w0 < 64");
  hand.access(a, {sym(i)});
  hand.access(b, {sym(i)});
  hand.access(c, {sym(i)}, true);
  auto nodes = colorAccesses(hand.model, 0, i);
  EXPECT_EQ(colors(nodes), "111");
  EXPECT_EQ(vectorizableArrays(hand.model, nodes), (Names{"A", "B", "C"}));
}

class MatrixProductTest : public ::testing::Test {
protected:
  MatrixProductTest() {
    SymbolId n = hand.param("n");
    j = hand.globalId(0);
    i = hand.globalId(1);
    k = hand.iterator("k");
    unsigned a = hand.array("A", {Polynomial(), sym(n)});
    unsigned b = hand.array("B", {Polynomial(), sym(n)});
    unsigned c = hand.array("C", {Polynomial(), sym(n)});
    hand.statement("0 <= w0 < n and 0 <= w1 < n and 0 <= k < n");
    hand.access(a, {sym(i), sym(k)});
    hand.access(b, {sym(k), sym(j)});
    hand.access(c, {sym(i), sym(j)});
    hand.access(c, {sym(i), sym(j)}, true);
  }
  HandModel hand;
  SymbolId i, j, k;
};

/// F05.
TEST_F(MatrixProductTest, AlongTheSum) {
  auto nodes = colorAccesses(hand.model, 0, k);
  EXPECT_EQ(vectorizableArrays(hand.model, nodes), (Names{"A", "B"}));
  EXPECT_EQ(colors(nodes), "1133");
  EXPECT_EQ(nodes[1].pattern.str(hand.model), "column");
}

TEST_F(MatrixProductTest, AlongTheRows) {
  auto nodes = colorAccesses(hand.model, 0, j);
  EXPECT_EQ(colors(nodes), "2133");
}

/// ADI: u is read and written, but not in the same cells.
TEST(VectorizabilityTest, DifferentCellsOfOneArrayAreIndependent) {
  HandModel hand;
  SymbolId n = hand.param("n");
  SymbolId ky = hand.globalId(0), kx = hand.iterator("kx");
  unsigned u = hand.array("u", {Polynomial(), sym(n), sym(n)});
  unsigned du = hand.array("du", {Polynomial()});
  hand.statement("1 <= w0 < n - 1 and 1 <= kx < n - 1");
  hand.access(u, {num(0), sym(ky) + num(1), sym(kx)});
  hand.access(u, {num(0), sym(ky), sym(kx)});
  hand.access(du, {sym(ky)});
  hand.access(u, {num(1), sym(ky), sym(kx)}, true);
  auto nodes = colorAccesses(hand.model, 0, ky);
  EXPECT_EQ(colors(nodes), "1111");
  EXPECT_EQ(nodes[0].pattern.str(hand.model), "column + offset 1");
  EXPECT_EQ(nodes[2].pattern.str(hand.model), "forward");
}

/// F05.
TEST(VectorizabilityTest, IndirectIsIncompatible) {
  HandModel hand;
  hand.globalId(0);
  SymbolId k = hand.iterator("k"), data = hand.unknown(true);
  unsigned p = hand.array("p", {Polynomial()});
  unsigned elem = hand.array("elem", {Polynomial()});
  hand.statement("0 <= w0 < 64 and 0 <= k < 64");
  hand.access(elem, {sym(k)});
  hand.access(p, {sym(data)});
  auto nodes = colorAccesses(hand.model, 0, k);
  EXPECT_EQ(colors(nodes), "12");
}

/// A recurrence along a loop: lanes would read what others write.
TEST(VectorizabilityTest, OtherIterationsOfALoopCount) {
  HandModel hand;
  SymbolId i = hand.iterator("i");
  unsigned a = hand.array("A", {Polynomial()});
  hand.statement("1 <= i < 64");
  hand.access(a, {sym(i) - num(1)});
  hand.access(a, {sym(i)}, true);
  EXPECT_EQ(colors(colorAccesses(hand.model, 0, i)), "33");
}

/// Between work-items the same accesses would be a data race, which no valid
/// kernel has.
TEST(VectorizabilityTest, OtherWorkItemsDoNot) {
  HandModel hand;
  SymbolId i = hand.globalId(0);
  unsigned a = hand.array("A", {Polynomial()});
  hand.statement("1 <= w0 < 64");
  hand.access(a, {sym(i) - num(1)});
  hand.access(a, {sym(i)}, true);
  EXPECT_EQ(colors(colorAccesses(hand.model, 0, i)), "11");
}

TEST(VectorizabilityTest, TwoReadsAreNoDependence) {
  HandModel hand;
  SymbolId i = hand.iterator("i");
  unsigned a = hand.array("A", {Polynomial()});
  hand.statement("1 <= i < 64");
  hand.access(a, {sym(i)});
  hand.access(a, {sym(i)});
  EXPECT_EQ(colors(colorAccesses(hand.model, 0, i)), "11");
}

} // namespace
