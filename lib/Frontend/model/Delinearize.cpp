//===- Delinearize.cpp - the shape behind flat subscripts -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/DelinearizeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/Delinearize.h"

#include "Model/KernelModel.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace clopt {

//===-- A shape -----------------------------------------------------------===//

std::vector<Polynomial> ArrayShape::extents() const {
  std::vector<Polynomial> result{Polynomial()};
  for (size_t dim = 1; dim < strides.size(); ++dim)
    result.push_back(strides[dim - 1].divideBy(strides[dim]).quotient);
  return result;
}

/// Division by a constant: terms it divides, and the constant rounded down.
static Polynomial::Division divideByConstant(const Polynomial &poly,
                                             int64_t divisor) {
  Polynomial::Division result;
  result.remainder.overflow = poly.overflow;
  for (const auto &[monomial, coefficient] : poly.terms) {
    int64_t rest = ((coefficient % divisor) + divisor) % divisor;
    if (rest != 0 && !monomial.empty()) {
      result.remainder.terms[monomial] = coefficient;
      continue;
    }
    if (coefficient != rest)
      result.quotient.terms[monomial] = (coefficient - rest) / divisor;
    if (rest != 0)
      result.remainder.terms[monomial] = rest;
  }
  return result;
}

std::vector<Polynomial> ArrayShape::subscripts(const Polynomial &offset) const {
  std::vector<Polynomial> result;
  Polynomial rest = offset;
  for (size_t dim = 0; dim + 1 < strides.size(); ++dim) {
    std::optional<int64_t> constant = strides[dim].asConstant();
    Polynomial::Division parts = constant ? divideByConstant(rest, *constant)
                                          : rest.divideBy(strides[dim]);
    result.push_back(parts.quotient);
    rest = parts.remainder;
  }
  result.push_back(rest);
  return result;
}

//===-- Candidate strides -------------------------------------------------===//

namespace {

/// Orders polynomials for sets; any total order will do.
struct ByTerms {
  bool operator()(const Polynomial &left, const Polynomial &right) const {
    return left.terms < right.terms;
  }
};
using PolynomialSet = std::set<Polynomial, ByTerms>;

/// Coefficients of varying symbols over all offsets.
struct Coefficients {
  /// Divided by their content -> gcd of the contents.
  std::map<Polynomial, int64_t, ByTerms> parametric;
  std::set<int64_t> constants;
  /// Terms of parameters alone.
  PolynomialSet offsets;
};

} // namespace

static size_t degreeOf(const Polynomial &poly) {
  size_t degree = 0;
  for (const auto &term : poly.terms)
    degree = std::max(degree, term.first.size());
  return degree;
}

static int64_t contentOf(const Polynomial &poly) {
  int64_t content = 0;
  for (const auto &term : poly.terms)
    content = std::gcd(content, term.second);
  return content;
}

/// The multiple of `poly` by 1 or -1 whose term of highest degree is positive.
static Polynomial withPositiveLead(const Polynomial &poly) {
  const auto *lead = &*poly.terms.begin();
  for (const auto &term : poly.terms)
    if (term.first.size() > lead->first.size())
      lead = &term;
  return lead->second < 0 ? -poly : poly;
}

static bool isVarying(const SymbolTable &symbols, const Polynomial &poly) {
  for (SymbolId id : poly.symbols())
    if (!isParameter(symbols[id]))
      return true;
  return false;
}

static void collect(const SymbolTable &symbols, const Polynomial &offset,
                    Coefficients &found) {
  Polynomial fixed = offset;
  for (SymbolId id : offset.symbols()) {
    if (isParameter(symbols[id]))
      continue;
    std::optional<Polynomial> coefficient = offset.coefficientOf(id);
    if (!coefficient || isVarying(symbols, *coefficient))
      return;
    fixed = fixed - *coefficient * Polynomial::symbol(id);
    if (std::optional<int64_t> constant = coefficient->asConstant()) {
      if (*constant != INT64_MIN && std::abs(*constant) > 1)
        found.constants.insert(std::abs(*constant));
      continue;
    }
    int64_t content = contentOf(*coefficient);
    Polynomial primitive =
        withPositiveLead(*coefficient->divideExactly({}, content));
    int64_t &gcd = found.parametric[primitive];
    gcd = std::gcd(gcd, content);
  }
  if (!fixed.isZero())
    found.offsets.insert(fixed);
}

/// Strides of one chain, largest first; a candidate that breaks the chain is
/// left out.
static std::vector<Polynomial> chainOf(std::vector<Polynomial> candidates) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Polynomial &a, const Polynomial &b) {
                     if (degreeOf(a) != degreeOf(b))
                       return degreeOf(a) > degreeOf(b);
                     return a.terms.size() < b.terms.size();
                   });
  std::vector<Polynomial> chain;
  for (const Polynomial &candidate : candidates) {
    if (!chain.empty() && chain.back() == candidate)
      continue;
    // The diagonal `n + 1` moves by rows of n as well as within them.
    bool isDiagonal =
        !chain.empty() && degreeOf(candidate) == degreeOf(chain.back());
    if (isDiagonal)
      continue;
    bool divides =
        chain.empty() || chain.back().divideBy(candidate).remainder.isZero();
    if (divides)
      chain.push_back(candidate);
  }
  return chain;
}

/// Parametric strides, with the contents that all uses share.
static std::vector<Polynomial> parametricStrides(const Coefficients &found) {
  std::vector<Polynomial> strides;
  for (const auto &[primitive, content] : found.parametric) {
    int64_t shared = content;
    for (const Polynomial &offset : found.offsets) {
      int64_t part = contentOf(offset.divideBy(primitive).quotient);
      shared = std::gcd(shared, part);
    }
    strides.push_back(primitive * Polynomial(shared));
  }
  return strides;
}

/// Products of parameters in the fixed parts, `n * n` of `n * n + i * n + j`.
/// What is taken off, `low * n` of `(i - low) * n + j`, counts rows from
/// another one: there is no plane in front of the array.
/// Offsets of the launch are parts of ids, and no extents.
static std::vector<Polynomial> fixedStrides(const SymbolTable &symbols,
                                            const Coefficients &found) {
  PolynomialSet strides;
  auto isOfId = [&](SymbolId id) {
    return symbols[id].kind == SymbolKind::GlobalOffset;
  };
  for (const Polynomial &offset : found.offsets)
    for (const auto &[monomial, coefficient] : offset.terms)
      if (monomial.size() >= 2 && coefficient > 0 &&
          std::none_of(monomial.begin(), monomial.end(), isOfId)) {
        Polynomial stride;
        stride.terms[monomial] = 1;
        strides.insert(stride);
      }
  return {strides.begin(), strides.end()};
}

/// Rows of as many cells as a group has work-items, and ids of the whole launch
/// within them: there would be one group.
static bool isOfOneGroup(const SymbolTable &symbols, const ArrayShape &shape,
                         const std::vector<Polynomial> &offsets) {
  const std::vector<Polynomial> extents = shape.extents();
  for (size_t d = 1; d < extents.size(); ++d) {
    const std::vector<SymbolId> of = extents[d].symbols();
    const bool isGroup =
        !of.empty() && std::all_of(of.begin(), of.end(), [&](SymbolId id) {
          return symbols[id].kind == SymbolKind::LocalSize;
        });
    if (!isGroup)
      continue;
    for (const Polynomial &offset : offsets)
      for (SymbolId id : shape.subscripts(offset)[d].symbols())
        if (symbols[id].kind == SymbolKind::GlobalId)
          return true;
  }
  return false;
}

std::vector<ArrayShape> proposeShapes(const SymbolTable &symbols,
                                      const std::vector<Polynomial> &offsets) {
  Coefficients found;
  for (const Polynomial &offset : offsets)
    collect(symbols, offset, found);
  std::vector<Polynomial> parametric = parametricStrides(found);
  std::vector<Polynomial> extended = fixedStrides(symbols, found);
  extended.insert(extended.end(), parametric.begin(), parametric.end());

  std::vector<std::vector<Polynomial>> chains;
  auto addChain = [&](std::vector<Polynomial> chain) {
    if (std::find(chains.begin(), chains.end(), chain) == chains.end())
      chains.push_back(std::move(chain));
  };
  if (!parametric.empty())
    addChain(chainOf(extended));
  addChain(chainOf(parametric));
  // Strides that do not divide each other: each alone.
  for (const Polynomial &stride : parametric)
    addChain({stride});
  addChain({});

  std::vector<ArrayShape> shapes;
  for (const std::vector<Polynomial> &chain : chains) {
    unsigned tried = 0;
    for (auto constant = found.constants.rbegin();
         constant != found.constants.rend() && tried < 4; ++constant, ++tried) {
      Polynomial stride(*constant);
      if (!chain.empty() && !chain.back().divideBy(stride).remainder.isZero())
        continue;
      ArrayShape shape{chain};
      shape.strides.push_back(stride);
      shape.strides.push_back(Polynomial(1));
      // `3 * i + 1` alone is a stride, not a row.
      bool movesWithin = std::any_of(
          offsets.begin(), offsets.end(), [&](const Polynomial &offset) {
            return isVarying(symbols, shape.subscripts(offset).back());
          });
      if (movesWithin)
        shapes.push_back(std::move(shape));
    }
    ArrayShape shape{chain};
    shape.strides.push_back(Polynomial(1));
    shapes.push_back(std::move(shape));
  }
  shapes.erase(std::remove_if(shapes.begin(), shapes.end(),
                              [&](const ArrayShape &shape) {
                                return isOfOneGroup(symbols, shape, offsets);
                              }),
               shapes.end());
  return shapes;
}

} // namespace clopt
