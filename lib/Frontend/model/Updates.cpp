//===- Updates.cpp - updates within expressions ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the value of an update is, is what the variable has before it (`k++`) or
// after it (`++k`, `k = e`), so that the update goes behind or ahead of its
// statement, and a read of the variable stays. Updates in one side of `?:`,
// behind `&&`, `||` and commas stay where they are.
//
// Tested by test/unit/UpdatesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/Updates.h"

#include "Frontend/model/LoopHeads.h"
#include "Frontend/model/ModelBuilderImpl.h"
#include "Model/MakeTree.h"

namespace clopt {

ExprRef asSum(const ExprRef &step) {
  if (step->kind != ExprKind::Unary || !isStep(step->op) ||
      step->operands[0]->kind != ExprKind::VarRef || !step->type.isScalar() ||
      !step->type.isInteger() || step->type.scalar == ScalarKind::Bool)
    return step;
  auto sum = std::make_shared<Expr>(*step);
  sum->kind = ExprKind::Assign;
  sum->op = isIncrement(step->op) ? Op::Add : Op::Sub;
  sum->computeType =
      step->type.size < 4 ? Type::makeScalar(ScalarKind::Int) : step->type;
  auto one = std::make_shared<Expr>(*makeLiteral(1, sum->computeType));
  one->implicit = true;
  sum->operands.push_back(one);
  return sum;
}

namespace {

using Statements = std::vector<StmtRef>;

/// The parts of one statement: what happens ahead of it, and behind.
class Separation {
public:
  explicit Separation(const StmtRef &statement) : stmt(*statement) {}
  /// The expression without its updates.
  ExprRef run();
  Statements before, after;

private:
  ExprRef withoutUpdates(const ExprRef &expr);
  bool mayLeave(const Expr &update) const;
  StmtRef statementOf(const ExprRef &update) const;

  const Stmt &stmt;
};

class UpdateSeparator {
public:
  StmtRef visit(const StmtRef &stmt);
  bool isChanged = false;

private:
  void visit(const StmtRef &stmt, Statements &out);
  void separate(const StmtRef &stmt, Statements &out);
};

} // namespace

StmtRef Separation::statementOf(const ExprRef &update) const {
  auto result = std::make_shared<Stmt>();
  result->kind = StmtKind::Expr;
  result->range = update->range.isEditable() ? update->range : stmt.range;
  result->expr = asSum(update);
  return result;
}

/// True when nothing else in the statement can tell when the update happens.
bool Separation::mayLeave(const Expr &update) const {
  const ExprRef &target = update.operands[0];
  const Variable *variable = target->var;
  const bool isNumber =
      target->type.isScalar() && target->type.scalar != ScalarKind::Bool;
  if (target->kind != ExprKind::VarRef || target->type.isVolatile ||
      !(isNumber || target->type.isPointer()) ||
      variable->space != AddressSpace::Private || variable->isFileScope ||
      variable->addressTaken)
    return false;
  size_t mentioned = 0;
  forEachExpr(stmt.expr, [&](const ExprRef &part) {
    mentioned += part->kind == ExprKind::VarRef && part->var == variable;
  });
  return mentioned == 1 && (update.kind == ExprKind::Unary ||
                            isSideEffectFree(update.operands[1]));
}

ExprRef Separation::withoutUpdates(const ExprRef &expr) {
  // What runs whenever the whole does.
  size_t certain = expr->operands.size();
  if (expr->kind == ExprKind::Conditional || expr->op == Op::LAnd ||
      expr->op == Op::LOr)
    certain = 1;
  else if (expr->kind == ExprKind::Opaque || expr->op == Op::Comma)
    certain = 0;
  std::shared_ptr<Expr> changed;
  for (size_t i = 0; i < certain; ++i) {
    const ExprRef &operand = expr->operands[i];
    ExprRef plain = operand ? withoutUpdates(operand) : operand;
    if (plain == operand)
      continue;
    if (!changed)
      changed = std::make_shared<Expr>(*expr);
    changed->operands[i] = plain;
  }
  const ExprRef result = changed ? changed : expr;
  const bool isUsed = stmt.kind == StmtKind::Decl || expr != stmt.expr;
  if (!isUsed || !changesTarget(*result) || !mayLeave(*result))
    return result;
  const bool isLater = result->op == Op::PostInc || result->op == Op::PostDec;
  (isLater ? after : before).push_back(statementOf(result));
  // Nodes stand for what they do, so none stands twice.
  return std::make_shared<Expr>(*result->operands[0]);
}

ExprRef Separation::run() { return withoutUpdates(stmt.expr); }

void UpdateSeparator::separate(const StmtRef &stmt, Statements &out) {
  Separation parts(stmt);
  ExprRef plain = stmt->expr ? parts.run() : nullptr;
  if (plain == stmt->expr) {
    out.push_back(stmt);
    return;
  }
  isChanged = true;
  auto rest = std::make_shared<Stmt>(*stmt);
  rest->expr = plain;
  out.insert(out.end(), parts.before.begin(), parts.before.end());
  out.push_back(rest);
  out.insert(out.end(), parts.after.begin(), parts.after.end());
}

void UpdateSeparator::visit(const StmtRef &stmt, Statements &out) {
  const bool isPlain =
      stmt && (stmt->kind == StmtKind::Expr || stmt->kind == StmtKind::Decl);
  if (isPlain)
    separate(stmt, out);
  else
    out.push_back(visit(stmt));
}

/// The statement with its parts apart; as one where it has become several.
StmtRef UpdateSeparator::visit(const StmtRef &stmt) {
  if (!stmt)
    return stmt;
  auto nested = [this](const StmtRef &body) {
    Statements parts;
    visit(body, parts);
    return parts.size() == 1 ? parts.front()
                             : makeBlock(body->range, std::move(parts));
  };
  auto result = std::make_shared<Stmt>(*stmt);
  switch (stmt->kind) {
  case StmtKind::Block:
    result->children.clear();
    for (const StmtRef &child : stmt->children)
      visit(child, result->children);
    return result;
  case StmtKind::If:
    result->body = nested(stmt->body);
    result->elseBody = nested(stmt->elseBody);
    return result;
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::Do:
    result->body = nested(stmt->body);
    // The last update may be what the loop counts with.
    return withPlainHead(result);
  default:
    return stmt;
  }
}

void separateUpdates(Function &function) {
  if (function.hasGoto || !function.body)
    return;
  UpdateSeparator separator;
  StmtRef body = separator.visit(function.body);
  if (!separator.isChanged)
    return;
  replaceBody(function, body);
}

} // namespace clopt
