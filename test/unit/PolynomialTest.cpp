//===- PolynomialTest.cpp - arithmetic of polynomials ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/KernelModel.h"

#include <gtest/gtest.h>
#include <isl/ctx.h>

using namespace clopt;

namespace {

class PolynomialTest : public testing::Test {
protected:
  void SetUp() override {
    for (const char *name : {"i", "j", "n", "m"}) {
      Symbol symbol;
      bool isParam = *name == 'n' || *name == 'm';
      symbol.kind = isParam ? SymbolKind::Param : SymbolKind::Iterator;
      symbol.name = name;
      model.symbols.add(symbol);
    }
    model.context.reset(isl_ctx_alloc(), isl_ctx_free);
  }

  std::string text(const Polynomial &poly) const {
    return poly.str([&](SymbolId id) { return model.symbols.name(id); });
  }

  /// As isl prints it over { S[i, j] }.
  std::string isl(const Polynomial &poly) const {
    isl::space space = statementSpace(model, "S", {0, 1});
    std::optional<isl::pw_aff> value = toPwAff(model, space, {0, 1}, poly);
    std::ostringstream out;
    if (value)
      out << *value;
    return value ? out.str() : "nothing";
  }

  KernelModel model;
  Polynomial i = Polynomial::symbol(0), j = Polynomial::symbol(1),
             n = Polynomial::symbol(2), m = Polynomial::symbol(3);
  Polynomial one = Polynomial(1);
};

TEST_F(PolynomialTest, KeepsTermsInOneForm) {
  EXPECT_EQ(text(i * n + j + one), "i*n + j + 1");
  EXPECT_EQ((i + one) * n - n, n * i);
  EXPECT_EQ(text(Polynomial()), "0");
  EXPECT_EQ(text(-i), "-i");
  EXPECT_EQ(text(one - i), "1 - i");
  EXPECT_TRUE((i * n - n * i).isZero());
}

TEST_F(PolynomialTest, CountsOverflow) {
  Polynomial big(INT64_MAX);
  EXPECT_TRUE((big + one).overflowed());
  EXPECT_TRUE((big * Polynomial(2)).overflowed());
  EXPECT_TRUE((-Polynomial(INT64_MIN)).overflowed());
  EXPECT_FALSE((big - one).overflowed());
  EXPECT_FALSE((big + one).asConstant().has_value());
}

TEST_F(PolynomialTest, KnowsDegreesAndCoefficients) {
  EXPECT_TRUE((i + n).isAffine());
  EXPECT_FALSE((i * n).isAffine());
  EXPECT_EQ(*(i * n * Polynomial(3) + j).coefficientOf(0), n * Polynomial(3));
  EXPECT_FALSE((i * i).coefficientOf(0).has_value());
  EXPECT_TRUE((i + j).coefficientOf(2)->isZero());
  EXPECT_EQ(*Polynomial(7).asConstant(), 7);
  EXPECT_EQ(*Polynomial().asConstant(), 0);
  EXPECT_EQ(Polynomial::symbol(3).asSymbol(), SymbolId(3));
  EXPECT_FALSE((Polynomial::symbol(3) * Polynomial(2)).asSymbol());
  EXPECT_FALSE((Polynomial::symbol(3) * Polynomial::symbol(3)).asSymbol());
  EXPECT_FALSE((Polynomial::symbol(3) + Polynomial(1)).asSymbol());
  EXPECT_FALSE(Polynomial(1).asSymbol());
}

TEST_F(PolynomialTest, Substitutes) {
  EXPECT_EQ((i * i + i * n).substitute(0, j + one),
            (j + one) * (j + one) + (j + one) * n);
  EXPECT_EQ(i.substitute(1, n), i);
}

TEST_F(PolynomialTest, DividesExactlyOrNotAtAll) {
  Polynomial value = i * n * Polynomial(6) + n * m * Polynomial(4);
  EXPECT_EQ(*value.divideExactly({2}, 2),
            i * Polynomial(3) + m * Polynomial(2));
  EXPECT_FALSE(value.divideExactly({2}, 4).has_value());
  EXPECT_FALSE(value.divideExactly({3}, 1).has_value());
}

TEST_F(PolynomialTest, LongDivisionKeepsTheValue) {
  Polynomial pitch = n + Polynomial(15);
  Polynomial value = (i + j) * pitch + j + Polynomial(2);
  Polynomial::Division parts = value.divideBy(pitch);
  EXPECT_EQ(parts.quotient, i + j);
  EXPECT_EQ(parts.remainder, j + Polynomial(2));
  for (const Polynomial &divisor : {n, n * m, pitch, Polynomial(3), i * n}) {
    Polynomial::Division other = value.divideBy(divisor);
    EXPECT_EQ(other.quotient * divisor + other.remainder, value);
  }
}

TEST_F(PolynomialTest, NegatesConditions) {
  auto nameOf = [&](SymbolId id) { return model.symbols.name(id); };
  Condition less{Condition::Kind::NonNegative, n - i - one, {}};
  Condition equal{Condition::Kind::Zero, i - j, {}};
  EXPECT_EQ(str(negate(less), nameOf), "i - n >= 0");
  Condition both = conjunction(less, equal);
  EXPECT_EQ(str(negate(both), nameOf), "(i - n >= 0 || !(i - j == 0))");
  EXPECT_EQ(negate(negate(both)), both);
  Condition never{Condition::Kind::False, {}, {}};
  EXPECT_EQ(disjunction(never, less), less);
  EXPECT_EQ(conjunction(Condition(), less), less);
  EXPECT_EQ(conjunction(never, less).kind, Condition::Kind::False);
}

TEST_F(PolynomialTest, SymbolsAreUniqueAndShared) {
  Symbol symbol;
  symbol.name = "i";
  EXPECT_EQ(model.symbols.name(model.symbols.add(symbol)), "i_1");
  EXPECT_EQ(model.symbols.floorDiv(i, 3), model.symbols.floorDiv(i, 3));
  EXPECT_NE(model.symbols.floorDiv(i, 3), model.symbols.floorDiv(i, 4));
  EXPECT_NE(model.symbols.floorDiv(i, 3), model.symbols.modulo(i, 3));
}

TEST_F(PolynomialTest, ConvertsToIsl) {
  EXPECT_EQ(isl(i * Polynomial(2) + n - one),
            "[n, m] -> { S[i, j] -> [(-1 + n + 2i)] }");
  EXPECT_EQ(isl(i * n), "nothing");
  Polynomial third = Polynomial::symbol(model.symbols.floorDiv(i + j, 3));
  EXPECT_EQ(isl(third), "[n, m] -> { S[i, j] -> [(floor((i + j)/3))] }");
  Polynomial rest = Polynomial::symbol(model.symbols.modulo(i, 4));
  EXPECT_EQ(isl(rest), "[n, m] -> { S[i, j] -> [((i) mod 4)] }");
  Condition positive{Condition::Kind::NonNegative, i, {}};
  Polynomial choice = Polynomial::symbol(model.symbols.select(positive, i, -i));
  EXPECT_EQ(isl(choice), "[n, m] -> { S[i, j] -> [(-i)] : i < 0; "
                         "S[i, j] -> [(i)] : i >= 0 }");
}

TEST_F(PolynomialTest, ConvertsConditions) {
  isl::space space = statementSpace(model, "S", {0, 1});
  Condition less{Condition::Kind::NonNegative, n - i - one, {}};
  Condition equal{Condition::Kind::Zero, i - j, {}};
  std::optional<isl::set> set =
      toSet(model, space, {0, 1}, disjunction(negate(less), equal));
  ASSERT_TRUE(set.has_value());
  isl::set expected(isl::manage_copy(set->get()).ctx(),
                    "[n, m] -> { S[i, j] : i >= n or i = j }");
  EXPECT_TRUE(set->is_equal(expected));
  Condition product{Condition::Kind::NonNegative, i * n, {}};
  EXPECT_FALSE(toSet(model, space, {0, 1}, product).has_value());
}

} // namespace
