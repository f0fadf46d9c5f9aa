//===- RationalMatrix.cpp - small matrices of polynomial fractions --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/AccessPatternTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/ranges/RationalMatrix.h"

#include <algorithm>
#include <numeric>

using namespace clopt;

//===-- Fractions ---------------------------------------------------------===//

/// The greatest integer that divides every coefficient; 0 for zero.
static int64_t contentOf(const Polynomial &poly) {
  int64_t content = 0;
  for (const auto &[monomial, coefficient] : poly.terms)
    content = std::gcd(content, coefficient);
  return content;
}

/// The symbols that every term has.
static Monomial commonMonomial(const Polynomial &poly) {
  if (poly.terms.empty())
    return {};
  Monomial common = poly.terms.begin()->first;
  for (const auto &[monomial, coefficient] : poly.terms) {
    Monomial both;
    std::set_intersection(common.begin(), common.end(), monomial.begin(),
                          monomial.end(), std::back_inserter(both));
    common = both;
  }
  return common;
}

Ratio::Ratio(Polynomial above, Polynomial below)
    : numerator(std::move(above)), denominator(std::move(below)) {
  if (numerator.overflow || denominator.overflow)
    return;
  if (numerator.isZero()) {
    denominator = Polynomial(1);
    return;
  }
  // A quotient without remainder covers fractions such as (2n + 2) / (n + 1).
  Polynomial::Division division = numerator.divideBy(denominator);
  if (division.remainder.isZero()) {
    numerator = division.quotient;
    denominator = Polynomial(1);
    return;
  }
  int64_t factor = std::gcd(contentOf(numerator), contentOf(denominator));
  if (denominator.terms.rbegin()->second < 0)
    factor = -factor;
  Monomial left = commonMonomial(numerator);
  Monomial right = commonMonomial(denominator);
  Monomial common;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::back_inserter(common));
  numerator = *numerator.divideExactly(common, factor);
  denominator = *denominator.divideExactly(common, factor);
}

Ratio Ratio::operator+(const Ratio &other) const {
  if (denominator == other.denominator)
    return Ratio(numerator + other.numerator, denominator);
  return Ratio(numerator * other.denominator + other.numerator * denominator,
               denominator * other.denominator);
}

Ratio Ratio::operator-(const Ratio &other) const {
  return *this + Ratio(-other.numerator, other.denominator);
}

Ratio Ratio::operator*(const Ratio &other) const {
  return Ratio(numerator * other.numerator, denominator * other.denominator);
}

Ratio Ratio::operator/(const Ratio &other) const {
  return Ratio(numerator * other.denominator, denominator * other.numerator);
}

bool Ratio::operator==(const Ratio &other) const {
  return numerator * other.denominator == other.numerator * denominator;
}

bool Ratio::overflowed() const {
  return numerator.overflow || denominator.overflow;
}

std::optional<Polynomial> Ratio::asPolynomial() const {
  if (overflowed() || denominator != Polynomial(1))
    return std::nullopt;
  return numerator;
}

std::optional<int64_t> Ratio::asConstant() const {
  std::optional<Polynomial> poly = asPolynomial();
  return poly ? poly->asConstant() : std::nullopt;
}

std::string
Ratio::str(const std::function<std::string(SymbolId)> &nameOf) const {
  auto text = [&](const Polynomial &poly) {
    std::string result = poly.str(nameOf);
    bool isSimple = result.find_first_of(" *") == std::string::npos;
    return isSimple ? result : "(" + result + ")";
  };
  if (denominator == Polynomial(1))
    return numerator.str(nameOf);
  return text(numerator) + "/" + text(denominator);
}

//===-- Matrices ----------------------------------------------------------===//

RationalMatrix clopt::identityMatrix(unsigned size) {
  RationalMatrix result(size, std::vector<Ratio>(size));
  for (unsigned row = 0; row < size; ++row)
    result[row][row] = Ratio(Polynomial(1));
  return result;
}

RationalMatrix clopt::multiply(const RationalMatrix &left,
                               const RationalMatrix &right) {
  const size_t columns = right.empty() ? 0 : right.front().size();
  RationalMatrix result(left.size(), std::vector<Ratio>(columns));
  for (size_t row = 0; row < left.size(); ++row)
    for (size_t column = 0; column < columns; ++column)
      for (size_t inner = 0; inner < right.size(); ++inner)
        result[row][column] =
            result[row][column] + left[row][inner] * right[inner][column];
  return result;
}

RationalMatrix clopt::add(const RationalMatrix &left,
                          const RationalMatrix &right) {
  RationalMatrix result = left;
  for (size_t row = 0; row < left.size(); ++row)
    for (size_t column = 0; column < left[row].size(); ++column)
      result[row][column] = left[row][column] + right[row][column];
  return result;
}

/// Subtracts multiples of `matrix[pivot]` so that no other row has anything
/// in `column`.
static void eliminate(RationalMatrix &matrix, size_t pivot, size_t column) {
  for (size_t row = 0; row < matrix.size(); ++row) {
    if (row == pivot || matrix[row][column].isZero())
      continue;
    Ratio factor = matrix[row][column] / matrix[pivot][column];
    for (size_t at = 0; at < matrix[row].size(); ++at)
      matrix[row][at] = matrix[row][at] - factor * matrix[pivot][at];
  }
}

/// Row echelon form over the first `columns` columns; gives the column of each
/// pivot row.
static std::vector<size_t> reduce(RationalMatrix &matrix, size_t columns) {
  std::vector<size_t> pivots;
  for (size_t column = 0; column < columns; ++column) {
    size_t next = pivots.size();
    size_t found = next;
    while (found < matrix.size() && matrix[found][column].isZero())
      ++found;
    if (found == matrix.size())
      continue;
    std::swap(matrix[next], matrix[found]);
    eliminate(matrix, next, column);
    pivots.push_back(column);
  }
  return pivots;
}

std::optional<std::vector<Ratio>>
clopt::solveRowCombination(const RationalMatrix &rows,
                           const std::vector<Ratio> &target) {
  // One equation per column of `rows`: sum of y[r] * rows[r][c] = target[c].
  RationalMatrix system(target.size(), std::vector<Ratio>(rows.size() + 1));
  for (size_t column = 0; column < target.size(); ++column) {
    for (size_t row = 0; row < rows.size(); ++row)
      system[column][row] = rows[row][column];
    system[column][rows.size()] = target[column];
  }
  std::vector<size_t> pivots = reduce(system, rows.size());
  for (size_t equation = pivots.size(); equation < system.size(); ++equation)
    if (!system[equation][rows.size()].isZero())
      return std::nullopt;
  std::vector<Ratio> result(rows.size());
  for (size_t equation = 0; equation < pivots.size(); ++equation)
    result[pivots[equation]] =
        system[equation][rows.size()] / system[equation][pivots[equation]];
  return result;
}

unsigned clopt::rankOf(RationalMatrix matrix) {
  return matrix.empty() ? 0 : reduce(matrix, matrix.front().size()).size();
}

std::string clopt::str(const RationalMatrix &matrix,
                       const std::function<std::string(SymbolId)> &nameOf) {
  std::string text = "(";
  for (size_t row = 0; row < matrix.size(); ++row) {
    text += row ? "; " : "";
    for (size_t column = 0; column < matrix[row].size(); ++column)
      text += (column ? " " : "") + matrix[row][column].str(nameOf);
  }
  return text + ")";
}
