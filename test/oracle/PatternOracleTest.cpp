//===- PatternOracleTest.cpp - patterns against enumerated subscripts -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thousands of random affine accesses. Whatever the classifier says of one is
// checked by evaluating subscripts at points of the iteration space, without
// any use of the classifier's own algebra.
//
//===----------------------------------------------------------------------===//

#include "../unit/HandModel.h"
#include "Analysis/access/AccessPattern.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace clopt;

namespace {

/// Values of all symbols at one point.
using Point = std::map<SymbolId, int64_t>;

/// Elimination with symbolic coefficients gives polynomials of high degree, so
/// integers would not do.
long double evaluate(const Polynomial &poly, const Point &point) {
  long double sum = 0;
  for (const auto &[monomial, coefficient] : poly.terms) {
    long double product = coefficient;
    for (SymbolId symbol : monomial)
      product *= point.at(symbol);
    sum += product;
  }
  return sum;
}

double evaluate(const Ratio &ratio, const Point &point) {
  return evaluate(ratio.numerator, point) / evaluate(ratio.denominator, point);
}

struct Example {
  HandModel hand;
  std::vector<SymbolId> coordinates;
  SymbolId n = 0;
  std::vector<std::vector<int>> coefficients; ///< rows x coordinates
  unsigned access = 0;
  SymbolId axis = 0;
  int64_t step = 1;

  const Access &reference() const { return hand.model.accesses[access]; }
};

class PatternOracle {
public:
  explicit PatternOracle(unsigned seed) : random(seed) {}

  int pick(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  }

  std::unique_ptr<Example> make(bool isSymbolic) {
    auto example = std::make_unique<Example>();
    HandModel &hand = example->hand;
    example->n = hand.param("n");
    example->coordinates.push_back(hand.globalId(0));
    const int loops = pick(1, 2);
    for (int loop = 0; loop < loops; ++loop)
      example->coordinates.push_back(hand.iterator("i" + std::to_string(loop)));
    const int rank = pick(1, 3);
    std::vector<Polynomial> extents(rank, num(1000)), subscripts;
    extents[0] = Polynomial();
    unsigned array = hand.array("A", extents);
    hand.statement("w0 >= 0");
    for (int row = 0; row < rank; ++row)
      subscripts.push_back(makeRow(*example, isSymbolic));
    example->access = hand.access(array, subscripts);
    example->axis =
        example->coordinates[pick(0, example->coordinates.size() - 1)];
    example->step = pick(0, 3) ? 1 : pick(0, 1) ? -1 : 2;
    return example;
  }

  Point makePoint(const Example &example) {
    Point point;
    for (SymbolId coordinate : example.coordinates)
      point[coordinate] = pick(-9, 9);
    // Beyond the zeros of all denominators, such as n - 2.
    point[example.n] = pick(100, 150);
    return point;
  }

private:
  /// Mostly zeros and ones, as in programs; sometimes n as a coefficient.
  Polynomial makeRow(Example &example, bool isSymbolic) {
    Polynomial row;
    std::vector<int> factors;
    for (SymbolId coordinate : example.coordinates) {
      int factor = pick(0, 2) ? pick(0, 1) : pick(-2, 2);
      factors.push_back(factor);
      Polynomial term = sym(coordinate) * num(factor);
      if (isSymbolic && pick(0, 4) == 0)
        term = term * sym(example.n);
      row = row + term;
    }
    if (pick(0, 1))
      row = row + num(pick(-3, 3));
    if (isSymbolic && pick(0, 2) == 0)
      row = row + sym(example.n) * num(pick(-2, 2));
    example.coefficients.push_back(factors);
    return row;
  }

  std::mt19937 random;
};

/// Subscripts at a point of the stepped axis: its value is step * t.
std::vector<double> subscriptsAt(const Example &example, const Point &point) {
  Point stepped = point;
  stepped[example.axis] *= example.step;
  std::vector<double> values;
  for (const Polynomial &subscript : example.reference().subscripts)
    values.push_back(evaluate(subscript, stepped));
  return values;
}

/// T s + delta, from the subscripts themselves instead of the matrix f.
std::vector<double> transformed(const Pattern &pattern, const Example &example,
                                const Point &point) {
  std::vector<double> subscripts = subscriptsAt(example, point), result;
  for (size_t row = 0; row < pattern.transform.size(); ++row) {
    double sum = 0;
    for (size_t column = 0; column < subscripts.size(); ++column)
      sum +=
          evaluate(pattern.transform[row][column], point) * subscripts[column];
    for (size_t column = 0; column < pattern.delta[row].size(); ++column) {
      Polynomial factor;
      factor.terms[pattern.access.columns[column]] = 1;
      sum +=
          evaluate(pattern.delta[row][column], point) * evaluate(factor, point);
    }
    result.push_back(sum);
  }
  return result;
}

/// By enumeration: the axis can be separated from the other coordinates unless
/// some move of all coordinates that includes the axis leaves every subscript
/// as it is. Moves of up to eight steps suffice for coefficients up to two in
/// three coordinates (they are minors of two rows).
bool isSeparable(const Example &example) {
  const int bound = 8;
  std::vector<int> move(example.coordinates.size(), -bound);
  unsigned axis = 0;
  while (example.coordinates[axis] != example.axis)
    ++axis;
  auto leavesAll = [&] {
    for (const std::vector<int> &row : example.coefficients) {
      int sum = 0;
      for (size_t at = 0; at < move.size(); ++at)
        sum += row[at] * move[at];
      if (sum)
        return false;
    }
    return true;
  };
  while (true) {
    if (move[axis] != 0 && leavesAll())
      return false;
    size_t at = 0;
    while (at < move.size() && ++move[at] > bound)
      move[at++] = -bound;
    if (at == move.size())
      return true;
  }
}

void expectForward(const Pattern &pattern, const Example &example,
                   PatternOracle &oracle) {
  for (int sample = 0; sample < 6; ++sample) {
    Point point = oracle.makePoint(example), next = point;
    next[example.axis] += 1;
    std::vector<double> here = transformed(pattern, example, point);
    std::vector<double> there = transformed(pattern, example, next);
    EXPECT_NEAR(here.back(), point[example.axis], 1e-6);
    for (size_t row = 0; row + 1 < here.size(); ++row)
      EXPECT_NEAR(here[row], there[row], 1e-6);
  }
}

/// The subscripts that the parts describe: they are put back, last one first,
/// on top of the forward form.
std::vector<double> rebuilt(const Pattern &pattern, const Example &example,
                            const Point &point) {
  std::vector<double> rows = transformed(pattern, example, point);
  double &last = rows.back();
  // An offset counts cells of the original array, before the stride.
  for (const PatternPart &part : pattern.parts)
    if (part.kind == PatternKind::Stride)
      last *= evaluate(part.amount, point);
  for (auto part = pattern.parts.rbegin(); part != pattern.parts.rend();
       ++part) {
    if (part->kind == PatternKind::Offset)
      last += evaluate(part->amount, point);
    else if (part->kind == PatternKind::Skew)
      rows[part->target] += evaluate(part->amount, point) * rows[part->row];
    else if (part->kind == PatternKind::Reverse)
      last = -last;
    else if (part->kind == PatternKind::Column)
      std::swap(last, rows[part->row]);
  }
  return rows;
}

void expectPartsTell(const Pattern &pattern, const Example &example,
                     PatternOracle &oracle) {
  Point point = oracle.makePoint(example), other = oracle.makePoint(example);
  other[example.n] = point[example.n];
  std::vector<double> here = subscriptsAt(example, point);
  std::vector<double> there = subscriptsAt(example, other);
  std::vector<double> told = rebuilt(pattern, example, point);
  std::vector<double> toldThere = rebuilt(pattern, example, other);
  for (size_t row = 0; row < here.size(); ++row) {
    // Where a reversed copy starts is no part of the pattern.
    if (!pattern.has(PatternKind::Reverse)) {
      EXPECT_NEAR(told[row], here[row], 1e-6);
    }
    EXPECT_NEAR(told[row] - here[row], toldThere[row] - there[row], 1e-6);
  }
}

class PatternOracleTest : public ::testing::TestWithParam<bool> {};

/// F03.
TEST_P(PatternOracleTest, TransformsReachForward) {
  const bool isSymbolic = GetParam();
  PatternOracle oracle(isSymbolic ? 11 : 7);
  unsigned compatible = 0, broadcast = 0;
  for (int round = 0; round < 3000 && !HasFailure(); ++round) {
    auto example = oracle.make(isSymbolic);
    std::string subscripts;
    for (const Polynomial &subscript : example->reference().subscripts)
      subscripts += "[" + subscript.str([&](SymbolId id) {
        return example->hand.model.symbols.name(id);
      }) + "]";
    SCOPED_TRACE("round " + std::to_string(round) + ": A" + subscripts +
                 " along " + example->hand.model.symbols.name(example->axis) +
                 " by " + std::to_string(example->step));
    Pattern pattern = classify(example->hand.model, example->reference(),
                               example->axis, example->step);
    if (!isSymbolic) {
      EXPECT_EQ(pattern.isCompatible, isSeparable(*example))
          << pattern.str(example->hand.model);
    }
    broadcast += pattern.has(PatternKind::Broadcast);
    if (!pattern.isCompatible)
      continue;
    ++compatible;
    EXPECT_EQ(rankOf(pattern.transform), pattern.transform.size());
    for (size_t row = 0; row + 1 < pattern.delta.size(); ++row)
      for (const Ratio &entry : pattern.delta[row])
        EXPECT_TRUE(entry.isZero());
    expectForward(pattern, *example, oracle);
    expectPartsTell(pattern, *example, oracle);
  }
  EXPECT_GT(compatible, 800u);
  EXPECT_GT(broadcast, 200u);
}

INSTANTIATE_TEST_SUITE_P(All, PatternOracleTest, ::testing::Bool(),
                         [](const auto &value) {
                           return value.param ? "Symbolic" : "Constant";
                         });

} // namespace
