//===- ModelValues.cpp - values and bounds of polynomials -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the walk needs to know of polynomials without isl: bounds from the
// ranges of symbols, and whether isl will be able to express them.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelDraft.h"

#include <algorithm>

namespace clopt {

Value Value::integer(Polynomial poly) {
  Value value;
  if (poly.overflowed())
    return value;
  value.kind = Kind::Integer;
  value.poly = std::move(poly);
  return value;
}

Value Value::pointer(unsigned array, std::optional<Polynomial> offset) {
  Value value;
  value.kind = Kind::Pointer;
  value.array = array;
  value.hasOffset = offset && !offset->overflowed();
  if (value.hasOffset)
    value.poly = *offset;
  return value;
}

Value Value::vector(std::vector<Value> lanes) {
  Value value;
  value.kind = Kind::Vector;
  value.lanes = std::move(lanes);
  return value;
}

bool Value::operator==(const Value &other) const {
  return kind == other.kind && poly == other.poly && array == other.array &&
         hasOffset == other.hasOffset && lanes == other.lanes;
}

//===-- Bounds ------------------------------------------------------------===//

static Interval add(const Interval &left, const Interval &right) {
  Interval result;
  if (left.minimum && right.minimum)
    result.minimum = *left.minimum + *right.minimum;
  if (left.maximum && right.maximum)
    result.maximum = *left.maximum + *right.maximum;
  return result;
}

/// Magnitudes above this count as unbounded, so that products stay in range.
static const WideInt Limit = static_cast<WideInt>(1) << 100;

static std::optional<WideInt> multiply(std::optional<WideInt> left,
                                       std::optional<WideInt> right) {
  if ((left && *left == 0) || (right && *right == 0))
    return 0;
  WideInt product = 0;
  if (!left || !right || __builtin_mul_overflow(*left, *right, &product) ||
      product > Limit || product < -Limit)
    return std::nullopt;
  return product;
}

static Interval multiply(const Interval &left, const Interval &right) {
  Interval result;
  bool isBounded =
      left.minimum && left.maximum && right.minimum && right.maximum;
  if (isBounded) {
    std::optional<WideInt> corners[4] = {multiply(left.minimum, right.minimum),
                                         multiply(left.minimum, right.maximum),
                                         multiply(left.maximum, right.minimum),
                                         multiply(left.maximum, right.maximum)};
    for (const auto &corner : corners)
      if (!corner)
        return result;
    auto [low, high] = std::minmax_element(
        corners, corners + 4,
        [](const auto &a, const auto &b) { return *a < *b; });
    return {*low, *high};
  }
  bool isNonNegative = left.minimum && *left.minimum >= 0 && right.minimum &&
                       *right.minimum >= 0;
  if (isNonNegative)
    result.minimum = multiply(left.minimum, right.minimum);
  return result;
}

static Interval boundsOfSymbol(const SymbolTable &symbols, SymbolId id) {
  const Symbol &symbol = symbols[id];
  Interval result;
  if (symbol.minimum)
    result.minimum = *symbol.minimum;
  if (symbol.maximum)
    result.maximum = *symbol.maximum;
  if (symbol.kind == SymbolKind::FloorDiv) {
    Interval value = boundsOf(symbols, symbol.first);
    auto floor = [&](WideInt v) {
      WideInt quotient = v / symbol.constant;
      return quotient * symbol.constant > v ? quotient - 1 : quotient;
    };
    if (value.minimum)
      result.minimum = floor(*value.minimum);
    if (value.maximum)
      result.maximum = floor(*value.maximum);
  }
  if (symbol.kind == SymbolKind::Select) {
    Interval first = boundsOf(symbols, symbol.first);
    Interval second = boundsOf(symbols, symbol.second);
    // max(p, 0) and the like: the condition bounds the chosen side.
    if (symbol.condition.kind == Condition::Kind::NonNegative) {
      if (symbol.condition.poly == symbol.first &&
          (!first.minimum || *first.minimum < 0))
        first.minimum = 0;
      if (symbol.condition.poly == -symbol.second - Polynomial(1) &&
          (!second.minimum || *second.minimum < 0))
        second.minimum = std::nullopt;
      if (-symbol.condition.poly - Polynomial(1) == symbol.second &&
          (!second.minimum || *second.minimum < 0))
        second.minimum = 0;
    }
    if (first.minimum && second.minimum)
      result.minimum = std::min(*first.minimum, *second.minimum);
    if (first.maximum && second.maximum)
      result.maximum = std::max(*first.maximum, *second.maximum);
  }
  return result;
}

Interval boundsOf(const SymbolTable &symbols, const Polynomial &poly) {
  if (poly.overflowed())
    return {};
  Interval result{0, 0};
  for (const auto &[monomial, coefficient] : poly.terms) {
    Interval term{coefficient, coefficient};
    for (SymbolId id : monomial)
      term = multiply(boundsOfSymbol(symbols, id), term);
    // A negative coefficient times something only known to be >= 0.
    if (!term.maximum && coefficient < 0) {
      Interval positive{1, 1};
      for (SymbolId id : monomial)
        positive = multiply(boundsOfSymbol(symbols, id), positive);
      if (positive.minimum)
        term.maximum = multiply(*positive.minimum, WideInt(coefficient));
    }
    result = add(result, term);
  }
  return result;
}

Interval rangeOf(const Type &type) {
  if (!type.isInteger())
    return {};
  if (type.scalar == ScalarKind::Bool)
    return {0, 1};
  unsigned bits = 8 * sizeOf(type.scalar);
  WideInt one = 1;
  if (type.isUnsigned())
    return {0, (one << bits) - 1};
  return {-(one << (bits - 1)), (one << (bits - 1)) - 1};
}

//===-- What isl can express ----------------------------------------------===//

Polynomial linearizeParams(SymbolTable &symbols, const Polynomial &poly) {
  Polynomial result;
  result.overflow = poly.overflow;
  for (const auto &[monomial, coefficient] : poly.terms) {
    bool isProduct =
        monomial.size() > 1 &&
        std::all_of(monomial.begin(), monomial.end(),
                    [&](SymbolId id) { return isParameter(symbols[id]); });
    Polynomial term;
    if (!isProduct) {
      term.terms[monomial] = coefficient;
      result = result + term;
      continue;
    }
    Symbol symbol;
    symbol.kind = SymbolKind::Product;
    symbol.first.terms[monomial] = 1;
    for (SymbolId id : monomial)
      symbol.name += (symbol.name.empty() ? "" : "_") + symbols[id].name;
    Interval bounds = boundsOf(symbols, symbol.first);
    if (bounds.minimum && *bounds.minimum >= INT64_MIN &&
        *bounds.minimum <= INT64_MAX)
      symbol.minimum = static_cast<int64_t>(*bounds.minimum);
    SymbolId found = symbols.size();
    for (SymbolId id = 0; id < symbols.size(); ++id)
      if (symbols[id].kind == SymbolKind::Product && !isQuotient(symbols[id]) &&
          symbols[id].first == symbol.first)
        found = id;
    if (found == symbols.size())
      found = symbols.add(std::move(symbol));
    term.terms[{found}] = coefficient;
    result = result + term;
  }
  return result;
}

Condition linearizeParams(SymbolTable &symbols, const Condition &condition) {
  Condition result = condition;
  result.poly = linearizeParams(symbols, condition.poly);
  for (Condition &operand : result.operands)
    operand = linearizeParams(symbols, operand);
  return result;
}

bool isAffine(const SymbolTable &symbols, const Polynomial &poly) {
  if (!poly.isAffine())
    return false;
  for (SymbolId id : poly.symbols()) {
    const Symbol &symbol = symbols[id];
    switch (symbol.kind) {
    case SymbolKind::Unknown:
      return false;
    case SymbolKind::FloorDiv:
    case SymbolKind::Modulo:
      if (!isAffine(symbols, symbol.first))
        return false;
      break;
    case SymbolKind::Select:
      if (!isAffine(symbols, symbol.first) ||
          !isAffine(symbols, symbol.second) ||
          !isAffine(symbols, symbol.condition))
        return false;
      break;
    default:
      break;
    }
  }
  return true;
}

bool isAffine(const SymbolTable &symbols, const Condition &condition) {
  return isAffine(symbols, condition.poly) &&
         std::all_of(condition.operands.begin(), condition.operands.end(),
                     [&](const Condition &operand) {
                       return isAffine(symbols, operand);
                     });
}

} // namespace clopt
