//===- SharedPlanner.cpp - plans that share reduction loops ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop pays when most of what it reads at subscripts that it moves lies side
// by side along the loop, and not along dimension 0. Only loops whose trip
// count depends on data are shared: those of known length have better plans
// (tiles of rows in registers, loops as dimensions).
//
// Tested by test/unit/SharedPlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/SharedPlanner.h"

#include "Analysis/SharedLoops.h"
#include "Transform/Apply.h"

namespace clopt {

/// Work-items per row, found by measurement.
static constexpr int64_t lanesPerRow = 8;

static const Expr *withoutCasts(const Expr *expr) {
  while (expr->kind == ExprKind::Cast)
    expr = expr->operands[0].get();
  return expr;
}

/// How often the variable is added in an index, without being scaled; nothing
/// when the index depends on it in another way.
static std::optional<int64_t> advance(const Expr *index,
                                      const Variable *variable) {
  index = withoutCasts(index);
  if (index->kind == ExprKind::VarRef)
    return index->var == variable ? 1 : 0;
  if (index->kind == ExprKind::Binary &&
      (index->op == Op::Add || index->op == Op::Sub)) {
    std::optional<int64_t> first = advance(index->operands[0].get(), variable);
    std::optional<int64_t> second = advance(index->operands[1].get(), variable);
    if (!first || !second)
      return std::nullopt;
    return index->op == Op::Add ? *first + *second : *first - *second;
  }
  bool found = false;
  forEachExpr(ExprRef(ExprRef(), index), [&](const ExprRef &expr) {
    found |= expr->kind == ExprKind::VarRef && expr->var == variable;
  });
  return found ? std::nullopt : std::optional<int64_t>(0);
}

/// True when the loop reads rows: at least as many accesses go on by one cell
/// per iteration as do anything else.
static bool readsRows(const TransformedKernel &kernel, unsigned statement) {
  const KernelModel &model = *kernel.model;
  const Stmt &stmt = *model.statements[statement].stmt;
  const Variable *variable = readCountedLoop(stmt)->var;
  unsigned rows = 0, others = 0;
  forEachExpr(stmt.body, [&](const ExprRef &expr) {
    if (expr->kind != ExprKind::Subscript || !model.reads.count(expr.get()))
      return;
    const Array &array =
        model.arrays[model.accesses[model.reads.at(expr.get())].array];
    if (array.space != AddressSpace::Global)
      return;
    std::optional<int64_t> moves = advance(expr->operands[1].get(), variable);
    if (moves == 0)
      return;
    ++(moves == 1 || moves == -1 ? rows : others);
  });
  return rows > 0 && rows >= others;
}

std::optional<Plan> planSharedLoops(const TransformedKernel &start,
                                    const DeviceProfile &profile,
                                    AliasMode alias) {
  const KernelModel &model = *start.model;
  bool combines = !profile.vectorizeComputation && !profile.spreadWorkItems &&
                  profile.localMemoryIsReal;
  if (!combines || model.ndrange.rank != 1)
    return std::nullopt;
  TransformedKernel kernel = start;
  Plan plan;
  for (const auto &[name, statement] : dataDependentLoops(model)) {
    if (!model.statements[statement].loops.empty() ||
        !readsRows(start, statement))
      continue;
    Step step;
    step.name = "split-reduction";
    step.targets.push_back({name, lanesPerRow});
    if (applyStep(kernel, step, alias))
      return std::nullopt;
    plan.steps.push_back(step);
  }
  if (plan.steps.empty())
    return std::nullopt;
  return plan;
}

} // namespace clopt
