//===- LoopHeadsTest.cpp - loops that are tested ahead of their body ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/LoopHeads.h"

#include "EmissionTesting.h"
#include "FormTesting.h"
#include "Model/Control.h"

using namespace clopt;

/// The loop as the front end hands it on, in one line.
static std::string
formOf(const std::string &loop,
       const std::string &before = "int k = n; uint u = n;") {
  ParseResult parsed =
      parseOpenCL("test.cl",
                  "__kernel void f(__global int *r, int n) {\n" + before +
                      "\n" + loop + "\n}\n",
                  {});
  if (!parsed.unit)
    return "not parsed";
  StmtRef found;
  forEachStmt(parsed.unit->functions.back()->body, [&](const StmtRef &stmt) {
    if (isLoop(*stmt) && !found)
      found = stmt;
  });
  return lineOf(found);
}

TEST(LoopHeadsTest, UpdatesInTests) {
  EXPECT_EQ(formOf("while (k-- > 0) r[k] = 1;"),
            "for (k--; k >= 0; k--) r[k] = 1;");
  EXPECT_EQ(formOf("while (k--) r[k] = 1;"),
            "for (k--; k != -1; k--) r[k] = 1;");
  EXPECT_EQ(formOf("while (--k >= 0) r[k] = 1;"),
            "for (--k; k >= 0; --k) r[k] = 1;");
  EXPECT_EQ(formOf("for (int j = n; j-- > 0;) r[j] = 1;"),
            "for (int j = n - 1; j >= 0; j--) r[j] = 1;");
  EXPECT_EQ(formOf("for (k = 3; k++ < n; u++) r[k] = 1;"),
            "for (k = 3, k++; k - 1 < n; u++, k++) r[k] = 1;");
  EXPECT_EQ(formOf("do r[k] = 1; while (++k < n);"),
            "do { r[k] = 1; ++k; } while (k < n);");
}

// What was 0 is the greatest number behind it; the sum wraps as it did.
TEST(LoopHeadsTest, UnsignedNumbersWrap) {
  EXPECT_EQ(formOf("while (u--) r[u] = 1;"),
            "for (u--; u + 1U; u--) r[u] = 1;");
  EXPECT_EQ(formOf("while (u-- > 4) r[u] = 1;"),
            "for (u--; u + 1U > 4; u--) r[u] = 1;");
}

TEST(LoopHeadsTest, TestsWithinEndlessLoops) {
  EXPECT_EQ(formOf("for (;;) { if (k >= n) break; r[k] = 1; k++; }"),
            "for (; k < n; k++) { r[k] = 1; }");
  EXPECT_EQ(formOf("while (true) { r[k] = 1; if (++k == n) break; }"),
            "do { r[k] = 1; ++k; } while (k != n);");
  EXPECT_EQ(formOf("for (;; k++) { if (k & 8) { break; } r[k] = 1; }"),
            "for (; !(k & 8); k++) { r[k] = 1; }");
}

TEST(LoopHeadsTest, TestsAheadOfIterations) {
  EXPECT_EQ(formOf("for (int j = 0; j < n; j++) { if (j + k < 4) break; "
                   "r[j] = 1; }"),
            "for (int j = 0; j < n && j + k >= 4; j++) { r[j] = 1; }");
  EXPECT_EQ(formOf("for (k; k < n; k++) r[k] = 1;"),
            "for (; k < n; k++) r[k] = 1;");
  // Data, effects, other ways out, and tests behind the iteration.
  for (const char *loop :
       {"for (k = 0; k < n; k++) { if (r[k] > 4) break; r[k] = 1; }",
        "for (k = 0; k < n; k++) { if (u++ > 4) break; r[k] = 1; }",
        "for (k = 0; k < n; k++) { if (k > 4) break; if (k & u) break; "
        "r[k] = 1; }",
        "do { if (k > 4) break; r[k] = 1; } while (++k < n);",
        "for (k = 0; k < n; k++) { r[k] = 1; if (k > 4) break; }"})
    EXPECT_NE(formOf(loop).find("break;"), std::string::npos) << loop;
}

// From the illegal side: other ways out, effects whose order counts, names that
// mean something else there, numbers that wrap elsewhere.
TEST(LoopHeadsTest, WhatStaysAsItIs) {
  for (const char *loop :
       {"while (true) { r[k] = 1; if (r[k + 1]) break; if (++k == n) break; }",
        "for (;; u++) { r[k] = 1; if (++k == n) break; }",
        "while (true) { if (r[k]) continue; r[k] = 1; if (++k == n) break; }",
        "while (true) { int k = r[0]; r[k] = 1; if (k == n) break; }"})
    EXPECT_NE(formOf(loop).find("break;"), std::string::npos) << loop;
  EXPECT_EQ(formOf("while (k-- > k / 2) r[k] = 1;"),
            "while (k-- > k / 2) r[k] = 1;");
  EXPECT_EQ(formOf("while (k-- > 0 && r[k]) r[k] = 1;"),
            "while (k-- > 0 && r[k]) r[k] = 1;");
  EXPECT_EQ(formOf("for (int j = n, i = 0; j-- > 0;) r[i] = 1;"),
            "for (int j = n, i = 0; j-- > 0;) r[i] = 1;");
  EXPECT_EQ(formOf("for (int j = x; j-- > 0;) r[j] = 1;", "float x = n;"),
            "for (int j = x; j-- > 0;) r[j] = 1;");
  EXPECT_EQ(formOf("for (int j = (int)x; j-- > 0;) r[j] = 1;", "float x = n;"),
            "for (int j = (int)x - 1; j >= 0; j--) r[j] = 1;");
  EXPECT_EQ(formOf("for (long j = u; j-- > 0;) r[j] = 1;"),
            "for (long j = u; j-- > 0;) r[j] = 1;");
  EXPECT_EQ(formOf("while (s-- > 0) r[s] = 1;", "short s = n;"),
            "while (s-- > 0) r[s] = 1;");
  EXPECT_EQ(formOf("do { if (r[k]) continue; r[k] = 1; } while (++k < n);"),
            "do { if (r[k]) continue; r[k] = 1; } while (++k < n);");
  EXPECT_EQ(formOf("do { int k = 3; r[k] = 1; } while (++k < n);"),
            "do { int k = 3; r[k] = 1; } while (++k < n);");
}

static unsigned loopsOf(const std::string &source) {
  return TestedKernel(kernelOf(source)).model->loops.size();
}

TEST(LoopHeadsTest, TheyAreLoopsOfTheModel) {
  EXPECT_EQ(loopsOf("int k = n; while (k-- > 0) r[k] = 1;"), 1u);
  EXPECT_EQ(loopsOf("int k = 0; for (;;) { if (k == n) break; r[k++] = 1; }"),
            1u);
}

// `do` is a loop of the model for launches in which its body runs as often as
// that of `while`: where n is 1 or more.
TEST(LoopHeadsTest, DoLoopsAssumeTheirTest) {
  TestedKernel tested(kernelOf("int k = 0; do r[k] = 1; while (++k < n);"));
  ASSERT_EQ(tested.model->loops.size(), 1u);
  ASSERT_FALSE(tested.model->assumptions.empty());
  EXPECT_TRUE(tested.model->assumptions.front().condition.is_subset(
      isl::set(tested.model->context.get(), "[n] -> { : n >= 1 }")))
      << tested.model->assumptions.front().condition;
}
