//===- LanePlanes.cpp - vectors that lanes hold by component --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector of lanes cannot hold vectors. Where every value of a variable is
// made component by component, `acc += a * b.x`, the lanes' first components
// are one vector, their second ones another. What moves components or looks at
// all of them, and what only some lanes do, needs the whole of each lane.
//
// Tested by test/unit/LanePlanesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/LanePlanes.h"

#include "Analysis/access/VectorBuiltins.h"

#include <algorithm>

namespace clopt {

bool hidesProduct(const ExprRef &expr, bool toVector) {
  if (expr->type.isInteger())
    return false;
  const Expr *term = expr.get();
  bool isInside = toVector && expr->type.isScalar();
  while (term->kind == ExprKind::Cast || term->kind == ExprKind::Swizzle) {
    isInside |= term->kind == ExprKind::Swizzle ||
                term->type.kind != term->operands[0]->type.kind;
    term = term->operands[0].get();
  }
  if (term->kind == ExprKind::VectorLiteral)
    return std::any_of(term->operands.begin(), term->operands.end(),
                       [](const ExprRef &operand) {
                         const Expr *below = belowCasts(operand.get());
                         return (below->kind == ExprKind::Binary &&
                                 below->op == Op::Mul) ||
                                hidesProduct(operand);
                       });
  return isInside && term->kind == ExprKind::Binary && term->op == Op::Mul;
}

namespace {

class PlaneFinder {
public:
  PlaneFinder(const TransformedKernel &transformed, const Divergence &allLanes)
      : kernel(transformed), model(*transformed.model), divergence(allLanes) {}
  std::set<const Variable *> find();

private:
  bool isCandidate(const Variable &variable) const;
  bool isByComponent(const ExprRef &expr) const;
  bool isByComponent(Op op, const ExprRef &operand) const;
  void removeFrom(const Statement &statement);

  const TransformedKernel &kernel;
  const KernelModel &model;
  const Divergence &divergence;
  std::set<const Variable *> planes;
};

bool PlaneFinder::isCandidate(const Variable &variable) const {
  return variable.type.isVector() && !variable.type.isVolatile &&
         variable.space == AddressSpace::Private && !variable.isParam &&
         !variable.isFileScope && !variable.addressTaken &&
         variable.type.scalar != ScalarKind::Half &&
         divergence.ofVariable(&variable).isVector();
}

/// Every component of the value is made of the same component of its operands,
/// or of scalars.
bool PlaneFinder::isByComponent(const ExprRef &expr) const {
  auto areAll = [&] {
    return std::all_of(
        expr->operands.begin(), expr->operands.end(),
        [&](const ExprRef &operand) { return isByComponent(operand); });
  };
  if (expr->type.isScalar() || !(divergence.ofExpr(expr) & LaneBit))
    return true;
  if (!expr->type.isVector())
    return false;
  switch (expr->kind) {
  case ExprKind::VarRef:
    return true;
  case ExprKind::Subscript:
    return model.reads.count(expr.get()) != 0;
  case ExprKind::Swizzle:
    return model.reads.count(expr.get()) != 0 || areAll();
  case ExprKind::VectorLiteral:
    return areAll();
  case ExprKind::Cast:
    return expr->operands[0]->type.scalar == expr->type.scalar && areAll();
  case ExprKind::Unary:
    return expr->op == Op::Neg && areAll();
  case ExprKind::Binary:
    return isByComponent(expr->op, expr->operands[0]) &&
           isByComponent(expr->op, expr->operands[1]);
  case ExprKind::Call:
    return expr->effect == CallEffect::Pure && areAll() &&
           vectorBuiltin(*expr, expr->type.lanes, model.unit->unsafeMath);
  default:
    return false;
  }
}

/// The same for an operand of `op`.
bool PlaneFinder::isByComponent(Op op, const ExprRef &operand) const {
  const bool isSum = op == Op::Add || op == Op::Sub;
  return (op == Op::None || isSum || op == Op::Mul || op == Op::Div) &&
         !(isSum && hidesProduct(operand, true)) && isByComponent(operand);
}

static const Variable *variableOf(const Expr &expr) {
  return expr.kind == ExprKind::VarRef ? expr.var : nullptr;
}

void PlaneFinder::removeFrom(const Statement &statement) {
  const StmtRef root(StmtRef(), statement.stmt);
  const bool isTogether =
      !statement.isCompound || runsTogether(kernel, divergence, root);
  std::set<const Expr *> plain; // assignments that are statements
  forEachStmt(root, [&](const StmtRef &stmt) {
    if (stmt->kind == StmtKind::Expr && isTogether)
      plain.insert(stmt->expr.get());
    if (stmt->kind == StmtKind::Decl && stmt->var &&
        (!isTogether || (stmt->expr && !isByComponent(stmt->expr))))
      planes.erase(stmt->var);
  });
  forEachExpr(root, [&](const ExprRef &expr) {
    if (expr->kind == ExprKind::Assign) {
      const Expr &target = *expr->operands[0];
      const bool isPart = target.kind == ExprKind::Swizzle;
      const Variable *variable =
          variableOf(isPart ? *target.operands[0] : target);
      const bool isOne = isPart && target.components.size() == 1;
      if (variable && !isOne &&
          !(plain.count(expr.get()) &&
            isByComponent(expr->op, expr->operands[1])))
        planes.erase(variable);
    }
    // `v[k]`: which component is not known before.
    const bool changes =
        expr->kind == ExprKind::Opaque ||
        (expr->kind == ExprKind::Subscript &&
         belowCasts(expr->operands[0].get())->type.isVector()) ||
        (expr->kind == ExprKind::Unary &&
         (isStep(expr->op) || expr->op == Op::AddrOf));
    if (changes)
      for (const ExprRef &operand : expr->operands)
        forEachExpr(operand, [&](const ExprRef &below) {
          planes.erase(variableOf(*below));
        });
  });
}

std::set<const Variable *> PlaneFinder::find() {
  for (const Array &array : model.arrays)
    if (array.var && isCandidate(*array.var))
      planes.insert(array.var);
  // Partial results of lanes have names of their own.
  for (const ReductionAccumulator &partial : kernel.partials)
    planes.erase(model.arrays[partial.array].var);
  for (const Statement &statement : model.statements)
    if (statement.stmt && !planes.empty())
      removeFrom(statement);
  return planes;
}

} // namespace

bool Divergence::isPlanes(const Variable *variable) const {
  if (!planes)
    planes = planeVariables(kernel, *this);
  return planes->count(variable) != 0;
}

std::set<const Variable *> planeVariables(const TransformedKernel &kernel,
                                          const Divergence &divergence) {
  return PlaneFinder(kernel, divergence).find();
}

} // namespace clopt
