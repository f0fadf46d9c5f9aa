//===- LocalCells.cpp - cells of the author's local arrays ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PadTest.cpp, test/unit/LocalLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/LocalCells.h"

#include <algorithm>

namespace clopt {

unsigned arrayDepth(const Type &type) {
  unsigned depth = 0;
  for (const Type *t = &type; t->isArray(); t = t->element.get())
    ++depth;
  return depth;
}

int64_t arrayCells(const Type &type) {
  int64_t cells = 1;
  for (const Type *t = &type; t->isArray(); t = t->element.get())
    cells *= static_cast<int64_t>(t->extent);
  return cells;
}

const Type &arrayElement(const Type &type) {
  const Type *t = &type;
  while (t->isArray())
    t = t->element.get();
  return *t;
}

/// The variable below the subscripts, and the subscripts, last first.
static const Variable *takeApart(const Expr &expr,
                                 std::vector<ExprRef> &indices) {
  const Expr *at = &expr;
  for (;;) {
    if (at->kind == ExprKind::Subscript) {
      indices.push_back(at->operands[1]);
      at = at->operands[0].get();
    } else if (at->kind == ExprKind::Cast && at->implicit) {
      at = at->operands[0].get();
    } else {
      return at->kind == ExprKind::VarRef ? at->var : nullptr;
    }
  }
}

const Variable *cellVariable(const Expr &expr) {
  std::vector<ExprRef> indices;
  if (expr.kind != ExprKind::Subscript)
    return nullptr;
  const Variable *variable = takeApart(expr, indices);
  return variable && variable->type.isArray() &&
                 indices.size() == arrayDepth(variable->type)
             ? variable
             : nullptr;
}

std::vector<ExprRef> cellIndices(const Expr &expr, const Variable *variable) {
  std::vector<ExprRef> indices;
  if (!variable || cellVariable(expr) != variable)
    return indices;
  takeApart(expr, indices);
  std::reverse(indices.begin(), indices.end());
  return indices;
}

} // namespace clopt
