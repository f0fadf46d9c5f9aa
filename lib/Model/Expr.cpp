//===- Expr.cpp - walks over expressions and statements -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walks keep their own stack: a generated kernel may hold an expression
// with ten thousand operators in a row.
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/Expr.h"

#include <algorithm>

using namespace clopt;

Op clopt::opposite(Op op) {
  switch (op) {
  case Op::Lt:
    return Op::Ge;
  case Op::Le:
    return Op::Gt;
  case Op::Gt:
    return Op::Le;
  case Op::Ge:
    return Op::Lt;
  case Op::Eq:
    return Op::Ne;
  case Op::Ne:
    return Op::Eq;
  default:
    return Op::None;
  }
}

Op clopt::mirrored(Op op) {
  switch (op) {
  case Op::Lt:
    return Op::Gt;
  case Op::Le:
    return Op::Ge;
  case Op::Gt:
    return Op::Lt;
  case Op::Ge:
    return Op::Le;
  default:
    return op;
  }
}

void clopt::forEachExpr(const ExprRef &expr,
                        const std::function<void(const ExprRef &)> &visit) {
  std::vector<ExprRef> pending{expr};
  while (!pending.empty()) {
    ExprRef current = std::move(pending.back());
    pending.pop_back();
    if (!current)
      continue;
    visit(current);
    pending.insert(pending.end(), current->operands.rbegin(),
                   current->operands.rend());
  }
}

void clopt::forEachExpr(const StmtRef &stmt,
                        const std::function<void(const ExprRef &)> &visit) {
  forEachStmt(stmt, [&](const StmtRef &current) {
    forEachExpr(current->expr, visit);
    forEachExpr(current->inc, visit);
  });
}

void clopt::forEachStmt(const StmtRef &stmt,
                        const std::function<void(const StmtRef &)> &visit) {
  std::vector<StmtRef> pending{stmt};
  while (!pending.empty()) {
    StmtRef current = std::move(pending.back());
    pending.pop_back();
    if (!current)
      continue;
    visit(current);
    pending.push_back(current->elseBody);
    pending.push_back(current->body);
    pending.push_back(current->init);
    pending.insert(pending.end(), current->children.rbegin(),
                   current->children.rend());
  }
}

const Expr *clopt::withoutCasts(const Expr *expr) {
  while (expr->kind == ExprKind::Cast && expr->implicit)
    expr = expr->operands[0].get();
  return expr;
}

const ExprRef &clopt::withoutCasts(const ExprRef &expr) {
  const ExprRef *at = &expr;
  while ((*at)->kind == ExprKind::Cast && (*at)->implicit)
    at = &(*at)->operands[0];
  return *at;
}

const Expr *clopt::belowCasts(const Expr *expr) {
  while (expr->kind == ExprKind::Cast)
    expr = expr->operands[0].get();
  return expr;
}

bool clopt::changesTarget(const Expr &expr) {
  return expr.kind == ExprKind::Assign ||
         (expr.kind == ExprKind::Unary && isStep(expr.op));
}

const Variable *clopt::rootVariable(const Expr *lvalue) {
  while (lvalue->kind != ExprKind::VarRef) {
    bool isPart = lvalue->kind == ExprKind::Swizzle ||
                  lvalue->kind == ExprKind::Cast ||
                  (lvalue->kind == ExprKind::Member && !lvalue->arrow) ||
                  (lvalue->kind == ExprKind::Subscript &&
                   !lvalue->operands[0]->type.isPointer());
    if (!isPart)
      return nullptr;
    lvalue = lvalue->operands[0].get();
  }
  return lvalue->var;
}

bool clopt::areAlike(const Expr &one, const Expr &other) {
  const Type &a = one.type, &b = other.type;
  return one.kind == other.kind && a.kind == b.kind && a.scalar == b.scalar &&
         a.lanes == b.lanes && a.size == b.size && one.op == other.op &&
         one.var == other.var && one.query == other.query &&
         one.dim == other.dim && one.intValue == other.intValue &&
         one.text == other.text && one.arrow == other.arrow &&
         one.callee == other.callee && one.family == other.family &&
         one.suffix == other.suffix && one.components == other.components;
}

bool clopt::areSameTree(const Expr &one, const Expr &other) {
  return areAlike(one, other) &&
         std::equal(one.operands.begin(), one.operands.end(),
                    other.operands.begin(), other.operands.end(),
                    [](const ExprRef &a, const ExprRef &b) {
                      return a == b || (a && b && areSameTree(*a, *b));
                    });
}

bool clopt::isSideEffectFree(const ExprRef &expr) {
  bool isFree = true;
  forEachExpr(expr, [&](const ExprRef &part) {
    bool writes = changesTarget(*part) || part->kind == ExprKind::Opaque;
    bool calls = part->kind == ExprKind::Call &&
                 part->effect != CallEffect::Pure &&
                 part->effect != CallEffect::ReadsArgs;
    isFree &= !writes && !calls && !part->type.isVolatile;
  });
  return isFree;
}

bool clopt::isVectorLoad(const Expr &expr) {
  return expr.family == CallFamily::Load || expr.family == CallFamily::LoadHalf;
}

bool clopt::isVectorStore(const Expr &expr) {
  return expr.family == CallFamily::Store ||
         expr.family == CallFamily::StoreHalf;
}

unsigned clopt::vectorPitch(const Expr &expr) {
  const Type &value = isVectorStore(expr) ? expr.operands[0]->type : expr.type;
  const bool isPadded =
      value.lanes == 3 && expr.text.find("a_half") != std::string::npos;
  return isPadded ? 4 : std::max(1u, value.lanes);
}
