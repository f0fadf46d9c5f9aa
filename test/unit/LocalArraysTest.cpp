//===- LocalArraysTest.cpp - moving the author's local arrays -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/body/LocalArrays.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

struct Hoisted {
  TestedKernel tested;
  LocalArrays arrays;
  explicit Hoisted(const std::string &body, const std::string &head = "")
      : tested(head + "__kernel void f(__global int *a) {" + body + "}\n"),
        arrays(hoistLocalArrays(tested.kernel)) {}
};

} // namespace

TEST(LocalArraysTest, ADeclarationMovesWithItsLine) {
  Hoisted moved("\n  int l = get_local_id(0);\n  __local int t[16]; \n"
                "  t[l] = l;\n");
  EXPECT_FALSE(moved.arrays.error);
  EXPECT_EQ(moved.arrays.declarations,
            std::vector<std::string>{"__local int t[16];"});
  EXPECT_EQ(moved.arrays.original, "  int l = get_local_id(0);\n  t[l] = l;\n");
  EXPECT_EQ(moved.arrays.whole, "  int l = get_local_id(0);\n"
                                "  __local int t[16]; \n  t[l] = l;\n");
}

TEST(LocalArraysTest, OtherStatementsOnTheLineStay) {
  Hoisted moved(" int l = 0; __local int t[4]; t[l] = 1; ");
  EXPECT_EQ(moved.arrays.original, "     int l = 0;  t[l] = 1; ");
}

TEST(LocalArraysTest, MacrosAndSeveralDeclaratorsKeepTheirSpelling) {
  Hoisted moved("\n  __local int t[N][N + 1], u[2 * N];\n"
                "  __local int count;\n  a[0] = 1;\n",
                "#define N 8\n");
  EXPECT_EQ(moved.arrays.declarations,
            (std::vector<std::string>{"__local int t[N][N + 1], u[2 * N];",
                                      "__local int count;"}));
  EXPECT_EQ(moved.arrays.original, "  a[0] = 1;\n");
}

TEST(LocalArraysTest, ExtentsThatAreSumsGetParentheses) {
  TestedKernel tested(
      "#define WIDE 1 ? 64 : 128\n#define EIGHT 8\n"
      "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))"
      " void f(__global int *a) {\n"
      "  __local int t[WIDE], u[8][EIGHT], v[8][(WIDE)];\n"
      "  int l = get_local_id(0);\n"
      "  t[l] = l; u[l / 8][l % 8] = l; v[l / 8][l % 8] = l;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  a[l] = t[l] + u[l % 8][l / 8] + v[l % 8][l / 8];\n}\n");
  ASSERT_EQ(tested.apply("pad t:1 every=4\npad u:1\npad v:1").message, "");
  EXPECT_EQ(hoistLocalArrays(tested.kernel).declarations,
            std::vector<std::string>{
                "__local int t[(WIDE) + (WIDE) / 4], u[8][EIGHT + 1], "
                "v[8][(WIDE) + 1];"});
}

TEST(LocalArraysTest, NothingToMoveLeavesTheBodyAsItIs) {
  Hoisted moved("\n  a[0] = 1;\n");
  EXPECT_TRUE(moved.arrays.declarations.empty());
  EXPECT_EQ(moved.arrays.original, "  a[0] = 1;\n");
}

TEST(LocalArraysTest, WhatComesFromAMacroStays) {
  Hoisted moved("\n  TILE\n  a[0] = t[0];\n",
                "#define TILE __local int t[8];\n");
  ASSERT_TRUE(moved.arrays.error);
  EXPECT_EQ(moved.arrays.error->ruleId, "clopt-macro-body");
}

TEST(LocalArraysTest, WhatDependsOnFlagsStays) {
  for (const char *body :
       {"\n#ifndef BIG\n  __local int t[8];\n#else\n  __local int t[16];\n"
        "#endif\n  t[0] = 1;\n",
        "\n  __local int t[\n#ifdef BIG\n  16\n#else\n  8\n#endif\n  ];\n"
        "  t[0] = 1;\n"}) {
    Hoisted moved(body);
    ASSERT_TRUE(moved.arrays.error) << body;
    EXPECT_NE(moved.arrays.error->message.find("preprocessor"),
              std::string::npos);
  }
}

TEST(LocalArraysTest, ConditionsThatEndBeforeDoNotMatter) {
  Hoisted moved("\n#ifdef BIG\n  a[1] = 2;\n#endif\n  __local int t[8];\n"
                "  t[0] = 1;\n");
  EXPECT_FALSE(moved.arrays.error);
}

TEST(LocalArraysTest, APointerAmongThemStays) {
  Hoisted moved("\n  __local int t[8], *p;\n  p = t; *p = 1;\n");
  ASSERT_TRUE(moved.arrays.error);
  EXPECT_NE(moved.arrays.error->message.find("private"), std::string::npos);
}
