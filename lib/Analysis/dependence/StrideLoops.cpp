//===- StrideLoops.cpp - sums over every n-th element ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about the tree alone: the model has no value for the variable of
// such a loop, because a product of an iterator and the size of the launch is
// no affine expression.
//
// Tested by test/unit/StrideLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/StrideLoops.h"

#include "Analysis/dependence/CooperativeReductions.h"

#include <algorithm>

namespace clopt {

/// The private variable that an lvalue is a part of, or null.
static const Variable *privateTarget(const Expr &lvalue) {
  const Variable *variable = rootVariable(&lvalue);
  const bool isPrivate = variable && !variable->isFileScope &&
                         variable->space == AddressSpace::Private;
  return isPrivate ? variable : nullptr;
}

std::map<const Variable *, unsigned> assignmentsIn(const StmtRef &stmt) {
  std::map<const Variable *, unsigned> counts;
  forEachStmt(stmt, [&](const StmtRef &inner) {
    if (inner->kind == StmtKind::Decl && inner->expr)
      ++counts[inner->var];
  });
  forEachExpr(stmt, [&](const ExprRef &expr) {
    if (changesTarget(*expr))
      if (const Variable *target = privateTarget(*expr->operands[0]))
        ++counts[target];
  });
  return counts;
}

//===-- The head of a loop ------------------------------------------------===//

/// Private scalars, sizes and ids, and arithmetic on them.
static bool isPlainValue(const ExprRef &expr) {
  bool isPlain = true;
  forEachExpr(expr, [&](const ExprRef &part) {
    switch (part->kind) {
    case ExprKind::IntLiteral:
    case ExprKind::WorkItem:
    case ExprKind::Conditional:
      break;
    case ExprKind::Cast:
      isPlain &= part->type.isScalar();
      break;
    case ExprKind::VarRef:
      isPlain &= part->type.isScalar() && !part->var->addressTaken &&
                 !part->type.isVolatile &&
                 part->var->space == AddressSpace::Private &&
                 !part->var->isFileScope;
      break;
    case ExprKind::Unary:
      isPlain &= part->op == Op::Neg || part->op == Op::Plus ||
                 part->op == Op::Not || part->op == Op::LNot;
      break;
    case ExprKind::Binary:
      isPlain &= part->op != Op::Comma;
      break;
    default:
      isPlain = false;
    }
  });
  return isPlain;
}

static bool mentionsAny(const ExprRef &expr,
                        const std::map<const Variable *, unsigned> &variables,
                        const Variable *other) {
  bool found = false;
  forEachExpr(expr, [&](const ExprRef &part) {
    found |= part->kind == ExprKind::VarRef &&
             (variables.count(part->var) || part->var == other);
  });
  return found;
}

/// `i += step`, `i = i + step` or `i = step + i`.
static ExprRef readStep(const ExprRef &inc, const Variable *&variable) {
  if (!inc || inc->kind != ExprKind::Assign ||
      inc->operands[0]->kind != ExprKind::VarRef)
    return nullptr;
  variable = inc->operands[0]->var;
  if (inc->op == Op::Add)
    return inc->operands[1];
  const Expr *value = withoutCasts(inc->operands[1].get());
  bool isSum = inc->op == Op::None && value->kind == ExprKind::Binary &&
               value->op == Op::Add;
  if (!isSum)
    return nullptr;
  for (unsigned side : {0u, 1u})
    if (isVariable(value->operands[side], variable))
      return value->operands[1 - side];
  return nullptr;
}

static bool readInit(const StmtRef &init, StrideLoop &loop) {
  if (!init || init->kind == StmtKind::Null)
    return true;
  if (init->kind == StmtKind::Decl && init->var == loop.var && init->expr) {
    loop.first = init->expr;
    loop.isOwn = true;
    return true;
  }
  bool isSet = init->kind == StmtKind::Expr &&
               init->expr->kind == ExprKind::Assign &&
               init->expr->op == Op::None &&
               init->expr->operands[0]->kind == ExprKind::VarRef &&
               init->expr->operands[0]->var == loop.var;
  if (isSet)
    loop.first = init->expr->operands[1];
  return isSet;
}

static bool readBound(const ExprRef &condition, StrideLoop &loop) {
  if (!condition)
    return false;
  const Expr *at = withoutCasts(condition.get());
  if (at->kind != ExprKind::Binary || (at->op != Op::Lt && at->op != Op::Gt))
    return false;
  const unsigned side = at->op == Op::Lt ? 0 : 1;
  loop.bound = at->operands[1 - side];
  return isVariable(at->operands[side], loop.var) &&
         at->operands[side]->type.scalar == loop.var->type.scalar &&
         loop.bound->type.isScalar() &&
         loop.bound->type.scalar == loop.var->type.scalar;
}

const Variable *memoryOf(const Expr &lvalue) {
  const Expr *at = &lvalue;
  while (at->kind != ExprKind::VarRef) {
    const bool isPart =
        at->kind == ExprKind::Swizzle || at->kind == ExprKind::Cast ||
        at->kind == ExprKind::Member || at->kind == ExprKind::Subscript;
    if (!isPart)
      return nullptr;
    const bool follows = at->operands[0]->type.isPointer();
    at = at->operands[0].get();
    if (follows && belowCasts(at)->kind != ExprKind::VarRef)
      return nullptr;
  }
  const Variable *var = at->var;
  const bool isLocalArray =
      var->type.isArray() && var->space == AddressSpace::Local;
  const bool isPointer = var->type.isPointer() &&
                         var->type.space != AddressSpace::Private &&
                         var->space == AddressSpace::Private;
  return (isPointer || isLocalArray) && !var->addressTaken && !var->isFileScope
             ? var
             : nullptr;
}

const Variable *loadedFrom(const Expr &load) {
  const Expr *at = &load;
  if (isVectorLoad(load)) {
    at = belowCasts(load.operands[1].get());
    if (at->kind == ExprKind::Unary && at->op == Op::AddrOf)
      at = at->operands[0].get();
  } else if (load.kind != ExprKind::Subscript &&
             load.kind != ExprKind::Member) {
    return nullptr;
  }
  const Variable *base = memoryOf(*at);
  return base && base->type.isPointer() ? base : nullptr;
}

bool liesApart(const KernelModel &model, const Variable &a, const Variable &b) {
  auto spaceOf = [](const Variable &var) {
    return var.type.isPointer() ? var.type.space : var.space;
  };
  const AddressSpace first = spaceOf(a), second = spaceOf(b);
  if (first == AddressSpace::Generic || second == AddressSpace::Generic ||
      &a == &b)
    return false;
  if (first != second)
    return true;
  // Pointers that the kernel sets are private variables, which say nothing of
  // what they point to.
  std::optional<unsigned> one, other;
  for (unsigned index = 0; index < model.arrays.size(); ++index) {
    const Array &array = model.arrays[index];
    one = array.var == &a && array.space == first ? index : one;
    other = array.var == &b && array.space == second ? index : other;
  }
  return one && other && areDisjoint(model, *one, *other);
}

/// Nothing changes but private variables and cells of memory that is known,
/// and every iteration runs to its end.
static bool isPlainBody(const StmtRef &body,
                        std::set<const Variable *> &written) {
  bool isFine = true;
  forEachStmt(body, [&](const StmtRef &stmt) {
    switch (stmt->kind) {
    case StmtKind::Block:
    case StmtKind::Group:
    case StmtKind::Decl:
    case StmtKind::Expr:
    case StmtKind::If:
    case StmtKind::For:
    case StmtKind::Null:
      break;
    default:
      isFine = false;
    }
  });
  forEachExpr(body, [&](const ExprRef &expr) {
    if (changesTarget(*expr) && !privateTarget(*expr->operands[0])) {
      const Variable *memory = memoryOf(*expr->operands[0]);
      isFine &= memory != nullptr;
      written.insert(memory);
    }
    bool calls = expr->kind == ExprKind::Call &&
                 expr->effect != CallEffect::Pure &&
                 expr->effect != CallEffect::ReadsArgs;
    isFine &= !calls && expr->kind != ExprKind::Opaque &&
              !expr->type.isVolatile &&
              (expr->op != Op::AddrOf || memoryOf(*expr->operands[0]));
  });
  return isFine;
}

std::optional<StrideLoop> readStrideLoop(const Stmt &stmt) {
  StrideLoop loop;
  if (stmt.kind != StmtKind::For || !stmt.body)
    return std::nullopt;
  loop.step = readStep(stmt.inc, loop.var);
  if (!loop.step || !isCounter(loop.var->type) || loop.var->addressTaken ||
      loop.var->isFileScope || loop.var->space != AddressSpace::Private ||
      !readInit(stmt.init, loop) || !readBound(stmt.expr, loop))
    return std::nullopt;
  bool isUsable = isCounter(loop.step->type) && isPlainValue(loop.step) &&
                  isPlainValue(loop.bound) &&
                  isPlainBody(stmt.body, loop.written);
  if (!isUsable)
    return std::nullopt;
  std::map<const Variable *, unsigned> changed = assignmentsIn(stmt.body);
  for (const Variable *memory : loop.written)
    if (changed.count(memory))
      return std::nullopt;
  if (changed.count(loop.var) || mentionsAny(loop.step, changed, loop.var) ||
      mentionsAny(loop.bound, changed, loop.var))
    return std::nullopt;
  return loop;
}

std::vector<std::pair<std::string, unsigned>>
strideLoops(const KernelModel &model) {
  std::set<std::string> taken;
  std::set<unsigned> counted;
  for (const auto &[name, statement] : dataDependentLoops(model)) {
    taken.insert(name);
    counted.insert(statement);
  }
  return namedLoops(model, std::move(taken),
                    [&](unsigned statement) -> const Variable * {
                      if (counted.count(statement))
                        return nullptr;
                      std::optional<StrideLoop> loop =
                          readStrideLoop(*model.statements[statement].stmt);
                      return loop ? loop->var : nullptr;
                    });
}

//===-- Work-items of a group ---------------------------------------------===//

/// The value of a variable that is declared with it and assigned so often.
ExprRef GroupValues::onlyValue(const Variable *var,
                               unsigned assignments) const {
  auto count = counts.find(var);
  if (count == counts.end() || count->second != assignments || var->isParam ||
      var->addressTaken || var->isFileScope ||
      var->space != AddressSpace::Private || !var->type.isScalar())
    return nullptr;
  ExprRef value;
  forEachStmt(kernel.body, [&](const StmtRef &stmt) {
    if (stmt->kind == StmtKind::Decl && stmt->var == var)
      value = stmt->expr;
  });
  return value;
}

static GroupValue ofQuery(const Expr &expr) {
  switch (expr.query) {
  case WorkItemQuery::GlobalId:
  case WorkItemQuery::LocalId:
    return expr.dim == 0 ? GroupValue::Position : GroupValue::Other;
  case WorkItemQuery::GlobalLinearId:
  case WorkItemQuery::LocalLinearId:
    return GroupValue::Other;
  default:
    return GroupValue::Same;
  }
}

GroupValue GroupValues::of(const ExprRef &expr, uint64_t bytes) const {
  if (!expr || !expr->type.isScalar() || !expr->type.isInteger())
    return GroupValue::Other;
  // Fewer bits would wrap between two work-items.
  auto keeps = [&](GroupValue value) {
    bool isCut = value == GroupValue::Position && expr->type.size < bytes;
    return isCut ? GroupValue::Other : value;
  };
  switch (expr->kind) {
  case ExprKind::IntLiteral:
    return GroupValue::Same;
  case ExprKind::WorkItem:
    return ofQuery(*expr);
  case ExprKind::VarRef:
    if (positions.count(expr->var))
      return keeps(GroupValue::Position);
    if (expr->var->isParam)
      return counts.count(expr->var) ? GroupValue::Other : GroupValue::Same;
    return keeps(of(onlyValue(expr->var, 1), bytes));
  case ExprKind::Cast:
    return keeps(of(expr->operands[0], bytes));
  case ExprKind::Unary:
    return expr->op < Op::Deref &&
                   of(expr->operands[0], bytes) == GroupValue::Same
               ? GroupValue::Same
               : GroupValue::Other;
  case ExprKind::Binary: {
    GroupValue left = of(expr->operands[0], bytes);
    GroupValue right = of(expr->operands[1], bytes);
    if (left == GroupValue::Same && right == GroupValue::Same)
      return GroupValue::Same;
    bool isSum = left == GroupValue::Position && right == GroupValue::Same &&
                 (expr->op == Op::Add || expr->op == Op::Sub);
    isSum |= left == GroupValue::Same && right == GroupValue::Position &&
             expr->op == Op::Add;
    return keeps(isSum ? GroupValue::Position : GroupValue::Other);
  }
  case ExprKind::Conditional:
    for (const ExprRef &operand : expr->operands)
      if (of(operand, bytes) != GroupValue::Same)
        return GroupValue::Other;
    return GroupValue::Same;
  default:
    return GroupValue::Other;
  }
}

GroupValue GroupValues::ofFirst(const StrideLoop &loop) const {
  // Without a first value: what it is declared with, and the loop's own step.
  ExprRef first = loop.first ? loop.first : onlyValue(loop.var, 2);
  return of(first, loop.var->type.size);
}

ExprRef GroupValues::atEntry(const ExprRef &expr) const {
  if (!expr || !expr->type.isScalar() || !expr->type.isInteger())
    return nullptr;
  if (expr->kind == ExprKind::IntLiteral)
    return expr;
  if (expr->kind == ExprKind::WorkItem)
    return ofQuery(*expr) == GroupValue::Same &&
                   expr->query != WorkItemQuery::GroupId
               ? expr
               : nullptr;
  if (expr->kind == ExprKind::VarRef && expr->var->isParam)
    return counts.count(expr->var) ? nullptr : expr;
  auto copy = std::make_shared<Expr>(*expr);
  if (expr->kind == ExprKind::VarRef) {
    ExprRef value = atEntry(onlyValue(expr->var, 1));
    if (!value)
      return nullptr;
    // The value as the variable holds it.
    copy->kind = ExprKind::Cast;
    copy->var = nullptr;
    copy->implicit = false;
    copy->type.isConst = false;
    copy->operands = {value};
    return copy;
  }
  if (!isPlainValue(expr))
    return nullptr;
  for (ExprRef &operand : copy->operands) {
    operand = atEntry(operand);
    if (!operand)
      return nullptr;
  }
  return copy;
}

std::optional<StrideLimits> limitsAtEntry(const Function &kernel,
                                          const StrideLoop &loop) {
  const GroupValues values(kernel);
  const StrideLimits limits = {values.atEntry(loop.bound),
                               values.atEntry(loop.step)};
  bool isSafe = limits.bound && limits.step;
  for (const ExprRef &expr : {limits.bound, limits.step})
    forEachExpr(expr, [&](const ExprRef &part) {
      isSafe &= part->op != Op::Div && part->op != Op::Rem;
    });
  return isSafe ? std::optional(limits) : std::nullopt;
}

//===-- Control -----------------------------------------------------------===//

static bool standsIn(const StmtRef &list, const Stmt &stmt) {
  if (list.get() == &stmt)
    return true;
  bool isList = list->kind == StmtKind::Block || list->kind == StmtKind::Group;
  return isList && std::any_of(list->children.begin(), list->children.end(),
                               [&](const StmtRef &child) {
                                 return child && standsIn(child, stmt);
                               });
}

bool isRunByAll(const Function &kernel, const Stmt &stmt) {
  bool mayLeave = kernel.hasGoto;
  forEachStmt(kernel.body, [&](const StmtRef &each) {
    mayLeave |= each->kind == StmtKind::Return ||
                each->kind == StmtKind::Opaque ||
                each->kind == StmtKind::Switch;
  });
  return !mayLeave && standsIn(kernel.body, stmt);
}

} // namespace clopt
