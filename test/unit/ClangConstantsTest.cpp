//===- ClangConstantsTest.cpp - values at file scope, fields of structs ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangParser.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

/// "offset:value" for each scalar of the first variable, "?" for not known.
std::string constantOf(const std::string &source) {
  ParseResult parsed =
      parseOpenCL("test.cl", source + "\n__kernel void k() {}\n", {});
  EXPECT_TRUE(parsed.unit) << source;
  if (!parsed.unit || parsed.unit->fileScopeVariables.empty())
    return "not parsed";
  const Variable &variable = *parsed.unit->fileScopeVariables.front();
  if (!variable.constant)
    return "?";
  std::string result;
  for (const ConstantScalar &scalar : *variable.constant) {
    bool isFloat = scalar.kind >= ScalarKind::Half;
    result += (result.empty() ? "" : " ") + std::to_string(scalar.offset) +
              ":" +
              (isFloat ? std::to_string(scalar.number).substr(0, 4)
                       : std::to_string(scalar.integer));
  }
  return result;
}

TEST(ClangConstantsTest, ArraysAndVectorsAreTakenApart) {
  EXPECT_EQ(constantOf("__constant int a = 3 * 4;"), "0:12");
  EXPECT_EQ(constantOf("__constant float a[4] = {0.5f, 2};"), "0:0.50 4:2.00");
  EXPECT_EQ(constantOf("__constant short2 a[2] = {(short2)(1, -2), 3};"),
            "0:1 2:-2 4:3 6:3");
  EXPECT_EQ(constantOf("__constant int a[2][2] = {{1}, {2, 3}};"),
            "0:1 8:2 12:3");
}

TEST(ClangConstantsTest, WhatIsAboveTheSignedOnesWraps) {
  EXPECT_EQ(constantOf("__constant ulong a[2] = {0xfffffffffffffffeUL, 1};"),
            "0:-2 8:1");
  EXPECT_EQ(constantOf("__constant uint a = 0xfffffffe;"), "0:4294967294");
}

TEST(ClangConstantsTest, StructsAreTakenApart) {
  EXPECT_EQ(constantOf("typedef struct { char c; double d[2]; } S;\n"
                       "__constant S a = {7, {1, 2.5}};"),
            "0:7 8:1.00 16:2.50");
}

TEST(ClangConstantsTest, WhatIsNoNumberIsNotKnown) {
  EXPECT_EQ(constantOf("__constant int b[2] = {1, 2};"), "0:1 4:2");
  EXPECT_EQ(constantOf("__constant char *__constant a = \"text\";"), "?");
}

TEST(ClangConstantsTest, FieldsHaveTheirOffsets) {
  ParseResult parsed =
      parseOpenCL("test.cl",
                  "typedef struct T { char c; struct { int u; float2 v; };\n"
                  "                   __global struct T *next; } T;\n"
                  "__kernel void k(__global T *t) { t->c = 1; }\n",
                  {});
  ASSERT_TRUE(parsed.unit);
  const auto &params = parsed.unit->functions.front()->params;
  const auto &fields = params[0]->type.element->fields;
  ASSERT_TRUE(fields);
  std::string text;
  for (const Field &field : *fields)
    text += field.name + " " + std::to_string(field.offset) + ", ";
  EXPECT_EQ(text, "c 0, u 8, v 16, next 24, ");
  // What a pointer in a struct leads to is not followed.
  EXPECT_FALSE(fields->back().type.element->fields);
}

} // namespace
