//===- MentionedNamesTest.cpp - names that a text depends on --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/MentionedNames.h"

#include "gtest/gtest.h"

using namespace clopt;

static std::set<std::string> wordsOf(const std::string &text) {
  std::set<std::string> words;
  addWords(text, words);
  return words;
}

using Words = std::set<std::string>;

TEST(MentionedNames, WordsOfAText) {
  EXPECT_EQ(wordsOf("int x = a_1[i + 2] * (float4)(B);"),
            Words({"int", "x", "a_1", "i", "float4", "B"}));
  EXPECT_EQ(wordsOf(""), Words());
}

TEST(MentionedNames, MembersAreNone) {
  EXPECT_EQ(wordsOf("v.x + p->next . y + w"), Words({"v", "p", "w"}));
  // An operator less than an arrow is none.
  EXPECT_EQ(wordsOf("a - b"), Words({"a", "b"}));
}

TEST(MentionedNames, LiteralsAndCommentsAreNone) {
  EXPECT_EQ(wordsOf("1.5e3f + 0x1Fu + .5f + 3.x4 + z"), Words({"z"}));
  EXPECT_EQ(wordsOf("a /* b */ + \"c \\\" d\" + 'e' // f\n + g"),
            Words({"a", "g"}));
  EXPECT_EQ(wordsOf("a /* never ends"), Words({"a"}));
  EXPECT_EQ(wordsOf("\"never ends"), Words());
}

TEST(MentionedNames, VectorsAreConvertedByScalars) {
  Words words = {"convert_int4", "convert_char2_sat_rte", "convert_float",
                 "convert_", "int4"};
  addScalarConversions(words);
  EXPECT_EQ(words, Words({"convert_int4", "convert_int",
                          "convert_char2_sat_rte", "convert_char_sat_rte",
                          "convert_float", "convert_", "int4"}));
}

TEST(MentionedNames, OfAnExpression) {
  Variable own, other;
  own.name = "own";
  other.name = "other";
  auto reference = [](const Variable &variable) {
    auto expr = std::make_shared<Expr>();
    expr->kind = ExprKind::VarRef;
    expr->var = &variable;
    expr->type = Type::makeScalar(ScalarKind::Int);
    return expr;
  };
  auto sum = std::make_shared<Expr>();
  sum->kind = ExprKind::Binary;
  sum->op = Op::Add;
  sum->type = Type::makeScalar(ScalarKind::Int);
  sum->operands = {reference(own), reference(other)};
  auto cast = std::make_shared<Expr>();
  cast->kind = ExprKind::Cast;
  cast->type = Type::makeScalar(ScalarKind::Long);
  cast->type.spelling = "wide";
  cast->operands = {sum};
  EXPECT_EQ(mentionedNames(cast, {}), Words({"wide", "own", "other"}));
  EXPECT_EQ(mentionedNames(cast, {&own}), Words({"wide", "other"}));
}
