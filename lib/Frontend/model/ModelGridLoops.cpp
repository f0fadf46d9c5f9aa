//===- ModelGridLoops.cpp - loops that are dimensions of the NDRange ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In `for (i = id; i < n; i += get_global_size(0))` the work-items of a launch
// visit every i from the first id on once. So the iterator is modelled as the
// id of a dimension whose range is the loop's, not the launch's:
//
//   { S[i] : first <= i < n },   first: what work-item 0 begins with
//
// The launch stays what it is: launched work-items take the virtual ones in
// turns. GridLoops.cpp says when the text allows it; ModelBuilder.cpp compares
// what the iterations do to memory.
//
// Integers. The author's iterator is one step beyond its last value when the
// loop ends. That it does not wrap there is required, and so is what the
// comparison assumes of it; what is assumed of ids outside the loop is required
// of the first and the last id of the launch.
//
// Tested by test/unit/GridLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelBuilderImpl.h"

#include <algorithm>

namespace clopt {

//===-- Finding them ------------------------------------------------------===//

/// The dimension whose global size the update adds.
std::optional<unsigned> ModelBuilder::gridStep(const Update &update) {
  if (!update.amount || update.isNegative)
    return std::nullopt;
  int recording = statement;
  statement = -1;
  Value amount = evaluate(update.amount);
  statement = recording;
  if (!amount.isInteger())
    return std::nullopt;
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim) {
    Polynomial size = Polynomial::symbol(symbolOf(SymbolKind::GlobalSize, dim));
    if (amount.poly == size)
      return dim;
    // The last group may be smaller since OpenCL 2.0.
    if (unit.openclVersion >= 200)
      continue;
    if (std::optional<int64_t> known = settings.localSize[dim])
      if (amount.poly ==
          Polynomial(*known) * quotient(size + Polynomial(*known - 1), *known))
        return dim;
    std::optional<SymbolId> groups =
        model.symbols.find(SymbolKind::NumGroups, dim);
    std::optional<SymbolId> items =
        model.symbols.find(SymbolKind::LocalSize, dim);
    if (groups && items &&
        amount.poly == Polynomial::symbol(*groups) * Polynomial::symbol(*items))
      return dim;
  }
  return std::nullopt;
}

/// The next attempt is made with the loop as a dimension.
void ModelBuilder::proposeGrid(const StmtRef &stmt) {
  const bool isSplit =
      settings.split[0] || settings.split[1] || settings.split[2];
  bool isPossible = settings.mayShareLoops && helpers.empty() && !isSplit &&
                    !settings.wholeLoops.count(stmt.get());
  if (!isPossible)
    return;
  Leaves leaves = leavesOf(stmt->body);
  size_t requirements = draft.requirements.size();
  std::optional<LoopPlan> plan = planLoop(*stmt);
  draft.requirements.resize(requirements);
  if (!plan || !plan->gridDim)
    return;
  std::string problem;
  bool isOwn = plan->first && stmt->init->kind != StmtKind::Expr;
  if (leaves.byBreak || leaves.byReturn)
    problem = "it may be left early";
  else if (!isOwn && isLiveAfter(plan->var))
    problem = "its iterator is used afterwards";
  else if (!plan->after.empty())
    problem = "further variables advance with it";
  if (problem.empty())
    draft.wanted.gridLoops[stmt.get()] = {*plan->gridDim, plan->var};
  else
    draft.wanted.wholeLoops[stmt.get()] = problem;
  draft.mustRepeat = true;
}

/// None of them is a dimension in the next attempt.
Exits ModelBuilder::refuseGrid(const StmtRef &stmt, DraftNode &parent,
                               const std::string &why) {
  for (const auto &[loop, form] : settings.gridLoops)
    draft.wanted.wholeLoops.try_emplace(loop, why);
  draft.wanted.gridLoops.clear();
  draft.mustRepeat = true;
  return stmt ? walkWhole(stmt, parent) : Exits();
}

void ModelBuilder::checkGrid() {
  if (settings.gridLoops.empty())
    return;
  GridLoopCheck check = checkGridLoops(kernel, settings.gridLoops);
  for (const auto &[loop, form] : settings.gridLoops)
    if (settings.compound.count(loop))
      check.problem = "what its bounds assume cannot hold";
  for (bool split : settings.split)
    if (split)
      check.problem = "the kernel uses ids within its work-group";
  if (check.problem.empty())
    dropped = std::move(check.dropped);
  else
    refuseGrid(nullptr, draft.root, check.problem);
}

/// The value counts for the first iteration only: no statement of the model.
void ModelBuilder::walkDropped(const StmtRef &stmt) {
  int recording = statement;
  statement = -1;
  if (stmt->kind == StmtKind::Decl && stmt->expr)
    declare(*stmt);
  else
    evaluate(stmt->expr);
  statement = recording;
}

//===-- Integers ----------------------------------------------------------===//

/// Requires for the ids of the launch what is said of `start`, the first
/// value of the work-items: it is linear, so the first and the last suffice.
bool ModelBuilder::requireOfLaunch(Requirement requirement,
                                   const Polynomial &start, unsigned dim) {
  SymbolId id = symbolOf(SymbolKind::GlobalId, dim);
  if (dependsOn(requirement.poly, id, true))
    return false;
  std::optional<Polynomial> slope = requirement.poly.coefficientOf(id);
  if (!slope || slope->contains(id))
    return false;
  Polynomial last = start +
                    Polynomial::symbol(symbolOf(SymbolKind::GlobalSize, dim)) -
                    Polynomial(1);
  const Polynomial poly = requirement.poly;
  for (const Polynomial &end : {start, last}) {
    requirement.poly = poly.substitute(id, end);
    draft.requirements.push_back(requirement);
  }
  return true;
}

/// The bound is evaluated for the first value and after every iteration, one
/// step further on.
void ModelBuilder::requireGridSteps(const Stmt &stmt, const Loop &loop,
                                    unsigned dim, size_t firstRequirement) {
  SymbolId id = loop.iterator;
  Polynomial next = Polynomial::symbol(id) +
                    Polynomial::symbol(symbolOf(SymbolKind::GlobalSize, dim));
  std::vector<Requirement> found(draft.requirements.begin() + firstRequirement,
                                 draft.requirements.end());
  draft.requirements.resize(firstRequirement);
  unsigned outside = draft.contexts[context].parent;
  for (Requirement &requirement : found) {
    requirement.stmt = &stmt;
    requirement.context = outside;
    if (!requirement.poly.contains(id)) {
      draft.requirements.push_back(requirement);
      continue;
    }
    requireOfLaunch(requirement, loop.first, dim);
    requirement.context = context;
    requirement.poly = requirement.poly.substitute(id, next);
    draft.requirements.push_back(requirement);
  }
  Requirement exit;
  exit.poly = next;
  exit.range = rangeOf(loop.var->type);
  // No device has the address space for more.
  if (loop.var->type.size > 4)
    exit.range.maximum = static_cast<WideInt>(1) << 62;
  exit.context = context;
  exit.stmt = &stmt;
  exit.location = stmt.range;
  draft.requirements.push_back(exit);
}

/// Requirements outside of the loops are about ids of the launch, which the
/// model no longer has.
void ModelBuilder::restateRequirements() {
  if (settings.gridLoops.empty() || draft.mustRepeat)
    return;
  if (draft.gridLoops.size() != settings.gridLoops.size()) {
    refuseGrid(nullptr, draft.root, "it is part of code that is kept whole");
    return;
  }
  std::set<unsigned> dims;
  for (const auto &[loop, form] : settings.gridLoops)
    dims.insert(form.dim);
  auto isInside = [&](const Requirement &requirement, unsigned dim) {
    for (int at = static_cast<int>(requirement.context); at >= 0;
         at = draft.contexts[at].parent)
      if (draft.contexts[at].gridDim == static_cast<int>(dim))
        return true;
    return false;
  };
  for (unsigned dim : dims) {
    std::vector<Requirement> all = std::move(draft.requirements);
    draft.requirements.clear();
    SymbolId id = symbolOf(SymbolKind::GlobalId, dim);
    Polynomial start =
        Polynomial::symbol(symbolOf(SymbolKind::GlobalOffset, dim));
    for (Requirement &requirement : all) {
      bool isOfLaunch = (requirement.poly.contains(id) ||
                         dependsOn(requirement.poly, id, true)) &&
                        !isInside(requirement, dim);
      if (!isOfLaunch)
        draft.requirements.push_back(requirement);
      else if (!requireOfLaunch(requirement, start, dim)) {
        refuseGrid(nullptr, draft.root,
                   "its first value is not linear in the id");
        return;
      }
    }
  }
}

//===-- The loop ----------------------------------------------------------===//

/// What the first work-item begins with.
std::optional<Polynomial> ModelBuilder::gridStart(const LoopPlan &plan,
                                                  unsigned dim) {
  Value first;
  int recording = statement;
  statement = -1;
  if (plan.first && isSideEffectFree(plan.first)) {
    first = evaluate(plan.first);
    if (first.isInteger() && plan.var->type.isUnsigned())
      exact(plan.first, first);
  } else if (!plan.first && environment.count(ordinal(plan.var))) {
    first = environment[ordinal(plan.var)];
  }
  statement = recording;
  if (!first.isInteger())
    return std::nullopt;
  SymbolId id = symbolOf(SymbolKind::GlobalId, dim);
  Polynomial distance = first.poly - Polynomial::symbol(id);
  bool isFixed = true;
  for (SymbolId symbol : distance.symbols())
    isFixed &= isParameter(model.symbols[symbol]);
  Polynomial start = linearizeParams(
      model.symbols,
      distance + Polynomial::symbol(symbolOf(SymbolKind::GlobalOffset, dim)));
  Interval bounds = boundsOf(model.symbols, start);
  bool isUsable = isFixed && isAffine(model.symbols, start) && bounds.minimum &&
                  *bounds.minimum >= 0;
  return isUsable ? std::optional(start) : std::nullopt;
}

/// The loop's condition, when it is about its iterator, arguments and ids.
std::optional<Condition>
ModelBuilder::gridBound(const Stmt &stmt, const Loop &loop, unsigned dim) {
  size_t firstRequirement = draft.requirements.size();
  std::optional<Condition> condition = evaluateCondition(stmt.expr);
  if (!condition)
    return std::nullopt;
  *condition = linearizeParams(model.symbols, *condition);
  if (!isAffine(model.symbols, *condition))
    return std::nullopt;
  std::vector<Condition> parts{*condition};
  if (condition->kind == Condition::Kind::And)
    parts = condition->operands;
  for (const Condition &part : parts) {
    // `i != n` would have to meet n.
    if (part.kind != Condition::Kind::NonNegative)
      return std::nullopt;
    for (SymbolId symbol : part.poly.symbols())
      if (symbol != loop.iterator && !isParameter(model.symbols[symbol]))
        return std::nullopt;
  }
  std::optional<Condition> bound = boundOf(*condition, stmt, loop);
  if (!bound || !bound->poly.contains(loop.iterator))
    if (!bound || bound->kind != Condition::Kind::And)
      return std::nullopt;
  for (size_t at = firstRequirement; at < draft.requirements.size(); ++at)
    if (dependsOn(draft.requirements[at].poly, loop.iterator, true))
      return std::nullopt;
  requireGridSteps(stmt, loop, dim, firstRequirement);
  return bound;
}

Exits ModelBuilder::walkGrid(const StmtRef &stmt, DraftNode &parent) {
  const unsigned dim = settings.gridLoops.at(stmt.get()).dim;
  std::optional<LoopPlan> plan = planLoop(*stmt);
  if (draft.mustRepeat || !plan || plan->gridDim != dim)
    return refuseGrid(stmt, parent, "its step is not known");
  for (const StmtRef &before : plan->before)
    walk(before, parent);
  std::optional<Polynomial> start = gridStart(*plan, dim);
  if (!start)
    return refuseGrid(stmt, parent,
                      "it does not begin at the id, or may begin below zero");
  unsigned outside = context;
  Environment entry = environment;
  DraftLoop record;
  Loop &loop = record.loop;
  loop.iterator = symbolOf(SymbolKind::GlobalId, dim);
  loop.var = plan->var;
  loop.stmt = stmt.get();
  loop.name = plan->var->name;
  for (unsigned suffix = 1; std::any_of(draft.loops.begin(), draft.loops.end(),
                                        [&](const DraftLoop &other) {
                                          return other.loop.name == loop.name;
                                        });
       ++suffix)
    loop.name = plan->var->name + "_" + std::to_string(suffix);
  loop.first = *start;
  DraftContext inner;
  inner.parent = static_cast<int>(context);
  inner.gridDim = static_cast<int>(dim);
  draft.contexts.push_back(inner);
  context = draft.contexts.size() - 1;
  forgetAssigned({stmt->body});
  iterators[plan->var] = loop.iterator;
  std::optional<Condition> bound = gridBound(*stmt, loop, dim);
  if (!bound) {
    iterators.erase(plan->var);
    context = outside;
    return refuseGrid(stmt, parent, "its bound is not known at the start");
  }
  Condition begun{Condition::Kind::NonNegative,
                  Polynomial::symbol(loop.iterator) - *start,
                  {}};
  record.bound = *bound;
  draft.contexts[context].condition = conjunction(begun, *bound);
  draft.gridLoops.push_back({static_cast<unsigned>(draft.loops.size()), dim,
                             draft.contexts[context].condition});
  draft.loops.push_back(record);
  frames.push_back({nullptr, 0, stmt.get()});
  DraftNode body;
  Exits exits = walk(stmt->body, body);
  frames.pop_back();
  iterators.erase(plan->var);
  parent.children.push_back(std::move(body));
  context = outside;
  environment = std::move(entry);
  forgetAssigned({stmt->body});
  environment.erase(ordinal(plan->var));
  bool isWhole =
      !exits.escapes && exits.returned.kind == Condition::Kind::False;
  return isWhole ? Exits() : refuseGrid(stmt, parent, "it may be left early");
}

} // namespace clopt
