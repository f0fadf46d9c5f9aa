//===- LaneFlow.cpp - strides of subscripts the model has no value for ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/AccessSummaryTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/LaneFlow.h"

#include "Analysis/access/AccessPattern.h"
#include "Model/Control.h"

#include <map>

using namespace clopt;

namespace {

/// Differences between neighbours, of expressions and of variables.
class LaneFlow {
public:
  LaneFlow(const KernelModel &kernel, SymbolId along)
      : model(kernel), axis(along) {}

  std::optional<Polynomial> of(const ExprRef &expr);

private:
  std::optional<Polynomial> ofVariable(const Variable *var);
  std::optional<Polynomial> ofBinary(const Expr &expr);
  std::optional<Polynomial> ofProduct(const ExprRef &left,
                                      const ExprRef &right);
  std::optional<Polynomial> valueOf(const ExprRef &expr) const;

  const KernelModel &model;
  SymbolId axis;
  /// Nothing for a variable that is being followed, too.
  std::map<const Variable *, std::optional<Polynomial>> known;
};

/// Collects how one variable gets its values.
class Definitions {
public:
  explicit Definitions(const Variable *variable) : var(variable) {}

  void walk(const StmtRef &stmt, bool isConditional, bool isSkippable);

  std::vector<ExprRef> initial;    ///< values it is set to
  std::vector<ExprRef> increments; ///< values added to it or taken from it
  /// Something that does not happen to all neighbours alike.
  bool isUneven = false;

private:
  void visit(const ExprRef &expr, bool isConditional);
  void visitOne(const Expr &expr, bool isConditional);
  bool isVariable(const ExprRef &expr) const {
    return expr->kind == ExprKind::VarRef && expr->var == var;
  }

  const Variable *var;
};

} // namespace

//===-- Definitions -------------------------------------------------------===//

void Definitions::visitOne(const Expr &expr, bool isConditional) {
  if (expr.operands.empty() || !isVariable(expr.operands.front()))
    return;
  if (expr.kind == ExprKind::Assign) {
    isUneven |= isConditional;
    if (expr.op == Op::None)
      initial.push_back(expr.operands[1]);
    else if (expr.op == Op::Add || expr.op == Op::Sub)
      increments.push_back(expr.operands[1]);
    else
      isUneven = true;
  }
  if (expr.kind != ExprKind::Unary)
    return;
  isUneven |= expr.op == Op::AddrOf;
  if (isStep(expr.op))
    isUneven |= isConditional;
}

void Definitions::visit(const ExprRef &expr, bool isConditional) {
  if (!expr)
    return;
  forEachExpr(expr, [&](const ExprRef &part) {
    bool isLazy = part->kind == ExprKind::Conditional ||
                  part->kind == ExprKind::Opaque ||
                  (part->kind == ExprKind::Binary &&
                   (part->op == Op::LAnd || part->op == Op::LOr));
    // What a lazy operand does is seen again here, as conditional.
    if (isLazy)
      for (const ExprRef &operand : part->operands)
        forEachExpr(operand,
                    [&](const ExprRef &inner) { visitOne(*inner, true); });
    visitOne(*part, isConditional);
  });
}

/// `isSkippable`: a `continue` may leave out what follows.
void Definitions::walk(const StmtRef &stmt, bool isConditional,
                       bool isSkippable) {
  if (!stmt)
    return;
  bool isBranch = stmt->kind == StmtKind::If ||
                  stmt->kind == StmtKind::Switch ||
                  stmt->kind == StmtKind::Opaque;
  if (isLoop(*stmt)) {
    isSkippable = false;
    forEachStmt(stmt->body, [&](const StmtRef &inner) {
      isSkippable |= inner->kind == StmtKind::Continue;
    });
  }
  if (stmt->kind == StmtKind::Decl && stmt->var == var && stmt->expr)
    initial.push_back(stmt->expr);
  walk(stmt->init, isConditional, false);
  visit(stmt->expr, isConditional || stmt->kind == StmtKind::Opaque);
  visit(stmt->inc, isConditional);
  for (const StmtRef &child : stmt->children)
    walk(child, isConditional || isBranch || isSkippable, isSkippable);
  walk(stmt->body, isConditional || isBranch || (isLoop(*stmt) && isSkippable),
       isSkippable);
  walk(stmt->elseBody, true, isSkippable);
}

//===-- Differences -------------------------------------------------------===//

std::optional<Polynomial> LaneFlow::valueOf(const ExprRef &expr) const {
  auto value = model.values.find(expr.get());
  if (value == model.values.end() || value->second.overflow)
    return std::nullopt;
  return value->second;
}

std::optional<Polynomial> LaneFlow::of(const ExprRef &expr) {
  if (std::optional<Polynomial> value = valueOf(expr))
    if (auto stride = laneStride(model, *value, axis))
      return stride;
  switch (expr->kind) {
  case ExprKind::IntLiteral:
    return Polynomial();
  case ExprKind::Cast:
    return expr->type.isInteger() && expr->operands[0]->type.isInteger()
               ? of(expr->operands[0])
               : std::nullopt;
  case ExprKind::VarRef:
    return ofVariable(expr->var);
  case ExprKind::Binary:
    return ofBinary(*expr);
  default:
    return std::nullopt;
  }
}

std::optional<Polynomial> LaneFlow::ofProduct(const ExprRef &left,
                                              const ExprRef &right) {
  std::optional<Polynomial> factor = valueOf(left);
  if (!factor && left->kind == ExprKind::IntLiteral)
    factor = Polynomial(left->intValue);
  if (!factor || dependsOn(model, *factor, axis))
    return std::nullopt;
  std::optional<Polynomial> change = of(right);
  if (!change)
    return std::nullopt;
  return *factor * *change;
}

std::optional<Polynomial> LaneFlow::ofBinary(const Expr &expr) {
  const ExprRef &left = expr.operands[0], &right = expr.operands[1];
  if (expr.op == Op::Mul) {
    std::optional<Polynomial> result = ofProduct(left, right);
    return result ? result : ofProduct(right, left);
  }
  if (expr.op != Op::Add && expr.op != Op::Sub)
    return std::nullopt;
  std::optional<Polynomial> first = of(left), second = of(right);
  if (!first || !second)
    return std::nullopt;
  return expr.op == Op::Add ? *first + *second : *first - *second;
}

/// The difference it starts with, when everything added to it later is the
/// same for neighbours.
std::optional<Polynomial> LaneFlow::ofVariable(const Variable *var) {
  auto [entry, isNew] = known.try_emplace(var, std::nullopt);
  if (!isNew)
    return entry->second;
  if (!var || var->isFileScope || var->addressTaken || !var->type.isScalar() ||
      !var->type.isInteger())
    return std::nullopt;
  Definitions definitions(var);
  definitions.walk(model.function->body, false, false);
  if (definitions.isUneven || var->isParam || definitions.initial.empty())
    return std::nullopt;
  for (const ExprRef &increment : definitions.increments) {
    std::optional<Polynomial> change = of(increment);
    if (!change || !change->isZero())
      return std::nullopt;
  }
  std::optional<Polynomial> result = of(definitions.initial.front());
  for (const ExprRef &value : definitions.initial)
    if (!result || of(value) != result)
      return std::nullopt;
  known[var] = result;
  return result;
}

/// The `base[index]` that an access names, also as `&base[index]` in an atomic.
static const Expr *subscriptOf(const Expr *expr) {
  if (expr && expr->kind == ExprKind::Call &&
      expr->effect == CallEffect::Atomic && !expr->operands.empty()) {
    const Expr *address = withoutCasts(expr->operands[0].get());
    bool isAddress =
        address->kind == ExprKind::Unary && address->op == Op::AddrOf;
    expr = isAddress ? address->operands[0].get() : nullptr;
  }
  return expr && expr->kind == ExprKind::Subscript ? expr : nullptr;
}

std::optional<Polynomial> clopt::lockstepStride(const KernelModel &model,
                                                const Access &access,
                                                SymbolId axis) {
  const Expr *element = subscriptOf(access.expr);
  if (!model.function || !element)
    return std::nullopt;
  auto base = model.pointers.find(element->operands[0].get());
  if (base == model.pointers.end())
    return std::nullopt;
  std::optional<Polynomial> start =
      laneStride(model, base->second.offset, axis);
  std::optional<Polynomial> index =
      LaneFlow(model, axis).of(element->operands[1]);
  if (!start || !index)
    return std::nullopt;
  // Indices count whole vectors, offsets their components.
  return *start + *index * Polynomial(access.width);
}
