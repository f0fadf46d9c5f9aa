//===- LoopHeads.cpp - loops that are tested ahead of their body ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rewriting of the tree alone, without regard to what is affine. Every step
// keeps the order of all evaluations:
//
//   for (;;) { if (c) break; S }    for (; !c;) S
//   for (I; d; J) { if (c) break; S }    for (I; d && !c; J) S
//   for (;;) { S if (c) break; }    do S while (!c);
//   for (I; ++k < n; J) S           for (I, ++k; k < n; J, ++k) S
//   for (I; k-- > 0; J) S           for (I, k--; k + 1 > 0; J, k--) S
//   do S while (++k < n);           do { S ++k; } while (k < n);
//   while (k < n) { S k++; }        for (; k < n; k++) S
//
// The variable is at least as wide as an `int`: k + 1 is then what k was before
// k--, where that is no undefined overflow, and wraps as it did.
//
// Reference: R. Allen, K. Kennedy: Optimizing Compilers for Modern
// Architectures, chapter 4 (normalization of loops).
//
// Tested by test/unit/LoopHeadsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/LoopHeads.h"

#include "Frontend/model/ModelBuilderImpl.h"
#include "Model/MakeTree.h"

#include <algorithm>
#include <set>

namespace clopt {

//===-- Parts of trees ----------------------------------------------------===//

static std::vector<StmtRef> childrenOf(const StmtRef &body) {
  if (!body || body->kind == StmtKind::Null)
    return {};
  return body->kind == StmtKind::Block ? body->children
                                       : std::vector<StmtRef>{body};
}

static StmtRef blockOf(std::vector<StmtRef> children, const Stmt &loop) {
  return makeBlock(loop.body ? loop.body->range : loop.range,
                   std::move(children));
}

static StmtRef statementOf(const ExprRef &expr, const Stmt &loop) {
  auto stmt = std::make_shared<Stmt>();
  stmt->kind = StmtKind::Expr;
  stmt->range = loop.range;
  stmt->expr = expr;
  return stmt;
}

static ExprRef operation(Op op, const ExprRef &left, const ExprRef &right,
                         const Type &type) {
  auto result = std::make_shared<Expr>();
  result->kind = ExprKind::Binary;
  result->op = op;
  result->type = type;
  result->type.isConst = false;
  result->operands = {left, right};
  return result;
}

static ExprRef integer(int64_t value, const Type &type) {
  auto result = std::make_shared<Expr>();
  result->kind = ExprKind::IntLiteral;
  result->type = type;
  result->type.isConst = false;
  result->intValue = value;
  return result;
}

/// True when the expression has another meaning, or none, behind the block of
/// these statements: they declare a variable of it, or its name.
static bool needsScopeOf(const std::vector<StmtRef> &children,
                         const ExprRef &expr) {
  std::set<std::string> declared;
  for (const StmtRef &child : children) {
    if (child && child->kind == StmtKind::Decl)
      declared.insert(child->var->name);
    if (child && child->kind == StmtKind::Group)
      for (const StmtRef &part : child->children)
        if (part->var)
          declared.insert(part->var->name);
  }
  bool isNeeded = false;
  forEachExpr(expr, [&](const ExprRef &part) {
    isNeeded |=
        part->kind == ExprKind::VarRef && declared.count(part->var->name) != 0;
  });
  return isNeeded;
}

//===-- Tests that end a loop from within ---------------------------------===//

/// c of `if (c) break;`, or null.
static ExprRef breakCondition(const StmtRef &stmt) {
  if (!stmt || stmt->kind != StmtKind::If || stmt->elseBody)
    return nullptr;
  std::vector<StmtRef> inner = childrenOf(stmt->body);
  return inner.size() == 1 && inner[0]->kind == StmtKind::Break ? stmt->expr
                                                                : nullptr;
}

static ExprRef opposite(const ExprRef &condition) {
  const bool comparesIntegers = condition->kind == ExprKind::Binary &&
                                isComparison(condition->op) &&
                                condition->operands[0]->type.isInteger() &&
                                condition->operands[1]->type.isInteger();
  if (!comparesIntegers)
    return negated(condition);
  auto result = std::make_shared<Expr>(*condition);
  result->op = opposite(condition->op);
  return result;
}

static bool isEndless(const Stmt &loop) {
  if (!loop.expr)
    return loop.kind == StmtKind::For;
  const Expr *test = stripCasts(loop.expr.get());
  return loop.kind != StmtKind::Do && test->kind == ExprKind::IntLiteral &&
         test->intValue != 0;
}

static bool hasBreak(const std::vector<StmtRef> &stmts) {
  return std::any_of(stmts.begin(), stmts.end(), [](const StmtRef &stmt) {
    return leavesOf(stmt).byBreak;
  });
}

/// A condition that ids, arguments and counters decide.
static bool isPlain(const ExprRef &condition) {
  return condition && isSideEffectFree(condition) && !isOfData(condition);
}

/// The test of an endless loop is where the only way out of it is. A plain one
/// that begins the iterations of another loop is a part of that loop's.
static void takeBreak(Stmt &loop) {
  std::vector<StmtRef> body = childrenOf(loop.body);
  if (body.empty())
    return;
  const ExprRef first = breakCondition(body.front());
  const bool isBoth = loop.kind != StmtKind::Do && isPlain(loop.expr) &&
                      isPlain(first) && !isEndless(loop);
  if (!isEndless(loop) && !isBoth)
    return;
  if (first) {
    body.erase(body.begin());
    if (hasBreak(body))
      return;
    loop.kind = StmtKind::For;
    loop.expr = isBoth ? makeBinary(Op::LAnd, Type::makeScalar(ScalarKind::Int),
                                    loop.expr, opposite(first))
                       : opposite(first);
    loop.body = blockOf(std::move(body), loop);
    return;
  }
  ExprRef last = breakCondition(body.back());
  if (!last || loop.init || loop.inc || leavesOf(loop.body).byContinue)
    return;
  body.pop_back();
  if (hasBreak(body) || needsScopeOf(body, last))
    return;
  loop.kind = StmtKind::Do;
  loop.expr = opposite(last);
  loop.body = blockOf(std::move(body), loop);
}

//===-- Tests with an effect ----------------------------------------------===//

/// `++k` or `k--` as the whole of a test or one side of its comparison, and the
/// only effect in it; null elsewhere.
static ExprRef updateIn(const ExprRef &test) {
  auto isUpdate = [](const Expr *expr) {
    const Type &type = expr->type;
    return expr->kind == ExprKind::Unary && isStep(expr->op) &&
           expr->operands[0]->kind == ExprKind::VarRef && type.isScalar() &&
           type.isInteger() && type.size >= 4 && !type.isVolatile;
  };
  std::vector<ExprRef> sides{test};
  if (test->kind == ExprKind::Binary && test->op != Op::Comma &&
      test->op != Op::LAnd && test->op != Op::LOr)
    sides = test->operands;
  ExprRef found;
  for (ExprRef side : sides) {
    while (side->kind == ExprKind::Cast)
      side = side->operands[0];
    if (isUpdate(side.get()))
      found = side;
  }
  if (!found)
    return nullptr;
  const Variable *variable = found->operands[0]->var;
  size_t mentioned = 0;
  bool isOnly = true;
  forEachExpr(test, [&](const ExprRef &part) {
    mentioned += part->kind == ExprKind::VarRef && part->var == variable;
  });
  for (const ExprRef &side : sides)
    isOnly &= mentions(side, variable) || isSideEffectFree(side);
  return isOnly && mentioned == 1 ? found : nullptr;
}

/// The test with `value` in place of the update.
static ExprRef replaced(const ExprRef &test, const ExprRef &update,
                        const ExprRef &value) {
  if (test == update)
    return value;
  auto result = std::make_shared<Expr>(*test);
  for (ExprRef &operand : result->operands)
    operand = replaced(operand, update, value);
  return result;
}

/// `k + 1 > 0` and `k + 1` as `k >= 0` and `k != -1`, which say the same of
/// signed numbers: k was 1 more.
static ExprRef simplified(const ExprRef &test) {
  ExprRef sum = test, bound;
  Op op = Op::Ne;
  if (test->kind == ExprKind::Binary && isComparison(test->op)) {
    sum = test->operands[0];
    bound = test->operands[1];
    op = test->op;
  }
  bool isSum = sum->kind == ExprKind::Binary &&
               (sum->op == Op::Add || sum->op == Op::Sub) &&
               !sum->type.isUnsigned() &&
               (!bound || bound->kind == ExprKind::IntLiteral);
  if (!isSum)
    return test;
  int64_t limit = (bound ? bound->intValue : 0) - (sum->op == Op::Add ? 1 : -1);
  if (limit < INT32_MIN || limit > INT32_MAX)
    return test;
  if (op == Op::Gt && limit == -1) {
    op = Op::Ge;
    limit = 0;
  }
  return operation(op, sum->operands[0], integer(limit, sum->type),
                   Type::makeScalar(ScalarKind::Int));
}

static ExprRef joined(const ExprRef &first, const ExprRef &second) {
  return first ? operation(Op::Comma, first, second, second->type) : second;
}

/// `int k = n` and `k--` as `int k = n - 1`, `k = 3` and `k--` as `k = 3, k--`;
/// null where other variables are declared, or the value is converted.
static StmtRef initWith(const Stmt &loop, const ExprRef &update) {
  const ExprRef &variable = update->operands[0];
  if (!loop.init || loop.init->kind == StmtKind::Null)
    return statementOf(update, loop);
  auto result = std::make_shared<Stmt>(*loop.init);
  bool isOwn = result->kind == StmtKind::Group && result->children.size() == 1;
  if (isOwn)
    *result = *result->children.front();
  if (result->kind == StmtKind::Expr) {
    result->expr = joined(result->expr, update);
    return result;
  }
  if (result->kind != StmtKind::Decl || result->var != variable->var ||
      !result->expr)
    return nullptr;
  // Another type would be converted behind the sum instead of ahead of it.
  const Expr *first = result->expr.get();
  while (first->kind == ExprKind::Cast && first->implicit)
    first = first->operands[0].get();
  if (first->kind != ExprKind::IntLiteral &&
      (!first->type.isScalar() || first->type.scalar != variable->type.scalar))
    return nullptr;
  bool isUp = isIncrement(update->op);
  result->expr = operation(isUp ? Op::Add : Op::Sub, result->expr,
                           integer(1, variable->type), variable->type);
  return result;
}

/// The effect of the test becomes a part of the increment, or of the body.
static void takeEffect(Stmt &loop) {
  ExprRef update =
      loop.expr && !isSideEffectFree(loop.expr) ? updateIn(loop.expr) : nullptr;
  if (!update || !loop.body)
    return;
  const ExprRef &variable = update->operands[0];
  ExprRef before = variable;
  if (update->op == Op::PostInc || update->op == Op::PostDec)
    before = operation(update->op == Op::PostInc ? Op::Sub : Op::Add, variable,
                       integer(1, variable->type), variable->type);
  ExprRef test = simplified(replaced(loop.expr, update, before));
  if (loop.kind != StmtKind::Do) {
    StmtRef init = initWith(loop, update);
    if (!init)
      return;
    loop.init = init;
    loop.inc = joined(loop.inc, update);
    loop.expr = test;
    loop.kind = StmtKind::For;
    return;
  }
  std::vector<StmtRef> body = childrenOf(loop.body);
  if (leavesOf(loop.body).byContinue || needsScopeOf(body, update))
    return;
  body.push_back(statementOf(update, loop));
  loop.body = blockOf(std::move(body), loop);
  loop.expr = test;
}

//===-- Increments --------------------------------------------------------===//

/// The last statement of a loop's body as the increment, where no `continue`
/// leads past it.
static void takeIncrement(Stmt &loop) {
  if (loop.kind == StmtKind::Do || loop.inc || !loop.expr || !loop.body ||
      loop.body->kind != StmtKind::Block || loop.body->children.empty() ||
      leavesOf(loop.body).byContinue)
    return;
  const StmtRef &last = loop.body->children.back();
  std::optional<Update> update;
  if (last && last->kind == StmtKind::Expr)
    update = updateOf(last->expr);
  if (!update || !mentions(loop.expr, update->var) ||
      needsScopeOf(loop.body->children, last->expr))
    return;
  auto body = std::make_shared<Stmt>(*loop.body);
  loop.inc = last->expr;
  body->children.pop_back();
  loop.body = body;
  loop.kind = StmtKind::For;
}

StmtRef withPlainHead(const StmtRef &loop) {
  auto result = std::make_shared<Stmt>(*loop);
  // `for (i; i < n; i++)`
  if (result->init && result->init->kind == StmtKind::Expr &&
      isSideEffectFree(result->init->expr))
    result->init = nullptr;
  takeBreak(*result);
  takeEffect(*result);
  takeIncrement(*result);
  return result;
}

} // namespace clopt
