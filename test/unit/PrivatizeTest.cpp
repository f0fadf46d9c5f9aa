//===- PrivatizeTest.cpp - cells kept in registers ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

using namespace clopt;

static std::string item(const std::string &body) {
  return kernelOf("int i = get_global_id(0);\n" + body);
}

static std::string printed(const KernelModel &model, const Polynomial &poly) {
  return poly.str([&](SymbolId id) { return model.symbols.name(id); });
}

static bool isEqual(const isl::set &set, const std::string &text) {
  // Conditions on the parameters are the builder's; the cells are compared.
  isl::set expected(set.ctx(), text);
  return set.is_subset(expected) && !set.is_empty();
}

//===-- Directions --------------------------------------------------------===//

/// F18.
TEST(PrivatizeTest, AnUpdatedCellIsLoadedAndStored) {
  TestedKernel tested(item("for (int k = 0; k < n; k++) r[i] += s[k];"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  const ArrayTile &copy = tested.kernel.tiles[0];
  EXPECT_TRUE(copy.copyIn);
  EXPECT_TRUE(copy.copyOut);
  ASSERT_EQ(copy.extents.size(), 1u);
  EXPECT_EQ(copy.extents[0].constant, 1);
  EXPECT_EQ(printed(*tested.model, copy.base[0]), "w0");
  EXPECT_EQ(copy.accesses.size(), 2u);
}

/// F19.
TEST(PrivatizeTest, AReadCellIsOnlyLoaded) {
  TestedKernel tested(
      item("float x = 0; for (int k = 0; k < n; k++) x += r[i] * s[k];\n"
           "b[i] = x;"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  EXPECT_TRUE(tested.kernel.tiles[0].copyIn);
  EXPECT_FALSE(tested.kernel.tiles[0].copyOut);
  ASSERT_EQ(tested.kernel.copies.size(), 1u);
  EXPECT_TRUE(tested.kernel.copies[0].isIn);
}

TEST(PrivatizeTest, AnOverwrittenCellIsOnlyStored) {
  // The read sees the value of its own iteration; the last one is stored.
  TestedKernel tested(item("for (int k = 1; k < n; k++) {\n"
                           "  r[i] = s[k] - s[k - 1];\n"
                           "  b[k * n + i] = r[i] * 2; }"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  EXPECT_FALSE(tested.kernel.tiles[0].copyIn);
  EXPECT_TRUE(tested.kernel.tiles[0].copyOut);
  ASSERT_EQ(tested.kernel.copies.size(), 1u);
  EXPECT_FALSE(tested.kernel.copies[0].isIn);
}

TEST(PrivatizeTest, NothingIsStoredWhereTheLoopDoesNotRun) {
  TestedKernel tested(item("for (int k = 0; k < n; k++) r[i] = s[k];"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  const ArrayTile &copy = tested.kernel.tiles[0];
  ASSERT_TRUE(copy.outDomain);
  EXPECT_TRUE(isEqual(*copy.outDomain, "[n] -> { Copy[w0, 0] : n > 0 }"));
}

TEST(PrivatizeTest, AGuardOfTheWorkItemGuardsTheCopy) {
  TestedKernel tested(
      item("if (i >= m) return;\nfor (int k = 0; k < n; k++) r[i] += s[k];"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  EXPECT_TRUE(isEqual(*tested.kernel.tiles[0].inDomain,
                      "[n, m] -> { Copy[w0, 0] : n > 0 and w0 < m }"));
}

/// F16.
TEST(PrivatizeTest, SeveralCellsAreKeptTogether) {
  TestedKernel tested(item("for (int k = 0; k < n; k++)\n"
                           "  for (int d = 0; d < 3; d++)\n"
                           "    r[3 * i + d] += s[3 * k + d];"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  const ArrayTile &copy = tested.kernel.tiles[0];
  EXPECT_EQ(copy.cells(tested.kernel), 3);
  EXPECT_TRUE(copy.copyIn);
  EXPECT_TRUE(copy.copyOut);
}

TEST(PrivatizeTest, ACellOfARowKeepsItsSubscripts) {
  TestedKernel tested("__kernel void f(__global float *restrict c,\n"
                      "  __global float *restrict d, int n) {\n"
                      "  int i = get_global_id(1), j = get_global_id(0);\n"
                      "  for (int k = 0; k < n; k++)\n"
                      "    c[i * n + j] += d[k * n + j]; }");
  ASSERT_EQ(tested.apply("privatize c").message, "");
  const ArrayTile &copy = tested.kernel.tiles[0];
  ASSERT_EQ(copy.base.size(), 2u);
  EXPECT_EQ(printed(*tested.model, copy.base[0]), "w1");
  EXPECT_EQ(printed(*tested.model, copy.base[1]), "w0");
}

//===-- The region --------------------------------------------------------===//

TEST(PrivatizeTest, TheOutermostRegionThatFitsIsTaken) {
  // Per work-item there are n cells, per iteration of j only one.
  TestedKernel tested(item("for (int j = 0; j < n; j++)\n"
                           "  for (int k = 0; k < n; k++)\n"
                           "    r[i * n + j] += s[k];"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  ASSERT_TRUE(tested.kernel.tiles[0].loop.has_value());
  EXPECT_EQ(*tested.kernel.tiles[0].loop, tested.loop("k"));
}

TEST(PrivatizeTest, ABarrierOutsideTheLoopIsOutsideTheRegion) {
  // Another work-item writes the cell before the barrier.
  TestedKernel tested(item("r[i + 1] = 0;\nbarrier(CLK_GLOBAL_MEM_FENCE);\n"
                           "for (int k = 0; k < n; k++) r[i] += p[k];"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  EXPECT_TRUE(tested.kernel.tiles[0].loop.has_value());
}

//===-- Refusals ----------------------------------------------------------===//

TEST(PrivatizeTest, WritesUnderADataDependentConditionAreNotHidden) {
  expectRefused(item("for (int k = 0; k < n; k++) if (p[k]) r[i] = s[k];"),
                "privatize r", "clopt-non-affine-control",
                "'r' is written under a condition that depends on data");
}

TEST(PrivatizeTest, AConditionalWriteBesideACertainOneIsFine) {
  expectTaken(item("for (int k = 0; k < n; k++) {\n"
                   "  r[i] = 0; if (p[k]) r[i] = s[k]; }"),
              "privatize r");
}

TEST(PrivatizeTest, ReadsUnderADataDependentConditionAreNotMadeCertain) {
  // The buffer may be too short where the condition never holds.
  expectRefused(item("float x = 0; for (int k = 0; k < n; k++)\n"
                     "  if (p[k]) x += r[i];\nb[i] = x;"),
                "privatize r", "clopt-non-affine-control",
                "under a condition that depends on data");
}

TEST(PrivatizeTest, ARegionThatMayBeLeftEarlyKeepsItsMemory) {
  // The cell would not be stored on that way out.
  expectRefused(item("for (int k = 0; k < n; k++) {\n"
                     "  r[i] += s[k]; if (p[i] > 3) return; }"),
                "privatize r", "clopt-non-affine-control",
                "may leave the region early");
}

TEST(PrivatizeTest, TooManyOrUnboundedCells) {
  expectRefused(item("for (int k = 0; k < 17; k++) r[17 * i + k] += 1;"),
                "privatize r", "clopt-not-profitable", "are not few");
}

TEST(PrivatizeTest, UnknownSubscripts) {
  expectRefused(item("for (int k = 0; k < n; k++) r[p[i]] += s[k];"),
                "privatize r", "clopt-non-affine-subscript",
                "a subscript of 'r' is not known");
}

TEST(PrivatizeTest, MayAlias) {
  const std::string sum = item("for (int k = 0; k < n; k++) a[i] += b[k];");
  Refusal refusal = expectRefused(sum, "privatize a", "clopt-may-alias",
                                  "'a' and 'b' may overlap", AliasMode::Strict);
  EXPECT_EQ(refusal.hint, "add `restrict` to `a`");
  expectTaken(sum, "privatize a", AliasMode::None);
  TestedKernel checked(sum);
  ASSERT_EQ(checked.apply("privatize a").message, "");
  EXPECT_EQ(checked.kernel.disjointArrays.size(), 1u);
}

TEST(PrivatizeTest, ReadOnlyArraysMayOverlapEachOther) {
  TestedKernel tested(
      item("float x = 0; for (int k = 0; k < n; k++) x += a[i] * b[k];\n"
           "r[i] = x;"));
  ASSERT_EQ(tested.apply("privatize a", AliasMode::Strict).message, "");
  EXPECT_TRUE(tested.kernel.disjointArrays.empty());
}

TEST(PrivatizeTest, AFootprintThatDependsOnDataCannotBeChecked) {
  expectRefused(item("for (int k = 0; k < n; k++) a[i] += b[p[k]];"),
                "privatize a", "clopt-unguardable-footprint",
                "the cells of 'b' are not known");
}

TEST(PrivatizeTest, BarriersAndOpaqueCodeSeeMemory) {
  expectRefused(item("for (int k = 0; k < n; k++) {\n"
                     "  r[i] += r[i + 1]; barrier(CLK_GLOBAL_MEM_FENCE); }"),
                "privatize r", "clopt-barrier", "share cells of 'r'");
  expectRefused(item("for (int k = 0; k < n; k++) {\n"
                     "  r[i] += s[k]; printf(\"%d\", k); }"),
                "privatize r", "clopt-opaque-code",
                "code that must see memory as it is");
}

TEST(PrivatizeTest, VolatileCellsStayInMemory) {
  expectRefused("__kernel void f(__global volatile float *a, int n) {\n"
                "  int i = get_global_id(0);\n"
                "  for (int k = 0; k < n; k++) a[i] += k; }",
                "privatize a", "clopt-ordered-effect",
                "'a' is accessed in a fixed order");
}

TEST(PrivatizeTest, WhatIsPrivateOrAbsentOrKept) {
  expectRefused(item("float t[4]; for (int k = 0; k < 4; k++) t[k] = s[k];\n"
                     "r[i] = t[i & 3];"),
                "privatize t", "clopt-not-profitable", "is a private variable");
  expectRefused(item("for (int k = 0; k < n; k++) r[i] += s[k];"),
                "privatize r r", "clopt-not-profitable",
                "no access to 'r' goes to memory there");
  expectRefused(item("r[i] = 1;"), "privatize none", "",
                "kernel 'f' has no array 'none'");
}

/// A component alone must not be written with the others of its cell, which may
/// be another work-item's.
TEST(PrivatizeTest, ElementsThatAreNotScalars) {
  auto vectors = [](const std::string &statement) {
    return "__kernel void f(__global float4 *a, int n) {\n"
           "  int i = get_global_id(0);\n"
           "  for (int k = 0; k < n; k++) " +
           statement + " }";
  };
  expectTaken(vectors("a[i] += a[i].w;"), "privatize a");
  expectRefused(vectors("a[i].x += 1.0f;"), "privatize a",
                "clopt-non-affine-control", "under a condition");
  expectRefused(vectors("a[i] += ((__global float *)a)[4 * i];"), "privatize a",
                "clopt-not-profitable", "not accessed as they are declared");
  expectRefused(vectors("a[i] += 1.0f;"), "privatize a\nvectorize i:4",
                "clopt-not-profitable", "are vectors or structs");
}

/// `out` may begin at a member that the kernel does not read, and the copy
/// does.
TEST(PrivatizeTest, MembersThatNobodyReadsMayBeAnothersCells) {
  auto disjoint = [](const std::string &type, const std::string &member) {
    TestedKernel tested("typedef struct { float x, y; } Pair;\n"
                        "__kernel void f(__global const " +
                        type +
                        " *a, __global float *out, int n) {\n"
                        "  int i = get_global_id(0); float s = 0;\n"
                        "  for (int l = 0; l < n; l++) {\n"
                        "    for (int k = 0; k < n; k++) s += a[l]" +
                        member + " * k;\n    out[i * n + l] = s; } }");
    EXPECT_EQ(tested.apply("privatize a").message, "");
    return tested.kernel.disjointArrays.size();
  };
  EXPECT_EQ(disjoint("Pair", ".y"), 1u);
  EXPECT_EQ(disjoint("float", ""), 0u);
}

//===-- Barriers ----------------------------------------------------------===//

static std::string inGroups(const std::string &body) {
  return "__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n"
         "void f(__global float *restrict a, __global float *restrict c,\n"
         "       int n) {\n  __local float t[8];\n"
         "  int l = get_local_id(0); int i = 8 * get_group_id(0) + l;\n" +
         body + "\n}\n";
}

TEST(PrivatizeTest, CellsOfOneWorkItemSurviveBarriers) {
  TestedKernel tested(inGroups("for (int k = 0; k < n; k++) {\n"
                               "  t[l] = a[k]; barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "  c[i] += t[7 - l];\n"
                               "  barrier(CLK_LOCAL_MEM_FENCE); }"));
  ASSERT_EQ(tested.apply("privatize c").message, "");
  EXPECT_FALSE(tested.kernel.tiles[0].loop);
}

TEST(PrivatizeTest, SharedCellsDoNotSurviveBarriers) {
  expectRefused(inGroups("for (int k = 0; k < n; k++) {\n"
                         "  t[l] += a[k]; barrier(CLK_LOCAL_MEM_FENCE);\n"
                         "  c[i] += t[7 - l];\n"
                         "  barrier(CLK_LOCAL_MEM_FENCE); }"),
                "privatize t", "clopt-barrier", "share cells of 't'");
}

TEST(PrivatizeTest, ABarrierOfTheRegionMayShowCellsToWhatFollows) {
  // The last barrier lies in the loop; the store must not come after it.
  expectRefused(inGroups("for (int k = 0; k < 4; k++) {\n"
                         "  t[l] = a[k]; barrier(CLK_LOCAL_MEM_FENCE); }\n"
                         "c[i] = t[7 - l];"),
                "privatize t", "clopt-barrier", "share cells of 't'");
}

TEST(PrivatizeTest, ArraysUsedElsewhereMustNotOverlapAcrossBarriers) {
  TestedKernel tested("__kernel void f(__global int *c, __global int *d) {\n"
                      "  int i = get_global_id(0);\n"
                      "  for (int k = 0; k < 4; k++) {\n"
                      "    c[i] += k; barrier(CLK_GLOBAL_MEM_FENCE); }\n"
                      "  int x = d[i + 1]; c[i] += x; }");
  ASSERT_EQ(tested.apply("privatize c").message, "");
  EXPECT_EQ(tested.kernel.disjointArrays.size(), 1u);
}

TEST(PrivatizeTest, AtomicsMayTellOtherWorkItems) {
  expectRefused("__kernel void f(__global int *restrict c,\n"
                "                __global int *restrict flag, int n) {\n"
                "  int i = get_global_id(0);\n"
                "  for (int k = 0; k < n; k++) {\n"
                "    c[i] += k; barrier(CLK_GLOBAL_MEM_FENCE);\n"
                "    atomic_inc(flag); } }",
                "privatize c", "clopt-barrier", "barriers");
}

TEST(PrivatizeTest, APlaceWithAnEffectStays) {
  expectRefused(kernelOf("int i = get_global_id(0), j;\n"
                         "for (int k = 0; k < n; k++) {\n"
                         "  j = i; r[j = j + 1] += s[k]; }"),
                "privatize r over k", "clopt-non-affine-subscript",
                "a subscript of 'r' is not known");
}
