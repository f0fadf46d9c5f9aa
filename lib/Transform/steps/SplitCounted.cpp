//===- SplitCounted.cpp - shared loops with bounds that depend on data ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Such a loop is one statement of the model. Its own statements are read here:
// what goes from one iteration to another, and whether it ends as its head
// says. SplitReduction.cpp has the whole.
//
// Tested by test/unit/SplitReductionTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Splitter.h"

#include "Analysis/dependence/Dependences.h"
#include "Model/Control.h"

#include <isl/map.h>

#include <algorithm>

namespace clopt {

static unsigned mentions(const StmtRef &stmt, const Variable *variable) {
  unsigned count = 0;
  forEachExpr(stmt, [&](const ExprRef &expr) {
    count += expr->kind == ExprKind::VarRef && expr->var == variable;
  });
  return count;
}

static bool mentions(const ExprRef &expr,
                     const std::set<const Variable *> &variables) {
  bool found = false;
  forEachExpr(expr, [&](const ExprRef &each) {
    found |= each->kind == ExprKind::VarRef && variables.count(each->var);
  });
  return found;
}

/// True when every iteration begins with an assignment to the variable.
static bool isSetFirst(const StmtRef &body, const Variable *variable) {
  std::vector<StmtRef> statements = {body};
  if (body->kind == StmtKind::Block || body->kind == StmtKind::Group)
    statements = body->children;
  for (const StmtRef &stmt : statements) {
    unsigned count = mentions(stmt, variable);
    if (count == 0)
      continue;
    const ExprRef &expr = stmt->expr;
    return stmt->kind == StmtKind::Expr && expr->kind == ExprKind::Assign &&
           expr->op == Op::None && count == 1 &&
           expr->operands[0]->kind == ExprKind::VarRef &&
           expr->operands[0]->var == variable && variable->type.isScalar();
  }
  return false;
}

/// True for a body that may end the loop, or has code that is kept as text.
static bool isLeft(const StmtRef &body) {
  const Leaves leaves = leavesOf(body);
  bool found = leaves.byBreak || leaves.byReturn;
  forEachStmt(body, [&](const StmtRef &stmt) {
    found |= stmt->kind == StmtKind::Opaque ||
             stmt->kind == StmtKind::Barrier || stmt->kind == StmtKind::Switch;
  });
  return found;
}

/// True when a value of the array goes from the loop to another statement, or
/// to the loop itself when it runs again.
bool Splitter::leaves(unsigned array, bool toItself) const {
  std::vector<unsigned> accesses;
  for (const Access &access : model.accesses)
    if (access.array == array)
      accesses.push_back(access.id);
  for (const StatementFlow &flow :
       statementFlows(model, valueFlow(model, result.tree, accesses)))
    if (flow.from == shared.statement &&
        (flow.to != shared.statement || toItself))
      return true;
  return false;
}

StepResult Splitter::findCounted() {
  const Statement &statement = model.statements[shared.statement];
  const SourceRange &range = statement.stmt->range;
  std::optional<CountedLoop> loop = readCountedLoop(*statement.stmt);
  if (!loop || !statement.isCompound || statement.isOpaque)
    return refuse("clopt-non-affine-control", "the loop does not count", "",
                  range);
  if (isLeft(statement.stmt->body))
    return refuse("clopt-non-affine-control",
                  "the loop may be left early, depending on data", "", range);
  body = {statement.stmt->body};
  std::set<const Variable *> inside, written;
  forEachStmt(statement.stmt->body, [&](const StmtRef &stmt) {
    if (stmt->kind == StmtKind::Decl)
      inside.insert(stmt->var);
  });
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    const Variable *variable = model.arrays[access.array].var;
    if (!access.isWrite || access.isOrdered)
      continue;
    bool isHead = variable == loop->var;
    for (const StmtRef &other : loop->others)
      isHead |= other->var == variable;
    if (!isHead)
      written.insert(variable);
    if (isHead || inside.count(variable))
      continue;
    bool isTemporary = model.arrays[access.array].isPrivateScalar() &&
                       isSetFirst(statement.stmt->body, variable) &&
                       !leaves(access.array, false);
    if (!isTemporary)
      values.insert(access.array);
  }
  auto isChanged = [&](const Variable *variable) {
    bool found = false;
    forEachExpr(statement.stmt->body, [&](const ExprRef &expr) {
      found |= changesTarget(*expr) &&
               expr->operands[0]->kind == ExprKind::VarRef &&
               expr->operands[0]->var == variable;
    });
    return found;
  };
  for (const StmtRef &other : loop->others)
    if (isChanged(other->var) || other->var->addressTaken)
      return refuse("clopt-dependence",
                    "the value of '" + other->var->name +
                        "' goes from one iteration to the next",
                    "", range);
  if (isChanged(loop->var) || mentions(loop->bound, written) ||
      mentions(loop->bound, {loop->var}))
    return refuse("clopt-non-affine-control",
                  "the loop changes how often it runs", "", range);
  for (const Access &access : model.accesses)
    if (model.arrays[access.array].var == loop->var) {
      if (leaves(access.array, !statement.stmt->init))
        return refuse("clopt-dependence",
                      "'" + loop->var->name + "' is used after the loop", "",
                      range);
      break;
    }
  return std::nullopt;
}

} // namespace clopt
