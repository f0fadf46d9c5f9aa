//===- ParametricSetTest.cpp - a set for many values of parameters --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/ParametricSet.h"

#include <gtest/gtest.h>

#include <isl/cpp.h>
#include <isl/set.h>
#include <isl/val.h>

#include <random>
#include <string>

using namespace clopt;

namespace {

struct Context {
  isl_ctx *context = isl_ctx_alloc();
  Context() = default;
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;
  ~Context() { isl_ctx_free(context); }
};

/// "2..5 0..", or "none".
std::string spansOf(const std::string &text,
                    const std::map<std::string, int64_t> &values,
                    const std::map<unsigned, int64_t> &fixed,
                    const std::vector<unsigned> &asked) {
  Context context;
  const ParametricSet set(isl::set(isl::ctx(context.context), text));
  auto spans = set.spans(values, fixed, asked);
  EXPECT_EQ(set.isEmpty(values, fixed), !spans) << text;
  if (!spans)
    return "none";
  std::string result;
  for (const NumberSpan &span : *spans) {
    result += result.empty() ? "" : " ";
    result += span.first == INT64_MIN ? "" : std::to_string(span.first);
    result += "..";
    result += span.last == INT64_MAX ? "" : std::to_string(span.last);
  }
  return result;
}

TEST(ParametricSetTest, OneCoordinateAtATime) {
  const std::string box = "[n, m] -> { S[i, j] : 0 <= i < n and 3j >= m }";
  EXPECT_EQ(spansOf(box, {{"n", 5}, {"m", 7}}, {}, {0, 1}), "0..4 3..");
  EXPECT_EQ(spansOf(box, {{"n", 0}, {"m", 7}}, {}, {0}), "none");
  EXPECT_EQ(spansOf(box, {{"n", 5}, {"m", -7}}, {{0, 4}}, {0, 1}), "4..4 -2..");
  EXPECT_EQ(spansOf(box, {{"n", 5}, {"m", 7}}, {{0, 5}}, {1}), "none");
}

TEST(ParametricSetTest, CoordinatesThatFollowFromOthers) {
  const std::string sum = "[n] -> { S[i, j, k] : i + j = n and i >= 2 and "
                          "j - k >= 0 and k >= 1 }";
  EXPECT_EQ(spansOf(sum, {{"n", 9}}, {{0, 4}}, {1, 2}), "5..5 1..5");
  EXPECT_EQ(spansOf(sum, {{"n", 9}}, {}, {0, 1, 2}), "2..8 1..7 1..7");
  EXPECT_EQ(spansOf(sum, {{"n", 2}}, {}, {0}), "none");
}

TEST(ParametricSetTest, UnionsAreTakenTogether) {
  const std::string two = "[n] -> { S[i] : 0 <= i < n; S[i] : 10 <= i < 2n }";
  EXPECT_EQ(spansOf(two, {{"n", 5}}, {}, {0}), "0..4");
  EXPECT_EQ(spansOf(two, {{"n", 8}}, {}, {0}), "0..15");
}

TEST(ParametricSetTest, RemaindersAndUnknownParameters) {
  const std::string even =
      "[n, m] -> { S[i] : 0 <= i < n and i mod 4 = 3 and m > i }";
  EXPECT_EQ(spansOf(even, {{"n", 12}}, {}, {0}), "3..11");
  EXPECT_EQ(spansOf(even, {{"n", 3}}, {}, {0}), "none");
  EXPECT_EQ(spansOf(even, {{"n", 12}, {"m", 9}}, {}, {0}), "3..7");
  EXPECT_EQ(spansOf("[n] -> { S[i] : 2i = n }", {{"n", 7}}, {}, {0}), "none");
}

TEST(ParametricSetTest, ConditionsOnParametersAlone) {
  EXPECT_EQ(spansOf("[n, m] -> { : n >= 2 and m >= n }", {{"n", 3}}, {}, {}),
            "");
  EXPECT_EQ(spansOf("[n, m] -> { : n >= 2 and m >= n }", {{"n", 3}, {"m", 2}},
                    {}, {}),
            "none");
}

TEST(ParametricSetTest, Divisions) {
  const std::string half = "[n] -> { S[i, j] : 0 <= i < n and j = floor(i / 2) "
                           "and floor((i + 3n) / 4) >= 2 }";
  EXPECT_EQ(spansOf(half, {{"n", 3}}, {{0, 1}}, {0, 1}), "1..1 0..0");
  EXPECT_EQ(spansOf(half, {{"n", 2}}, {}, {0, 1}), "none");
  EXPECT_EQ(spansOf(half, {{"n", 9}}, {{1, 2}}, {0}), "4..5");
}

/// The same as isl finds for numbers in the place of parameters.
TEST(ParametricSetTest, TheSameAsWithNumbersInPlace) {
  std::mt19937 random(7);
  auto pick = [&](int first, int last) {
    return std::to_string(
        static_cast<int>(random() % static_cast<unsigned>(last - first + 1)) +
        first);
  };
  for (unsigned round = 0; round < 200; ++round) {
    std::string body = "-3 <= i <= m and -3 <= j < n + 2";
    for (unsigned k = 0; k < 3; ++k) {
      const std::string sum = pick(-3, 3) + "i + " + pick(-3, 3) + "j + " +
                              pick(-3, 3) + "n + " + pick(-3, 3);
      body += " and floor((" + sum + ") / " + pick(2, 4) + ") " +
              (k == 0 ? "= " : ">= ") + pick(-2, 2) + "i + " + pick(-2, 2) +
              "m + " + pick(-4, 1);
    }
    const int n = static_cast<int>(random() % 6),
              m = static_cast<int>(random() % 6);
    const std::string isGiven =
        " and n = " + std::to_string(n) + " and m = " + std::to_string(m);
    const std::string text = "[n, m] -> { S[i, j] : " + body;
    Context context;
    isl_set *set =
        isl_set_read_from_str(context.context, (text + isGiven + " }").c_str());
    std::string expected;
    for (int d = 0; d < 2; ++d) {
      isl_val *least = isl_set_dim_min_val(isl_set_copy(set), d);
      isl_val *most = isl_set_dim_max_val(isl_set_copy(set), d);
      if (isl_val_is_int(least) && isl_val_is_int(most))
        expected += (d ? " " : "") + std::to_string(isl_val_get_num_si(least)) +
                    ".." + std::to_string(isl_val_get_num_si(most));
      isl_val_free(least);
      isl_val_free(most);
    }
    isl_set_free(set);
    EXPECT_EQ(spansOf(text + " }", {{"n", n}, {"m", m}}, {}, {0, 1}),
              expected.empty() ? "none" : expected)
        << text << isGiven;
  }
}

TEST(ParametricSetTest, LargeNumbers) {
  EXPECT_EQ(spansOf("[n] -> { S[i] : 9000000000000000000 i >= n and i <= 4 }",
                    {{"n", 1}}, {}, {0}),
            "1..4");
  EXPECT_EQ(
      spansOf("[n] -> { S[i] : i + n >= -4611686016279904256 and i <= 4 }",
              {{"n", 1}}, {}, {0}),
      "-4611686016279904257..4");
}

/// "0,1 0,2", or "unknown".
std::string pointsOf(const std::string &text,
                     const std::map<std::string, int64_t> &values,
                     size_t limit = 100) {
  Context context;
  const ParametricSet set(isl::set(isl::ctx(context.context), text));
  auto points = set.points(values, limit);
  if (!points)
    return "unknown";
  std::string result;
  for (const std::vector<int64_t> &point : *points) {
    result += result.empty() ? "" : " ";
    for (size_t i = 0; i < point.size(); ++i)
      result += (i ? "," : "") + std::to_string(point[i]);
  }
  return result;
}

TEST(ParametricSetTest, AllPoints) {
  const std::string box = "[n, m] -> { S[i, j] : 0 <= i < n and j = m + 1; "
                          "S[i, j] : i = 7 and 0 <= j and 2j < m }";
  EXPECT_EQ(pointsOf(box, {{"n", 2}, {"m", 3}}), "0,4 1,4 7,0 7,1");
  EXPECT_EQ(pointsOf(box, {{"n", 2}, {"m", 3}}, 2), "unknown");
  EXPECT_EQ(pointsOf(box, {{"n", 0}, {"m", 0}}), "");
  EXPECT_EQ(pointsOf(box, {{"n", 2}}), "unknown");
  EXPECT_EQ(pointsOf("[n] -> { S[i] : i >= n }", {{"n", 2}}), "unknown");
  EXPECT_EQ(
      pointsOf("[n] -> { S[i] : 0 <= i < n and i mod 3 = 1 }", {{"n", 5}}),
      "1 4");
}

} // namespace
