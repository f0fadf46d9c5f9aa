//===- LinearFormTest.cpp - sums and isl's expressions as text ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/print/LinearForm.h"

#include <isl/ast_build.h>
#include <isl/set.h>

#include <gtest/gtest.h>

using namespace clopt;

static LinearForm term(const std::string &name, int64_t factor = 1) {
  return LinearForm::ofTerm(name, factor);
}

static std::string text(const LinearForm &form) { return form.print().text; }

TEST(LinearFormTest, Sums) {
  EXPECT_EQ(text(LinearForm()), "0");
  EXPECT_EQ(text(LinearForm(-3)), "-3");
  EXPECT_EQ(text(term("j") + LinearForm(4)), "j + 4");
  EXPECT_EQ(text(term("n") - LinearForm(3)), "n - 3");
  EXPECT_EQ(text(term("i", 2) + term("j")), "2 * i + j");
  EXPECT_EQ(text(term("i") - term("i")), "0");
  EXPECT_EQ(text(term("i").times(0) + LinearForm(5)), "5");
}

TEST(LinearFormTest, PositiveTermsComeFirst) {
  EXPECT_EQ(text(LinearForm(-1) - term("i") + term("n")), "n - i - 1");
  EXPECT_EQ(text(term("i", -2)), "-2 * i");
}

TEST(LinearFormTest, ADifferenceBeginsWithItsConstant) {
  EXPECT_EQ(text(LinearForm(15) - term("k")), "15 - k");
  EXPECT_EQ(text(LinearForm(15) - term("k", 2)), "15 - 2 * k");
  // 15 - k might leave `int` where the whole does not.
  EXPECT_EQ(text(LinearForm(15) - term("k") - term("l")), "-k - l + 15");
  EXPECT_EQ((LinearForm(15) - term("k")).print().precedence, PrecAdditive);
}

TEST(LinearFormTest, PrecedenceIsThatOfTheText) {
  EXPECT_EQ(term("i").print().precedence, PrecPrimary);
  EXPECT_EQ(term("i", 2).print().precedence, PrecMultiplicative);
  EXPECT_EQ(term("i", -1).print().precedence, PrecUnary);
  EXPECT_EQ((term("i") + LinearForm(1)).print().precedence, PrecAdditive);
  EXPECT_EQ(atLeast((term("i") + LinearForm(1)).print(), PrecMultiplicative),
            "(i + 1)");
  EXPECT_EQ(atLeast(term("i", 2).print(), PrecMultiplicative), "2 * i");
}

namespace {

/// Prints what isl makes of sets.
class AstTextTest : public testing::Test {
protected:
  AstTextTest() : context(isl_ctx_alloc()) {}
  ~AstTextTest() override { isl_ctx_free(context); }
  /// With i for both names.
  std::optional<bool> decided(const std::string &set) {
    AstNames names;
    names.names["a"] = term("i");
    names.names["b"] = term("i") + LinearForm(1);
    isl_ast_build *build = isl_ast_build_alloc(context);
    isl::ast_expr expr = isl::manage(isl_ast_build_expr_from_set(
        build, isl_set_read_from_str(context, set.c_str())));
    isl_ast_build_free(build);
    return decideAst(expr, names);
  }
  std::string condition(const std::string &set, const AstNames &names = {}) {
    isl_ast_build *build = isl_ast_build_alloc(context);
    isl::ast_expr expr = isl::manage(isl_ast_build_expr_from_set(
        build, isl_set_read_from_str(context, set.c_str())));
    isl_ast_build_free(build);
    return printAst(expr, names).text;
  }
  std::string value(const std::string &affine, const AstNames &names = {}) {
    isl_options_set_ast_build_detect_min_max(context, 1);
    isl_ast_build *build = isl_ast_build_alloc(context);
    isl::ast_expr expr = isl::manage(isl_ast_build_expr_from_pw_aff(
        build, isl_pw_aff_read_from_str(context, affine.c_str())));
    isl_ast_build_free(build);
    return printAst(expr, names).text;
  }
  isl_ctx *context;
};

} // namespace

TEST_F(AstTextTest, ConditionsThatSumsDecide) {
  EXPECT_EQ(decided("[a, b] -> { : a < b }"), true);
  EXPECT_EQ(decided("[a, b] -> { : a >= b }"), false);
  EXPECT_EQ(decided("[a, b, n] -> { : a > b and a < n }"), false);
  EXPECT_EQ(decided("[a, b, n] -> { : a < b and a < n }"), std::nullopt);
  EXPECT_EQ(decided("[a, b, n] -> { : a < n }"), std::nullopt);
}

TEST_F(AstTextTest, ComparisonsAvoidSubtraction) {
  // `n - 3` could leave the range of its type where `k + 4` cannot.
  EXPECT_EQ(condition("[k, n] -> { : k <= n - 4 }"), "k + 4 <= n");
  EXPECT_EQ(condition("[k, n] -> { : k < n }"), "k < n");
  EXPECT_EQ(condition("[n] -> { : n > 0 }"), "n > 0");
}

TEST_F(AstTextTest, NamesAreReplacedBySums) {
  AstNames names;
  names.names["k"] = LinearForm::ofTerm("i0") + LinearForm(2);
  EXPECT_EQ(condition("[k, n] -> { : k < n }", names), "i0 + 3 <= n");
  EXPECT_EQ(value("[k] -> { [(2 * k)] }", names), "2 * i0 + 4");
}

TEST_F(AstTextTest, FloorDivisionIsRightForNegativeNumbers) {
  EXPECT_EQ(value("[n] -> { [(floor(n / 4))] }"), "n >> 2");
  EXPECT_EQ(value("[n] -> { [(floor(n / 3))] }"), "(n - (n < 0 ? 2 : 0)) / 3");
}

TEST_F(AstTextTest, MinimumAndMaximum) {
  EXPECT_EQ(value("[n, m] -> { [n] : n <= m; [m] : m < n }"), "min(n, m)");
  AstNames names;
  names.wideTerms.insert("m");
  EXPECT_EQ(value("[n, m] -> { [n] : n <= m; [m] : m < n }", names),
            "(n < m ? n : m)");
  // A choice among three would have each text twice and more.
  EXPECT_EQ(value("[n, m, k] -> { [n] : n <= m and n <= k; "
                  "[m] : m < n and m <= k; [k] : k < n and k < m }",
                  names),
            "min(min((long)n, (long)m), (long)k)");
}

TEST_F(AstTextTest, DividedOperandsOfAMinimumAreOfInt) {
  AstNames names;
  names.intTerms["n"] = names.intTerms["m"] = {0, 2147483647};
  EXPECT_EQ(
      value("[n, m] -> { [n] : 4n <= m; [(floor(m / 4))] : m < 4n }", names),
      "min(n, m >> 2)");
}

TEST_F(AstTextTest, ConjunctsSayWhichAreUpperBounds) {
  isl_ast_build *build = isl_ast_build_alloc(context);
  isl::ast_expr expr = isl::manage(isl_ast_build_expr_from_set(
      build, isl_set_read_from_str(
                 context, "[n, m] -> { : n <= 7 and m >= 3 and n <= m }")));
  isl_ast_build_free(build);
  std::vector<std::string> bounds;
  const std::vector<Conjunct> all = printConjuncts(expr, {});
  for (const Conjunct &conjunct : all)
    if (conjunct.bound)
      bounds.push_back(conjunct.bound->value + ": " +
                       std::to_string(conjunct.bound->number));
  EXPECT_EQ(all.size(), 3u);
  EXPECT_EQ(bounds, std::vector<std::string>{"n: 7"});
  EXPECT_EQ(joined(all), printAst(expr, {}).text);
}
