//===- DataRoles.cpp - numbers in buffers that say where to go ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers are followed through variables, whatever the order of assignments.
//
// Tested by test/unit/DataRolesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/DataRoles.h"

#include "Model/Control.h"

namespace clopt {

//===-- Assignments -------------------------------------------------------===//

const Variable *baseOf(const Expr *expr) {
  while (expr) {
    expr = belowCasts(expr);
    switch (expr->kind) {
    case ExprKind::VarRef:
      return expr->var;
    case ExprKind::Subscript:
    case ExprKind::Member:
    case ExprKind::Swizzle:
    case ExprKind::Unary:
      expr = expr->operands[0].get();
      continue;
    case ExprKind::Binary: { // of a pointer and a number
      const bool isFirst = expr->operands[0]->type.isPointer() ||
                           expr->operands[0]->type.isArray();
      if (!isFirst && !expr->operands[1]->type.isPointer())
        return nullptr;
      expr = expr->operands[isFirst ? 0 : 1].get();
      continue;
    }
    default:
      return nullptr;
    }
  }
  return nullptr;
}

Assignments::Assignments(const Function &function) {
  forEachStmt(function.body, [&](const StmtRef &stmt) {
    if (stmt->kind == StmtKind::Decl && stmt->expr)
      values[stmt->var].push_back({stmt->expr, Op::None});
    if (isLoop(*stmt) && stmt->expr)
      addEnds(stmt->expr);
  });
  forEachExpr(function.body, [&](const ExprRef &expr) {
    if (!changesTarget(*expr))
      return;
    const Variable *target = baseOf(expr->operands[0].get());
    if (!target)
      return;
    if (expr->kind == ExprKind::Assign)
      values[target].push_back({expr->operands[1], expr->op});
    else
      values[target].push_back({nullptr, expr->op});
  });
}

void Assignments::addEnds(const ExprRef &condition) {
  const Expr &expr = *withoutCasts(condition.get());
  if (expr.kind != ExprKind::Binary)
    return;
  if (expr.op == Op::LAnd) {
    addEnds(expr.operands[0]);
    addEnds(expr.operands[1]);
    return;
  }
  const bool isUp = expr.op == Op::Lt || expr.op == Op::Le || expr.op == Op::Ne,
             isDown = expr.op == Op::Gt || expr.op == Op::Ge;
  if (!isUp && !isDown)
    return;
  const Expr *small = belowCasts(expr.operands[isUp ? 0 : 1].get());
  if (small->kind == ExprKind::VarRef)
    ends[small->var].emplace_back(expr.operands[isUp ? 1 : 0],
                                  expr.op == Op::Le || expr.op == Op::Ge);
}

const std::vector<Assignments::Value> &
Assignments::of(const Variable *variable) const {
  static const std::vector<Value> none;
  auto found = values.find(variable);
  return found == values.end() ? none : found->second;
}

const std::vector<std::pair<ExprRef, bool>> &
Assignments::endsOf(const Variable *variable) const {
  static const std::vector<std::pair<ExprRef, bool>> none;
  auto found = ends.find(variable);
  return found == ends.end() ? none : found->second;
}

//===-- Roles -------------------------------------------------------------===//

namespace {

class RoleFinder {
public:
  RoleFinder(const Function &kernel, const Assignments &known)
      : function(kernel), assignments(known) {}

  std::map<const Variable *, DataRole> find();

private:
  using Set = std::set<const Variable *>;

  /// Pointer parameters whose integers the value is made of.
  Set sourcesOf(const ExprRef &expr) const {
    Set sources, visited;
    follow(expr, sources, visited);
    return sources;
  }
  void follow(const ExprRef &expr, Set &sources, Set &visited) const;
  void addIndex(const ExprRef &expr) {
    for (const Variable *source : sourcesOf(expr))
      roles.emplace(source, DataRole::Index);
  }
  void addLoop(const Stmt &loop);

  const Function &function;
  const Assignments &assignments;
  std::map<const Variable *, DataRole> roles;
};

} // namespace

void RoleFinder::follow(const ExprRef &expr, Set &sources, Set &visited) const {
  const bool isMemory =
      expr->kind == ExprKind::Subscript ||
      (expr->kind == ExprKind::Unary && expr->op == Op::Deref) ||
      isVectorLoad(*expr);
  if (isMemory) {
    const ExprRef &place =
        isVectorLoad(*expr) ? expr->operands.back() : expr->operands[0];
    const Variable *base = baseOf(place.get());
    if (base && base->isParam && base->type.isPointer())
      sources.insert(base);
    else if (base && visited.insert(base).second)
      for (const Assignments::Value &set : assignments.of(base))
        if (set.value)
          follow(set.value, sources, visited);
    return; // what is between the brackets is another subscript
  }
  if (expr->kind == ExprKind::VarRef && !expr->var->type.isPointer() &&
      visited.insert(expr->var).second)
    for (const Assignments::Value &set : assignments.of(expr->var))
      if (set.value)
        follow(set.value, sources, visited);
  for (const ExprRef &operand : expr->operands)
    follow(operand, sources, visited);
}

/// Numbers on both sides of the iterations are rows, on one side lengths.
void RoleFinder::addLoop(const Stmt &loop) {
  Set begins, ends;
  forEachExpr(loop.expr, [&](const ExprRef &expr) {
    if (expr->kind != ExprKind::Binary || !isComparison(expr->op))
      return;
    for (const ExprRef &side : expr->operands) {
      const Expr *plain = belowCasts(side.get());
      const bool isCounter = plain->kind == ExprKind::VarRef &&
                             !assignments.endsOf(plain->var).empty();
      if (!side->type.isInteger())
        continue;
      if (!isCounter) {
        const Set found = sourcesOf(side);
        ends.insert(found.begin(), found.end());
        continue;
      }
      for (const Assignments::Value &set : assignments.of(plain->var))
        if (set.value && set.op == Op::None) {
          const Set found = sourcesOf(set.value);
          begins.insert(found.begin(), found.end());
        }
    }
  });
  for (const Variable *source : ends) {
    DataRole role = begins.empty() ? DataRole::Length : DataRole::Rows;
    DataRole &known = roles.emplace(source, role).first->second;
    known = std::max(known, role);
  }
  for (const Variable *source : begins)
    if (!ends.empty())
      roles[source] = DataRole::Rows;
}

std::map<const Variable *, DataRole> RoleFinder::find() {
  forEachStmt(function.body, [&](const StmtRef &stmt) {
    if (isLoop(*stmt) && stmt->expr)
      addLoop(*stmt);
  });
  forEachExpr(function.body, [&](const ExprRef &expr) {
    if (expr->kind == ExprKind::Subscript)
      addIndex(expr->operands[1]);
    else if (isVectorLoad(*expr) || isVectorStore(*expr))
      addIndex(expr->operands[expr->operands.size() - 2]);
    else if (expr->kind == ExprKind::Binary && expr->type.isPointer())
      for (const ExprRef &operand : expr->operands)
        if (operand->type.isInteger())
          addIndex(operand);
  });
  return std::move(roles);
}

std::map<const Variable *, DataRole> dataRoles(const Function &function,
                                               const Assignments &assignments) {
  return RoleFinder(function, assignments).find();
}

} // namespace clopt
