//===- MakeTree.cpp - statements that no author wrote ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/SharedWorkTest.cpp and RoundsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/MakeTree.h"

namespace clopt {

ExprRef makeText(const std::string &text, const Type &type) {
  auto expr = std::make_shared<Expr>();
  expr->kind = ExprKind::Opaque;
  expr->text = text;
  expr->type = type;
  return expr;
}

ExprRef makeCast(const Type &type, const ExprRef &operand) {
  auto expr = std::make_shared<Expr>();
  expr->kind = ExprKind::Cast;
  expr->type = type;
  expr->operands = {operand};
  return expr;
}

ExprRef makeBinary(Op op, const Type &type, const ExprRef &first,
                   const ExprRef &second) {
  auto expr = std::make_shared<Expr>();
  expr->kind = ExprKind::Binary;
  expr->op = op;
  expr->type = type;
  expr->operands = {first, second};
  return expr;
}

ExprRef makeAssign(const ExprRef &target, const ExprRef &value) {
  auto expr = std::make_shared<Expr>();
  expr->kind = ExprKind::Assign;
  expr->type = target->type;
  expr->operands = {target, value};
  return expr;
}

ExprRef withConversions(const ExprRef &expr) {
  if (expr->kind != ExprKind::Cast || !expr->implicit)
    return expr;
  ExprRef inner = withConversions(expr->operands[0]);
  if (inner->type.isScalar() && inner->type.scalar == expr->type.scalar)
    return inner;
  return makeCast(expr->type, inner);
}

StmtRef makeDeclaration(const Variable *variable, const ExprRef &value) {
  auto stmt = std::make_shared<Stmt>();
  stmt->kind = StmtKind::Decl;
  stmt->var = variable;
  stmt->expr = value;
  return stmt;
}

StmtRef makeBlock(std::vector<StmtRef> children) {
  auto stmt = std::make_shared<Stmt>();
  stmt->kind = StmtKind::Block;
  stmt->children = std::move(children);
  return stmt;
}

StmtRef makeStatement(const ExprRef &expr) {
  auto stmt = std::make_shared<Stmt>();
  stmt->kind = StmtKind::Expr;
  stmt->expr = expr;
  return stmt;
}

} // namespace clopt
