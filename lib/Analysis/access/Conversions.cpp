//===- Conversions.cpp - chains of conversions of a cell ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ConversionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Conversions.h"

namespace clopt {

/// True when every value of the integer type `from` is one of `to`.
static bool hasAllValues(const Type &to, const Type &from) {
  if (to.scalar == ScalarKind::Bool || from.scalar == ScalarKind::Bool)
    return to.scalar == from.scalar;
  if (to.isUnsigned() == from.isUnsigned())
    return sizeOf(to.scalar) >= sizeOf(from.scalar);
  return from.isUnsigned() && sizeOf(to.scalar) > sizeOf(from.scalar);
}

/// `convert_float4(cell)`: no conversion but that of the whole value, rounded
/// as C does it.
static const Expr *convertedByCall(const Expr &expr) {
  const bool isConversion =
      expr.kind == ExprKind::Call && expr.operands.size() == 1 &&
      expr.type.isFloating() && expr.effect == CallEffect::Pure &&
      expr.text == "convert_" + typeName(expr.type.scalar, expr.type.lanes);
  const Expr *node = isConversion ? expr.operands[0].get() : nullptr;
  return node && node->type.isInteger() && node->type.lanes == expr.type.lanes
             ? node
             : nullptr;
}

const Expr *convertedInteger(const Expr &expr) {
  if (expr.kind == ExprKind::Call)
    return convertedByCall(expr);
  if (expr.kind != ExprKind::Cast || !expr.type.isScalar() ||
      !expr.type.isFloating())
    return nullptr;
  const Expr *node = expr.operands[0].get();
  const Expr *outermost = node;
  node = belowCasts(node);
  if (!node->type.isScalar() || !node->type.isInteger())
    return nullptr;
  for (const Expr *cast = outermost; cast != node;
       cast = cast->operands[0].get())
    if (!cast->type.isScalar() || !cast->type.isInteger() ||
        !hasAllValues(cast->type, cast->operands[0]->type))
      return nullptr;
  return node;
}

} // namespace clopt
