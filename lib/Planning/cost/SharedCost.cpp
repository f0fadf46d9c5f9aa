//===- SharedCost.cpp - what is done once for several ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/SharedCost.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/CellPart.h"
#include "Analysis/access/Selections.h"

#include <algorithm>

namespace clopt {

SharedOperands sharedAlong(const TransformedKernel &kernel, unsigned dim) {
  const KernelModel &model = *kernel.model;
  SharedOperands shared;
  for (const Access &access : model.accesses) {
    if (model.arrays[access.array].space == AddressSpace::Private ||
        kernel.registersOf(access.id) || access.isWrite || !access.offset ||
        model.statements[access.statement].loops.empty())
      continue;
    const Polynomial offset = resolve(model, *access.offset, kernel.selections);
    auto dependsOnId = [&](unsigned d) {
      const auto id = model.symbols.find(SymbolKind::GlobalId, d);
      return id && dependsOn(model, offset, *id);
    };
    for (unsigned d = 0; d < model.ndrange.rank && !dependsOnId(dim); ++d)
      if (dependsOnId(d))
        (kernel.work[d].lanes > 1 ? shared.vectors : shared.cells) = true;
  }
  return shared;
}

/// True for what compilers compute.
static bool isConstant(const Expr &expr) {
  const bool isLiteral =
      expr.kind == ExprKind::IntLiteral || expr.kind == ExprKind::FloatLiteral;
  return isLiteral || (!expr.operands.empty() &&
                       std::all_of(expr.operands.begin(), expr.operands.end(),
                                   [](const ExprRef &operand) {
                                     return isConstant(*operand);
                                   }));
}

void SharedCost::addAll(const ExprRef &expr) {
  if (isConstant(*expr))
    return;
  if (partOfCell(*expr)) {
    const LoadCost load = costOf(*expr, divergence.ofExpr(expr) & 1u);
    add(expr, load.cost);
    if (divergence.ofExpr(expr) & merged)
      common += load.common;
    return;
  }
  double below = 0;
  for (const ExprRef &operand : expr->operands) {
    below += count(*operand);
    addAll(operand);
  }
  add(expr, count(*expr) - below);
}

void SharedCost::addAll(const StmtRef &stmt) {
  forEachStmt(stmt, [&](const StmtRef &inner) {
    if (inner->expr && inner->expr->kind != ExprKind::Assign)
      addAll(inner->expr);
    else if (inner->expr)
      addAll(inner->expr->operands[1]);
    if (inner->expr && inner->expr->kind == ExprKind::Assign &&
        inner->expr->op != Op::None)
      add(inner->expr, 1);
  });
}

double operationsIn(const Expr &expr, bool ofComponents) {
  if (expr.kind == ExprKind::Subscript ||
      (expr.kind == ExprKind::Unary && expr.op == Op::Deref))
    return 0;
  double count = 0;
  for (const ExprRef &operand : expr.operands)
    count += operationsIn(*operand, ofComponents);
  bool isOperation =
      expr.kind == ExprKind::Unary || expr.kind == ExprKind::Binary ||
      expr.kind == ExprKind::Conditional || expr.kind == ExprKind::Call ||
      (expr.kind == ExprKind::Assign && expr.op != Op::None) ||
      (expr.kind == ExprKind::Cast &&
       expr.type.isFloating() != expr.operands[0]->type.isFloating());
  return count +
         (isOperation ? ofComponents ? std::max(1u, expr.type.lanes) : 1 : 0);
}

} // namespace clopt
