//===- Selections.cpp - choices that a whole tile makes alike -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/SelectionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Selections.h"

#include <algorithm>

using namespace clopt;

namespace {

/// Walks definitions, through the branch of known atoms only.
struct AtomCollector {
  const KernelModel &model;
  const Selections &known;
  std::set<SymbolId> found;

  void visit(const Polynomial &poly) {
    for (SymbolId id : poly.symbols())
      visit(id);
  }
  void visit(SymbolId id) {
    const Symbol &symbol = model.symbols[id];
    if (symbol.kind == SymbolKind::FloorDiv ||
        symbol.kind == SymbolKind::Modulo)
      visit(symbol.first);
    if (symbol.kind != SymbolKind::Select || !found.insert(id).second)
      return;
    auto branch = known.find(id);
    if (branch == known.end() || branch->second)
      visit(symbol.first);
    if (branch == known.end() || !branch->second)
      visit(symbol.second);
  }
};

} // namespace

std::set<SymbolId> clopt::selectsIn(const KernelModel &model,
                                    const Polynomial &poly,
                                    const Selections &known) {
  AtomCollector collector{model, known, {}};
  collector.visit(poly);
  return collector.found;
}

std::set<SymbolId> clopt::selectsOf(const KernelModel &model,
                                    const Statement &statement,
                                    const Selections &known) {
  AtomCollector collector{model, known, {}};
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    if (access.offset)
      collector.visit(*access.offset);
    for (const Polynomial &subscript : access.subscripts)
      collector.visit(subscript);
  }
  if (!statement.stmt)
    return collector.found;
  StmtRef stmt(StmtRef(), statement.stmt);
  forEachExpr(stmt, [&](const ExprRef &expr) {
    if (auto value = model.values.find(expr.get()); value != model.values.end())
      collector.visit(value->second);
    if (auto pointer = model.pointers.find(expr.get());
        pointer != model.pointers.end())
      collector.visit(pointer->second.offset);
    if (auto choice = model.choices.find(expr.get());
        choice != model.choices.end())
      collector.visit(choice->second);
  });
  return collector.found;
}

std::optional<isl::set> clopt::instancesAgainst(const KernelModel &model,
                                                const Statement &statement,
                                                SymbolId atom, bool branch) {
  isl::space space =
      statementSpace(model, statement.name, statement.coordinates);
  // { S[w..., i...] }
  std::optional<isl::set> holds =
      toSet(model, space, statement.coordinates, model.symbols[atom].condition);
  if (!holds)
    return std::nullopt;
  return branch ? statement.domain.subtract(*holds)
                : statement.domain.intersect(*holds);
}

bool clopt::isAlwaysMade(const KernelModel &model, const Access &access,
                         const Selections &selections) {
  const Statement &statement = model.statements[access.statement];
  // { S[w..., i...] }
  isl::set without = statement.domain.intersect_params(model.paramContext)
                         .subtract(instancesOf(model, access));
  if (!access.isExact || without.is_empty())
    return access.isExact;
  for (SymbolId atom : selectsOf(model, statement, selections)) {
    auto branch = selections.find(atom);
    if (branch == selections.end())
      continue;
    if (auto against = instancesAgainst(model, statement, atom, branch->second))
      without = without.subtract(*against);
  }
  return without.is_empty();
}

//===-- Resolution --------------------------------------------------------===//

Polynomial clopt::resolve(const KernelModel &model, const Polynomial &poly,
                          const Selections &selections) {
  Polynomial result = poly;
  // A branch may be an atom of its own; definitions have no cycles.
  for (bool changed = true; changed && !result.overflowed();) {
    changed = false;
    for (SymbolId id : result.symbols()) {
      auto branch = selections.find(id);
      if (branch == selections.end())
        continue;
      const Symbol &symbol = model.symbols[id];
      result =
          result.substitute(id, branch->second ? symbol.first : symbol.second);
      changed = true;
      break;
    }
  }
  return result;
}

static Condition resolve(const KernelModel &model, Condition condition,
                         const Selections &selections) {
  condition.poly = resolve(model, condition.poly, selections);
  for (Condition &operand : condition.operands)
    operand = ::resolve(model, operand, selections);
  return condition;
}

KernelModel clopt::resolveModel(const KernelModel &model,
                                const Selections &selections) {
  KernelModel result = model;
  auto apply = [&](Polynomial &poly) {
    poly = resolve(model, poly, selections);
  };
  for (auto &[expr, value] : result.values)
    apply(value);
  for (auto &[expr, pointer] : result.pointers)
    apply(pointer.offset);
  for (Access &access : result.accesses) {
    if (access.offset)
      apply(*access.offset);
    for (Polynomial &subscript : access.subscripts)
      apply(subscript);
  }
  // What is left of the atoms may depend on resolved ones.
  for (SymbolId id = 0; id < result.symbols.size(); ++id) {
    Symbol &symbol = result.symbols[id];
    if (symbol.kind != SymbolKind::FloorDiv &&
        symbol.kind != SymbolKind::Modulo && symbol.kind != SymbolKind::Select)
      continue;
    apply(symbol.first);
    apply(symbol.second);
    symbol.condition = ::resolve(model, symbol.condition, selections);
  }
  return result;
}

static bool hasType(const Expr &operand, const Expr &whole) {
  return operand.type.isScalar() && whole.type.isScalar() &&
         operand.type.scalar == whole.type.scalar;
}

/// The operand of `min`, `max` or `clamp` that has the value of the call.
static ExprRef operandWithValue(const KernelModel &resolved, const Expr &call) {
  bool picks =
      call.kind == ExprKind::Call && call.isElementwiseBuiltin &&
      (call.text == "min" || call.text == "max" || call.text == "clamp");
  auto value = resolved.values.find(&call);
  if (!picks || value == resolved.values.end())
    return nullptr;
  if (!std::all_of(call.operands.begin(), call.operands.end(),
                   isSideEffectFree))
    return nullptr;
  for (const ExprRef &operand : call.operands) {
    auto own = resolved.values.find(operand.get());
    bool isSame = own != resolved.values.end() && own->second == value->second;
    if (isSame && hasType(*operand, call))
      return operand;
  }
  return nullptr;
}

/// `x`, or `x - n`, where `x % n` has that value.
static ExprRef remainderWithValue(const KernelModel &resolved,
                                  const Expr &expr) {
  if (expr.kind != ExprKind::Binary || expr.op != Op::Rem ||
      !hasType(*expr.operands[0], expr))
    return nullptr;
  const ExprRef &left = expr.operands[0], &right = expr.operands[1];
  if (!isSideEffectFree(left) || !isSideEffectFree(right))
    return nullptr;
  auto value = resolved.values.find(&expr);
  auto dividend = resolved.values.find(left.get());
  auto divisor = resolved.values.find(right.get());
  if (value == resolved.values.end() || dividend == resolved.values.end())
    return nullptr;
  if (dividend->second == value->second)
    return left;
  if (divisor == resolved.values.end() ||
      dividend->second - divisor->second != value->second)
    return nullptr;
  Expr difference = expr;
  difference.op = Op::Sub;
  return std::make_shared<Expr>(std::move(difference));
}

std::map<const Expr *, ExprRef>
clopt::findReplacements(const KernelModel &model, const KernelModel &resolved,
                        const Selections &selections) {
  std::map<const Expr *, ExprRef> result;
  auto visit = [&](const ExprRef &expr) {
    auto choice = model.choices.find(expr.get());
    if (choice != model.choices.end()) {
      auto branch = selections.find(choice->second);
      if (branch != selections.end() && isSideEffectFree(expr->operands[0]))
        result[expr.get()] = expr->operands[branch->second ? 1 : 2];
      return;
    }
    auto before = model.values.find(expr.get());
    bool changes = before != model.values.end() &&
                   resolved.values.at(expr.get()) != before->second;
    if (!changes)
      return;
    if (ExprRef operand = operandWithValue(resolved, *expr))
      result[expr.get()] = operand;
    else if (ExprRef rest = remainderWithValue(resolved, *expr))
      result[expr.get()] = rest;
  };
  for (const Statement &statement : model.statements)
    if (statement.stmt)
      forEachExpr(StmtRef(StmtRef(), statement.stmt), visit);
  return result;
}
