//===- LoadsAhead.cpp - several loads of a loop under way -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch with a work-item for each column of a matrix has few work-items,
// and each of them goes down its column:
//
//   for (int i = 0; i < n; i++)
//     sum += a[i * m + j] * x[i];
//
// Neighbours read neighbouring cells, but a load that waits for the one before
// leaves memory idle: compilers keep four under way, a device with 132 compute
// units and 64 work-items on each of them needs ten times as many. So a tile of
// the loop is loaded into registers, all of it before the first cell is used.
//
// What the loop writes comes next to what neighbours write, too. An array that
// it also reads is kept with the cells of earlier iterations
// (Transform/steps/StageRecurrence.cpp).
//
// Loops within others come back to cells that a cache holds by then (k-means
// with four features, all lanes at work: 0.85).
//
// On an NVIDIA H100 sums of 8,192 columns ran 1.6 times as fast with it (means,
// one operand), 1.15 (doubles) and 3.9 (two operands, all of them loaded ahead;
// 1.1 where the one that all lanes share was left in the loop).
//
// Tested by test/unit/LoadsAheadTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/PlannerImpl.h"

#include "Analysis/access/AccessPattern.h"
#include "Planning/cost/LoopWork.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace clopt {

/// Iterations of a tile, if their cells fit these 4-byte registers.
static constexpr unsigned longTile = 32, maxRegisters = 64, minTile = 8;
/// Loops of fewer iterations are not cut into tiles.
static constexpr int64_t minIterations = 64;

/// Arrays that the loop reads, each by cells that come next to those of
/// neighbours or are one for all, and no two iterations in one line; nothing
/// when it does anything else in memory but to write such cells, or is in
/// another loop.
std::optional<std::set<unsigned>> Planner::columnsOf(unsigned loop) const {
  const SymbolId iterator = model.loops[loop].iterator;
  std::optional<SymbolId> lane = model.symbols.find(SymbolKind::GlobalId, 0);
  std::set<unsigned> arrays;
  bool hasColumn = false;
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, loop))) {
    if (model.statements[index].loops.front() != loop)
      return std::nullopt;
    for (unsigned id : model.statements[index].accesses) {
      const Access &access = model.accesses[id];
      if (isInRegister(access))
        continue;
      const Array &array = model.arrays[access.array];
      if (!lane || !access.offset || !array.elementType.isScalar())
        return std::nullopt;
      auto along = laneStride(model, *access.offset, iterator);
      auto across = laneStride(model, *access.offset, *lane);
      std::optional<int64_t> step =
          across ? across->asConstant() : std::nullopt;
      if (!along || !step || *step < 0 || *step > 1)
        return std::nullopt;
      if (along->isZero() && *step == 0)
        continue; // loaded once
      std::optional<int64_t> constant = along->asConstant();
      bool isColumn = *step == 1 && (!constant || std::llabs(*constant) *
                                                          array.elementBytes >=
                                                      profile.lineBytes);
      if ((*step == 1 || access.isWrite) && !isColumn)
        return std::nullopt;
      if (access.isWrite)
        continue;
      hasColumn |= isColumn;
      arrays.insert(access.array);
    }
  }
  if (!hasColumn)
    return std::nullopt;
  return arrays;
}

void Planner::loadAhead() {
  // Launches of more dimensions have work-items enough, and vectors of
  // work-items or points of a block are loads under way, too.
  if (!profile.localMemoryIsReal || model.ndrange.launchRank() != 1 ||
      kernel.isVirtual() || model.usesLocalMemory || model.hasBarrier)
    return;
  for (unsigned loop : loopsBelow(kernel.tree)) {
    const ScheduleNode &node = *findLoop(kernel.tree, loop);
    std::optional<int64_t> trips = constantTripCount(kernel, loop);
    if (loopsBelow(node).size() > 1 || node.lanes > 1 ||
        (trips && *trips < minIterations))
      continue;
    std::optional<std::set<unsigned>> columns = columnsOf(loop);
    const LoopWork work = workIn(kernel, profile, loop);
    if (!columns || work.arithmetic > work.memory)
      continue;
    unsigned words = 0, iterations = longTile;
    for (unsigned array : *columns)
      words += (model.arrays[array].elementBytes + 3) / 4;
    while (iterations * words > maxRegisters)
      iterations /= 2;
    // Cells that come from the tile before have registers, too.
    if (iterations >= minTile && !takeAhead(loop, *columns, iterations) &&
        iterations > minTile)
      takeAhead(loop, *columns, iterations / 2);
  }
}

/// Tiles of so many iterations, of which all loads come first.
bool Planner::takeAhead(unsigned loop, const std::set<unsigned> &arrays,
                        unsigned iterations) {
  TransformedKernel trial = kernel;
  std::vector<Step> steps{makeStep("tile", model.loops[loop].name, iterations)};
  for (unsigned array : arrays) {
    steps.push_back(makeStep("stage", model.arrays[array].name));
    steps.back().flags.push_back("private");
  }
  for (const Step &step : steps)
    if (applyStep(trial, step, alias))
      return false;
  kernel = std::move(trial);
  plan.steps.insert(plan.steps.end(), steps.begin(), steps.end());
  return true;
}

} // namespace clopt
