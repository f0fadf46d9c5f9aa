//===- ModelLoops.cpp - for loops with affine bounds ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether a `for` is a loop of the model, and walks it as one. The
// iterator keeps the values the author gave it; a bound counts when it holds
// from the first iteration on and then stops holding for good.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelBuilderImpl.h"

#include <algorithm>

namespace clopt {

//===-- Recognizing a loop ------------------------------------------------===//

/// `a, b, c` as a list.
static void splitCommas(const ExprRef &expr, std::vector<ExprRef> &parts) {
  if (!expr)
    return;
  if (expr->kind == ExprKind::Binary && expr->op == Op::Comma) {
    splitCommas(expr->operands[0], parts);
    splitCommas(expr->operands[1], parts);
    return;
  }
  parts.push_back(expr);
}

StmtRef ModelBuilder::synthesize(const ExprRef &expr) {
  auto stmt = std::make_shared<Stmt>();
  stmt->kind = StmtKind::Expr;
  stmt->expr = expr;
  stmt->range = expr->range;
  model.synthesized.push_back(stmt);
  return stmt;
}

std::optional<int64_t> ModelBuilder::stepOf(const Update &update) {
  if (!update.amount)
    return update.isNegative ? -1 : 1;
  int recording = statement;
  statement = -1;
  Value amount = evaluate(update.amount);
  statement = recording;
  std::optional<int64_t> constant;
  if (amount.isInteger())
    constant = amount.poly.asConstant();
  bool isUsable = constant && *constant != 0 && *constant > -(1 << 30) &&
                  *constant < (1 << 30);
  if (!isUsable)
    return std::nullopt;
  return update.isNegative ? -*constant : *constant;
}

bool ModelBuilder::planInit(const Stmt &loop, LoopPlan &plan) {
  auto takes = [&](const ExprRef &expr) {
    bool isInit = expr->kind == ExprKind::Assign && expr->op == Op::None &&
                  expr->operands[0]->kind == ExprKind::VarRef &&
                  expr->operands[0]->var == plan.var;
    if (isInit)
      plan.first = expr->operands[1];
    return isInit;
  };
  if (!loop.init || loop.init->kind == StmtKind::Null)
    return true;
  std::vector<StmtRef> parts{loop.init};
  if (loop.init->kind == StmtKind::Group || loop.init->kind == StmtKind::Block)
    parts = loop.init->children;
  for (const StmtRef &part : parts) {
    if (part->kind == StmtKind::Decl) {
      if (part->var == plan.var)
        plan.first = part->expr;
      else
        plan.before.push_back(part);
      continue;
    }
    if (part->kind != StmtKind::Expr)
      return false;
    std::vector<ExprRef> exprs;
    splitCommas(part->expr, exprs);
    for (const ExprRef &expr : exprs) {
      if (plan.first && mentions(expr, plan.var))
        return false;
      if (!takes(expr))
        plan.before.push_back(synthesize(expr));
    }
  }
  return true;
}

std::optional<ModelBuilder::LoopPlan> ModelBuilder::planLoop(const Stmt &loop) {
  if (!loop.expr || !loop.inc || !isSideEffectFree(loop.expr))
    return std::nullopt;
  std::vector<ExprRef> updates;
  splitCommas(loop.inc, updates);
  LoopPlan plan;
  for (const ExprRef &expr : updates) {
    std::optional<Update> update = updateOf(expr);
    bool isIterator = update && !plan.var && isFollowed(update->var) &&
                      update->var->type.isScalar() &&
                      update->var->type.isInteger() &&
                      mentions(loop.expr, update->var);
    std::optional<int64_t> step;
    if (isIterator)
      step = stepOf(*update);
    if (isIterator && !step && (plan.gridDim = gridStep(*update)))
      step = 1;
    if (!step) {
      plan.after.push_back(synthesize(expr));
      continue;
    }
    plan.var = update->var;
    plan.step = *step;
  }
  if (!plan.var || !planInit(loop, plan))
    return std::nullopt;
  // Only the increment may write the iterator.
  std::vector<StmtRef> others = plan.after;
  others.push_back(loop.body);
  for (const StmtRef &stmt : others)
    if (assignedIn(stmt).count(plan.var))
      return std::nullopt;
  // A later part of the increment would see the new value.
  for (const StmtRef &stmt : plan.after)
    if (mentions(stmt->expr, plan.var))
      return std::nullopt;
  return plan;
}

bool ModelBuilder::isLiveAfter(const Variable *var) const {
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    FirstUse use = FirstUse::None;
    bool mayLeave = false;
    if (frame->children)
      for (size_t at = frame->next;
           at < frame->children->size() && use == FirstUse::None; ++at) {
        use = firstUse((*frame->children)[at], var);
        Leaves leaves = leavesOf((*frame->children)[at]);
        mayLeave |= leaves.byBreak || leaves.byContinue;
      }
    // Control that leaves the block does not meet the assignment.
    if (use == FirstUse::Assigned && mayLeave)
      use = FirstUse::None;
    if (frame->loop) {
      // Around the loop once more: increment, condition, body.
      const Stmt &loop = *frame->loop;
      bool isNamed = (loop.inc && mentions(loop.inc, var)) ||
                     (loop.expr && mentions(loop.expr, var));
      use = isNamed ? FirstUse::Read : firstUse(loop.body, var);
      // The loop may also end here: a later assignment inside does not hide
      // what follows it.
      if (use == FirstUse::Assigned)
        use = FirstUse::None;
    }
    if (use == FirstUse::Read)
      return true;
    if (use == FirstUse::Assigned)
      return false;
  }
  return false;
}

//===-- Bounds ------------------------------------------------------------===//

bool ModelBuilder::dependsOn(const Polynomial &poly, SymbolId id,
                             bool insideAtoms) const {
  for (SymbolId other : poly.symbols()) {
    if (other == id && !insideAtoms)
      return true;
    const Symbol &symbol = model.symbols[other];
    bool isAtom = symbol.kind == SymbolKind::FloorDiv ||
                  symbol.kind == SymbolKind::Modulo ||
                  symbol.kind == SymbolKind::Select;
    if (!isAtom)
      continue;
    if (dependsOn(symbol.first, id, false) ||
        dependsOn(symbol.second, id, false) ||
        dependsOn(symbol.condition, id, false))
      return true;
  }
  return false;
}

bool ModelBuilder::dependsOn(const Condition &condition, SymbolId id,
                             bool insideAtoms) const {
  return dependsOn(condition.poly, id, insideAtoms) ||
         std::any_of(condition.operands.begin(), condition.operands.end(),
                     [&](const Condition &operand) {
                       return dependsOn(operand, id, insideAtoms);
                     });
}

/// The condition as one that stops holding once and for all, or nothing.
std::optional<Condition> ModelBuilder::boundOf(const Condition &condition,
                                               const Stmt &stmt,
                                               const Loop &loop) {
  if (dependsOn(condition, loop.iterator, true))
    return std::nullopt;
  if (condition.kind == Condition::Kind::And) {
    Condition result;
    result.kind = Condition::Kind::True;
    for (const Condition &operand : condition.operands) {
      std::optional<Condition> part = boundOf(operand, stmt, loop);
      if (!part)
        return std::nullopt;
      result = conjunction(result, *part);
    }
    return result;
  }
  bool isUnequal = condition.kind == Condition::Kind::Not &&
                   condition.operands[0].kind == Condition::Kind::Zero;
  const Polynomial &poly =
      isUnequal ? condition.operands[0].poly : condition.poly;
  if (condition.kind == Condition::Kind::False)
    return condition;
  if (!isUnequal && condition.kind != Condition::Kind::NonNegative)
    return std::nullopt;
  std::optional<Polynomial> coefficient = poly.coefficientOf(loop.iterator);
  std::optional<int64_t> slope;
  if (coefficient)
    slope = coefficient->asConstant();
  if (!slope)
    return std::nullopt;
  if (!isUnequal) {
    // Falling along the loop, or the same in all iterations.
    bool stops = *slope == 0 || (*slope < 0) == (loop.step > 0);
    return stops ? std::optional<Condition>(condition) : std::nullopt;
  }
  const int64_t Furthest = int64_t(1) << 30;
  if (*slope == 0 || *slope < -Furthest || *slope > Furthest)
    return std::nullopt;
  int64_t advance = std::abs(*slope * loop.step);
  if (advance >= Furthest)
    return std::nullopt;
  // `i != e` counts as `i < e` (or `i > e`) when the loop starts on the right
  // side and meets e exactly.
  bool isFalling = (*slope < 0) == (loop.step > 0);
  Polynomial distance = isFalling ? poly : -poly;
  Polynomial atStart = distance.substitute(loop.iterator, loop.first);
  Requirement requirement;
  requirement.poly = atStart;
  requirement.range = {0, static_cast<WideInt>(1) << 64};
  requirement.context = draft.contexts[context].parent;
  requirement.stmt = &stmt;
  requirement.location = stmt.range;
  draft.requirements.push_back(requirement);
  if (advance != 1) {
    requirement.poly = remainder(atStart, advance);
    requirement.range = {0, 0};
    draft.requirements.push_back(requirement);
  }
  return Condition{Condition::Kind::NonNegative, distance - Polynomial(1), {}};
}

std::optional<Condition> ModelBuilder::loopBound(const Stmt &stmt,
                                                 const Loop &loop) {
  std::optional<Condition> condition = evaluateCondition(stmt.expr);
  if (!condition)
    return std::nullopt;
  *condition =
      linearizeParams(model.symbols, withoutStride(*condition, stmt, loop));
  if (!isAffine(model.symbols, *condition))
    return std::nullopt;
  return boundOf(*condition, stmt, loop);
}

/// The bound is evaluated before the first iteration and after each one: what
/// it requires must hold for the first value and for each value plus the step.
void ModelBuilder::moveRequirements(const Stmt &stmt, const Loop &loop,
                                    unsigned outside, size_t firstRequirement) {
  std::vector<Requirement> found(draft.requirements.begin() + firstRequirement,
                                 draft.requirements.end());
  draft.requirements.resize(firstRequirement);
  for (Requirement &requirement : found) {
    requirement.stmt = &stmt;
    if (requirement.context == outside) {
      draft.requirements.push_back(requirement);
      continue;
    }
    Requirement atStart = requirement;
    atStart.context = outside;
    atStart.poly = requirement.poly.substitute(loop.iterator, loop.first);
    draft.requirements.push_back(atStart);
    if (!requirement.poly.contains(loop.iterator))
      continue;
    requirement.context = context;
    requirement.poly = requirement.poly.substitute(
        loop.iterator,
        Polynomial::symbol(loop.iterator) + Polynomial(loop.step));
    draft.requirements.push_back(requirement);
  }
}

/// Constant bounds of the iterator, for proofs without isl.
void ModelBuilder::limitIterator(const Condition &bound, const Loop &loop) {
  Symbol &symbol = model.symbols[loop.iterator];
  Interval first = boundsOf(model.symbols, loop.first);
  auto fits = [](const std::optional<WideInt> &value) {
    return value && *value >= INT64_MIN && *value <= INT64_MAX;
  };
  if (loop.step > 0 && fits(first.minimum))
    symbol.minimum = static_cast<int64_t>(*first.minimum);
  if (loop.step < 0 && fits(first.maximum))
    symbol.maximum = static_cast<int64_t>(*first.maximum);
  std::vector<Condition> parts{bound};
  if (bound.kind == Condition::Kind::And)
    parts = bound.operands;
  for (const Condition &part : parts) {
    if (part.kind != Condition::Kind::NonNegative)
      continue;
    Polynomial slope = *part.poly.coefficientOf(loop.iterator);
    Polynomial rest = part.poly - slope * Polynomial::symbol(loop.iterator);
    Interval bounds = boundsOf(model.symbols, rest);
    // rest - 4 * i >= 0, or rest + i >= 0
    int64_t fall = slope.asConstant() ? -*slope.asConstant() : 0;
    if (fall > 0 && fits(bounds.maximum)) {
      WideInt last = *bounds.maximum / fall;
      if (*bounds.maximum < 0)
        last = *bounds.maximum;
      if (!symbol.maximum || *symbol.maximum > last)
        symbol.maximum = static_cast<int64_t>(last);
    }
    if (slope == Polynomial(1) && fits(bounds.maximum) &&
        (!symbol.minimum || *symbol.minimum < -*bounds.maximum))
      symbol.minimum = static_cast<int64_t>(-*bounds.maximum);
  }
}

//===-- Walking a loop ----------------------------------------------------===//

ModelBuilder::LoopResult ModelBuilder::modelLoop(const StmtRef &stmt,
                                                 DraftNode &parent) {
  Leaves leaves = leavesOf(stmt->body);
  if (leaves.byBreak || leaves.byReturn)
    return LoopResult::LeftEarly;
  std::optional<LoopPlan> plan = planLoop(*stmt);
  if (!plan || plan->gridDim)
    return LoopResult::NoLoop;
  bool isOwn = plan->first && stmt->init->kind != StmtKind::Expr;
  if (!isOwn && isLiveAfter(plan->var))
    return LoopResult::NoLoop;
  for (const StmtRef &before : plan->before)
    walk(before, parent);
  // The first value, in the environment before the loop.
  Value first;
  if (plan->first && isSideEffectFree(plan->first))
    first = evaluate(plan->first);
  else if (!plan->first && environment.count(ordinal(plan->var)))
    first = environment[ordinal(plan->var)];
  if (!first.isInteger())
    return LoopResult::NoLoop;
  if (plan->var->type.isUnsigned() && plan->first)
    exact(plan->first, first);
  if (plan->var->type.isUnsigned() && !plan->first) {
    Requirement start;
    start.poly = first.poly;
    start.range = rangeOf(plan->var->type);
    start.stmt = stmt.get();
    start.location = stmt->range;
    addRequirement(std::move(start));
  }
  first.poly = linearizeParams(model.symbols, first.poly);
  if (!isAffine(model.symbols, first.poly))
    return LoopResult::NoLoop;
  unsigned outside = context;
  Environment entry = environment;
  Symbol symbol;
  symbol.kind = SymbolKind::Iterator;
  symbol.name = plan->var->name;
  symbol.var = plan->var;
  DraftLoop record;
  Loop &loop = record.loop;
  loop.iterator = model.symbols.add(symbol);
  loop.var = plan->var;
  loop.stmt = stmt.get();
  loop.name = model.symbols[loop.iterator].name;
  loop.first = first.poly;
  loop.step = plan->step;
  unsigned index = draft.loops.size();
  DraftContext inner;
  inner.parent = context;
  inner.loop = index;
  draft.loops.push_back(record);
  draft.contexts.push_back(inner);
  context = draft.contexts.size() - 1;

  std::vector<StmtRef> body = plan->after;
  body.insert(body.begin(), stmt->body);
  forgetAssigned(body);
  iterators[plan->var] = loop.iterator;
  size_t firstRequirement = draft.requirements.size();
  headContext = static_cast<int>(context);
  std::optional<Condition> bound = loopBound(*stmt, loop);
  headContext = -1;
  if (!bound) {
    iterators.erase(plan->var);
    return LoopResult::NoLoop;
  }
  moveRequirements(*stmt, loop, outside, firstRequirement);
  limitIterator(*bound, loop);
  // An iterator that can wrap must not step out of its type.
  bool canWrap = plan->var->type.isUnsigned() || plan->var->type.size < 4;
  if (canWrap) {
    Requirement exit;
    exit.poly = Polynomial::symbol(loop.iterator) + Polynomial(loop.step);
    exit.range = rangeOf(plan->var->type);
    exit.context = context;
    exit.stmt = stmt.get();
    exit.location = stmt->range;
    draft.requirements.push_back(exit);
  }
  draft.loops[index].bound = *bound;
  enterIteration(body, loop, entry);

  DraftNode node;
  node.kind = DraftNode::Kind::Loop;
  node.index = index;
  node.children.emplace_back();
  frames.push_back({nullptr, 0, stmt.get()});
  Exits exits = walk(stmt->body, node.children[0]);
  bool isModelled =
      !exits.escapes && exits.returned.kind == Condition::Kind::False;
  if (isModelled)
    for (const StmtRef &after : plan->after)
      walk(after, node.children[0]);
  frames.pop_back();
  iterators.erase(plan->var);
  if (!isModelled)
    return LoopResult::LeftEarly;
  parent.children.push_back(std::move(node));
  context = outside;
  environment = std::move(entry);
  leaveLoop(*stmt, body);
  environment.erase(ordinal(plan->var));
  return LoopResult::Modelled;
}

Exits ModelBuilder::walkFor(const StmtRef &stmt, DraftNode &parent) {
  if (settings.gridLoops.count(stmt.get()))
    return walkGrid(stmt, parent);
  if (!settings.compound.count(stmt.get()) && mayDepth == 0) {
    Snapshot snapshot = takeSnapshot(parent);
    size_t frameCount = frames.size();
    LoopResult result = modelLoop(stmt, parent);
    if (result == LoopResult::NoLoop) {
      frames.resize(frameCount);
      restore(snapshot, parent);
      result = modelWalk(stmt, parent);
    }
    if (result == LoopResult::Modelled)
      return {};
    frames.resize(frameCount);
    restore(snapshot, parent);
    proposeGrid(stmt);
  }
  return walkWhole(stmt, parent);
}

} // namespace clopt
