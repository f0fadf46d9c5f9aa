//===- InductionsTest.cpp - variables that count along with a loop --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/Inductions.h"

#include "FormTesting.h"

using namespace clopt;

/// What the front end hands on of a kernel with these statements.
static std::string formOf(const std::string &statements) {
  return lastStatementOf(
      "__kernel void f(__global int *r, int n, int w, uint u) {\n"
      "  int s = 0, x = get_global_id(0);\n{ " +
      statements + " }\n}\n");
}

TEST(InductionsTest, CountersOfTheirOwn) {
  EXPECT_EQ(
      formOf("int p = x; for (int k = 0; k < n; k++) { s += r[p]; p += w; "
             "}"),
      "{ int p = x; for (int k = 0; k < n; k++) { s += r[p + k * w]; } }");
  // A counter that begins with 0 is the loop's.
  EXPECT_EQ(formOf("int c = 0; for (int k = 0; k < n; k++) s += r[c++];"),
            "{ int c = 0; for (int k = 0; k < n; k++) { s += r[k]; } }");
  // In the head of the loop, downwards, from another start.
  EXPECT_EQ(formOf("for (int k = n, p = x; k > 0; k--, p += 2) s += r[p];"),
            "{ for (int k = n, p = x; k > 0; k--) s += r[p + (n - k) * 2]; }");
  EXPECT_EQ(
      formOf("int p = x; for (int k = 1; k <= n; k++) s += r[p--];"),
      "{ int p = x; for (int k = 1; k <= n; k++) { s += r[p - (k - 1)]; } "
      "}");
}

// One that is set anew ahead of every run, and is for nothing else.
TEST(InductionsTest, CountersThatBeginAnew) {
  EXPECT_EQ(formOf("int c; for (int i = 0; i < w; i++) { c = 0; for (int k = "
                   "0; k < n; k++, c++) s += r[c]; }"),
            "{ int c; for (int i = 0; i < w; i++) { c = 0; for (int k = 0; k < "
            "n; k++) s += r[k]; } }");
  // Its last value is used, or it goes on.
  for (const std::string &kept :
       {"int c; for (int i = 0; i < w; i++) { c = 0; for (int k = 0; k < n; "
        "k++, c++) s += r[c]; } s += c;",
        "int c = 0; for (int i = 0; i < w; i++) { for (int k = 0; k < n; k++, "
        "c++) s += r[c]; }"})
    EXPECT_NE(formOf(kept).find("c++"), std::string::npos) << kept;
}

// Sums of pointers are as wide as addresses.
TEST(InductionsTest, Pointers) {
  EXPECT_EQ(
      formOf("__global int *p = r + x; for (int k = 0; k < n; k++) { s += "
             "*p + p[w]; p += w; }"),
      "{ __global int *p = r + x; for (int k = 0; k < n; k++) { s += "
      "p[(long)k * w] + p[(long)k * w + (long)w]; } }");
  EXPECT_EQ(
      formOf("__global int *p = r; for (int k = 0; k < n; k++) s += *p++;"),
      "{ __global int *p = r; for (int k = 0; k < n; k++) { s += p[k]; } "
      "}");
}

// What stands behind the update is one step further.
TEST(InductionsTest, BehindTheUpdate) {
  EXPECT_EQ(
      formOf("int p = x; for (int k = 0; k < n; k++) { s += r[p]; p += w; "
             "s -= r[p]; }"),
      "{ int p = x; for (int k = 0; k < n; k++) { s += r[p + k * w]; s -= "
      "r[p + (k + 1) * w]; } }");
  EXPECT_EQ(formOf("int p = x; for (int k = 0; k < n; k++) s += r[++p];"),
            "{ int p = x; for (int k = 0; k < n; k++) { s += r[p + (k + 1)]; } "
            "}");
}

// From the illegal side: variables that live on, move twice or perhaps, by what
// the loop changes, that the loop tests, or that are narrower than its counter;
// loops that do not count by one.
TEST(InductionsTest, WhatStaysAsItIs) {
  for (const char *statements :
       {"int p = x; for (int k = 0; k < n; k++) { s += r[p]; p += w; } s += p;",
        "int p = x; for (int k = 0; k < n; k++) { s += r[p]; p += w; p += 1; }",
        "int p = x; for (int k = 0; k < n; k++) { s += r[p]; if (s) p += w; }",
        "int p = x; for (int k = 0; k < n; k++) { if (s) continue; s += r[p]; "
        "p "
        "+= w; }",
        "int p = x; for (int k = 0; k < n; k++) { s += r[p]; p += k; }",
        "int p = x; for (int k = 0; k < n; k++) { s += r[p]; p += r[0]; }",
        "int p = x; for (int k = 0; k < p; k++) { s += r[p]; p += w; }",
        "int p = x; for (int k = 0; k < n; k += 2) { s += r[p]; p += w; }",
        "int p = x; for (long k = 0; k < n; k++) { s += r[p]; p += w; }",
        "short p = x; for (int k = 0; k < n; k++) { s += r[p]; p += 3; }",
        "int p = x; int *q = &p; for (int k = 0; k < n; k++) { s += "
        "r[p] + *q; p += w; }",
        "for (int k = 0; k < n; k++) { s += r[x]; x += w; }",
        "int m = n; int p = x; int k = m; m = 5; for (; k > 0; k--) { s += "
        "r[p]; p += "
        "w; "
        "}"})
    EXPECT_EQ(formOf(statements), "{ " + std::string(statements) + " }");
}
