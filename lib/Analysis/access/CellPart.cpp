//===- CellPart.cpp - which part of a cell an access names ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/CellPartTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/CellPart.h"

#include <algorithm>

namespace clopt {

/// Components of components: `.zw` of `.xyz` does not exist, `.y` of `.zw` is
/// component 3.
static std::vector<unsigned> chosen(const std::vector<unsigned> &outer,
                                    const std::vector<unsigned> &own) {
  if (outer.empty())
    return own;
  std::vector<unsigned> result;
  for (unsigned component : own)
    result.push_back(component < outer.size() ? outer[component] : 0);
  return result;
}

/// `*p++` moves the pointer: who names the cell otherwise loses that.
static bool findsCellOnly(const Expr &expr) {
  return std::all_of(expr.operands.begin(), expr.operands.end(),
                     isSideEffectFree);
}

std::optional<CellPart> partOfCell(const Expr &expr) {
  std::optional<CellPart> whole;
  if (findsCellOnly(expr))
    whole.emplace();
  switch (expr.kind) {
  case ExprKind::Subscript:
    // `v[1]` of a vector chooses a component by an index.
    return expr.operands[0]->type.isVector() ? std::nullopt : whole;
  case ExprKind::Unary:
    return expr.op == Op::Deref ? whole : std::nullopt;
  case ExprKind::Member: {
    std::optional<CellPart> part =
        expr.arrow ? whole : partOfCell(*expr.operands[0]);
    if (!part || !part->components.empty())
      return std::nullopt;
    part->text += "." + expr.text;
    return part;
  }
  case ExprKind::Swizzle: {
    std::optional<CellPart> part = partOfCell(*expr.operands[0]);
    if (!part)
      return std::nullopt;
    // A member's vector is not the cell's.
    if (part->text.empty() || !part->components.empty())
      part->components = chosen(part->components, expr.components);
    part->text += "." + expr.text;
    return part;
  }
  default:
    return std::nullopt;
  }
}

bool hasPlainCells(const Array &array) {
  const Type &type = array.elementType;
  return (type.isScalar() || type.isVector()) &&
         array.elementBytes == type.size;
}

bool hasWholeCells(const Array &array) {
  const Type &type = array.elementType;
  bool isStruct = type.kind == TypeKind::Struct && type.size > 0 &&
                  array.elementBytes == type.size;
  return hasPlainCells(array) || isStruct;
}

bool takesWholeCells(const Array &array, const Access &access) {
  if (access.width == 1)
    return !access.expr || partOfCell(*access.expr);
  const Expr *vector = access.expr;
  if (!vector || access.isWrite || !array.elementType.isScalar())
    return false;
  while (vector->kind == ExprKind::Swizzle)
    vector = vector->operands[0].get();
  const Type &type = vector->type;
  const bool isLoad = vector->kind == ExprKind::Call &&
                      vector->text == "vload" + std::to_string(access.width) &&
                      findsCellOnly(*vector);
  return type.isVector() && type.lanes == access.width &&
         type.scalar == array.elementType.scalar &&
         (isLoad || partOfCell(*access.expr));
}

unsigned cellWords(const Array &array) {
  return std::max(1u, (array.elementBytes + 3) / 4);
}

} // namespace clopt
