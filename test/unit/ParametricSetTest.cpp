//===- ParametricSetTest.cpp - a set for many values of parameters --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/ParametricSet.h"

#include <gtest/gtest.h>

#include <isl/cpp.h>

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

TEST(ParametricSetTest, LargeNumbers) {
  EXPECT_EQ(spansOf("[n] -> { S[i] : 9000000000000000000 i >= n and i <= 4 }",
                    {{"n", 1}}, {}, {0}),
            "1..4");
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
