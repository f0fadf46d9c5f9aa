//===- Polynomial.cpp - integer polynomials over model symbols -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms are kept in a map from sorted monomials to coefficients, so that equal
// polynomials have equal representations and every listing is deterministic.
//
// Tested by test/unit/PolynomialTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/Polynomial.h"

#include <algorithm>
#include <set>

namespace clopt {

//===-- Arithmetic --------------------------------------------------------===//

Polynomial::Polynomial(int64_t constant) {
  if (constant != 0)
    terms[{}] = constant;
}

Polynomial Polynomial::symbol(SymbolId id) {
  Polynomial result;
  result.terms[{id}] = 1;
  return result;
}

/// Adds `coefficient` * `monomial` to `poly`; marks it when 64 bits are left.
static void addTerm(Polynomial &poly, const Monomial &monomial,
                    int64_t coefficient) {
  auto [it, inserted] = poly.terms.try_emplace(monomial, 0);
  if (__builtin_add_overflow(it->second, coefficient, &it->second))
    poly.overflow = true;
  if (it->second == 0)
    poly.terms.erase(it);
}

Polynomial Polynomial::operator+(const Polynomial &other) const {
  Polynomial result = *this;
  result.overflow |= other.overflow;
  for (const auto &[monomial, coefficient] : other.terms)
    addTerm(result, monomial, coefficient);
  return result;
}

Polynomial Polynomial::operator-() const { return *this * Polynomial(-1); }

Polynomial Polynomial::operator-(const Polynomial &other) const {
  return *this + -other;
}

Polynomial Polynomial::operator*(const Polynomial &other) const {
  Polynomial result;
  result.overflow = overflow || other.overflow;
  for (const auto &[left, leftCoefficient] : terms)
    for (const auto &[right, rightCoefficient] : other.terms) {
      Monomial product;
      product.reserve(left.size() + right.size());
      std::merge(left.begin(), left.end(), right.begin(), right.end(),
                 std::back_inserter(product));
      int64_t coefficient = 0;
      if (__builtin_mul_overflow(leftCoefficient, rightCoefficient,
                                 &coefficient))
        result.overflow = true;
      addTerm(result, product, coefficient);
    }
  return result;
}

bool Polynomial::operator==(const Polynomial &other) const {
  return overflow == other.overflow && terms == other.terms;
}

//===-- Questions ---------------------------------------------------------===//

std::optional<int64_t> Polynomial::asConstant() const {
  if (overflow)
    return std::nullopt;
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

std::optional<SymbolId> Polynomial::asSymbol() const {
  if (overflow || terms.size() != 1 || terms.begin()->first.size() != 1 ||
      terms.begin()->second != 1)
    return std::nullopt;
  return terms.begin()->first.front();
}

bool Polynomial::isAffine() const {
  if (overflow)
    return false;
  return std::all_of(terms.begin(), terms.end(),
                     [](const auto &term) { return term.first.size() <= 1; });
}

std::optional<Polynomial> Polynomial::coefficientOf(SymbolId id) const {
  Polynomial result;
  result.overflow = overflow;
  for (const auto &[monomial, coefficient] : terms) {
    auto [first, last] = std::equal_range(monomial.begin(), monomial.end(), id);
    if (first == last)
      continue;
    if (last - first > 1)
      return std::nullopt;
    Monomial rest(monomial.begin(), first);
    rest.insert(rest.end(), last, monomial.end());
    addTerm(result, rest, coefficient);
  }
  return result;
}

bool Polynomial::contains(SymbolId id) const {
  return std::any_of(terms.begin(), terms.end(), [&](const auto &term) {
    return std::binary_search(term.first.begin(), term.first.end(), id);
  });
}

Polynomial Polynomial::substitute(SymbolId id, const Polynomial &value) const {
  Polynomial result;
  result.overflow = overflow;
  for (const auto &[monomial, coefficient] : terms) {
    Polynomial product(coefficient);
    Monomial kept;
    for (SymbolId symbol : monomial) {
      if (symbol == id)
        product = product * value;
      else
        kept.push_back(symbol);
    }
    Polynomial factor;
    factor.terms[kept] = 1;
    result = result + product * factor;
  }
  return result;
}

/// `monomial` without the symbols of `divisor`, if it has them all.
static std::optional<Monomial> divide(const Monomial &monomial,
                                      const Monomial &divisor) {
  if (!std::includes(monomial.begin(), monomial.end(), divisor.begin(),
                     divisor.end()))
    return std::nullopt;
  Monomial result;
  std::set_difference(monomial.begin(), monomial.end(), divisor.begin(),
                      divisor.end(), std::back_inserter(result));
  return result;
}

std::optional<Polynomial> Polynomial::divideExactly(const Monomial &monomial,
                                                    int64_t coefficient) const {
  Polynomial result;
  result.overflow = overflow;
  for (const auto &[own, ownCoefficient] : terms) {
    std::optional<Monomial> rest = divide(own, monomial);
    if (!rest || coefficient == 0 || ownCoefficient % coefficient != 0)
      return std::nullopt;
    addTerm(result, *rest, ownCoefficient / coefficient);
  }
  return result;
}

/// A total order of monomials that multiplication respects: by degree, then
/// by symbols.
static bool isBefore(const Monomial &left, const Monomial &right) {
  if (left.size() != right.size())
    return left.size() > right.size();
  return left < right;
}

Polynomial::Division Polynomial::divideBy(const Polynomial &divisor) const {
  Division result;
  result.remainder.overflow = overflow || divisor.overflow;
  if (divisor.terms.empty() || result.remainder.overflow) {
    result.remainder = *this;
    return result;
  }
  auto lead = divisor.terms.begin();
  for (auto it = divisor.terms.begin(); it != divisor.terms.end(); ++it)
    if (isBefore(it->first, lead->first))
      lead = it;
  Polynomial work = *this;
  while (!work.terms.empty() && !work.overflow) {
    auto top = work.terms.begin();
    for (auto it = work.terms.begin(); it != work.terms.end(); ++it)
      if (isBefore(it->first, top->first))
        top = it;
    Polynomial term;
    term.terms[top->first] = top->second;
    std::optional<Monomial> rest = divide(top->first, lead->first);
    int64_t quotient = rest ? top->second / lead->second : 0;
    if (quotient != 0) {
      Polynomial part;
      part.terms[*rest] = quotient;
      result.quotient = result.quotient + part;
      work = work - part * divisor;
      Polynomial leftOver;
      // What the coefficient does not divide stays behind.
      auto again = work.terms.find(term.terms.begin()->first);
      if (again != work.terms.end()) {
        leftOver.terms[again->first] = again->second;
        result.remainder = result.remainder + leftOver;
        work = work - leftOver;
      }
      continue;
    }
    result.remainder = result.remainder + term;
    work = work - term;
  }
  result.remainder.overflow |= work.overflow;
  return result;
}

std::vector<SymbolId> Polynomial::symbols() const {
  std::set<SymbolId> found;
  for (const auto &term : terms)
    found.insert(term.first.begin(), term.first.end());
  return {found.begin(), found.end()};
}

//===-- Text --------------------------------------------------------------===//

static std::string
termText(const Monomial &monomial, uint64_t magnitude,
         const std::function<std::string(SymbolId)> &nameOf) {
  std::string text;
  if (magnitude != 1 || monomial.empty())
    text = std::to_string(magnitude);
  for (SymbolId symbol : monomial)
    text += (text.empty() ? "" : "*") + nameOf(symbol);
  return text;
}

std::string
Polynomial::str(const std::function<std::string(SymbolId)> &nameOf) const {
  if (overflow)
    return "overflow";
  if (terms.empty())
    return "0";
  std::vector<std::pair<Monomial, int64_t>> ordered(terms.begin(), terms.end());
  std::stable_sort(
      ordered.begin(), ordered.end(),
      [](const auto &a, const auto &b) { return isBefore(a.first, b.first); });
  // A leading minus reads badly when another term could come first.
  auto positive =
      std::find_if(ordered.begin(), ordered.end(),
                   [](const auto &term) { return term.second > 0; });
  if (positive != ordered.end())
    std::rotate(ordered.begin(), positive, positive + 1);
  std::string text;
  for (const auto &[monomial, coefficient] : ordered) {
    bool isNegative = coefficient < 0;
    uint64_t magnitude = isNegative ? 0 - static_cast<uint64_t>(coefficient)
                                    : static_cast<uint64_t>(coefficient);
    if (text.empty())
      text = isNegative ? "-" : "";
    else
      text += isNegative ? " - " : " + ";
    text += termText(monomial, magnitude, nameOf);
  }
  return text;
}

//===-- Conditions --------------------------------------------------------===//

bool operator==(const Condition &left, const Condition &right) {
  return left.kind == right.kind && left.poly == right.poly &&
         left.operands == right.operands;
}

Condition negate(const Condition &condition) {
  switch (condition.kind) {
  case Condition::Kind::True:
    return {Condition::Kind::False, {}, {}};
  case Condition::Kind::False:
    return {Condition::Kind::True, {}, {}};
  case Condition::Kind::NonNegative: // p < 0 is -p - 1 >= 0
    return {Condition::Kind::NonNegative, -condition.poly - Polynomial(1), {}};
  case Condition::Kind::Not:
    return condition.operands.front();
  case Condition::Kind::Zero:
    return {Condition::Kind::Not, {}, {condition}};
  case Condition::Kind::And:
  case Condition::Kind::Or:
    break;
  }
  Condition result;
  result.kind = condition.kind == Condition::Kind::And ? Condition::Kind::Or
                                                       : Condition::Kind::And;
  for (const Condition &operand : condition.operands)
    result.operands.push_back(negate(operand));
  return result;
}

/// And or Or of two conditions; `neutral` is what changes nothing.
static Condition join(Condition::Kind kind, Condition::Kind neutral,
                      Condition::Kind absorbing, const Condition &left,
                      const Condition &right) {
  if (left.kind == neutral || right.kind == absorbing)
    return right;
  if (right.kind == neutral || left.kind == absorbing)
    return left;
  Condition result;
  result.kind = kind;
  for (const Condition &side : {left, right}) {
    if (side.kind == kind)
      result.operands.insert(result.operands.end(), side.operands.begin(),
                             side.operands.end());
    else
      result.operands.push_back(side);
  }
  return result;
}

Condition conjunction(const Condition &left, const Condition &right) {
  return join(Condition::Kind::And, Condition::Kind::True,
              Condition::Kind::False, left, right);
}

Condition disjunction(const Condition &left, const Condition &right) {
  return join(Condition::Kind::Or, Condition::Kind::False,
              Condition::Kind::True, left, right);
}

std::string str(const Condition &condition,
                const std::function<std::string(SymbolId)> &nameOf) {
  switch (condition.kind) {
  case Condition::Kind::True:
    return "true";
  case Condition::Kind::False:
    return "false";
  case Condition::Kind::NonNegative:
    return condition.poly.str(nameOf) + " >= 0";
  case Condition::Kind::Zero:
    return condition.poly.str(nameOf) + " == 0";
  case Condition::Kind::Not:
    return "!(" + str(condition.operands.front(), nameOf) + ")";
  case Condition::Kind::And:
  case Condition::Kind::Or:
    break;
  }
  const char *separator =
      condition.kind == Condition::Kind::And ? " && " : " || ";
  std::string text;
  for (const Condition &operand : condition.operands)
    text += (text.empty() ? "(" : separator) + str(operand, nameOf);
  return text + ")";
}

//===-- Symbols -----------------------------------------------------------===//

SymbolId SymbolTable::add(Symbol symbol) {
  std::string base = symbol.name.empty() ? "t" : symbol.name;
  std::string name = base;
  auto isTaken = [&](const std::string &candidate) {
    return std::any_of(
        symbols.begin(), symbols.end(),
        [&](const Symbol &other) { return other.name == candidate; });
  };
  for (unsigned suffix = 1; isTaken(name); ++suffix)
    name = base + "_" + std::to_string(suffix);
  symbol.name = name;
  symbols.push_back(std::move(symbol));
  return symbols.size() - 1;
}

std::optional<SymbolId> SymbolTable::find(SymbolKind kind, unsigned dim) const {
  for (SymbolId id = 0; id < symbols.size(); ++id)
    if (symbols[id].kind == kind && symbols[id].dim == dim)
      return id;
  return std::nullopt;
}

std::optional<SymbolId> SymbolTable::findVariable(const Variable *var) const {
  for (SymbolId id = 0; id < symbols.size(); ++id)
    if (symbols[id].var == var && symbols[id].kind == SymbolKind::Param)
      return id;
  return std::nullopt;
}

/// The symbol with the same definition, or a new one.
static SymbolId intern(std::vector<Symbol> &symbols, SymbolTable &table,
                       Symbol symbol) {
  for (SymbolId id = 0; id < symbols.size(); ++id) {
    const Symbol &other = symbols[id];
    if (other.kind == symbol.kind && other.constant == symbol.constant &&
        other.first == symbol.first && other.second == symbol.second &&
        other.condition == symbol.condition)
      return id;
  }
  return table.add(std::move(symbol));
}

SymbolId SymbolTable::floorDiv(const Polynomial &value, int64_t divisor) {
  Symbol symbol;
  symbol.kind = SymbolKind::FloorDiv;
  symbol.name = "q0";
  symbol.first = value;
  symbol.constant = divisor;
  return intern(symbols, *this, std::move(symbol));
}

SymbolId SymbolTable::modulo(const Polynomial &value, int64_t divisor) {
  Symbol symbol;
  symbol.kind = SymbolKind::Modulo;
  symbol.name = "r0";
  symbol.first = value;
  symbol.constant = divisor;
  symbol.minimum = 0;
  symbol.maximum = divisor - 1;
  return intern(symbols, *this, std::move(symbol));
}

SymbolId SymbolTable::select(const Condition &condition,
                             const Polynomial &ifTrue,
                             const Polynomial &ifFalse) {
  Symbol symbol;
  symbol.kind = SymbolKind::Select;
  symbol.name = "s0";
  symbol.first = ifTrue;
  symbol.second = ifFalse;
  symbol.condition = condition;
  return intern(symbols, *this, std::move(symbol));
}

} // namespace clopt
