//===- PrintedNumbers.cpp - what hooks make constant ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ExprPrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/PrintedNumbers.h"

#include <algorithm>
#include <cstdlib>

namespace clopt {

/// Operands deeper than this are not looked at, so that long expressions take
/// linear time.
static constexpr unsigned deepest = 8;

static bool isInt(const Type &type) {
  return type.isScalar() && type.scalar == ScalarKind::Int;
}

bool PrintedNumbers::isIntegerSum(const Expr &node) {
  return node.kind == ExprKind::Binary && node.type.isInteger() &&
         (node.op == Op::Add || node.op == Op::Sub);
}

/// True when the expression only names values, so that it can be left out.
static bool onlyNames(const Expr &node) {
  bool isPlain = node.kind == ExprKind::IntLiteral ||
                 node.kind == ExprKind::VarRef ||
                 node.kind == ExprKind::WorkItem ||
                 node.kind == ExprKind::Cast || node.kind == ExprKind::Binary;
  return isPlain && std::all_of(node.operands.begin(), node.operands.end(),
                                [](const ExprRef &operand) {
                                  return onlyNames(*operand);
                                });
}

/// The number that is printed for a variable, as in a loop that is written out.
std::string PrintedNumbers::nameText(const ExprRef &ref) const {
  if (withoutCasts(ref)->kind != ExprKind::VarRef)
    return "";
  std::string text = printExpr(ref, hooks);
  text.erase(text.find_last_not_of("UL") + 1); // of other types than `int`
  bool isNumber = text.size() < 10 &&
                  text.find_first_not_of("-0123456789") == std::string::npos;
  return isNumber ? text : "";
}

std::string PrintedNumbers::textOf(const ExprRef &ref) const {
  const Expr &node = *withoutCasts(ref);
  if (node.kind == ExprKind::VarRef)
    return nameText(ref);
  std::optional<int64_t> value = valueOf(node);
  return value ? std::to_string(*value) : "";
}

/// `k * x` and `x * k` in `int` where k, or a factor of it, is printed as 0.
bool PrintedNumbers::isZeroProduct(const Expr &node) const {
  if (node.kind != ExprKind::Binary || node.op != Op::Mul ||
      !isInt(node.type) || !onlyNames(node))
    return false;
  return std::any_of(
      node.operands.begin(), node.operands.end(), [this](const ExprRef &ref) {
        return nameText(ref) == "0" || isZeroProduct(*withoutCasts(ref));
      });
}

static std::optional<int64_t> compute(Op op, int64_t a, int64_t b) {
  switch (op) {
  case Op::Add:
    return a + b;
  case Op::Sub:
    return a - b;
  case Op::Mul:
    return a * b;
  case Op::Div:
    return b == 0 ? std::nullopt : std::optional<int64_t>(a / b);
  case Op::Rem:
    return b == 0 ? std::nullopt : std::optional<int64_t>(a % b);
  default:
    return std::nullopt;
  }
}

static bool fitsInt(int64_t value) {
  return value > -2147483648LL && value <= 2147483647LL;
}

std::optional<PrintedNumbers::Number>
PrintedNumbers::resultOf(const Expr &node, unsigned depth) const {
  std::optional<Number> left =
      numberOf(*withoutCasts(node.operands[0]), depth + 1);
  if (!left)
    return std::nullopt;
  if (node.kind == ExprKind::Unary)
    return Number{-left->value, left->isPrinted};
  std::optional<Number> right =
      numberOf(*withoutCasts(node.operands[1]), depth + 1);
  std::optional<int64_t> value =
      right ? compute(node.op, left->value, right->value) : std::nullopt;
  if (!value || !fitsInt(*value))
    return std::nullopt;
  return Number{*value, left->isPrinted || right->isPrinted};
}

std::optional<PrintedNumbers::Number>
PrintedNumbers::numberOf(const Expr &node, unsigned depth) const {
  if (depth > deepest || !isInt(node.type))
    return std::nullopt;
  if (node.kind == ExprKind::IntLiteral && node.intValue <= 2147483647)
    return Number{static_cast<int64_t>(node.intValue), false};
  if (node.kind == ExprKind::VarRef) {
    std::string text = nameText(ExprRef(ExprRef(), &node));
    if (text.empty())
      return std::nullopt;
    return Number{std::strtoll(text.c_str(), nullptr, 10), true};
  }
  bool isMinus = node.kind == ExprKind::Unary && node.op == Op::Neg;
  if (node.kind != ExprKind::Binary && !isMinus)
    return std::nullopt;
  // A hook that has a text of its own for a part of it knows better.
  if (depth > 0 && hooks.expr && hooks.expr(node))
    return std::nullopt;
  return resultOf(node, depth);
}

std::optional<int64_t> PrintedNumbers::valueOf(const Expr &node) const {
  if (node.kind != ExprKind::Binary && node.kind != ExprKind::Unary)
    return std::nullopt;
  if (isZeroProduct(node))
    return 0;
  std::optional<Number> number = numberOf(node, 0);
  if (!number || !number->isPrinted)
    return std::nullopt;
  return number->value;
}

std::optional<PrintedNumbers::Sum>
PrintedNumbers::sumOf(const Expr &node) const {
  const Expr *base = &node;
  int64_t constant = 0;
  unsigned numbers = 0;
  bool isPrinted = false;
  while (isIntegerSum(*base) && isInt(base->type) && numbers < deepest) {
    if (base != &node && hooks.expr && hooks.expr(*base))
      break;
    std::optional<Number> last = numberOf(*withoutCasts(base->operands[1]), 1);
    const Expr &rest = *withoutCasts(base->operands[0]);
    if (!last || !isInt(rest.type))
      break;
    constant += base->op == Op::Add ? last->value : -last->value;
    isPrinted |= last->isPrinted;
    ++numbers;
    base = &rest;
  }
  if (numbers < 2 || !isPrinted || !fitsInt(constant))
    return std::nullopt;
  return Sum{base, constant};
}

const Expr *PrintedNumbers::withoutNeutral(const Expr *node) const {
  bool isProduct = node->kind == ExprKind::Binary && node->op == Op::Mul &&
                   node->type.isInteger();
  if (!isIntegerSum(*node) && !isProduct)
    return node;
  auto isNeutral = [&](const ExprRef &ref) {
    return textOf(ref) == (isProduct ? "1" : "0");
  };
  bool isRight = isNeutral(node->operands[1]);
  if (!isRight && (node->op == Op::Sub || !isNeutral(node->operands[0])))
    return node;
  const ExprRef &kept = node->operands[isRight ? 0 : 1];
  const Type &type = withoutCasts(kept)->type;
  bool isSame = type.kind == node->type.kind &&
                type.scalar == node->type.scalar &&
                type.lanes == node->type.lanes;
  return isSame ? kept.get() : node;
}

} // namespace clopt
