//===- RowPlanner.cpp - plans for work-items with a row each --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbouring work-items that walk along rows of their own use cells far
// apart: each access of a loop is as many requests as there are lanes, and the
// rest of what each brings is gone from the cache before the next iteration
// comes for it. So a tile of the loop is kept in registers: the work-item loads
// it by vectors of 16 bytes, one after the other and without waiting, and
// stores it likewise.
//
// Tested by test/unit/RowPlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/RowPlanner.h"

#include "Analysis/access/AccessPattern.h"
#include "Planning/search/PlannerImpl.h"

#include <algorithm>
#include <cstdlib>

namespace clopt {

/// Loops of fewer iterations are not cut into tiles, those around them counted;
/// nor are those whose own are fewer than a request brings cells.
static constexpr int64_t minIterations = 64, minOfRow = 8;
/// Iterations of a tile for up to two rows, and for more of them.
static constexpr unsigned longTile = 32, shortTile = 16;
/// Long tiles that a row has at least.
static constexpr unsigned fewestTiles = 4;
/// 4-byte registers for the cells of all rows.
static constexpr unsigned maxRegisters = 64;

namespace {

class RowPlanner {
public:
  RowPlanner(const TransformedKernel &transformed,
             const DeviceProfile &deviceProfile, AliasMode aliasMode)
      : kernel(transformed), model(*transformed.model), profile(deviceProfile),
        alias(aliasMode) {}
  std::optional<Plan> run();

private:
  bool isWalked(unsigned loop) const;
  std::set<unsigned> rowsOf(unsigned loop) const;
  bool planLoop(unsigned loop);
  bool planTiles(unsigned loop, const std::set<unsigned> &rows,
                 unsigned iterations);
  bool take(TransformedKernel &trial, std::vector<Step> &steps,
            const std::string &name, const std::string &target,
            std::optional<int64_t> count = std::nullopt,
            const std::string &flag = "") const;

  TransformedKernel kernel;
  const KernelModel &model;
  const DeviceProfile &profile;
  AliasMode alias;
  Plan plan;
  bool hasShortRows = false; ///< in the plan
};

} // namespace

bool RowPlanner::take(TransformedKernel &trial, std::vector<Step> &steps,
                      const std::string &name, const std::string &target,
                      std::optional<int64_t> count,
                      const std::string &flag) const {
  Step step = makeStep(name, target, count);
  if (!flag.empty())
    step.flags.push_back(flag);
  if (applyStep(trial, step, alias))
    return false;
  steps.push_back(step);
  return true;
}

/// A loop without another one in it, of many iterations or an unknown number,
/// or one of rows that a loop around it goes through.
bool RowPlanner::isWalked(unsigned loop) const {
  const ScheduleNode *node = findLoop(kernel.tree, loop);
  if (loopsBelow(*node).size() > 1 || std::llabs(model.loops[loop].step) != 1)
    return false;
  const std::optional<int64_t> own = constantTripCount(kernel, loop);
  if (!own)
    return true;
  int64_t trips = *own;
  for (unsigned outer : model.loops[loop].outer)
    if (findLoop(kernel.tree, outer))
      trips *= constantTripCount(kernel, outer).value_or(minIterations);
  return *own >= minOfRow && trips >= minIterations;
}

bool isRow(const KernelModel &model, const Access &access, unsigned loop,
           const DeviceProfile &profile) {
  const Array &array = model.arrays[access.array];
  std::optional<SymbolId> id = model.symbols.find(SymbolKind::GlobalId, 0);
  bool isMemory = array.space == AddressSpace::Global ||
                  array.space == AddressSpace::Constant;
  if (!isMemory || !id || !access.offset || !array.elementType.isScalar())
    return false;
  std::optional<Polynomial> along =
      laneStride(model, *access.offset, model.loops[loop].iterator, 1);
  if (!along || *along != Polynomial(1))
    return false;
  // Stretches of their own begin where the id says: `for (k = 64 * i; ...)`.
  std::optional<Polynomial> across =
      laneStride(model,
                 inLockstep(model, model.statements[access.statement],
                            *access.offset, *id),
                 *id, 1);
  if (!across)
    across = laneStride(model, *access.offset, *id, 1);
  std::optional<int64_t> constant =
      across ? across->asConstant() : std::nullopt;
  return across && (!constant || std::llabs(*constant) * array.elementBytes >
                                     profile.segmentBytes);
}

std::set<unsigned> RowPlanner::rowsOf(unsigned loop) const {
  std::set<unsigned> arrays;
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, loop)))
    for (unsigned id : model.statements[index].accesses)
      if (isRow(model, model.accesses[id], loop, profile))
        arrays.insert(model.accesses[id].array);
  return arrays;
}

std::set<unsigned> accumulatorsIn(const TransformedKernel &kernel,
                                  unsigned loop) {
  const KernelModel &model = *kernel.model;
  std::set<unsigned> arrays;
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, loop)))
    for (unsigned id : model.statements[index].accesses) {
      const Access &access = model.accesses[id];
      bool isMemory = model.arrays[access.array].space == AddressSpace::Global;
      if (isMemory && access.isWrite && access.offset &&
          !access.offset->contains(model.loops[loop].iterator))
        arrays.insert(access.array);
    }
  return arrays;
}

/// All rows of the loop, or none: one left in memory costs as much as before.
bool RowPlanner::planLoop(unsigned loop) {
  std::set<unsigned> rows = rowsOf(loop);
  if (rows.empty())
    return false;
  unsigned words = 0;
  for (unsigned array : rows)
    words += (model.arrays[array].elementBytes + 3) / 4;
  const std::optional<int64_t> trips = constantTripCount(kernel, loop);
  // Short rows are of many work-items, which wait for one another's loads.
  // (Sums of 64 cells each on an H100: tiles of 16 2.1, of 32 1.1.)
  const bool isShort = trips && *trips < fewestTiles * longTile &&
                       model.loops[loop].outer.empty();
  unsigned iterations = rows.size() <= 2 && !isShort ? longTile : shortTile;
  while (trips && iterations > *trips)
    iterations /= 2;
  while (iterations * words > maxRegisters && iterations > 4)
    iterations /= 2;
  // Cells that come from the tile before have registers, too.
  const bool isPlanned =
      planTiles(loop, rows, iterations) ||
      (iterations > shortTile && planTiles(loop, rows, shortTile));
  hasShortRows |= isPlanned && isShort;
  return isPlanned;
}

/// Tiles of so many iterations.
bool RowPlanner::planTiles(unsigned loop, const std::set<unsigned> &rows,
                           unsigned iterations) {
  TransformedKernel trial = kernel;
  std::vector<Step> steps;
  for (unsigned array : accumulatorsIn(kernel, loop))
    take(trial, steps, "privatize", model.arrays[array].name);
  if (!take(trial, steps, "tile", model.loops[loop].name, iterations))
    return false;
  for (unsigned array : rows)
    if (!take(trial, steps, "stage", model.arrays[array].name, std::nullopt,
              "private"))
      return false;
  // Without a whole tile nothing is gained (hashes of 21 words: 0.9). Where
  // launches have more dimensions the cache has rows for several work-items,
  // and what is left behind one tile costs more than that saves. (An H200,
  // updates of a triangle with 32 to 63 columns 0.69 to 0.93, with 64 to 128
  // 0.88 to 1.5; sums of rows of 33 to 63 1.0 to 1.3.)
  const unsigned tiles = model.ndrange.rank > 1 ? 2 : 1;
  if (!constantTripCount(kernel, loop))
    take(trial, steps, "require", model.loops[loop].name, tiles * iterations);
  kernel = std::move(trial);
  plan.steps.insert(plan.steps.end(), steps.begin(), steps.end());
  return true;
}

std::optional<Plan> RowPlanner::run() {
  // Kernels with local memory of their own share their rows already.
  if (!profile.localMemoryIsReal || model.usesLocalMemory)
    return std::nullopt;
  for (unsigned loop : loopsBelow(kernel.tree))
    if (isWalked(loop))
      planLoop(loop);
  if (plan.steps.empty())
    return std::nullopt;
  // Groups of a few work-items, as drivers choose them for prime sizes, wait
  // for every load of a tile by themselves: many short rows ran at 0.2 on an
  // H100, a few long ones at 5.
  if (!hasShortRows)
    return std::move(plan);
  Step step;
  step.name = "require";
  step.parameters.emplace_back("group", profile.lanes);
  if (!applyStep(kernel, step, alias))
    plan.steps.push_back(step);
  return std::move(plan);
}

std::optional<Plan> planRows(const TransformedKernel &start,
                             const DeviceProfile &profile, AliasMode alias) {
  return RowPlanner(start, profile, alias).run();
}

} // namespace clopt
