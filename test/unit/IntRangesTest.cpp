//===- IntRangesTest.cpp - sums that stay within int ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/IntRanges.h"

#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/set.h>
#include <isl/union_map.h>

#include <gtest/gtest.h>

using namespace clopt;

namespace {

class IntRangesTest : public testing::Test {
protected:
  IntRangesTest() : context(isl_ctx_alloc()) {
    isl_options_set_ast_build_detect_min_max(context, 1);
    for (const char *name : {"n", "m"}) {
      names.intTerms[name] = wholeInt;
      names.arguments[name] = name;
    }
    names.intTerms["i"] = {0, wholeInt.high};
    names.intTerms["k"] = {0, largestClearInt};
  }
  ~IntRangesTest() override { isl_ctx_free(context); }

  isl::ast_expr condition(const std::string &set) {
    isl_ast_build *build = isl_ast_build_alloc(context);
    isl::ast_expr expr = isl::manage(isl_ast_build_expr_from_set(
        build, isl_set_read_from_str(context, set.c_str())));
    isl_ast_build_free(build);
    return expr;
  }
  isl::ast_expr value(const std::string &affine) {
    isl_ast_build *build = isl_ast_build_alloc(context);
    isl::ast_expr expr = isl::manage(isl_ast_build_expr_from_pw_aff(
        build, isl_pw_aff_read_from_str(context, affine.c_str())));
    isl_ast_build_free(build);
    return expr;
  }
  std::string text(const isl::ast_expr &expr) {
    return printAst(expr, names).text;
  }
  isl_ctx *context;
  AstNames names;
  std::map<std::pair<std::string, bool>, int64_t> asked;
};

LinearForm term(const std::string &name, int64_t factor = 1) {
  return LinearForm::ofTerm(name, factor);
}

} // namespace

TEST_F(IntRangesTest, SumsThatMayLeaveIntAreOf64Bits) {
  EXPECT_EQ(printSum(term("k") + LinearForm(3), names).text, "k + 3");
  EXPECT_EQ(printSum(term("i") + LinearForm(3), names).text, "(long)i + 3");
  EXPECT_EQ(printSum(term("i") - LinearForm(3), names).text, "i - 3");
  EXPECT_EQ(printSum(term("n") - LinearForm(3), names).text, "(long)n - 3");
  EXPECT_EQ(printSum(term("i") - term("k"), names).text, "i - k");
  EXPECT_EQ(printSum(term("i") + term("k"), names).text, "(long)i + k");
  EXPECT_EQ(printSum(term("k", 2), names).text, "2 * (long)k");
  EXPECT_EQ(printSum(term("n", -1), names).text, "-(long)n");
  // The product comes second.
  EXPECT_EQ(printSum(term("i") + term("k", 4), names).text,
            "(long)i + 4 * (long)k");
  // Terms that are not known to be int are of 64 bits.
  EXPECT_EQ(printSum(term("far") + term("i", 4), names).text, "far + 4 * i");
  EXPECT_EQ(printSum(LinearForm(4000000000), names).text, "4000000000");
}

TEST_F(IntRangesTest, GuardsAreAskedForTheWeakestCondition) {
  using Asked = std::map<std::pair<std::string, bool>, int64_t>;
  constexpr int64_t clear = largestClearInt, half = (1 << 30) - 1;
  names.clear = &asked;
  EXPECT_EQ(printSum(term("n") - LinearForm(3), names).text, "n - 3");
  EXPECT_EQ(asked, Asked({{{"n", false}, clear}}));
  asked.clear();
  EXPECT_EQ(printSum(term("m") + LinearForm(3), names).text, "m + 3");
  EXPECT_EQ(asked, Asked({{{"m", true}, clear}}));
  asked.clear();
  // Half of int for each of two.
  EXPECT_EQ(printSum(term("n") + term("m"), names).text, "n + m");
  EXPECT_EQ(asked.at({"n", true}), half);
  EXPECT_EQ(asked.at({"m", false}), half);
  // What has been asked for holds from then on.
  names.mayAsk = false;
  EXPECT_EQ(printSum(term("n") - term("m"), names).text, "n - m");
  EXPECT_EQ(printSum(term("n", 4), names).text, "4 * (long)n");
  names.mayAsk = true;
  asked.clear();
  // Nothing is known of i; as an id it ends with the launch.
  EXPECT_EQ(printSum(term("i") + LinearForm(1), names).text, "(long)i + 1");
  EXPECT_TRUE(asked.empty());
  names.idEnds["i"] = "i_end";
  EXPECT_EQ(printSum(term("i") + LinearForm(1), names).text, "i + 1");
  EXPECT_EQ(asked, Asked({{{"i_end", true}, clear}}));
}

TEST_F(IntRangesTest, ConditionsTakeTheSideThatFits) {
  EXPECT_EQ(text(condition("[k, n] -> { : k <= n - 4 }")), "k + 4 <= n");
  EXPECT_EQ(text(condition("[i, n] -> { : i <= n - 4 }")), "(long)i + 4 <= n");
  names.intTerms["n"].low = 0;
  EXPECT_EQ(text(condition("[i, n] -> { : i <= n - 4 }")), "i <= n - 4");
}

TEST_F(IntRangesTest, RangesOfExpressions) {
  auto range = [&](const std::string &affine) {
    std::optional<IntRange> found = rangeOf(value(affine), names);
    return found
               ? std::to_string(found->low) + " " + std::to_string(found->high)
               : "unknown";
  };
  names.intTerms["i"] = {-5, 10};
  names.intTerms["k"] = {2, 3};
  EXPECT_EQ(range("[i, k] -> { [(i + 2 * k)] }"), "-1 16");
  EXPECT_EQ(range("[i] -> { [(floor(i / 4))] }"), "-2 2");
  EXPECT_EQ(range("[i, k] -> { [i] : i <= k; [k] : k < i }"), "-5 3");
  EXPECT_EQ(range("[i, k] -> { [i] : i >= k; [k] : k > i }"), "2 10");
  EXPECT_EQ(range("[i, far] -> { [(i + far)] }"), "unknown");
}

TEST_F(IntRangesTest, QuotientsOfSumsThatOverflow) {
  EXPECT_EQ(text(value("[n, m] -> { [(floor((n - m) / 4))] }")),
            "((long)n - m) >> 2");
  EXPECT_TRUE(
      isPrintedLong(value("[n, m] -> { [(floor((n - m) / 4))] }"), names));
  EXPECT_FALSE(isPrintedLong(value("[k] -> { [(floor(k / 4))] }"), names));
  EXPECT_EQ(text(value("[n, m] -> { [n] : n <= m - 1; [m - 1] : m - 1 < n }")),
            "(n < (long)m - 1 ? n : (long)m - 1)");
}

TEST_F(IntRangesTest, LastIterations) {
  auto last = [&](const std::string &schedule) {
    isl_ast_build *build = isl_ast_build_alloc(context);
    isl::ast_node loop = isl::manage(isl_ast_build_node_from_schedule_map(
        build, isl_union_map_read_from_str(context, schedule.c_str())));
    isl_ast_build_free(build);
    isl::ast_expr test = isl::manage(isl_ast_node_for_get_cond(loop.get()));
    return largestBelow(test, "c0", names);
  };
  EXPECT_EQ(last("[n] -> { S[c] -> [c] : 0 <= c <= n - 4 }"),
            wholeInt.high - 4);
  EXPECT_EQ(last("[n, k] -> { S[c] -> [c] : 0 <= c < n and c <= k }"),
            largestClearInt);
  EXPECT_EQ(last("[far] -> { S[c] -> [c] : 0 <= c < far }"), wholeInt.high);
}
