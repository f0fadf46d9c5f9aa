//===- StridedSums.cpp - rounds of sums over every n-th element -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CPU runs the work-items of a group one after the other. In a sum over every
// n-th element each of them goes through all of memory in steps of the launch's
// size, a line for every element. With a barrier after each round the group
// goes through memory once.
//
// On GPUs each element is a load, a wait for it and an addition, unless several
// loads are under way.
//
// Tested by test/unit/StridedSumsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/StridedSums.h"

#include "Analysis/dependence/StrideLoops.h"
#include "Planning/search/PlannerImpl.h"

namespace clopt {

/// Iterations at a time, iterations of a work-item below which the barriers
/// are not worth it, and work-items of a group that are.
static constexpr unsigned copiesTogether = 8, minIterations = 32,
                          minTogether = 16;
/// Loads under way of a work-item of a GPU.
static constexpr unsigned loadsAtOnce = 8;

/// How many reads take neighbouring cells for neighbours; none if others take
/// cells that are not the same for all.
static unsigned readsInOrder(const KernelModel &model, const Stmt &stmt,
                             const StrideLoop &loop) {
  GroupValues values(*model.function);
  values.assumePosition(loop.var);
  bool isInOrder = true;
  unsigned inOrder = 0;
  forEachExpr(stmt.body, [&](const ExprRef &expr) {
    bool isCell = expr->kind == ExprKind::Subscript &&
                  expr->operands[0]->type.isPointer();
    if (!isCell) {
      isInOrder &= expr->op != Op::Deref &&
                   (expr->kind != ExprKind::Call || expr->isElementwiseBuiltin);
      return;
    }
    GroupValue value = values.of(expr->operands[1], 1);
    isInOrder &= value != GroupValue::Other;
    inOrder += value == GroupValue::Position;
  });
  forEachStmt(stmt.body, [&](const StmtRef &inner) {
    isInOrder &= inner->kind != StmtKind::For;
  });
  return isInOrder ? inOrder : 0;
}

/// Groups whose work-items run one after the other.
static std::vector<Step> stepsTogether(const KernelModel &model) {
  std::vector<Step> steps;
  // Work-items whose values all live in registers lose that to a barrier, also
  // in launches that keep the author's code: 0.81 to 0.87 for one to four
  // iterations.
  if (!model.hasBarrier)
    return steps;
  GroupValues values(*model.function);
  for (const auto &[name, statement] : strideLoops(model)) {
    const Stmt &stmt = *model.statements[statement].stmt;
    const StrideLoop loop = *readStrideLoop(stmt);
    if (!readsInOrder(model, stmt, loop) || !values.atEntry(loop.bound) ||
        !values.atEntry(loop.step))
      continue;
    Step step = makeStep("rounds", name, copiesTogether);
    step.flags.push_back("together");
    steps.push_back(step);
    Step require = makeStep("require", name, minIterations);
    require.parameters.emplace_back("group", minTogether);
    steps.push_back(require);
  }
  return steps;
}

std::vector<Step> strideSteps(const TransformedKernel &kernel,
                              const DeviceProfile &profile) {
  const KernelModel &model = *kernel.model;
  if (profile.spreadWorkItems && !profile.localMemoryIsReal)
    return stepsTogether(model);
  std::vector<Step> steps;
  for (const auto &[name, statement] : strideLoops(model)) {
    const Stmt &stmt = *model.statements[statement].stmt;
    const unsigned reads = readsInOrder(model, stmt, *readStrideLoop(stmt));
    if (reads > 0 && 2 * reads <= loadsAtOnce)
      steps.push_back(makeStep("rounds", name, loadsAtOnce / reads));
  }
  return steps;
}

} // namespace clopt
