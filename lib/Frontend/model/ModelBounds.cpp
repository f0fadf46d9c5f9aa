//===- ModelBounds.cpp - when products stay within their type -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `l * n + i` is no expression of isl, so that it does not wrap is decided
// here: the loops and conditions around it bound l and i by arguments and
// launch sizes, and what remains, `rows*n <= 4294967296`, is checked at run
// time in 64 bits.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelRealizer.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

//===-- Signs -------------------------------------------------------------===//

bool Realizer::isNonNegative(const Polynomial &poly, unsigned context,
                             isl::set &assumed) {
  Polynomial linear = linearizeParams(model.symbols, poly);
  std::optional<isl::set> bad = violations(linear, {0, {}}, context);
  if (bad) {
    if (bad->is_empty())
      return true;
    std::optional<isl::set> good = conditionAgainst(*bad, contextSet(context));
    if (good)
      assumed = assumed.intersect(*good);
    return good.has_value();
  }
  // f = c * p + r with a parameter p >= 0: enough that c >= 0 and r >= 0.
  for (SymbolId id : poly.symbols()) {
    if (!isParameter(model.symbols[id]))
      continue;
    std::optional<Polynomial> coefficient = poly.coefficientOf(id);
    if (!coefficient || coefficient->asConstant())
      continue;
    Polynomial rest = poly - *coefficient * Polynomial::symbol(id);
    isl::set inner = assumed;
    if (isNonNegative(*coefficient, context, inner) &&
        isNonNegative(Polynomial::symbol(id), context, inner) &&
        isNonNegative(rest, context, inner)) {
      assumed = inner;
      return true;
    }
  }
  return false;
}

/// |symbol| <= bound for every symbol makes |poly| <= maximum.
static std::optional<int64_t> symbolBound(const Polynomial &poly,
                                          WideInt maximum) {
  for (int bits = 62; bits > 0; --bits) {
    WideInt bound = (static_cast<WideInt>(1) << bits) - 1;
    WideInt sum = 0;
    for (const auto &[monomial, coefficient] : poly.terms) {
      WideInt term = coefficient < 0 ? -static_cast<WideInt>(coefficient)
                                     : static_cast<WideInt>(coefficient);
      for (size_t factor = 0; factor < monomial.size(); ++factor)
        if (__builtin_mul_overflow(term, bound, &term))
          term = static_cast<WideInt>(1) << 120;
      if (__builtin_add_overflow(sum, term, &sum))
        sum = static_cast<WideInt>(1) << 120;
    }
    if (sum <= maximum)
      return static_cast<int64_t>(bound);
  }
  return std::nullopt;
}

/// A product is no isl expression; that its factors are small enough is one.
bool Realizer::isBounded(const Polynomial &poly, WideInt maximum,
                         unsigned context, isl::set &assumed) {
  std::optional<int64_t> bound = symbolBound(poly, maximum);
  if (!bound)
    return false;
  for (SymbolId id : poly.symbols()) {
    std::optional<isl::set> bad =
        violations(Polynomial::symbol(id),
                   {-static_cast<WideInt>(*bound), *bound}, context);
    if (!bad)
      return false;
    if (bad->is_empty())
      continue;
    std::optional<isl::set> good = conditionAgainst(*bad, contextSet(context));
    if (!good)
      return false;
    assumed = assumed.intersect(*good);
  }
  return true;
}

//===-- Bounds of coordinates ---------------------------------------------===//

/// constraint: a * v + rest >= 0; v <= rest when a is -1.
static std::optional<Polynomial>
boundFrom(isl_constraint *constraint, const KernelModel &model,
          const std::map<std::string, SymbolId> &byName) {
  if (isl_constraint_is_equality(constraint) == isl_bool_true ||
      isl_constraint_dim(constraint, isl_dim_div) > 0)
    return std::nullopt;
  isl::val own = isl::manage(
      isl_constraint_get_coefficient_val(constraint, isl_dim_set, 0));
  if (!isl_val_is_negone(own.get()))
    return std::nullopt;
  auto small = [](const isl::val &value) {
    return isl_val_cmp_si(value.get(), INT32_MIN) >= 0 &&
           isl_val_cmp_si(value.get(), INT32_MAX) <= 0;
  };
  isl::val constant = isl::manage(isl_constraint_get_constant_val(constraint));
  if (!small(constant))
    return std::nullopt;
  Polynomial bound(isl_val_get_num_si(constant.get()));
  int params = isl_constraint_dim(constraint, isl_dim_param);
  for (int at = 0; at < params; ++at) {
    isl::val factor = isl::manage(
        isl_constraint_get_coefficient_val(constraint, isl_dim_param, at));
    if (isl_val_is_zero(factor.get()))
      continue;
    auto found =
        byName.find(isl_constraint_get_dim_name(constraint, isl_dim_param, at));
    if (found == byName.end() || !small(factor))
      return std::nullopt;
    const Symbol &symbol = model.symbols[found->second];
    Polynomial value = symbol.kind == SymbolKind::Product && !isQuotient(symbol)
                           ? symbol.first
                           : Polynomial::symbol(found->second);
    bound = bound + value * Polynomial(isl_val_get_num_si(factor.get()));
  }
  return bound;
}

/// What the coordinate is at most, as far as loops and conditions say it with
/// parameters alone.
std::vector<Polynomial> Realizer::upperBounds(SymbolId symbol,
                                              unsigned context) {
  std::vector<Polynomial> result;
  const isl::set &domain = contextSet(context);
  const std::vector<SymbolId> &all = coordinates[context];
  auto place = std::find(all.begin(), all.end(), symbol);
  if (place == all.end())
    return result;
  unsigned at = place - all.begin();
  // { [v] }
  isl_set *alone = domain.copy();
  alone = isl_set_project_out(alone, isl_dim_set, at + 1, all.size() - at - 1);
  alone = isl_set_project_out(alone, isl_dim_set, 0, at);
  isl::basic_set hull =
      isl::manage(isl_set_simple_hull(isl_set_compute_divs(alone)));
  std::map<std::string, SymbolId> byName;
  for (SymbolId id = 0; id < model.symbols.size(); ++id)
    if (isParameter(model.symbols[id]))
      byName[model.symbols[id].name] = id;
  isl_constraint_list *list = isl_basic_set_get_constraint_list(hull.get());
  for (int i = 0; i < isl_constraint_list_n_constraint(list); ++i) {
    isl_constraint *constraint = isl_constraint_list_get_constraint(list, i);
    std::optional<Polynomial> bound = boundFrom(constraint, model, byName);
    isl_constraint_free(constraint);
    if (bound && !bound->overflowed())
      result.push_back(std::move(*bound));
  }
  isl_constraint_list_free(list);
  return result;
}

//===-- Bounds of products ------------------------------------------------===//

/// The part of the polynomial with coefficients of one sign, as positive ones.
static Polynomial partOf(const Polynomial &poly, bool positive) {
  Polynomial part;
  part.overflow = poly.overflow;
  for (const auto &[monomial, coefficient] : poly.terms)
    if ((coefficient > 0) == positive && coefficient != INT64_MIN)
      part.terms[monomial] = positive ? coefficient : -coefficient;
    else
      part.overflow |= coefficient == INT64_MIN;
  return part;
}

namespace {

/// One way to bound a polynomial by parameters.
struct ProductCandidate {
  Polynomial poly;
  std::vector<SymbolId> symbols; ///< those of what was left out included
  WideInt maximum = 0;

  /// Fewer checks first.
  bool operator<(const ProductCandidate &other) const {
    return std::make_pair(poly.terms.size(), degree()) <
           std::make_pair(other.poly.terms.size(), other.degree());
  }
  size_t degree() const {
    size_t sum = 0;
    for (const auto &term : poly.terms)
      sum += term.first.size();
    return sum;
  }
};

} // namespace

/// poly <= maximum without the constant, and without what only lessens it.
static ProductCandidate simplified(const Polynomial &poly, WideInt maximum) {
  ProductCandidate result;
  auto constant = poly.terms.find({});
  result.maximum =
      maximum - (constant == poly.terms.end() ? 0 : constant->second);
  result.poly = partOf(poly, true);
  result.poly.terms.erase(Monomial());
  result.symbols = poly.symbols();
  return result;
}

/// Adds to `assumption` what makes poly <= maximum in the context. The symbols
/// of `poly` have positive coefficients, and become at least 0 by it as well.
bool Realizer::boundProduct(const Polynomial &poly, WideInt maximum,
                            unsigned context, Assumption &assumption) {
  const size_t MostCandidates = 32;
  isl::set assumed = assumption.condition;
  Polynomial plain = poly;
  for (SymbolId id : poly.symbols())
    if (model.symbols[id].kind == SymbolKind::Product &&
        !isQuotient(model.symbols[id]))
      plain = plain.substitute(id, model.symbols[id].first);
  std::vector<Polynomial> found{plain};
  for (SymbolId id : plain.symbols()) {
    if (!isNonNegative(Polynomial::symbol(id), context, assumed))
      return false;
    if (isParameter(model.symbols[id]))
      continue;
    std::vector<Polynomial> bounds = upperBounds(id, context);
    Interval fixed = boundsOf(model.symbols, Polynomial::symbol(id));
    if (bounds.empty() && fixed.maximum && *fixed.maximum <= INT32_MAX)
      bounds.emplace_back(static_cast<int64_t>(*fixed.maximum));
    std::vector<Polynomial> next;
    for (const Polynomial &one : found)
      for (const Polynomial &bound : bounds)
        if (next.size() < MostCandidates)
          next.push_back(one.substitute(id, bound));
    found = std::move(next);
  }
  std::optional<ProductCandidate> best;
  for (const Polynomial &one : found) {
    ProductCandidate candidate = simplified(one, maximum);
    if (!candidate.poly.overflowed() && candidate.maximum >= 0 &&
        candidate.maximum <= 2 * maximum + 1 && (!best || candidate < *best))
      best = candidate;
  }
  if (!best)
    return false;
  for (SymbolId id : best->symbols)
    if (!isParameter(model.symbols[id]) ||
        !isNonNegative(Polynomial::symbol(id), context, assumed))
      return false;
  assumption.condition = assumed;
  if (!best->poly.isZero())
    assumption.bounds.push_back(
        {best->poly, static_cast<int64_t>(best->maximum)});
  return true;
}

/// Only bounds whose check fits 64 bits.
bool Realizer::resolveProduct(const Requirement &requirement,
                              Assumption &assumption) {
  const WideInt Largest = static_cast<WideInt>(1) << 32;
  const Polynomial &poly = requirement.poly;
  const Interval &range = requirement.range;
  assumption.condition = model.paramContext;
  bool fromZero = *range.minimum == 0;
  auto settle = [&](bool holds) {
    holds = holds && (!fromZero || isNonNegative(poly, requirement.context,
                                                 assumption.condition));
    if (!holds || assumption.condition.is_empty()) {
      assumption.condition = model.paramContext;
      assumption.bounds.clear();
      return false;
    }
    assumption.condition = assumption.condition.gist(model.paramContext);
    return true;
  };
  bool isSmall = !poly.overflowed() && *range.maximum <= Largest &&
                 *range.minimum >= -Largest;
  Polynomial above = partOf(poly, true), below = partOf(poly, false);
  if (isSmall && settle(boundProduct(above, *range.maximum, requirement.context,
                                     assumption) &&
                        (fromZero || below.isZero() ||
                         boundProduct(below, -*range.minimum,
                                      requirement.context, assumption))))
    return true;
  bool isSymmetric = fromZero || -*range.minimum >= *range.maximum;
  return settle(isSymmetric &&
                isBounded(poly, *range.maximum, requirement.context,
                          assumption.condition));
}

} // namespace clopt
