//===- CompileExprs.cpp - expressions as instructions ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers wrap as the hardware does; floating-point operations become terms.
//
// Tested by test/unit/KernelRunTest.cpp and ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Compiler.h"

#include <algorithm>
#include <cstdlib>

namespace clopt {

static bool isVoid(const Type &type) {
  return type.isScalar() && type.scalar == ScalarKind::Void;
}

/// Something of the right form, after the run was given up.
Registers Compiler::unknownOf(const Type &type) {
  if (isVoid(type))
    return {};
  return temporaries(type.isVector() ? type.lanes : 1);
}

/// What its scalars are compared and moved as.
static ScalarKind kindOf(const Type &type) {
  return type.isScalar() || type.isVector() ? type.scalar : ScalarKind::ULong;
}

Registers Compiler::evaluate(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::IntLiteral:
    if (expr.type.isPointer())
      return {constant(ScalarKind::ULong, expr.intValue)};
    return Registers(
        expr.type.lanes,
        constant(expr.type.scalar, wrapTo(expr.type.scalar, expr.intValue)));
  case ExprKind::FloatLiteral:
    return {floatConstant(expr.type.scalar,
                          std::strtod(expr.text.c_str(), nullptr))};
  case ExprKind::WorkItem:
    return {query(expr)};
  case ExprKind::VarRef:
  case ExprKind::Subscript:
  case ExprKind::Member:
  case ExprKind::Swizzle:
    return load(place(expr));
  case ExprKind::Unary:
    return unary(expr);
  case ExprKind::Binary:
    return binary(expr);
  case ExprKind::Assign:
    return assign(expr);
  case ExprKind::Conditional:
    return conditional(expr);
  case ExprKind::Call:
    return call(expr, false);
  case ExprKind::Cast:
    return cast(expr);
  case ExprKind::VectorLiteral:
    return vector(expr);
  case ExprKind::InitList:
    if (expr.type.isVector())
      return vector(expr);
    if (expr.type.isScalar() && expr.operands.size() == 1)
      return evaluate(*expr.operands[0]);
    if (expr.type.kind == TypeKind::Struct) {
      ValuePlace whole = temporaryObject("value", expr.type);
      initialize(whole, expr);
      return {whole.address};
    }
    break;
  case ExprKind::StringLiteral: // of a call that writes it somewhere
    return {constant(ScalarKind::ULong, 0)};
  default:
    break;
  }
  giveUp("an expression of an unknown form");
  return unknownOf(expr.type);
}

int32_t Compiler::scalar(const Expr &expr) {
  Registers value = evaluate(expr);
  if (value.size() == 1)
    return value[0];
  giveUp("a number that is none");
  return constant(ScalarKind::Int, 0);
}

int32_t Compiler::query(const Expr &expr) {
  auto [entry, isNew] =
      queries.emplace(std::make_pair(expr.query, expr.dim), -1);
  if (isNew) {
    entry->second = newRegister();
    code.queries.push_back({entry->second, expr.query, expr.dim});
  }
  return entry->second;
}

//===-- Operators ---------------------------------------------------------===//

static std::optional<Opcode> opcodeOf(Op op) {
  switch (op) {
  case Op::Add:
    return Opcode::Add;
  case Op::Sub:
    return Opcode::Sub;
  case Op::Mul:
    return Opcode::Mul;
  case Op::Div:
    return Opcode::Div;
  case Op::Rem:
    return Opcode::Rem;
  case Op::Shl:
    return Opcode::Shl;
  case Op::Shr:
    return Opcode::Shr;
  case Op::And:
    return Opcode::And;
  case Op::Or:
    return Opcode::Or;
  case Op::Xor:
    return Opcode::Xor;
  case Op::Lt:
    return Opcode::Lt;
  case Op::Le:
    return Opcode::Le;
  case Op::Gt:
    return Opcode::Gt;
  case Op::Ge:
    return Opcode::Ge;
  case Op::Eq:
    return Opcode::Eq;
  case Op::Ne:
    return Opcode::Ne;
  default:
    return std::nullopt;
  }
}

static const char *termName(Op op) {
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

/// Both operands have the type, but for the amount of a shift.
Registers Compiler::arithmetic(Op op, const Type &type, const Registers &x,
                               const Registers &y) {
  const char *name = termName(op);
  std::optional<Opcode> opcode = opcodeOf(op);
  bool isFloat = isFloatKind(type.scalar);
  bool isKnown = isFloat ? name != nullptr : opcode.has_value();
  if (!isKnown || x.empty() || y.empty()) {
    giveUp("an operator");
    return unknownOf(type);
  }
  size_t count = std::max(x.size(), y.size());
  Registers result;
  for (size_t i = 0; i < count; ++i) {
    int32_t left = x[x.size() == 1 ? 0 : i], right = y[y.size() == 1 ? 0 : i];
    int32_t to = temporary();
    Instr &instr = emit(isFloat ? Opcode::Term : *opcode, to, left, right);
    instr.kind = type.scalar;
    if (isFloat) {
      instr.imm = symbolNumber(name, "ff");
      setArguments(instr, {left, right});
    }
    result.push_back(to);
  }
  return result;
}

Registers Compiler::unary(const Expr &expr) {
  const Expr &operand = *expr.operands[0];
  switch (expr.op) {
  case Op::Deref:
    return load(place(expr));
  case Op::AddrOf: {
    ValuePlace at = place(operand);
    if (at.isMemory && !at.isPart)
      return {addressOf(at)};
    giveUp("an address of what is not in memory");
    return unknownOf(expr.type);
  }
  case Op::PreInc:
  case Op::PreDec:
  case Op::PostInc:
  case Op::PostDec:
    return step(expr);
  case Op::Plus:
    return evaluate(operand);
  default:
    break;
  }
  Registers value = evaluate(operand), result;
  ScalarKind kind = kindOf(operand.type);
  bool isFloat = isFloatKind(kind);
  for (int32_t part : value) {
    int32_t to = temporary();
    if (expr.op == Op::LNot) {
      Instr &instr = emit(Opcode::IsZero, to, part);
      instr.kind = kind;
      instr.imm = operand.type.isVector() ? -1 : 1;
    } else if (expr.op == Op::Neg && isFloat) {
      Instr &instr = emit(Opcode::Term, to, part);
      instr.kind = kind;
      instr.imm = symbolNumber("-", "f");
      setArguments(instr, {part});
    } else if (expr.op == Op::Neg) {
      emit(Opcode::Sub, to, constant(kind, 0), part).kind = kind;
    } else if (expr.op == Op::Not) {
      emit(Opcode::Not, to, part).kind = kind;
    } else {
      giveUp("an operator");
    }
    result.push_back(to);
  }
  return result;
}

Registers Compiler::step(const Expr &expr) {
  const Expr &operand = *expr.operands[0];
  ValuePlace at = place(operand);
  bool isUp = isIncrement(expr.op);
  bool isPost = expr.op == Op::PostInc || expr.op == Op::PostDec;
  Registers old = load(at), changed;
  if (isPost && !at.isMemory) {
    Registers saved;
    for (int32_t part : old) {
      saved.push_back(temporary());
      emit(Opcode::Copy, saved.back(), part);
    }
    old = saved;
  }
  if (operand.type.isPointer()) {
    auto size = static_cast<int64_t>(
        operand.type.element ? operand.type.element->size : 0);
    if (size == 0)
      giveUp("arithmetic on a pointer");
    changed = {temporary()};
    emit(Opcode::Offset, changed[0], old[0]).imm = isUp ? size : -size;
  } else {
    ScalarKind kind = operand.type.scalar;
    int32_t one =
        isFloatKind(kind) ? floatConstant(kind, 1) : constant(kind, 1);
    changed = arithmetic(isUp ? Op::Add : Op::Sub, operand.type, old, {one});
  }
  store(at, changed);
  if (isPost)
    return old;
  return at.isMemory ? changed : load(at);
}

/// Sums and differences with pointers.
Registers Compiler::pointerSum(const Expr &expr) {
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  int32_t x = scalar(left), y = scalar(right), to = temporary();
  const Type &pointer = left.type.isPointer() ? left.type : right.type;
  auto size = static_cast<int64_t>(pointer.element ? pointer.element->size : 0);
  if (size == 0)
    giveUp("arithmetic on a pointer");
  if (expr.op == Op::Add && left.type.isPointer())
    emit(Opcode::Advance, to, x, y).imm = size;
  else if (expr.op == Op::Add)
    emit(Opcode::Advance, to, y, x).imm = size;
  else if (!right.type.isPointer())
    emit(Opcode::Advance, to, x, y).imm = -size;
  else
    emit(Opcode::Distance, to, x, y).imm = size;
  return {to};
}

//===-- Conditions --------------------------------------------------------===//

bool isOrder(const Expr &expr) {
  return expr.kind == ExprKind::Binary &&
         (expr.op == Op::Lt || expr.op == Op::Le || expr.op == Op::Gt ||
          expr.op == Op::Ge) &&
         !expr.operands[0]->type.isPointer() &&
         !expr.operands[1]->type.isPointer();
}

bool isLogical(const Expr &expr) {
  return expr.kind == ExprKind::Binary &&
         (expr.op == Op::LAnd || expr.op == Op::LOr);
}

bool isPlainCondition(const Expr &expr) {
  const bool isPlainType =
      expr.type.isPointer() || (expr.type.isInteger() && expr.type.isScalar());
  if (!isPlainType)
    return false;
  const auto arePlain = [](const std::vector<ExprRef> &operands) {
    return std::all_of(
        operands.begin(), operands.end(),
        [](const ExprRef &operand) { return isPlainCondition(*operand); });
  };
  switch (expr.kind) {
  case ExprKind::IntLiteral:
  case ExprKind::WorkItem:
    return true;
  case ExprKind::VarRef:
    return !isInMemory(*expr.var);
  case ExprKind::Unary:
    if (expr.op == Op::AddrOf)
      return expr.operands[0]->kind == ExprKind::Subscript &&
             arePlain(expr.operands[0]->operands);
    return (expr.op == Op::Neg || expr.op == Op::Not || expr.op == Op::LNot ||
            expr.op == Op::Plus) &&
           arePlain(expr.operands);
  case ExprKind::Binary:
    if (expr.op == Op::Div || expr.op == Op::Rem) {
      const Expr &divisor = *withoutCasts(expr.operands[1]);
      if (divisor.kind != ExprKind::IntLiteral || divisor.intValue == 0)
        return false;
    }
    return expr.op != Op::Comma && arePlain(expr.operands);
  case ExprKind::Cast:
    return expr.operands[0]->kind != ExprKind::InitList &&
           arePlain(expr.operands);
  case ExprKind::Conditional:
    return arePlain(expr.operands);
  case ExprKind::Call:
    return (expr.text == "min" || expr.text == "max") &&
           arePlain(expr.operands);
  default:
    return false;
  }
}

int32_t Compiler::both(int32_t x, int32_t y) {
  if (x < 0 || y < 0)
    return x < 0 ? y : x;
  int32_t to = temporary();
  emit(Opcode::And, to, x, y);
  return to;
}

/// 1 for those whom `value`, an operand of the expression, sends to the other
/// operand.
int32_t Compiler::goesOn(const Expr &expr, int32_t value) {
  if (expr.op == Op::LAnd)
    return value;
  int32_t to = temporary();
  emit(Opcode::IsZero, to, value).imm = 1;
  return to;
}

/// Evaluates all of a condition: 0 or 1.
int32_t Compiler::truth(const Expr &expr) {
  int32_t to = -1;
  if (isLogical(expr)) {
    int32_t x = truth(*expr.operands[0]), y = truth(*expr.operands[1]);
    to = temporary();
    emit(expr.op == Op::LAnd ? Opcode::And : Opcode::Or, to, x, y);
  } else if (isOrder(expr)) {
    int32_t x = scalar(*expr.operands[0]), y = scalar(*expr.operands[1]);
    compared[&expr] = {x, y};
    to = compareValues(expr, {x}, {y})[0];
  } else {
    int32_t value = scalar(expr), inverse = temporary();
    Instr &first = emit(Opcode::IsZero, inverse, value);
    first.kind = kindOf(expr.type);
    first.imm = 1;
    to = temporary();
    emit(Opcode::IsZero, to, inverse).imm = 1;
  }
  truths[&expr] = to;
  return to;
}

/// Notes how the parts of a condition came out for those that get to them, and
/// how close to the other way for those for which a part alone decides.
void Compiler::noteChoices(const Expr &expr, int32_t reached, int32_t decides) {
  if (!isLogical(expr)) {
    auto order = compared.find(&expr);
    if (order != compared.end())
      noteEdge(expr, order->second.first, order->second.second, decides);
    else
      noteEdge(expr, truths.at(&expr), constant(ScalarKind::Int, 0), decides);
    return;
  }
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  emit(Opcode::Noted, -1, truths.at(&left), reached).imm = branchNumber(left);
  int32_t first = goesOn(expr, truths.at(&left));
  int32_t second = goesOn(expr, truths.at(&right));
  noteChoices(left, reached, both(decides, second));
  noteChoices(right, both(reached, first), both(decides, first));
}

/// && and ||, of which the second operand is not always evaluated, unless that
/// cannot be noticed.
Registers Compiler::logical(const Expr &expr) {
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  bool isAnd = expr.op == Op::LAnd;
  if (left.type.isVector()) {
    giveUp("a logical operator on vectors");
    return unknownOf(expr.type);
  }
  if (isPlainCondition(expr)) {
    int32_t whole = truth(expr);
    noteChoices(expr, -1, -1);
    return {whole};
  }
  int32_t to = temporary(), condition = scalar(left);
  int32_t decided = block([&] {
    emit(Opcode::Copy, to, constant(ScalarKind::Int, isAnd ? 0 : 1));
  });
  int32_t open = block([&] {
    int32_t second = scalar(right), inverse = temporary();
    Instr &first = emit(Opcode::IsZero, inverse, second);
    first.kind = kindOf(right.type);
    first.imm = 1;
    Instr &again = emit(Opcode::IsZero, to, inverse);
    again.kind = ScalarKind::Int;
    again.imm = 1;
  });
  Instr &choice = emit(Opcode::If, -1, condition);
  choice.kind = kindOf(left.type);
  choice.body = isAnd ? open : decided;
  choice.other = isAnd ? decided : open;
  choice.imm = branchNumber(left);
  return {to};
}

Registers Compiler::compare(const Expr &expr) {
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  Registers x = evaluate(left), y = evaluate(right);
  if (isOrder(expr))
    for (size_t i = 0; i < std::max(x.size(), y.size()); ++i)
      noteEdge(expr, x[x.size() == 1 ? 0 : i], y[y.size() == 1 ? 0 : i], -1);
  return compareValues(expr, x, y);
}

/// For those of `decides`, or all for -1. What is no comparison of order is
/// compared with 0.
void Compiler::noteEdge(const Expr &expr, int32_t x, int32_t y,
                        int32_t decides) {
  Instr &instr = emit(Opcode::Compared, -1, x, y);
  instr.c = decides;
  instr.imm = branchNumber(expr);
  instr.kind = isOrder(expr) ? expr.operands[0]->type.scalar : ScalarKind::Int;
  instr.count =
      static_cast<uint16_t>(isOrder(expr) ? *opcodeOf(expr.op) : Opcode::Ne);
}

Registers Compiler::compareValues(const Expr &expr, const Registers &x,
                                  const Registers &y) {
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  Registers result;
  bool isPointer = left.type.isPointer() || right.type.isPointer();
  size_t count = std::max(x.size(), y.size());
  for (size_t i = 0; i < count; ++i) {
    result.push_back(temporary());
    Instr &instr = emit(*opcodeOf(expr.op), result.back(),
                        x[x.size() == 1 ? 0 : i], y[y.size() == 1 ? 0 : i]);
    instr.kind = isPointer ? ScalarKind::Long : left.type.scalar;
    instr.imm = expr.type.isVector() ? -1 : 1;
  }
  return result;
}

Registers Compiler::binary(const Expr &expr) {
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  if (expr.op == Op::Comma) {
    if (left.kind == ExprKind::Call)
      call(left, true);
    else
      evaluate(left);
    return evaluate(right);
  }
  if (expr.op == Op::LAnd || expr.op == Op::LOr)
    return logical(expr);
  if (isComparison(expr.op))
    return compare(expr);
  if (left.type.isPointer() || right.type.isPointer())
    return pointerSum(expr);
  Registers x = evaluate(left);
  return arithmetic(expr.op, expr.type, x, evaluate(right));
}

/// True for what is made by the expression itself, or a part of that.
static bool isValue(const Expr &expr) {
  if (expr.kind == ExprKind::Swizzle ||
      (expr.kind == ExprKind::Member && !expr.arrow))
    return isValue(*expr.operands[0]);
  return expr.kind == ExprKind::VectorLiteral;
}

Registers Compiler::assign(const Expr &expr) {
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  Registers given = evaluate(right);
  ValuePlace at = place(left);
  // `(float2)(x, y) = v` is permitted, and leaves x and y as they are.
  if (isValue(left))
    for (int32_t &component : at.registers) {
      const int32_t own = temporary();
      emit(Opcode::Copy, own, component);
      component = own;
    }
  Registers changed = given;
  if (expr.op != Op::None && left.type.isPointer()) {
    auto size =
        static_cast<int64_t>(left.type.element ? left.type.element->size : 0);
    if (size == 0)
      giveUp("arithmetic on a pointer");
    Registers old = load(at);
    changed = {temporary()};
    emit(Opcode::Advance, changed[0], old[0], given[0]).imm =
        expr.op == Op::Sub ? -size : size;
  } else if (expr.op != Op::None) {
    Registers wide = convert(load(at), left.type, expr.computeType);
    changed = convert(arithmetic(expr.op, expr.computeType, wide, given),
                      expr.computeType, left.type);
  }
  store(at, changed);
  return at.isMemory ? changed : load(at);
}

Registers Compiler::conditional(const Expr &expr) {
  const Expr &condition = *expr.operands[0];
  const Expr &first = *expr.operands[1], &second = *expr.operands[2];
  Registers result = unknownOf(expr.type);
  if (condition.type.isVector()) {
    Registers choice = evaluate(condition);
    Registers yes = evaluate(first), no = evaluate(second);
    for (size_t i = 0; i < result.size() && i < choice.size(); ++i) {
      Instr &instr = emit(Opcode::Select, result[i], choice[i],
                          yes[yes.size() == 1 ? 0 : i]);
      instr.c = no[no.size() == 1 ? 0 : i];
      instr.kind = condition.type.scalar;
      instr.imm = 1;
    }
    return result;
  }
  int32_t choice = scalar(condition);
  auto side = [&](const Expr &value) {
    return block([&] {
      Registers parts = evaluate(value);
      if (parts.size() == 1 && result.size() > 1)
        parts = Registers(result.size(), parts[0]);
      if (parts.size() == result.size())
        copy(result, parts);
    });
  };
  int32_t yes = side(first), no = side(second);
  Instr &instr = emit(Opcode::If, -1, choice);
  instr.kind = kindOf(condition.type);
  instr.body = yes;
  instr.other = no;
  instr.imm = branchNumber(condition);
  return result;
}

Registers Compiler::vector(const Expr &expr) {
  Registers value;
  for (const ExprRef &operand : expr.operands) {
    Registers part = evaluate(*operand);
    value.append(part.begin(), part.end());
  }
  if (value.size() == 1 && expr.kind == ExprKind::VectorLiteral)
    value = Registers(expr.type.lanes, value[0]);
  bool isInit = expr.kind == ExprKind::InitList;
  while (isInit && value.size() < expr.type.lanes)
    value.push_back(zero(expr.type.scalar));
  if (value.size() == expr.type.lanes)
    return value;
  giveUp("a vector of another length");
  return unknownOf(expr.type);
}

//===-- Conversions -------------------------------------------------------===//

int32_t Compiler::convertScalar(int32_t value, ScalarKind from, ScalarKind to,
                                int64_t rounding) {
  if (from == to)
    return value;
  int32_t result = temporary();
  Instr &instr = emit(Opcode::Convert, result, value);
  instr.from = from;
  instr.kind = to;
  instr.imm = rounding;
  return result;
}

Registers Compiler::convert(const Registers &value, const Type &from,
                            const Type &to) {
  bool isPlain =
      (from.isScalar() || from.isVector()) && (to.isScalar() || to.isVector());
  if (!isPlain)
    return value;
  Registers result;
  for (int32_t part : value)
    result.push_back(convertScalar(part, from.scalar, to.scalar));
  if (to.isVector() && result.size() == 1)
    result = Registers(to.lanes, result[0]);
  return result;
}

Registers Compiler::cast(const Expr &expr) {
  const Expr &operand = *expr.operands[0];
  if (isVoid(expr.type)) {
    if (operand.kind == ExprKind::Call)
      call(operand, true);
    else
      evaluate(operand);
    return {};
  }
  if (operand.kind == ExprKind::InitList && !expr.type.isVector() &&
      !expr.type.isScalar()) {
    ValuePlace whole = temporaryObject("value", expr.type);
    emit(Opcode::Clear, -1, whole.address);
    initialize(whole, operand);
    return {whole.address};
  }
  if (operand.type.isArray() && expr.type.isPointer())
    return {addressOf(place(operand))};
  Registers value = evaluate(operand);
  if (operand.type.isPointer() && expr.type.isPointer())
    return value;
  bool isNumber = expr.type.isInteger() || operand.type.isInteger();
  if ((operand.type.isPointer() || expr.type.isPointer()) && isNumber &&
      value.size() == 1)
    return {convertScalar(value[0], kindOf(operand.type), kindOf(expr.type))};
  bool isPlain = (operand.type.isScalar() || operand.type.isVector()) &&
                 (expr.type.isScalar() || expr.type.isVector());
  if (isPlain)
    return convert(value, operand.type, expr.type);
  // Samplers, events and images; structs of one and the same type.
  if (value.size() == 1 && expr.type.kind == operand.type.kind)
    return value;
  if (value.size() == 1 && expr.type.kind == TypeKind::Opaque)
    return value;
  giveUp("a conversion");
  return unknownOf(expr.type);
}

} // namespace clopt
