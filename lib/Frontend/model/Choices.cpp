//===- Choices.cpp - conditional assignments as values --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of several assignments each asks the condition for itself, so what it names
// is kept from before them: cells of an array that changes, too, as two of them
// may be one.
//
// Tested by test/unit/ChoicesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/Choices.h"

#include "Frontend/model/ModelBuilderImpl.h"
#include "Model/MakeTree.h"

#include <llvm/ADT/STLExtras.h>

#include <set>

namespace clopt {

/// The assignment that is all of the statement, or null.
static const Expr *onlyAssignment(const StmtRef &stmt) {
  const Stmt *at = stmt.get();
  while (at && at->kind == StmtKind::Block && at->children.size() == 1)
    at = at->children[0].get();
  const bool isAssignment = at && at->kind == StmtKind::Expr &&
                            at->expr->kind == ExprKind::Assign &&
                            at->expr->op == Op::None;
  return isAssignment ? at->expr.get() : nullptr;
}

/// True when the expression loads nothing that `condition` does not.
static bool loadsOnlyWhat(const ExprRef &condition, const ExprRef &expr) {
  bool known = false;
  forEachExpr(condition, [&](const ExprRef &part) {
    known |= areSameTree(*withoutCasts(part), *withoutCasts(expr));
  });
  if (known)
    return true;
  const bool isValue =
      expr->kind != ExprKind::Subscript && expr->kind != ExprKind::Call &&
      !(expr->kind == ExprKind::Unary && expr->op == Op::Deref) &&
      !(expr->kind == ExprKind::Member && expr->arrow);
  return isValue && llvm::all_of(expr->operands, [&](const ExprRef &operand) {
           return loadsOnlyWhat(condition, operand);
         });
}

/// True when the condition loads something or not.
static bool loadsLazily(const ExprRef &condition) {
  bool found = false;
  forEachExpr(condition, [&](const ExprRef &part) {
    if (part->kind == ExprKind::Conditional || part->op == Op::LAnd ||
        part->op == Op::LOr)
      for (size_t i = 1; i < part->operands.size(); ++i)
        forEachExpr(part->operands[i], [&](const ExprRef &lazy) {
          found |= lazy->kind == ExprKind::Subscript || lazy->op == Op::Deref ||
                   lazy->kind == ExprKind::Call;
        });
  });
  return found;
}

static bool isNumber(const Type &type) {
  return type.isScalar() && (type.isFloating() || type.isInteger());
}

StmtRef asChoice(const Stmt &stmt) {
  const Expr *first = onlyAssignment(stmt.body);
  const Expr *second = onlyAssignment(stmt.elseBody);
  if (!first || !stmt.expr || (stmt.elseBody && !second) ||
      !isSideEffectFree(stmt.expr) || loadsLazily(stmt.expr))
    return nullptr;
  const ExprRef &target = first->operands[0];
  // A cell is stored to in any case only where both sides do.
  const bool isVariable =
      target->kind == ExprKind::VarRef && isOwnVariable(*target->var);
  const bool isCell = target->kind == ExprKind::Subscript && second &&
                      isSideEffectFree(target) && !target->type.isVolatile;
  if ((!isVariable && !isCell) || !isNumber(target->type) ||
      !stmt.expr->type.isScalar())
    return nullptr;
  for (const Expr *each : {first, second})
    if (each && (!areSameTree(*each->operands[0], *target) ||
                 !isSideEffectFree(each->operands[1]) ||
                 !loadsOnlyWhat(stmt.expr, each->operands[1])))
      return nullptr;
  // Either value is of the target's type, as if it stood there alone.
  const ExprRef otherwise = second ? withConversions(second->operands[1])
                                   : makeName(target->var, target->type);
  const StmtRef choice = makeStatement(makeAssign(
      target, makeConditional(target->type, stmt.expr,
                              withConversions(first->operands[1]), otherwise)));
  auto whole = std::make_shared<Stmt>(*choice);
  whole->range = stmt.range;
  return whole;
}

//===-- Several at a time -------------------------------------------------===//

namespace {

class ValueChooser {
public:
  explicit ValueChooser(Function &kernel) : function(kernel) {}
  StmtRef visit(const StmtRef &stmt);
  bool isChanged = false;

private:
  bool read(const StmtRef &stmt, const Stmt &conditional);
  bool isTarget(const Expr &target, const ExprRef &condition) const;
  bool isTemporary(const Variable *var) const;
  StmtRef choices(const Stmt &stmt);

  Function &function;
  // Of the statement that is looked at:
  std::vector<const Expr *> assignments;
  std::vector<StmtRef> parts; ///< one for each of these, and declarations
  std::set<const Variable *> changing, declared;
};

} // namespace

/// A variable of the kernel, or a cell of a private array that the condition
/// loads, and which is there for that reason.
bool ValueChooser::isTarget(const Expr &target,
                            const ExprRef &condition) const {
  if (!isNumber(target.type))
    return false;
  if (target.kind == ExprKind::VarRef)
    return isOwnVariable(*target.var) && !declared.count(target.var);
  const Variable *array = target.kind == ExprKind::Subscript
                              ? rootVariable(target.operands[0].get())
                              : nullptr;
  if (!array || !array->type.isArray() || !isOwnVariable(*array))
    return false;
  bool isLoaded = false;
  forEachExpr(condition, [&](const ExprRef &part) {
    isLoaded |= areSameTree(*part, target);
  });
  return isLoaded;
}

/// True where the value of the variable does not leave the statements that are
/// done under a condition.
bool ValueChooser::isTemporary(const Variable *var) const {
  return isNamedOnlyIn(function.body, var, [&](const Stmt &stmt) {
    return stmt.kind == StmtKind::If && !stmt.elseBody &&
           !mentions(stmt.expr, var) &&
           firstUse(stmt.body, var) == FirstUse::Assigned;
  });
}

/// What may be evaluated where the condition does not hold: a division may not.
static bool isCopy(const ExprRef &expr) {
  const Expr *plain = withoutCasts(expr.get());
  return plain->kind == ExprKind::VarRef ||
         plain->kind == ExprKind::Subscript ||
         plain->kind == ExprKind::IntLiteral ||
         plain->kind == ExprKind::FloatLiteral;
}

/// False where the statement is none of those that can be choices.
bool ValueChooser::read(const StmtRef &stmt, const Stmt &conditional) {
  const ExprRef &condition = conditional.expr;
  auto isValue = [&](const ExprRef &expr) {
    return isSideEffectFree(expr) && loadsOnlyWhat(condition, expr);
  };
  switch (stmt->kind) {
  case StmtKind::Null:
    return true;
  case StmtKind::Block:
    if (&*stmt != conditional.body.get())
      return false;
    [[fallthrough]];
  case StmtKind::Group:
    return llvm::all_of(stmt->children, [&](const StmtRef &child) {
      return read(child, conditional);
    });
  case StmtKind::Decl:
    if (!isOwnVariable(*stmt->var) || !isNumber(stmt->var->type) ||
        !stmt->expr || !isCopy(stmt->expr) || !isValue(stmt->expr))
      return false;
    declared.insert(stmt->var);
    parts.push_back(stmt);
    return true;
  case StmtKind::Expr: {
    const Expr &assign = *stmt->expr;
    if (assign.kind != ExprKind::Assign || assign.op != Op::None ||
        !isTarget(*assign.operands[0], condition) ||
        !isValue(assign.operands[1]))
      return false;
    const Variable *var = rootVariable(assign.operands[0].get());
    const bool isSnapshot = assign.operands[0]->kind == ExprKind::VarRef &&
                            !mentions(condition, var) && isTemporary(var);
    if (isSnapshot) {
      parts.push_back(stmt);
      return isCopy(assign.operands[1]);
    }
    changing.insert(var);
    assignments.push_back(&assign);
    parts.push_back(nullptr);
    return true;
  }
  default:
    return false;
  }
}

StmtRef ValueChooser::choices(const Stmt &stmt) {
  assignments.clear();
  parts.clear();
  changing.clear();
  declared.clear();
  const ExprRef &condition = stmt.expr;
  if (stmt.elseBody || !stmt.body || !condition->type.isScalar() ||
      !isSideEffectFree(condition) || loadsLazily(condition) ||
      !isOfData(condition) || !read(stmt.body, stmt) || assignments.empty())
    return nullptr;
  // Which cell it is does not change on the way.
  bool isPlain = true;
  auto checkPlaces = [&](const ExprRef &expr) {
    forEachExpr(expr, [&](const ExprRef &part) {
      if (part->kind == ExprKind::Subscript)
        for (const auto *vars : {&changing, &declared})
          for (const Variable *var : *vars)
            isPlain &= !mentions(part->operands[1], var);
      isPlain &= part->kind != ExprKind::Opaque;
    });
  };
  checkPlaces(condition);
  for (const Expr *assign : assignments)
    checkPlaces(assign->operands[0]);
  // Variables alone are chosen where the model finds that it cannot know
  // better, or done lane by lane.
  const bool hasCells = llvm::any_of(assignments, [](const Expr *assign) {
    return assign->operands[0]->kind == ExprKind::Subscript;
  });
  if (!isPlain || !hasCells)
    return nullptr;
  std::vector<StmtRef> children;
  std::vector<std::pair<ExprRef, const Variable *>> kept;
  forEachExpr(condition, [&](const ExprRef &part) {
    const bool isPlace =
        part->kind == ExprKind::Subscript || part->kind == ExprKind::VarRef;
    const Variable *root = isPlace ? rootVariable(part.get()) : nullptr;
    if (!root || !changing.count(root) || !isNumber(part->type) ||
        llvm::any_of(kept, [&](const auto &known) {
          return areSameTree(*known.first, *part);
        }))
      return;
    auto variable = std::make_shared<Variable>(*root);
    variable->name = root->name + "_before";
    variable->type = part->type;
    variable->type.isConst = false;
    function.variables.push_back(variable);
    children.push_back(makeDeclaration(variable.get(), copyOf(part)));
    kept.emplace_back(part, variable.get());
  });
  auto asBefore = [&](const ExprRef &part) -> ExprRef {
    for (const auto &[place, variable] : kept)
      if (areSameTree(*place, *part))
        return makeName(variable, variable->type);
    return nullptr;
  };
  size_t next = 0;
  for (const StmtRef &part : parts) {
    if (part) {
      children.push_back(part);
      continue;
    }
    const Expr &assign = *assignments[next++];
    const ExprRef &target = assign.operands[0];
    children.push_back(makeStatement(makeAssign(
        target,
        makeConditional(target->type, copyOf(withReplaced(condition, asBefore)),
                        withConversions(assign.operands[1]), copyOf(target)))));
  }
  for (StmtRef &child : children)
    if (!child->range.isValid()) {
      auto placed = std::make_shared<Stmt>(*child);
      placed->range = stmt.range;
      child = placed;
    }
  isChanged = true;
  auto block = std::make_shared<Stmt>(*makeBlock(std::move(children)));
  block->range = stmt.range;
  return block;
}

StmtRef ValueChooser::visit(const StmtRef &stmt) {
  if (!stmt)
    return stmt;
  auto result = std::make_shared<Stmt>(*stmt);
  for (StmtRef &child : result->children)
    child = visit(child);
  result->body = visit(stmt->body);
  result->elseBody = visit(stmt->elseBody);
  if (stmt->kind == StmtKind::If)
    if (StmtRef chosen = choices(*stmt))
      return chosen;
  return result;
}

void chooseValues(Function &function) {
  if (function.hasGoto || !function.body)
    return;
  ValueChooser chooser(function);
  const StmtRef body = chooser.visit(function.body);
  if (chooser.isChanged)
    replaceBody(function, body);
}

} // namespace clopt
