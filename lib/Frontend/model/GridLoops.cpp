//===- GridLoops.cpp - loops that all work-items go through together ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set of dimensions is kept for every variable: those whose ids its value may
// depend on. Inside a loop its iterator depends on none.
//
// Tested by test/unit/GridLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/GridLoops.h"

#include "Frontend/model/ModelBuilderImpl.h"

#include <algorithm>

namespace clopt {

namespace {

using DimensionMask = unsigned;

class GridChecker {
public:
  GridChecker(const Function &function, const GridLoopForms &forms)
      : kernel(function), loops(forms) {
    for (const auto &[stmt, form] : loops)
      all |= 1u << form.dim;
  }
  GridLoopCheck run();

private:
  DimensionMask idsIn(const ExprRef &expr) const;
  bool widen(const Variable *var, DimensionMask mask);
  bool follow(const StmtRef &stmt, DimensionMask control);
  void walk(const StmtRef &stmt, DimensionMask around);
  void walkSimple(const StmtRef &stmt, DimensionMask around);
  void walkFor(const StmtRef &stmt, DimensionMask around);
  void walkGrid(const StmtRef &stmt, const GridLoopForm &form,
                DimensionMask around);
  void checkCarried(const Stmt &loop, const GridLoopForm &form);
  void checkReadsOutside(const Variable *variable);
  void checkObjects();
  void need(const ExprRef &top);
  void dropUnneeded();
  bool isPrivate(const StmtRef &stmt) const;
  bool isInner(const StmtRef &stmt) const;
  void fail(const std::string &problem) {
    if (result.problem.empty())
      result.problem = problem;
  }

  const Function &kernel;
  const GridLoopForms &loops;
  DimensionMask all = 0;
  std::map<const Variable *, DimensionMask> ids; ///< what a value depends on
  std::set<const Variable *> iterators;          ///< of the loops around
  std::set<const Variable *> own; ///< declared inside all the loops
  /// Assigned inside a loop, declared outside.
  std::set<std::pair<const Stmt *, const Variable *>> handed;
  std::set<const Variable *> needed; ///< by what the virtual work-items do
  std::vector<StmtRef> before;       ///< private statements that are not in all
  std::vector<StmtRef> outside; ///< statements that are not in all the loops
  GridLoopCheck result;
};

} // namespace

//===-- What depends on ids -----------------------------------------------===//

DimensionMask GridChecker::idsIn(const ExprRef &expr) const {
  DimensionMask mask = 0;
  forEachExpr(expr, [&](const ExprRef &node) {
    if (node->kind == ExprKind::VarRef && !iterators.count(node->var)) {
      auto known = ids.find(node->var);
      mask |= known == ids.end() ? 0 : known->second;
    }
    if (node->kind != ExprKind::WorkItem)
      return;
    switch (node->query) {
    case WorkItemQuery::GlobalId:
    case WorkItemQuery::LocalId:
    case WorkItemQuery::GroupId:
      mask |= node->dim < 3 ? 1u << node->dim : 0;
      break;
    case WorkItemQuery::GlobalLinearId:
    case WorkItemQuery::LocalLinearId:
      mask |= 7;
      break;
    default:
      break;
    }
  });
  return mask & all;
}

bool GridChecker::widen(const Variable *var, DimensionMask mask) {
  DimensionMask &known = ids[var];
  bool changes = (known | mask) != known;
  known |= mask;
  return changes;
}

/// One pass over the assignments; true when some variable depends on more ids
/// than was known.
bool GridChecker::follow(const StmtRef &stmt, DimensionMask control) {
  if (!stmt)
    return false;
  auto grid = loops.find(stmt.get());
  const Variable *iterator =
      grid == loops.end() ? nullptr : grid->second.iterator;
  bool changes = follow(stmt->init, control);
  bool isNew = iterator && iterators.insert(iterator).second;
  bool isSelection =
      stmt->kind != StmtKind::Decl && stmt->kind != StmtKind::Expr;
  if (isSelection)
    control |= idsIn(stmt->expr);
  if (stmt->kind == StmtKind::Decl && stmt->expr)
    changes |= widen(stmt->var, control | idsIn(stmt->expr));
  for (const ExprRef &top : {stmt->expr, stmt->inc})
    forEachExpr(top, [&](const ExprRef &node) {
      if (!changesTarget(*node))
        return;
      const Variable *target = rootVariable(node->operands[0].get());
      if (!target || iterators.count(target))
        return;
      DimensionMask mask = control;
      for (const ExprRef &operand : node->operands)
        mask |= idsIn(operand);
      changes |= widen(target, mask);
    });
  for (const StmtRef &child : stmt->children)
    changes |= follow(child, control);
  changes |= follow(stmt->body, control);
  changes |= follow(stmt->elseBody, control);
  if (isNew)
    iterators.erase(iterator);
  return changes;
}

//===-- Statements --------------------------------------------------------===//

/// Sets private variables and does nothing else.
bool GridChecker::isPrivate(const StmtRef &stmt) const {
  bool isFine = true;
  forEachExpr(stmt, [&](const ExprRef &node) {
    bool calls = node->kind == ExprKind::Call &&
                 node->effect != CallEffect::Pure &&
                 node->effect != CallEffect::ReadsArgs;
    isFine &=
        !calls && node->kind != ExprKind::Opaque && !node->type.isVolatile;
    if (!changesTarget(*node))
      return;
    const Variable *target = rootVariable(node->operands[0].get());
    isFine &= target && target->space == AddressSpace::Private &&
              !target->isFileScope;
  });
  return isFine;
}

void GridChecker::walkSimple(const StmtRef &stmt, DimensionMask around) {
  DimensionMask mask = idsIn(stmt->expr);
  const Variable *target = stmt->var;
  if (stmt->expr && changesTarget(*stmt->expr))
    target = rootVariable(stmt->expr->operands[0].get());
  if (target && !iterators.count(target))
    mask |= ids[target];
  if (around == all && stmt->kind == StmtKind::Decl)
    own.insert(stmt->var);
  if (around != all)
    outside.push_back(stmt);
  if (mask & around)
    return fail("the id is used in the loop beside its iterator");
  if (around != all && !isPrivate(stmt))
    return fail("the kernel does more than the loop");
  if (mask)
    result.dropped.insert(stmt.get());
  else if (around != all)
    before.push_back(stmt);
}

void GridChecker::need(const ExprRef &top) {
  forEachExpr(top, [&](const ExprRef &expr) {
    if (expr->kind == ExprKind::VarRef)
      needed.insert(expr->var);
  });
}

/// The private variable that a statement sets and all it does.
static const Variable *onlyTarget(const Stmt &stmt) {
  if (stmt.kind == StmtKind::Decl)
    return isSideEffectFree(stmt.expr) ? stmt.var : nullptr;
  const Expr &expr = *stmt.expr;
  bool isPlain = expr.kind == ExprKind::Assign &&
                 expr.operands[0]->kind == ExprKind::VarRef &&
                 isSideEffectFree(expr.operands[1]);
  return isPlain ? expr.operands[0]->var : nullptr;
}

/// Values for bounds and steps alone are not computed once more.
void GridChecker::dropUnneeded() {
  for (size_t known = ~size_t(0); known != needed.size();) {
    known = needed.size();
    for (const StmtRef &stmt : before) {
      const Variable *target = onlyTarget(*stmt);
      if (!target || needed.count(target))
        need(stmt->expr);
    }
  }
  for (const StmtRef &stmt : before) {
    const Variable *target = onlyTarget(*stmt);
    if (target && !needed.count(target))
      result.dropped.insert(stmt.get());
  }
}

/// True when one of the loops is below.
bool GridChecker::isInner(const StmtRef &stmt) const {
  bool found = false;
  forEachStmt(stmt, [&](const StmtRef &inner) {
    found |= loops.count(inner.get()) != 0;
  });
  return found;
}

void GridChecker::walkFor(const StmtRef &stmt, DimensionMask around) {
  if (idsIn(stmt->expr) || idsIn(stmt->inc))
    return fail("a condition depends on the id");
  if (around != all && !isInner(stmt))
    return fail("the kernel does more than the loop");
  need(stmt->expr);
  need(stmt->inc);
  if (around != all && stmt->expr) {
    auto head = std::make_shared<Stmt>();
    head->kind = StmtKind::Expr;
    head->expr = stmt->expr;
    outside.push_back(head);
  }
  walk(stmt->init, around);
  walk(stmt->body, around);
}

void GridChecker::walkGrid(const StmtRef &stmt, const GridLoopForm &form,
                           DimensionMask around) {
  DimensionMask bit = 1u << form.dim;
  if (around & bit)
    return fail("the loop is inside another one of its kind");
  // The first value may depend on the id; further parts must not.
  forEachStmt(stmt->init, [&](const StmtRef &part) {
    const Variable *target = part->var;
    if (part->expr && changesTarget(*part->expr))
      target = rootVariable(part->expr->operands[0].get());
    DimensionMask mayBe = target == form.iterator ? bit : 0;
    if (idsIn(part->expr) & ~mayBe)
      fail("the first iteration depends on the id in other ways");
  });
  bool isNew = iterators.insert(form.iterator).second;
  if (idsIn(stmt->expr) || idsIn(stmt->inc))
    fail("a condition depends on the id");
  checkCarried(*stmt, form);
  if ((around | bit) == all)
    forEachExpr(stmt->body, [&](const ExprRef &expr) {
      if (expr->kind == ExprKind::VarRef)
        needed.insert(expr->var);
    });
  walk(stmt->body, around | bit);
  if (isNew)
    iterators.erase(form.iterator);
}

void GridChecker::walk(const StmtRef &stmt, DimensionMask around) {
  if (!stmt || !result.problem.empty())
    return;
  switch (stmt->kind) {
  case StmtKind::Block:
  case StmtKind::Group:
    for (const StmtRef &child : stmt->children)
      walk(child, around);
    return;
  case StmtKind::Decl:
  case StmtKind::Expr:
    return walkSimple(stmt, around);
  case StmtKind::For: {
    auto grid = loops.find(stmt.get());
    return grid == loops.end() ? walkFor(stmt, around)
                               : walkGrid(stmt, grid->second, around);
  }
  case StmtKind::If:
    if (idsIn(stmt->expr))
      return fail("a condition depends on the id");
    if (around != all && !isPrivate(stmt) && !isInner(stmt))
      return fail("the kernel does more than the loop");
    need(stmt->expr);
    walk(stmt->body, around);
    return walk(stmt->elseBody, around);
  case StmtKind::While:
  case StmtKind::Do:
    if (idsIn(stmt->expr))
      return fail("a condition depends on the id");
    if (around != all)
      return fail("the kernel does more than the loop");
    return walk(stmt->body, around);
  case StmtKind::Return:
    if (around != 0)
      fail("the loop is left by a return");
    return;
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Null:
    return;
  default:
    fail("the kernel has code that is not modelled, or barriers");
  }
}

//===-- Private values ----------------------------------------------------===//

/// What the body assigns it must assign before it reads it.
void GridChecker::checkCarried(const Stmt &loop, const GridLoopForm &form) {
  std::set<const Variable *> declared;
  forEachStmt(loop.body, [&](const StmtRef &inner) {
    if (inner->kind == StmtKind::Decl)
      declared.insert(inner->var);
  });
  for (const auto &[variable, count] : assignedIn(loop.body)) {
    if (declared.count(variable))
      continue;
    if (variable == form.iterator)
      return fail("the loop changes its iterator");
    handed.insert({&loop, variable});
  }
}

static std::string nameIn(const Variable &variable) {
  return "'" + variable.name + "'";
}

static bool contains(const Stmt &outer, const Stmt *inner) {
  bool found = false;
  forEachStmt(outer.body,
              [&](const StmtRef &stmt) { found |= stmt.get() == inner; });
  return found;
}

/// Values of one iteration must not be seen by the next, nor after the loop.
void GridChecker::checkReadsOutside(const Variable *variable) {
  for (const auto &[loop, assigned] : handed) {
    if (assigned != variable)
      continue;
    for (const auto &[other, form] : loops) {
      bool isNested = contains(*loop, other) || contains(*other, loop);
      if (!isNested && firstUse(other->body, variable) == FirstUse::Read)
        return fail("the value of " + nameIn(*variable) +
                    " goes from one iteration to the next");
    }
    for (const StmtRef &stmt : outside)
      if (!contains(*loop, stmt.get()) &&
          firstUse(stmt, variable) == FirstUse::Read)
        return fail("the value of " + nameIn(*variable) +
                    " is used outside the loop");
  }
}

/// Arrays and objects with an address are followed by nobody.
void GridChecker::checkObjects() {
  std::set<const Variable *> written;
  forEachExpr(kernel.body, [&](const ExprRef &node) {
    if (changesTarget(*node))
      written.insert(rootVariable(node->operands[0].get()));
  });
  for (const auto &variable : kernel.variables) {
    if (own.count(variable.get()))
      continue;
    if (variable->space == AddressSpace::Local)
      return fail("the kernel uses local memory");
    bool isObject = variable->addressTaken ||
                    (variable->type.isArray() && written.count(variable.get()));
    if (isObject)
      return fail(nameIn(*variable) + " is shared by the iterations");
  }
}

GridLoopCheck GridChecker::run() {
  while (follow(kernel.body, 0))
    ;
  walk(kernel.body, 0);
  if (result.problem.empty())
    checkObjects();
  dropUnneeded();
  for (const auto &variable : kernel.variables)
    if (result.problem.empty())
      checkReadsOutside(variable.get());
  return std::move(result);
}

GridLoopCheck checkGridLoops(const Function &kernel,
                             const GridLoopForms &loops) {
  return GridChecker(kernel, loops).run();
}

} // namespace clopt
