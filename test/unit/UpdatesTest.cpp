//===- UpdatesTest.cpp - updates within expressions -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/Updates.h"

#include "EmissionTesting.h"
#include "Model/ExprPrinter.h"

using namespace clopt;

static std::string inOneLine(const StmtRef &stmt) {
  std::string text;
  for (std::string line : printStmt(stmt)) {
    line.erase(0, line.find_first_not_of(' '));
    text += (text.empty() ? "" : " ") + line;
  }
  return text;
}

/// What the front end hands on of a kernel with these statements.
static std::string formOf(const std::string &statements) {
  ParseResult parsed = parseOpenCL(
      "test.cl",
      "int g(int x, int y) { for (int i = 0; i < 9; i++) x += y; return x; }\n"
      "__kernel void f(__global int *r, int n) {\n"
      "  int k = n, j = n, s = 0;\n"
      "  char b = 0; volatile int v = n; __local int t;\n{ " +
          statements + " }\n}\n",
      {});
  if (!parsed.unit)
    return "not parsed";
  const Function &function = *parsed.unit->functions.back();
  // What the author wrote is kept for the validator.
  EXPECT_EQ(inOneLine(function.asWritten()->children.back()),
            "{ " + statements + " }");
  return inOneLine(function.body->children.back());
}

TEST(UpdatesTest, AheadOrBehind) {
  EXPECT_EQ(formOf("s += r[k++];"), "{ s += r[k]; k++; }");
  EXPECT_EQ(formOf("s += r[--k];"), "{ k--; s += r[k]; }");
  EXPECT_EQ(formOf("r[k++] = r[j--] + 1;"), "{ r[k] = r[j] + 1; k++; j--; }");
  EXPECT_EQ(formOf("r[b++] = 1;"), "{ r[b] = 1; b++; }");
  EXPECT_EQ(formOf("int x = r[k++];"), "{ int x = r[k]; k++; }");
  EXPECT_EQ(formOf("int x = s = r[j];"), "{ s = r[j]; int x = s; }");
  EXPECT_EQ(formOf("k = j = s = 0;"), "{ s = 0; j = s; k = j; }");
  EXPECT_EQ(formOf("r[k += 2] = 1;"), "{ k += 2; r[k] = 1; }");
  EXPECT_EQ(formOf("r[0] = r[k++] ? s : n;"), "{ r[0] = r[k] ? s : n; k++; }");
  EXPECT_EQ(formOf("r[0] = g(k++, n);"), "{ r[0] = g(k, n); k++; }");
}

TEST(UpdatesTest, WithinOtherStatements) {
  EXPECT_EQ(formOf("if (s < n) r[k++] = s;"),
            "{ if (s < n) { r[k] = s; k++; } }");
  EXPECT_EQ(formOf("for (int i = 0; i < n; i++) s += r[k++] * i;"),
            "{ for (int i = 0; i < n; i++) { s += r[k] * i; k++; } }");
}

// What the loop counts with is found behind its body, too.
TEST(UpdatesTest, CountersOfLoops) {
  EXPECT_EQ(formOf("while (k < n) s += r[k++];"),
            "{ for (; k < n; k++) { s += r[k]; } }");
}

// From the illegal side: updates that need not happen, variables that others
// see, more than one use in a statement, other effects in the value.
TEST(UpdatesTest, WhatStaysAsItIs) {
  for (const char *statements :
       {"r[0] = s < n ? r[k++] : n;", "r[0] = s < n && r[k++];",
        "r[0] = s < n || r[k++] > 4;", "r[0] = (r[n] = s, k = r[1]);",
        "r[0] = r[k++] + k;", "k = k++ + 1;", "r[v++] = 1;", "r[t++] = 1;",
        "int *p = &s; r[s++] = *p;", "r[0] = k = r[1] = s;", "k++;",
        "if (r[k++] > s) s = 0;"})
    EXPECT_EQ(formOf(statements), "{ " + std::string(statements) + " }");
}
