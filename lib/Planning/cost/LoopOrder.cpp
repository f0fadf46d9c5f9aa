//===- LoopOrder.cpp - which of two nested loops is the inner one ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cost of an innermost loop: cache lines per iteration. An access that the loop
// does not move costs nothing, one that moves to the next element the part of
// a line that it is, any other at most a whole line. Loops change places when
// that halves the cost at least, both run long enough for lines to be lost in
// between, and no work-item dimension walks the array cell by cell (lanes along
// that dimension are better still).
//
// Where two loops walk arrays in different directions no order is right: blocks
// of both keep the lines of all arrays in the cache. With the lanes of a plan
// along the outer loop, so that the columns are written as vectors, that was
// faster at nine of ten sizes that were measured (1.0 to 1.7 times on PoCL).
//
// Tested by test/unit/LoopOrderTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/LoopOrder.h"

#include "Analysis/access/AccessPattern.h"
#include "Transform/Apply.h"

#include <algorithm>
#include <cstdlib>

namespace clopt {

/// Shorter loops leave their lines in the cache, whatever the order.
static constexpr int64_t minIterations = 16;
/// What an interchange has to gain.
static constexpr double enough = 0.5;

/// Lines per iteration of `loop` for one access.
static double linesOf(const KernelModel &model, const Access &access,
                      const Loop &loop, unsigned lineBytes) {
  if (!access.offset)
    return 1;
  std::optional<Polynomial> stride =
      laneStride(model, *access.offset, loop.iterator, loop.step);
  std::optional<int64_t> cells = stride ? stride->asConstant() : std::nullopt;
  if (!cells)
    return 1;
  double bytes = static_cast<double>(std::llabs(*cells)) *
                 model.arrays[access.array].elementBytes;
  return std::min(1.0, bytes / lineBytes);
}

static bool walksAlongWorkItems(const KernelModel &model,
                                const Access &access) {
  for (unsigned dim = 0; access.offset && dim < 3; ++dim)
    if (auto id = model.symbols.find(SymbolKind::GlobalId, dim)) {
      std::optional<Polynomial> stride =
          laneStride(model, *access.offset, *id, 1);
      if (stride && (*stride == Polynomial(1) || *stride == Polynomial(-1)))
        return true;
    }
  return false;
}

static bool isLong(const TransformedKernel &kernel, unsigned loop) {
  std::optional<int64_t> trips = constantTripCount(kernel, loop);
  return !trips || *trips >= minIterations;
}

/// The loop right inside `node` if there is only one loop in it.
static std::optional<unsigned> onlyLoopIn(const ScheduleNode &node) {
  std::vector<unsigned> loops = loopsBelow(node);
  if (loops.size() != 2)
    return std::nullopt;
  return loops[1];
}

static bool isBetter(const TransformedKernel &kernel, unsigned outer,
                     unsigned inner, unsigned lineBytes) {
  const KernelModel &model = *kernel.model;
  double before = 0, after = 0;
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, inner)))
    for (unsigned id : model.statements[index].accesses) {
      const Access &access = model.accesses[id];
      if (model.arrays[access.array].space == AddressSpace::Private)
        continue;
      if (walksAlongWorkItems(model, access))
        return false;
      before += linesOf(model, access, model.loops[inner], lineBytes);
      after += linesOf(model, access, model.loops[outer], lineBytes);
    }
  return before > 0 && after <= enough * before;
}

std::vector<Step> orderLoops(TransformedKernel &kernel,
                             const DeviceProfile &profile, AliasMode alias) {
  std::vector<Step> steps;
  if (!profile.spreadWorkItems)
    return steps;
  for (unsigned outer : loopsBelow(kernel.tree)) {
    std::optional<unsigned> inner = onlyLoopIn(*findLoop(kernel.tree, outer));
    if (!inner || !isLong(kernel, outer) || !isLong(kernel, *inner) ||
        !isBetter(kernel, outer, *inner, profile.lineBytes))
      continue;
    Step step;
    step.name = "interchange";
    step.targets = {{kernel.model->loops[outer].name, std::nullopt},
                    {kernel.model->loops[*inner].name, std::nullopt}};
    if (!applyStep(kernel, step, alias))
      steps.push_back(step);
  }
  return steps;
}

//===-- Blocks ------------------------------------------------------------===//

/// Iterations of a block: its lines stay in the smallest cache.
static constexpr unsigned blockRows = 32, blockColumns = 16;
/// Every version of a block has them all.
static constexpr size_t maxStatements = 2;

/// True when the loops walk arrays in different directions: what is written
/// lies side by side along `outer`, something that is read along `inner`.
static bool isTransposed(const TransformedKernel &kernel, unsigned outer,
                         unsigned inner, unsigned lineBytes) {
  const KernelModel &model = *kernel.model;
  bool writes = false, reads = false;
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, inner)))
    for (unsigned id : model.statements[index].accesses) {
      const Access &access = model.accesses[id];
      if (model.arrays[access.array].space == AddressSpace::Private)
        continue;
      if (walksAlongWorkItems(model, access))
        return false;
      double down = linesOf(model, access, model.loops[outer], lineBytes);
      double along = linesOf(model, access, model.loops[inner], lineBytes);
      bool isColumn = down > 0 && down < 1 && along >= 1;
      if (access.isWrite && !isColumn)
        return false;
      writes |= access.isWrite;
      reads |= !access.isWrite && along > 0 && along < 1 && down >= 1;
    }
  return writes && reads;
}

std::vector<Step> blockNests(const TransformedKernel &kernel,
                             const std::vector<Step> &plan,
                             const DeviceProfile &profile, AliasMode alias) {
  if (!profile.spreadWorkItems)
    return {};
  for (const Step &step : plan) {
    std::optional<unsigned> outer =
        step.name == "vectorize" ? kernel.model->findLoop(step.targets[0].name)
                                 : std::nullopt;
    const ScheduleNode *node = outer ? findLoop(kernel.tree, *outer) : nullptr;
    std::optional<unsigned> inner = node ? onlyLoopIn(*node) : std::nullopt;
    if (!inner || statementsBelow(*node).size() > maxStatements ||
        !isLong(kernel, *outer) || !isLong(kernel, *inner) ||
        !isTransposed(kernel, *outer, *inner, profile.lineBytes))
      continue;
    Step tile;
    tile.name = "tile";
    tile.targets = {{kernel.model->loops[*outer].name, blockRows},
                    {kernel.model->loops[*inner].name, blockColumns}};
    TransformedKernel trial = kernel;
    bool isRefused = applyStep(trial, tile, alias).has_value();
    for (const Step &later : plan)
      isRefused = isRefused || applyStep(trial, later, alias).has_value();
    if (!isRefused)
      return {tile};
  }
  return {};
}

} // namespace clopt
