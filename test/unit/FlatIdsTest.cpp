//===- FlatIdsTest.cpp - ids that are several in one ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/FlatIds.h"

#include "Model/ExprPrinter.h"
#include "ModelTesting.h"

#include <llvm/ADT/StringExtras.h>

using namespace clopt;

namespace {

/// A kernel before and after.
struct Split {
  ParseResult parsed;
  Function *kernel = nullptr;
  bool isSplit = false;

  explicit Split(const std::string &body,
                 const std::string &parameters = "int n, int w, int h") {
    parsed = parseOpenCL("test.cl",
                         "__kernel void f(__global float *a, __global float "
                         "*b, " +
                             parameters + ") {" + body + "}",
                         {});
    if (!parsed.unit)
      return;
    kernel = parsed.unit->functions.front().get();
    isSplit = splitFlatIds(*kernel);
  }

  std::string body() const {
    std::string text;
    for (const std::string &line : printStmt(kernel->body))
      text += line + "\n";
    return text;
  }
  bool has(const std::string &text) const {
    return body().find(text) != std::string::npos;
  }
  std::string extents() const {
    std::vector<std::string> texts;
    for (const ExprRef &extent : kernel->flat->extents)
      texts.push_back(printExpr(extent));
    return llvm::join(texts, ", ");
  }
  std::string conditions() const {
    std::vector<std::string> texts;
    for (const ExprRef &condition : kernel->flat->conditions)
      texts.push_back(printExpr(condition));
    return llvm::join(texts, " && ");
  }
};

} // namespace

TEST(FlatIdsTest, RemaindersAndQuotientsAreIds) {
  Split split("int i = get_global_id(0); if (i >= w * h) return;"
              "int y = i / w, x = i % w; a[i] = b[y * (w + 2) + x];");
  ASSERT_TRUE(split.isSplit);
  EXPECT_TRUE(split.has("int y = (int)get_global_id(1)")) << split.body();
  EXPECT_TRUE(split.has("x = (int)get_global_id(0)")) << split.body();
  EXPECT_TRUE(split.has("if ((int)get_global_id(1) >= h)")) << split.body();
  EXPECT_EQ(split.extents(), "(size_t)w, (size_t)(long)h");
  EXPECT_EQ(split.conditions(),
            "w > 0 && get_global_size(0) < 2147483648 && (long)h > 0 && "
            "(long)w * (long)h <= (long)get_global_size(0)");
}

TEST(FlatIdsTest, TheAuthorsBodyStays) {
  Split split("int i = get_global_id(0); a[i] = b[i % w];");
  ASSERT_TRUE(split.isSplit);
  std::string written;
  for (const std::string &line : printStmt(split.kernel->asWritten()))
    written += line;
  EXPECT_NE(written.find("b[i % w]"), std::string::npos);
}

TEST(FlatIdsTest, WithoutABoundAllWorkItemsMakeWholeRows) {
  Split split("int i = get_global_id(0); a[i] = b[i / w + i % w];");
  ASSERT_TRUE(split.isSplit);
  EXPECT_EQ(split.extents(), "(size_t)w, get_global_size(0) / (size_t)w");
  EXPECT_NE(split.conditions().find("get_global_size(0) % (size_t)w == 0"),
            std::string::npos);
}

TEST(FlatIdsTest, ABoundHasToBeAMultipleOfRows) {
  Split split("int i = get_global_id(0); if (i < n) a[i] = b[i / w + i % w];");
  ASSERT_TRUE(split.isSplit);
  EXPECT_TRUE(split.has("if ((int)get_global_id(1) < n / w)")) << split.body();
  EXPECT_NE(split.conditions().find("(long)n % (long)w == 0"),
            std::string::npos);
}

TEST(FlatIdsTest, FindsThreeDigitsInAnyOrder) {
  for (const char *body :
       {"int x = i % w, y = i / w % h, z = i / w / h;",
        "int z = i / (w * h), y = i / w % h, x = i % w;",
        "int z = i / (w * h), r = i % (w * h), y = r / w, x = r % w;",
        "int r = i; int x = r % w; r /= w; int y = r % h; int z = r / h;",
        "int z = i / (h * w), y = (i - z * (w * h)) / w, x = i - (z * h + y) * "
        "w;"}) {
    Split split("int i = get_global_id(0);" + std::string(body) +
                "a[i] = b[z + 2 * y + 3 * x];");
    ASSERT_TRUE(split.isSplit) << body;
    const std::string expected = "(size_t)w, (size_t)h, get_global_size(0) / (";
    EXPECT_EQ(split.extents().substr(0, expected.size()), expected) << body;
    EXPECT_TRUE(split.has("z = (int)get_global_id(2)")) << split.body();
    EXPECT_TRUE(split.has("y = (int)get_global_id(1)")) << split.body();
    EXPECT_TRUE(split.has("x = (int)get_global_id(0)")) << split.body();
  }
}

TEST(FlatIdsTest, FollowsNoValuesThatLoopsOrBranchesSet) {
  EXPECT_FALSE(Split("int i = get_global_id(0); for (int k = 0; k < n; k++)"
                     "  i += k; a[i] = b[i % w];")
                   .isSplit);
  EXPECT_FALSE(Split("int i = get_global_id(0); if (n > 3) i = i + 1;"
                     "a[i] = b[i % w];")
                   .isSplit);
  EXPECT_FALSE(Split("int i = get_global_id(0);"
                     "while (w < n) w += w; a[i] = b[i % w];")
                   .isSplit);
  EXPECT_FALSE(Split("char i = get_global_id(0); a[i] = b[i % w];").isSplit);
}

TEST(FlatIdsTest, FollowsNoValuesThatPointersSet) {
  EXPECT_FALSE(Split("int i; int *p = &i; i = get_global_id(0); *p += n;"
                     "a[i] = b[i % w];")
                   .isSplit);
}

TEST(FlatIdsTest, NumbersThatCouldWrapAreAskedFor) {
  Split split("int i = get_global_id(0); a[i] = b[i / (w * h) + i % w];"
              "if (i < n * w * h) b[i] = 1;");
  ASSERT_TRUE(split.isSplit);
  for (const char *condition :
       {"(long)w * (long)h < 2147483648", "(long)w * (long)h * (long)n >= 0",
        "(long)w * (long)h * (long)n < 2147483648"})
    EXPECT_NE(split.conditions().find(condition), std::string::npos)
        << condition << " in " << split.conditions();
}

/// A condition that cannot be written would be missing in the guard.
TEST(FlatIdsTest, WhatTheModelDoesNotKnowHasNoDimensions) {
  Split split("int i = get_global_id(0); a[i] = b[i % (w | 1)];");
  ASSERT_TRUE(split.isSplit);
  const auto model = buildModel(*split.parsed.unit, *split.kernel, {});
  EXPECT_TRUE(model->isUntouchable);
  EXPECT_FALSE(model->ndrange.isFlat());
  joinFlatIds(*split.kernel);
  EXPECT_FALSE(
      buildModel(*split.parsed.unit, *split.kernel, {})->isUntouchable);
}

TEST(FlatIdsTest, LeavesWhatSeesTheLaunch) {
  EXPECT_FALSE(
      Split("int i = get_global_id(0); a[i] = b[i % w + get_local_id(0)];")
          .isSplit);
  EXPECT_FALSE(
      Split("int i = get_global_id(0); a[i] = b[i % w + get_global_size(0)];")
          .isSplit);
  EXPECT_FALSE(Split("int i = get_global_id(0); __local float t[4];"
                     "barrier(CLK_LOCAL_MEM_FENCE); a[i] = b[i % w];")
                   .isSplit);
  EXPECT_FALSE(Split("int i = get_global_id(1); a[i] = b[i % w];").isSplit);
  // Numbers are digits that isl knows.
  EXPECT_FALSE(Split("int i = get_global_id(0); a[i] = b[i % 16];").isSplit);
}

TEST(FlatIdsTest, AnEffectBeforeTheBoundKeepsAllWorkItems) {
  Split split("int i = get_global_id(0); b[i] = 1; if (i >= w * h) return;"
              "a[i] = b[i % w];");
  ASSERT_TRUE(split.isSplit);
  EXPECT_EQ(split.extents(), "(size_t)w, get_global_size(0) / (size_t)w");
}

TEST(FlatIdsTest, ComponentsOfArguments) {
  const Split split("int i = get_global_id(0), w = d.x;\n"
                    "int x = i % w, y = i / w; if (y >= d.y) return;\n"
                    "a[y * w + x] = b[x * d.y + y];",
                    "int2 d");
  ASSERT_TRUE(split.isSplit);
  EXPECT_NE(split.extents().find("d.x"), std::string::npos) << split.extents();
}
