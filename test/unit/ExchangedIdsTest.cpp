//===- ExchangedIdsTest.cpp - kernels that two ids mean the same to -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

#include "Analysis/dependence/ExchangedIds.h"

using namespace clopt;

/// Why the values of i = w1 and j = w0 are not known to be those of exchanged
/// ids, or nothing.
static std::string difference(const std::string &body) {
  TestedKernel tested(
      kernelOf("int j = get_global_id(0), i = get_global_id(1);\n" + body));
  const Statement &any = tested.model->statements.front();
  ExchangedValues values =
      compareExchanged(*tested.model, {any.coordinates[1], any.coordinates[0]});
  return values.difference ? values.difference->message : "";
}

static bool isSymmetric(const std::string &value) {
  return difference("r[i * n + j] = " + value + ";").empty();
}

TEST(ExchangedIdsTest, F29OperandsChangePlaces) {
  for (const char *value :
       {"s[i] * s[j]", "s[i] + s[j]", "s[n] * (s[i] + s[j])", "p[i] & p[j]",
        "p[i] * p[j] + p[j] * p[i]", "max(p[i], p[j])", "i + j", "i == j",
        "fma(s[i], s[j], s[n])", "exp(s[i] * s[j]) / s[n]",
        "p[i] == p[j] ? s[i] * s[j] : 0.0f", "s[p[i] * p[j]]"})
    EXPECT_TRUE(isSymmetric(value)) << value;
}

TEST(ExchangedIdsTest, F29WhatDiffers) {
  for (const char *value :
       {"s[i]", "s[i] - s[j]", "s[i] / s[j]", "i - j", "s[i] * s[j + 1]",
        "p[i] < p[j]", "p[i] << p[j]", "i < j ? s[i] : s[j]",
        "fma(s[n], s[i], s[j])", "i * n + j"})
    EXPECT_FALSE(isSymmetric(value)) << value;
}

// A compiler may join one of two products with the sum: fma(a, b, c * d).
TEST(ExchangedIdsTest, F29ProductsInSumsAreNotExchanged) {
  EXPECT_FALSE(isSymmetric("s[i] * s[j + 1] + s[j] * s[i + 1]"));
  EXPECT_FALSE(isSymmetric("-(s[i] * s[i]) + -(s[j] * s[j])"));
  EXPECT_FALSE(isSymmetric("mad(s[i], s[i], 1.0f) + mad(s[j], s[j], 1.0f)"));
  EXPECT_FALSE(isSymmetric("fabs(s[i] * s[n] - s[j] * s[n])"));
  EXPECT_NE(difference("float x = s[i] * 2, y = s[j] * 2;\n"
                       "r[i * n + j] = x + y;"),
            "");
  EXPECT_TRUE(isSymmetric("s[i] * s[j] + s[n]"));
  EXPECT_TRUE(isSymmetric("p[i] * p[i] + p[j] * p[j]"));
}

TEST(ExchangedIdsTest, F29DifferencesWhoseSignIsLost) {
  EXPECT_EQ(difference("float d = s[i] - s[j];\nr[i * n + j] = d * d;"), "");
  EXPECT_TRUE(isSymmetric("fabs(s[i] - s[j])"));
  EXPECT_TRUE(isSymmetric("abs(p[i] - p[j])"));
  EXPECT_TRUE(isSymmetric("(p[i] - p[j]) * (p[i] - p[j])"));
  // 0 * -1 is -0 where 0 * 1 is 0
  EXPECT_FALSE(isSymmetric("(s[i] - s[j]) * (s[2 * i] - s[2 * j])"));
  EXPECT_FALSE(isSymmetric("abs((uint)p[i] - (uint)p[j])"));
}

TEST(ExchangedIdsTest, F29VariablesAreFollowed) {
  EXPECT_EQ(difference("float t = 0;\n"
                       "for (int k = 0; k < m; k++) {\n"
                       "  float x = s[i * m + k], y = s[j * m + k];\n"
                       "  t += x * y;\n}\n"
                       "r[i * n + j] = t;"),
            "");
  // The sum differs although the last statement looks the same.
  EXPECT_NE(difference("float t = 0;\n"
                       "for (int k = 0; k < m; k++) t += s[i * m + k];\n"
                       "r[i * n + j] = t;"),
            "");
  // The sum changes between the two.
  EXPECT_NE(difference("float t = s[n];\n"
                       "float x = s[i] + t;\n"
                       "t += 1;\n"
                       "float y = s[j] + t;\n"
                       "r[i * n + j] = x * y;"),
            "");
}

// Which of two NaNs a product gives back is not said.
TEST(ExchangedIdsTest, F29BitsOfNaNsAreNotLookedAt) {
  EXPECT_FALSE(isSymmetric("as_int(s[i] * s[j])"));
  EXPECT_FALSE(isSymmetric("copysign(1.0f, s[i] * s[j])"));
  EXPECT_TRUE(isSymmetric("as_float(p[i] & p[j])"));
}

TEST(ExchangedIdsTest, F29WorkItemsThatDependOnEachOther) {
  EXPECT_NE(difference("r[i * n + j] = r[n * n] + i + j;"), "");
  EXPECT_NE(difference("r[i * n + j] += i + j;"), "");
  EXPECT_NE(difference("atomic_inc(p); r[i * n + j] = i + j;"), "");
  EXPECT_NE(difference("r[i * n + j] = get_local_id(0);"), "");
  EXPECT_NE(difference("if (s[i * n] > 0) r[i * n + j] = i + j;"), "");
}

/// { : } the launches in which both of two work-items run, as text.
static bool agreeIn(const std::string &body, const std::string &launch) {
  TestedKernel tested(
      kernelOf("int j = get_global_id(0), i = get_global_id(1);\n" + body));
  const KernelModel &model = *tested.model;
  const Statement &any = model.statements.front();
  const ExchangedIds ids = {any.coordinates[1], any.coordinates[0]};
  const isl::set agree = exchangedDomainsAgree(
      model, ids, compareExchanged(model, ids).stores); // { : }
  const isl::set some = isl::set(
      model.context.get(), "[gs0, gs1, go0, go1, n] -> { : " + launch + " }");
  return some.is_subset(agree);
}

TEST(ExchangedIdsTest, F29LaunchesAreSymmetric) {
  const std::string store = "r[i * n + j] = i + j;";
  const std::string square = "gs0 = gs1 = 8 and go0 = go1 = 3 and n = 100";
  EXPECT_TRUE(agreeIn(store, square));
  EXPECT_FALSE(agreeIn(store, "gs0 = 8 and gs1 = 9 and go0 = go1 = 0"));
  EXPECT_FALSE(agreeIn(store, "gs0 = gs1 = 8 and go0 = 0 and go1 = 1"));
  // Work-items beyond the matrix do nothing.
  const std::string inside = "if (i < n && j < n) " + store;
  EXPECT_TRUE(agreeIn(inside, "gs0 = 16 and gs1 = 12 and go0 = go1 = 0 and "
                              "n = 10"));
  EXPECT_FALSE(agreeIn(inside, "gs0 = 16 and gs1 = 8 and go0 = go1 = 0 and "
                               "n = 10"));
  EXPECT_FALSE(agreeIn("if (i < n) " + store,
                       "gs0 = gs1 = 8 and go0 = go1 = 0 and n = 4"));
}
