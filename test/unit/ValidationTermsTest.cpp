//===- ValidationTermsTest.cpp - values as expressions --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/Terms.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

constexpr ScalarKind single = ScalarKind::Float;

TEST(ValidationTermsTest, EqualExpressionsHaveOneNumber) {
  TermStore terms;
  TermId a = terms.make("A[", "i", single, {3});
  TermId b = terms.make("B[", "i", single, {3});
  EXPECT_NE(a, b);
  EXPECT_EQ(a, terms.make("A[", "i", single, {3}));
  EXPECT_NE(a, terms.make("A[", "i", ScalarKind::Double, {3}));
  EXPECT_EQ(terms.make("+", "ff", single, {a, b}),
            terms.make("+", "ff", single, {a, b}));
}

TEST(ValidationTermsTest, TheOrderOfOperationsMatters) {
  TermStore terms;
  std::vector<TermId> x;
  for (int64_t i = 0; i < 3; ++i)
    x.push_back(terms.make("x[", "i", single, {i}));
  auto sum = [&](TermId left, TermId right) {
    return terms.make("+", "ff", single, {left, right});
  };
  EXPECT_EQ(sum(x[0], x[1]), sum(x[1], x[0]));
  EXPECT_NE(sum(sum(x[0], x[1]), x[2]), sum(x[0], sum(x[1], x[2])));
}

TEST(ValidationTermsTest, KnownOperationsHaveTheirValue) {
  TermStore terms;
  TermId half = terms.literal(single, 0.5), three = terms.literal(single, 3);
  EXPECT_EQ(terms.literal(single, 0.5), half);
  EXPECT_EQ(terms.value(terms.make("*", "ff", single, {half, three})), 1.5);
  EXPECT_EQ(terms.value(terms.make("fmax", "ff", single, {half, three})), 3);
  // Division by zero has some value, so that it can be compared.
  TermId zero = terms.literal(single, 0);
  double any = terms.value(terms.make("/", "ff", single, {half, zero}));
  EXPECT_EQ(any, any);
}

TEST(ValidationTermsTest, SumsInAnotherOrderAreClose) {
  TermStore terms;
  auto cell = [&](int64_t i) { return terms.make("x[", "i", single, {i}); };
  auto sum = [&](TermId left, TermId right) {
    return terms.make("+", "ff", single, {left, right});
  };
  TermId left = sum(sum(cell(0), cell(1)), cell(2));
  EXPECT_EQ(terms.areClose(left, sum(cell(0), sum(cell(1), cell(2)))), true);
  EXPECT_EQ(terms.areClose(left, sum(cell(0), cell(1))), false);
  // Nothing is known of the values of other functions.
  TermId other = terms.make("erf", "f", single, {left});
  EXPECT_EQ(terms.areClose(other, left), std::nullopt);
  EXPECT_EQ(terms.areClose(left, sum(cell(0), other)), std::nullopt);
}

TEST(ValidationTermsTest, PrintedAsWritten) {
  TermStore terms;
  TermId a = terms.make("A[", "i", single, {3});
  TermId two = terms.literal(single, 2);
  TermId product = terms.make("*", "ff", single, {a, two});
  EXPECT_EQ(terms.print(product), "(A[3] * 2)");
  EXPECT_EQ(terms.print(terms.make("sqrt", "f", single, {product})),
            "sqrt((A[3] * 2))");
  EXPECT_EQ(terms.print(product, 1), "(... * 2)");
}

} // namespace

// F29: what mirrored halves rely on.
TEST(ValidationTermsTest, OperandsWithoutAnOrderHaveNone) {
  TermStore terms;
  const ScalarKind single = ScalarKind::Float;
  auto made = [&](const char *name, TermId x, TermId y) {
    return terms.make(name, "ff", single, {x, y});
  };
  const TermId a = terms.make("A[", "i", single, {1});
  const TermId b = terms.make("A[", "i", single, {2});
  EXPECT_EQ(made("*", a, b), made("*", b, a));
  EXPECT_EQ(made("+", a, b), made("+", b, a));
  EXPECT_NE(made("-", a, b), made("-", b, a));
  EXPECT_NE(made("/", a, b), made("/", b, a));
  const TermId there = made("-", a, b), back = made("-", b, a);
  EXPECT_EQ(made("*", there, there), made("*", back, back));
  EXPECT_EQ(terms.make("fabs", "f", single, {there}),
            terms.make("fabs", "f", single, {back}));
  EXPECT_NE(made("*", there, a), made("*", back, a));
  // One product of two may be joined with the sum.
  const TermId one = made("*", a, a), other = made("*", b, b);
  EXPECT_NE(made("+", one, other), made("+", other, one));
}
