//===- LocalMentions.cpp - how a kernel uses a local array ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PadTest.cpp, test/unit/LocalLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/LocalMentions.h"

#include "Analysis/memory/LocalCells.h"

namespace clopt {

namespace {

/// Looks at every mention of one variable.
class Mentions {
public:
  Mentions(const KernelModel &kernel, const Variable *theVariable,
           bool repeatsIndex)
      : model(kernel), variable(theVariable), copiesIndex(repeatsIndex) {}
  void visit(const StmtRef &stmt);
  StepResult refusal;

private:
  void visit(const ExprRef &expr, bool isAtomicTarget);
  bool visitSubscript(const ExprRef &expr);
  bool isRepeatable(const ExprRef &expr) const;
  void refuseOnce(const std::string &rule, const std::string &message,
                  const SourceRange &range);

  const KernelModel &model;
  const Variable *variable;
  bool copiesIndex;
};

} // namespace

void Mentions::refuseOnce(const std::string &rule, const std::string &message,
                          const SourceRange &range) {
  if (!refusal)
    refusal = refuse(rule, message, "", range);
}

/// True when evaluating the expression twice gives the same value twice.
bool Mentions::isRepeatable(const ExprRef &expr) const {
  bool repeatable = true;
  forEachExpr(expr, [&](const ExprRef &part) {
    bool isCall =
        part->kind == ExprKind::Call &&
        (part->effect != CallEffect::Pure || !part->isElementwiseBuiltin);
    auto read = model.reads.find(part.get());
    bool isOrdered =
        read != model.reads.end() && model.accesses[read->second].isOrdered;
    if (changesTarget(*part) || part->kind == ExprKind::Opaque || isCall ||
        isOrdered)
      repeatable = false;
  });
  return repeatable;
}

/// True when the expression is a whole cell of the variable.
bool Mentions::visitSubscript(const ExprRef &expr) {
  const std::vector<ExprRef> indices = cellIndices(*expr, variable);
  if (indices.empty())
    return false;
  for (const ExprRef &index : indices) {
    if (copiesIndex && !isRepeatable(index))
      refuseOnce("clopt-opaque-code",
                 "a subscript of '" + variable->name + "' has side effects",
                 index->range);
    visit(index, false);
  }
  return true;
}

void Mentions::visit(const ExprRef &expr, bool isAtomicTarget) {
  if (!expr)
    return;
  if (expr->kind == ExprKind::Subscript && visitSubscript(expr))
    return;
  if (expr->kind == ExprKind::VarRef && expr->var == variable)
    refuseOnce("clopt-opaque-code",
               "'" + variable->name + "' is used as a whole", expr->range);
  // `sizeof` of the array would change; its text may come from a macro.
  if (expr->kind == ExprKind::IntLiteral &&
      (expr->text.find("sizeof") != std::string::npos ||
       expr->text.find('(') != std::string::npos))
    refuseOnce("clopt-opaque-code", "the kernel asks for a size of an object",
               expr->range);
  bool isAddress = expr->kind == ExprKind::Unary && expr->op == Op::AddrOf;
  if (isAddress && !isAtomicTarget) {
    // The address of a cell must not lead to its neighbours.
    const Expr *at = expr->operands[0].get();
    while (at->kind == ExprKind::Subscript || at->kind == ExprKind::Cast)
      at = at->operands[0].get();
    if (at->kind == ExprKind::VarRef && at->var == variable)
      refuseOnce("clopt-opaque-code",
                 "the address of a cell of '" + variable->name + "' is taken",
                 expr->range);
  }
  bool isAtomic =
      expr->kind == ExprKind::Call && expr->effect == CallEffect::Atomic;
  for (size_t i = 0; i < expr->operands.size(); ++i) {
    const ExprRef &operand = expr->operands[i];
    // Casts of an atomic's pointer keep it the address of one cell.
    ExprRef target = operand;
    while (isAtomic && i == 0 && target && target->kind == ExprKind::Cast &&
           target->implicit)
      target = target->operands[0];
    visit(isAtomic && i == 0 ? target : operand, isAtomic && i == 0);
  }
}

void Mentions::visit(const StmtRef &stmt) {
  forEachStmt(stmt, [&](const StmtRef &inner) {
    visit(inner->expr, false);
    visit(inner->inc, false);
  });
}

StepResult checkMentions(const KernelModel &model, const Variable *variable,
                         bool copiesIndex) {
  Mentions mentions(model, variable, copiesIndex);
  mentions.visit(model.function->body);
  return mentions.refusal;
}

} // namespace clopt
