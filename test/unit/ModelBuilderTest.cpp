//===- ModelBuilderTest.cpp - what becomes of the forms of kernels --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exactness of relations is checked against execution by
// test/oracle/ModelOracleTest.cpp; here: which form the model has, what it
// assumes, and what it says when it gives up.
//
//===----------------------------------------------------------------------===//

#include "ModelTesting.h"

#include <algorithm>
#include <ctime>
#include <set>

using namespace clopt;

namespace {

struct Built : BuiltModel {
  using BuiltModel::BuiltModel;

  /// The assumption with this text.
  const Assumption *assumption(const std::string &text) const {
    for (const Assumption &assumption : model->assumptions)
      if (assumption.text == text)
        return &assumption;
    return nullptr;
  }
};

std::string kernel(const std::string &body) {
  return "__kernel void f(__global float *a, __global int *b, int n, int m) {" +
         body + "}";
}

bool isEqual(const isl::set &set, const std::string &text) {
  return set.is_equal(isl::set(set.ctx(), text));
}

} // namespace

//===-- Work-items --------------------------------------------------------===//

TEST(ModelBuilderTest, GlobalIdsAreDimensionsInOrder) {
  Built built(kernel("a[get_global_id(1) * n + get_global_id(0)] = 1;"));
  EXPECT_EQ(built->ndrange.rank, 2u);
  EXPECT_EQ(built.subscripts("a"), "[w1][w0]");
  EXPECT_EQ(built->symbols.name(built->statements[0].coordinates[0]), "w0");
}

TEST(ModelBuilderTest, GroupTimesSizePlusLocalIsTheGlobalId) {
  Built built(kernel("int i = get_group_id(0) * get_local_size(0) + "
                     "get_local_id(0); a[i] = 1;"));
  EXPECT_FALSE(built->ndrange.split[0]);
  EXPECT_EQ(built.subscripts("a"), "[w0]");
  EXPECT_NE(built.assumption("get_global_offset(0) = 0"), nullptr);
}

TEST(ModelBuilderTest, VariablesOfGroupIdsNeedNoCoordinates) {
  for (const char *body :
       {"int g = get_group_id(0), s = get_local_size(0), l = get_local_id(0); "
        "int i = g * s + l; a[i] = 1;",
        "unsigned start = get_group_id(0) * get_local_size(0); "
        "unsigned i = start + get_local_id(0); a[i] = 1;",
        "int i = mad24((int)get_group_id(0), (int)get_local_size(0), "
        "(int)get_local_id(0)); a[i] = 1;"}) {
    Built built(kernel(body));
    EXPECT_FALSE(built->ndrange.split[0]) << body;
    EXPECT_EQ(built.subscripts("a"), "[w0]") << body;
  }
}

TEST(ModelBuilderTest, OtherUsesOfGroupsSplitTheDimension) {
  Built built(kernel("a[get_local_id(0)] = b[get_global_id(1)];"));
  EXPECT_TRUE(built->ndrange.split[0]);
  EXPECT_FALSE(built->ndrange.split[1]);
  EXPECT_EQ(built.subscripts("a"), "[l0]");
}

TEST(ModelBuilderTest, GroupsThatEnterDataSplitTheDimension) {
  Built built(kernel("int l = get_local_id(0); int i = get_group_id(0) * "
                     "get_local_size(0) + l; a[i] = l;"));
  EXPECT_TRUE(built->ndrange.split[0]);
}

TEST(ModelBuilderTest, AKnownLocalSizeMakesSplitIdsAffine) {
  ModelOptions options;
  options.localSize = {{64, 1, 1}};
  Built built(kernel("int l = get_local_id(0); if (l < n) "
                     "a[get_global_id(0)] = 1;"),
              options);
  EXPECT_TRUE(built->ndrange.split[0]);
  EXPECT_EQ(built.subscripts("a"), "[64*g0 + l0 + go0]");
}

TEST(ModelBuilderTest, TheAttributeFixesTheLocalSize) {
  Built built("__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void "
              "f(__global int *a) { a[get_local_id(1)] = 1; }");
  EXPECT_EQ(built->ndrange.localSize[0], 8);
  EXPECT_EQ(built->ndrange.localSize[1], 4);
}

//===-- Control -----------------------------------------------------------===//

/// F01.
TEST(ModelBuilderTest, ConditionsBecomeDomains) {
  Built built(
      kernel("int i = get_global_id(0); if (i >= n) return; a[i] = 1;"));
  ASSERT_EQ(built->statements.size(), 2u);
  EXPECT_TRUE(isEqual(built->statements[1].domain,
                      "[gs0, go0, n, m] -> { S1[w0] : go0 <= w0 < gs0 + go0 "
                      "and w0 < n }"));
}

TEST(ModelBuilderTest, ManyAlternativesAreOneStatement) {
  auto statements = [](unsigned count, const std::string &value) {
    std::string text = "int i = get_global_id(0); switch (" + value + ") {";
    for (unsigned c = 0; c < count; ++c)
      text += "case " + std::to_string(c) + ": a[i] = b[i] + " +
              std::to_string(c) + "; break;";
    return Built(kernel(text + "}"))->statements.size();
  };
  EXPECT_GT(statements(8, "i % 8"), 8u);
  EXPECT_LT(statements(200, "i % 200"), 4u);
  // Arguments choose one of them.
  EXPECT_GT(statements(30, "n"), 30u);
}

TEST(ModelBuilderTest, LoopsKeepTheValuesOfTheAuthor) {
  Built built(kernel("for (int k = 7; k > n; k -= 3) a[k] = 1;"));
  ASSERT_EQ(built->loops.size(), 1u);
  EXPECT_EQ(built->loops[0].step, -3);
  EXPECT_TRUE(
      isEqual(built->statements[0].domain,
              "[n, m] -> { S0[k] : n < k <= 7 and exists t : k = 7 - 3t }"));
}

TEST(ModelBuilderTest, LoopNamesAreUnique) {
  Built built(kernel("for (int k = 0; k < n; k++) a[k] = 1; for (int k = 0; k "
                     "< m; k++) b[k] = 1;"));
  ASSERT_EQ(built->loops.size(), 2u);
  EXPECT_EQ(built->loops[0].name, "k");
  EXPECT_EQ(built->loops[1].name, "k_1");
}

/// F01.
TEST(ModelBuilderTest, DataDependentLoopsAreKeptWhole) {
  Built built(kernel("int i = get_global_id(0); for (int k = b[i]; k < b[i + "
                     "1]; k++) a[k] = 1; a[i] = 2;"));
  ASSERT_EQ(built->statements.size(), 3u);
  EXPECT_TRUE(built->statements[1].isCompound);
  EXPECT_FALSE(built->statements[1].isOpaque);
  EXPECT_FALSE(built->statements[2].isCompound);
  EXPECT_EQ(built.subscripts("b"), "[w0] [w0 + 1]");
  EXPECT_TRUE(built.hasNote("clopt-non-affine-control"));
  for (const Access &access : built->accesses)
    if (built->arrays[access.array].name == "b") {
      EXPECT_TRUE(access.isExact);
    }
}

TEST(ModelBuilderTest, AConditionalAssignmentIsAChoice) {
  auto isChoice = [](const std::string &update) {
    Built built(kernel("int i = get_global_id(0); int x = 0; " + update +
                       " a[i] = x;"));
    const Statement &statement = built->statements[2];
    return !statement.isCompound && statement.stmt->kind == StmtKind::Expr &&
           statement.stmt->expr->operands[1]->kind == ExprKind::Conditional;
  };
  for (const char *update :
       {"if (b[i] > 3) x = i;", "if (b[i] > x) { x = b[i]; }",
        "if (b[i] > 0) x = 1; else { x = 2.5f; }",
        "if (b[i] > 0 && i < n) x = m * i;"})
    EXPECT_TRUE(isChoice(update)) << update;
  // Memory, further loads, effects, updates, other variables and other control.
  for (const char *update :
       {"if (b[i] > 3) a[i] = 1;", "if (b[i] > 3) x = b[i + 1];",
        "if (b[i]++ > 3) x = 1;", "if (b[i] > 3) x += 1;",
        "if (b[i] > 3) x = 1; else i = 2;", "if (n > 3 && b[i] > 3) x = 1;",
        "if (b[i] > 3) { x = 1; i = 2; }", "if (b[i] > 3) return;"})
    EXPECT_FALSE(isChoice(update)) << update;
}

TEST(ModelBuilderTest, AReturnThatDependsOnDataFencesTheRest) {
  Built built(kernel("int i = get_global_id(0); for (int k = 0; k < n; k++) "
                     "if (b[k]) return; a[i] = 1;"));
  ASSERT_EQ(built->statements.size(), 3u);
  EXPECT_TRUE(built->statements[1].isOpaque);
  EXPECT_TRUE(built->statements[2].isOpaque);
  EXPECT_TRUE(built.hasNote("clopt-opaque-code"));
}

TEST(ModelBuilderTest, GotoMakesTheBodyOneStatement) {
  Built built(kernel("int i = 0; again: a[i] = 1; if (i++ < n) goto again;"));
  ASSERT_EQ(built->statements.size(), 1u);
  EXPECT_TRUE(built->statements[0].isOpaque);
}

TEST(ModelBuilderTest, ASwitchMayTouchWhatItsPointersReach) {
  Built built(kernel("int i = get_global_id(0); switch (n) { case 0: a[i] = 1; "
                     "default: i = b[i]; } a[i] = 2;"));
  ASSERT_EQ(built->statements.size(), 3u);
  EXPECT_TRUE(built->statements[1].isOpaque);
  std::set<std::string> written;
  for (unsigned access : built->statements[1].accesses)
    if (built->accesses[access].isWrite) {
      EXPECT_FALSE(built->accesses[access].isExact);
      written.insert(built->arrays[built->accesses[access].array].name);
    }
  for (const char *name : {"a", "b", "i"})
    EXPECT_EQ(written.count(name), 1u) << name;
}

TEST(ModelBuilderTest, GeometricLoopsAreKeptWhole) {
  Built built(kernel("for (int d = n; d > 0; d >>= 1) a[d] = 1;"));
  ASSERT_EQ(built->statements.size(), 1u);
  EXPECT_TRUE(built->statements[0].isCompound);
}

TEST(ModelBuilderTest, BarriersAreStatements) {
  Built built("__kernel void f(__global int *a, __local int *t) { int l = "
              "get_local_id(0); t[l] = a[l]; barrier(CLK_LOCAL_MEM_FENCE); "
              "a[l] = t[0]; }");
  ASSERT_EQ(built->statements.size(), 4u);
  EXPECT_TRUE(built->statements[2].isBarrier);
  EXPECT_TRUE(built->hasBarrier);
}

TEST(ModelBuilderTest, AtomicsAreOrdered) {
  Built built(kernel("atomic_add(b + get_global_id(0), 1);"));
  EXPECT_TRUE(built->hasAtomics);
  ASSERT_EQ(built->accesses.size(), 2u);
  EXPECT_TRUE(built->accesses[0].isOrdered);
  EXPECT_TRUE(built->accesses[1].isWrite);
}

//===-- Integers ----------------------------------------------------------===//

TEST(ModelBuilderTest, NarrowingAnIdIsAnAssumption) {
  Built built(kernel("int i = get_global_id(0); a[i] = 1;"));
  ASSERT_EQ(built->assumptions.size(), 1u);
  EXPECT_EQ(built->assumptions[0].kind, Assumption::Kind::Range);
  EXPECT_TRUE(built->assumptions[0]
                  .condition.intersect(built->paramContext)
                  .is_equal(isl::set(built->paramContext.ctx(),
                                     "[gs0, go0] -> { : gs0 + go0 <= "
                                     "2147483648 }")
                                .intersect(built->paramContext)));
}

TEST(ModelBuilderTest, SizeTNeedsNoAssumptionAsAnAddress) {
  Built built("__kernel void f(__global float *a, int n) { size_t i = "
              "get_global_id(0); a[i - 1 + n] = 1; }");
  EXPECT_TRUE(built->assumptions.empty());
  EXPECT_EQ(built.subscripts("a"), "[w0 + n - 1]");
}

TEST(ModelBuilderTest, AnUnsignedComparisonAssumesItsOperands) {
  Built built("__kernel void f(__global float *a, int n) { if "
              "(get_global_id(0) < n) a[get_global_id(0)] = 1; }");
  ASSERT_EQ(built->assumptions.size(), 1u);
  EXPECT_EQ(built->assumptions[0].kind, Assumption::Kind::Overflow);
  EXPECT_TRUE(isEqual(
      built->assumptions[0].condition.coalesce().gist(built->paramContext),
      "[gs0, go0, n] -> { : n >= 0 }"));
}

TEST(ModelBuilderTest, WhatWrapsBelowZeroIsLargerThanTheOtherSide) {
  auto domain = [](const std::string &condition) {
    Built built("__kernel void f(__global int *a, uint n) { uint i = "
                "get_global_id(0); if (" +
                condition + ") a[i] = 1; }");
    isl::set found = built->statements[1].domain;
    // For launches from 0 on, and few enough.
    isl::set some(
        built->context.get(),
        "[gs0, go0, n] -> { : go0 = 0 and gs0 = 9 and 0 <= n < 100 }");
    return found.intersect_params(some);
  };
  const std::string items = "[gs0, go0, n] -> { S1[w0] : go0 = 0 and gs0 = 9 "
                            "and 0 <= w0 < 9 and 0 <= n < 100 and ";
  for (const char *inside :
       {"i - 2 < n", "n > i - 2", "!(i - 2 >= n)", "!(n <= i - 2)"})
    EXPECT_TRUE(isEqual(domain(inside), items + "2 <= w0 < n + 2 }")) << inside;
  for (const char *outside : {"i - 2 >= n", "n <= i - 2", "!(i - 2 < n)"})
    EXPECT_TRUE(isEqual(domain(outside), items + "(w0 < 2 or w0 >= n + 2) }"))
        << outside;
  EXPECT_TRUE(isEqual(domain("i - 2 <= n"), items + "2 <= w0 <= n + 2 }"));
  EXPECT_TRUE(isEqual(domain("i - 2 > n"), items + "(w0 < 2 or w0 > n + 2) }"));
}

TEST(ModelBuilderTest, WindowsMayBeginBelowZero) {
  // What makes them do so is an end of the loop: a launch without windows is
  // no plain one. The same by an argument that may have any value of its type.
  for (const char *body :
       {"for (int k = -r; k <= r; k++) if ((uint)(i + k) < n) a[i + k] = 1;",
        "for (uint k = 0; k < 2 * (uint)r + 1; k++) { uint q = i + k - "
        "(uint)r; if (q < n) a[q] = 1; }"}) {
    const Built built(std::string("__kernel void f(__global int *a, uint n, ") +
                      (body[5] == 'i' ? "int" : "uint") +
                      " r) { uint i = get_global_id(0); " + body + " }");
    const isl::set some(built->context.get(),
                        "[gs0, go0, n, r] -> { : go0 = 0 and gs0 = 9 and n = 9 "
                        "and r = 2 }");
    for (const Assumption &assumption : built->assumptions)
      EXPECT_FALSE(assumption.condition.intersect(some).is_empty())
          << body << assumption.text;
    isl::set all;
    for (const Access &access : built->accesses)
      if (built->arrays[access.array].name == "a")
        all = access.relation.range().intersect_params(some);
    ASSERT_FALSE(all.is_null());
    EXPECT_TRUE(isEqual(all, "[gs0, go0, n, r] -> { a[x] : 0 <= x < 9 and go0 "
                             "= 0 and gs0 = 9 and n = 9 and r = 2 }"))
        << body;
  }
}

TEST(ModelBuilderTest, UnsignedSubscriptsMustNotWrap) {
  Built built("__kernel void f(__global float *a, uint n) { uint i = "
              "get_global_id(0); a[i * n] = 1; }");
  bool found = false;
  for (const Assumption &assumption : built->assumptions)
    found |= assumption.kind == Assumption::Kind::Overflow;
  EXPECT_TRUE(found);
}

/// "n*m <= 10, ..." of the assumption with this text.
static std::string boundsOf(const Built &built, const std::string &text) {
  const Assumption *assumption = built.assumption(text);
  if (!assumption)
    return "no such assumption";
  std::string result;
  for (const ProductBound &bound : assumption->bounds)
    result += (result.empty() ? "" : ", ") + bound.poly.str([&](SymbolId id) {
      return built.model->symbols.name(id);
    }) +
              " <= " + std::to_string(bound.maximum);
  return result;
}

TEST(ModelBuilderTest, LoopsBoundTheProductsInsideThem) {
  Built built("__kernel void f(__global float *a, uint n, uint m) { for (uint "
              "l = 0; l < m; l++) for (uint i = 0; i < n; i++) a[l * n + i] = "
              "1; }");
  EXPECT_EQ(boundsOf(built, "n*l + i <= 4294967295"), "n*m <= 4294967296");
}

TEST(ModelBuilderTest, ConditionsBoundTheProductsOfIds) {
  Built built("__kernel void f(__global float *a, uint w, uint h) { uint x = "
              "get_global_id(0), y = get_global_id(1); if (x < w && y < h) "
              "a[y * w + x] = 1; }");
  EXPECT_EQ(
      boundsOf(built, "get_global_id(1)*w + get_global_id(0) <= 4294967295"),
      "w*h <= 4294967296");
}

TEST(ModelBuilderTest, NarrowedProductsAreBoundedByTheLaunch) {
  Built built(kernel("int i = get_global_id(1) * n + get_global_id(0); a[i] = "
                     "1;"));
  const std::string text =
      "-2147483648 <= get_global_id(1)*n + get_global_id(0) <= 2147483647";
  EXPECT_EQ(boundsOf(built, text), "gs1*n + go1*n + gs0 + go0 <= 2147483648");
  // A negative n would make the check meaningless.
  EXPECT_TRUE(
      isEqual(built.assumption(text)->condition.gist(built->paramContext),
              "[gs0, go0, gs1, go1, n] -> { : n >= 0 }"));
}

TEST(ModelBuilderTest, BothSidesOfANarrowedProductAreBounded) {
  Built built("__kernel void f(__global float *a, uint n, uint m) { for (ulong "
              "l = 0; l < m; l++) { int i = l * 3 - l * n; a[i] = 1; } }");
  EXPECT_EQ(boundsOf(built, "-2147483648 <= 3*l - n*l <= 2147483647"),
            "3*m <= 2147483650, n*m <= 2147483648");
}

TEST(ModelBuilderTest, WhatRangesProveIsNotAssumed) {
  // isl cannot say i * k < 4096.
  Built built(
      "__kernel void f(__global float *a, __global const int *b) { for "
      "(uint i = 0; i < 64; i++) for (uint k = 0; k < 64; k++) a[i * k] "
      "= b[(ulong)(i * k) / 2]; }");
  EXPECT_TRUE(built->assumptions.empty());
}

TEST(ModelBuilderTest, SignedProductsNeedNoAssumption) {
  Built built(kernel("for (int l = 0; l < m; l++) a[l * n] = 1;"));
  for (const Assumption &assumption : built->assumptions)
    EXPECT_EQ(assumption.kind, Assumption::Kind::Subscript);
}

TEST(ModelBuilderTest, ProductsOfTwentyFourBitsAssumeTheirOperands) {
  Built built(kernel("for (int l = 0; l < m; l++) a[mul24(l, n)] = 1;"));
  ASSERT_NE(built.assumption("l <= 8388607"), nullptr);
  ASSERT_NE(built.assumption("-8388608 <= n <= 8388607"), nullptr);
  EXPECT_EQ(boundsOf(built, "-2147483648 <= n*l <= 2147483647"),
            "n*m <= 2147483647");
}

TEST(ModelBuilderTest, AConditionThatCannotHoldLeavesTheValueUnknown) {
  // 3 - n wraps for every n the loop runs with.
  Built built("__kernel void f(__global float *a, uint n) { for (uint k = 4; k "
              "< n; k++) a[3 - k] = 1; }");
  EXPECT_EQ(built.subscripts("a"), "?");
}

TEST(ModelBuilderTest, ADownwardUnsignedLoopThatNeverEndsIsNotModelled) {
  Built built("__kernel void f(__global float *a, uint n) { for (uint k = n; k "
              ">= 0; k--) a[k] = 1; }");
  EXPECT_TRUE(built->loops.empty());
}

TEST(ModelBuilderTest, DivisionRoundsTowardsZero) {
  Built built(kernel("int i = get_global_id(0); a[i / 4] = b[i % 4];"));
  EXPECT_EQ(built.subscripts("a"), "[q0]");
  EXPECT_EQ(built.subscripts("b"), "[r0]");
}

//===-- Memory ------------------------------------------------------------===//

TEST(ModelBuilderTest, RowPointersAreFollowed) {
  Built built(kernel("int i = get_global_id(0); __global float *row = a + i * "
                     "n; for (int k = 0; k < n; k++) row[k] = 1;"));
  EXPECT_EQ(built.subscripts("a"), "[w0][k]");
}

TEST(ModelBuilderTest, PointersThatAdvanceAreFollowed) {
  Built built(kernel("__global float *p = a + get_global_id(0); for (int k = "
                     "0; k < m; k++) { *p = 1; p += n; }"));
  EXPECT_EQ(built.subscripts("a"), "[k][w0]");
}

TEST(ModelBuilderTest, WiderPointersTouchSeveralElements) {
  Built built(kernel("((__global float4 *)a)[get_global_id(0)] = "
                     "vload4(2, a);"));
  EXPECT_EQ(built.subscripts("a"), "[8] [4*w0]");
  for (const Access &access : built->accesses)
    EXPECT_EQ(access.width, 4u);
}

TEST(ModelBuilderTest, ConversionsOfHalvesTouchTheirCells) {
  auto cells = [](const std::string &statement) {
    Built built("__kernel void f(__global half *h, __global float3 *b) { int i "
                "= get_global_id(0); " +
                statement + " }");
    std::string text;
    for (const Access &access : built->accesses)
      if (built->arrays[access.array].name == "h" && access.isExact)
        text = built.subscripts("h") + " x " + std::to_string(access.width);
    return text;
  };
  EXPECT_EQ(cells("vstore_half(vload_half(i, h), i, h + 8);"),
            "[w0] [w0 + 8] x 1");
  EXPECT_EQ(cells("b[i] = vload_half3(i, h);"), "[3*w0] x 3");
  EXPECT_EQ(cells("vstorea_half3_rtz(b[i], i, h);"), "[4*w0] x 3");
}

TEST(ModelBuilderTest, NarrowerPointersMakeTheCellsFiner) {
  Built built("__kernel void f(__global float4 *v) { __global float *p = "
              "(__global float *)v; p[get_global_id(0)] = 1; v[2].x = 1; }");
  const Array &array = built->arrays[*built->findArray("v")];
  EXPECT_EQ(array.elementBytes, 4u);
  EXPECT_EQ(built.subscripts("v"), "[w0] [8]");
}

TEST(ModelBuilderTest, ConstantStridesFitOrStayFlat) {
  Built fits(kernel("for (int d = 0; d < 3; d++) a[3 * get_global_id(0) + d] "
                    "= 1;"));
  EXPECT_EQ(fits.subscripts("a"), "[w0][d]");
  Built flat(kernel("for (int d = 0; d < 4; d++) a[3 * get_global_id(0) + d] "
                    "= 1;"));
  EXPECT_EQ(flat.subscripts("a"), "[3*w0 + d]");
  EXPECT_TRUE(flat->accesses.back().isExact);
}

TEST(ModelBuilderTest, DelinearizationAssumesTheSubscript) {
  Built built(kernel("int j = get_global_id(0); for (int i = 0; i < m; i++) "
                     "a[i * n + j] = 1;"));
  const Assumption *assumption = built.assumption("0 <= get_global_id(0) < n");
  ASSERT_NE(assumption, nullptr);
  EXPECT_EQ(assumption->array, 0);
  EXPECT_TRUE(isEqual(assumption->condition,
                      "[gs0, go0, n, m] -> { : n >= gs0 + go0 }"));
}

TEST(ModelBuilderTest, OffsetsThatAreNoPolynomialMayTouchAnything) {
  Built built(kernel("a[b[get_global_id(0)]] = 1;"));
  EXPECT_EQ(built.subscripts("a"), "?");
  EXPECT_FALSE(built->accesses.back().isExact);
  EXPECT_TRUE(built.hasNote("clopt-non-affine-subscript"));
}

/// A condition that always holds opens no context, and closes none.
TEST(ModelBuilderTest, ConditionsThatHoldLeaveOthersAsTheyAre) {
  for (const char *always : {"1 &&", "0 ||", "sizeof(int) == 4 &&"}) {
    Built built(kernel("int i = get_global_id(0), x = 0;\n"
                       "if (b[i] > 0) { x = " +
                       std::string(always) +
                       " b[i + 1] > 0; a[i] = x; }\n"
                       "a[i + m] = 1;"));
    std::vector<bool> exact;
    for (const Access &access : built->accesses)
      if (built->arrays[access.array].name == "a")
        exact.push_back(access.isExact);
    EXPECT_EQ(exact, std::vector<bool>({false, true})) << always;
  }
}

TEST(ModelBuilderTest, StructsAreCells) {
  Built built("struct P { float x, y; }; __kernel void f(__global struct P *p) "
              "{ int i = get_global_id(0); p[i].x = p[i + 1].y; }");
  EXPECT_EQ(built.subscripts("p"), "[w0 + 1] [w0]");
  EXPECT_TRUE(built->accesses[2].isExact);
  EXPECT_FALSE(built->accesses.back().isExact);
}

TEST(ModelBuilderTest, ArraysInStructsHaveCells) {
  // { float d; char q[8]; }: cells of a byte, of which the float is four.
  Built built("typedef struct { float d; char q[8]; } B;\n"
              "__kernel void f(__global const B *p, __global int *r, int n) {\n"
              "  int i = get_global_id(0);\n"
              "  for (int b = 0; b < n; b++) {\n"
              "    __global const B *at = p + i * n + b;\n"
              "    for (int k = 0; k < 8; k++) r[i] += at->q[k] * at->d;\n"
              "  } }");
  EXPECT_EQ(built.subscripts("p"), "[w0][b][k + 4] [w0][b][0]");
  for (const Access &access : built->accesses)
    if (built->arrays[access.array].name == "p")
      EXPECT_TRUE(access.isExact);
  // A float3 is twelve bytes: two units of the eight that a double needs.
  Built wide("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
             "typedef struct { float3 a; double d[2]; } W;\n"
             "__kernel void f(__global const W *p, __global float *r) {\n"
             "  int i = get_global_id(0); r[i] = p[i].a.z + p[i].d[1]; }");
  unsigned widest = 0;
  for (const Access &access : wide->accesses)
    if (wide->arrays[access.array].name == "p")
      widest = std::max(widest, access.width);
  EXPECT_EQ(widest, 2u);
  // What is written to one does not touch the others.
  Built inner("typedef struct { short a; struct { int v[3], w; } in[2]; } S;\n"
              "__kernel void f(__global S *p) { int i = get_global_id(0);\n"
              "  for (int k = 0; k < 2; k++)\n"
              "    p[i].in[k].v[1] = p[i].in[k].w; p[i].a = 1; }");
  EXPECT_EQ(inner.subscripts("p"), "[w0][8*k + 8] [w0][8*k + 4] [w0][0]");
  for (const Access &access : inner->accesses)
    EXPECT_TRUE(access.isExact);
}

//===-- Limits ------------------------------------------------------------===//

TEST(ModelBuilderTest, ABudgetThatRunsOutIsANote) {
  ModelOptions options;
  options.operationBudget = 50;
  Built built(kernel("int i = get_global_id(0); if (i < n) a[i] = 1;"),
              options);
  EXPECT_TRUE(built->isUntouchable);
  EXPECT_TRUE(built.hasNote("clopt-budget"));
  EXPECT_FALSE(printModel(*built.model).empty());
}

TEST(ModelBuilderTest, AThousandStatementsTakeLessThanTwoSeconds) {
  std::string body = "int i = get_global_id(0); if (i < n) {";
  for (int count = 0; count < 1000; ++count)
    body += "a[i * n + " + std::to_string(count % 7) + "] += b[" +
            std::to_string(count % 5) + " * n + i];\n";
  ParseResult parsed = parseOpenCL("big.cl", kernel(body + "}"), {});
  ASSERT_TRUE(parsed.unit);
  // Processor time: other tests may run beside this one.
  std::clock_t start = std::clock();
  auto model = buildModel(*parsed.unit, *parsed.unit->functions[0]);
  double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_EQ(model->statements.size(), 1001u);
  EXPECT_LT(seconds, 2.0);
}

//===-- Remainders by arguments -------------------------------------------===//

static std::string definition(const Built &built, const std::string &name) {
  for (const Symbol &symbol : built->symbols.all())
    if (symbol.name == name)
      return str(symbol.condition,
                 [&](SymbolId id) { return built->symbols.name(id); });
  return "";
}

TEST(ModelBuilderTest, ANeighbourOnARingIsAChoice) {
  Built built(
      kernel("int i = get_global_id(0); if (i < n) a[i] = b[(i + 1) % n];"));
  EXPECT_EQ(built.subscripts("b"), "[s0]");
  EXPECT_EQ(definition(built, "s0"), "w0 - n + 1 >= 0");
  // Nothing but the range of i.
  EXPECT_EQ(built->assumptions.size(), 1u);
}

TEST(ModelBuilderTest, LaunchesOfOneWorkItemPerCellAreAssumed) {
  Built built(kernel("int i = get_global_id(0); a[i] = b[(i + 1) % n];"));
  EXPECT_EQ(built.subscripts("b"), "[s0]");
  ASSERT_EQ(built->assumptions.size(), 2u);
  EXPECT_EQ(built->assumptions[1].text, "0 <= 2*n - get_global_id(0) - 2");
}

TEST(ModelBuilderTest, TwoWrapsAreTwoChoices) {
  // With i = n - 1 and k = 1 the operand is 2 * n.
  Built built(kernel("int i = get_global_id(0); if (i < n)\n"
                     "for (int k = -1; k <= 1; k++)\n"
                     "  a[i] += b[(i + k + n) % n];"));
  EXPECT_EQ(built.subscripts("b"), "[s0_1]");
  EXPECT_EQ(built->assumptions.size(), 1u);
}

TEST(ModelBuilderTest, RowsThatAreCutAreUnknown) {
  Built built(kernel("int i = get_global_id(0);\n"
                     "a[i] = b[(i % n) * m + i / n];"));
  EXPECT_EQ(built.subscripts("b"), "?");
  // Negative operands keep the sign in C.
  Built negative(kernel("int i = get_global_id(0);\n"
                        "if (i < n) a[i] = b[(i - 1) % n];"));
  EXPECT_EQ(negative.subscripts("b"), "?");
  // The divisor must be the same for all work-items.
  Built own(kernel("int i = get_global_id(0); a[i] = b[(n + 1) % (i + 1)];"));
  EXPECT_EQ(own.subscripts("b"), "?");
  // One argument may be many times the other.
  Built arguments(kernel("int i = get_global_id(0);\n"
                         "int rows = (n - 1) / m + 1; a[i] = b[i + rows];"));
  EXPECT_TRUE(
      std::none_of(arguments->assumptions.begin(), arguments->assumptions.end(),
                   [](const Assumption &assumption) {
                     return assumption.text.find("2*m") != std::string::npos;
                   }));
}

TEST(ModelBuilderTest, LoopsWrapToo) {
  Built built(kernel("int i = get_global_id(0);\n"
                     "for (int k = 0; k < n; k++)\n"
                     "  a[i] += b[(k + 1) % n];"));
  EXPECT_EQ(built.subscripts("b"), "[s0]");
  EXPECT_EQ(built->assumptions.size(), 1u);
}

TEST(ModelBuilderTest, BoundsThatAreCutAreUnknown) {
  Built built(kernel("int i = get_global_id(0);\n"
                     "for (int k = 0; k < i / n; k++) a[i] += b[k];"));
  EXPECT_FALSE(built->isUntouchable);
  EXPECT_TRUE(built->loops.empty());
}

TEST(ModelBuilderTest, SharedOffsetsAreAnOrigin) {
  Built built(kernel("a += m; for (int i = 0; i < 8; i++) for (int j = 0; j < "
                     "n - 1; j++) a[i * n + j] = a[i * n + j + 1];"));
  const Array &array = built->arrays[built->findArray("a").value()];
  EXPECT_EQ(array.origin, Polynomial::symbol(*built->symbols.findVariable(
                              built->function->params[3])));
  EXPECT_EQ(built.subscripts("a"), "[i][j + 1] [i][j]");
  // Not all accesses have it.
  Built mixed(kernel("for (int i = 0; i < 8; i++) for (int j = 0; j < n; j++) "
                     "a[i * n + j] = a[i * n + j + m];"));
  EXPECT_TRUE(mixed->arrays[mixed->findArray("a").value()].origin.isZero());
}

TEST(ModelBuilderTest, GroupsOfOneWorkItem) {
  Built built(kernel("int i = get_global_id(0); a += get_group_id(1) * n; "
                     "a[i] = b[get_group_id(1)];"));
  EXPECT_FALSE(built->ndrange.split[1]);
  EXPECT_TRUE(built.assumption("get_local_size(1) = 1"));
  EXPECT_EQ(built.subscripts("b"), "[w1 - go1]");
  // The work-items of these groups are told apart.
  for (const char *other :
       {"a[get_group_id(0) * n + get_local_id(0)] = 1;",
        "__local int t[4]; t[0] = 1; a[get_group_id(0) * n] = t[0];",
        "a[get_group_id(0) * n + get_global_id(0)] = 1;"}) {
    Built split(kernel(other));
    EXPECT_TRUE(split->ndrange.split[0]) << other;
    EXPECT_FALSE(split.assumption("get_local_size(0) = 1")) << other;
  }
}
