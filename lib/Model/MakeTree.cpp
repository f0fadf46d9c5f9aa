//===- MakeTree.cpp - expressions and statements no author wrote ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/StrengthTest.cpp, SharedWorkTest.cpp and RoundsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/MakeTree.h"

#include <llvm/ADT/STLExtras.h>

namespace clopt {

static std::shared_ptr<Expr> make(ExprKind kind, const Type &type,
                                  std::vector<ExprRef> operands = {}) {
  auto expr = std::make_shared<Expr>();
  expr->kind = kind;
  expr->type = type;
  if (!operands.empty())
    expr->range = operands.back()->range;
  expr->operands = std::move(operands);
  return expr;
}

ExprRef makeText(const std::string &text, const Type &type) {
  auto expr = make(ExprKind::Opaque, type);
  expr->text = text;
  return expr;
}

ExprRef makeName(const Variable *variable, const Type &type) {
  auto expr = make(ExprKind::VarRef, type);
  expr->var = variable;
  return expr;
}

ExprRef makeLiteral(int64_t value, const Type &type) {
  auto expr = make(ExprKind::IntLiteral, type);
  expr->intValue = value;
  return expr;
}

ExprRef makeQuery(WorkItemQuery query, unsigned dim) {
  auto expr = make(ExprKind::WorkItem, Type::makeScalar(ScalarKind::ULong));
  expr->type.spelling = "size_t";
  expr->query = query;
  expr->dim = dim;
  return expr;
}

ExprRef makeCast(const Type &type, const ExprRef &operand, bool isImplicit) {
  auto expr = make(ExprKind::Cast, type, {operand});
  expr->implicit = isImplicit;
  return expr;
}

ExprRef makeBinary(Op op, const Type &type, const ExprRef &first,
                   const ExprRef &second) {
  auto expr = make(ExprKind::Binary, type, {first, second});
  expr->op = op;
  return expr;
}

ExprRef makeConditional(const Type &type, const ExprRef &condition,
                        const ExprRef &ifTrue, const ExprRef &ifFalse) {
  return make(ExprKind::Conditional, type, {condition, ifTrue, ifFalse});
}

ExprRef makeAssign(const ExprRef &target, const ExprRef &value, Op op) {
  auto expr = make(ExprKind::Assign, target->type, {target, value});
  expr->op = op;
  if (op != Op::None)
    expr->computeType = value->type;
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

static std::shared_ptr<Stmt> make(StmtKind kind, const ExprRef &expr) {
  auto stmt = std::make_shared<Stmt>();
  stmt->kind = kind;
  stmt->expr = expr;
  if (expr)
    stmt->range = expr->range;
  return stmt;
}

ExprRef makeNumber(int64_t value, const Type &type) {
  return makeCast(type, makeLiteral(value, Type::makeScalar(ScalarKind::Int)),
                  true);
}

ExprRef makeSum(const Polynomial &poly, const Type &type,
                const std::function<ExprRef(SymbolId)> &nameOf) {
  ExprRef sum;
  // The highest degree first: rows before columns.
  for (const auto &[monomial, factor] : llvm::reverse(poly.terms)) {
    ExprRef term;
    for (SymbolId id : monomial)
      term = term ? makeBinary(Op::Mul, type, term, nameOf(id)) : nameOf(id);
    const int64_t size = factor < 0 ? -factor : factor;
    if (!term)
      term = makeNumber(size, type);
    else if (size != 1)
      term = makeBinary(Op::Mul, type, makeNumber(size, type), term);
    if (sum)
      sum = makeBinary(factor < 0 ? Op::Sub : Op::Add, type, sum, term);
    else if (factor < 0)
      sum = makeBinary(Op::Sub, type, makeNumber(0, type), term);
    else
      sum = term;
  }
  return sum ? sum : makeNumber(0, type);
}

ExprRef copyOf(const ExprRef &expr) {
  if (!expr)
    return expr;
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprRef &operand : copy->operands)
    operand = copyOf(operand);
  return copy;
}

ExprRef withReplaced(const ExprRef &expr, const Replacement &replace) {
  if (!expr)
    return expr;
  if (ExprRef other = replace(expr))
    return other;
  std::shared_ptr<Expr> copy;
  for (size_t i = 0; i < expr->operands.size(); ++i) {
    const ExprRef operand = withReplaced(expr->operands[i], replace);
    if (operand == expr->operands[i])
      continue;
    if (!copy)
      copy = std::make_shared<Expr>(*expr);
    copy->operands[i] = operand;
  }
  return copy ? copy : expr;
}

StmtRef withReplaced(const StmtRef &stmt, const Replacement &replace) {
  if (!stmt)
    return stmt;
  auto copy = std::make_shared<Stmt>(*stmt);
  for (StmtRef &child : copy->children)
    child = withReplaced(child, replace);
  for (StmtRef *part : {&copy->init, &copy->body, &copy->elseBody})
    *part = withReplaced(*part, replace);
  for (ExprRef *part : {&copy->expr, &copy->inc})
    *part = withReplaced(*part, replace);
  return copy;
}

StmtRef makeDeclaration(const Variable *variable, const ExprRef &value) {
  auto stmt = make(StmtKind::Decl, value);
  stmt->var = variable;
  return stmt;
}

StmtRef makeBlock(std::vector<StmtRef> children) {
  auto stmt = make(StmtKind::Block, nullptr);
  stmt->children = std::move(children);
  return stmt;
}

StmtRef makeStatement(const ExprRef &expr) {
  return make(StmtKind::Expr, expr);
}

StmtRef makeFor(const StmtRef &init, const ExprRef &condition,
                const ExprRef &advance, const StmtRef &body) {
  auto stmt = make(StmtKind::For, condition);
  stmt->init = init;
  stmt->inc = advance;
  stmt->body = body;
  return stmt;
}

} // namespace clopt
