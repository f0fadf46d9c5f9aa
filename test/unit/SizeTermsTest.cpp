//===- SizeTermsTest.cpp - sizes as expressions over names ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/SizeTerms.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

TEST(SizeTermsTest, PolynomialsAreExpressions) {
  SizeTerms terms;
  const Polynomial n = terms.name("n"), m = terms.name("m"), two(2);
  EXPECT_EQ(terms.text(n * m + two * n + Polynomial(3)), "n*m + 2*n + 3");
  EXPECT_EQ(terms.text((n - Polynomial(1)) * n + n), "n*n");
  EXPECT_EQ(terms.value(n * m + two, {{"n", 5}, {"m", 7}}), 37);
  EXPECT_EQ(terms.value(n * m, {{"n", 5}}), std::nullopt);
}

TEST(SizeTermsTest, SizesAreAtLeastOne) {
  SizeTerms terms;
  const Polynomial n = terms.name("n"), m = terms.name("m");
  EXPECT_TRUE(terms.isAtLeast(n * n, n));
  EXPECT_TRUE(terms.isAtLeast(n, Polynomial(1)));
  EXPECT_FALSE(terms.isAtLeast(n, Polynomial(2)));
  EXPECT_FALSE(terms.isAtLeast(n, m));
  // A quotient may be 0.
  EXPECT_FALSE(
      terms.isAtLeast(terms.floorDiv(n, Polynomial(4)), Polynomial(1)));
  EXPECT_EQ(terms.text(terms.larger(n * m, n)), "n*m");
  EXPECT_EQ(terms.text(terms.smaller(n * m, n)), "n");
  EXPECT_EQ(terms.text(terms.larger(n, m)), "max(n, m)");
  EXPECT_EQ(terms.value(terms.larger(n, m), {{"n", 5}, {"m", 7}}), 7);
}

TEST(SizeTermsTest, QuotientsAndMultiples) {
  SizeTerms terms;
  const Polynomial n = terms.name("n"), four(4), none;
  EXPECT_EQ(terms.text(terms.roundUp(n, four)), "roundup(n, 4)");
  EXPECT_EQ(terms.text(terms.roundUp(four * n, four)), "4*n");
  EXPECT_EQ(terms.text(terms.ceilDiv(terms.roundUp(n, four), four)),
            "ceildiv(n, 4)");
  EXPECT_EQ(terms.text(terms.floorDiv(n + four, four)), "((n + 4) // (4))");
  EXPECT_EQ(terms.value(terms.roundUp(n, four), {{"n", 9}}), 12);
  EXPECT_EQ(terms.value(terms.ceilDiv(n, four), {{"n", 9}}), 3);
  EXPECT_EQ(terms.value(terms.floorDiv(none - n, four), {{"n", 9}}), -3);
  EXPECT_EQ(terms.text(terms.ceilDiv(Polynomial(9), four)), "3");
}

TEST(SizeTermsTest, LargeNumbersHaveNoValue) {
  SizeTerms terms;
  const Polynomial n = terms.name("n");
  EXPECT_EQ(terms.value(n * n * n, {{"n", 1000000}}), std::nullopt);
}

} // namespace
