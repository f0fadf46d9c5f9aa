//===- ModelWalksTest.cpp - loops that are counted ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that start at or advance by products, `while` loops, and those that
// stay whole. test/oracle/ModelOracleTest.cpp runs such loops.
//
//===----------------------------------------------------------------------===//

#include "ModelTesting.h"

#include <isl/set.h>

#include <algorithm>

using namespace clopt;

namespace {

struct Built : BuiltModel {
  explicit Built(const std::string &source) : BuiltModel(source) {}

  /// The names of all loops, with their types.
  std::string loops() const {
    std::string result;
    for (const Loop &loop : model->loops)
      result += (result.empty() ? "" : ", ") + loop.var->type.spelling + " " +
                loop.name;
    return result;
  }

  bool isWhole() const {
    return std::any_of(
        model->statements.begin(), model->statements.end(),
        [](const Statement &statement) { return statement.isCompound; });
  }

  /// Compares the domain of the first statement that reads or writes the array,
  /// without its name, in all launches that are possible.
  bool isDomain(const std::string &array, const std::string &expected) const {
    for (const Access &access : model->accesses) {
      if (model->arrays[access.array].name != array)
        continue;
      isl::set domain = isl::manage(isl_set_reset_tuple_id(
          model->statements[access.statement].domain.copy()));
      isl::set wanted = isl::set(isl::ctx(model->context.get()), expected);
      return domain.intersect_params(model->paramContext)
          .is_equal(wanted.intersect_params(model->paramContext));
    }
    return false;
  }
};

/// The loop of the tiled matrix product in the form of several SDKs.
std::string product(const std::string &loop) {
  return "__kernel __attribute__((reqd_work_group_size(16, 16, 1)))\n"
         "void f(__global float *C, __global float *A, __global float *B,\n"
         "       int wA, int wB) {\n"
         "  __local float As[16][16], Bs[16][16];\n"
         "  int bx = get_group_id(0), by = get_group_id(1);\n"
         "  int tx = get_local_id(0), ty = get_local_id(1);\n"
         "  int aBegin = wA * 16 * by, aEnd = aBegin + wA - 1, aStep = 16;\n"
         "  int bBegin = 16 * bx, bStep = 16 * wB;\n"
         "  float sum = 0.0f;\n" +
         loop +
         "  C[wB * 16 * by + 16 * bx + wB * ty + tx] = sum;\n"
         "}\n";
}

const std::string body =
    "As[ty][tx] = A[a + wA * ty + tx]; Bs[ty][tx] = B[b + wB * ty + tx];\n"
    "barrier(CLK_LOCAL_MEM_FENCE);\n"
    "for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];\n"
    "barrier(CLK_LOCAL_MEM_FENCE);\n";

std::string kernel(const std::string &statements,
                   const std::string &parameters = "int n, int m") {
  return "__kernel void f(__global float *a, __global int *b, " + parameters +
         ") { int x = get_global_id(0);" + statements + "}";
}

} // namespace

//===-- The product -------------------------------------------------------===//

TEST(ModelWalksTest, TilesOfAProduct) {
  const std::string loops[] = {
      "for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {" +
          body + "}",
      "for (int a = aBegin, b = bBegin; a < aBegin + wA; a += 16, b += bStep) "
      "{" +
          body + "}",
      "int b = bBegin; for (int a = aBegin; a <= aEnd; a += aStep) {" + body +
          "b += bStep; }",
      "int a = aBegin, b = bBegin; while (a <= aEnd) {" + body +
          "a += aStep; b = b + bStep; }",
      "int a, b; for (a = aBegin, b = bBegin; aEnd >= a; b += bStep, a += "
      "aStep) {" +
          body + "}",
  };
  for (const std::string &loop : loops) {
    SCOPED_TRACE(loop);
    Built built(product(loop));
    EXPECT_FALSE(built.isWhole());
    EXPECT_EQ(built.loops(), "int a_turn, int k");
    EXPECT_EQ(built.subscripts("A"), "[16*g1 + l1][l0 + 16*a_turn]");
    EXPECT_EQ(built.subscripts("B"), "[l1 + 16*a_turn][16*g0 + l0]");
    EXPECT_EQ(built.subscripts("As"), "[l1][l0] [l1][k]");
  }
}

TEST(ModelWalksTest, PointersThatMove) {
  Built built(product("__global float *p = A + aBegin, *q = B + bBegin;"
                      "for (int left = wA; left > 0; left -= 16) {"
                      "As[ty][tx] = p[wA * ty + tx]; Bs[ty][tx] = q[wB * ty + "
                      "tx]; barrier(CLK_LOCAL_MEM_FENCE); for (int k = 0; k < "
                      "16; ++k) sum += As[ty][k] * Bs[k][tx]; "
                      "barrier(CLK_LOCAL_MEM_FENCE); p += 16; q += bStep; }"));
  // Its variable starts at an argument: it counts itself.
  EXPECT_EQ(built.loops(), "int left, int k");
  EXPECT_FALSE(built.isWhole());
}

//===-- Bounds ------------------------------------------------------------===//

TEST(ModelWalksTest, HowOftenItRuns) {
  Built up(kernel("int s = n * x; for (int p = s; p < s + m; p += 4) a[p] = "
                  "1;"));
  EXPECT_TRUE(up.isDomain(
      "a", "[gs0, go0, n, m] -> { [w, k] : go0 <= w < go0 + gs0 and k >= 0 "
           "and 4k < m }"));
  Built down(kernel("int s = n * x; for (int p = s; p >= s - m; p -= 4) a[p] = "
                    "1;"));
  EXPECT_TRUE(down.isDomain(
      "a", "[gs0, go0, n, m] -> { [w, k] : go0 <= w < go0 + gs0 and k >= 0 "
           "and 4k <= m }"));
  Built both(kernel("int l = n * x, r = n * x + m; while (l < r) { a[l] = 1; "
                    "++l; --r; }"));
  EXPECT_TRUE(both.isDomain(
      "a", "[gs0, go0, n, m] -> { [w, k] : go0 <= w < go0 + gs0 and k >= 0 "
           "and 2k < m }"));
}

TEST(ModelWalksTest, UntilTheyAreEqual) {
  Built built(kernel("int s = n * x; for (int p = s; p != s + m; p += 4) a[p] "
                     "= 1;"));
  EXPECT_EQ(built.loops(), "int p_turn");
  // Launches that step over the end are none of the model.
  isl::set modelled = built->paramContext;
  for (const Assumption &assumption : built->assumptions)
    modelled = modelled.intersect(assumption.condition);
  EXPECT_FALSE(modelled.is_empty());
  EXPECT_TRUE(modelled.is_subset(
      isl::set(isl::ctx(built->context.get()),
               "[gs0, go0, n, m] -> { : m mod 4 = 0 and m >= 0 }")));
}

TEST(ModelWalksTest, InStepsOfAnArgument) {
  const std::string loops[] = {
      "for (int p = x; p < n * m + x; p += n) a[p] = 1;",
      "for (int p = x; p < m * n; p += n) a[p] = 1;",
      "for (int p = x + n; p <= m * n + x; p += n) a[p - n] = 1;",
      "for (int p = x; p != m * n + x; p += n) a[p] = 1;",
      "for (int p = m * n + x - n; p >= 0; p -= n) a[m * n - n + 2 * x - p] = "
      "1;",
  };
  for (const std::string &loop : loops) {
    SCOPED_TRACE(loop);
    Built built(kernel(loop));
    EXPECT_EQ(built.loops(), "int p_turn");
    EXPECT_EQ(built.subscripts("a"), "[p_turn][w0]");
    EXPECT_TRUE(built.isDomain(
        "a", "[gs0, go0, n, m, n_m] -> { [w, k] : go0 <= w < go0 + gs0 and k "
             ">= 0 and k < m }"));
    // Else rows are longer than the steps.
    bool isWithinRow = false;
    for (const Assumption &assumption : built->assumptions)
      isWithinRow |= assumption.text.find("n") != std::string::npos;
    EXPECT_TRUE(isWithinRow);
  }
}

TEST(ModelWalksTest, TheCounterIsWideEnough) {
  // Of `long` values many are between start and end.
  Built wide(kernel("long s = n * (long)x; for (long p = s; p < s + m; p++) "
                    "a[p] = 1;",
                    "int n, long m"));
  EXPECT_EQ(wide.loops(), "long p_turn");
  Built narrow(kernel("long s = n * (long)x; for (long p = s; p < s + m; p++) "
                      "a[p] = 1;"));
  EXPECT_EQ(narrow.loops(), "int p_turn");
}

//===-- Names and values --------------------------------------------------===//

TEST(ModelWalksTest, NamesThatAreTaken) {
  Built built(kernel("int p_turn = n * x; for (int p = p_turn; p < p_turn + m; "
                     "p++) a[p] = 1;"));
  EXPECT_EQ(built.loops(), "int p_turn1");
}

TEST(ModelWalksTest, ValuesAfterTheLoop) {
  Built built(kernel("int p = 0; for (; p < n; p += 2) b[p] = 1; a[p] = 2;"));
  EXPECT_EQ(built.loops(), "int p_turn");
  ASSERT_EQ(built->arrays[0].name, "a");
  EXPECT_NE(built.subscripts("a"), "?");
}

//===-- Loops that stay whole ---------------------------------------------===//

TEST(ModelWalksTest, WhatIsNotCounted) {
  const std::string loops[] = {
      // The end or the step comes from memory.
      "for (int p = n * x; p < b[x]; p++) a[p] = 1;",
      "for (int p = n * x; p < n * x + m; p += b[x]) a[p] = 1;",
      // The end moves, or nothing moves.
      "int e = n * x + m; for (int p = n * x; p < e; p++) { a[p] = 1; if (b[p])"
      " e++; }",
      "int p = n * x; while (n > 0) { a[p] = 1; p++; }",
      // Away from the end.
      "for (int p = n * x; p > n * x - m; p++) a[p] = 1;",
      // By an argument: how often is no affine expression.
      "for (int p = n * x; p < n * x + m; p += n) a[p] = 1;",
      // Under a condition, or left early.
      "int p = n * x; while (p < n * x + m) { a[p] = 1; if (b[x]) p++; }",
      "int p = n * x; while (p < n * x + m) { if (b[p]) break; p++; }",
      "int p = n * x; while (p < n * x + m) { if (p == 3) continue; p++; }",
      // Cut off at every step.
      "uchar s = n * x; for (uchar p = s; p < s + m; p++) a[p] = 1;",
  };
  for (const std::string &loop : loops) {
    SCOPED_TRACE(loop);
    EXPECT_TRUE(Built(kernel(loop)).isWhole());
  }
}
