//===- Divergence.cpp - what differs between merged work-items ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forward data-flow analysis to a fixed point: a variable varies in every way
// in which a value assigned to it, or a condition around the assignment,
// varies. Masks only grow, so it ends.
//
// Tested by test/unit/DivergenceTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Divergence.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/LaneForms.h"
#include "Analysis/dependence/StrideLoops.h"
#include "Model/Control.h"

#include <isl/set.h>

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace clopt {

std::optional<unsigned> copyOfExpr(const TransformedKernel &kernel,
                                   const Expr &expr) {
  if (kernel.tiles.empty())
    return std::nullopt;
  const Access *access = kernel.model->accessOf(expr);
  const std::optional<unsigned> tile =
      access ? kernel.tileOf(access->id) : std::nullopt;
  return tile && kernel.tiles[*tile].inTree ? tile : std::nullopt;
}

/// Adds what every evaluation of the expression loads.
static void addLoads(const KernelModel &model, const ExprRef &expr,
                     MadeLoads &loads) {
  if (model.reads.count(expr.get()))
    loads.push_back(expr.get());
  const bool isLazy = expr->kind == ExprKind::Conditional ||
                      expr->op == Op::LAnd || expr->op == Op::LOr;
  for (size_t i = 0; i < (isLazy ? 1 : expr->operands.size()); ++i)
    if (expr->operands[i])
      addLoads(model, expr->operands[i], loads);
}

MadeLoads loadsMadeIn(const TransformedKernel &kernel, const StmtRef &stmt) {
  MadeLoads loads;
  if (!stmt->expr || !isSideEffectFree(stmt->expr))
    return loads;
  const KernelModel &model = *kernel.model;
  std::set<const Variable *> changing;
  bool stores = false; // to memory, where places may be kept, too
  forEachExpr(stmt, [&](const ExprRef &expr) {
    if (!changesTarget(*expr))
      return;
    const Variable *root = rootVariable(expr->operands[0].get());
    changing.insert(root);
    stores |= !root || (expr->operands[0]->kind != ExprKind::VarRef &&
                        root->type.isPointer());
  });
  addLoads(model, stmt->expr, loads);
  llvm::erase_if(loads, [&](const Expr *load) {
    bool moves = false;
    forEachExpr(ExprRef(ExprRef(), load), [&](const ExprRef &part) {
      const auto read = model.reads.find(part.get());
      const bool isPlace =
          part.get() != load && read != model.reads.end() &&
          model.arrays[model.accesses[read->second].array].space !=
              AddressSpace::Private;
      moves |= stores && isPlace;
      moves |= part->kind == ExprKind::VarRef &&
               (changing.count(part->var) || part->var->addressTaken);
    });
    return moves;
  });
  return loads;
}

bool dividesSafely(const Expr &expr) {
  const bool divides =
      (expr.kind == ExprKind::Binary || expr.kind == ExprKind::Assign) &&
      (expr.op == Op::Div || expr.op == Op::Rem) && !expr.type.isFloating();
  if (!divides)
    return true;
  const Expr *divisor = belowCasts(expr.operands[1].get());
  return divisor->kind == ExprKind::IntLiteral && divisor->intValue > 0;
}

/// `divergence`: lanes that load alike may do so where any of them does.
/// `made`: by all of them.
static bool isSafe(const TransformedKernel &kernel, const ExprRef &expr,
                   const Divergence *divergence, const MadeLoads &made) {
  const KernelModel &model = *kernel.model;
  bool safe = true;
  forEachExpr(expr, [&](const ExprRef &node) {
    if (node->kind == ExprKind::Assign || node->kind == ExprKind::Opaque ||
        (node->kind == ExprKind::Call &&
         (node->effect != CallEffect::Pure || !node->isElementwiseBuiltin)))
      safe = false;
    if (isStep(node->op))
      safe = false;
    safe &= dividesSafely(*node);
    auto read = model.reads.find(node.get());
    const bool isLoad =
        read != model.reads.end() && !copyOfExpr(kernel, *node) &&
        model.arrays[model.accesses[read->second].array].space !=
            AddressSpace::Private;
    const bool isAlike = divergence && !(divergence->ofExpr(node) & LaneBit);
    if (isLoad && !isAlike && llvm::none_of(made, [&](const Expr *load) {
          return areSameTree(*load, *node);
        }))
      safe = false;
  });
  return safe;
}

bool isSafeToSpeculate(const TransformedKernel &kernel, const ExprRef &expr,
                       const MadeLoads &made) {
  return isSafe(kernel, expr, nullptr, made);
}

bool isSafeForSome(const TransformedKernel &kernel,
                   const Divergence &divergence, const ExprRef &expr,
                   const MadeLoads &made) {
  return isSafe(kernel, expr, &divergence, made);
}

bool isSafeBehind(const TransformedKernel &kernel, const ExprRef &condition,
                  const ExprRef &expr) {
  MadeLoads made;
  if (isSideEffectFree(condition))
    addLoads(*kernel.model, condition, made);
  return isSafe(kernel, expr, nullptr, made);
}

bool evaluatesTogether(const TransformedKernel &kernel,
                       const Divergence &divergence, const ExprRef &expr) {
  bool together = true;
  forEachExpr(expr, [&](const ExprRef &node) {
    auto varies = [&](const ExprRef &part) {
      return (divergence.ofExpr(part) & LaneBit) != 0;
    };
    const bool isLogical = node->op == Op::LAnd || node->op == Op::LOr;
    const bool isChoice = node->kind == ExprKind::Conditional;
    if (!(isLogical && varies(node)) &&
        !(isChoice && varies(node->operands[0])))
      return;
    for (const ExprRef &behind : llvm::drop_begin(node->operands))
      together &= isSafeBehind(kernel, node->operands[0], behind);
  });
  return together;
}

bool isMaskedStore(const TransformedKernel &kernel, const Expr &assign) {
  const Expr &target = *assign.operands[0];
  const Access *access = kernel.model->accessOf(target);
  return assign.kind == ExprKind::Assign &&
         target.kind == ExprKind::Subscript && access &&
         !copyOfExpr(kernel, target) && !access->isOrdered &&
         kernel.model->arrays[access->array].space == AddressSpace::Global &&
         !target.type.isVolatile && target.type.isScalar() &&
         isLaneType(assign.operands[1]->type);
}

bool changesPrivatesAlone(const ExprRef &expr) {
  if (!expr)
    return true;
  bool alone = true;
  forEachExpr(expr, [&](const ExprRef &part) {
    const bool calls = part->kind == ExprKind::Call &&
                       part->effect != CallEffect::Pure &&
                       part->effect != CallEffect::ReadsArgs;
    alone &= !calls && part->kind != ExprKind::Opaque && !part->type.isVolatile;
    if (!changesTarget(*part))
      return;
    const Variable *target = rootVariable(part->operands[0].get());
    alone &= target && !target->isFileScope &&
             target->space == AddressSpace::Private;
  });
  return alone;
}

namespace {

/// Looks at what stands inside of a statement.
struct TogetherCheck {
  const TransformedKernel &kernel;
  const Divergence &divergence;

  /// `isMasked`: the lanes do not agree on a condition around the statement;
  /// `isLeft`: of them, on one of a loop; `made`: loads of all lanes.
  struct Place {
    bool isMasked = false, isLeft = false;
    MadeLoads made;
  };
  bool runs(const StmtRef &stmt, const Place &at) const;
  bool runs(const ExprRef &expr, const Place &at) const;
  bool isSafe(const ExprRef &expr, const Place &at) const {
    return !at.isMasked || isSafeForSome(kernel, divergence, expr, at.made);
  }
  bool varies(const ExprRef &expr) const {
    return expr && (divergence.ofExpr(expr) & LaneBit) != 0;
  }
  Place inside(const StmtRef &stmt, Place at) const {
    llvm::append_range(at.made, loadsMadeIn(kernel, stmt));
    at.isMasked |= varies(stmt->expr);
    return at;
  }
};

} // namespace

/// What a statement computes, or the step of a loop.
bool TogetherCheck::runs(const ExprRef &expr, const Place &at) const {
  // What an assignment leaves is known, but not where.
  const bool isSame =
      !varies(expr) &&
      llvm::none_of(expr->operands,
                    [&](const ExprRef &operand) { return varies(operand); });
  if (at.isMasked && expr->op == Op::Comma)
    return runs(expr->operands[0], at) && runs(expr->operands[1], at);
  // What all lanes have alike.
  if (expr->kind != ExprKind::Assign)
    return !at.isMasked && changesPrivatesAlone(expr) && isSame;
  const ExprRef &target = expr->operands[0];
  const bool isKept =
      target->kind == ExprKind::VarRef || copyOfExpr(kernel, *target);
  if (!isKept && isSame)
    return false;
  return isSafe(expr->operands[1], at) &&
         (!at.isMasked || dividesSafely(*expr)) &&
         (!at.isMasked || isKept || isMaskedStore(kernel, *expr));
}

bool TogetherCheck::runs(const StmtRef &stmt, const Place &at) const {
  if (!stmt)
    return true;
  switch (stmt->kind) {
  case StmtKind::Null:
    return true;
  case StmtKind::Barrier:
    return !at.isMasked;
  case StmtKind::Expr:
    return runs(stmt->expr, at);
  case StmtKind::Decl:
    return !stmt->expr ||
           (stmt->expr->kind != ExprKind::InitList && isSafe(stmt->expr, at));
  case StmtKind::If: {
    const Place within = inside(stmt, at);
    return isSafe(stmt->expr, at) &&
           evaluatesTogether(kernel, divergence, stmt->expr) &&
           runs(stmt->body, within) && runs(stmt->elseBody, within);
  }
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::Do:
    // All lanes run an iteration together, or each of them does on its own.
    if (divergence.advanceOf(stmt))
      return !at.isMasked && runs(stmt->init, at) && runs(stmt->body, at);
    if (at.isMasked || (divergence.ofLoop(stmt) & LaneBit)) {
      // Until the last lane has left. What the first test has loaded for all
      // of them may be loaded again.
      Place within = at;
      if (stmt->kind != StmtKind::Do && stmt->expr)
        within = inside(stmt, at);
      within.isMasked = within.isLeft = true;
      return (!stmt->expr ||
              (evaluatesTogether(kernel, divergence, stmt->expr) &&
               isSafe(stmt->expr, at.isMasked ? at : within))) &&
             runs(stmt->init, at) && runs(stmt->body, within) &&
             (!stmt->inc || runs(stmt->inc, within));
    }
    // Loops that all lanes run alike.
    return !varies(stmt->inc) && changesPrivatesAlone(stmt->expr) &&
           changesPrivatesAlone(stmt->inc) && runs(stmt->init, at) &&
           runs(stmt->body, at);
  case StmtKind::Break:
  case StmtKind::Continue:
    return at.isLeft || !at.isMasked;
  case StmtKind::Block:
  case StmtKind::Group:
    return llvm::all_of(stmt->children,
                        [&](const StmtRef &child) { return runs(child, at); });
  default:
    return false;
  }
}

bool runsTogether(const TransformedKernel &kernel, const Divergence &divergence,
                  const StmtRef &stmt) {
  return TogetherCheck{kernel, divergence}.runs(stmt, {});
}

Divergence::Divergence(const TransformedKernel &transformed,
                       const ScheduleNode &region, const LaneAxis &axis,
                       DivergenceMask points, const Guards &guards)
    : kernel(transformed), model(*transformed.model), lane(axis),
      pointMask(points) {
  for (const Loop &loop : model.loops)
    if (loop.var)
      coordinateVariables[loop.var] = loop.iterator;
  for (unsigned i = 0; i < kernel.tiles.size(); ++i)
    for (const Polynomial &base : kernel.tiles[i].base)
      if (kernel.tiles[i].inTree)
        copies[i] |= ofPolynomial(base);
  // Partial results differ between lanes whatever is added to them.
  for (const ReductionAccumulator &partial : kernel.partials) {
    if (lane.lanes <= 1 || model.loops[partial.loop].iterator != lane.symbol)
      continue;
    if (const Array &array = model.arrays[partial.array];
        array.isPrivateScalar())
      variables[array.var].mask |= LaneBit;
    for (unsigned i = 0; i < kernel.tiles.size(); ++i)
      if (kernel.tiles[i].inTree && kernel.tiles[i].array == partial.array)
        copies[i] |= LaneBit;
  }
  findShared();
  findSheltered(guards);
  std::vector<unsigned> statements = statementsBelow(region);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned index : statements)
      if (model.statements[index].stmt) {
        // The statement is looked at through a reference that does not own it.
        StmtRef stmt(StmtRef(), model.statements[index].stmt);
        auto guard = guards.find(index);
        bool isFree =
            guard == guards.end() || isSheltered(model.statements[index]);
        changed |= widen(stmt, isFree ? 0 : ofSymbols(guard->second));
      }
    changed |= widenCopies();
  }
  isSettled = true;
  findLaneStrides(region, guards);
}

bool Divergence::isInOrder(const Statement &statement) const {
  if (lane.lanes <= 1)
    return false;
  for (const OrderedStatement &ordered : kernel.orderedStatements)
    if (model.loops[ordered.loop].iterator == lane.symbol &&
        model.statements[ordered.statement].name == statement.name)
      return true;
  return false;
}

void Divergence::findShared() {
  for (const OrderedStatement &ordered : kernel.orderedStatements) {
    if (lane.lanes <= 1 || model.loops[ordered.loop].iterator != lane.symbol)
      continue;
    for (unsigned array : ordered.arrays)
      shared.insert(model.arrays[array].var);
    sharedTiles.insert(ordered.tiles.begin(), ordered.tiles.end());
  }
}

/// Registers hold cells of a local array, of which every point has its own
/// where values in it differ.
bool Divergence::widenCopies() {
  bool changed = false;
  for (unsigned i = 0; i < kernel.tiles.size(); ++i) {
    const Array &array = model.arrays[kernel.tiles[i].array];
    if (array.space != AddressSpace::Local || !array.var ||
        !kernel.tiles[i].inTree)
      continue;
    DivergenceMask &of = variables[array.var].mask;
    DivergenceMask mask = of | (copies[i] & ~LaneBit);
    changed |= mask != of || (copies[i] | mask) != copies[i];
    of = mask;
    copies[i] |= mask;
  }
  return changed;
}

void Divergence::findSheltered(const Guards &guards) {
  if (guards.empty())
    return;
  // Statements that use each private variable.
  std::map<const Variable *, std::set<unsigned>> users;
  for (unsigned index = 0; index < model.statements.size(); ++index)
    for (unsigned id : model.statements[index].accesses)
      if (const Array &array = model.arrays[model.accesses[id].array];
          array.space == AddressSpace::Private && array.var)
        users[array.var].insert(index);
  auto instances = [&](unsigned index) {
    return isl::manage(
        isl_set_reset_tuple_id(model.statements[index].domain.copy()));
  };
  for (const auto &[index, symbols] : guards) {
    const Statement &declaration = model.statements[index];
    if (!declaration.stmt || declaration.stmt->kind != StmtKind::Decl ||
        !declaration.stmt->expr || declaration.stmt->var->addressTaken)
      continue;
    const Variable *variable = declaration.stmt->var;
    isl::set own = instances(index);
    bool isAlone = true;
    for (unsigned user : users[variable])
      isAlone = isAlone && guards.count(user) && user >= index &&
                model.statements[user].coordinates == declaration.coordinates &&
                instances(user).is_equal(own);
    if (isAlone)
      sheltered.insert(variable);
  }
}

/// True when the statement sets nothing but sheltered variables.
bool Divergence::isSheltered(const Statement &statement) const {
  bool any = false;
  for (unsigned id : statement.accesses) {
    if (!model.accesses[id].isWrite)
      continue;
    any = true;
    if (!sheltered.count(model.arrays[model.accesses[id].array].var))
      return false;
  }
  return any;
}

DivergenceMask Divergence::ofSymbol(SymbolId id) const {
  const Symbol &symbol = model.symbols[id];
  DivergenceMask mask = 0;
  if (lane.lanes > 1 && id == lane.symbol)
    mask |= LaneBit;
  if (symbol.kind == SymbolKind::GlobalId || symbol.kind == SymbolKind::GroupId)
    mask |= (1u << symbol.dim) & pointMask;
  if (symbol.kind == SymbolKind::FloorDiv ||
      symbol.kind == SymbolKind::Modulo || symbol.kind == SymbolKind::Select)
    mask |= ofPolynomial(symbol.first) | ofPolynomial(symbol.second);
  if (symbol.kind == SymbolKind::Select)
    mask |= ofCondition(symbol.condition);
  return mask;
}

DivergenceMask Divergence::ofSymbols(const std::set<SymbolId> &symbols) const {
  DivergenceMask mask = 0;
  for (SymbolId id : symbols)
    mask |= ofSymbol(id);
  return mask;
}

DivergenceMask Divergence::ofCondition(const Condition &condition) const {
  DivergenceMask mask = ofPolynomial(condition.poly);
  for (const Condition &operand : condition.operands)
    mask |= ofCondition(operand);
  return mask;
}

DivergenceMask Divergence::ofPolynomial(const Polynomial &poly) const {
  DivergenceMask mask = 0;
  for (SymbolId id : poly.symbols())
    mask |= ofSymbol(id);
  return mask;
}

DivergenceMask Divergence::ofLocalId(unsigned dim) const {
  const auto id = model.symbols.find(SymbolKind::LocalId, dim);
  return id ? ofSymbol(*id) : 0;
}

DivergenceMask Divergence::ofNode(const Expr &expr) const {
  if (std::optional<unsigned> copy = copyOfExpr(kernel, expr))
    return copies.at(*copy);
  if (expr.kind == ExprKind::WorkItem) {
    // Points of a split dimension are groups; their items keep their places.
    bool isSplit = expr.dim < 3 && model.ndrange.split[expr.dim];
    switch (expr.query) {
    case WorkItemQuery::GlobalId:
      if (isSplit)
        return ((1u << expr.dim) & pointMask) | ofLocalId(expr.dim);
      if (auto id = model.symbols.find(SymbolKind::GlobalId, expr.dim))
        return ofSymbol(*id);
      return 0;
    case WorkItemQuery::LocalId:
    case WorkItemQuery::GroupId: {
      if (isSplit && expr.query == WorkItemQuery::LocalId)
        return ofLocalId(expr.dim);
      bool isLaneDim =
          lane.lanes > 1 &&
          model.symbols[lane.symbol].kind == SymbolKind::GlobalId &&
          model.symbols[lane.symbol].dim == expr.dim;
      return ((1u << expr.dim) & pointMask) | (isLaneDim ? LaneBit : 0);
    }
    case WorkItemQuery::LocalLinearId:
      if (kernel.mergesGroups())
        return 0;
      [[fallthrough]];
    case WorkItemQuery::GlobalLinearId:
      return pointMask | (lane.lanes > 1 ? LaneBit : 0);
    default:
      return 0;
    }
  }
  if (expr.kind != ExprKind::VarRef || !expr.var)
    return 0;
  auto coordinate = coordinateVariables.find(expr.var);
  if (coordinate != coordinateVariables.end()) {
    DivergenceMask mask = ofSymbol(coordinate->second);
    auto value = model.values.find(&expr);
    if (value != model.values.end())
      mask |= ofPolynomial(value->second);
    return mask;
  }
  auto it = variables.find(expr.var);
  return it == variables.end() ? 0 : it->second.mask;
}

DivergenceMask Divergence::ofExpr(const ExprRef &expr) const {
  if (!expr || !isSettled)
    return computeExpr(expr);
  auto it = known.find(expr.get());
  if (it != known.end())
    return it->second;
  return known[expr.get()] = computeExpr(expr);
}

DivergenceMask Divergence::computeExpr(const ExprRef &expr) const {
  DivergenceMask mask = 0;
  if (expr && copyOfExpr(kernel, *expr))
    return ofNode(*expr);
  if (!expr)
    return 0;
  if (auto operand = kernel.replacements.find(expr.get());
      operand != kernel.replacements.end())
    return ofExpr(operand->second);
  // A known value says it best: group * size + local is one global id.
  if (expr->kind != ExprKind::VarRef && expr->type.isInteger())
    if (auto value = model.values.find(expr.get()); value != model.values.end())
      return ofPolynomial(value->second);
  mask |= ofNode(*expr);
  for (const ExprRef &operand : expr->operands)
    mask |= ofExpr(operand);
  return mask;
}

DivergenceMask Divergence::ofStmt(const StmtRef &stmt) const {
  DivergenceMask mask = 0;
  forEachExpr(stmt, [&](const ExprRef &expr) { mask |= ofNode(*expr); });
  forEachStmt(stmt, [&](const StmtRef &inner) {
    if (inner->kind == StmtKind::Decl)
      mask |= ofVariable(inner->var).mask;
  });
  return mask;
}

const VariableDivergence &
Divergence::ofVariable(const Variable *variable) const {
  static const VariableDivergence none;
  auto it = variables.find(variable);
  return it == variables.end() ? none : it->second;
}

DivergenceMask Divergence::ofCopy(unsigned copy) const {
  auto it = copies.find(copy);
  return it == copies.end() ? 0 : it->second;
}

/// The variable an lvalue belongs to, through subscripts and swizzles of
/// private objects.
static const Expr *targetVariable(const Expr &lvalue) {
  const Expr *expr = &lvalue;
  while (expr->kind == ExprKind::Subscript || expr->kind == ExprKind::Swizzle ||
         expr->kind == ExprKind::Member || expr->kind == ExprKind::Cast)
    expr = expr->operands[0].get();
  return expr->kind == ExprKind::VarRef ? expr : nullptr;
}

/// A call may write private variables that it gets the address of.
bool Divergence::widenArguments(const Expr &call, DivergenceMask mask) {
  bool changed = false;
  for (const ExprRef &argument : call.operands)
    forEachExpr(argument, [&](const ExprRef &node) {
      const Expr *target = nullptr;
      if (node->op == Op::AddrOf && node->kind == ExprKind::Unary)
        target = targetVariable(*node->operands[0]);
      else if (node->kind == ExprKind::VarRef && node->var &&
               node->var->type.isArray())
        target = node.get();
      if (!target || target->var->isFileScope ||
          target->var->space != AddressSpace::Private)
        return;
      VariableDivergence &entry = variables[target->var];
      const DivergenceMask widened = mask | controlOf(target->var);
      const DivergenceMask own =
          shared.count(target->var) ? widened & ~LaneBit : widened;
      changed |= (entry.mask | own) != entry.mask;
      entry.mask |= own;
    });
  return changed;
}

bool Divergence::widenTargets(const ExprRef &expr, DivergenceMask control) {
  bool changed = false;
  forEachExpr(expr, [&](const ExprRef &node) {
    if (node->kind != ExprKind::Call || node->effect == CallEffect::Pure)
      return;
    DivergenceMask mask = control;
    for (const ExprRef &operand : node->operands)
      mask |= ofExpr(operand);
    changed |= widenArguments(*node, mask);
  });
  forEachExpr(expr, [&](const ExprRef &node) {
    if (!changesTarget(*node))
      return;
    DivergenceMask mask = control;
    for (const ExprRef &operand : node->operands)
      mask |= ofExpr(operand);
    const ExprRef &target = node->operands[0];
    if (std::optional<unsigned> copy = copyOfExpr(kernel, *target)) {
      mask |= controlOf(nullptr);
      if (sharedTiles.count(*copy))
        mask &= ~LaneBit;
      changed |= (copies[*copy] | mask) != copies[*copy];
      copies[*copy] |= mask;
      return;
    }
    const Expr *variable = targetVariable(*target);
    // Local memory that the host makes room for is an array like any other.
    bool isArgument = variable && variable->var->isParam &&
                      variable->var->type.isPointer() &&
                      variable->var->type.space == AddressSpace::Local;
    if (!variable ||
        (variable->var->type.isPointer() != target->type.isPointer() &&
         !isArgument))
      return;
    mask |= controlOf(variable->var);
    // There is one for all lanes.
    if (isArgument || variable->var->space == AddressSpace::Local ||
        shared.count(variable->var))
      mask &= ~LaneBit;
    VariableDivergence &entry = variables[variable->var];
    changed |= (entry.mask | mask) != entry.mask;
    entry.mask |= mask;
  });
  return changed;
}

DivergenceMask Divergence::ofLoop(const StmtRef &loop) const {
  return ofExpr(loop->expr) | ofJumps(loop->body, 0, false);
}

/// How it varies that a loop is left, or an iteration ended, by the jumps in
/// the statement. `isNested`: it is in another loop.
DivergenceMask Divergence::ofJumps(const StmtRef &stmt, DivergenceMask control,
                                   bool isNested) const {
  if (!stmt)
    return 0;
  if (stmt->kind == StmtKind::Return)
    return control;
  if (stmt->kind == StmtKind::Break || stmt->kind == StmtKind::Continue)
    return isNested ? 0 : control;
  if (stmt->kind == StmtKind::If || isLoop(*stmt))
    control |= ofExpr(stmt->expr);
  isNested |= isLoop(*stmt);
  DivergenceMask mask = ofJumps(stmt->body, control, isNested) |
                        ofJumps(stmt->elseBody, control, isNested);
  for (const StmtRef &child : stmt->children)
    mask |= ofJumps(child, control, isNested);
  return mask;
}

/// The value of sizes, and what is added up of them, of numbers, and
/// `withIds`, of ids: nothing that has wrapped to be what it is.
static std::optional<Polynomial> plainSum(const KernelModel &model,
                                          const ExprRef &expr, bool withIds) {
  auto value = model.values.find(withoutCasts(expr.get()));
  if (value == model.values.end())
    value = model.values.find(expr.get());
  if (value == model.values.end() || value->second.isZero())
    return std::nullopt;
  auto isIdOfLaunch = [](SymbolKind kind) {
    return kind == SymbolKind::GlobalId || kind == SymbolKind::LocalId ||
           kind == SymbolKind::GroupId || kind == SymbolKind::GlobalOffset;
  };
  const bool isPlain = llvm::all_of(value->second.terms, [&](const auto &term) {
    return term.second > 0 && llvm::all_of(term.first, [&](SymbolId id) {
             const SymbolKind kind = model.symbols[id].kind;
             return kind == SymbolKind::GlobalSize ||
                    kind == SymbolKind::LocalSize ||
                    kind == SymbolKind::NumGroups ||
                    (withIds && isIdOfLaunch(kind));
           });
  });
  return isPlain ? std::optional(value->second) : std::nullopt;
}

std::optional<Polynomial> Divergence::plainFirst(const StrideLoop &loop) const {
  return plainSum(model, loop.first, true);
}

/// Elements that lanes of a loop may begin apart, at most.
static constexpr int64_t largestDistance = 1 << 20;

/// Counters wrap where they have no sign: of 32 bits they might, unless the
/// launch is asked (StatementPrinter::printAdvancing), and of 64 with steps
/// that are none; both from a first value below zero, which is lane 0's alone.
/// (Bounds that 64 bits hardly hold no loop comes to.)
std::optional<int64_t> Divergence::findAdvance(const Stmt &loop) const {
  if (lane.lanes <= 1 ||
      model.symbols[lane.symbol].kind == SymbolKind::Iterator)
    return std::nullopt;
  const std::optional<StrideLoop> head = readStrideLoop(loop);
  if (!head || !head->isOwn)
    return std::nullopt;
  const Type &type = head->var->type;
  const bool mayWrap = type.isUnsigned() &&
                       (!plainFirst(*head) ||
                        (type.size < 8 ? !limitsAtEntry(*model.function, *head)
                                       : !plainSum(model, head->step, false)));
  const bool isCommon = !((ofExpr(head->bound) | ofExpr(head->step)) & LaneBit);
  const std::optional<int64_t> distance = laneStepOf(head->first);
  if (mayWrap || !isCommon || !distance || *distance <= 0 ||
      *distance > largestDistance)
    return std::nullopt;
  return distance;
}

std::optional<int64_t> Divergence::advanceOf(const StmtRef &loop) const {
  const auto known = advances.find(loop.get());
  return known == advances.end() ? std::nullopt
                                 : std::optional<int64_t>(known->second);
}

/// Lanes that run no iteration keep what is declared around it.
DivergenceMask Divergence::controlOf(const Variable *target) const {
  return llvm::all_of(advancing,
                      [&](const std::set<const Variable *> &inside) {
                        return inside.count(target) > 0;
                      })
             ? 0
             : LaneBit;
}

bool Divergence::widenAdvancing(const StmtRef &loop, int64_t distance,
                                DivergenceMask control) {
  advances[loop.get()] = distance;
  bool changed = widen(loop->init, control);
  std::set<const Variable *> inside = {loop->init->var};
  forEachStmt(loop->body, [&](const StmtRef &part) {
    if (part->kind == StmtKind::Decl)
      inside.insert(part->var);
  });
  advancing.push_back(std::move(inside));
  changed |= widenTargets(loop->inc, control);
  changed |= widen(loop->body, control);
  advancing.pop_back();
  return changed;
}

bool Divergence::widen(const StmtRef &stmt, DivergenceMask control) {
  if (!stmt)
    return false;
  bool changed = false;
  if (stmt->kind == StmtKind::For && !(control & LaneBit))
    if (const std::optional<int64_t> distance = findAdvance(*stmt))
      return widenAdvancing(stmt, *distance, control);
  advances.erase(stmt.get());
  if (stmt->kind == StmtKind::If)
    control |= ofExpr(stmt->expr);
  else if (isLoop(*stmt))
    control |= ofLoop(stmt);
  if (stmt->kind == StmtKind::Decl && stmt->expr) {
    VariableDivergence &entry = variables[stmt->var];
    DivergenceMask mask =
        entry.mask | control | controlOf(stmt->var) | ofExpr(stmt->expr);
    if (shared.count(stmt->var))
      mask &= ~LaneBit;
    changed |= mask != entry.mask;
    entry.mask = mask;
  }
  changed |= widenTargets(stmt->expr, control);
  changed |= widenTargets(stmt->inc, control);
  changed |= widen(stmt->init, control);
  changed |= widen(stmt->body, control);
  changed |= widen(stmt->elseBody, control);
  for (const StmtRef &child : stmt->children)
    changed |= widen(child, control);
  return changed;
}

std::optional<Polynomial>
Divergence::laneStrideOf(const Polynomial &value) const {
  if (lane.lanes <= 1)
    return Polynomial(0);
  return laneStride(model, value, lane.symbol, lane.step);
}

/// How far a pointer of the type moves from one lane to the next, in what it
/// points to: cells of the array may be smaller.
std::optional<Polynomial>
Divergence::laneStrideOf(const Type &type, const PointerValue &value) const {
  const unsigned cell = model.arrays[value.array].elementBytes;
  const std::optional<Polynomial> cells = laneStrideOf(value.offset);
  if (!cells || !type.element || type.element->isArray() ||
      type.element->size == cell)
    return cells;
  if (cell == 0 || type.element->size == 0 || type.element->size % cell != 0)
    return std::nullopt;
  return cells->divideExactly(Monomial(),
                              static_cast<int64_t>(type.element->size / cell));
}

std::optional<int64_t> Divergence::laneStepOf(const ExprRef &expr) const {
  if (!(ofExpr(expr) & LaneBit))
    return 0;
  if (!expr->type.isScalar() || !expr->type.isInteger())
    return std::nullopt;
  auto constant = [](const std::optional<Polynomial> &stride) {
    return stride ? stride->asConstant() : std::nullopt;
  };
  if (auto value = model.values.find(expr.get()); value != model.values.end())
    return constant(laneStrideOf(value->second));
  if (expr->kind == ExprKind::VarRef)
    return constant(ofVariable(expr->var).laneStride);
  // Sums with a sign do not wrap, those of 64 bits wrap as addresses do.
  auto mayWrap = [](const Type &type) {
    return type.isUnsigned() && type.size < 8;
  };
  if (mayWrap(expr->type))
    return std::nullopt;
  // Where all lanes run an iteration, all of their counters are below its end.
  auto isCounter = [&](const Expr &part) {
    return part.kind == ExprKind::VarRef &&
           llvm::any_of(advances, [&](const auto &advance) {
             return advance.first->init->var == part.var;
           });
  };
  if (expr->kind == ExprKind::Cast) {
    const Expr &inner = *expr->operands[0];
    const Type &from = inner.type;
    const bool keeps =
        from.isScalar() && from.isInteger() && from.size <= expr->type.size &&
        (!mayWrap(from) || (from.size < expr->type.size && isCounter(inner)));
    return keeps ? laneStepOf(expr->operands[0]) : std::nullopt;
  }
  if (expr->kind != ExprKind::Binary ||
      (expr->op != Op::Add && expr->op != Op::Sub))
    return std::nullopt;
  const std::optional<int64_t> left = laneStepOf(expr->operands[0]),
                               right = laneStepOf(expr->operands[1]);
  if (!left || !right)
    return std::nullopt;
  return expr->op == Op::Add ? *left + *right : *left - *right;
}

std::optional<int64_t> Divergence::laneStepOfCell(const Expr &lvalue,
                                                  unsigned array) const {
  if (lvalue.kind != ExprKind::Subscript ||
      !lvalue.operands[0]->type.isPointer() ||
      (ofExpr(lvalue.operands[0]) & LaneBit) ||
      model.arrays[array].elementBytes != lvalue.type.size)
    return std::nullopt;
  return laneStepOf(lvalue.operands[1]);
}

/// A variable advances when every read of it in the region has a known value
/// with one and the same lane coefficient.
void Divergence::findLaneStrides(const ScheduleNode &region,
                                 const Guards &guards) {
  std::map<const Variable *, std::optional<Polynomial>> found;
  std::set<const Variable *> unknown, counters;
  for (const auto &[loop, distance] : advances) {
    found.emplace(loop->init->var, Polynomial(distance));
    counters.insert(loop->init->var);
  }
  auto visit = [&](const ExprRef &expr) {
    if (expr->kind != ExprKind::VarRef || !expr->var ||
        (!expr->var->type.isInteger() && !expr->var->type.isPointer()) ||
        !(ofVariable(expr->var).mask & LaneBit))
      return;
    if (counters.count(expr->var))
      return;
    std::optional<Polynomial> laneStride;
    if (auto it = model.values.find(expr.get()); it != model.values.end())
      laneStride = laneStrideOf(it->second);
    else if (auto p = model.pointers.find(expr.get());
             p != model.pointers.end())
      laneStride = laneStrideOf(expr->var->type, p->second);
    else if (model.writes.count(expr.get()) && !model.reads.count(expr.get()))
      return; // A write says nothing; its reads do.
    if (!laneStride) {
      unknown.insert(expr->var);
      return;
    }
    auto [it, isNew] = found.emplace(expr->var, laneStride);
    if (!isNew && *it->second != *laneStride)
      unknown.insert(expr->var);
  };
  for (unsigned index : statementsBelow(region)) {
    const Stmt *stmt = model.statements[index].stmt;
    if (!stmt)
      continue;
    forEachExpr(StmtRef(StmtRef(), stmt), visit);
    // A variable that nobody reads advances as its initializer does.
    if (stmt->kind != StmtKind::Decl || !stmt->expr)
      continue;
    std::optional<Polynomial> laneStride;
    auto pointer = model.pointers.find(stmt->expr.get());
    auto value = model.values.find(stmt->expr.get());
    if (stmt->var->type.isPointer() && pointer != model.pointers.end())
      laneStride = laneStrideOf(stmt->var->type, pointer->second);
    else if (stmt->var->type.isInteger() && value != model.values.end())
      laneStride = laneStrideOf(value->second);
    if (laneStride)
      found.emplace(stmt->var, laneStride);
  }
  for (const ReductionAccumulator &partial : kernel.partials)
    unknown.insert(model.arrays[partial.array].var);
  // What lane 0 does not assign says nothing of the others.
  for (const auto &[index, symbols] : guards)
    if (ofSymbols(symbols) & LaneBit)
      for (unsigned id : model.statements[index].accesses)
        if (model.accesses[id].isWrite &&
            !sheltered.count(model.arrays[model.accesses[id].array].var))
          unknown.insert(model.arrays[model.accesses[id].array].var);
  for (auto &[variable, laneStride] : found)
    if (!unknown.count(variable) && !variable->addressTaken)
      variables[variable].laneStride = laneStride;
}

std::vector<std::pair<const Array *, DivergenceMask>>
groupDivergence(const TransformedKernel &kernel, AddressSpace space) {
  DivergenceMask points = 0;
  for (unsigned d = 0; d < 3; ++d)
    if (kernel.work[d].points > 1)
      points |= 1u << d;
  Divergence divergence(kernel, kernel.tree, LaneAxis(), points);
  std::vector<std::pair<const Array *, DivergenceMask>> result;
  for (const Array &array : kernel.model->arrays)
    if (array.space == space && array.var)
      result.emplace_back(&array,
                          divergence.ofVariable(array.var).mask & points);
  return result;
}

std::vector<std::pair<const Variable *, DivergenceMask>>
variedLocals(const TransformedKernel &kernel) {
  std::vector<std::pair<const Variable *, DivergenceMask>> result;
  for (const auto &[array, mask] : groupDivergence(kernel, AddressSpace::Local))
    if (mask)
      result.emplace_back(array->var, mask);
  return result;
}

uint64_t mergedCopies(const TransformedKernel &kernel, DivergenceMask mask) {
  uint64_t copies = 1;
  for (unsigned d = 0; d < 3; ++d)
    if (mask & (1u << d))
      copies *= kernel.work[d].points;
  return copies;
}

} // namespace clopt
