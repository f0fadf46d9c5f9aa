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
#include "Model/ExprPrinter.h"
#include "Planning/search/PlannerImpl.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace clopt {

/// Iterations at a time, iterations of a work-item below which the barriers
/// are not worth it, and work-items of a group that are.
static constexpr unsigned copiesTogether = 8, minIterations = 32,
                          minTogether = 16;
/// Words that a work-item of a GPU has under way, and iterations that it takes
/// at a time. (An H200: sums of pairs in local memory, 97,003 to a work-item of
/// 64 groups, 8 words 2.8, 16 words 4.4 times as fast as written; rows of
/// four-bit blocks 1.4, 1.7, and 32 words 1.65.)
static constexpr unsigned wordsAtOnce = 16, mostAtOnce = 8;

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

/// Calls `visit` for what every iteration runs, whole expressions.
static void forEachCertain(const StmtRef &stmt,
                           const std::function<void(const ExprRef &)> &visit) {
  if (!stmt)
    return;
  if (stmt->kind == StmtKind::Block || stmt->kind == StmtKind::Group)
    for (const StmtRef &child : stmt->children)
      forEachCertain(child, visit);
  else if (stmt->expr)
    visit(stmt->expr);
}

/// The words of different loads of memory that every iteration makes, and that
/// may come first: nothing that it writes is what they load.
static unsigned wordsLoaded(const KernelModel &model, const Stmt &stmt,
                            const StrideLoop &loop) {
  std::map<std::string, unsigned> words; // by the text of the load
  std::set<const Expr *> addresses;
  auto count = [&](const ExprRef &expr) {
    if (expr->op == Op::AddrOf)
      addresses.insert(expr->operands[0].get());
    const Variable *memory = loadedFrom(*expr);
    if (memory && !addresses.count(expr.get()) &&
        (expr->type.isScalar() || expr->type.isVector()) &&
        llvm::none_of(loop.written, [&](const Variable *written) {
          return !liesApart(model, *memory, *written);
        }))
      words[printExpr(expr)] =
          std::max(1u, static_cast<unsigned>(expr->type.size / 4));
  };
  forEachCertain(stmt.body,
                 [&](const ExprRef &expr) { forEachExpr(expr, count); });
  bool hasLoop = false;
  forEachStmt(stmt.body, [&](const StmtRef &inner) {
    hasLoop |= inner->kind == StmtKind::For;
  });
  unsigned all = 0;
  for (const auto &[text, own] : words)
    all += own;
  return hasLoop ? 0 : all;
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
    const unsigned words = wordsLoaded(model, stmt, *readStrideLoop(stmt));
    if (words > 0 && 2 * words <= wordsAtOnce)
      steps.push_back(
          makeStep("rounds", name, std::min(wordsAtOnce / words, mostAtOnce)));
  }
  return steps;
}

} // namespace clopt
