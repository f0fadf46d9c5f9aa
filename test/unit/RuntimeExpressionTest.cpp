//===- RuntimeExpressionTest.cpp - tests of Runtime/Expression ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Expression.h"

#include <gtest/gtest.h>

#include <random>

using namespace clopt::runtime;

namespace {

std::int64_t evaluate(const std::string &text, const Bindings &bindings = {}) {
  return Expression::parse(text).evaluate(bindings);
}

/// The message and the offset of what is wrong with `text`.
std::string errorOf(const std::string &text, const Bindings &bindings = {}) {
  try {
    evaluate(text, bindings);
  } catch (const ExpressionError &error) {
    return std::to_string(error.offset) + ": " + error.what();
  }
  return "no error";
}

TEST(RuntimeExpression, precedenceAndAssociation) {
  EXPECT_EQ(evaluate("2+3*4"), 14);
  EXPECT_EQ(evaluate("(2+3)*4"), 20);
  EXPECT_EQ(evaluate("20-5-3"), 12);
  EXPECT_EQ(evaluate("100/5/2"), 10);
  EXPECT_EQ(evaluate("2*3**2"), 18);
  EXPECT_EQ(evaluate("-2**2"), -4);
  EXPECT_EQ(evaluate("--3"), 3);
  EXPECT_EQ(evaluate(" 7 % 4 "), 3);
}

TEST(RuntimeExpression, divisionRoundsDown) {
  EXPECT_EQ(evaluate("7//2"), 3);
  EXPECT_EQ(evaluate("-7/2"), -4);
  EXPECT_EQ(evaluate("-7%2"), 1);
  EXPECT_EQ(evaluate("7%-2"), -1);
  EXPECT_EQ(evaluate("5 % -1"), 0);
}

TEST(RuntimeExpression, functions) {
  EXPECT_EQ(evaluate("min(4, 2, 3)"), 2);
  EXPECT_EQ(evaluate("max(4, 2, 3)"), 4);
  EXPECT_EQ(evaluate("ceildiv(9, 4)"), 3);
  EXPECT_EQ(evaluate("ceildiv(8, 4)"), 2);
  EXPECT_EQ(evaluate("roundup(65, 64)"), 128);
  EXPECT_EQ(evaluate("gcd(84, 64)"), 4);
  EXPECT_EQ(evaluate("abs(3 - 5)"), 2);
}

TEST(RuntimeExpression, namesAndLists) {
  const Bindings bindings{{"n", 7}, {"ProblemSize[1]", 40}};
  EXPECT_EQ(evaluate("n*n + 11", bindings), 60);
  EXPECT_EQ(evaluate("ProblemSize[3-2] // n", bindings), 5);
  EXPECT_EQ(Expression::parse("max(a, b[0]) + a").names(),
            (std::set<std::string>{"a", "b"}));
}

TEST(RuntimeExpression, syntaxErrorsPointAtTheByte) {
  EXPECT_EQ(errorOf(""), "0: expected a number, a name or '('");
  EXPECT_EQ(errorOf("2+"), "2: expected a number, a name or '('");
  EXPECT_EQ(errorOf("(2"), "2: expected ')'");
  EXPECT_EQ(errorOf("2 3"), "2: expected an operator");
  EXPECT_EQ(errorOf("sqrt(2)"),
            "0: unknown function 'sqrt' (there are min, max, abs, "
            "ceildiv, roundup and gcd)");
  EXPECT_EQ(errorOf("1+gcd(2)"), "2: 'gcd' takes 2 arguments");
  EXPECT_EQ(errorOf("99999999999999999999"), "0: number does not fit 64 bits");
}

TEST(RuntimeExpression, valuesThatDoNotExist) {
  EXPECT_EQ(errorOf("2*m"), "2: unknown name 'm'");
  EXPECT_EQ(errorOf("1/(2-2)"), "1: division by zero");
  EXPECT_EQ(errorOf("n*n*n", {{"n", 1 << 30}}),
            "3: value does not fit 64 bits");
  EXPECT_EQ(errorOf("2**64"), "1: value does not fit 64 bits");
  EXPECT_EQ(errorOf("2**-1"), "1: negative exponent");
}

TEST(RuntimeExpression, powersOfOneEndSoon) {
  EXPECT_EQ(evaluate("1**4000000000000000000"), 1);
  EXPECT_EQ(evaluate("0**0"), 1);
  EXPECT_EQ(evaluate("(0-1)**4000000000000000001"), -1);
}

TEST(RuntimeExpression, deepNestingIsAnErrorNotACrash) {
  const std::string deep(100000, '(');
  EXPECT_NE(errorOf(deep).find("nested too deeply"), std::string::npos);
  const std::string minuses(100000, '-');
  EXPECT_NE(errorOf(minuses + "1").find("nested too deeply"),
            std::string::npos);
}

TEST(RuntimeExpression, noInputCrashes) {
  std::mt19937 random(7);
  const std::string alphabet = "01n+-*/%()[],x. ";
  unsigned good = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (unsigned length = random() % 10; length > 0; --length)
      text += alphabet[random() % alphabet.size()];
    good += errorOf(text, {{"n", 3}, {"x", 5}}) == "no error";
  }
  EXPECT_GT(good, 100u);
}

} // namespace
