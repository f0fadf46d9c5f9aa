//===- ValueRange.cpp - what integers of a kernel can be ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the interpreter (RangeInterpreter.h) and answers questions about what it
// found.
//
// Tested by test/unit/ValueRangeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/ranges/ValueRange.h"

#include "Model/KernelModel.h"

#include <ppl.hh>

// After ppl.hh.
#include "Analysis/ranges/RangeInterpreter.h"

namespace clopt {

using namespace range;

//===-- Results -----------------------------------------------------------===//

static std::optional<int64_t> narrowed(const Coefficient &value) {
  if (!value.fits_slong_p())
    return std::nullopt;
  return value.get_si();
}

/// Adds what is computed from inexact values, through variables as well.
static void spread(const Function &function, std::set<const Expr *> &inexact) {
  std::set<const Variable *> variables;
  bool isChanged = true;
  auto mark = [&](const Expr *expr) {
    isChanged |= inexact.insert(expr).second;
  };
  while (isChanged) {
    isChanged = false;
    forEachExpr(function.body, [&](const ExprRef &expr) {
      bool isBad = inexact.count(expr.get()) != 0;
      if (expr->kind == ExprKind::VarRef)
        isBad |= variables.count(expr->var) != 0;
      for (const ExprRef &operand : expr->operands)
        isBad |= operand && inexact.count(operand.get());
      if (!isBad)
        return;
      mark(expr.get());
      if (changesTarget(*expr) && expr->operands[0]->kind == ExprKind::VarRef)
        isChanged |= variables.insert(expr->operands[0]->var).second;
    });
    forEachStmt(function.body, [&](const StmtRef &stmt) {
      if (stmt->kind == StmtKind::Decl && stmt->var && stmt->expr &&
          inexact.count(stmt->expr.get()))
        isChanged |= variables.insert(stmt->var).second;
    });
  }
}

/// False when the budget or the memory did not do.
static bool runWithin(Interpreter &interpreter) {
  using Watcher = ppl::Threshold_Watcher<ppl::Weightwatch_Traits>;
  static const RangeBudgetSpent spent;
  Watcher watcher(MostWeight, ppl::abandon_expensive_computations, spent);
  bool isDone = false;
  try {
    interpreter.run();
    isDone = true;
  } catch (const RangeBudgetSpent &) {
  } catch (const std::exception &) { // of PPL: too large
  }
  ppl::abandon_expensive_computations = nullptr;
  return isDone;
}

ValueRanges runInterpreter(const Function &function) {
  ValueRanges result;
  Interpreter interpreter(function);
  const bool isDone = runWithin(interpreter);
  result.spent = interpreter.operations();
  if (!isDone)
    return result;
  for (const auto &[expr, bounds] : interpreter.found)
    result.ranges[expr] = {narrowed(bounds.least), narrowed(bounds.most)};
  result.inexact = interpreter.wrapped;
  spread(function, result.inexact);
  return result;
}

namespace {

/// The answer to the question asked last: the front end, the planner and every
/// step of a recipe ask about the same kernel one after the other. A body that
/// is gone cannot be taken for another at its address.
struct LastAnswer {
  std::weak_ptr<const Stmt> body;
  ValueRanges ranges;
};

} // namespace

ValueRanges analyzeRanges(const Function &function) {
  if (!function.body || function.hasGoto)
    return ValueRanges();
  static thread_local LastAnswer last;
  if (last.body.lock() != function.body)
    last = {function.body, runInterpreter(function)};
  return last.ranges;
}

ValueRanges analyzeRanges(const KernelModel &model) {
  if (model.ranges)
    return *model.ranges;
  return model.function ? analyzeRanges(*model.function) : ValueRanges();
}

std::optional<ValueRange> ValueRanges::range(const Expr &expr) const {
  auto it = ranges.find(&expr);
  if (it == ranges.end())
    return std::nullopt;
  return it->second;
}

bool ValueRanges::provesWithin(const Expr &expr, int64_t minimum,
                               int64_t maximum) const {
  std::optional<ValueRange> known = range(expr);
  return known && known->minimum && known->maximum &&
         *known->minimum >= minimum && *known->maximum <= maximum;
}

bool ValueRanges::provesNonNegative(const Expr &expr) const {
  std::optional<ValueRange> known = range(expr);
  return known && known->minimum && *known->minimum >= 0;
}

bool ValueRanges::fits(const Expr &expr, unsigned bits) const {
  if (bits == 0 || bits > 62)
    return false;
  int64_t half = int64_t(1) << (bits - 1);
  return expr.type.isUnsigned() ? provesWithin(expr, 0, 2 * half - 1)
                                : provesWithin(expr, -half, half - 1);
}

int64_t declaredExtent(const Expr &subscript) {
  if (subscript.kind != ExprKind::Subscript || subscript.operands.size() != 2)
    return 0;
  const Expr *base = withoutCasts(subscript.operands[0].get());
  return base->type.isArray() ? static_cast<int64_t>(base->type.extent) : 0;
}

bool ValueRanges::provesInBounds(const Expr &subscript) const {
  int64_t extent = declaredExtent(subscript);
  return extent > 0 && provesWithin(*subscript.operands[1], 0, extent - 1);
}

bool ValueRanges::provesOutOfBounds(const Expr &subscript) const {
  int64_t extent = declaredExtent(subscript);
  std::optional<ValueRange> known =
      extent > 0 ? range(*subscript.operands[1]) : std::nullopt;
  if (!known)
    return false;
  return (known->minimum && *known->minimum >= extent) ||
         (known->maximum && *known->maximum < 0);
}

bool ValueRanges::isExact(const Expr &expr) const {
  return ranges.count(&expr) && !inexact.count(&expr);
}

} // namespace clopt
