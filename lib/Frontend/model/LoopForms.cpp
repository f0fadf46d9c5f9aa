//===- LoopForms.cpp - loops with geometric steps -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rewriting of the tree alone. Values stay between 0 and 2^31, where
// all integer types of OpenCL C with 32 bits or more agree.
//
// Reference: R. Allen, K. Kennedy: Optimizing Compilers for Modern
// Architectures, chapter 4 (normalization of loops).
//
// Tested by test/unit/LoopFormsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/LoopForms.h"

#include "Frontend/model/ModelBuilderImpl.h"

#include <optional>
#include <vector>

namespace clopt {

/// More iterations, or larger ones, stay a loop.
static constexpr unsigned maxCopies = 16;
static constexpr size_t maxExpressions = 250;

static size_t countExpressions(const StmtRef &stmt) {
  size_t count = 0;
  forEachExpr(stmt, [&](const ExprRef &) { ++count; });
  return count;
}

namespace {

/// One loop, and the value of its variable.
class GeometricLoop {
public:
  GeometricLoop(const StmtRef &stmt, const unsigned (&sizes)[3])
      : loop(*stmt), original(stmt), localSize(sizes) {}
  StmtRef write();

private:
  bool findVariable();
  bool isGeometric() const;
  std::optional<int64_t> evaluate(const ExprRef &expr) const;
  std::optional<int64_t> binary(Op op, int64_t left, int64_t right) const;
  std::optional<int64_t> next() const;
  ExprRef literal() const;
  ExprRef copy(const ExprRef &expr) const;
  StmtRef copy(const StmtRef &stmt) const;
  bool isSmall(size_t copies) const;

  const Stmt &loop;
  StmtRef original;
  const unsigned (&localSize)[3];
  const Variable *variable = nullptr;
  ExprRef first;
  bool isOwn = false; ///< declared by the loop
  std::optional<int64_t> value;
};

} // namespace

std::optional<int64_t> GeometricLoop::binary(Op op, int64_t left,
                                             int64_t right) const {
  switch (op) {
  case Op::Add:
    return left + right;
  case Op::Sub:
    return left - right;
  case Op::Mul:
    return left * right;
  case Op::Div:
    return right ? std::optional<int64_t>(left / right) : std::nullopt;
  case Op::Shl:
    return right < 31 ? std::optional<int64_t>(left << right) : std::nullopt;
  case Op::Shr:
    return right < 31 ? std::optional<int64_t>(left >> right) : std::nullopt;
  case Op::Lt:
    return left < right;
  case Op::Le:
    return left <= right;
  case Op::Gt:
    return left > right;
  case Op::Ge:
    return left >= right;
  case Op::Eq:
    return left == right;
  case Op::Ne:
    return left != right;
  default:
    return std::nullopt;
  }
}

/// The value, if it and all it is made of are known and not negative.
std::optional<int64_t> GeometricLoop::evaluate(const ExprRef &expr) const {
  const int64_t Limit = int64_t(1) << 31;
  std::optional<int64_t> result;
  if (!expr || !expr->type.isScalar() || !expr->type.isInteger())
    return result;
  if (expr->kind == ExprKind::IntLiteral) {
    result = expr->intValue;
  } else if (expr->kind == ExprKind::VarRef && expr->var == variable) {
    result = value;
  } else if (expr->kind == ExprKind::Cast && expr->type.size >= 4) {
    result = evaluate(expr->operands[0]);
  } else if (expr->kind == ExprKind::WorkItem &&
             expr->query == WorkItemQuery::LocalSize && expr->dim < 3 &&
             localSize[expr->dim]) {
    result = localSize[expr->dim];
  } else if (expr->kind == ExprKind::Binary) {
    std::optional<int64_t> left = evaluate(expr->operands[0]);
    std::optional<int64_t> right = evaluate(expr->operands[1]);
    if (left && right)
      result = binary(expr->op, *left, *right);
  }
  if (result && (*result < 0 || *result >= Limit))
    result.reset();
  return result;
}

/// The variable of the increment, and the value it begins with.
bool GeometricLoop::findVariable() {
  if (!loop.init || !loop.expr || !loop.inc || !loop.body ||
      loop.inc->kind != ExprKind::Assign ||
      loop.inc->operands[0]->kind != ExprKind::VarRef)
    return false;
  variable = loop.inc->operands[0]->var;
  const Stmt *init = loop.init.get();
  while ((init->kind == StmtKind::Group || init->kind == StmtKind::Block) &&
         init->children.size() == 1)
    init = init->children.front().get();
  if (init->kind == StmtKind::Decl && init->var == variable) {
    first = init->expr;
    isOwn = true;
  } else if (init->kind == StmtKind::Expr &&
             init->expr->kind == ExprKind::Assign &&
             init->expr->op == Op::None &&
             init->expr->operands[0]->kind == ExprKind::VarRef &&
             init->expr->operands[0]->var == variable) {
    first = init->expr->operands[1];
  }
  const Type &type = variable->type;
  return first && type.isScalar() && type.isInteger() && type.size >= 4 &&
         !variable->addressTaken && !variable->isFileScope;
}

/// True for steps by a factor; loops with other steps are loops of the model.
bool GeometricLoop::isGeometric() const {
  auto isFactor = [](Op op) {
    return op == Op::Shl || op == Op::Shr || op == Op::Mul || op == Op::Div;
  };
  if (loop.inc->op != Op::None)
    return isFactor(loop.inc->op);
  const Expr *value = stripCasts(loop.inc->operands[1].get());
  return value->kind == ExprKind::Binary && isFactor(value->op) &&
         mentions(value->operands[0], variable) !=
             mentions(value->operands[1], variable);
}

std::optional<int64_t> GeometricLoop::next() const {
  const int64_t Limit = int64_t(1) << 31;
  std::optional<int64_t> right = evaluate(loop.inc->operands[1]);
  if (!right || loop.inc->op == Op::None)
    return right;
  std::optional<int64_t> result = binary(loop.inc->op, *value, *right);
  return result && *result >= 0 && *result < Limit ? result : std::nullopt;
}

ExprRef GeometricLoop::literal() const {
  auto result = std::make_shared<Expr>();
  result->kind = ExprKind::IntLiteral;
  result->type = variable->type;
  result->type.isConst = false;
  result->range = loop.range;
  result->intValue = *value;
  return result;
}

ExprRef GeometricLoop::copy(const ExprRef &expr) const {
  if (!expr)
    return expr;
  if (expr->kind == ExprKind::VarRef && expr->var == variable)
    return literal();
  auto result = std::make_shared<Expr>(*expr);
  for (ExprRef &operand : result->operands)
    operand = copy(operand);
  return result;
}

StmtRef GeometricLoop::copy(const StmtRef &stmt) const {
  if (!stmt)
    return stmt;
  auto result = std::make_shared<Stmt>(*stmt);
  for (StmtRef &child : result->children)
    child = copy(child);
  result->expr = copy(stmt->expr);
  result->inc = copy(stmt->inc);
  result->init = copy(stmt->init);
  result->body = copy(stmt->body);
  result->elseBody = copy(stmt->elseBody);
  // Bounds of inner loops may be known now.
  return writtenOut(result, localSize);
}

/// True when nothing leaves the loop or is more than its tree says, and the
/// copies are few and small.
bool GeometricLoop::isSmall(size_t copies) const {
  Leaves leaves = leavesOf(loop.body);
  bool isKnown = !leaves.byBreak && !leaves.byContinue && !leaves.byReturn &&
                 !assignedIn(loop.body).count(variable);
  forEachExpr(loop.body, [&](const ExprRef &expr) {
    isKnown &= expr->kind != ExprKind::Opaque;
  });
  forEachStmt(loop.body, [&](const StmtRef &stmt) {
    isKnown &= stmt->kind != StmtKind::Opaque && stmt->kind != StmtKind::Switch;
  });
  return isKnown && copies <= maxCopies &&
         copies * countExpressions(loop.body) <= maxExpressions;
}

StmtRef GeometricLoop::write() {
  if (!findVariable() || !isGeometric())
    return original;
  std::vector<int64_t> values;
  value = evaluate(first);
  for (;;) {
    std::optional<int64_t> goesOn = value ? evaluate(loop.expr) : std::nullopt;
    if (!goesOn)
      return original;
    if (!*goesOn)
      break;
    values.push_back(*value);
    value = next();
    if (values.size() > maxCopies)
      return original;
  }
  if (values.empty() || !isSmall(values.size()))
    return original;
  auto block = std::make_shared<Stmt>(loop);
  block->kind = StmtKind::Block;
  block->expr = block->inc = nullptr;
  block->init = block->body = nullptr;
  block->pragmas.clear();
  int64_t last = *value;
  for (int64_t each : values) {
    value = each;
    block->children.push_back(copy(loop.body));
  }
  if (countExpressions(block) > maxExpressions)
    return original;
  value = last;
  // Who looks at it afterwards finds the value that ended the loop.
  if (!isOwn) {
    auto assign = std::make_shared<Expr>(*loop.inc);
    assign->op = Op::None;
    assign->operands[1] = literal();
    auto end = std::make_shared<Stmt>();
    end->kind = StmtKind::Expr;
    end->range = loop.range;
    end->expr = assign;
    block->children.push_back(end);
  }
  return block;
}

StmtRef writtenOut(const StmtRef &loop, const unsigned (&localSize)[3]) {
  if (loop->kind != StmtKind::For)
    return loop;
  return GeometricLoop(loop, localSize).write();
}

} // namespace clopt
