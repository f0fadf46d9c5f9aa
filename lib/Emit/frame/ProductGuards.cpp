//===- ProductGuards.cpp - checks of products that cannot wrap ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ProductGuardsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/ProductGuards.h"

#include <algorithm>

namespace clopt {

namespace {

using Wide = unsigned __int128;

/// Largest value that a checked part of a term may have.
constexpr uint64_t LargestFactor = UINT32_MAX;

struct Term {
  std::string text;
  Wide maximum = 0;
  bool isProduct = false;
};

class BoundPrinter {
public:
  BoundPrinter(const ProductBound &wanted,
               const std::map<SymbolId, ProductFactor> &known)
      : bound(wanted), factors(known) {}
  std::vector<Conjunct> run();

private:
  ProductFactor factorOf(SymbolId id);
  Term termOf(const Monomial &monomial, int64_t coefficient);
  void check(const std::string &text, uint64_t maximum, bool isComputed);
  void limitSum(std::vector<Term> &terms);

  const ProductBound &bound;
  std::map<SymbolId, ProductFactor> factors;
  std::vector<Conjunct> conditions;
};

} // namespace

void BoundPrinter::check(const std::string &text, uint64_t maximum,
                         bool isComputed) {
  Conjunct condition(UpperBound{text, maximum});
  if (isComputed)
    condition.computed =
        ComputedSide{"ulong", text, " <= " + std::to_string(maximum)};
  if (std::find(conditions.begin(), conditions.end(), condition) ==
      conditions.end())
    conditions.push_back(condition);
}

/// The factor, below 2^32 from here on.
ProductFactor BoundPrinter::factorOf(SymbolId id) {
  ProductFactor &factor = factors[id];
  if (factor.maximum > LargestFactor) {
    check(factor.text, LargestFactor, false);
    factor.maximum = LargestFactor;
  }
  return factor;
}

Term BoundPrinter::termOf(const Monomial &monomial, int64_t coefficient) {
  Term term;
  term.isProduct = monomial.size() > 1 || coefficient != 1;
  term.maximum = 1;
  for (SymbolId id : monomial) {
    ProductFactor factor = factorOf(id);
    if (term.maximum * factor.maximum > UINT64_MAX) {
      uint64_t most = std::min<uint64_t>(static_cast<uint64_t>(bound.maximum),
                                         LargestFactor);
      check(term.text, most, true);
      term.maximum = most;
    }
    term.maximum *= factor.maximum;
    if (term.text.empty())
      term.text = (term.isProduct ? "(ulong)" : "") + factor.text;
    else
      term.text += " * " + factor.text;
  }
  if (coefficient == 1)
    return term;
  if (term.maximum * static_cast<uint64_t>(coefficient) > UINT64_MAX) {
    uint64_t most = static_cast<uint64_t>(bound.maximum / coefficient);
    check(term.text, most, true);
    term.maximum = most;
  }
  term.maximum *= static_cast<uint64_t>(coefficient);
  term.text += " * " + std::to_string(coefficient);
  return term;
}

/// Checks single terms until the sum of all cannot leave 64 bits.
void BoundPrinter::limitSum(std::vector<Term> &terms) {
  Wide most = static_cast<uint64_t>(bound.maximum);
  Wide sum = 0;
  for (const Term &term : terms)
    sum += term.maximum;
  for (Term &term : terms) {
    if (sum <= UINT64_MAX)
      return;
    if (term.maximum <= most)
      continue;
    check(term.text, bound.maximum, term.isProduct);
    sum -= term.maximum - most;
    term.maximum = most;
  }
}

std::vector<Conjunct> BoundPrinter::run() {
  std::vector<Term> terms;
  for (const auto &[monomial, coefficient] : bound.poly.terms)
    terms.push_back(termOf(monomial, coefficient));
  std::stable_sort(
      terms.begin(), terms.end(),
      [](const Term &a, const Term &b) { return a.isProduct > b.isProduct; });
  limitSum(terms);
  std::string sum;
  for (const Term &term : terms)
    sum += (sum.empty() ? "" : " + ") + term.text;
  if (terms.size() > 1 && !terms.front().isProduct)
    sum = "(ulong)" + sum;
  if (!terms.empty())
    check(sum, static_cast<uint64_t>(bound.maximum),
          terms.size() > 1 || terms.front().isProduct);
  return std::move(conditions);
}

std::vector<Conjunct>
printProductBound(const ProductBound &bound,
                  const std::map<SymbolId, ProductFactor> &factors) {
  return BoundPrinter(bound, factors).run();
}

} // namespace clopt
