//===- ClangBodiesTest.cpp - bodies in place of calls ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangParser.h"
#include "Model/ExprPrinter.h"

#include <gtest/gtest.h>
#include <llvm/ADT/StringExtras.h>

using namespace clopt;

namespace {

struct Placed {
  /// `helpers`, and a kernel with the statements.
  Placed(const std::string &statements, const std::string &helpers,
         const std::vector<std::string> &flags = {}) {
    ParseResult result = parseOpenCL(
        "test.cl",
        helpers +
            "\n__kernel void k(__global float *a, __global float *b, __local "
            "float *l, int n, float f) {\n" +
            statements + "\n}\n",
        flags);
    for (const Diagnostic &diagnostic : result.diagnostics)
      EXPECT_NE(diagnostic.level, Diagnostic::Level::Error)
          << diagnostic.rendered;
    unit = std::move(result.unit);
    if (unit)
      function = unit->functions.back().get();
  }

  std::string body() const {
    return function ? llvm::join(printStmt(function->body), "\n") : "";
  }
  const Variable *variable(const std::string &name) const {
    for (const auto &candidate : function->variables)
      if (candidate->name == name)
        return candidate.get();
    return nullptr;
  }
  bool staysCall() const { return !function->written; }

  std::unique_ptr<TranslationUnit> unit;
  const Function *function = nullptr;
};

const char *const fill = "void fill(__global float *p, int m, float v) {\n"
                         "  for (int i = 0; i < m; i++) p[i] = v; }\n";

} // namespace

TEST(ClangBodies, KernelsAreFunctionsLikeOthers) {
  Placed placed(
      "one(a, n);",
      "__kernel void one(__global float *p, int m) {\n"
      "  int i = get_global_id(0); if (i >= m) return; p[i] = 1; }\n");
  EXPECT_EQ(placed.body(), "{\n"
                           "  int i = get_global_id(0);\n"
                           "  if (!(i >= n)) {\n"
                           "    a[i] = 1;\n"
                           "  }\n"
                           "}");
}

TEST(ClangBodies, EveryCallHasVariablesOfItsOwn) {
  Placed placed("fill(a, n, f); fill(b + n, 4, 2 * f);", fill);
  EXPECT_EQ(placed.body(), "{\n"
                           "  for (int i = 0; i < n; i++)\n"
                           "    a[i] = f;\n"
                           "  __global float *p = b + n;\n"
                           "  float v = 2 * f;\n"
                           "  for (int i_1 = 0; i_1 < 4; i_1++)\n"
                           "    p[i_1] = v;\n"
                           "}");
  // What runs is still what the author wrote.
  ASSERT_FALSE(placed.staysCall());
  EXPECT_EQ(placed.function->written->children.size(), 2u);
  EXPECT_EQ(placed.function->written->children[0]->expr->text, "fill");
}

TEST(ClangBodies, ParametersThatChangeAreDeclaredInWhatTheAuthorWrote) {
  Placed placed("a += n; fill(a, n, f);", fill);
  ASSERT_FALSE(placed.staysCall());
  for (const StmtRef &body :
       {placed.function->body, placed.function->written}) {
    ASSERT_EQ(body->children[0]->kind, StmtKind::Decl);
    EXPECT_EQ(body->children[0]->var->name, "a_now");
  }
}

TEST(ClangBodies, OnlyThePlaceOfTheCallCanBeEdited) {
  Placed placed("fill(a, n, f);", fill);
  forEachExpr(placed.function->body, [](const ExprRef &expr) {
    EXPECT_FALSE(expr->range.isEditable()) << printExpr(expr);
    EXPECT_EQ(expr->range.line, 5u) << printExpr(expr);
  });
}

TEST(ClangBodies, AddressesOfVariablesAreTheVariables) {
  Placed placed("float s = 0, t[2]; split(a[n], &s, t); b[n] = s + t[0];",
                "void split(float x, float *whole, float *part) {\n"
                "  *whole = floor(x); part[0] = x - *whole;\n"
                "  whole[0] += 1; }\n");
  EXPECT_EQ(placed.body(), "{\n"
                           "  float s = 0;\n"
                           "  float t[2];\n"
                           "  float x = a[n];\n"
                           "  s = floor(x);\n"
                           "  t[0] = x - s;\n"
                           "  s += 1;\n"
                           "  b[n] = s + t[0];\n"
                           "}");
  EXPECT_FALSE(placed.variable("s")->addressTaken);
  EXPECT_TRUE(placed.variable("s")->addressWritten);
}

TEST(ClangBodies, MembersBehindAddressesAreMembers) {
  Placed placed("struct P q; q.x = 0; move(&q, a, n); b[n] = q.x;",
                "struct P { float x, y; };\n"
                "void move(struct P *p, __global float *from, int i) {\n"
                "  p->x += from[i]; (*p).y = 1; }\n");
  EXPECT_EQ(placed.body(), "{\n"
                           "  struct P q;\n"
                           "  q.x = 0;\n"
                           "  q.x += a[n];\n"
                           "  q.y = 1;\n"
                           "  b[n] = q.x;\n"
                           "}");
}

TEST(ClangBodies, ValuesAreWhatTheBodyReturns) {
  Placed placed("int i = get_global_id(0); b[i] = 2 * sum(a, i) + sum(b, n);",
                "float sum(__global const float *p, int m) {\n"
                "  float s = 0; for (int j = 0; j < m; j++) s += p[j];\n"
                "  return s; }\n");
  EXPECT_EQ(placed.body(), "{\n"
                           "  int i = get_global_id(0);\n"
                           "  float s = 0;\n"
                           "  for (int j = 0; j < i; j++)\n"
                           "    s += a[j];\n"
                           "  float s_1 = 0;\n"
                           "  for (int j_1 = 0; j_1 < n; j_1++)\n"
                           "    s_1 += b[j_1];\n"
                           "  b[i] = 2 * s + s_1;\n"
                           "}");
}

TEST(ClangBodies, EarlyReturnsBecomeChoices) {
  Placed placed("const int c = find(a, n); b[c] = f;",
                "int find(__global const float *p, int m) {\n"
                "  if (m < 0) return 0;\n"
                "  float x = p[m];\n"
                "  { if (x > 1) { m = 1; return m; } }\n"
                "  return (short)m; }\n");
  EXPECT_EQ(placed.body(), "{\n"
                           "  int m = n;\n"
                           "  int find_value;\n"
                           "  if (m < 0) {\n"
                           "    find_value = 0;\n"
                           "  } else {\n"
                           "    float x = a[m];\n"
                           "    {\n"
                           "      if (x > 1) {\n"
                           "        m = 1;\n"
                           "        find_value = m;\n"
                           "      } else {\n"
                           "        find_value = (short)m;\n"
                           "      }\n"
                           "    }\n"
                           "  }\n"
                           "  const int c = find_value;\n"
                           "  b[c] = f;\n"
                           "}");
}

TEST(ClangBodies, ConversionsOfArgumentsAndValuesStay) {
  Placed placed("b[n] = narrow(a, f);",
                "uchar narrow(__global float *p, int i) {\n"
                "  p[0] = i; return p[i]; }\n");
  EXPECT_EQ(placed.body(), "{\n"
                           "  a[0] = (int)f;\n"
                           "  b[n] = (uchar)a[(int)f];\n"
                           "}");
}

TEST(ClangBodies, ArgumentsThatMayChangeAreEvaluatedOnce) {
  Placed placed("int i = n; put(a, i, &i); i++;",
                "void put(__global float *p, int at, int *next) {\n"
                "  *next = at + 1; p[at] = 1; }\n");
  EXPECT_EQ(placed.body(), "{\n"
                           "  int i = n;\n"
                           "  int at = i;\n"
                           "  i = at + 1;\n"
                           "  a[at] = 1;\n"
                           "  i++;\n"
                           "}");
}

TEST(ClangBodies, BodiesWithinBodies) {
  Placed placed("twice(a, n);", std::string(fill) +
                                    "void twice(__global float *q, int c) {\n"
                                    "  fill(q, c, 0); fill(q + c, c, 1); }\n");
  EXPECT_EQ(placed.body(), "{\n"
                           "  for (int i = 0; i < n; i++)\n"
                           "    a[i] = (float)0;\n"
                           "  __global float *p = a + n;\n"
                           "  for (int i_1 = 0; i_1 < n; i_1++)\n"
                           "    p[i_1] = (float)1;\n"
                           "}");
}

TEST(ClangBodies, BarriersAreSeen) {
  Placed placed("if (n > 0) l[0] = shared(l, f);",
                "float shared(__local float *t, float x) {\n"
                "  t[get_local_id(0)] = x; barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  return t[1]; }\n");
  EXPECT_EQ(placed.body(), "{\n"
                           "  if (n > 0) {\n"
                           "    l[get_local_id(0)] = f;\n"
                           "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "    l[0] = l[1];\n"
                           "  }\n"
                           "}");
}

TEST(ClangBodies, WhatNeedsVariablesToBeAnExpressionGetsThem) {
  Placed placed("a[0] = square(b[n]);",
                "float square(float x) { return x * x; }");
  EXPECT_EQ(placed.body(), "{\n"
                           "  float x = b[n];\n"
                           "  a[0] = x * x;\n"
                           "}");
}

// Compilers may round `a * b + c` once, but not where the author has a call
// between the two.
TEST(ClangBodies, CallsKeepProductsFromSums) {
  const char *const helpers =
      "float sum(float x, float y) { return x + y; }\n"
      "float product(float x, float y) { return x * y; }\n"
      "float cell(__global float *p, int i, float y) { return p[i] * y; }\n";
  Placed taken("f = sum(f, f * b[n]); a[0] = sum(f, n);", helpers);
  EXPECT_EQ(taken.body(), "{\n"
                          "  float f_now = f;\n"
                          "  float x = f_now;\n"
                          "  float y = f_now * b[n];\n"
                          "  f_now = x + y;\n"
                          "  a[0] = f_now + (float)n;\n"
                          "}");
  Placed returned("a[0] = f + -product(f, 2); a[1] = product(f, 3); "
                  "a[2] += cell(b, n, f); a[3] = cell(b, n, f);",
                  helpers);
  EXPECT_EQ(returned.body(), "{\n"
                             "  float product_value;\n"
                             "  product_value = f * (float)2;\n"
                             "  a[0] = f + -product_value;\n"
                             "  a[1] = f * (float)3;\n"
                             "  float cell_value;\n"
                             "  cell_value = b[n] * f;\n"
                             "  a[2] += cell_value;\n"
                             "  a[3] = b[n] * f;\n"
                             "}");
  Placed free("a[0] += product(f, 2);", helpers, {"-cl-mad-enable"});
  EXPECT_EQ(free.body(), "{\n  a[0] += f * (float)2;\n}");
}

TEST(ClangBodies, WhatHidesNothingStaysACall) {
  EXPECT_TRUE(Placed("b[n] = power(f, n);",
                     "float power(float x, int m) { float y = 1;\n"
                     "  for (int i = 0; i < m; i++) y *= x; return y; }\n")
                  .staysCall());
}

TEST(ClangBodies, WhatCannotStandElsewhereStaysACall) {
  const std::string head = "float g(__global float *p, int m) { ";
  for (const char *body :
       {"for (int i = 0; i < m; i++) if (p[i] > 0) return i; return m; }",
        "switch (m) { case 1: p[0] = 1; case 2: p[1] = 1; } return p[m]; }",
        "if (p[0] > 0) { if (m > 1) return 0; p[1] = 0; } p[2] = 1; "
        "return 1; }",
        "volatile float x = p[m]; p[0] = x; return x; }",
        "struct Q { int x; } q; q.x = m; p[q.x] = 1; return 1; }",
        "if (m > 0) return g(p, m - 1); p[0] = 1; return 1; }"})
    EXPECT_TRUE(Placed("a[1] = g(b, n);", head + body).staysCall()) << body;
}

TEST(ClangBodies, PlacesWhereACallMayNotRunStay) {
  const std::string helper =
      "float g(__global float *p, int m) { p[m] += 1; return p[0]; }\n";
  for (const char *statement :
       {"b[0] = n > 1 ? g(a, n) : f;", "if (n > 1 && g(a, n) > 0) b[0] = 0;",
        "for (int i = 0; i < g(a, n); i++) b[i] = 0;",
        "b[0] = g(a, 0) + g(a, 1);", "b[0] = a[0] + g(a, 1);",
        "b[0] = g(a, n = n + 1);"})
    EXPECT_TRUE(Placed(statement, helper).staysCall()) << statement;
  for (const char *statement :
       {"b[0] = g(a, 0);", "b[n] += g(a, 0);", "if (g(a, 0) > f) b[0] = 1;",
        "float x = f * g(a, 0); b[0] = x;", "g(a, 0);"})
    EXPECT_FALSE(Placed(statement, helper).staysCall()) << statement;
}

TEST(ClangBodies, NamesThatMeanSomethingElseKeepTheCall) {
  const std::string helper =
      "__constant float scale = 2;\n"
      "void put(__global float *p, int m) { p[m] = scale; p[0] = 1; }\n";
  EXPECT_FALSE(Placed("put(a, n);", helper).staysCall());
  EXPECT_TRUE(
      Placed("float scale = f; put(a, n); b[0] = scale;", helper).staysCall());
}

TEST(ClangBodies, GenericPointersPointWhereTheArgumentDoes) {
  Placed placed("put(a + n, 1); put(l, 2);",
                "void put(float *p, int m) { p[m] = 1; p[0] = 2; }\n",
                {"-cl-std=CL2.0"});
  ASSERT_TRUE(placed.variable("p"));
  EXPECT_EQ(placed.variable("p")->type.space, AddressSpace::Global);
}

TEST(ClangBodies, CallsWithoutAValue) {
  const std::string helper =
      "void g(__global float *p, int m) { p[m] = 1; p[0] = 2; }\n"
      "void h(__global float *p, int m) { if (m > 1) return; g(p, m); }\n";
  EXPECT_TRUE(Placed("(void)g(a, n);", helper).staysCall());
  EXPECT_EQ(Placed("h(a, n);", helper).body(), "{\n"
                                               "  if (!(n > 1)) {\n"
                                               "    a[n] = 1;\n"
                                               "    a[0] = 2;\n"
                                               "  }\n"
                                               "}");
}

TEST(ClangBodies, ManyCallsStaySmall) {
  std::string chain = fill;
  for (int i = 0; i < 40; i++)
    chain += "void f" + std::to_string(i) + "(__global float *p) { " +
             (i ? "f" + std::to_string(i - 1) + "(p); f" +
                      std::to_string(i - 1) + "(p + 1);"
                : std::string("fill(p, 3, 0); p[7] = 1;")) +
             " }\n";
  EXPECT_LT(Placed("f39(a);", chain).body().size(), 100000u);
}
