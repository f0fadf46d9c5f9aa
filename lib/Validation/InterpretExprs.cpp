//===- InterpretExprs.cpp - expressions of a symbolic run -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers wrap as the hardware does; floating-point operations become terms.
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Interpreter.h"

#include <cstdlib>

namespace clopt {

Value Interpreter::evaluate(const Expr &expr, unsigned item) {
  if (++result.steps > limit)
    throw GiveUp{"too many steps"};
  switch (expr.kind) {
  case ExprKind::IntLiteral:
    if (expr.type.isPointer())
      return {-1, expr.intValue};
    return {wrapTo(expr.type.scalar, expr.intValue)};
  case ExprKind::FloatLiteral:
    return {terms.literal(expr.type.scalar,
                          std::strtod(expr.text.c_str(), nullptr))};
  case ExprKind::WorkItem:
    return {query(expr, item)};
  case ExprKind::VarRef:
  case ExprKind::Subscript:
  case ExprKind::Member:
    return load(place(expr, item), item);
  case ExprKind::Swizzle: {
    Value whole = evaluate(*expr.operands[0], item), value;
    for (unsigned component : expr.components)
      value.push_back(whole[component]);
    return value;
  }
  case ExprKind::Unary:
    return evaluateUnary(expr, item);
  case ExprKind::Binary:
    return evaluateBinary(expr, item);
  case ExprKind::Assign:
    return evaluateAssign(expr, item);
  case ExprKind::Conditional:
    return evaluateConditional(expr, item);
  case ExprKind::Call:
    return evaluateCall(expr, item);
  case ExprKind::Cast:
    return evaluateCast(expr, item);
  case ExprKind::VectorLiteral:
    return evaluateVector(expr, item);
  case ExprKind::InitList:
    if (expr.type.isVector())
      return evaluateVector(expr, item);
    if (expr.type.isScalar() && expr.operands.size() == 1)
      return evaluate(*expr.operands[0], item);
    break;
  default:
    break;
  }
  throw GiveUp{"an expression of an unknown form"};
}

int64_t Interpreter::scalar(const Expr &expr, unsigned item) {
  Value value = evaluate(expr, item);
  if (value.size() != 1 || !expr.type.isInteger())
    throw GiveUp{"a number that is none"};
  return value[0];
}

int64_t Interpreter::query(const Expr &expr, unsigned item) const {
  unsigned d = expr.dim;
  int64_t rest = item, local[3];
  for (unsigned i = 0; i < 3; ++i) {
    local[i] = rest % launch.local[i];
    rest /= launch.local[i];
  }
  auto id = [&](unsigned i) { return group[i] * launch.local[i] + local[i]; };
  switch (expr.query) {
  case WorkItemQuery::GlobalId:
    return launch.offset[d] + id(d);
  case WorkItemQuery::LocalId:
    return local[d];
  case WorkItemQuery::GroupId:
    return group[d];
  case WorkItemQuery::GlobalSize:
    return launch.global[d];
  case WorkItemQuery::LocalSize:
  case WorkItemQuery::EnqueuedLocalSize:
    return launch.local[d];
  case WorkItemQuery::NumGroups:
    return groupCount[d];
  case WorkItemQuery::GlobalOffset:
    return launch.offset[d];
  case WorkItemQuery::WorkDim:
    return launch.dimensions;
  case WorkItemQuery::GlobalLinearId:
    return (id(2) * launch.global[1] + id(1)) * launch.global[0] + id(0);
  case WorkItemQuery::LocalLinearId:
    return item;
  }
  return 0;
}

//===-- Operators ---------------------------------------------------------===//

int64_t Interpreter::truth(const Type &type, int64_t part) const {
  return isFloatKind(type.scalar) && !type.isPointer() ? terms.value(part) != 0
                                                       : part != 0;
}

static const char *nameOf(Op op) {
  switch (op) {
  case Op::Add:
    return "+";
  case Op::Sub:
    return "-";
  case Op::Mul:
    return "*";
  case Op::Div:
    return "/";
  default:
    return nullptr;
  }
}

static bool isComparison(Op op) {
  return op == Op::Lt || op == Op::Le || op == Op::Gt || op == Op::Ge ||
         op == Op::Eq || op == Op::Ne;
}

template <typename T> static bool compareValues(Op op, T x, T y) {
  switch (op) {
  case Op::Lt:
    return x < y;
  case Op::Le:
    return x <= y;
  case Op::Gt:
    return x > y;
  case Op::Ge:
    return x >= y;
  case Op::Eq:
    return x == y;
  default:
    return x != y;
  }
}

int64_t Interpreter::compare(Op op, ScalarKind kind, int64_t x,
                             int64_t y) const {
  if (isFloatKind(kind))
    return compareValues(op, terms.value(x), terms.value(y));
  if (kind == ScalarKind::ULong)
    return compareValues(op, static_cast<uint64_t>(x),
                         static_cast<uint64_t>(y));
  return compareValues(op, x, y);
}

/// Both operands have the kind. What C leaves undefined is zero.
int64_t Interpreter::combineIntegers(Op op, ScalarKind kind, int64_t x,
                                     int64_t y) const {
  auto ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
  bool isWide = kind == ScalarKind::ULong;
  unsigned amount = static_cast<unsigned>(uy) & (sizeOf(kind) * 8 - 1);
  switch (op) {
  case Op::Add:
    return static_cast<int64_t>(ux + uy);
  case Op::Sub:
    return static_cast<int64_t>(ux - uy);
  case Op::Mul:
    return static_cast<int64_t>(ux * uy);
  case Op::Div:
    if (y == 0 || (y == -1 && !isWide))
      return y == 0 ? 0 : static_cast<int64_t>(0 - ux);
    return isWide ? static_cast<int64_t>(ux / uy) : x / y;
  case Op::Rem:
    if (y == 0 || (y == -1 && !isWide))
      return 0;
    return isWide ? static_cast<int64_t>(ux % uy) : x % y;
  case Op::Shl:
    return static_cast<int64_t>(ux << amount);
  case Op::Shr:
    return isWide ? static_cast<int64_t>(ux >> amount) : x >> amount;
  case Op::And:
    return x & y;
  case Op::Or:
    return x | y;
  case Op::Xor:
    return x ^ y;
  default:
    throw GiveUp{"an operator"};
  }
}

int64_t Interpreter::combine(Op op, ScalarKind kind, int64_t x, int64_t y) {
  if (!isFloatKind(kind))
    return wrapTo(kind, combineIntegers(op, kind, x, y));
  const char *name = nameOf(op);
  if (!name)
    throw GiveUp{"an operator on floating-point values"};
  return terms.make(name, "ff", kind, {x, y});
}

Value Interpreter::apply(Op op, const Type &type, const Value &x,
                         const Value &y) {
  Value value;
  size_t count = std::max(x.size(), y.size());
  result.steps += count;
  for (size_t i = 0; i < count; ++i)
    value.push_back(combine(op, type.scalar, x[x.size() == 1 ? 0 : i],
                            y[y.size() == 1 ? 0 : i]));
  return value;
}

Value Interpreter::evaluateUnary(const Expr &expr, unsigned item) {
  const Expr &operand = *expr.operands[0];
  switch (expr.op) {
  case Op::Deref:
    return load(place(expr, item), item);
  case Op::AddrOf: {
    Place at = place(operand, item);
    if (!at.isMemory || at.isPart)
      throw GiveUp{"an address of what is not in memory"};
    return {at.object, at.offset};
  }
  case Op::PreInc:
  case Op::PreDec:
  case Op::PostInc:
  case Op::PostDec:
    return step(expr, item);
  default:
    break;
  }
  Value value = evaluate(operand, item);
  if (operand.type.isPointer())
    throw GiveUp{"an operator on a pointer"};
  for (int64_t &part : value) {
    ScalarKind kind = operand.type.scalar;
    if (expr.op == Op::LNot)
      part = truth(operand.type, part) ? 0 : operand.type.isVector() ? -1 : 1;
    else if (expr.op == Op::Neg && isFloatKind(kind))
      part = terms.isLiteral(part) ? terms.literal(kind, -terms.value(part))
                                   : terms.make("-", "f", kind, {part});
    else if (expr.op == Op::Neg)
      part = combine(Op::Sub, kind, 0, part);
    else if (expr.op == Op::Not)
      part = wrapTo(kind, ~part);
  }
  return value;
}

Value Interpreter::step(const Expr &expr, unsigned item) {
  const Expr &operand = *expr.operands[0];
  Place at = place(operand, item);
  Value old = load(at, item), changed = old;
  bool isUp = expr.op == Op::PreInc || expr.op == Op::PostInc;
  if (operand.type.isPointer()) {
    if (!operand.type.element || old.size() != 2)
      throw GiveUp{"a pointer"};
    auto size = static_cast<int64_t>(operand.type.element->size);
    changed[1] += isUp ? size : -size;
  } else {
    ScalarKind kind = operand.type.scalar;
    int64_t one = isFloatKind(kind) ? terms.literal(kind, 1) : 1;
    changed = apply(isUp ? Op::Add : Op::Sub, operand.type, old, Value{one});
  }
  store(at, changed, item);
  return expr.op == Op::PostInc || expr.op == Op::PostDec ? old : changed;
}

/// Sums and differences with pointers.
Value Interpreter::pointerSum(const Expr &expr, unsigned item) {
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  Value x = evaluate(left, item), y = evaluate(right, item);
  const Type &pointer = left.type.isPointer() ? left.type : right.type;
  auto size = static_cast<int64_t>(pointer.element ? pointer.element->size : 0);
  if (size == 0)
    throw GiveUp{"arithmetic on a pointer"};
  if (expr.op == Op::Add && left.type.isPointer())
    return {x[0], x[1] + y[0] * size};
  if (expr.op == Op::Add)
    return {y[0], y[1] + x[0] * size};
  if (!right.type.isPointer())
    return {x[0], x[1] - y[0] * size};
  if (x[0] != y[0])
    throw GiveUp{"a difference of unrelated pointers"};
  return {(x[1] - y[1]) / size};
}

Value Interpreter::evaluateBinary(const Expr &expr, unsigned item) {
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  if (expr.op == Op::Comma) {
    evaluate(left, item);
    return evaluate(right, item);
  }
  if (expr.op == Op::LAnd || expr.op == Op::LOr) {
    if (left.type.isVector())
      throw GiveUp{"a logical operator on vectors"};
    bool isAnd = expr.op == Op::LAnd;
    if (chooses(expr.operands[0], item) != isAnd)
      return {isAnd ? 0 : 1};
    return {holds(expr.operands[1], item) ? 1 : 0};
  }
  bool hasPointer = left.type.isPointer() || right.type.isPointer();
  if (hasPointer && !isComparison(expr.op))
    return pointerSum(expr, item);
  Value x = evaluate(left, item), y = evaluate(right, item);
  if (!isComparison(expr.op)) {
    // The amount of a shift has a type of its own.
    return apply(expr.op, expr.type, x, y);
  }
  if (hasPointer) {
    if (x[0] == y[0])
      return {compare(expr.op, ScalarKind::Long, x[1], y[1])};
    return {compare(expr.op, ScalarKind::Long, x[0], y[0])};
  }
  Value value;
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t holdsHere = compare(expr.op, left.type.scalar, x[i], y[i]);
    value.push_back(expr.type.isVector() ? -holdsHere : holdsHere);
  }
  return value;
}

Value Interpreter::evaluateAssign(const Expr &expr, unsigned item) {
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  Value given = evaluate(right, item);
  Place at = place(left, item);
  if (expr.op == Op::None) {
    store(at, given, item);
    return given;
  }
  Value old = load(at, item);
  if (left.type.isPointer()) {
    auto size =
        static_cast<int64_t>(left.type.element ? left.type.element->size : 0);
    old[1] += (expr.op == Op::Sub ? -1 : 1) * given[0] * size;
    store(at, old, item);
    return old;
  }
  Value wide = convert(old, left.type, expr.computeType);
  Value changed = convert(apply(expr.op, expr.computeType, wide, given),
                          expr.computeType, left.type);
  store(at, changed, item);
  return changed;
}

Value Interpreter::evaluateConditional(const Expr &expr, unsigned item) {
  const Expr &condition = *expr.operands[0];
  if (!condition.type.isVector())
    return evaluate(*expr.operands[chooses(expr.operands[0], item) ? 1 : 2],
                    item);
  Value choice = evaluate(condition, item);
  Value yes = evaluate(*expr.operands[1], item);
  Value no = evaluate(*expr.operands[2], item);
  Value value;
  for (size_t i = 0; i < choice.size(); ++i)
    value.push_back(choice[i] < 0 ? yes[i] : no[i]);
  return value;
}

Value Interpreter::evaluateVector(const Expr &expr, unsigned item) {
  Value value;
  for (const ExprRef &operand : expr.operands) {
    Value part = evaluate(*operand, item);
    value.append(part.begin(), part.end());
  }
  if (value.size() == 1)
    value = Value(expr.type.lanes, value[0]);
  bool isInit = expr.kind == ExprKind::InitList;
  while (isInit && value.size() < expr.type.lanes)
    value.push_back(
        isFloatKind(expr.type.scalar) ? terms.literal(expr.type.scalar, 0) : 0);
  if (value.size() != expr.type.lanes)
    throw GiveUp{"a vector of another length"};
  return value;
}

} // namespace clopt
