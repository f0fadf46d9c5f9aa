//===- Conversions.cpp - chains of conversions of a cell ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ConversionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Conversions.h"

namespace clopt {

/// True when every value of the integer type `from` is one of `to`.
static bool hasAllValues(const Type &to, const Type &from) {
  if (to.scalar == ScalarKind::Bool || from.scalar == ScalarKind::Bool)
    return to.scalar == from.scalar;
  if (to.isUnsigned() == from.isUnsigned())
    return sizeOf(to.scalar) >= sizeOf(from.scalar);
  return from.isUnsigned() && sizeOf(to.scalar) > sizeOf(from.scalar);
}

const Expr *convertedInteger(const Expr &expr) {
  if (expr.kind != ExprKind::Cast || !expr.type.isScalar() ||
      !expr.type.isFloating())
    return nullptr;
  const Expr *node = expr.operands[0].get();
  const Expr *outermost = node;
  while (node->kind == ExprKind::Cast)
    node = node->operands[0].get();
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
