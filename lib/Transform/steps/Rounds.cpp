//===- Rounds.cpp - several iterations of a strided loop at a time --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `rounds i:4` lets a loop over every n-th element take four iterations
// per test, their loads first, as long as there are four; the rest runs as
// before.
//
//   for (i = id; i < n; i += size)        one load at a time, and a test
//     sum += a[i];                         after each
//
// `rounds i:8 together` puts a barrier behind each such round: a CPU that runs
// the work-items of a group one after the other then goes through memory once,
// in the order of addresses, with vectors of work-items, instead of once per
// work-item in long strides.
//
// Legality. No operation on private values changes its place: sums are the same
// to the last bit. Loads move before those operations only, and only where the
// iteration they belong to is certain to run them. With barriers, all
// work-items of a group have to come to the loop and to run as many rounds:
// their first values are their positions along dimension 0 plus something that
// is the same for all, as bound and step are, and the rounds end before the
// last work-item's bound.
//
// Reference: M. Harris: Optimizing Parallel Reduction in CUDA, 2007 (kernels 5
// to 7).
//
// Tested by test/unit/RoundsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/StrideLoops.h"
#include "Transform/Steps.h"
#include "Transform/steps/LocalMentions.h"

#include <algorithm>

namespace clopt {

static constexpr unsigned maxCopies = 16;

/// The work-items of a group go the same way through the new text: none that is
/// launched goes without a tile, and none chooses a version of its own.
static bool goTogether(const TransformedKernel &kernel) {
  return (!kernel.isVirtual() || kernel.mergesGroups()) &&
         kernel.selections.empty();
}

static StepResult checkTogether(const TransformedKernel &kernel,
                                const Stmt &stmt, const StrideLoop &loop) {
  const KernelModel &model = *kernel.model;
  GroupValues values(*model.function);
  const uint64_t bytes = loop.var->type.size;
  if (!goTogether(kernel) || !isRunByAll(*model.function, stmt))
    return refuse("clopt-barrier",
                  "not all work-items of a group may come to the loop", "",
                  stmt.range);
  bool isAlike = values.ofFirst(loop) == GroupValue::Position &&
                 values.of(loop.bound, bytes) == GroupValue::Same &&
                 values.of(loop.step, bytes) == GroupValue::Same;
  if (!isAlike)
    return refuse("clopt-barrier",
                  "work-items of a group run the loop differently often", "",
                  stmt.range);
  return std::nullopt;
}

StepResult takeRounds(TransformedKernel &kernel,
                      const BatchedStrideLoop &asked) {
  const KernelModel &model = *kernel.model;
  const Stmt &stmt = *model.statements[asked.statement].stmt;
  BatchedStrideLoop loop = asked;
  std::vector<BatchedStrideLoop> others;
  for (const BatchedStrideLoop &own : kernel.rounds) {
    if (own.statement != loop.statement) {
      others.push_back(own);
      continue;
    }
    // Rounds of rounds.
    loop.count = own.count * std::min(loop.count, maxCopies + 1);
    loop.isTogether |= own.isTogether;
  }
  if (asked.count < 2 || loop.count > maxCopies)
    return refuse("clopt-step-value", "2 to " + std::to_string(maxCopies) +
                                          " iterations are taken at a time");
  std::optional<StrideLoop> form = readStrideLoop(stmt);
  if (!form)
    return refuse("clopt-non-affine-control",
                  "the loop does not go to a bound in equal steps", "",
                  stmt.range);
  if (loop.isTogether)
    if (StepResult refusal = checkTogether(kernel, stmt, *form))
      return refusal;
  others.push_back(loop);
  kernel.rounds = std::move(others);
  return std::nullopt;
}

StepResult requireStrideIterations(TransformedKernel &kernel,
                                   unsigned statement, unsigned count) {
  const Stmt &stmt = *kernel.model->statements[statement].stmt;
  GroupValues values(*kernel.model->function);
  std::optional<StrideLoop> form = readStrideLoop(stmt);
  if (!form || !values.atEntry(form->bound) || !values.atEntry(form->step))
    return refuse("clopt-non-affine-control",
                  "how often the loop runs is not known before it does", "",
                  stmt.range);
  unsigned &least = kernel.minStrideIterations[statement];
  least = std::max(least, count);
  return std::nullopt;
}

} // namespace clopt
