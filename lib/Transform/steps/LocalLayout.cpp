//===- LocalLayout.cpp - other layouts of the author's local arrays -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `layout t transpose local` keeps `t[i][j]` of the author's `t[R][C]`
// where `t[j][i]` of a `t[C][R]` would be; `layout t planes local` keeps the
// components of an array of vectors apart, all first ones, then all second
// ones. Both take exactly the bytes of the array as declared, so the author's
// body may use it as before.
//
// Legal for any subscripts, affine or not, as `pad` is: another place for every
// cell is only another layout, as long as all accesses use it. A cell in planes
// is several accesses: its subscripts are evaluated for each of them, and must
// neither have effects nor come from the array itself; and the value of storing
// a whole cell must not be used.
//
// Tested by test/unit/LocalLayoutTest.cpp, test/lit/layout/own-local.test.
//
//===----------------------------------------------------------------------===//

#include "Analysis/memory/LocalCells.h"
#include "Transform/Steps.h"
#include "Transform/steps/LocalMentions.h"

#include <set>

namespace clopt {

namespace {

/// Looks for what cannot be done to cells in planes.
class PlaneMentions {
public:
  explicit PlaneMentions(const Variable *theVariable) : variable(theVariable) {}
  void visit(const StmtRef &stmt);
  StepResult refusal;

private:
  void addStatement(const ExprRef &expr);
  void check(const ExprRef &expr);
  void checkStore(const ExprRef &expr, const ExprRef &target, bool isWhole);
  void checkIndices(const ExprRef &cell);
  bool isCell(const ExprRef &expr) const {
    return expr && cellVariable(*expr) == variable;
  }
  void refuseOnce(const std::string &message, const SourceRange &range);

  const Variable *variable;
  std::set<const Expr *> statements; ///< expressions of unused value
};

} // namespace

void PlaneMentions::refuseOnce(const std::string &message,
                               const SourceRange &range) {
  if (!refusal)
    refusal = refuse("clopt-opaque-code", message, "", range);
}

void PlaneMentions::addStatement(const ExprRef &expr) {
  if (!expr)
    return;
  statements.insert(expr.get());
  if (expr->kind == ExprKind::Binary && expr->op == Op::Comma)
    for (const ExprRef &operand : expr->operands)
      addStatement(operand);
}

void PlaneMentions::checkIndices(const ExprRef &cell) {
  for (const ExprRef &index : cellIndices(*cell, variable))
    forEachExpr(index, [&](const ExprRef &part) {
      if (part->kind == ExprKind::VarRef && part->var == variable)
        refuseOnce("a subscript of '" + variable->name +
                       "' comes from the array itself",
                   index->range);
    });
}

/// Of one component, or of a whole cell as a statement of its own.
void PlaneMentions::checkStore(const ExprRef &expr, const ExprRef &target,
                               bool mayBeWhole) {
  if (target->kind == ExprKind::Swizzle && isCell(target->operands[0]) &&
      target->components.size() != 1)
    refuseOnce("several components of a cell of '" + variable->name +
                   "' are stored at once",
               expr->range);
  if (isCell(target) && (!mayBeWhole || !statements.count(expr.get())))
    refuseOnce("a cell of '" + variable->name +
                   "' is stored within an expression",
               expr->range);
}

void PlaneMentions::check(const ExprRef &expr) {
  if (expr->kind == ExprKind::Assign)
    checkStore(expr, expr->operands[0], true);
  else if (expr->kind == ExprKind::Unary && isStep(expr->op))
    checkStore(expr, expr->operands[0], false);
  else if (expr->kind == ExprKind::Call && expr->effect == CallEffect::Atomic)
    refuseOnce("the kernel has atomic accesses", expr->range);
  if (expr->kind == ExprKind::Subscript && isCell(expr->operands[0]))
    refuseOnce("a component of a cell of '" + variable->name +
                   "' is chosen by an index",
               expr->range);
  if (isCell(expr))
    checkIndices(expr);
}

void PlaneMentions::visit(const StmtRef &stmt) {
  forEachStmt(stmt, [&](const StmtRef &inner) {
    if (inner->kind == StmtKind::Expr)
      addStatement(inner->expr);
    addStatement(inner->inc);
    for (const ExprRef &expr : {inner->expr, inner->inc})
      if (expr)
        forEachExpr(expr, [&](const ExprRef &part) { check(part); });
  });
}

static StepResult checkLayout(const TransformedKernel &kernel,
                              const Array &info, unsigned array,
                              LocalLayout::Kind kind) {
  const Type &element = arrayElement(info.var->type);
  if (kind == LocalLayout::Kind::Planes && !element.isVector())
    return refuse("clopt-not-profitable",
                  "the cells of '" + info.name + "' are no vectors");
  if (kind == LocalLayout::Kind::Transposed &&
      (arrayDepth(info.var->type) != 2 || !element.isScalar()))
    return refuse("clopt-not-profitable",
                  "'" + info.name + "' has no rows and columns of scalars");
  if (element.isVolatile)
    return refuse("clopt-ordered-effect",
                  "'" + info.name + "' is accessed in a fixed order");
  if (kernel.paddingOf(array))
    return refuse("clopt-not-profitable",
                  "the rows of '" + info.name +
                      "' are longer than they are declared, and a layout takes "
                      "the bytes of the array as declared",
                  "", info.var->range);
  if (const LocalLayout *other = kernel.layoutOf(array))
    return refuse("clopt-not-profitable",
                  other->kind == LocalLayout::Kind::Planes
                      ? "the components of '" + info.name + "' lie in planes"
                      : "the rows of '" + info.name + "' lie as columns",
                  "", info.var->range);
  return std::nullopt;
}

bool isOwnLocalArray(const Array &array) {
  return array.space == AddressSpace::Local && array.var &&
         array.var->type.isArray() && !array.var->isParam &&
         arrayCells(array.var->type) > 0;
}

StepResult layoutOwnLocal(TransformedKernel &kernel, unsigned array,
                          LocalLayout::Kind kind) {
  const Array &info = kernel.model->arrays[array];
  if (StepResult refusal = checkLayout(kernel, info, array, kind))
    return refusal;
  const bool isPlanes = kind == LocalLayout::Kind::Planes;
  if (StepResult refusal = checkMentions(*kernel.model, info.var, isPlanes))
    return refusal;
  if (isPlanes) {
    PlaneMentions mentions(info.var);
    mentions.visit(kernel.model->function->body);
    if (mentions.refusal)
      return mentions.refusal;
  }
  LocalLayout layout;
  layout.kind = kind;
  layout.array = array;
  TransformedKernel trial = kernel;
  trial.localLayouts.push_back(layout);
  if (StepResult refusal = planesFitRegisters(trial))
    return refusal;
  kernel = std::move(trial);
  return std::nullopt;
}

StepResult planesFitRegisters(const TransformedKernel &kernel) {
  for (const ArrayTile &copy : kernel.registers())
    if (const LocalLayout *layout = kernel.layoutOf(copy.array);
        layout && layout->kind == LocalLayout::Kind::Planes)
      return refuse("clopt-not-profitable",
                    "registers hold whole cells of '" +
                        kernel.model->arrays[copy.array].name +
                        "', whose components lie in planes");
  return std::nullopt;
}

} // namespace clopt
