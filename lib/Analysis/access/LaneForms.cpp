//===- LaneForms.cpp - what statements are over lanes ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LaneFormsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/LaneForms.h"

#include <algorithm>

namespace clopt {

bool isLaneType(const Type &type) {
  return type.isScalar() && type.scalar != ScalarKind::Bool &&
         type.scalar != ScalarKind::Half;
}

const Type &laneTypeOf(const KernelModel &model, const Access &access) {
  const Expr *call = access.expr;
  if (call && call->family == CallFamily::LoadHalf)
    return call->type;
  if (call && call->family == CallFamily::StoreHalf)
    return call->operands[0]->type;
  return model.arrays[access.array].elementType;
}

OperandVariation variationOf(const Type &element,
                             const std::optional<Polynomial> &stride) {
  const std::optional<int64_t> constant =
      stride ? stride->asConstant() : std::nullopt;
  if (constant == 0)
    return OperandVariation::Uniform;
  if (!constant || !isLaneType(element))
    return OperandVariation::Other;
  return *constant == 1 ? OperandVariation::Consecutive
                        : OperandVariation::Strided;
}

static bool isMemory(const Array &array) {
  return array.space != AddressSpace::Private;
}

/// True for cells that one vector, or a few, hold for all lanes.
static bool isVectorCell(const TransformedKernel &kernel,
                         const Divergence &divergence, const Expr &cell) {
  const KernelModel &model = *kernel.model;
  const Access *access = model.accessOf(cell);
  if (!access)
    return false;
  const Array &array = model.arrays[access->array];
  if (!isMemory(array) || kernel.registersOf(access->id))
    return true;
  if (!access->offset)
    return false;
  const OperandVariation variation =
      variationOf(array.elementType, divergence.laneStrideOf(*access->offset));
  return variation == OperandVariation::Consecutive ||
         variation == OperandVariation::Strided;
}

/// True when lanes compute something, or move what vectors hold. Addresses do
/// not count: each lane that has one of its own computes it for itself.
static bool hasVectorPart(const TransformedKernel &kernel,
                          const Divergence &divergence, const ExprRef &expr) {
  if (!expr || !(divergence.ofExpr(expr) & LaneBit))
    return false;
  if (expr->kind == ExprKind::VarRef)
    return divergence.ofVariable(expr->var).isVector() &&
           (!expr->type.hasParts() || divergence.isPlanes(expr->var));
  if (expr->kind == ExprKind::Subscript || expr->kind == ExprKind::Member ||
      (expr->kind == ExprKind::Unary && expr->op == Op::Deref))
    return isVectorCell(kernel, divergence, *expr);
  const bool isOperation =
      expr->kind == ExprKind::Binary || expr->kind == ExprKind::Unary ||
      expr->kind == ExprKind::Conditional || expr->kind == ExprKind::Call ||
      (expr->kind == ExprKind::Assign && expr->op != Op::None);
  return (isOperation && isLaneType(expr->type)) ||
         std::any_of(expr->operands.begin(), expr->operands.end(),
                     [&](const ExprRef &operand) {
                       return hasVectorPart(kernel, divergence, operand);
                     });
}

bool hasLaneForm(const TransformedKernel &kernel, const Divergence &divergence,
                 const Statement &statement) {
  const KernelModel &model = *kernel.model;
  const bool isUnknown = statement.isOpaque && !statement.isBarrier;
  if (!statement.stmt || isUnknown || divergence.isInOrder(statement))
    return false;
  const StmtRef stmt(StmtRef(), statement.stmt);
  if (!(divergence.ofStmt(stmt) & LaneBit))
    return true;
  if (statement.isCompound && !runsTogether(kernel, divergence, stmt))
    return false;
  bool stores = false, isTogether = false;
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    const Array &array = model.arrays[access.array];
    // Vectors and structs have no vectors of lanes.
    if (access.isWrite && array.elementType.hasParts() && !isMemory(array) &&
        !divergence.isPlanes(array.var))
      return false;
    if (!access.isWrite || !isMemory(array) || kernel.registersOf(id))
      continue;
    const Type &type = laneTypeOf(model, access);
    if (!isLaneType(type))
      return false;
    // Halves that lie apart are converted one by one.
    const bool isConverted = &type != &array.elementType;
    if (isConverted && (!access.offset || divergence.laneStrideOf(
                                              *access.offset) != Polynomial(1)))
      return false;
    stores = true;
  }
  // What looks at all components of a vector does so lane by lane.
  bool isWhole = false;
  forEachExpr(stmt, [&](const ExprRef &expr) {
    isWhole |= expr->kind == ExprKind::Call && expr->type.isScalar() &&
               (divergence.ofExpr(expr) & LaneBit) &&
               std::any_of(expr->operands.begin(), expr->operands.end(),
                           [](const ExprRef &operand) {
                             return operand->type.isVector();
                           });
  });
  if (isWhole)
    return false;
  forEachStmt(stmt, [&](const StmtRef &part) {
    isTogether |= hasVectorPart(kernel, divergence, part->expr);
  });
  return isTogether || !stores;
}

bool hasVectors(const TransformedKernel &kernel, const ScheduleNode &region,
                const LaneAxis &axis) {
  const KernelModel &model = *kernel.model;
  const Divergence divergence(kernel, region, axis, 0);
  // Integers that advance by a known amount per lane stay scalars.
  auto isVector = [&](unsigned id) {
    const Access &access = model.accesses[id];
    const Array &array = model.arrays[access.array];
    return access.isWrite && (isMemory(array) || !array.var ||
                              divergence.ofVariable(array.var).isVector());
  };
  return std::any_of(
      model.statements.begin(), model.statements.end(),
      [&](const Statement &statement) {
        const std::vector<SymbolId> &around = statement.coordinates;
        const std::vector<unsigned> &accesses = statement.accesses;
        return statement.stmt &&
               std::count(around.begin(), around.end(), axis.symbol) &&
               (divergence.ofStmt(StmtRef(StmtRef(), statement.stmt)) &
                LaneBit) &&
               std::any_of(accesses.begin(), accesses.end(), isVector) &&
               hasLaneForm(kernel, divergence, statement);
      });
}

} // namespace clopt
