//===- OffsetText.cpp - polynomials and offsets as text -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the model as C: sums of products of ids, iterators and arguments.
//
// Tested by test/unit/StatementPrinterTest.cpp, test/lit/privatize.
//
//===----------------------------------------------------------------------===//

#include "Emit/print/StatementPrinter.h"

#include <algorithm>
#include <array>

namespace clopt {

std::string StatementPrinter::launchText(WorkItemQuery query, unsigned dim) {
  const NDRange &range = model.ndrange;
  if (range.isFlat() && query == WorkItemQuery::GlobalOffset)
    return "0";
  if (range.isFlat() && query == WorkItemQuery::GlobalSize &&
      dim != NDRange::flatDimension) {
    const Polynomial &size = range.extents[dim];
    return atLeast(polynomial(size, {}, !size.asSymbol()), PrecPostfix);
  }
  if (range.isFlat())
    dim = 0;
  std::string text = environment.launch.text(query, dim);
  used.insert(text);
  return text;
}

std::string launchText(const TransformedKernel &kernel,
                       const LaunchNames &launch, WorkItemQuery query,
                       unsigned dim, std::set<std::string> *uses) {
  PrintEnvironment environment;
  environment.kernel = &kernel;
  environment.launch = launch;
  StatementPrinter printer(environment);
  std::string text = printer.launchText(query, dim);
  if (uses)
    uses->insert(printer.uses().begin(), printer.uses().end());
  return text;
}

std::string StatementPrinter::symbolText(const Symbol &symbol) {
  if (symbol.kind == SymbolKind::Param)
    return symbol.var ? symbol.var->name : "";
  const std::optional<WorkItemQuery> query = queryOf(symbol.kind);
  return query && isParameter(symbol) ? launchText(*query, symbol.dim) : "";
}

/// The divisor has to be an `int` itself: `max` takes two operands of one type.
bool StatementPrinter::isIntQuotient(const Symbol &symbol) const {
  for (SymbolId id : symbol.second.symbols())
    if (!model.symbols[id].var ||
        model.symbols[id].var->type.scalar != ScalarKind::Int)
      return false;
  return llvm::all_of(
      std::array{&symbol.first, &symbol.second}, [&](const Polynomial *poly) {
        return (poly->asConstant() || poly->asSymbol()) && isIntText(*poly);
      });
}

/// A parameter of the model that is a product of others, or a quotient.
LinearForm StatementPrinter::product(const Symbol &symbol, const PrintSite &at,
                                     bool wide) {
  if (!isQuotient(symbol)) {
    const PrintedText value = polynomial(symbol.first, at, wide);
    return LinearForm::ofTerm(atLeast(value, PrecMultiplicative), 1,
                              value.isLong);
  }
  const bool isInt = isIntQuotient(symbol);
  const auto known = environment.launch.quotients.find(symbol.name);
  if (known == environment.launch.quotients.end()) {
    const PrintedText value = quotient(symbol, at, wide || !isInt);
    return LinearForm::ofTerm("(" + value.text + ")", 1, value.isLong);
  }
  used.insert(known->second);
  return wide && isInt ? LinearForm::inLong(known->second)
                       : LinearForm::ofTerm(known->second, 1, !isInt);
}

/// The quotient is that of the values, whatever their types are. Conditions
/// that the divisor is positive may stand behind.
PrintedText StatementPrinter::quotient(const Symbol &symbol,
                                       const PrintSite &at, bool wide) {
  const PrintedText value = polynomial(symbol.first, at, wide);
  const std::optional<int64_t> constant = symbol.second.asConstant();
  const std::string divisor =
      polynomial(symbol.second, at, wide && !constant).text;
  return {atLeast(value, PrecMultiplicative) + " / " +
              (constant ? divisor
                        : "max(" + divisor + (wide ? ", (long)1)" : ", 1)")),
          PrecMultiplicative, value.isLong};
}

PrintedText StatementPrinter::polynomial(const Polynomial &poly,
                                         const PrintSite &at, bool wide) {
  return linearForm(poly, at, wide).print();
}

/// A coordinate that is added to what `isWide` says of the sum so far, in 64
/// bits; sums are evaluated from left to right.
static LinearForm inLong(const LinearForm &form, int64_t factor, bool isWide) {
  bool isPlain = factor == 1;
  for (const PrintedTerm &term : form.terms)
    isPlain &= term.factor == 1;
  if (isPlain && isWide)
    return form;
  LinearForm result(form.constant);
  for (const PrintedTerm &term : form.terms)
    result = result + LinearForm::inLong(term.text, term.factor);
  return result;
}

LinearForm StatementPrinter::linearForm(const Polynomial &poly,
                                        const PrintSite &at, bool wide) {
  LinearForm sum;
  // Products first: `i * n + j`.
  std::vector<std::pair<Monomial, int64_t>> ordered(poly.terms.begin(),
                                                    poly.terms.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto &a, const auto &b) {
                     return a.first.size() > b.first.size();
                   });
  for (const auto &[monomial, factor] : ordered) {
    // A product of coordinates and parameters, multiplied out by isl's forms
    // where they are sums.
    LinearForm product(1);
    for (SymbolId id : monomial) {
      LinearForm value;
      auto coordinate = at.coordinates.find(id);
      if (coordinate != at.coordinates.end()) {
        value = mention(coordinate->second);
        if (wide && monomial.size() == 1)
          value = inLong(value, factor, !sum.isConstant());
      } else if (model.symbols[id].kind == SymbolKind::Product) {
        value = this->product(model.symbols[id], at, wide);
      } else {
        std::string text = symbolText(model.symbols[id]);
        if (text.empty())
          failed = "a value that has no closed form";
        value = wide ? LinearForm::inLong(text) : LinearForm::ofTerm(text);
      }
      const PrintedText left = product.print(), right = value.print();
      if (product.isConstant())
        product = value.times(product.constant);
      else if (value.isConstant())
        product = product.times(value.constant);
      else
        product = LinearForm::ofTerm(atLeast(left, PrecMultiplicative) + " * " +
                                         atLeast(right, PrecUnary),
                                     1, left.isLong || right.isLong);
    }
    sum = sum + product.times(factor);
  }
  return sum;
}

/// True when no part of the sum is greater than the sum: one term and a
/// constant, or only terms that are not negative.
static bool isMonotone(const KernelModel &model, const Polynomial &sum) {
  unsigned terms = 0;
  bool isUnit = true, isPositive = true;
  for (const auto &[monomial, factor] : sum.terms) {
    isPositive &= factor > 0;
    if (monomial.empty())
      continue;
    ++terms;
    isUnit &= monomial.size() == 1 && factor == 1;
    for (SymbolId id : monomial)
      isPositive &= model.symbols[id].minimum.value_or(-1) >= 0;
  }
  return isPositive || (terms <= 1 && isUnit);
}

bool isPlainTerm(const Polynomial &sum) {
  return sum.terms.size() == 1 && sum.terms.begin()->first.size() == 1 &&
         sum.terms.begin()->second == 1;
}

PrintedText
StatementPrinter::flatOffset(const Array &array,
                             const std::vector<Polynomial> &subscripts,
                             const PrintSite &at, bool wide) {
  PrintedText text = {"0", PrecPrimary};
  bool isNumber = true; // of type int, whatever is computed in
  // The author may have added the origin at another place of the sum.
  wide |= !array.origin.isZero();
  for (size_t d = 0; d < subscripts.size(); ++d) {
    const Polynomial &subscript = subscripts[d];
    if (text.text != "0") {
      const Polynomial &extent = array.extents[d];
      bool isLong = wide && (isNumber || !isPlainTerm(extent));
      PrintedText row = polynomial(extent, at, isLong);
      text = text.text == "1" ? row
             : text.text == "-1"
                 ? PrintedText{"-" + atLeast(row, PrecPrimary), PrecUnary}
                 : PrintedText{atLeast(text, PrecMultiplicative) + " * " +
                                   atLeast(row, PrecUnary),
                               PrecMultiplicative};
      isNumber &= extent.asConstant().has_value();
    }
    if (subscript.isZero())
      continue;
    bool isLong = wide ? isNumber || !isPlainTerm(subscript)
                       : !isMonotone(model, subscript);
    isNumber &= subscript.asConstant().has_value();
    PrintedText own = polynomial(subscript, at, isLong);
    if (text.text == "0")
      text = own;
    else if (own.text[0] == '-')
      text = {
          atLeast(text, PrecAdditive) + " - " +
              atLeast(polynomial(-subscript, at, isLong), PrecMultiplicative),
          PrecAdditive};
    else
      text = {atLeast(text, PrecAdditive) + " + " + own.text, PrecAdditive};
  }
  if (!array.origin.isZero())
    text = fromOrigin(array, text, at);
  return text;
}

/// The distance from the array's cell 0, given the one from its origin.
PrintedText StatementPrinter::fromOrigin(const Array &array,
                                         const PrintedText &offset,
                                         const PrintSite &at) {
  PrintedText origin = polynomial(array.origin, at, true);
  if (offset.text == "0")
    return origin;
  bool isNegative = offset.text[0] == '-';
  return {atLeast(origin, PrecAdditive) + " + " +
              (isNegative ? "(" + offset.text + ")" : offset.text),
          PrecAdditive};
}

} // namespace clopt
