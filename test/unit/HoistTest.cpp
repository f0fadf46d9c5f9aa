//===- HoistTest.cpp - values of memory that are loaded once --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Hoist.h"

#include "KernelTesting.h"
#include "Transform/verify/VerifySteps.h"

using namespace clopt;

static std::string item(const std::string &body) {
  return kernelOf("int i = get_global_id(0);\n" + body);
}

static bool isWithin(const isl::set &set, const std::string &text) {
  return set.is_subset(isl::set(set.ctx(), text)) && !set.is_empty();
}

/// Takes the steps; what comes of it is also in order.
static void take(TestedKernel &tested, const std::string &steps) {
  ASSERT_EQ(tested.apply(steps).message, "");
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  EXPECT_FALSE(wrong) << wrong->message;
}

//===-- Single cells ------------------------------------------------------===//

TEST(HoistTest, AnInvariantLoadLeavesTheLoop) {
  TestedKernel tested(item("for (int k = 0; k < n; k++) r[k] = a[i] * s[k];"));
  take(tested, "hoist a");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  const ArrayTile &copy = tested.kernel.tiles[0];
  EXPECT_EQ(copy.cells(tested.kernel), 1);
  EXPECT_FALSE(copy.copyOut);
  EXPECT_FALSE(copy.within.has_value());
  EXPECT_EQ(copy.coordinates.size(), 1u);
  EXPECT_TRUE(isWithin(*copy.inDomain, "[n] -> { Copy[w0, 0] : n > 0 }"));
}

TEST(HoistTest, WhatTheProgramWritesMustNotOverlap) {
  TestedKernel tested(item("for (int k = 0; k < n; k++) b[k] = a[i] * s[k];"));
  take(tested, "hoist a");
  EXPECT_EQ(tested.kernel.disjointArrays.size(), 1u);
  expectRefused(item("for (int k = 0; k < n; k++) b[k] = a[i];"), "hoist a",
                "clopt-may-alias", "'a' and 'b' may overlap",
                AliasMode::Strict);
  expectRefused(item("for (int k = 0; k < n; k++) b[p[k]] = a[i];"), "hoist a",
                "clopt-unguardable-footprint",
                "cells of 'b' are not known before the kernel runs");
}

TEST(HoistTest, EachCellHasItsOwnRegister) {
  TestedKernel tested(
      item("for (int k = 0; k < n; k++) r[k] = a[i] + a[i + m] + a[k];"));
  take(tested, "hoist a");
  // a[k] moves with the loop.
  EXPECT_EQ(tested.kernel.tiles.size(), 2u);
}

/// `?:`, `&&` and `||` are conditions of references, too.
TEST(HoistTest, AConditionWithinTheStatementGuardsTheLoad) {
  for (const char *value :
       {"m > 3 ? a[i + 100] : 0.0f", "m > 3 && a[i + 100] > 0.0f",
        "m <= 3 || a[i + 100] > 0.0f"}) {
    TestedKernel tested(
        item("for (int k = 0; k < n; k++) r[k] = " + std::string(value) + ";"));
    take(tested, "hoist a");
    EXPECT_TRUE(isWithin(*tested.kernel.tiles[0].inDomain,
                         "[n, m] -> { Copy[w0, 0] : n > 0 and m > 3 }"));
  }
  expectRefused(
      item("for (int k = 0; k < n; k++) r[k] = s[0] > 0 ? a[i] : 0.0f;"),
      "hoist a", "clopt-not-profitable", "no cell of 'a' is read again");
}

/// Cells of a window that some iteration does not read are not loaded for it.
TEST(HoistTest, AWindowHasOneCondition) {
  TestedKernel tested(item("for (int k = 0; k < n; k++)\n"
                           "  r[k] = k > 2 ? a[k - 1] + a[k] : 0.0f;"));
  take(tested, "hoist a");
  EXPECT_TRUE(isWithin(tested.kernel.tiles[0].window->fill,
                       "[n] -> { Copy[w0, 3, 0] : n > 3 }"));
  expectRefused(item("for (int k = 0; k < n; k++)\n"
                     "  r[k] = (k > 2 ? a[k - 1] : 0.0f) + a[k];"),
                "hoist a", "clopt-not-profitable",
                "no cell of 'a' is read again");
}

TEST(HoistTest, APlaceWithAnEffectStays) {
  expectRefused(item("int j = 0; for (int k = 0; k < n; k++) {\n"
                     "  j = i; r[k] = a[j = j + 1]; }"),
                "hoist a", "clopt-not-profitable",
                "no cell of 'a' is read again");
}

TEST(HoistTest, AConditionOfTheReferenceGuardsTheLoad) {
  TestedKernel tested(item("for (int k = 0; k < n; k++)\n"
                           "  if (k > m) r[k] = a[i];"));
  take(tested, "hoist a");
  EXPECT_TRUE(isWithin(*tested.kernel.tiles[0].inDomain,
                       "[n, m] -> { Copy[w0, 0] : n - 1 > m }"));
}

TEST(HoistTest, ReadsUnderConditionsOnDataStayInMemory) {
  expectRefused(item("for (int k = 0; k < n; k++)\n"
                     "  if (p[k] > 0) r[k] = a[i];"),
                "hoist a", "clopt-not-profitable", "no cell of 'a' is read");
}

TEST(HoistTest, OneIterationReadsACellOnce) {
  TestedKernel tested(item("for (int k = 0; k < n; k++) {\n"
                           "  r[k] = a[k + i];\n"
                           "  s[k] = a[k + i] * 2; }"));
  take(tested, "hoist a");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  EXPECT_EQ(tested.kernel.tiles[0].within, tested.loop("k"));
  EXPECT_EQ(tested.kernel.tiles[0].coordinates.size(), 2u);
}

TEST(HoistTest, AWriteEndsTheRegion) {
  // Two reads before the write, one behind it.
  TestedKernel tested(item("r[i] = a[i];\ns[i] = a[i] + 1;\na[i] = 0;\n"
                           "r[i + n] = a[i];"));
  take(tested, "hoist a");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  EXPECT_EQ(tested.kernel.tiles[0].accesses.size(), 2u);
  expectRefused(item("r[i] = a[i];\na[i] = 0;\ns[i] = a[i];"), "hoist a",
                "clopt-dependence", "'a' is written where it is read");
}

TEST(HoistTest, ABarrierShowsWhatOthersWrote) {
  const std::string body = "for (int k = 0; k < n; k++) {\n"
                           "  r[k + i] = a[i];\n"
                           "  barrier(CLK_GLOBAL_MEM_FENCE); }\n";
  expectTaken(item(body), "hoist a");
  expectRefused(item(body + "a[i + 1] = 0;"), "hoist a", "clopt-dependence",
                "'a' is written where it is read");
}

TEST(HoistTest, AtomicsKeepTheirOrder) {
  expectRefused(item("for (int k = 0; k < n; k++) {\n"
                     "  atomic_inc(p); r[k] = a[i]; }"),
                "hoist a", "clopt-ordered-effect", "in a fixed order");
}

TEST(HoistTest, CodeThatIsNotModelledEndsTheRegion) {
  expectRefused(item("for (int k = 0; k < n; k++) {\n"
                     "  r[k] = a[i]; printf(\"%d\", k); }"),
                "hoist a", "clopt-opaque-code", "memory as it is");
}

TEST(HoistTest, AWayOutEndsTheRegion) {
  expectRefused(item("r[i] = a[i];\nfor (int k = 0; k < n; k++)\n"
                     "  if (p[k] > 0) return;\ns[i] = a[i];"),
                "hoist a", "clopt-opaque-code", "memory as it is");
}

TEST(HoistTest, PrivateArraysAndVectorsAreNotForIt) {
  expectRefused("__kernel void f(__global float4 *a, __global float4 *b) {\n"
                "  for (int k = 0; k < 8; k++) b[k] = a[0]; }",
                "hoist a", "clopt-not-profitable", "not scalars");
  expectRefused(item("float t[4]; t[0] = 1;\n"
                     "for (int k = 0; k < n; k++) r[k] = t[0];"),
                "hoist t", "clopt-not-profitable", "is a private variable");
}

//===-- Windows -----------------------------------------------------------===//

TEST(HoistTest, NeighbouringIterationsPassCellsOn) {
  TestedKernel tested(item("for (int k = 1; k < n - 1; k++)\n"
                           "  r[k] = a[k - 1] + a[k] + a[k + 1];"));
  take(tested, "hoist a");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  const ArrayTile &copy = tested.kernel.tiles[0];
  EXPECT_EQ(copy.window->loop, tested.loop("k"));
  EXPECT_EQ(copy.cells(tested.kernel), 3);
  EXPECT_EQ(copy.window->step, 1);
  EXPECT_EQ(tested.kernel.copies.size(), 3u);
  EXPECT_TRUE(isWithin(copy.window->fill,
                       "[n] -> { Copy[w0, 1, c] : 0 <= c <= 1 and n > 2 }"));
  EXPECT_TRUE(
      isWithin(*copy.inDomain, "[n] -> { Copy[w0, k, 2] : 1 <= k < n - 1 }"));
}

TEST(HoistTest, DownwardLoopsMoveTheWindowDown) {
  TestedKernel tested(item("for (int k = n - 1; k > 0; k--)\n"
                           "  r[k] = a[k - 1] + a[k];"));
  take(tested, "hoist a");
  const ArrayTile &copy = tested.kernel.tiles[0];
  EXPECT_EQ(copy.window->step, -1);
  EXPECT_TRUE(isWithin(*copy.inDomain, "{ Copy[w0, k, 0] }"));
  EXPECT_TRUE(isWithin(copy.window->fill, "[n] -> { Copy[w0, n - 1, 1] }"));
}

TEST(HoistTest, EachRowHasItsWindow) {
  TestedKernel tested(
      item("for (int y = 1; y < n - 1; y++) for (int x = 1; x < m - 1; x++)\n"
           "  r[y * m + x] = a[y * m + x - 1] + a[y * m + x + 1]\n"
           "    + a[(y - 1) * m + x] + a[(y + 1) * m + x];"));
  take(tested, "hoist a");
  // The rows above and below have one cell each per iteration.
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  EXPECT_EQ(tested.kernel.tiles[0].window->loop, tested.loop("x"));
  EXPECT_EQ(tested.kernel.tiles[0].cells(tested.kernel), 3);
}

TEST(HoistTest, AWindowNeedsEveryIteration) {
  // a[k] is not read when k is m.
  expectRefused(item("for (int k = 0; k < n; k++) {\n"
                     "  if (k != m) r[k] = a[k];\n"
                     "  s[k] = a[k + 1]; }"),
                "hoist a", "clopt-not-profitable", "no cell of 'a' is read");
  expectRefused(item("for (int k = 0; k < n; k++)\n"
                     "  if (k != m) r[k] = a[k] + a[k + 1];"),
                "hoist a", "clopt-not-profitable", "no cell of 'a' is read");
}

TEST(HoistTest, WindowsAreShort) {
  expectRefused(item("for (int k = 0; k < n; k++) r[k] = a[k] + a[k + 16];"),
                "hoist a", "clopt-not-profitable", "no cell of 'a' is read");
  expectTaken(item("for (int k = 0; k < n; k++) r[k] = a[k] + a[k + 15];"),
              "hoist a");
}

TEST(HoistTest, ACellThatIsNotReadMustNotBeWrittenByAnyone) {
  expectRefused(item("for (int k = 0; k < n; k++) r[k] = a[k] + a[k + 2];\n"
                     "a[i + 5 * n] = 0;"),
                "hoist a", "clopt-not-profitable", "no cell of 'a' is read");
}

TEST(HoistTest, IterationsThatPassCellsOnAreNoLanes) {
  expectRefused(item("for (int k = 1; k < n; k++) r[k] = a[k - 1] + a[k];"),
                "hoist a\nvectorize k:4", "clopt-dependence",
                "kept in registers over an inner loop");
  expectRefused(item("for (int k = 1; k < n; k++) r[k] = a[k - 1] + a[k];"),
                "hoist a\nmap k", "clopt-dependence", "loaded ahead");
  expectTaken(item("for (int k = 1; k < n; k++) r[k] = a[k - 1] + a[k];"),
              "hoist a\nunroll k:4\ncoarsen i:2");
}

TEST(HoistTest, TheVerifierSeesAnUnsetCell) {
  TestedKernel tested(
      item("for (int k = 1; k < n; k++) r[k] = a[k - 1] + a[k];"));
  take(tested, "hoist a");
  ArrayTile &copy = tested.kernel.tiles[0];
  isl::set fill = copy.window->fill;
  copy.window->fill = fill.subtract(fill);
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  ASSERT_TRUE(wrong);
  EXPECT_NE(wrong->message.find("read before they are set"), std::string::npos);
}

TEST(HoistTest, TheVerifierSeesALoadThatIsTooEarly) {
  TestedKernel tested(item("for (int k = 0; k < n; k++) b[k] = a[i];"));
  ASSERT_EQ(tested.apply("hoist a").message, "");
  tested.kernel.disjointArrays.clear();
  EXPECT_TRUE(verifyOrder(tested.kernel, AliasMode::Check));
}
