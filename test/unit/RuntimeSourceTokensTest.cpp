//===- RuntimeSourceTokensTest.cpp - the words of a kernel file -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/SourceTokens.h"

#include <gtest/gtest.h>

namespace clopt::runtime {

namespace {

std::string shown(const std::string &source) {
  const char letters[] = "wsqcd";
  std::string text;
  for (const SourceToken &token : tokenize(source)) {
    EXPECT_EQ(source.substr(token.begin, token.text.size()), token.text);
    text += std::string(text.empty() ? "" : " ") +
            letters[static_cast<int>(token.kind)] + ":" +
            std::string(token.text);
  }
  return text;
}

TEST(RuntimeSourceTokensTest, WordsAndSigns) {
  EXPECT_EQ(shown("a[i]+=1.5f;"), "w:a s:[ w:i s:] s:+ s:= w:1 s:. w:5f s:;");
  EXPECT_EQ(shown(""), "");
  EXPECT_EQ(shown(" \n\t"), "");
}

TEST(RuntimeSourceTokensTest, CommentsAndStrings) {
  EXPECT_EQ(shown("a // b { \"\nc"), "w:a c:// b { \" w:c");
  EXPECT_EQ(shown("a /* } \n ' */b"), "w:a c:/* } \n ' */ w:b");
  EXPECT_EQ(shown("\"a // \\\" b\" c"), "q:\"a // \\\" b\" w:c");
  EXPECT_EQ(shown("'\\'' '{'"), "q:'\\'' q:'{'");
  EXPECT_EQ(shown("// a \\\nb\nc"), "c:// a \\\nb w:c");
  // What never ends, ends with the text.
  EXPECT_EQ(shown("/* a"), "c:/* a");
  EXPECT_EQ(shown("\"a\\"), "q:\"a\\");
}

TEST(RuntimeSourceTokensTest, Directives) {
  EXPECT_EQ(shown("#define A { \\\n }\nb"), "d:#define A { \\\n } w:b");
  EXPECT_EQ(shown("a # b"), "w:a s:# w:b");
  EXPECT_EQ(shown(" # if 1 /* x\n y */ z\nb"), "d:# if 1 /* x\n y */ z w:b");
  EXPECT_EQ(shown("/* c */ #if 1\nb"), "c:/* c */ d:#if 1 w:b");
}

TEST(RuntimeSourceTokensTest, AlignmentOfTheLargestVectorType) {
  EXPECT_EQ(expectedAlignment("float x = a[i];"), 1u);
  EXPECT_EQ(expectedAlignment("float4 x; char2 c; // double16"), 16u);
  EXPECT_EQ(expectedAlignment("float3 x;"), 16u);
  EXPECT_EQ(expectedAlignment("float vload16; float5 x; xfloat4 y;"), 1u);
  EXPECT_EQ(expectedAlignment("#define T double16\nT x;"), 128u);
}

TEST(RuntimeSourceTokensTest, AlignmentOfWhatCannotBeSeen) {
  EXPECT_EQ(expectedAlignment("#include \"types.h\"\n"), 128u);
  EXPECT_EQ(expectedAlignment("#define V(n) float##n\n"), 128u);
  const std::string attributes = "struct S { int a; } __attribute__((";
  EXPECT_EQ(expectedAlignment(attributes + "aligned(32)));"), 32u);
  EXPECT_EQ(expectedAlignment(attributes + "aligned(SIZE)));"), 128u);
  EXPECT_EQ(expectedAlignment(attributes + "aligned));"), 128u);
  EXPECT_EQ(expectedAlignment(attributes + "ext_vector_type(4)));"), 128u);
  EXPECT_EQ(expectedAlignment("__attribute__((reqd_work_group_size(8, 1, 1)))"),
            1u);
}

} // namespace

} // namespace clopt::runtime
