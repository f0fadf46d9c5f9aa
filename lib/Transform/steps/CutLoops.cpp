//===- CutLoops.cpp - loops that the author has cut -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The author's tiles of a loop have no meaning without the local memory that
// they are for. The two loops become one again where everything in them is said
// by 16 * t + k: each integer with t or k in it is written anew with the new
// counter, and where one of the two is left the loops stay. That both run over
// all numbers in their order is in the form of the loops.
//
// Tested by test/unit/ForwardTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/CutLoops.h"

#include "Model/Control.h"
#include "Model/MakeTree.h"
#include "Transform/steps/PolynomialExprs.h"

#include <llvm/ADT/STLExtras.h>

#include <set>

namespace clopt {

namespace {

/// `for (int x = begin; x < end; x += step)`, where nothing else changes x.
struct CountingLoop {
  const Stmt *stmt = nullptr;
  const Variable *variable = nullptr;
  SymbolId iterator = 0;
  Polynomial start; ///< the iterator in the first iteration
  ExprRef begin, end;
  bool isInclusive = false; ///< `x <= end`
  int64_t step = 1;
  int64_t advance = 1; ///< of the iterator, from one iteration to the next
};

class CutLoops {
public:
  explicit CutLoops(const KernelModel &kernel)
      : model(kernel), assigned(assignedVariables(kernel)) {}
  std::shared_ptr<Function> run();

private:
  StmtRef visit(const StmtRef &stmt);
  std::optional<CountingLoop> counting(const Stmt *stmt) const;
  bool isFixed(const ExprRef &value) const;
  StmtRef join(const CountingLoop &outer, const CountingLoop &inner);
  int placeOf(const ExprRef &condition) const;
  StmtRef cutAtCondition(const StmtRef &loop);
  std::optional<Polynomial> valueOf(const Expr &expr) const;
  std::optional<int64_t> constantOf(const ExprRef &expr) const;
  ExprRef atFirst(const ExprRef &expr) const;
  StmtRef written(const StmtRef &stmt) const;

  const KernelModel &model;
  const std::set<const Variable *> assigned;
  CountingLoop first, second;
  int64_t length = 0; ///< iterations of the inner loop
  std::vector<std::shared_ptr<Variable>> counters; ///< that were made
  bool isJoined = false;
};

} // namespace

static bool isWide(const Type &type) {
  return type.isScalar() && type.isInteger() && type.size >= 4;
}

/// What the expression is, where nothing wraps in it.
std::optional<Polynomial> CutLoops::valueOf(const Expr &expr) const {
  const auto known = model.values.find(&expr);
  if (known != model.values.end())
    return known->second;
  if (expr.kind == ExprKind::IntLiteral)
    return Polynomial(expr.intValue);
  const bool isSum =
      expr.kind == ExprKind::Binary &&
      (expr.op == Op::Add || expr.op == Op::Sub || expr.op == Op::Mul);
  const bool isExact = expr.kind == ExprKind::Cast || isSum;
  if (!isExact || !isWide(expr.type) || expr.type.isUnsigned())
    return std::nullopt;
  std::vector<Polynomial> operands;
  for (const ExprRef &operand : expr.operands) {
    const std::optional<Polynomial> value = valueOf(*operand);
    if (!value || !isWide(operand->type) || operand->type.size > expr.type.size)
      return std::nullopt;
    operands.push_back(*value);
  }
  if (!isSum)
    return operands.front();
  Polynomial result = expr.op == Op::Add   ? operands[0] + operands[1]
                      : expr.op == Op::Sub ? operands[0] - operands[1]
                                           : operands[0] * operands[1];
  return result.overflowed() ? std::nullopt : std::optional(result);
}

std::optional<int64_t> CutLoops::constantOf(const ExprRef &expr) const {
  const std::optional<Polynomial> value =
      expr ? valueOf(*withoutCasts(expr)) : std::nullopt;
  return value ? value->asConstant() : std::nullopt;
}

/// True for what is the same wherever it stands.
bool CutLoops::isFixed(const ExprRef &value) const {
  bool isFixed = isSideEffectFree(value);
  forEachExpr(value, [&](const ExprRef &expr) {
    isFixed &= expr->kind != ExprKind::Call &&
               expr->kind != ExprKind::Subscript &&
               (expr->kind != ExprKind::VarRef || !assigned.count(expr->var));
  });
  return isFixed;
}

/// True when the head of the loop changes nothing but what it declares.
static bool countsOwn(const Stmt &loop) {
  const std::vector<const Stmt *> declared = declarationsIn(&loop);
  bool isOwn = true;
  forEachExpr(loop.inc, [&](const ExprRef &expr) {
    isOwn &=
        expr->kind != ExprKind::Call &&
        (!changesTarget(*expr) || llvm::any_of(declared, [&](const Stmt *one) {
          return one->var == rootVariable(expr->operands[0].get());
        }));
  });
  return isOwn;
}

std::optional<CountingLoop> CutLoops::counting(const Stmt *stmt) const {
  const bool isLoop = stmt && stmt->kind == StmtKind::For && stmt->inc &&
                      stmt->expr && stmt->expr->kind == ExprKind::Binary &&
                      (stmt->expr->op == Op::Lt || stmt->expr->op == Op::Le);
  const auto known = llvm::find_if(
      model.loops, [&](const Loop &loop) { return loop.stmt == stmt; });
  if (!isLoop || known == model.loops.end() || !countsOwn(*stmt))
    return std::nullopt;
  const ExprRef &counter = withoutCasts(stmt->expr->operands[0]);
  const std::vector<const Stmt *> declared = declarationsIn(stmt);
  const auto own = llvm::find_if(
      declared, [&](const Stmt *one) { return one->var == counter->var; });
  if (counter->kind != ExprKind::VarRef || own == declared.end() ||
      !(*own)->expr)
    return std::nullopt;
  const Variable *variable = counter->var;
  const std::optional<Polynomial> value = valueOf(*counter);
  const std::optional<Polynomial> factor =
      value ? value->coefficientOf(known->iterator) : std::nullopt;
  const std::optional<int64_t> each =
      factor ? factor->asConstant() : std::nullopt;
  if (!isWide(variable->type) || !each || *each < 1 || known->step < 1)
    return std::nullopt;
  const CountingLoop result = {stmt,
                               variable,
                               known->iterator,
                               known->first,
                               (*own)->expr,
                               stmt->expr->operands[1],
                               stmt->expr->op == Op::Le,
                               *each * known->step,
                               known->step};
  // A negative number is a large one where it is compared as that.
  const bool isMixed = stmt->expr->operands[0]->type.isUnsigned() &&
                       !variable->type.isUnsigned();
  const std::optional<int64_t> least = constantOf(result.begin);
  if (isMixed && (!least || *least < 0))
    return std::nullopt;
  // What is said once more has to be what it was; sums of 64 bits may pass the
  // end of their type.
  for (const ExprRef &bound : {result.begin, result.end}) {
    const Type &type = withoutCasts(bound)->type;
    if (!isFixed(bound) || !isWide(type) ||
        (type.size > 4 && !constantOf(bound)))
      return std::nullopt;
  }
  return result;
}

/// Adds the statements of the block, and of blocks in it, but for empty ones.
static void addStatements(const StmtRef &stmt, std::vector<const Stmt *> &all) {
  if (!stmt || stmt->kind == StmtKind::Null)
    return;
  if (stmt->kind != StmtKind::Block)
    return all.push_back(stmt.get());
  for (const StmtRef &child : stmt->children)
    addStatements(child, all);
}

/// The only statement, or null where there are none or several.
static const Stmt *onlyStatement(const StmtRef &stmt) {
  std::vector<const Stmt *> all;
  addStatements(stmt, all);
  return all.size() == 1 ? all.front() : nullptr;
}

static bool isZero(const ExprRef &expr) {
  return expr->kind == ExprKind::IntLiteral && expr->intValue == 0;
}

/// The sum with the outer counter as in its first iteration, or null for what
/// is more than a sum of products: the counter of both loops is what the two
/// were together, so all parts of the sum are at most what it was. Differences
/// have bits to spare.
ExprRef CutLoops::atFirst(const ExprRef &expr) const {
  const std::optional<Polynomial> value = valueOf(*expr);
  const std::optional<int64_t> number =
      value ? value->substitute(first.iterator, first.start).asConstant()
            : std::nullopt;
  if (number && *number < 0 && expr->type.isUnsigned())
    return nullptr;
  if (number)
    return makeLiteral(*number, expr->type);
  for (const Stmt *declared : declarationsIn(first.stmt)) {
    if (expr->kind != ExprKind::VarRef || expr->var != declared->var)
      continue;
    if (!declared->expr || !isFixed(declared->expr))
      return nullptr;
    const ExprRef begin = copyOf(withoutCasts(declared->expr));
    return begin->type.scalar == expr->type.scalar
               ? begin
               : makeCast(expr->type, begin);
  }
  if (expr->operands.empty())
    return expr;
  const bool isBinary = expr->kind == ExprKind::Binary;
  const bool isSum = isBinary && expr->op == Op::Add;
  const bool isProduct = isBinary && expr->op == Op::Mul;
  const bool isLess =
      isBinary && expr->op == Op::Sub &&
      (expr->type.size > 4 || expr->operands[1]->kind == ExprKind::IntLiteral);
  if (expr->kind != ExprKind::Cast && !isSum && !isProduct && !isLess)
    return nullptr;
  auto result = std::make_shared<Expr>(*expr);
  for (ExprRef &operand : result->operands)
    if (!(operand = atFirst(operand)))
      return nullptr;
  const ExprRef &left = result->operands.front();
  const ExprRef &right = result->operands.back();
  if (isSum && (isZero(left) || isZero(right)))
    return isZero(left) ? right : left;
  if (isProduct && (isZero(left) || isZero(right)))
    return makeLiteral(0, expr->type);
  return result;
}

/// The statement with the counter of both loops.
StmtRef CutLoops::written(const StmtRef &stmt) const {
  return withReplaced(stmt, [&](const ExprRef &inner) -> ExprRef {
    const std::optional<Polynomial> value =
        isWide(inner->type) ? valueOf(*inner) : std::nullopt;
    if (!value)
      return nullptr;
    const std::optional<Polynomial> byFirst =
        value->coefficientOf(first.iterator);
    const std::optional<Polynomial> bySecond =
        value->coefficientOf(second.iterator);
    const bool isJoint =
        byFirst && bySecond && !byFirst->isZero() &&
        *byFirst * Polynomial(first.advance) == *bySecond * Polynomial(length);
    const ExprRef result = isJoint ? atFirst(inner) : nullptr;
    // Names of its own: they are the new counter's.
    return result ? copyOf(result) : nullptr;
  });
}

/// The names of the variable in the statement.
static std::set<const Expr *> namesOf(const StmtRef &stmt,
                                      const Variable *variable) {
  std::set<const Expr *> names;
  forEachExpr(stmt, [&](const ExprRef &expr) {
    if (expr->kind == ExprKind::VarRef && expr->var == variable)
      names.insert(expr.get());
  });
  return names;
}

static ExprRef makeNot(const ExprRef &condition) {
  auto result = std::make_shared<Expr>(*condition);
  result->kind = ExprKind::Unary;
  result->op = Op::LNot;
  result->type = Type::makeScalar(ScalarKind::Int);
  result->operands = {copyOf(condition)};
  return result;
}

/// One loop for both, or null.
StmtRef CutLoops::join(const CountingLoop &outer, const CountingLoop &inner) {
  const std::optional<int64_t> last = constantOf(inner.end);
  const std::optional<int64_t> count =
      last ? std::optional(*last + inner.isInclusive) : std::nullopt;
  const bool isFit = inner.stmt->init->kind == StmtKind::Decl && count &&
                     *count > 1 && constantOf(inner.begin) == 0 &&
                     inner.step == 1 && inner.advance == 1 &&
                     outer.variable->type.scalar == inner.variable->type.scalar;
  if (!isFit)
    return nullptr;
  first = outer;
  second = inner;
  length = *count;
  const bool isChanged =
      llvm::any_of(declarationsIn(outer.stmt), [&](const Stmt *declared) {
        return changesIn(inner.stmt->body, declared->var);
      });
  if (isChanged || leavesOf(inner.stmt->body).any())
    return nullptr;
  const StmtRef body = written(inner.stmt->body);
  // The inner counter is the new one: its old names have left.
  const std::set<const Expr *> old = namesOf(inner.stmt->body, inner.variable);
  const bool isLeft =
      llvm::any_of(namesOf(body, inner.variable),
                   [&](const Expr *name) { return old.count(name) != 0; });
  const bool isUsed =
      llvm::any_of(declarationsIn(outer.stmt), [&](const Stmt *declared) {
        return !namesOf(body, declared->var).empty();
      });
  if (isLeft || isUsed)
    return nullptr;
  // As often as both of them together.
  const Type wide = Type::makeScalar(ScalarKind::Long);
  auto sum = [&](const ExprRef &left, Op op, int64_t number) {
    return number == (op == Op::Add ? 0 : 1)
               ? left
               : makeBinary(op, wide, left, makeNumber(number, wide));
  };
  ExprRef end = makeCast(wide, copyOf(outer.end));
  if (constantOf(outer.begin) != 0)
    end = makeBinary(Op::Sub, wide, end, makeCast(wide, copyOf(outer.begin)));
  end = sum(end, Op::Add, outer.step - !outer.isInclusive);
  end = sum(sum(end, Op::Div, outer.step), Op::Mul, length);
  auto result = std::make_shared<Stmt>(*inner.stmt);
  const ExprRef name = makeName(inner.variable, inner.variable->type);
  result->expr = makeBinary(Op::Lt, Type::makeScalar(ScalarKind::Int),
                            makeCast(wide, name, true), end);
  result->body = body;
  result->pragmas.clear(); // for loops of this length
  return cutAtCondition(result);
}

/// -1: the condition holds in the first iterations of the joined loop, 1: in
/// the last ones, 0: nobody knows. As in the loops that are joined.
int CutLoops::placeOf(const ExprRef &condition) const {
  const Expr &plain = *withoutCasts(condition);
  if (plain.kind != ExprKind::Binary ||
      (plain.op != Op::Lt && plain.op != Op::Le && plain.op != Op::Gt &&
       plain.op != Op::Ge))
    return 0;
  // What wraps is below for some iterations in between.
  if (plain.operands[0]->type.isUnsigned())
    return 0;
  const auto left = valueOf(*plain.operands[0]);
  const auto right = valueOf(*plain.operands[1]);
  const auto factor = left && right
                          ? (*left - *right).coefficientOf(second.iterator)
                          : std::nullopt;
  const auto number = factor ? factor->asConstant() : std::nullopt;
  if (!number || *number == 0)
    return 0;
  const bool isBelow = plain.op == Op::Lt || plain.op == Op::Le;
  return (*number > 0) == isBelow ? -1 : 1;
}

/// The loop as two where a condition holds in the first or the last iterations.
StmtRef CutLoops::cutAtCondition(const StmtRef &loop) {
  const Stmt *before = onlyStatement(second.stmt->body);
  const Stmt *choice = onlyStatement(loop->body);
  if (!before || before->kind != StmtKind::If || !choice->elseBody)
    return loop;
  const int place = placeOf(before->expr);
  if (place == 0)
    return loop;
  auto without = std::make_shared<Stmt>(*choice);
  without->elseBody = nullptr;
  auto with = std::make_shared<Stmt>(*choice);
  with->expr = makeNot(choice->expr);
  with->body = choice->elseBody;
  with->elseBody = nullptr;
  counters.push_back(std::make_shared<Variable>(*second.variable));
  const Variable *counter = counters.back().get();
  auto one = std::make_shared<Stmt>(*loop),
       other = std::make_shared<Stmt>(*loop);
  one->body = place < 0 ? without : with;
  other->body = place < 0 ? with : without;
  const StmtRef renamed =
      withReplaced(StmtRef(other), [&](const ExprRef &expr) -> ExprRef {
        const bool isCounter =
            expr->kind == ExprKind::VarRef && expr->var == second.variable;
        return isCounter ? makeName(counter, expr->type) : nullptr;
      });
  auto init = std::make_shared<Stmt>(*renamed->init);
  init->var = counter;
  auto last = std::make_shared<Stmt>(*renamed);
  last->init = init;
  return makeBlock({one, last});
}

StmtRef CutLoops::visit(const StmtRef &stmt) {
  if (!stmt)
    return stmt;
  if (const auto outer = counting(stmt.get()))
    if (const auto inner = counting(onlyStatement(stmt->body)))
      if (const StmtRef joined = join(*outer, *inner)) {
        isJoined = true;
        return joined;
      }
  auto result = std::make_shared<Stmt>(*stmt);
  for (StmtRef &child : result->children)
    child = visit(child);
  result->body = visit(stmt->body);
  result->elseBody = visit(stmt->elseBody);
  return result;
}

std::shared_ptr<Function> CutLoops::run() {
  auto body = std::make_shared<Stmt>(*model.function->body);
  for (StmtRef &child : body->children)
    child = visit(child);
  if (!isJoined)
    return nullptr;
  auto result = std::make_shared<Function>(*model.function);
  result->body = body;
  llvm::append_range(result->variables, counters);
  return result;
}

std::shared_ptr<Function> withLoopsJoined(const KernelModel &model) {
  return CutLoops(model).run();
}

} // namespace clopt
