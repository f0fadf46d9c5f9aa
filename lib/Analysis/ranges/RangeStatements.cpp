//===- RangeStatements.cpp - states before and after statements -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ValueRangeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <functional>

#include <ppl.hh>

// After ppl.hh.
#include "Analysis/ranges/RangeInterpreter.h"
#include "Model/Control.h"

namespace clopt::range {

//===-- Set-up ------------------------------------------------------------===//

/// Counts how often conditions and subscripts name variables and ids.
void Interpreter::chooseDimensions() {
  std::map<const Variable *, unsigned> uses;
  auto look = [&](const ExprRef &top) {
    forEachExpr(top, [&](const ExprRef &expr) {
      if (expr->kind == ExprKind::VarRef && expr->var)
        ++uses[expr->var];
      if (expr->kind == ExprKind::WorkItem && launch.size() < 4)
        launch.try_emplace({expr->query, expr->dim}, 0);
    });
  };
  forEachStmt(function.body, [&](const StmtRef &stmt) {
    bool isControl = stmt->kind == StmtKind::If || isLoop(*stmt);
    if (isControl && stmt->expr)
      look(stmt->expr);
    if (stmt->kind == StmtKind::Decl && stmt->expr && stmt->var &&
        isNumber(stmt->var->type))
      look(stmt->expr);
  });
  forEachExpr(function.body, [&](const ExprRef &expr) {
    if (expr->kind == ExprKind::Subscript)
      look(expr->operands[1]);
  });
  std::vector<std::pair<unsigned, const Variable *>> order;
  for (const auto &variable : function.variables) {
    bool isTracked = isNumber(variable->type) && !variable->addressTaken &&
                     !variable->type.isVolatile && uses.count(variable.get());
    if (isTracked)
      order.emplace_back(uses[variable.get()], variable.get());
  }
  std::stable_sort(
      order.begin(), order.end(),
      [](const auto &a, const auto &b) { return a.first > b.first; });
  for (auto &entry : launch)
    entry.second = count++;
  for (const auto &entry : order)
    if (count < MostDimensions)
      dimensions[entry.second] = count++;
}

std::optional<ppl::Variable>
Interpreter::dimensionOf(const Variable *var) const {
  auto it = dimensions.find(var);
  if (it == dimensions.end())
    return std::nullopt;
  return ppl::Variable(it->second);
}

/// Sizes are at least 1, ids at least 0 and below their size.
void Interpreter::limitLaunch(State &state) const {
  Coefficient large = Coefficient(1) << 62;
  for (const auto &[key, index] : launch) {
    ppl::Variable variable(index);
    auto [query, dim] = key;
    bool isSize = query == WorkItemQuery::GlobalSize ||
                  query == WorkItemQuery::LocalSize ||
                  query == WorkItemQuery::EnqueuedLocalSize ||
                  query == WorkItemQuery::NumGroups ||
                  query == WorkItemQuery::WorkDim;
    state.add_constraint(variable >= (isSize ? 1 : 0));
    state.add_constraint(variable <= large);
    unsigned known = dim < 3 ? function.requiredLocalSize[dim] : 0;
    if (query == WorkItemQuery::LocalId && known != 0)
      state.add_constraint(variable <= known - 1);
    if (query == WorkItemQuery::LocalSize && known != 0)
      state.add_constraint(variable <= known);
    auto below = [&](WorkItemQuery size) {
      auto it = launch.find({size, dim});
      if (it != launch.end())
        state.add_constraint(variable <= ppl::Variable(it->second) - 1);
    };
    if (query == WorkItemQuery::LocalId)
      below(WorkItemQuery::LocalSize);
    if (query == WorkItemQuery::GroupId)
      below(WorkItemQuery::NumGroups);
  }
}

/// A variable holds a value of its type, whatever the widening forgot.
void Interpreter::limitTypes(State &state) const {
  for (const auto &[var, index] : dimensions) {
    Bounds bounds = boundsOfType(var->type);
    state.add_constraint(ppl::Variable(index) >= bounds.least);
    state.add_constraint(ppl::Variable(index) <= bounds.most);
  }
}

void Interpreter::spend() {
  if (++work > MostWork)
    throw RangeBudgetSpent();
}

void Interpreter::spendOn(const State &state) {
  spend();
  bytes += state.total_memory_in_bytes();
  if (bytes > MostBytes)
    throw RangeBudgetSpent();
}

void Interpreter::run() {
  chooseDimensions();
  State state(count);
  limitLaunch(state);
  limitTypes(state);
  walk(function.body, state);
}

//===-- Assignments -------------------------------------------------------===//

void Interpreter::forget(const Variable *var, State &state) {
  std::optional<ppl::Variable> dim = dimensionOf(var);
  if (!dim)
    return;
  state.unconstrain(*dim);
  Bounds bounds = boundsOfType(var->type);
  state.add_constraint(*dim >= bounds.least);
  state.add_constraint(*dim <= bounds.most);
}

void Interpreter::forgetAll(State &state) {
  for (const auto &entry : dimensions)
    forget(entry.first, state);
}

/// Both arms of `?:` are followed apart, so that what they say of the variable
/// is not lost.
void Interpreter::assign(const Variable *var, const ExprRef &source,
                         State &state) {
  const Expr *inner = source.get();
  while (inner->kind == ExprKind::Cast && inner->implicit &&
         inner->operands[0]->type.scalar == inner->type.scalar)
    inner = inner->operands[0].get();
  if (inner->kind == ExprKind::Conditional && !hasEffects(source) &&
      isNumber(source->type) && dimensionOf(var)) {
    evaluate(source, state);
    State yes = state, no = state;
    refine(inner->operands[0], true, yes);
    refine(inner->operands[0], false, no);
    assignValue(var, evaluate(inner->operands[1], yes), yes);
    assignValue(var, evaluate(inner->operands[2], no), no);
    yes.poly_hull_assign(no);
    state = yes;
    return;
  }
  Value value = evaluate(source, state);
  assignValue(var, value, state);
}

void Interpreter::assignValue(const Variable *var, const Value &value,
                              State &state) {
  std::optional<ppl::Variable> dim = dimensionOf(var);
  if (!dim)
    return;
  if (value.lower && value.upper)
    state.bounded_affine_image(*dim, *value.lower, *value.upper,
                               value.denominator);
  else if (value.upper)
    state.generalized_affine_image(*dim, ppl::LESS_OR_EQUAL, *value.upper,
                                   value.denominator);
  else
    state.unconstrain(*dim);
  Bounds bounds = boundsOfType(var->type);
  state.add_constraint(*dim >= std::max(bounds.least, value.bounds.least));
  state.add_constraint(*dim <= std::min(bounds.most, value.bounds.most));
}

//===-- Conditions --------------------------------------------------------===//

void Interpreter::compare(const Expr &expr, Op op, State &state) {
  if (!isNumber(expr.operands[0]->type) || !isNumber(expr.operands[1]->type))
    return;
  Value a = evaluate(expr.operands[0], state);
  Value b = evaluate(expr.operands[1], state);
  auto side = [](const Value &value) {
    return value.isLinear ? *value.lower : Linear_Expression();
  };
  // A side without a form counts with its bounds.
  auto least = [&](const Value &value) {
    return value.isLinear ? side(value) : Linear_Expression(value.bounds.least);
  };
  auto most = [&](const Value &value) {
    return value.isLinear ? side(value) : Linear_Expression(value.bounds.most);
  };
  switch (op) {
  case Op::Lt:
    state.add_constraint(least(a) + 1 <= most(b));
    return;
  case Op::Le:
    state.add_constraint(least(a) <= most(b));
    return;
  case Op::Gt:
    state.add_constraint(most(a) >= least(b) + 1);
    return;
  case Op::Ge:
    state.add_constraint(most(a) >= least(b));
    return;
  case Op::Eq:
    state.add_constraint(least(a) <= most(b));
    state.add_constraint(most(a) >= least(b));
    return;
  default:
    break;
  }
  if (!a.isLinear || !b.isLinear)
    return;
  Linear_Expression difference = side(a) - side(b);
  Bounds bounds = linear(difference, state).bounds;
  if (bounds.least == 0 && bounds.most == 0)
    state = nothing();
  else if (bounds.least == 0)
    state.add_constraint(difference >= 1);
  else if (bounds.most == 0)
    state.add_constraint(difference <= -1);
}

/// Keeps the states in which `condition`, already evaluated, is `value`.
void Interpreter::refine(const ExprRef &condition, bool value, State &state) {
  if (hasEffects(condition))
    return;
  bool wasRecording = isRecording;
  isRecording = false;
  const Expr &expr = *condition;
  bool isBoth =
      expr.kind == ExprKind::Binary && expr.op == (value ? Op::LAnd : Op::LOr);
  bool isEither =
      expr.kind == ExprKind::Binary && expr.op == (value ? Op::LOr : Op::LAnd);
  if (isBoth) {
    refine(expr.operands[0], value, state);
    refine(expr.operands[1], value, state);
  } else if (isEither) {
    State other = state;
    refine(expr.operands[0], value, state);
    refine(expr.operands[0], !value, other);
    refine(expr.operands[1], value, other);
    state.poly_hull_assign(other);
  } else if (expr.kind == ExprKind::Unary && expr.op == Op::LNot) {
    refine(expr.operands[0], !value, state);
  } else if (expr.kind == ExprKind::Cast && isNumber(expr.operands[0]->type) &&
             expr.type.scalar == ScalarKind::Bool) {
    refine(expr.operands[0], value, state);
  } else if (expr.kind == ExprKind::Cast && expr.implicit &&
             expr.operands[0]->kind == ExprKind::Binary &&
             (isComparison(expr.operands[0]->op) ||
              expr.operands[0]->op == Op::LAnd ||
              expr.operands[0]->op == Op::LOr)) {
    refine(expr.operands[0], value, state);
  } else if (expr.kind == ExprKind::Binary && isComparison(expr.op)) {
    compare(expr, value ? expr.op : opposite(expr.op), state);
  } else if (expr.kind == ExprKind::IntLiteral) {
    if ((expr.intValue != 0) != value)
      state = nothing();
  } else if (isNumber(expr.type)) {
    Value number = evaluate(condition, state);
    if (number.isLinear && !value)
      state.add_constraint(*number.lower == 0);
    else if (number.isLinear && number.bounds.least == 0)
      state.add_constraint(*number.lower >= 1);
  }
  isRecording = wasRecording;
}

State Interpreter::afterCondition(const ExprRef &condition, bool value,
                                  State state) {
  if (!condition)
    return value ? state : nothing();
  evaluate(condition, state);
  refine(condition, value, state);
  return state;
}

//===-- Statements --------------------------------------------------------===//

/// True when the state behind the statement is the one ahead of it.
bool Interpreter::keepsState(const StmtRef &stmt) const {
  bool result = true;
  forEachStmt(stmt, [&](const StmtRef &inner) {
    bool isJump =
        inner->kind == StmtKind::Break || inner->kind == StmtKind::Continue ||
        inner->kind == StmtKind::Return || inner->kind == StmtKind::Switch ||
        inner->kind == StmtKind::Opaque;
    bool isOwn = inner->kind == StmtKind::Decl && dimensions.count(inner->var);
    result &= !isJump && !isOwn;
  });
  forEachExpr(stmt, [&](const ExprRef &expr) {
    if (expr->kind == ExprKind::Opaque)
      result = false;
    if (changesTarget(*expr))
      result &= !dimensions.count(rootVariable(expr->operands[0].get()));
  });
  return result;
}

/// True when the value hangs on a dimension, other than by what is read there,
/// or on nothing at all.
bool Interpreter::isAboutDimensions(const ExprRef &condition) const {
  bool isConstant = true;
  std::function<bool(const Expr &)> look = [&](const Expr &expr) {
    const bool isLaunch =
        expr.kind == ExprKind::WorkItem && launch.count({expr.query, expr.dim});
    isConstant &= expr.kind != ExprKind::VarRef &&
                  expr.kind != ExprKind::Call &&
                  expr.kind != ExprKind::WorkItem;
    if (isLaunch ||
        (expr.kind == ExprKind::VarRef && dimensions.count(expr.var)))
      return true;
    const bool isElsewhere =
        expr.kind == ExprKind::Subscript || expr.kind == ExprKind::Call ||
        (expr.kind == ExprKind::Unary && expr.op == Op::Deref) ||
        expr.type.isFloating();
    isConstant &= !isElsewhere;
    return !isElsewhere &&
           std::any_of(expr.operands.begin(), expr.operands.end(),
                       [&](const ExprRef &operand) { return look(*operand); });
  };
  return look(*condition) || isConstant;
}

/// Copies and hulls of states are what the analysis spends most on.
void Interpreter::walkIf(const Stmt &stmt, State &state) {
  const bool keeps = keepsState(stmt.body) && keepsState(stmt.elseBody) &&
                     !hasEffects(stmt.expr);
  if (!keeps) {
    State no = state;
    state = afterCondition(stmt.expr, true, state);
    no = afterCondition(stmt.expr, false, no);
    walk(stmt.body, state);
    walk(stmt.elseBody, no);
    state.poly_hull_assign(no);
    return;
  }
  if (!isAboutDimensions(stmt.expr)) {
    evaluate(stmt.expr, state);
    walk(stmt.body, state);
    walk(stmt.elseBody, state);
    return;
  }
  State yes = afterCondition(stmt.expr, true, state);
  walk(stmt.body, yes);
  if (!stmt.elseBody)
    return;
  State no = afterCondition(stmt.expr, false, state);
  walk(stmt.elseBody, no);
}

void Interpreter::walk(const StmtRef &stmt, State &state) {
  if (!stmt)
    return;
  spendOn(state);
  switch (stmt->kind) {
  case StmtKind::Block:
  case StmtKind::Group:
    for (const StmtRef &child : stmt->children)
      walk(child, state);
    return;
  case StmtKind::Decl:
    if (!stmt->var)
      return;
    if (stmt->expr)
      assign(stmt->var, stmt->expr, state);
    else
      forget(stmt->var, state);
    return;
  case StmtKind::Expr:
  case StmtKind::Barrier:
    if (stmt->expr)
      evaluate(stmt->expr, state);
    return;
  case StmtKind::If:
    walkIf(*stmt, state);
    return;
  case StmtKind::For:
    walk(stmt->init, state);
    walkLoop(*stmt, state);
    return;
  case StmtKind::While:
  case StmtKind::Do:
    walkLoop(*stmt, state);
    return;
  case StmtKind::Break:
    if (!breaks.empty())
      breaks.back().poly_hull_assign(state);
    state = nothing();
    return;
  case StmtKind::Continue:
    if (!continues.empty())
      continues.back().poly_hull_assign(state);
    state = nothing();
    return;
  case StmtKind::Return:
    if (stmt->expr)
      evaluate(stmt->expr, state);
    state = nothing();
    return;
  case StmtKind::Null:
    return;
  case StmtKind::Switch:
  case StmtKind::Opaque:
    throw RangeBudgetSpent(); // may leave the loops around in any state
  }
}

/// One iteration from the head of the loop to the next.
State Interpreter::iterate(const Stmt &loop, State state) {
  continues.push_back(nothing());
  if (loop.kind != StmtKind::Do)
    state = afterCondition(loop.expr, true, std::move(state));
  walk(loop.body, state);
  state.poly_hull_assign(continues.back());
  continues.pop_back();
  if (loop.kind == StmtKind::Do)
    state = afterCondition(loop.expr, true, std::move(state));
  else if (loop.inc)
    evaluate(loop.inc, state);
  return state;
}

void Interpreter::walkLoop(const Stmt &loop, State &state) {
  const unsigned Steady = 2, MostRounds = 40;
  bool wasRecording = isRecording;
  isRecording = false;
  breaks.push_back(nothing());
  State head = state;
  for (unsigned round = 0;; ++round) {
    State next = iterate(loop, head);
    next.poly_hull_assign(state);
    if (head.contains(next))
      break;
    if (round > MostRounds)
      throw RangeBudgetSpent();
    next.poly_hull_assign(head);
    if (round >= Steady)
      next.H79_widening_assign(head);
    limitTypes(next);
    head = next;
  }
  for (unsigned step = 0; step < 2; ++step) {
    State less = iterate(loop, head);
    less.poly_hull_assign(state);
    bool isSettled = less.contains(head);
    head = less;
    if (isSettled)
      break;
  }
  isRecording = wasRecording;
  breaks.back() = nothing();
  iterate(loop, head);
  // A condition at the end of the body is the one that lets go.
  if (loop.kind == StmtKind::Do) {
    isRecording = false;
    continues.push_back(nothing());
    State body = head;
    walk(loop.body, body);
    body.poly_hull_assign(continues.back());
    continues.pop_back();
    head = body;
  }
  isRecording = wasRecording;
  state = afterCondition(loop.expr, false, head);
  state.poly_hull_assign(breaks.back());
  breaks.pop_back();
}

} // namespace clopt::range
