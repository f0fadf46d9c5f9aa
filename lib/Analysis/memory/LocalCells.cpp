//===- LocalCells.cpp - cells of the author's local arrays ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PadTest.cpp, test/unit/LocalLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/memory/LocalCells.h"

#include <isl/set.h>
#include <isl/val.h>

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

/// One more than the greatest subscript, when all are from 0 on.
static std::optional<int64_t> endOfDimension(const isl::set &cells,
                                             unsigned dim) {
  isl::val low = isl::manage(isl_set_dim_min_val(cells.copy(), dim));
  isl::val high = isl::manage(isl_set_dim_max_val(cells.copy(), dim));
  const int64_t most = int64_t(1) << 20;
  bool isBounded = isl_val_is_int(low.get()) && isl_val_is_int(high.get()) &&
                   isl_val_is_nonneg(low.get()) &&
                   isl_val_cmp_si(high.get(), most) < 0;
  if (!isBounded)
    return std::nullopt;
  return isl_val_get_num_si(high.get()) + 1;
}

std::optional<int64_t> reachedCells(const KernelModel &model, unsigned array) {
  const Array &info = model.arrays[array];
  const Type *pointee = info.var ? info.var->type.element.get() : nullptr;
  if (!pointee || info.rank == 0 || info.elementBytes != pointee->size ||
      !info.origin.isZero())
    return std::nullopt;
  int64_t row = 1;
  for (unsigned dim = 1; dim < info.rank; ++dim) {
    std::optional<int64_t> extent = info.extents[dim].asConstant();
    if (!extent || *extent <= 0 || *extent > (1 << 20))
      return std::nullopt;
    row *= *extent;
  }
  int64_t rows = 0;
  for (const Access &access : model.accesses) {
    if (access.array != array)
      continue;
    std::vector<ExprRef> indices;
    bool isCell = access.expr && access.expr->kind == ExprKind::Subscript &&
                  access.width == 1 &&
                  takeApart(*access.expr, indices) == info.var &&
                  indices.size() == 1;
    isl::set cells =
        access.relation.range().intersect_params(model.paramContext);
    if (isCell && cells.is_empty())
      continue;
    std::optional<int64_t> end;
    if (isCell)
      end = endOfDimension(cells, 0);
    if (!end)
      return std::nullopt;
    rows = std::max(rows, *end);
  }
  return rows * row;
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
