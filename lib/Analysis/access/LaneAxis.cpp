//===- LaneAxis.cpp - the id that neighbours differ in --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/AccessSummaryTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/LaneAxis.h"

#include "Analysis/access/AccessPattern.h"

#include <algorithm>

using namespace clopt;

//===-- Launches without an offset ----------------------------------------===//

Polynomial clopt::withoutOffset(const KernelModel &model,
                                const Polynomial &poly) {
  Polynomial result = poly;
  for (SymbolId symbol : poly.symbols())
    if (model.symbols[symbol].kind == SymbolKind::GlobalOffset)
      result = result.substitute(symbol, Polynomial());
  return result;
}

//===-- The axis ----------------------------------------------------------===//

std::optional<SymbolId> clopt::laneIdOf(const KernelModel &model,
                                        unsigned dim) {
  return model.symbols.find(model.ndrange.split[dim] ? SymbolKind::LocalId
                                                     : SymbolKind::GlobalId,
                            dim);
}

static bool isUsed(const KernelModel &model, SymbolId id) {
  auto moves = [&](const Polynomial &poly) {
    std::vector<SymbolId> symbols = poly.symbols();
    return std::any_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) {
      return model.symbols[symbol].kind != SymbolKind::Unknown &&
             dependsOn(model, symbol, id);
    });
  };
  for (const Access &access : model.accesses)
    if (access.offset && moves(*access.offset))
      return true;
  return std::any_of(model.values.begin(), model.values.end(),
                     [&](const auto &value) { return moves(value.second); });
}

std::optional<SymbolId> clopt::laneAxis(const KernelModel &model) {
  std::optional<SymbolId> first;
  for (unsigned dim = 0; dim < 3; ++dim) {
    std::optional<SymbolId> id = laneIdOf(model, dim);
    if (!id)
      continue;
    if (isUsed(model, *id))
      return id;
    if (!first)
      first = id;
  }
  return first;
}

//===-- Names -------------------------------------------------------------===//

bool clopt::isId(const Symbol &symbol) {
  return symbol.kind == SymbolKind::GlobalId ||
         symbol.kind == SymbolKind::LocalId ||
         symbol.kind == SymbolKind::GroupId;
}

std::map<SymbolId, std::string> clopt::authorNames(const KernelModel &model) {
  std::map<SymbolId, std::string> names;
  if (!model.function)
    return names;
  forEachStmt(model.function->body, [&](const StmtRef &stmt) {
    if (stmt->kind != StmtKind::Decl || !stmt->var || !stmt->expr)
      return;
    auto value = model.values.find(stmt->expr.get());
    if (value == model.values.end())
      return;
    Polynomial plain = withoutOffset(model, value->second);
    if (plain.terms.size() != 1)
      return;
    const auto &[monomial, coefficient] = *plain.terms.begin();
    if (monomial.size() == 1 && coefficient == 1 &&
        isId(model.symbols[monomial.front()]))
      names.try_emplace(monomial.front(), stmt->var->name);
  });
  return names;
}
