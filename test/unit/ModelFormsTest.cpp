//===- ModelFormsTest.cpp - forms of subscripts in real kernels -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of coordinates, parts of arguments, rows of a quotient's length,
// choices of rows, updates under a condition, returns that depend on data.
//
//===----------------------------------------------------------------------===//

#include "ModelTesting.h"

#include <algorithm>

using namespace clopt;

namespace {

struct Built : BuiltModel {
  explicit Built(const std::string &source) : BuiltModel(source) {}

  unsigned countOpaque() const {
    return std::count_if(
        model->statements.begin(), model->statements.end(),
        [](const Statement &statement) { return statement.isOpaque; });
  }
};

std::string kernel(const std::string &body,
                   const std::string &parameters = "int n, int m") {
  return "typedef struct { int w; struct { uint h; } in; float f; } P;\n"
         "__kernel void f(__global float *a, __global int *b, " +
         parameters + ") { int x = get_global_id(0), y = get_global_id(1);" +
         body + "}";
}

} // namespace

//===-- Vectors -----------------------------------------------------------===//

TEST(ModelFormsTest, CoordinatesInVectors) {
  Built built(kernel("int2 p = (int2)(x, y); a[p.y * n + p.x] = 1;"));
  EXPECT_EQ(built.subscripts("a"), "[w1][w0]");
}

TEST(ModelFormsTest, ArithmeticOnVectors) {
  Built built(kernel("int2 p = (int2)(x, y) + (int2)(2, 1) * 3;"
                     "p -= (int2)(1); a[p.s1 * n + p.s0] = 1;"));
  EXPECT_EQ(built.subscripts("a"), "[w1 + 2][w0 + 5]");
}

TEST(ModelFormsTest, ComponentsAreAssignedOneByOne) {
  Built built(kernel("int4 p; p.x = x; p.yz = (int2)(y, 7); p.x += 3;"
                     "a[p.y * n + p.x] = 1; b[p.z] = 1; b[p.w] = 2;"));
  EXPECT_EQ(built.subscripts("a"), "[w1][w0 + 3]");
  EXPECT_EQ(built.subscripts("b"), "[7] ?");
}

TEST(ModelFormsTest, ComponentsOfComponentsAndConversions) {
  Built built(kernel("uint4 p = convert_uint4((int4)(x, y, 0, 1));"
                     "a[p.wzyx.yz.y * n + p.lo.x] = 1;"));
  EXPECT_EQ(built.subscripts("a"), "[w1][w0]");
}

TEST(ModelFormsTest, VectorsThatALoopChangesAreUnknown) {
  Built built(kernel("int2 p = (int2)(x, y); for (int k = 0; k < m; k++) {"
                     " a[p.x] = 1; p.x = b[k]; } b[p.y] = 1;"));
  EXPECT_EQ(built.subscripts("a"), "?");
}

TEST(ModelFormsTest, ComparisonsOfAllComponents) {
  Built built(kernel("int2 p = (int2)(x, y);"
                     "if (any(p >= (int2)(n, m))) return;"
                     "if (all(p < (int2)(5, 6))) a[p.y * n + p.x] = 1;"));
  EXPECT_FALSE(built.hasNote("clopt-non-affine-control"));
  EXPECT_EQ(built.countOpaque(), 0u);
  EXPECT_EQ(built.subscripts("a"), "[w1][w0]");
}

TEST(ModelFormsTest, PartsOfArgumentsAreArguments) {
  Built vector(kernel("if (x < d.x && y < d.y) a[y * d.x + x] = 1;", "int2 d"));
  EXPECT_EQ(vector.subscripts("a"), "[w1][w0]");
  Built nested(
      kernel("if (x < p.w && y < p.in.h) a[y * p.w + x] = p.f;", "P p"));
  EXPECT_EQ(nested.subscripts("a"), "[w1][w0]");
  EXPECT_FALSE(nested.hasNote("clopt-non-affine-control"));
}

TEST(ModelFormsTest, PartsOfArgumentsThatChangeAreNot) {
  Built built(kernel("d.x = b[0]; a[d.x] = 1; a[d.y] = 2;", "int2 d"));
  EXPECT_EQ(built.subscripts("a"), "? [d_y]");
}

/// The subscripts of a in a kernel of one argument more.
static std::string inMemory(const std::string &body, const std::string &more) {
  ModelOptions options;
  options.memoryArguments = true;
  return BuiltModel(kernel(body, more), options).subscripts("a");
}

TEST(ModelFormsTest, IntegersInMemoryThatIsOnlyReadAreArguments) {
  const std::string p = "__constant P *p";
  EXPECT_EQ(inMemory("if (x < p->w && y < 9) a[y * p->w + x] = 1;", p),
            "[w1][w0]");
  EXPECT_EQ(inMemory("a[p->w] = 1; a[(*p).w] = 2; a[p[1].in.h] = 3;", p),
            "[p_w] [p_0_w] [p_1_in_h]");
  // The head of a loop is evaluated once at least.
  EXPECT_EQ(inMemory("for (int k = 0; k < p->w; k++) a[k * p->w + x] = 1;", p),
            "[k][w0]");
  EXPECT_EQ(inMemory("int h = p[1]; a[h] = 1; a[p[0]] = 2;",
                     "__global const int *restrict p"),
            "[p_1] [p_0]");
}

TEST(ModelFormsTest, OtherIntegersInMemoryAreNot) {
  // They may be written through other pointers, or through this one.
  EXPECT_EQ(inMemory("a[p[1]] = 1;", "__global const int *p"), "?");
  EXPECT_EQ(inMemory("a[p[1]] = 1;", "__global int *restrict p"), "?");
  EXPECT_EQ(inMemory("a[p[1]] = 1;", "__local const int *p"), "?");
  EXPECT_EQ(inMemory("a[p[1]] = 1;", "__constant volatile int *p"), "?");
  EXPECT_EQ(inMemory("p++; a[p[1]] = 1;", "__constant int *p"), "?");
  EXPECT_EQ(inMemory("a[p[x]] = 1;", "__constant int *p"), "?");
  EXPECT_EQ(inMemory("a[((__constant short *)p)[1]] = 1;", "__constant int *p"),
            "?");
  // The author's code may not read as far: there may be nothing.
  EXPECT_EQ(inMemory("if (n == 2) a[p[1]] = 1;", "__constant int *p, int n"),
            "?");
  EXPECT_EQ(inMemory("a[p[1]] = 1; if (n == 2) a[p[2]] = a[p[0]];",
                     "__constant int *p, int n"),
            "[p_1] [p_0] ?");
  EXPECT_EQ(inMemory("if (x < n) a[p[1]] = 1;", "__constant int *p, int n"),
            "?");
  EXPECT_EQ(
      inMemory("if (x >= n) return; a[p[1]] = 1;", "__constant int *p, int n"),
      "?");
  EXPECT_EQ(inMemory("a[n == 2 ? p[1] : 3] = 1;", "__constant int *p, int n"),
            "?");
  EXPECT_EQ(inMemory("for (int k = 0; k < n; k++) a[p[0]] = 1;",
                     "__constant int *p, int n"),
            "?");
  EXPECT_EQ(inMemory("for (int k = 0; k < n && k < p[0]; k++) a[k] = 1;",
                     "__constant int *p, int n"),
            "?");
  EXPECT_EQ(
      inMemory("while (b[x] > p[0]) b[x]--; a[p[0]] = 1;", "__constant int *p"),
      "[p_0]");
  // Hosts have no names for them.
  EXPECT_EQ(Built(kernel("a[p->w] = 1;", "__constant P *p")).subscripts("a"),
            "?");
}

TEST(ModelFormsTest, LocalIdsInVectorsThatBecomeDataSplit) {
  Built built(kernel("int2 l = (int2)(get_local_id(0), x);"
                     "vstore2(l, x, b);"));
  EXPECT_TRUE(built->ndrange.split[0]);
}

//===-- Quotients and choices ---------------------------------------------===//

TEST(ModelFormsTest, QuotientsOfArgumentsAreRows) {
  Built built(kernel("a[y * (n / 4) + x] = 1; a[mad24(y, m / 2, x)] = 2;"));
  bool isKnown = false;
  for (const Symbol &symbol : built->symbols.all())
    isKnown |= isQuotient(symbol) && symbol.second == Polynomial(4);
  EXPECT_TRUE(isKnown);
  Built one(kernel("a[y * (n / 4) + x] = 1;"));
  EXPECT_EQ(one.subscripts("a"), "[w1][w0]");
}

TEST(ModelFormsTest, QuotientsNeedNoNegativeArgument) {
  Built built(kernel("a[y * (n / 4) + x] = 1;"));
  bool isAssumed = false;
  for (const Assumption &assumption : built->assumptions)
    isAssumed |= assumption.kind == Assumption::Kind::Range;
  EXPECT_TRUE(isAssumed);
  Built natural(kernel("a[y * (n / 4) + x] = 1;", "uint n"));
  EXPECT_EQ(natural.subscripts("a"), "[w1][w0]");
}

TEST(ModelFormsTest, QuotientsOfTwoArguments) {
  Built rows(kernel("for (int k = 0; k < n / m; k++) a[y * (n / m) + k] = 1;"));
  EXPECT_EQ(rows.subscripts("a"), "[w1][k]");
  Built rest(kernel("for (int k = 0; k < n % m; k++) a[y * m + k] = 1;"));
  EXPECT_EQ(rest.subscripts("a"), "[w1][k]");
  bool isAssumed = false;
  for (const Assumption &assumption : rest->assumptions)
    isAssumed |= assumption.kind == Assumption::Kind::Subscript;
  EXPECT_FALSE(isAssumed) << "what is left is less than what divides";
  Built share(kernel("a[get_global_id(0) * (n / get_global_size(0))] = 1;"));
  EXPECT_TRUE(llvm::any_of(share->symbols.all(), isQuotient));
  // Values ask nothing of the launch.
  Built value(kernel("if (m < 0) a[x] = n / m + n / -m;"));
  EXPECT_FALSE(llvm::any_of(value->symbols.all(), isQuotient));
  Built plain(kernel("if (m < 0) a[x] = 1;"));
  EXPECT_EQ(value->assumptions.size(), plain->assumptions.size());
  // But what others ask of the same numbers stays.
  const std::string narrowed = "ushort s = convert_ushort(n); a[s + x] = 1;";
  Built alone(kernel(narrowed)), beside(kernel(narrowed + "b[x] = n / m;"));
  EXPECT_EQ(beside->assumptions.size(), alone->assumptions.size());
  Built byItem(kernel("a[x / m] = 1;"));
  EXPECT_FALSE(llvm::any_of(byItem->symbols.all(), isQuotient));
}

TEST(ModelFormsTest, WholePartsOfArguments) {
  const std::string loop =
      "for (int k = -(int)f; k <= (int)f; k++) a[y * n + k + 9] = 1;";
  Built built(kernel(loop, "int n, float f"));
  EXPECT_EQ(built.subscripts("a"), "[w1][k + 9]");
  const Variable *var = nullptr;
  for (const Symbol &symbol : built->symbols.all())
    if (symbol.name == "f_int")
      var = symbol.var;
  ASSERT_TRUE(var);
  EXPECT_EQ(var->name, "(int)f");
  Built rounded(kernel("int r = ceil(f); for (int k = 0; k < r; k++)"
                       "  a[y * n + k] = 1;",
                       "int n, float f"));
  EXPECT_EQ(rounded.subscripts("a"), "[w1][k]");
  Built converted(kernel("int r = convert_int_rte(f);"
                         "for (int k = 0; k < r; k++) a[y * n + k] = 1;",
                         "int n, float f"));
  EXPECT_EQ(converted.subscripts("a"), "[w1][k]");
  // The kernel changes it.
  Built changed(kernel("f *= 2; " + loop, "int n, float f"));
  EXPECT_TRUE(changed->loops.empty());
}

TEST(ModelFormsTest, ChoicesOfRows) {
  Built built(kernel("if (x >= n || y >= m) return; int i = y * n + x;"
                     "int N = y == 0 ? i : i - n;"
                     "int W = x == 0 ? i : i - 1; a[i] = b[N] + b[W];"));
  EXPECT_EQ(built.subscripts("b").find('?'), std::string::npos)
      << built.subscripts("b");
  for (const Access &access : built->accesses)
    EXPECT_TRUE(access.isExact);
}

//===-- Loops -------------------------------------------------------------===//

TEST(ModelFormsTest, WhileLoopsThatCount) {
  Built built(kernel("int k = 0; while (k < m) { a[y * n + k] = x; k++; }"));
  ASSERT_EQ(built->loops.size(), 1u);
  EXPECT_EQ(built.subscripts("a"), "[w1][k]");
}

TEST(ModelFormsTest, WhileLoopsThatMayStopCountingStayWhole) {
  Built built(kernel("int k = 0; while (k < m) { if (b[k]) continue;"
                     " a[y * n + k] = x; k++; }"));
  EXPECT_TRUE(built->loops.empty());
}

TEST(ModelFormsTest, CountersOfSeveralLoops) {
  Built built(kernel("int k, j; for (k = 0; k < n; k++) a[k] = 0;"
                     "for (j = 0; j < m; j++) for (k = 0; k < n; k++)"
                     " a[j * n + k] += 1;"));
  EXPECT_EQ(built->loops.size(), 3u);
}

TEST(ModelFormsTest, CountersThatABreakKeepsAreLive) {
  Built built(kernel("int k = 0; for (int j = 0; j < m; j++) {"
                     " b[j] = k; for (k = 0; k < n; k++) a[k] = 0;"
                     " if (j < 3) continue; k = 0; }"));
  for (const Loop &loop : built->loops)
    EXPECT_NE(loop.name, "k");
}

TEST(ModelFormsTest, RowsThatAConditionAdvances) {
  Built built(kernel("int r = y * 4, at = r * n + x;"
                     "if (x < n) for (int c = 0; c < 4; ++c)"
                     " if (r < m) { a[at] = b[r]; ++r; at += n; }"));
  EXPECT_FALSE(built.hasNote("clopt-non-affine-control"));
  EXPECT_EQ(built.subscripts("a"), "[4*w1 + c][w0]");
  EXPECT_EQ(built.subscripts("b"), "[w1][c]"); // rows of four
}

TEST(ModelFormsTest, ConditionsThatMayHoldAgainAreNoGuards) {
  // Even iterations only: the condition comes back.
  Built moved(kernel("int r = y; for (int c = 0; c < 4; ++c)"
                     " if (r + c < m) { a[r] = 1; r--; }"));
  EXPECT_EQ(moved.subscripts("a"), "?");
  Built rising(kernel("int r = y; for (int c = 0; c < 4; ++c)"
                      " if (r > m) { a[r] = 1; r++; }"));
  EXPECT_EQ(rising.subscripts("a"), "?");
  Built outside(kernel("int r = y; for (int c = 0; c < 4; ++c) {"
                       " if (r < m) { r++; } a[r] = 1; }"));
  EXPECT_EQ(outside.subscripts("a"), "?");
}

TEST(ModelFormsTest, CountersWithinExpressions) {
  Built built(kernel("int at = y * n; for (int c = 0; c < n; ++c)"
                     " a[at++] = x;"));
  EXPECT_EQ(built.subscripts("a"), "[w1][c]");
  Built maybe(kernel("int at = y * n; for (int c = 0; c < n; ++c)"
                     " a[c] = b[c] ? b[at++] : 0;"));
  EXPECT_EQ(maybe.subscripts("b").find("[w1]"), std::string::npos);
}

//===-- Returns -----------------------------------------------------------===//

TEST(ModelFormsTest, ReturnsThatDependOnDataAreConditions) {
  Built built(kernel("if (x >= n) return; if (b[x] < 0) { b[x] = 0; return; }"
                     "a[x] = 1; if (b[x] == 3) return; a[x + n] = 2;"));
  EXPECT_EQ(built.countOpaque(), 0u);
  EXPECT_FALSE(built.hasNote("clopt-opaque-code"));
}

TEST(ModelFormsTest, ReturnsInLoopsAreNot) {
  Built built(kernel("for (int k = 0; k < n; k++) if (b[k]) return;"
                     "a[x] = 1;"));
  EXPECT_GT(built.countOpaque(), 0u);
}

// `continue` that depends on data: the loop stays one of the model, and what
// follows is under the opposite condition.
TEST(ModelFormsTest, ContinuesThatDependOnDataAreConditions) {
  Built built(kernel("for (int k = 0; k < n; k++) {"
                     "  a[x + n * k] = 1; if (b[k] & 1) continue;"
                     "  a[x + n * k] = 2; if (b[k] & 2) continue;"
                     "  a[x + n * k] = 3; }"));
  ASSERT_EQ(built.model->loops.size(), 1u);
  const std::vector<Statement> &statements = built.model->statements;
  ASSERT_EQ(statements.size(), 4u); // x, y, and two in the loop
  EXPECT_FALSE(statements[2].isCompound);
  EXPECT_EQ(statements[2].loops.size(), 1u);
  EXPECT_TRUE(statements[3].isCompound);
  EXPECT_EQ(statements[3].loops.size(), 1u);
}

// One within another block of the loop, or beside a `break`.
TEST(ModelFormsTest, ContinuesElsewhereKeepTheLoop) {
  for (const char *body :
       {"if (x) { if (b[k] & 1) continue; a[x] = 2; } a[x] = 3;",
        "if (b[k] & 1) continue; if (b[k] & 2) break; a[x] = 3;"}) {
    Built built(
        kernel(std::string("for (int k = 0; k < n; k++) {") + body + "}"));
    EXPECT_EQ(built.model->loops.size(), 0u) << body;
  }
}

TEST(ModelFormsTest, NothingPassesABarrier) {
  Built built(kernel("if (b[x] < 0) return; barrier(CLK_GLOBAL_MEM_FENCE);"
                     "a[x] = 1;"));
  EXPECT_GT(built.countOpaque(), 0u);
}

//===-- Counters over several loops ---------------------------------------===//

TEST(ModelFormsTest, CountersOfNestedLoops) {
  Built built(kernel("int n9 = 0; for (int j = -1; j <= 1; j++)"
                     " for (int i = -1; i <= 1; i++)"
                     "  a[n9++] = b[(y + j) * n + x + i]; b[n9] = 1;"));
  EXPECT_EQ(built.subscripts("a"), "[j + 1][i + 1]");
  EXPECT_EQ(built.subscripts("b"), "[w1 + j][w0 + i] [0][9]");
}

TEST(ModelFormsTest, CountersAfterALoop) {
  Built built(kernel("int c = x; for (int j = 0; j < 6; j += 2) c += 5;"
                     "a[c] = 1; for (int j = 0; j < n; j++) c += j;"
                     "b[c] = 1;"));
  EXPECT_EQ(built.subscripts("a"), "[w0 + 15]");
  EXPECT_EQ(built.subscripts("b"), "?");
}

TEST(ModelFormsTest, PointersThatSkipTheRestOfARow) {
  Built built(kernel("__global int *p = b + y * n + x;"
                     "for (int j = 0; j < 3; j++) {"
                     " for (int i = 0; i < m; i++) a[j] += *p++;"
                     " p += n - m; }"));
  EXPECT_EQ(built.subscripts("b"), "[w1 + j][w0 + i]");
  bool isAssumed = false;
  for (const Assumption &assumption : built->assumptions)
    isAssumed |= assumption.kind == Assumption::Kind::Range;
  EXPECT_TRUE(isAssumed);
}

TEST(ModelFormsTest, UpdatesThatMayNotHappenAreNoCounters) {
  Built jump(kernel("int c = 0; for (int j = 0; j < 4; j++) {"
                    " for (int i = 0; i < 4; i++) { if (b[i]) break; c++; }"
                    " a[c] = 1; }"));
  EXPECT_EQ(jump.subscripts("a"), "?");
  Built other(kernel("int c = 0; for (int j = 0; j < 4; j++) {"
                     " if (b[j]) c++; a[c] = 1; }"));
  EXPECT_EQ(other.subscripts("a"), "?");
  Built bound(kernel("int c = 0, e = 3; for (int j = 0; j < 4; j++) {"
                     " for (int i = 0; i < e; i++) c++; e += b[j];"
                     " a[c] = 1; }"));
  EXPECT_EQ(bound.subscripts("a"), "?");
}

TEST(ModelFormsTest, WhatRunsOnceIsNoLoop) {
  auto loops = [](const std::string &body) {
    return Built(kernel(body))->loops.size();
  };
  EXPECT_EQ(loops("do { a[x]++; } while (0);"), 0u);
  EXPECT_EQ(loops("do a[x]++; while ((0));"), 0u);
  EXPECT_EQ(loops("for (int i = 0; i < n; i++) do { a[i]++; } while (0);"), 1u);
  auto whole = [](const std::string &body) {
    Built built(kernel(body));
    return llvm::count_if(built->statements, [](const Statement &statement) {
      return statement.isCompound;
    });
  };
  EXPECT_EQ(whole("do { a[x] = 1; b[x] = 2; } while (0);"), 0);
  EXPECT_EQ(whole("do { switch (3) { case 3: break; } a[x] = 1; } while (0);"),
            0);
  // Nothing is left of what is said of a loop.
  Built unrolled(kernel("\n#pragma unroll\ndo a[x] = 1; while (0);"));
  for (const Statement &statement : unrolled->statements)
    EXPECT_TRUE(statement.stmt->pragmas.empty());
  // What jumps to its end does not run all of it.
  EXPECT_EQ(whole("do { if (b[x]) break; a[x] = 1; } while (0);"), 1);
  EXPECT_EQ(whole("do { if (b[x]) continue; a[x] = 1; } while (0);"), 1);
}
