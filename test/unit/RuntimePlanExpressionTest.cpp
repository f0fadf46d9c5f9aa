//===- RuntimePlanExpressionTest.cpp - expressions of launch plans --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/PlanExpression.h"

#include <gtest/gtest.h>

using namespace clopt;

static std::optional<PlanValue> valueOf(const std::string &text) {
  PlanEnvironment environment;
  environment.name = [](const std::string &name) -> std::optional<PlanValue> {
    if (name == "n")
      return PlanValue::ofInt(1000);
    if (name == "minus")
      return PlanValue::ofInt(-7);
    if (name == "A")
      return PlanValue::ofAddress(uint64_t(1) << 44, 4);
    if (name == "buffer_bytes A")
      return PlanValue::ofULong(4096);
    return std::nullopt;
  };
  environment.query = [](const std::string &name,
                         uint64_t dim) -> std::optional<PlanValue> {
    if (name == "get_global_size")
      return PlanValue::ofULong(dim == 0 ? 100 : 1);
    return std::nullopt;
  };
  return PlanExpression::parse(text).evaluate(environment);
}

static int64_t number(const std::string &text) {
  std::optional<PlanValue> value = valueOf(text);
  EXPECT_TRUE(value) << text;
  return value ? value->asSigned() : -99999;
}

TEST(RuntimePlanExpressionTest, HasTheArithmeticOfC) {
  EXPECT_EQ(number("1 + 2 * 3 - 4 / 2"), 5);
  EXPECT_EQ(number("minus / 2"), -3);
  EXPECT_EQ(number("minus % 2"), -1);
  EXPECT_EQ(number("(n - 1) % 16 <= 14 && n > 0"), 1);
  EXPECT_EQ(number("1 << 4 | 3 & 6 ^ 1"), 16 | ((3 & 6) ^ 1));
  EXPECT_EQ(number("n < 5 ? 1 : minus"), -7);
  EXPECT_EQ(number("-n + +n == 0 && !0 && ~0 == -1"), 1);
  EXPECT_EQ(number("0x10 + 3ul + 2u"), 21);
  EXPECT_EQ(number("min(n, minus) + max(n, 2000)"), 1993);
  EXPECT_EQ(number("ceildiv(n, 64) * 64 == roundup(n, 64)"), 1);
}

TEST(RuntimePlanExpressionTest, HasTheConversionsOfC) {
  EXPECT_EQ(number("minus < 1u"), 0);
  EXPECT_EQ(number("minus < get_global_size(0)"), 0);
  EXPECT_EQ(number("(long)minus < (long)get_global_size(0)"), 1);
  EXPECT_EQ(number("(uint)minus == 4294967289"), 1);
  EXPECT_EQ(number("(int)4294967289"), -7);
  EXPECT_EQ(number("(uchar)300 + (char)200"), 44 - 56);
  EXPECT_EQ(number("2147483647u + 1u == 2147483648"), 1);
  EXPECT_EQ(number("4294967295u + 1u"), 0);
}

TEST(RuntimePlanExpressionTest, WhatHasNoMeaningHasNoValue) {
  EXPECT_FALSE(valueOf("2147483647 + 1"));
  EXPECT_FALSE(valueOf("n * 2147483647"));
  EXPECT_FALSE(valueOf("-(-2147483647 - 1)"));
  EXPECT_FALSE(valueOf("(long)9223372036854775807 + 1"));
  EXPECT_FALSE(valueOf("1 / 0"));
  EXPECT_FALSE(valueOf("1 % (n - 1000)"));
  EXPECT_FALSE(valueOf("1 << 32"));
  EXPECT_FALSE(valueOf("unknown"));
  EXPECT_FALSE(valueOf("get_local_size(0)"));
  EXPECT_FALSE(valueOf("roundup(n, 0)"));
  // What is not needed is not looked at.
  EXPECT_EQ(number("0 && unknown"), 0);
  EXPECT_EQ(number("1 || 1 / 0"), 1);
  EXPECT_EQ(number("1 ? 2 : 1 / 0"), 2);
}

TEST(RuntimePlanExpressionTest, AddressesCountElements) {
  EXPECT_EQ(number("(size_t)(A + 3) - (size_t)A"), 12);
  EXPECT_EQ(number("(size_t)(A - 1) < (size_t)A"), 1);
  EXPECT_EQ(number("((size_t)A | (size_t)n) & 7"), 0);
  EXPECT_EQ(number("ceildiv(buffer_bytes(A), 1000)"), 5);
  EXPECT_FALSE(valueOf("buffer_bytes(n)"));
  EXPECT_FALSE(valueOf("A * 2"));
  EXPECT_FALSE(valueOf("A + A"));
}

TEST(RuntimePlanExpressionTest, HasChainsOfUsualLength) {
  std::string sum = "0";
  for (int i = 0; i < 500; ++i)
    sum += " + 2";
  EXPECT_EQ(valueOf(sum)->bits, 1000u);
}

TEST(RuntimePlanExpressionTest, RefusesWhatIsNoExpression) {
  for (const char *text :
       {"", "1 +", "(1", "1)", "f(1)", "1 2", "0x", "3q", "n ? 1", "min(1)",
        "get_work_dim(1)", "a[1]", "buffer_bytes(A + 1)", "@"})
    EXPECT_THROW(PlanExpression::parse(text), PlanExpressionError) << text;
  EXPECT_THROW(PlanExpression::parse(std::string(5000, '(')),
               PlanExpressionError);
  EXPECT_THROW(PlanExpression::parse("99999999999999999999"),
               PlanExpressionError);
  // Trees as deep as these would exhaust the stack.
  for (const char *link : {"1 + ", "1 && ", "1 ? 1 : ", "-", "(int)"}) {
    std::string chain;
    for (int i = 0; i < 100000; ++i)
      chain += link;
    EXPECT_THROW(PlanExpression::parse(chain + "1"), PlanExpressionError)
        << link;
  }
  try {
    PlanExpression::parse("n + ]");
    FAIL();
  } catch (const PlanExpressionError &error) {
    EXPECT_EQ(error.offset, 4u);
  }
}
