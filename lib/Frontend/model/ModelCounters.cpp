//===- ModelCounters.cpp - variables that loops advance -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters and pointers beside the iterator: `p += pitch`, `part[n++] = v`, and
// those that only advance while a condition holds. Their value at the start of
// an iteration, and after a loop, is a polynomial.
//
// Tested by test/unit/ModelFormsTest.cpp and ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelBuilderImpl.h"

#include <algorithm>

namespace clopt {

/// Calls `visit` for what is evaluated whenever the expression is.
static void forEachCertain(const ExprRef &expr,
                           const std::function<void(const ExprRef &)> &visit) {
  if (!expr)
    return;
  visit(expr);
  bool isChoice = expr->kind == ExprKind::Conditional ||
                  (expr->kind == ExprKind::Binary &&
                   (expr->op == Op::LAnd || expr->op == Op::LOr));
  size_t count = isChoice ? 1 : expr->operands.size();
  for (size_t index = 0; index < count; ++index)
    forEachCertain(expr->operands[index], visit);
}

/// How often the loop runs, where no iteration ends it early and its bounds do
/// not depend on what the loops around change.
std::optional<Polynomial> ModelBuilder::tripOf(const Stmt &loop,
                                               bool mayAssume) {
  Leaves leaves = leavesOf(loop.body);
  bool isPlain = loop.kind == StmtKind::For && !leaves.byBreak &&
                 !leaves.byReturn && loop.expr &&
                 loop.expr->kind == ExprKind::Binary;
  if (!isPlain || settings.compound.count(&loop))
    return std::nullopt;
  std::optional<LoopPlan> plan = planLoop(loop);
  if (!plan || plan->gridDim || !plan->first || plan->step == 0 ||
      !isSideEffectFree(plan->first) || plan->var->type.isUnsigned() ||
      plan->var->type.size < 4)
    return std::nullopt;
  const Expr *left = stripCasts(loop.expr->operands[0].get());
  Op op = loop.expr->op;
  bool isUp = op == Op::Lt || op == Op::Le;
  bool isBound = (isUp || op == Op::Gt || op == Op::Ge) &&
                 left->kind == ExprKind::VarRef && left->var == plan->var &&
                 loop.expr->operands[1]->type.isInteger() &&
                 !loop.expr->operands[1]->type.isUnsigned() &&
                 !mentions(loop.expr->operands[1], plan->var);
  if (!isBound || isUp != (plan->step > 0))
    return std::nullopt;
  Value first = evaluate(plan->first);
  Value last = evaluate(loop.expr->operands[1]);
  if (!first.isInteger() || !last.isInteger())
    return std::nullopt;
  Polynomial distance = isUp ? last.poly - first.poly : first.poly - last.poly;
  if (op == Op::Le || op == Op::Ge)
    distance = distance + Polynomial(1);
  int64_t step = std::abs(plan->step);
  if (std::optional<int64_t> constant = distance.asConstant())
    return Polynomial(*constant > 0 ? (*constant + step - 1) / step : 0);
  Interval bounds = boundsOf(model.symbols, distance);
  bool isCounted = bounds.minimum && *bounds.minimum >= 0;
  if (step != 1 || distance.overflowed() || (!isCounted && !mayAssume))
    return std::nullopt;
  addRequirement(loop.expr->operands[1], distance,
                 {0, static_cast<WideInt>(1) << 62}, Assumption::Kind::Range);
  return distance;
}

static bool mayCount(const Variable &variable) {
  return variable.type.isPointer() ||
         (variable.type.isScalar() && variable.type.isInteger());
}

/// Adds what the statement adds to variables, `n++` or `p += w` in it and in
/// loops in it that run a known number of times.
void ModelBuilder::collectAdvances(const StmtRef &stmt, Advances &found) {
  if (!stmt)
    return;
  bool isList = stmt->kind == StmtKind::Block || stmt->kind == StmtKind::Group;
  if (isList)
    for (const StmtRef &child : stmt->children)
      collectAdvances(child, found);
  if (stmt->kind == StmtKind::For && !leavesOf(stmt->body).byContinue)
    collectFromLoop(*stmt, found);
  if (stmt->kind != StmtKind::Expr && stmt->kind != StmtKind::Decl)
    return;
  forEachCertain(stmt->expr, [&](const ExprRef &expr) {
    std::optional<Update> update = updateOf(expr);
    if (!update || !isFollowed(update->var) || !mayCount(*update->var))
      return;
    Value amount = Value::integer(Polynomial(1));
    if (update->amount)
      amount = evaluate(update->amount);
    if (!amount.isInteger())
      return;
    Advance &advance = found[update->var];
    ++advance.count;
    advance.amount = update->isNegative ? advance.amount - amount.poly
                                        : advance.amount + amount.poly;
  });
}

/// The same of a loop within, as often as it runs.
void ModelBuilder::collectFromLoop(const Stmt &loop, Advances &found) {
  Advances inner;
  collectAdvances(loop.body, inner);
  bool hasPointer = false;
  for (const auto &[variable, advance] : inner)
    hasPointer |= variable->type.isPointer();
  std::optional<Polynomial> trip;
  if (!inner.empty())
    trip = tripOf(loop, hasPointer);
  if (!trip)
    return;
  for (const auto &[variable, advance] : inner) {
    found[variable].count += advance.count;
    found[variable].amount = found[variable].amount + advance.amount * *trip;
  }
}

/// Variables that advance by the same amount in every iteration of a loop with
/// this body, and the amounts.
ModelBuilder::Advances
ModelBuilder::advancesOf(const std::vector<StmtRef> &body,
                         const std::map<const Variable *, unsigned> &counts) {
  Advances found;
  int recording = statement;
  statement = -1;
  ++trialDepth;
  for (const StmtRef &stmt : body)
    collectAdvances(stmt, found);
  --trialDepth;
  statement = recording;
  for (auto it = found.begin(); it != found.end();) {
    // Narrow integers are cut off at every step.
    const Type &type = it->first->type;
    bool isNarrow = type.isScalar() && type.size < 4;
    auto count = counts.find(it->first);
    bool isAll = count != counts.end() && count->second == it->second.count;
    it = isAll && !isNarrow ? std::next(it) : found.erase(it);
  }
  return found;
}

/// The value after as many updates.
std::optional<Value> ModelBuilder::advanced(const Variable *variable,
                                            const Environment &entry,
                                            const Polynomial &distance) {
  auto before = entry.find(ordinal(variable));
  if (before == entry.end() || !isFollowed(variable))
    return std::nullopt;
  Value advance = Value::integer(distance);
  if (before->second.isPointer())
    return pointerArithmetic(Op::Add, variable->type, before->second, nullptr,
                             advance);
  if (before->second.isInteger() && advance.isInteger())
    return Value::integer(before->second.poly + advance.poly);
  return Value();
}

/// Iterations completed before the one of the iterator's value.
Polynomial ModelBuilder::completed(const Loop &loop) {
  Polynomial distance = Polynomial::symbol(loop.iterator) - loop.first;
  if (loop.step < 0)
    distance = -distance;
  return quotient(distance, std::abs(loop.step));
}

/// Variables that advance by the same amount in every iteration have a value
/// at its start: what they had before the loop, plus amount times count.
void ModelBuilder::enterIteration(const std::vector<StmtRef> &body,
                                  const Loop &loop, const Environment &entry) {
  std::map<const Variable *, unsigned> counts;
  for (const StmtRef &stmt : body) {
    if (!stmt)
      continue;
    for (const auto &[variable, count] : assignedIn(stmt))
      counts[variable] += count;
    if (leavesOf(stmt).byContinue)
      return;
  }
  for (const StmtRef &stmt : body) {
    bool isBlock = stmt && stmt->kind == StmtKind::Block;
    for (const StmtRef &child :
         isBlock ? stmt->children : std::vector<StmtRef>{stmt})
      if (child)
        findGuarded(child, loop, entry, counts);
  }
  for (const auto &[variable, advance] : advancesOf(body, counts)) {
    if (dependsOn(advance.amount, loop.iterator, false))
      continue;
    if (std::optional<Value> value =
            advanced(variable, entry, advance.amount * completed(loop)))
      environment[ordinal(variable)] = *value;
  }
}

/// The values that such variables have after the loop, where it is known how
/// often it runs.
void ModelBuilder::leaveLoop(const Stmt &stmt, const std::vector<StmtRef> &body,
                             const DraftLoop *walk) {
  std::map<const Variable *, unsigned> counts;
  for (const StmtRef &part : body)
    for (const auto &[variable, count] : assignedIn(part))
      counts[variable] += count;
  Environment entry = environment;
  forgetAssigned(body);
  for (const StmtRef &part : body)
    if (leavesOf(part).byContinue)
      return;
  Advances advances = advancesOf(body, counts);
  bool hasPointer = false;
  for (const auto &[variable, advance] : advances)
    hasPointer |= variable->type.isPointer() && isLiveAfter(variable);
  if (advances.empty())
    return;
  int recording = statement;
  statement = -1;
  ++trialDepth;
  std::optional<Polynomial> trip =
      walk ? tripOf(*walk) : tripOf(stmt, hasPointer);
  --trialDepth;
  statement = recording;
  if (!trip)
    return;
  for (const auto &[variable, advance] : advances)
    if (std::optional<Value> value =
            advanced(variable, entry, advance.amount * *trip))
      environment[ordinal(variable)] = *value;
}

/// What the variable is worth at the start of an iteration if the update took
/// place in all iterations before.
std::optional<Value> ModelBuilder::valueInIteration(const Update &update,
                                                    const Loop &loop,
                                                    const Environment &entry) {
  // Narrow integers are cut off at every step.
  bool isNarrow = update.var->type.isScalar() && update.var->type.size < 4;
  auto before = entry.find(ordinal(update.var));
  if (!isFollowed(update.var) || isNarrow || before == entry.end())
    return std::nullopt;
  Value amount = Value::integer(Polynomial(1));
  if (update.amount)
    amount = evaluate(update.amount);
  if (!amount.isInteger() || dependsOn(amount.poly, loop.iterator, false))
    return std::nullopt;
  Polynomial sum = amount.poly * completed(loop);
  return advanced(update.var, entry, update.isNegative ? -sum : sum);
}

//===-- Updates under a condition -----------------------------------------===//

/// `if (y < rows) { ...; ++y; at += pitch; }`: what changes inside changes in
/// every iteration until the condition fails, and the condition, once it has
/// failed, fails for good, because nothing changes any more. So inside, all
/// iterations before have done their updates.
void ModelBuilder::findGuarded(
    const StmtRef &stmt, const Loop &loop, const Environment &entry,
    const std::map<const Variable *, unsigned> &counts) {
  bool isUsable = stmt->kind == StmtKind::If && stmt->body &&
                  stmt->body->kind == StmtKind::Block && !stmt->elseBody &&
                  isSideEffectFree(stmt->expr);
  Leaves leaves = leavesOf(stmt);
  if (!isUsable || leaves.byBreak || leaves.byContinue || leaves.byReturn)
    return;
  Guarded found;
  found.loop = draft.loops.size() - 1;
  for (const StmtRef &child : stmt->body->children) {
    std::optional<Update> update;
    if (child && child->kind == StmtKind::Expr)
      update = updateOf(child->expr);
    auto count = update ? counts.find(update->var) : counts.end();
    if (count == counts.end() || count->second != 1)
      continue;
    if (std::optional<Value> value = valueInIteration(*update, loop, entry))
      found.values[update->var] = *value;
  }
  if (!found.values.empty())
    guarded[stmt.get()] = std::move(found);
}

/// The condition of such an `if`, with the values that hold inside in the
/// environment; nothing, and the environment as it was, where it may hold again
/// after it has failed.
std::optional<Condition> ModelBuilder::guardOf(const StmtRef &stmt) {
  auto known = guarded.find(stmt.get());
  if (known == guarded.end() || settings.compound.count(stmt.get()))
    return std::nullopt;
  const Loop &loop = draft.loops[known->second.loop].loop;
  // Nothing but the updates moves the condition from iteration to iteration.
  bool isMoved = false, isNamed = false;
  forEachExpr(stmt->expr, [&](const ExprRef &expr) {
    if (expr->kind != ExprKind::VarRef)
      return;
    bool isUpdated = known->second.values.count(expr->var) != 0;
    isNamed |= isUpdated;
    auto value = environment.find(ordinal(expr->var));
    if (!isUpdated && value != environment.end()) {
      isMoved |= dependsOn(value->second.poly, loop.iterator, false);
      for (const Value &lane : value->second.lanes)
        isMoved |= dependsOn(lane.poly, loop.iterator, false);
    }
    auto iterator = iterators.find(expr->var);
    isMoved |= iterator != iterators.end() && iterator->second == loop.iterator;
  });
  if (isMoved || !isNamed)
    return std::nullopt;
  Environment before = environment;
  size_t requirements = draft.requirements.size();
  for (const auto &[variable, value] : known->second.values)
    environment[ordinal(variable)] = value;
  std::optional<Condition> condition = evaluateCondition(stmt->expr);
  if (condition)
    *condition = linearizeParams(model.symbols, *condition);
  bool isBound =
      condition && isAffine(model.symbols, *condition) &&
      condition->kind != Condition::Kind::Not &&
      std::none_of(condition->operands.begin(), condition->operands.end(),
                   [](const Condition &part) {
                     return part.kind == Condition::Kind::Not;
                   }) &&
      boundOf(*condition, *stmt, loop);
  if (isBound)
    return condition;
  environment = std::move(before);
  draft.requirements.resize(requirements);
  return std::nullopt;
}

} // namespace clopt
