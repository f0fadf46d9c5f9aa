//===- StagePrivate.cpp - sections of arrays in registers -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: during one tile of a loop, the cells of an array that one work-item
// uses are in registers: it loads them, or stores them, by vectors at once.
//
// Which section, and when that is legal: as for sections in local memory
// (Stage.cpp), where the work-item's ids do not move. Nobody else takes part,
// so only the region counts: before and after it the work-item's own order is
// what it was. Within it there is no barrier and no access in a fixed order, so
// a kernel without races shows nobody when its cells are loaded and stored.
//
// Tested by test/unit/StagePrivateTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/KeptCells.h"
#include "Transform/steps/Stager.h"

#include <algorithm>

namespace clopt {

/// Cells of one section, and 4-byte registers of all those of a loop.
static constexpr int64_t maximumRowCells = 32, maximumRegisters = 64;

/// Iterations of a tile of nested loops that have sections: they are written
/// out, because registers have no index that is not a constant.
static constexpr int64_t maximumCopiedCells = 64;

/// Registers for one work-item's sections must have constant indices: the
/// iterations of the tile are written out, and those of no other loop.
StepResult Stager::checkWorkItem(const ScheduleNode &region) const {
  if (kernel.isVirtual())
    return refuse("clopt-not-profitable",
                  "a work-item does the work of several");
  if (!isNest && loopsBelow(region).size() > 1)
    return refuse("clopt-not-profitable",
                  "the tiled loop has another loop in it");
  for (unsigned index : statementsBelow(region)) {
    const Statement &statement = model.statements[index];
    SourceRange range = statement.stmt ? statement.stmt->range : SourceRange();
    if (statement.isOpaque || statement.isBarrier)
      return refuse(statement.isBarrier ? "clopt-barrier" : "clopt-opaque-code",
                    "the region has code that must see memory as it is", "",
                    range);
    for (unsigned id : statement.accesses)
      if (model.accesses[id].isOrdered)
        return refuse("clopt-ordered-effect",
                      "the region has accesses in a fixed order", "", range);
  }
  for (unsigned around : model.loops[*loop].outer)
    if (const ScheduleNode *node = findLoop(kernel.tree, around))
      if (node->lanes > 1)
        return refuse("clopt-lane-control",
                      "sections are a work-item's, and iterations of '" +
                          model.loops[around].name +
                          "' run as one vector around them");
  return std::nullopt;
}

/// Sections of few enough cells.
static StepResult checkRegisters(const TransformedKernel &kernel,
                                 unsigned loop) {
  int64_t registers = 0;
  for (const ArrayTile &tile : kernel.sections()) {
    if (!tile.isPrivate() || tile.loop != loop)
      continue;
    const int64_t cells = tile.cells(kernel);
    if (cells > maximumRowCells)
      return refuse("clopt-not-profitable",
                    "a work-item keeps at most " +
                        std::to_string(maximumRowCells) +
                        " cells of a section in registers",
                    "make the tile of the loop smaller");
    registers += cells * ((tile.cellBytes(*kernel.model) + 3) / 4);
    int64_t copies = 1;
    for (const TileRange &range : tile.nest)
      copies *= range.span / range.step + 1;
    if (copies > maximumCopiedCells)
      return refuse("clopt-not-profitable",
                    "more than " + std::to_string(maximumCopiedCells) +
                        " iterations would be written out",
                    "make the tiles of the loops smaller");
  }
  if (registers <= maximumRegisters)
    return std::nullopt;
  return refuse("clopt-not-profitable",
                "the sections need more than " +
                    std::to_string(maximumRegisters) + " registers",
                "make the tile of the loop smaller");
}

/// The sections of one array during tiles of one loop.
static StepResult stageForLoop(TransformedKernel &kernel, unsigned array,
                               unsigned loop, AliasMode alias) {
  Stager work(kernel, array, loop, true);
  if (StepResult refusal = work.collect())
    return refusal;
  if (StepResult refusal = work.makeTiles())
    return refusal;
  if (StepResult refusal = requireOwnCells(kernel, array, work.others, alias))
    return refusal;
  for (ArrayTile &tile : work.tiles)
    kernel.tiles.push_back(std::move(tile));
  return checkRegisters(kernel, loop);
}

/// Tiled loops without tiled loops in them that use the array.
static std::vector<unsigned> tiledLoopsOf(const TransformedKernel &kernel,
                                          unsigned array) {
  std::vector<unsigned> loops;
  for (unsigned loop : loopsBelow(kernel.tree)) {
    const ScheduleNode *node = findLoop(kernel.tree, loop);
    bool isInnermost = node->tile > 0, isUsed = false, isStaged = false;
    for (unsigned inner : loopsBelow(*node))
      isInnermost &= inner == loop || !findLoop(kernel.tree, inner)->tile;
    for (unsigned index : statementsBelow(*node))
      for (unsigned id : kernel.model->statements[index].accesses)
        isUsed |= kernel.model->accesses[id].array == array;
    for (const ArrayTile &tile : kernel.sections())
      isStaged |= tile.array == array && tile.loop == loop;
    if (isInnermost && isUsed && !isStaged)
      loops.push_back(loop);
  }
  return loops;
}

StepResult stagePrivately(TransformedKernel &kernel, unsigned array,
                          AliasMode alias) {
  const std::string &name = kernel.model->arrays[array].name;
  std::vector<unsigned> loops = tiledLoopsOf(kernel, array);
  if (std::optional<unsigned> nest = stagingNest(kernel, array);
      nest && loops.empty())
    loops.push_back(*nest);
  if (loops.empty())
    return refuse("clopt-not-profitable",
                  "no tiled loop is left that uses '" + name + "'",
                  "tile a loop first");
  TransformedKernel trial = kernel;
  for (unsigned loop : loops)
    if (StepResult refusal = stageForLoop(trial, array, loop, alias))
      return refusal;
  kernel = std::move(trial);
  return std::nullopt;
}

} // namespace clopt
