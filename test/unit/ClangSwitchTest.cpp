//===- ClangSwitchTest.cpp - switch statements and helpers that choose ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangParser.h"
#include "Model/ExprPrinter.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

std::unique_ptr<TranslationUnit> parse(const std::string &body,
                                       const std::string &before = "") {
  ParseResult result = parseOpenCL(
      "test.cl",
      before + "__kernel void k(__global float *a, int n, uchar c) {" + body +
          "}",
      {});
  EXPECT_TRUE(result.unit);
  return std::move(result.unit);
}

unsigned count(const TranslationUnit &unit, StmtKind kind) {
  unsigned found = 0;
  forEachStmt(unit.functions.back()->body, [&](const StmtRef &stmt) {
    found += stmt && stmt->kind == kind;
  });
  return found;
}

unsigned calls(const TranslationUnit &unit) {
  unsigned found = 0;
  forEachExpr(unit.functions.back()->body, [&](const ExprRef &expr) {
    found += expr->kind == ExprKind::Call;
  });
  return found;
}

} // namespace

TEST(ClangSwitchTest, GroupsThatEndInBreakAreChoices) {
  auto unit = parse("switch (n) { case 1: a[0] = 1; break;"
                    " case 2: case 5: { a[1] = 2; break; }"
                    " default: a[2] = 3; }");
  EXPECT_EQ(count(*unit, StmtKind::Switch), 0u);
  EXPECT_EQ(count(*unit, StmtKind::If), 2u);
  EXPECT_EQ(count(*unit, StmtKind::Break), 0u);
}

TEST(ClangSwitchTest, TheDefaultMayStandAnywhere) {
  auto unit = parse("switch (c & 3) { default: a[2] = 3; break;"
                    " case 1: a[0] = 1; }");
  EXPECT_EQ(count(*unit, StmtKind::Switch), 0u);
  EXPECT_EQ(count(*unit, StmtKind::If), 1u);
}

TEST(ClangSwitchTest, LabelsMayBeAboveTheSignedOnes) {
  auto unit = parse("switch ((ulong)n) { case 0xfffffffffffffffeUL: a[0] = 1;"
                    " break; default: a[2] = 3; }");
  EXPECT_EQ(count(*unit, StmtKind::Switch), 0u);
  bool isFound = false;
  forEachExpr(unit->functions.back()->body, [&](const ExprRef &expr) {
    isFound |= expr->kind == ExprKind::IntLiteral && expr->intValue == -2;
  });
  EXPECT_TRUE(isFound);
}

TEST(ClangSwitchTest, OtherSwitchesStayAsTheyAre) {
  for (const char *body :
       {"switch (n) { case 1: a[0] = 1; case 2: a[1] = 2; }",
        "switch (n) { case 1: if (c) break; a[0] = 1; break; case 2:; }",
        "switch (n) { case 1 ... 3: a[0] = 1; break; }",
        "switch (n) { case 1:; int t = 2; a[0] = t; break; case 2: t = 1; }",
        "switch (n) { case 0: for (;;) { case 1: a[0] = 1; } break; }"}) {
    auto unit = parse(body);
    EXPECT_EQ(count(*unit, StmtKind::Switch), 1u) << body;
  }
}

TEST(ClangSwitchTest, BreaksOfLoopsBelongToLoops) {
  auto unit = parse("switch (n) { case 1: for (int i = 0; i < 3; i++) {"
                    " if (a[i]) break; a[i] = 1; } break; case 2: a[1] = 2; }");
  EXPECT_EQ(count(*unit, StmtKind::Switch), 0u);
  EXPECT_EQ(count(*unit, StmtKind::Break), 1u);
}

TEST(ClangSwitchTest, HelpersThatChooseAreExpressions) {
  auto unit = parse("a[at(get_global_id(0), n)] = 1;",
                    "int at(int x, int n) { if (x < 0) return 0;"
                    " if (x >= n) return n - 1; else return x; }");
  EXPECT_EQ(calls(*unit), 0u);
}

TEST(ClangSwitchTest, HelpersThatDoMoreAreCalled) {
  auto unit = parse("a[at(get_global_id(0), n)] = 1;",
                    "int at(int x, int n) { if (x < 0) return 0;"
                    " x = x * 2; return x; }");
  EXPECT_EQ(calls(*unit), 1u);
}

TEST(ClangSwitchTest, HelpersThatClampAreExpressions) {
  auto unit = parse("a[1] = at(a, get_global_id(0), n);",
                    "float at(__global float *p, int x, int n) {"
                    " if (x < 0) x = 0; else if (x >= n) x = n - 1;"
                    " return p[x]; }");
  EXPECT_EQ(calls(*unit), 0u);
  auto narrow = parse("a[max(at(c), (uchar)3)] = 1;",
                      "uchar at(uchar x) { if (x > 9) return 9; return x; }");
  EXPECT_EQ(calls(*narrow), 2u);
}
