//===- ModelWalks.cpp - loops that are counted ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose variable starts at or advances by what isl cannot hold, as a
// product of an argument and an id, is modelled by the number of its iteration:
//
//   for (a = w * g; a <= w * g + w - 1; a += 16, b += 16 * h)
//
// has a = w * g + 16 * k and b = 16 * h * k in iteration k, and runs while
// w - 1 - 16 * k >= 0: what isl could not hold is on both sides. Its variables
// stay what they are, private variables that the body advances; so `while`
// loops, and those that advance in their body, are loops of this kind, too.
//
// Integers. The values of the variables are those of ModelCounters.cpp; what
// the condition requires of them must hold before every iteration and after
// the last. The counter is this compiler's own and wide enough.
//
// `do` runs once where `while` does not run at all: it is a loop of the model
// where its test would have held before the first iteration, too.
//
// Reference: R. Allen, K. Kennedy: Optimizing Compilers for Modern
// Architectures, chapter 4 (normalization of loops, induction variables).
//
// Tested by test/unit/ModelWalksTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelBuilderImpl.h"

#include <llvm/ADT/STLExtras.h>

namespace clopt {

//===-- The parts of a loop -----------------------------------------------===//

/// `i = 0, p = q` or `i++, p += w` as statements, in order.
static bool splitParts(const ExprRef &expr, std::vector<ExprRef> &parts) {
  if (!expr)
    return true;
  if (expr->kind == ExprKind::Opaque)
    return false;
  if (expr->kind == ExprKind::Binary && expr->op == Op::Comma)
    return splitParts(expr->operands[0], parts) &&
           splitParts(expr->operands[1], parts);
  parts.push_back(expr);
  return true;
}

std::optional<ModelBuilder::WalkPlan> ModelBuilder::planWalk(const Stmt &loop) {
  Leaves leaves = leavesOf(loop.body);
  bool isUsable = loop.expr && loop.body && !leaves.byBreak &&
                  !leaves.byReturn && isSideEffectFree(loop.expr);
  if (!isUsable)
    return std::nullopt;
  WalkPlan plan;
  std::vector<StmtRef> init;
  if (loop.init)
    init = {loop.init};
  if (loop.init && (loop.init->kind == StmtKind::Group ||
                    loop.init->kind == StmtKind::Block))
    init = loop.init->children;
  for (const StmtRef &part : init) {
    std::vector<ExprRef> exprs;
    if (part->kind == StmtKind::Decl || part->kind == StmtKind::Null)
      plan.before.push_back(part);
    else if (part->kind != StmtKind::Expr || !splitParts(part->expr, exprs))
      return std::nullopt;
    for (const ExprRef &expr : exprs)
      plan.before.push_back(synthesize(expr));
  }
  plan.body.push_back(loop.body);
  std::vector<ExprRef> updates;
  if (!splitParts(loop.inc, updates))
    return std::nullopt;
  for (const ExprRef &expr : updates)
    plan.body.push_back(synthesize(expr));
  return plan;
}

//===-- The counter -------------------------------------------------------===//

namespace {

/// Keeps a variable that the program does not have.
struct OwnCounter {
  Stmt nothing;
  Variable variable;
};

} // namespace

/// `a_turn` for a loop whose condition asks for `a`.
Variable *ModelBuilder::makeCounter(const Stmt &stmt) {
  std::string stem;
  std::map<const Variable *, unsigned> moved = assignedIn(stmt.body);
  forEachExpr(stmt.inc, [&](const ExprRef &expr) {
    if (std::optional<Update> update = updateOf(expr))
      ++moved[update->var];
  });
  forEachExpr(stmt.expr, [&](const ExprRef &expr) {
    bool isCounter = stem.empty() && expr->kind == ExprKind::VarRef &&
                     moved.count(expr->var) != 0;
    if (isCounter)
      stem = expr->var->name + "_";
  });
  std::set<std::string> taken(unit.usedNames.begin(), unit.usedNames.end());
  for (const auto &variable : kernel.variables)
    taken.insert(variable->name);
  for (const DraftLoop &other : draft.loops)
    if (other.loop.var)
      taken.insert(other.loop.var->name);
  auto owner = std::make_shared<OwnCounter>();
  owner->variable.name = stem + "turn";
  for (unsigned count = 1; taken.count(owner->variable.name); ++count)
    owner->variable.name = stem + "turn" + std::to_string(count);
  owner->variable.type = Type::makeScalar(ScalarKind::Int);
  owner->variable.range = stmt.range;
  model.synthesized.push_back(StmtRef(owner, &owner->nothing));
  return &owner->variable;
}

/// How often the loop runs, where its condition is one inequality.
std::optional<Polynomial> ModelBuilder::tripOf(const DraftLoop &walk) {
  const Condition &bound = walk.bound;
  if (bound.kind != Condition::Kind::NonNegative)
    return std::nullopt;
  SymbolId iterator = walk.loop.iterator;
  std::optional<int64_t> slope =
      bound.poly.coefficientOf(iterator)->asConstant();
  if (!slope || *slope >= 0 || *slope == INT64_MIN)
    return std::nullopt;
  Polynomial atStart = bound.poly.substitute(iterator, Polynomial());
  if (!isAffine(model.symbols, atStart))
    return std::nullopt;
  Polynomial trip = quotient(atStart, -*slope) + Polynomial(1);
  Condition runs{Condition::Kind::NonNegative, atStart, {}};
  Interval known = boundsOf(model.symbols, atStart);
  if (known.minimum && *known.minimum >= 0)
    return trip;
  Polynomial result = select(runs, trip, Polynomial());
  return result.overflowed() ? std::nullopt : std::optional(result);
}

//===-- Steps that are arguments ------------------------------------------===//

/// Requires poly >= 0 where the loop begins.
void ModelBuilder::requireAtStart(const Polynomial &poly, const Stmt &stmt) {
  Interval known = boundsOf(model.symbols, poly);
  if (known.minimum && *known.minimum >= 0)
    return;
  Requirement requirement;
  requirement.poly = linearizeParams(model.symbols, poly);
  requirement.range = {0, static_cast<WideInt>(1) << 100};
  requirement.kind = Assumption::Kind::Range;
  requirement.stmt = &stmt;
  requirement.location = stmt.range;
  requirement.context = draft.contexts[context].parent;
  draft.requirements.push_back(requirement);
}

/// `p < w * h + x`, where p = x + w * k in iteration k, is w * (h - k) > 0:
/// with w > 0 it is h - k > 0. Of w * q + r >= 0, where r is no multiple of w,
/// q >= 0 remains when 0 <= r < w, and q - 1 >= 0 when -w <= r < 0.
Condition ModelBuilder::withoutStride(const Condition &condition,
                                      const Stmt &stmt, const Loop &loop) {
  Condition result = condition;
  for (Condition &operand : result.operands)
    operand = withoutStride(operand, stmt, loop);
  bool isZero = condition.kind == Condition::Kind::Zero;
  if (!isZero && condition.kind != Condition::Kind::NonNegative)
    return result;
  std::optional<Polynomial> slope = condition.poly.coefficientOf(loop.iterator);
  if (!slope || slope->terms.size() != 1 || slope->asConstant())
    return result;
  const Monomial &symbols = slope->terms.begin()->first;
  bool isArgument = llvm::all_of(
      symbols, [&](SymbolId id) { return isParameter(model.symbols[id]); });
  Polynomial stride;
  stride.terms[symbols] = 1;
  Polynomial::Division parts = condition.poly.divideBy(stride);
  Interval rest = boundsOf(model.symbols, parts.remainder);
  bool isPositive = rest.minimum && *rest.minimum >= 0;
  bool isNegative = rest.maximum && *rest.maximum < 0;
  if (!isArgument || parts.remainder.contains(loop.iterator) ||
      dependsOn(parts.remainder, loop.iterator, true) ||
      !(isZero ? parts.remainder.isZero() : isPositive || isNegative))
    return result;
  requireAtStart(stride - Polynomial(1), stmt);
  if (!isZero && isPositive)
    requireAtStart(stride - parts.remainder - Polynomial(1), stmt);
  if (!isZero && isNegative)
    requireAtStart(stride + parts.remainder, stmt);
  result.poly = parts.quotient;
  if (!isZero && isNegative)
    result.poly = result.poly - Polynomial(1);
  return result;
}

//===-- Walking a loop ----------------------------------------------------===//

/// True when some part of the condition ends the loop.
static bool endsLoop(const Condition &bound, SymbolId iterator) {
  return bound.kind == Condition::Kind::False ||
         bound.poly.contains(iterator) ||
         llvm::any_of(bound.operands, [&](const Condition &part) {
           return part.poly.contains(iterator);
         });
}

/// Requires that the condition holds where the loop begins; false when no
/// requirement says so.
bool ModelBuilder::requireEntry(const Condition &bound, const Stmt &stmt,
                                SymbolId iterator) {
  if (bound.kind == Condition::Kind::And)
    return llvm::all_of(bound.operands, [&](const Condition &operand) {
      return requireEntry(operand, stmt, iterator);
    });
  if (bound.kind == Condition::Kind::NonNegative)
    requireAtStart(bound.poly.substitute(iterator, Polynomial()), stmt);
  return bound.kind == Condition::Kind::NonNegative ||
         bound.kind == Condition::Kind::True;
}

/// Enters an iteration; the index of the loop, or nothing when the condition is
/// not one of the count.
std::optional<unsigned> ModelBuilder::enterWalk(const StmtRef &stmt,
                                                const WalkPlan &plan) {
  const unsigned outside = context;
  const Environment entry = environment;
  Variable *counter = makeCounter(*stmt);
  Symbol symbol;
  symbol.kind = SymbolKind::Iterator;
  symbol.name = counter->name;
  symbol.var = counter;
  symbol.minimum = 0;
  DraftLoop record;
  record.loop.iterator = model.symbols.add(symbol);
  record.loop.var = counter;
  record.loop.stmt = stmt.get();
  record.loop.name = model.symbols[record.loop.iterator].name;
  const unsigned index = draft.loops.size();
  DraftContext inner;
  inner.parent = static_cast<int>(context);
  inner.loop = static_cast<int>(index);
  draft.loops.push_back(record);
  draft.contexts.push_back(inner);
  context = draft.contexts.size() - 1;
  forgetAssigned(plan.body);
  enterIteration(plan.body, record.loop, entry);
  size_t firstRequirement = draft.requirements.size();
  std::optional<Condition> bound = loopBound(*stmt, record.loop);
  if (!bound || !endsLoop(*bound, record.loop.iterator))
    return std::nullopt;
  if (stmt->kind == StmtKind::Do &&
      !requireEntry(*bound, *stmt, record.loop.iterator))
    return std::nullopt;
  moveRequirements(*stmt, record.loop, outside, firstRequirement);
  limitIterator(*bound, record.loop);
  draft.loops[index].bound = *bound;
  // One more than the last value ends the loop.
  std::optional<int64_t> last = model.symbols[record.loop.iterator].maximum;
  if (!last || *last >= INT32_MAX)
    counter->type = Type::makeScalar(ScalarKind::Long);
  return index;
}

ModelBuilder::LoopResult ModelBuilder::modelWalk(const StmtRef &stmt,
                                                 DraftNode &parent) {
  std::optional<WalkPlan> plan = planWalk(*stmt);
  if (!plan)
    return LoopResult::NoLoop;
  for (const StmtRef &before : plan->before)
    walk(before, parent);
  const unsigned outside = context;
  Environment entry = environment;
  std::optional<unsigned> index = enterWalk(stmt, *plan);
  if (!index)
    return LoopResult::NoLoop;
  DraftNode node;
  node.kind = DraftNode::Kind::Loop;
  node.index = *index;
  node.children.emplace_back();
  frames.push_back({nullptr, 0, stmt.get()});
  Exits exits = walk(stmt->body, node.children[0]);
  bool isModelled =
      !exits.escapes && exits.returned.kind == Condition::Kind::False;
  for (size_t at = 1; isModelled && at < plan->body.size(); ++at)
    walk(plan->body[at], node.children[0]);
  frames.pop_back();
  if (!isModelled)
    return LoopResult::LeftEarly;
  parent.children.push_back(std::move(node));
  context = outside;
  environment = std::move(entry);
  leaveLoop(*stmt, plan->body, &draft.loops[*index]);
  return LoopResult::Modelled;
}

} // namespace clopt
