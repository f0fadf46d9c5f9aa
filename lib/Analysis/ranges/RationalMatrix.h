//===- RationalMatrix.h - small matrices of polynomial fractions -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrices of the data-space transform f' = T f + delta have entries such
// as 1/5 or 1/n. They have at most a handful of rows, so plain fractions of
// polynomials are enough.
//
// Tested by test/unit/AccessPatternTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_RATIONALMATRIX_H
#define CLOPT_ANALYSIS_RATIONALMATRIX_H

#include "Model/Polynomial.h"

#include <functional>
#include <string>
#include <vector>

namespace clopt {

/// A fraction of two polynomials; the denominator is never zero as a
/// polynomial. Kept in lowest terms as far as integers and single monomials
/// go; equality is exact all the same.
struct Ratio {
  Polynomial numerator;
  Polynomial denominator = Polynomial(1);

  Ratio() = default;
  Ratio(Polynomial numerator, Polynomial denominator = Polynomial(1));

  Ratio operator+(const Ratio &other) const;
  Ratio operator-(const Ratio &other) const;
  Ratio operator*(const Ratio &other) const;
  /// `other` must not be zero.
  Ratio operator/(const Ratio &other) const;
  bool operator==(const Ratio &other) const;
  bool operator!=(const Ratio &other) const { return !(*this == other); }

  bool isZero() const { return numerator.isZero(); }
  bool overflowed() const;
  /// The value when it is an integer constant.
  std::optional<int64_t> asConstant() const;
  /// The numerator when the denominator is 1.
  std::optional<Polynomial> asPolynomial() const;
  /// "2", "1/5", "n", "1/n", "(n + 1)/2".
  std::string str(const std::function<std::string(SymbolId)> &nameOf) const;
};

/// Rows of equal length.
using RationalMatrix = std::vector<std::vector<Ratio>>;

RationalMatrix identityMatrix(unsigned size);
RationalMatrix multiply(const RationalMatrix &left,
                        const RationalMatrix &right);
RationalMatrix add(const RationalMatrix &left, const RationalMatrix &right);

/// Factors y with y[0] * rows[0] + y[1] * rows[1] + ... = target, or nothing
/// when there are none. Rows that are not needed get zero.
std::optional<std::vector<Ratio>>
solveRowCombination(const RationalMatrix &rows,
                    const std::vector<Ratio> &target);

/// Number of linearly independent rows.
unsigned rankOf(RationalMatrix matrix);

/// "(1 0 0 0; 0 1 0 2)"
std::string str(const RationalMatrix &matrix,
                const std::function<std::string(SymbolId)> &nameOf);

} // namespace clopt

#endif // CLOPT_ANALYSIS_RATIONALMATRIX_H
