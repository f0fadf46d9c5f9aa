//===- RangeExpressions.cpp - values of integer expressions ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ValueRangeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include <algorithm>

#include <ppl.hh>

// After ppl.hh.
#include "Analysis/ranges/RangeInterpreter.h"

namespace clopt::range {

//===-- Values ------------------------------------------------------------===//

static Coefficient floorOf(const Coefficient &numerator,
                           const Coefficient &denominator) {
  Coefficient result;
  mpz_fdiv_q(result.get_mpz_t(), numerator.get_mpz_t(),
             denominator.get_mpz_t());
  return result;
}

static Coefficient ceilOf(const Coefficient &numerator,
                          const Coefficient &denominator) {
  return -floorOf(-numerator, denominator);
}

Value Interpreter::ofType(const Type &type) const {
  Value value;
  value.bounds = boundsOfType(type);
  return value;
}

/// The form's value; its bounds are those the state gives.
Value Interpreter::linear(const Linear_Expression &form,
                          const State &state) const {
  Value value;
  value.lower = value.upper = form;
  value.isLinear = true;
  Coefficient numerator, denominator;
  bool isReached = false;
  Coefficient large = Coefficient(1) << 100;
  bool hasMost = state.maximize(form, numerator, denominator, isReached);
  value.bounds.most = hasMost ? floorOf(numerator, denominator) : large;
  bool hasLeast = state.minimize(form, numerator, denominator, isReached);
  value.bounds.least = hasLeast ? ceilOf(numerator, denominator) : -large;
  return value;
}

/// What is left of a value in `type`.
Value Interpreter::fit(const ExprRef &expr, const Type &type, bool mayWrap,
                       Value value) {
  Bounds limits = boundsOfType(type);
  if (value.bounds.least >= limits.least && value.bounds.most <= limits.most)
    return value;
  if (mayWrap) {
    wrapped.insert(expr.get());
    return ofType(type);
  }
  value.bounds.least = std::max(value.bounds.least, limits.least);
  value.bounds.most = std::min(value.bounds.most, limits.most);
  // Undefined whenever it is evaluated.
  return value.bounds.least > value.bounds.most ? ofType(type) : value;
}

void Interpreter::record(const ExprRef &expr, const Value &value,
                         const State &state) {
  if (!isRecording || state.is_empty())
    return;
  auto [it, isNew] = found.try_emplace(expr.get(), value.bounds);
  if (isNew)
    return;
  it->second.least = std::min(it->second.least, value.bounds.least);
  it->second.most = std::max(it->second.most, value.bounds.most);
}

//===-- Arithmetic --------------------------------------------------------===//

static Value scaled(const Value &value, const Coefficient &factor) {
  Value result = value;
  result.bounds = {value.bounds.least * factor, value.bounds.most * factor};
  if (factor < 0) {
    std::swap(result.bounds.least, result.bounds.most);
    std::swap(result.lower, result.upper);
  }
  if (result.lower)
    *result.lower *= factor;
  if (result.upper)
    *result.upper *= factor;
  return result;
}

static bool isConstant(const Value &value) {
  return value.bounds.least == value.bounds.most;
}

static Bounds product(const Bounds &left, const Bounds &right) {
  Coefficient corners[] = {left.least * right.least, left.least * right.most,
                           left.most * right.least, left.most * right.most};
  return {*std::min_element(corners, corners + 4),
          *std::max_element(corners, corners + 4)};
}

/// Division by a positive constant, towards zero.
Value Interpreter::divide(const Value &left, const Coefficient &divisor) const {
  Value result;
  result.bounds = {left.bounds.least / divisor, left.bounds.most / divisor};
  if (!left.isLinear || left.bounds.least < 0)
    return result;
  result.denominator = divisor;
  result.upper = left.upper;
  result.lower = *left.lower - (divisor - 1);
  return result;
}

static Value remainderOf(const Value &left, const Coefficient &divisor) {
  Value result;
  Coefficient most = divisor - 1;
  result.bounds = {left.bounds.least < 0 ? Coefficient(-most) : Coefficient(0),
                   left.bounds.most > 0 ? most : Coefficient(0)};
  if (left.bounds.least >= 0 && left.isLinear) {
    result.upper = left.upper;
    result.bounds.most = std::min(result.bounds.most, left.bounds.most);
  }
  return result;
}

/// The mathematical result; bounds that nothing is known of are those of any
/// 128-bit value.
Value Interpreter::arithmetic(Op op, const Value &left, const Value &right,
                              const State &state) {
  const Coefficient huge = Coefficient(1) << 130;
  Value unknown;
  unknown.bounds = {-huge, huge};
  const Bounds &a = left.bounds, &b = right.bounds;
  bool isFixed = isConstant(right) && b.least > 0;
  bool bothPositive = a.least >= 0 && b.least >= 0;
  Value result;
  switch (op) {
  case Op::Add:
  case Op::Sub:
    if (left.isLinear && right.isLinear)
      return linear(op == Op::Add ? *left.lower + *right.lower
                                  : *left.lower - *right.lower,
                    state);
    result.bounds = op == Op::Add ? Bounds{a.least + b.least, a.most + b.most}
                                  : Bounds{a.least - b.most, a.most - b.least};
    return result;
  case Op::Mul:
    if (isConstant(right) && left.isLinear)
      return scaled(left, b.least);
    if (isConstant(left) && right.isLinear)
      return scaled(right, a.least);
    result.bounds = product(a, b);
    return result;
  case Op::Div:
    return isFixed ? divide(left, b.least) : unknown;
  case Op::Rem:
    if (isFixed)
      return remainderOf(left, b.least);
    result = unknown;
    if (bothPositive)
      result.bounds = {0, a.most};
    return result;
  case Op::Shl:
    if (isConstant(right) && b.least >= 0 && b.least < 64)
      return left.isLinear
                 ? scaled(left, Coefficient(1) << b.least.get_ui())
                 : arithmetic(Op::Mul, left,
                              linear(Linear_Expression(Coefficient(1)
                                                       << b.least.get_ui()),
                                     state),
                              state);
    return unknown;
  case Op::Shr:
    if (isConstant(right) && b.least >= 0 && b.least < 64 && a.least >= 0)
      return divide(left, Coefficient(1) << b.least.get_ui());
    return unknown;
  case Op::And:
    if (!bothPositive) {
      if (a.least < 0 && b.least < 0)
        return unknown;
      result.bounds = {0, a.least >= 0 ? a.most : b.most};
      return result;
    }
    result.bounds = {0, std::min(a.most, b.most)};
    if (isConstant(right) && left.isLinear)
      result.upper = left.upper;
    return result;
  case Op::Or:
  case Op::Xor:
    if (!bothPositive)
      return unknown;
    // No bit above the highest of both.
    result.bounds = {0, 1};
    while (result.bounds.most <= std::max(a.most, b.most))
      result.bounds.most *= 2;
    result.bounds.most -= 1;
    return result;
  default:
    return unknown;
  }
}

//===-- Expressions -------------------------------------------------------===//

Value Interpreter::evaluate(const ExprRef &expr, State &state) {
  spend();
  Value value = evaluateNode(expr, state);
  if (isNumber(expr->type))
    record(expr, value, state);
  return value;
}

Value Interpreter::evaluateNode(const ExprRef &expr, State &state) {
  Value any;
  if (isNumber(expr->type))
    any = ofType(expr->type);
  switch (expr->kind) {
  case ExprKind::IntLiteral: {
    if (!isNumber(expr->type))
      return any;
    Coefficient value = static_cast<signed long>(expr->intValue);
    if (expr->type.isUnsigned() && value < 0)
      value += Coefficient(1) << 64;
    return linear(Linear_Expression(value), state);
  }
  case ExprKind::VarRef:
    if (std::optional<ppl::Variable> dim = dimensionOf(expr->var)) {
      return linear(Linear_Expression(*dim), state);
    }
    return any;
  case ExprKind::WorkItem: {
    for (const ExprRef &operand : expr->operands)
      evaluate(operand, state);
    auto it = launch.find({expr->query, expr->dim});
    if (it == launch.end() || !isNumber(expr->type))
      return any;
    return fit(expr, expr->type, true,
               linear(Linear_Expression(ppl::Variable(it->second)), state));
  }
  case ExprKind::Unary:
    return evaluateUnary(expr, state);
  case ExprKind::Binary:
    return evaluateBinary(expr, state);
  case ExprKind::Assign:
    return evaluateAssign(expr, state);
  case ExprKind::Conditional:
    return evaluateConditional(expr, state);
  case ExprKind::Call:
    return evaluateCall(expr, state);
  case ExprKind::Cast: {
    const ExprRef &inner = expr->operands[0];
    Value value = evaluate(inner, state);
    if (!isNumber(expr->type) || !isNumber(inner->type))
      return any;
    if (expr->type.scalar == ScalarKind::Bool &&
        inner->type.scalar != ScalarKind::Bool) {
      wrapped.insert(expr.get());
      return any;
    }
    return fit(expr, expr->type, true, value);
  }
  default:
    for (const ExprRef &operand : expr->operands)
      if (operand)
        evaluate(operand, state);
    if (expr->kind == ExprKind::Opaque)
      forgetAll(state);
    return any;
  }
}

Value Interpreter::evaluateUnary(const ExprRef &expr, State &state) {
  const ExprRef &inner = expr->operands[0];
  if (isStep(expr->op)) {
    Value before = evaluate(inner, state);
    if (!isNumber(expr->type))
      return {};
    Value one = linear(Linear_Expression(Coefficient(1)), state);
    Value after =
        fit(expr, inner->type, inner->type.isUnsigned() || inner->type.size < 4,
            arithmetic(isIncrement(expr->op) ? Op::Add : Op::Sub, before, one,
                       state));
    if (inner->kind == ExprKind::VarRef)
      assignValue(inner->var, after, state);
    // The forms speak of the state before.
    Value result =
        expr->op == Op::PostInc || expr->op == Op::PostDec ? before : after;
    result.lower = result.upper = std::nullopt;
    result.isLinear = false;
    return result;
  }
  Value value = evaluate(inner, state);
  if (!isNumber(expr->type))
    return {};
  if (expr->op == Op::Plus && isNumber(inner->type))
    return value;
  if (expr->op == Op::Neg && isNumber(inner->type))
    return fit(expr, expr->type, expr->type.isUnsigned(), scaled(value, -1));
  if (expr->op == Op::LNot) {
    Value result;
    result.bounds = {0, 1};
    return result;
  }
  return ofType(expr->type);
}

Value Interpreter::evaluateBinary(const ExprRef &expr, State &state) {
  const ExprRef &left = expr->operands[0], &right = expr->operands[1];
  Value truth;
  truth.bounds = {0, 1};
  switch (expr->op) {
  case Op::LAnd:
  case Op::LOr: {
    evaluate(left, state);
    State rest = state;
    refine(left, expr->op == Op::LAnd, rest);
    evaluate(right, rest);
    if (hasEffects(right))
      state.poly_hull_assign(rest);
    return isNumber(expr->type) ? truth : Value();
  }
  case Op::Comma:
    evaluate(left, state);
    return evaluate(right, state);
  default:
    break;
  }
  Value a = evaluate(left, state);
  Value b = evaluate(right, state);
  if (!isNumber(expr->type))
    return {};
  if (isComparison(expr->op))
    return truth;
  if (!isNumber(left->type) || !isNumber(right->type))
    return ofType(expr->type);
  // A side effect of one operand changes what the forms mean.
  if (hasEffects(expr)) {
    a.isLinear = b.isLinear = false;
    a.lower = a.upper = b.lower = b.upper = std::nullopt;
  }
  // What a shift moves out of a signed value is lost without being undefined.
  bool mayWrap = expr->type.isUnsigned() || expr->op == Op::Shl;
  return fit(expr, expr->type, mayWrap, arithmetic(expr->op, a, b, state));
}

static Value hullOf(const Value &left, const Value &right) {
  Value result;
  result.bounds = {std::min(left.bounds.least, right.bounds.least),
                   std::max(left.bounds.most, right.bounds.most)};
  return result;
}

Value Interpreter::evaluateConditional(const ExprRef &expr, State &state) {
  evaluate(expr->operands[0], state);
  State yes = state, no = state;
  refine(expr->operands[0], true, yes);
  refine(expr->operands[0], false, no);
  Value first = evaluate(expr->operands[1], yes);
  Value second = evaluate(expr->operands[2], no);
  bool isFirst = !yes.is_empty(), isSecond = !no.is_empty();
  if (hasEffects(expr->operands[1]) || hasEffects(expr->operands[2])) {
    yes.poly_hull_assign(no);
    state = yes;
  }
  if (!isNumber(expr->type))
    return {};
  if (isFirst && isSecond)
    return hullOf(first, second);
  Value only = isFirst ? first : second;
  only.isLinear = false;
  only.lower = only.upper = std::nullopt;
  return isFirst || isSecond ? only : ofType(expr->type);
}

Value Interpreter::evaluateCall(const ExprRef &expr, State &state) {
  std::vector<Value> values;
  for (const ExprRef &operand : expr->operands)
    values.push_back(evaluate(operand, state));
  if (!isNumber(expr->type))
    return {};
  Value any = ofType(expr->type);
  if (!expr->isElementwiseBuiltin)
    return any;
  for (const ExprRef &operand : expr->operands)
    if (!isNumber(operand->type))
      return any;
  auto smaller = [](const Bounds &a, const Bounds &b) {
    return Bounds{std::min(a.least, b.least), std::min(a.most, b.most)};
  };
  auto larger = [](const Bounds &a, const Bounds &b) {
    return Bounds{std::max(a.least, b.least), std::max(a.most, b.most)};
  };
  const std::string &name = expr->text;
  Value result;
  if (name == "min" && values.size() == 2) {
    result.bounds = smaller(values[0].bounds, values[1].bounds);
    return result;
  }
  if (name == "max" && values.size() == 2) {
    result.bounds = larger(values[0].bounds, values[1].bounds);
    return result;
  }
  if (name == "clamp" && values.size() == 3) {
    result.bounds =
        smaller(larger(values[0].bounds, values[1].bounds), values[2].bounds);
    return result;
  }
  bool isProduct = (name == "mul24" && values.size() == 2) ||
                   (name == "mad24" && values.size() == 3);
  if (isProduct) {
    Coefficient most = expr->type.isUnsigned() ? (1 << 24) - 1 : (1 << 23) - 1;
    Coefficient least = expr->type.isUnsigned() ? 0 : -(1 << 23);
    for (unsigned i : {0, 1})
      if (values[i].bounds.least < least || values[i].bounds.most > most) {
        wrapped.insert(expr.get());
        return any;
      }
    result = arithmetic(Op::Mul, values[0], values[1], state);
    if (values.size() == 3)
      result = arithmetic(Op::Add, result, values[2], state);
    return fit(expr, expr->type, true, result);
  }
  bool isConversion = expr->family == CallFamily::Convert &&
                      name.find("_sat") == std::string::npos &&
                      values.size() == 1;
  if (isConversion)
    return fit(expr, expr->type, true, values[0]);
  return any;
}

Value Interpreter::evaluateAssign(const ExprRef &expr, State &state) {
  const ExprRef &target = expr->operands[0], &source = expr->operands[1];
  const Variable *var =
      target->kind == ExprKind::VarRef ? target->var : nullptr;
  if (expr->op == Op::None && var) {
    assign(var, source, state);
  } else {
    Value before = evaluate(target, state);
    Value amount = evaluate(source, state);
    if (var) {
      Value after;
      bool isKnown = isNumber(var->type) && isNumber(source->type) &&
                     isNumber(expr->computeType) && !hasEffects(source);
      after = isNumber(var->type) ? ofType(var->type) : Value();
      if (isKnown && expr->op != Op::None) {
        // The operands are converted to the type of the operation first.
        before = fit(expr, expr->computeType, true, before);
        amount = fit(expr, expr->computeType, true, amount);
        bool mayWrap = expr->computeType.isUnsigned() || expr->op == Op::Shl;
        after = fit(expr, expr->computeType, mayWrap,
                    arithmetic(expr->op, before, amount, state));
        after = fit(expr, var->type, true, after);
      }
      assignValue(var, after, state);
    }
  }
  if (!isNumber(expr->type))
    return {};
  std::optional<ppl::Variable> dim =
      var ? dimensionOf(var) : std::optional<ppl::Variable>();
  return dim ? linear(Linear_Expression(*dim), state) : ofType(expr->type);
}

} // namespace clopt::range
