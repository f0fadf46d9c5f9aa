//===- SizeTerms.cpp - sizes as expressions over names --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/SizeTermsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/SizeTerms.h"

#include <algorithm>

namespace clopt {

Polynomial SizeTerms::make(Kind kind, const std::string &name,
                           const Polynomial &first, const Polynomial &second) {
  for (SymbolId id = 0; id < terms.size(); ++id)
    if (terms[id].kind == kind && terms[id].name == name &&
        terms[id].first == first && terms[id].second == second)
      return Polynomial::symbol(id);
  terms.push_back({kind, name, first, second});
  return Polynomial::symbol(static_cast<SymbolId>(terms.size() - 1));
}

Polynomial SizeTerms::name(const std::string &name) {
  return make(Kind::Name, name, Polynomial(), Polynomial());
}

/// With every size one more than what is left of it, a polynomial without
/// negative coefficients is not negative.
bool SizeTerms::isAtLeast(const Polynomial &x, const Polynomial &y) const {
  for (SymbolId id : y.symbols())
    if (terms[id].kind == Kind::Larger && y == Polynomial::symbol(id))
      return isAtLeast(x, terms[id].first) && isAtLeast(x, terms[id].second);
  Polynomial difference = x - y;
  for (SymbolId id : difference.symbols())
    if (terms[id].kind == Kind::Name)
      difference =
          difference.substitute(id, Polynomial::symbol(id) + Polynomial(1));
  return !difference.overflowed() &&
         std::all_of(difference.terms.begin(), difference.terms.end(),
                     [](const auto &term) { return term.second > 0; });
}

Polynomial SizeTerms::larger(const Polynomial &x, const Polynomial &y) {
  if (isAtLeast(x, y))
    return x;
  return isAtLeast(y, x) ? y : make(Kind::Larger, "", x, y);
}

Polynomial SizeTerms::smaller(const Polynomial &x, const Polynomial &y) {
  if (isAtLeast(x, y))
    return y;
  return isAtLeast(y, x) ? x : make(Kind::Smaller, "", x, y);
}

static int64_t floorOf(int64_t value, int64_t divisor) {
  return value / divisor - (value % divisor < 0);
}

Polynomial SizeTerms::floorDiv(const Polynomial &value,
                               const Polynomial &divisor) {
  const std::optional<int64_t> by = divisor.asConstant();
  if (by == 1)
    return value;
  if (by && *by > 1) {
    if (std::optional<int64_t> constant = value.asConstant())
      return Polynomial(floorOf(*constant, *by));
    if (std::optional<Polynomial> exact = value.divideExactly({}, *by))
      return *exact;
  }
  return make(Kind::FloorDiv, "", value, divisor);
}

Polynomial SizeTerms::ceilDiv(const Polynomial &value,
                              const Polynomial &divisor) {
  const std::optional<int64_t> by = divisor.asConstant();
  if (by && *by >= 1 && (*by == 1 || value.asConstant()))
    return floorDiv(value + Polynomial(*by - 1), divisor);
  if (by && *by > 1)
    if (std::optional<Polynomial> exact = value.divideExactly({}, *by))
      return *exact;
  return make(Kind::CeilDiv, "", value, divisor);
}

Polynomial SizeTerms::roundUp(const Polynomial &value, const Polynomial &step) {
  return step * ceilDiv(value, step);
}

/// `isMultiple`: a quotient times its divisor.
std::string SizeTerms::textOf(const Term &term, bool isMultiple) const {
  switch (term.kind) {
  case Kind::Name:
    return term.name;
  case Kind::Larger:
    return "max(" + text(term.first) + ", " + text(term.second) + ")";
  case Kind::Smaller:
    return "min(" + text(term.first) + ", " + text(term.second) + ")";
  case Kind::FloorDiv:
    return "((" + text(term.first) + ") // (" + text(term.second) + "))";
  case Kind::CeilDiv:
    return (isMultiple ? "roundup(" : "ceildiv(") + text(term.first) + ", " +
           text(term.second) + ")";
  }
  return "";
}

std::string SizeTerms::text(const Polynomial &value) const {
  // `4 * ceildiv(n, 4)` is shown as a multiple: a symbol behind those of terms
  // stands for it.
  const auto count = static_cast<SymbolId>(terms.size());
  Polynomial shown;
  for (const auto &[monomial, coefficient] : value.terms) {
    Polynomial product(coefficient);
    for (SymbolId id : monomial) {
      const std::optional<int64_t> divisor = terms[id].second.asConstant();
      std::optional<Polynomial> quotient;
      if (terms[id].kind == Kind::CeilDiv && divisor)
        quotient = product.divideExactly({}, *divisor);
      product = quotient ? *quotient * Polynomial::symbol(count + id)
                         : product * Polynomial::symbol(id);
    }
    shown = shown + product;
  }
  return shown.str([this, count](SymbolId id) {
    return textOf(terms[id % count], id >= count);
  });
}

std::vector<std::string> SizeTerms::namesIn(const Polynomial &value) const {
  std::vector<std::string> names;
  for (SymbolId id : value.symbols()) {
    if (terms[id].kind == Kind::Name) {
      names.push_back(terms[id].name);
      continue;
    }
    for (const Polynomial *part : {&terms[id].first, &terms[id].second})
      for (const std::string &name : namesIn(*part))
        names.push_back(name);
  }
  return names;
}

std::optional<int64_t>
SizeTerms::value(const Polynomial &of,
                 const std::map<std::string, int64_t> &sizes) const {
  auto termValue = [&](const Term &term) -> std::optional<int64_t> {
    if (term.kind == Kind::Name) {
      auto found = sizes.find(term.name);
      if (found == sizes.end())
        return std::nullopt;
      return found->second;
    }
    std::optional<int64_t> x = value(term.first, sizes),
                           y = value(term.second, sizes);
    if (!x || !y)
      return std::nullopt;
    if (term.kind == Kind::Larger)
      return std::max(*x, *y);
    if (term.kind == Kind::Smaller)
      return std::min(*x, *y);
    if (*y < 1)
      return std::nullopt;
    if (term.kind == Kind::FloorDiv)
      return floorOf(*x, *y);
    return floorOf(*x + *y - 1, *y);
  };
  if (of.overflowed())
    return std::nullopt;
  __int128 sum = 0;
  constexpr __int128 most = int64_t(1) << 48;
  for (const auto &[monomial, coefficient] : of.terms) {
    __int128 product = coefficient;
    for (SymbolId id : monomial) {
      std::optional<int64_t> factor = termValue(terms[id]);
      if (!factor)
        return std::nullopt;
      product *= *factor;
      if (product > most || product < -most)
        return std::nullopt;
    }
    sum += product;
  }
  if (sum > most || sum < -most)
    return std::nullopt;
  return static_cast<int64_t>(sum);
}

} // namespace clopt
