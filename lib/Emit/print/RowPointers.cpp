//===- RowPointers.cpp - rows that a loop walks along ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/strength/rows.test.
//
//===----------------------------------------------------------------------===//

#include "Emit/print/RowPointers.h"

#include "Analysis/access/AccessPattern.h"
#include "Emit/body/BodyWriterImpl.h"
#include "Emit/print/StatementPrinter.h"

#include <algorithm>

namespace clopt {

/// The cell as an element of its row, where the loop being printed has one.
std::optional<PrintedText> StatementPrinter::rowCell(const Expr &expr,
                                                     int lane) {
  RowPointers *rows = environment.rows;
  if (!rows || !site || expr.kind != ExprKind::Subscript)
    return std::nullopt;
  const Access *access = model.accessOf(expr);
  if (!access || !kernel.rowPointers.count(access->array))
    return std::nullopt;
  std::optional<RowPlace> place = rowPlace(model, *access, rows->loop);
  if (!place)
    return std::nullopt;
  PrintSite at = lane > 0 ? atLane(*site, static_cast<unsigned>(lane)) : *site;
  auto isOutside = [&](const PrintedTerm &term) {
    return rows->outside.count(term.text) > 0;
  };
  for (SymbolId id : place->start.symbols()) {
    auto form = at.coordinates.find(id);
    bool isArgument = model.symbols[id].kind == SymbolKind::Param ||
                      model.symbols[id].kind == SymbolKind::GlobalSize;
    bool isFixed = form == at.coordinates.end()
                       ? isArgument
                       : std::all_of(form->second.terms.begin(),
                                     form->second.terms.end(), isOutside);
    if (!isFixed)
      return std::nullopt;
  }
  const Array &array = model.arrays[access->array];
  PrintedText start = polynomial(place->start, at, true);
  const std::string first =
      (array.isCast ? startOfElements(array) : nameOf(*array.var)) + " + " +
      atLeast(start, PrecAdditive);
  std::string &name = rows->names[first];
  if (name.empty()) {
    name = rows->fresh(array.name);
    rows->lines.push_back(
        pointerTo(array, 1, !writtenArrays(model).count(access->array)) + name +
        " = " + first + ";");
  }
  SymbolId iterator = model.loops[rows->loop].iterator;
  PrintedText index =
      polynomial(Polynomial::symbol(iterator) * Polynomial(place->step), at,
                 place->step != 1);
  return PrintedText{name + "[" + index.text + "]", PrecPostfix};
}

std::set<std::string> termsOf(const AstNames &names) {
  std::set<std::string> terms;
  for (const auto &[name, form] : names.names)
    for (const PrintedTerm &term : form.terms)
      terms.insert(term.text);
  return terms;
}

/// From here on, rows of the loop get pointers.
void BodyWriter::openRows(unsigned loop, RowPointers &rows) {
  rows.loop = loop;
  rows.fresh = [this](const std::string &array) { return freshRead(array); };
  rows.outer = environment.rows;
  environment.rows = &rows;
}

/// Declares the pointers that were asked for.
void BodyWriter::closeRows(const RowPointers &rows,
                           std::vector<OutNode> &before) {
  environment.rows = rows.outer;
  for (const std::string &line : rows.lines) {
    OutNode declaration;
    declaration.lines.push_back(line);
    declaration.isDeclaration = true;
    before.push_back(std::move(declaration));
  }
}

} // namespace clopt
