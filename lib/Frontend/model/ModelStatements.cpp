//===- ModelStatements.cpp - the walk over statements ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a structured kernel body into statements with contexts. Affine
// conditions become contexts, early returns and continues too; anything else
// becomes one compound statement whose accesses may or may not happen.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/Choices.h"
#include "Frontend/model/ModelBuilderImpl.h"
#include "Frontend/model/ModelReasons.h"
#include "Model/MakeTree.h"

#include <llvm/ADT/STLExtras.h>

#include <isl/map.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_set.h>

#include <algorithm>

namespace clopt {

//===-- Bookkeeping -------------------------------------------------------===//

void ModelBuilder::note(const char *rule, const SourceRange &range,
                        const std::string &message, const std::string &hint) {
  model.notes.push_back({rule, range, message, hint});
}

ModelBuilder::Snapshot
ModelBuilder::takeSnapshot(const DraftNode &parent) const {
  return {draft.contexts.size(),
          draft.loops.size(),
          draft.gridLoops.size(),
          draft.statements.size(),
          draft.accesses.size(),
          draft.requirements.size(),
          model.notes.size(),
          model.synthesized.size(),
          parent.children.size(),
          environment,
          context};
}

void ModelBuilder::restore(const Snapshot &snapshot, DraftNode &parent) {
  draft.contexts.resize(snapshot.contexts);
  draft.loops.resize(snapshot.loops);
  draft.gridLoops.resize(snapshot.gridLoops);
  draft.statements.resize(snapshot.statements);
  draft.accesses.resize(snapshot.accesses);
  draft.requirements.resize(snapshot.requirements);
  model.notes.resize(snapshot.notes);
  parent.children.resize(snapshot.nodes);
  environment = snapshot.environment;
  context = snapshot.context;
  for (auto *known : {&model.reads, &model.writes})
    for (auto it = known->begin(); it != known->end();)
      it = it->second >= snapshot.accesses ? known->erase(it) : std::next(it);
}

void ModelBuilder::enterCondition(const Condition &condition) {
  if (condition.kind == Condition::Kind::True)
    return;
  DraftContext inner;
  inner.parent = context;
  inner.condition = linearizeParams(model.symbols, condition);
  draft.contexts.push_back(std::move(inner));
  context = draft.contexts.size() - 1;
}

void ModelBuilder::joinEnvironments(const Condition &condition,
                                    const Environment &first,
                                    const Environment &second) {
  environment.clear();
  for (const auto &[key, left] : first) {
    auto other = second.find(key);
    if (other == second.end())
      continue;
    const Value &right = other->second;
    Value joined = selectValue(condition, left, right);
    if (joined.kind != Value::Kind::Unknown)
      environment[key] = joined;
  }
}

unsigned ModelBuilder::beginStatement(const StmtRef &stmt, DraftNode &parent) {
  DraftStatement record;
  record.statement.stmt = stmt.get();
  record.statement.domain = blankSet;
  record.context = context;
  for (unsigned at = context;; at = draft.contexts[at].parent) {
    if (draft.contexts[at].loop >= 0)
      record.statement.loops.push_back(draft.contexts[at].loop);
    if (draft.contexts[at].parent < 0)
      break;
  }
  std::reverse(record.statement.loops.begin(), record.statement.loops.end());
  DraftNode node;
  node.kind = DraftNode::Kind::Statement;
  node.index = draft.statements.size();
  parent.children.push_back(node);
  draft.statements.push_back(std::move(record));
  statement = node.index;
  return node.index;
}

//===-- Statements --------------------------------------------------------===//

Exits ModelBuilder::walk(const StmtRef &stmt, DraftNode &parent) {
  if (!stmt)
    return {};
  Exits exits;
  bool isEmpty = stmt->kind == StmtKind::Null ||
                 (stmt->kind == StmtKind::Decl && !stmt->expr);
  bool isNested =
      stmt->kind == StmtKind::Block || stmt->kind == StmtKind::Group;
  if (isAfterUnknownExit && !isEmpty && !isNested)
    return walkWhole(stmt, parent);
  if (dropped.count(stmt.get())) {
    walkDropped(stmt);
    return exits;
  }
  switch (stmt->kind) {
  case StmtKind::Block:
  case StmtKind::Group:
    return walkChildren(stmt->children, parent);
  case StmtKind::Decl:
    if (!stmt->expr) {
      environment.erase(ordinal(stmt->var));
      return exits;
    }
    walkSimple(stmt, parent);
    return exits;
  case StmtKind::Expr:
    walkSimple(stmt, parent);
    return exits;
  case StmtKind::If:
    return walkIf(stmt, parent);
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::Do:
    return walkFor(stmt, parent);
  case StmtKind::Continue:
    exits.continued.kind = Condition::Kind::True;
    return exits;
  case StmtKind::Return:
    exits.returned.kind = Condition::Kind::True;
    return exits;
  case StmtKind::Break:
    exits.escapes = true;
    return exits;
  case StmtKind::Barrier: {
    unsigned index = beginStatement(stmt, parent);
    draft.statements[index].statement.isBarrier = true;
    model.hasBarrier = true;
    statement = -1;
    return exits;
  }
  case StmtKind::Null:
    return exits;
  default:
    return walkWhole(stmt, parent);
  }
}

Exits ModelBuilder::walkChildren(const std::vector<StmtRef> &children,
                                 DraftNode &parent) {
  Exits all;
  unsigned outside = context;
  frames.push_back({&children, 0, nullptr});
  for (const StmtRef &child : children) {
    ++frames.back().next;
    Exits exits = walk(child, parent);
    all.escapes |= exits.escapes;
    if (all.escapes)
      break;
    all.returned = disjunction(all.returned, exits.returned);
    all.continued = disjunction(all.continued, exits.continued);
    Condition leaves = disjunction(exits.returned, exits.continued);
    // Nothing after an unconditional jump is reached.
    if (leaves.kind == Condition::Kind::True)
      break;
    enterCondition(negate(leaves));
  }
  frames.pop_back();
  context = outside;
  return all;
}

void ModelBuilder::declare(const Stmt &decl) {
  auto name = std::make_shared<Expr>();
  Value value = evaluate(decl.expr);
  Place place;
  place.isKnown = true;
  place.var = decl.var;
  unsigned array = arrayOf(decl.var);
  place.address = Value::pointer(array, Polynomial());
  const Array &known = model.arrays[array];
  Type type = decl.var->type;
  if (type.isArray()) {
    if (known.elementBytes)
      place.width = std::max<uint64_t>(1, type.size / known.elementBytes);
    value = Value();
  }
  // The access stands for the declared name, which is no expression.
  name->kind = ExprKind::VarRef;
  name->type = type;
  name->var = decl.var;
  name->range = decl.range;
  size_t before = draft.accesses.size();
  store(name, place, value);
  // Nothing names the variable before its declaration, so that inside a kept
  // loop too the value is right wherever it is used.
  if (mayDepth > 0 && isFollowed(decl.var) && assignedInside[decl.var] == 1)
    environment[ordinal(decl.var)] = value;
  model.writes.erase(name.get());
  for (size_t index = before; index < draft.accesses.size(); ++index)
    draft.accesses[index].access.expr = nullptr;
}

void ModelBuilder::walkSimple(const StmtRef &stmt, DraftNode &parent) {
  beginStatement(stmt, parent);
  if (stmt->kind == StmtKind::Decl)
    declare(*stmt);
  else
    evaluate(stmt->expr);
  statement = -1;
}

//===-- Returns and continues that depend on data
//--------------------------===//

StmtRef makeBlock(const SourceRange &range, std::vector<StmtRef> children) {
  auto block = std::make_shared<Stmt>();
  block->kind = StmtKind::Block;
  block->range = range;
  block->children = std::move(children);
  return block;
}

/// `kind`: Return or Continue.
static bool leavesBy(StmtKind kind, const StmtRef &stmt) {
  Leaves leaves = leavesOf(stmt);
  return kind == StmtKind::Return ? leaves.byReturn : leaves.byContinue;
}

/// The statement without the `return` or `continue` that it ends in, or null.
static StmtRef withoutLast(StmtKind kind, const StmtRef &stmt) {
  if (!stmt)
    return nullptr;
  if (stmt->kind == kind && !stmt->expr)
    return makeBlock(stmt->range, {});
  if (stmt->kind != StmtKind::Block || stmt->children.empty())
    return nullptr;
  StmtRef last = withoutLast(kind, stmt->children.back());
  if (!last)
    return nullptr;
  std::vector<StmtRef> children(stmt->children.begin(),
                                stmt->children.end() - 1);
  if (!last->children.empty())
    children.push_back(last);
  for (const StmtRef &child : children)
    if (leavesBy(kind, child))
      return nullptr;
  return makeBlock(stmt->range, std::move(children));
}

ExprRef negated(const ExprRef &condition) {
  auto result = std::make_shared<Expr>();
  result->kind = ExprKind::Unary;
  result->op = Op::LNot;
  result->type = Type::makeScalar(ScalarKind::Int);
  result->range = condition->range;
  result->operands = {condition};
  return result;
}

/// The children from `at` on with all that follows an `if` that leaves inside
/// its other side; null where that is not all there is to say.
static StmtRef nestExits(StmtKind kind, const std::vector<StmtRef> &children,
                         size_t at) {
  std::vector<StmtRef> result;
  for (; at < children.size(); ++at) {
    const StmtRef &child = children[at];
    if (!child)
      continue;
    if (child->kind == kind && !child->expr)
      break;
    if (!leavesBy(kind, child)) {
      result.push_back(child);
      continue;
    }
    if (child->kind != StmtKind::If)
      return nullptr;
    StmtRef first = withoutLast(kind, child->body);
    StmtRef second = first ? nullptr : withoutLast(kind, child->elseBody);
    const StmtRef &other = first ? child->elseBody : child->body;
    if ((!first && !second) || (other && leavesBy(kind, other)))
      return nullptr;
    StmtRef rest = nestExits(kind, children, at + 1);
    if (!rest)
      return nullptr;
    if (other)
      rest = makeBlock(child->range, {other, rest});
    auto nested = std::make_shared<Stmt>(*child);
    bool isOnlyExit = first && first->children.empty();
    if (isOnlyExit)
      nested->expr = negated(child->expr);
    nested->body = first && !isOnlyExit ? first : rest;
    nested->elseBody = second ? second : isOnlyExit ? nullptr : rest;
    result.push_back(nested);
    break;
  }
  return makeBlock(at < children.size() ? children[at]->range : SourceRange(),
                   std::move(result));
}

/// `if (c) return; rest` as `if (!c) rest`, in the kernel's outermost block
/// (`continue`: in the loop's), so that what follows is like any other code
/// under a condition.
StmtRef ModelBuilder::withoutExits(const StmtRef &stmt, StmtKind kind) const {
  const bool isReturn = kind == StmtKind::Return;
  bool isOutermost =
      !frames.empty() && frames.back().children &&
      (isReturn ? frames.size() == 1
                : frames.size() > 1 && frames[frames.size() - 2].loop) &&
      mayDepth == 0 && !isAfterUnknownExit && !kernel.hasGoto;
  if (!isOutermost || !leavesBy(kind, stmt))
    return nullptr;
  const std::vector<StmtRef> &children = *frames.back().children;
  size_t at = frames.back().next - 1;
  if (children[at] != stmt)
    return nullptr;
  for (size_t index = at; index < children.size(); ++index)
    if (containsBarrier(children[index]))
      return nullptr;
  StmtRef nested = nestExits(kind, children, at);
  if (!nested)
    return nullptr;
  auto whole = std::make_shared<Stmt>(*nested->children.front());
  return whole;
}

/// Alternatives that are told apart. Each is what all before it are not, in as
/// many pieces; isl takes a second for sixty values of an id, and the square of
/// that for more.
static constexpr unsigned mostAlternatives = 24;

/// True for `if (...) ... else if (...) ... else if (...)` of too many.
static bool isLongChain(const Stmt &stmt) {
  unsigned count = 0;
  for (const Stmt *at = &stmt; at && at->kind == StmtKind::If; ++count) {
    const Stmt *next = at->elseBody.get();
    while (next && next->kind == StmtKind::Block && next->children.size() == 1)
      next = next->children[0].get();
    at = next;
  }
  return count > mostAlternatives;
}

static bool isOfArguments(const SymbolTable &symbols, const Polynomial &poly) {
  return llvm::all_of(poly.symbols(), [&](SymbolId id) {
    const Symbol &symbol = symbols[id];
    return symbol.kind == SymbolKind::Param ||
           ((symbol.kind == SymbolKind::FloorDiv ||
             symbol.kind == SymbolKind::Modulo) &&
            isOfArguments(symbols, symbol.first));
  });
}

static bool isOfArguments(const SymbolTable &symbols,
                          const Condition &condition) {
  return isOfArguments(symbols, condition.poly) &&
         llvm::all_of(condition.operands, [&](const Condition &operand) {
           return isOfArguments(symbols, operand);
         });
}

Exits ModelBuilder::walkIf(const StmtRef &stmt, DraftNode &parent) {
  size_t requirements = draft.requirements.size();
  Environment outer = environment;
  std::optional<Condition> condition = guardOf(stmt);
  bool isGuarded = condition.has_value();
  if (!isGuarded && isSideEffectFree(stmt->expr) &&
      !settings.compound.count(stmt.get()))
    condition = evaluateCondition(stmt->expr);
  if (condition) {
    *condition = linearizeParams(model.symbols, *condition);
    if (!isAffine(model.symbols, *condition) ||
        (isLongChain(*stmt) && !isOfArguments(model.symbols, *condition)))
      condition.reset();
  }
  if (!condition) {
    draft.requirements.resize(requirements);
    if (const StmtRef choice = asChoice(*stmt)) {
      model.synthesized.push_back(choice);
      walkSimple(choice, parent);
      return {};
    }
    for (StmtKind kind : {StmtKind::Return, StmtKind::Continue})
      if (StmtRef nested = withoutExits(stmt, kind)) {
        model.synthesized.push_back(nested);
        Exits all = walkWhole(nested, parent);
        Condition &left =
            kind == StmtKind::Return ? all.returned : all.continued;
        left.kind = Condition::Kind::True;
        return all;
      }
    return walkWhole(stmt, parent);
  }
  unsigned outside = context;
  Environment entry = isGuarded ? std::move(outer) : environment;
  enterCondition(*condition);
  Exits first = walk(stmt->body, parent);
  Environment afterFirst = std::move(environment);
  environment = std::move(entry);
  context = outside;
  enterCondition(negate(*condition));
  Exits second = walk(stmt->elseBody, parent);
  Environment afterSecond = std::move(environment);
  context = outside;
  Exits exits;
  exits.escapes = first.escapes || second.escapes;
  Condition opposite = negate(*condition);
  exits.returned = disjunction(conjunction(*condition, first.returned),
                               conjunction(opposite, second.returned));
  exits.continued = disjunction(conjunction(*condition, first.continued),
                                conjunction(opposite, second.continued));
  // A side that control leaves has no say in what holds afterwards.
  auto leaves = [](const Exits &side) {
    return side.returned.kind == Condition::Kind::True ||
           side.continued.kind == Condition::Kind::True;
  };
  if (leaves(first))
    environment = std::move(afterSecond);
  else if (leaves(second))
    environment = std::move(afterFirst);
  else
    joinEnvironments(*condition, afterFirst, afterSecond);
  // What the updates have made of the variables is known inside only.
  if (isGuarded)
    for (const auto &[variable, value] : guarded[stmt.get()].values)
      environment.erase(ordinal(variable));
  return exits;
}

//===-- Compound statements -----------------------------------------------===//

/// What a structured statement evaluates whenever it is reached: the init of a
/// `for`, and the first evaluation of a condition.
void ModelBuilder::walkHead(const StmtRef &stmt) {
  if (stmt->kind == StmtKind::Decl || stmt->kind == StmtKind::Do)
    return;
  if (stmt->kind != StmtKind::Opaque && stmt->kind != StmtKind::Switch) {
    walkInside(stmt->init);
    // Later evaluations see other values of what the body assigns.
    if (stmt->init)
      forgetAssigned({stmt});
    evaluate(stmt->expr);
  }
}

/// The rest, which may run any number of times.
void ModelBuilder::walkBody(const StmtRef &stmt) {
  if (stmt->kind == StmtKind::Decl) {
    declare(*stmt);
    return;
  }
  for (const StmtRef &child : stmt->children)
    walkInside(child);
  walkInside(stmt->body);
  walkInside(stmt->elseBody);
  evaluate(stmt->inc);
  bool isHeadless = stmt->kind == StmtKind::Do ||
                    stmt->kind == StmtKind::Opaque ||
                    stmt->kind == StmtKind::Switch;
  if (isHeadless)
    evaluate(stmt->expr);
}

void ModelBuilder::walkInside(const StmtRef &stmt) {
  if (!stmt)
    return;
  if (stmt->kind == StmtKind::Decl && !stmt->expr)
    return;
  if (stmt->kind == StmtKind::Barrier) {
    model.hasBarrier = true;
    return;
  }
  walkHead(stmt);
  walkBody(stmt);
}

void ModelBuilder::noteControl(const Stmt &stmt) {
  Reason reason = whyKept(model, stmt);
  std::string message = "a condition or bound here depends on data";
  if (!reason.why.empty())
    message += ": " + reason.why;
  note("clopt-non-affine-control", stmt.range, message,
       "conditions on ids, loop variables and integer arguments can be "
       "analysed");
}

Exits ModelBuilder::walkWhole(const StmtRef &stmt, DraftNode &parent) {
  Leaves leaves = leavesOf(stmt);
  bool isOpaque = stmt->kind == StmtKind::Opaque || kernel.hasGoto ||
                  isAfterUnknownExit || leaves.byReturn ||
                  containsBarrier(stmt);
  assignedInside = assignedIn(stmt);
  forgetAssigned({stmt});
  unsigned index = beginStatement(stmt, parent);
  // After an exit that no condition tells, even the first part may not run.
  mayDepth += isAfterUnknownExit;
  walkHead(stmt);
  ++mayDepth;
  walkBody(stmt);
  --mayDepth;
  mayDepth -= isAfterUnknownExit;
  statement = -1;
  assignedInside.clear();
  forgetAssigned({stmt});
  Statement &own = draft.statements[index].statement;
  own.isCompound = true;
  own.isOpaque |= isOpaque;
  own.isBarrier |= containsBarrier(stmt);
  if (auto known = settings.wholeLoops.find(stmt.get());
      known != settings.wholeLoops.end())
    note("clopt-grid-stride", stmt->range,
         "the iterations of this loop are no work-items of their own: " +
             known->second,
         "");
  else if (own.isOpaque)
    note("clopt-opaque-code", stmt->range,
         "this part is kept as it stands and nothing moves across it", "");
  else
    noteControl(*stmt);
  isAfterUnknownExit |= leaves.byReturn;
  Exits exits;
  exits.escapes = leaves.byBreak || leaves.byContinue;
  return exits;
}

void ModelBuilder::forgetAssigned(const std::vector<StmtRef> &stmts) {
  for (const StmtRef &stmt : stmts) {
    // Pointers that only move stay in their array.
    std::map<const Variable *, unsigned> moves;
    forEachExpr(stmt, [&](const ExprRef &expr) {
      if (std::optional<Update> update = updateOf(expr))
        ++moves[update->var];
    });
    for (const auto &[variable, count] : assignedIn(stmt)) {
      auto known = environment.find(ordinal(variable));
      if (known == environment.end())
        continue;
      auto moved = moves.find(variable);
      bool onlyMoves = moved != moves.end() && moved->second == count &&
                       known->second.isPointer();
      if (onlyMoves)
        known->second.hasOffset = false;
      else
        environment.erase(known);
      if (onlyMoves)
        known->second.poly = Polynomial();
    }
  }
}

} // namespace clopt
