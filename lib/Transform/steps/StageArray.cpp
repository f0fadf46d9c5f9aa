//===- StageArray.cpp - which sections of an array are staged -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `stage` of one array. Its sections are kept around the tiles of the
// innermost tiled loop that has all accesses to it; without one, over the whole
// of the work-items. What is only read and does not go in there has sections
// for the accesses of one loop, and the others go to memory as before: nothing
// that they could miss is ever written.
//
// Tested by test/unit/StageTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/KeptCells.h"
#include "Transform/steps/Stager.h"

#include "Analysis/memory/TileLayout.h"

#include <algorithm>

namespace clopt {

/// Every OpenCL device of the full profile has this much local memory.
static constexpr int64_t maximumBytes = 32768;

int64_t localBytes(const TransformedKernel &kernel) {
  int64_t bytes = 0;
  for (unsigned t = 0; t < kernel.tiles.size(); ++t) {
    const ArrayTile &tile = kernel.tiles[t];
    if (tile.isPrivate() || storageOf(kernel, t) != t)
      continue;
    int64_t own = tile.cellBytes(*kernel.model);
    for (int64_t cells : storageShape(kernel, t))
      own *= cells;
    bytes += own;
  }
  return bytes;
}

StepResult stage(TransformedKernel &kernel, unsigned array,
                 std::optional<unsigned> loop, unsigned pad, AliasMode alias) {
  return stageCells(kernel, array, loop, pad, alias, false);
}

StepResult stageCells(TransformedKernel &kernel, unsigned array,
                      std::optional<unsigned> loop, unsigned pad,
                      AliasMode alias, bool converted) {
  Stager work(kernel, array, loop);
  if (StepResult refusal = work.collect())
    return refusal;
  if (StepResult refusal = work.makeTiles())
    return refusal;
  if (converted)
    if (StepResult refusal = convertCells(kernel, work.tiles))
      return refusal;
  TransformedKernel trial = kernel;
  if (StepResult refusal = requireOwnCells(trial, array, work.others, alias))
    return refusal;
  for (ArrayTile &tile : work.tiles) {
    tile.pad = pad;
    trial.tiles.push_back(std::move(tile));
  }
  if (localBytes(trial) > maximumBytes)
    return refuse("clopt-local-memory",
                  "the tiles need more than " + std::to_string(maximumBytes) +
                      " bytes of local memory",
                  "make them smaller");
  kernel = std::move(trial);
  return std::nullopt;
}

/// Tiled loops, and whether they have all accesses to the array; those that
/// have none are left out.
static std::vector<std::pair<unsigned, bool>>
tiledLoopsWith(const TransformedKernel &kernel, unsigned array) {
  std::vector<std::pair<unsigned, bool>> loops;
  for (unsigned loop : loopsBelow(kernel.tree)) {
    const ScheduleNode *node = findLoop(kernel.tree, loop);
    if (!node->tile)
      continue;
    std::vector<unsigned> below = statementsBelow(*node);
    bool all = true, any = false;
    for (const Access &access : kernel.model->accesses) {
      if (access.array != array)
        continue;
      bool isInside = llvm::is_contained(below, access.statement);
      all &= isInside;
      any |= isInside;
    }
    if (any)
      loops.emplace_back(loop, all);
  }
  return loops;
}

std::optional<unsigned> stagingLoop(const TransformedKernel &kernel,
                                    unsigned array) {
  std::optional<unsigned> result;
  for (const auto &[loop, hasAll] : tiledLoopsWith(kernel, array))
    if (hasAll)
      result = loop;
  return result;
}

/// The innermost tiled loops that read an array which nothing writes.
static std::vector<unsigned> readingLoops(const TransformedKernel &kernel,
                                          unsigned array) {
  for (const Access &access : kernel.model->accesses)
    if (access.array == array && access.isWrite)
      return {};
  std::vector<unsigned> result;
  for (const auto &[loop, hasAll] : tiledLoopsWith(kernel, array)) {
    const std::vector<unsigned> &outer = kernel.model->loops[loop].outer;
    if (!result.empty() && llvm::is_contained(outer, result.back()))
      result.back() = loop;
    else
      result.push_back(loop);
  }
  return result;
}

StepResult stageArray(TransformedKernel &kernel, unsigned array, unsigned pad,
                      AliasMode alias, bool converted) {
  StepResult inNest;
  std::optional<unsigned> loop = stagingNest(kernel, array);
  if (loop)
    inNest = stageCells(kernel, array, loop, pad, alias, converted);
  if (loop && !inNest)
    return std::nullopt;
  loop = stagingLoop(kernel, array);
  StepResult refusal = stageCells(kernel, array, loop, pad, alias, converted);
  if (refusal && inNest)
    refusal = inNest;
  if (!refusal || loop)
    return refusal;
  bool any = false;
  for (unsigned reading : readingLoops(kernel, array))
    any |= !stageCells(kernel, array, reading, pad, alias, converted);
  return any ? std::nullopt : refusal;
}

} // namespace clopt
