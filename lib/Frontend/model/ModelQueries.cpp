//===- ModelQueries.cpp - questions about the statement tree --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Syntactic facts that the walk needs before it enters a statement.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelBuilderImpl.h"

namespace clopt {

std::map<const Variable *, unsigned> assignedIn(const StmtRef &stmt) {
  std::map<const Variable *, unsigned> result;
  forEachStmt(stmt, [&](const StmtRef &inner) {
    if (inner->kind == StmtKind::Decl && inner->var)
      ++result[inner->var];
  });
  forEachExpr(stmt, [&](const ExprRef &expr) {
    // What is not modelled may assign everything it names.
    if (expr->kind == ExprKind::Opaque)
      for (const ExprRef &operand : expr->operands)
        if (const Variable *var = rootVariable(operand.get()))
          result[var] += 2;
    bool writes = expr->kind == ExprKind::Assign ||
                  (expr->kind == ExprKind::Unary && isStep(expr->op));
    if (!writes)
      return;
    const Variable *var = rootVariable(expr->operands.front().get());
    if (var && !var->type.isArray())
      ++result[var];
  });
  return result;
}

const Expr *stripCasts(const Expr *expr) {
  while (expr && expr->kind == ExprKind::Cast && !expr->operands.empty())
    expr = expr->operands.front().get();
  return expr;
}

std::optional<Update> updateOf(const ExprRef &expr) {
  if (!expr || expr->operands.empty())
    return std::nullopt;
  const Expr *target = expr->operands.front().get();
  if (target->kind != ExprKind::VarRef)
    return std::nullopt;
  Update update;
  update.var = target->var;
  if (expr->kind == ExprKind::Unary && isStep(expr->op)) {
    update.isNegative = !isIncrement(expr->op);
    return update;
  }
  if (expr->kind != ExprKind::Assign)
    return std::nullopt;
  if (expr->op == Op::Add || expr->op == Op::Sub) {
    update.amount = expr->operands[1];
    update.isNegative = expr->op == Op::Sub;
    return update;
  }
  const Expr *sum = stripCasts(expr->operands[1].get());
  bool isSum = expr->op == Op::None && sum->kind == ExprKind::Binary &&
               (sum->op == Op::Add || sum->op == Op::Sub);
  if (!isSum)
    return std::nullopt;
  auto isSelf = [&](const ExprRef &side) {
    const Expr *inner = stripCasts(side.get());
    return inner->kind == ExprKind::VarRef && inner->var == update.var;
  };
  if (isSelf(sum->operands[0]))
    update.amount = sum->operands[1];
  else if (sum->op == Op::Add && isSelf(sum->operands[1]))
    update.amount = sum->operands[0];
  else
    return std::nullopt;
  update.isNegative = sum->op == Op::Sub;
  return update;
}

void replaceBody(Function &function, const StmtRef &body) {
  if (!function.written)
    function.written = function.body;
  function.body = body;
}

bool isOfData(const ExprRef &condition) {
  bool found = false;
  forEachExpr(condition, [&](const ExprRef &part) {
    found |= part->type.isFloating() || part->kind == ExprKind::Subscript ||
             part->kind == ExprKind::Call || part->op == Op::Deref;
  });
  return found;
}

bool mentions(const ExprRef &expr, const Variable *var) {
  bool found = false;
  forEachExpr(expr, [&](const ExprRef &inner) {
    found |= inner->kind == ExprKind::VarRef && inner->var == var;
  });
  return found;
}

size_t mentionsOf(const StmtRef &stmt, const Variable *var) {
  size_t count = 0;
  forEachExpr(stmt, [&](const ExprRef &inner) {
    count += inner->kind == ExprKind::VarRef && inner->var == var;
  });
  return count;
}

/// The same, in the outermost statements of which `isPlace` holds.
static size_t mentionsIn(const StmtRef &stmt, const Variable *var,
                         const std::function<bool(const Stmt &)> &isPlace) {
  if (!stmt)
    return 0;
  if (isPlace(*stmt))
    return mentionsOf(stmt, var);
  size_t count = 0;
  for (const StmtRef &child : stmt->children)
    count += mentionsIn(child, var, isPlace);
  for (const StmtRef &part : {stmt->init, stmt->body, stmt->elseBody})
    count += mentionsIn(part, var, isPlace);
  return count;
}

bool isNamedOnlyIn(const StmtRef &body, const Variable *var,
                   const std::function<bool(const Stmt &)> &isPlace) {
  return mentionsIn(body, var, isPlace) == mentionsOf(body, var);
}

static bool mentions(const StmtRef &stmt, const Variable *var) {
  return mentionsOf(stmt, var) > 0;
}

bool isOwnVariable(const Variable &variable) {
  return variable.space == AddressSpace::Private && !variable.isFileScope &&
         !variable.addressTaken && !variable.type.isVolatile;
}

static FirstUse firstUse(const ExprRef &expr, const Variable *var) {
  if (!expr || !mentions(expr, var))
    return FirstUse::None;
  if (expr->kind == ExprKind::Binary && expr->op == Op::Comma) {
    FirstUse left = firstUse(expr->operands[0], var);
    return left != FirstUse::None ? left : firstUse(expr->operands[1], var);
  }
  bool isPlain = expr->kind == ExprKind::Assign && expr->op == Op::None &&
                 expr->operands[0]->kind == ExprKind::VarRef &&
                 expr->operands[0]->var == var &&
                 !mentions(expr->operands[1], var);
  return isPlain ? FirstUse::Assigned : FirstUse::Read;
}

/// Of two things done one after the other.
static FirstUse inOrder(FirstUse first, FirstUse second) {
  return first != FirstUse::None ? first : second;
}

FirstUse firstUse(const StmtRef &stmt, const Variable *var) {
  if (!stmt)
    return FirstUse::None;
  FirstUse use = FirstUse::None;
  switch (stmt->kind) {
  case StmtKind::Block:
  case StmtKind::Group:
    for (const StmtRef &child : stmt->children)
      use = inOrder(use, firstUse(child, var));
    return use;
  case StmtKind::Decl:
  case StmtKind::Expr:
    return firstUse(stmt->expr, var);
  case StmtKind::If: {
    use = firstUse(stmt->expr, var);
    FirstUse then = firstUse(stmt->body, var);
    FirstUse otherwise = firstUse(stmt->elseBody, var);
    if (use != FirstUse::None)
      return use;
    if (then == FirstUse::Read || otherwise == FirstUse::Read)
      return FirstUse::Read;
    return then == otherwise ? then : FirstUse::None;
  }
  case StmtKind::For:
    use = inOrder(firstUse(stmt->init, var), firstUse(stmt->expr, var));
    if (use != FirstUse::None)
      return use;
    // The body may run, then the increment, which a `continue` reaches too.
    use = firstUse(stmt->body, var);
    if (use == FirstUse::Assigned && leavesOf(stmt->body).byContinue)
      use = FirstUse::None;
    if (use == FirstUse::None)
      use = firstUse(stmt->inc, var);
    return use == FirstUse::Read ? use : FirstUse::None;
  default:
    return mentions(stmt, var) ? FirstUse::Read : FirstUse::None;
  }
}

} // namespace clopt
