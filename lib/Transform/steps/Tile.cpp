//===- Tile.cpp - tiles of work-items and of loop iterations --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A group takes a tile of logical work-items, a loop runs in tiles of
// iterations. Neither changes the order of anything by itself: cutting a loop
// keeps the order of its iterations, and work-items have none. What it gives is
// a region whose cells are few enough to be kept in local memory (stage).
//
// Tested by test/unit/TileTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Steps.h"
#include "Transform/tree/StripMine.h"

#include <algorithm>

namespace clopt {

/// Larger tiles do not fit local memory whatever is staged.
static constexpr unsigned maximumTile = 4096;

static StepResult checkSize(unsigned count) {
  if (count >= 2 && count <= maximumTile)
    return std::nullopt;
  return refuse("clopt-step-value",
                "a tile has 2 to " + std::to_string(maximumTile) + " elements");
}

StepResult tileWork(TransformedKernel &kernel, unsigned dim, unsigned count) {
  if (StepResult refusal = mergeableWorkItems(kernel, dim))
    return refusal;
  if (StepResult refusal = checkSize(count))
    return refusal;
  WorkDimension &work = kernel.work[dim];
  // A group's work-items run side by side: of tiles of tiles there are only the
  // larger ones.
  count = std::max(count, work.groupIds);
  if (!kernel.sections().empty())
    return refuse("clopt-dependence", "arrays are staged for the tile as it is",
                  "tile first");
  if (StepResult refusal = checkTileSize(count, work.total()))
    return refusal;
  work.groupIds = count;
  return std::nullopt;
}

StepResult tileLoop(TransformedKernel &kernel, unsigned loop, unsigned count) {
  ScheduleNode *node = findLoop(kernel.tree, loop);
  if (!node)
    return refuse("clopt-opaque-code",
                  "the loop is part of code that is kept as written");
  if (StepResult refusal = checkSize(count))
    return refusal;
  if (const Statement *jump = findJump(*kernel.model, *node))
    return refuse("clopt-non-affine-control",
                  "the loop may be left early, depending on data", "",
                  jump->stmt->range);
  const unsigned own = node->tile;
  if (!own && node->lanes == 1) {
    node->tile = count;
    return std::nullopt;
  }
  if (own == count)
    return std::nullopt;
  // Tiles of tiles, and tiles of vectors: the larger ones are a loop around.
  unsigned tiles;
  if (StepResult refusal = stripMine(kernel, loop, std::max(own, count), tiles))
    return refusal;
  if (own)
    findLoop(kernel.tree, loop)->tile = std::min(own, count);
  return std::nullopt;
}

} // namespace clopt
