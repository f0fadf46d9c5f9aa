//===- WorkMapping.h - a group's tile of logical work-items -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launched groups take tiles of logical work-items by their linear position, in
// a loop; the work-items of a group share the tile by their linear position
// within it. Along one dimension, the adaptive one, the tile has as many
// work-items side by side as the launch gives: so every shape and every size of
// groups from minWorkItems() on is right.
//
// Tested by test/unit/WorkMappingTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_WORKMAPPING_H
#define CLOPT_EMIT_WORKMAPPING_H

#include "Emit/body/BodyWriter.h"

#include <set>
#include <string>
#include <vector>

namespace clopt {

/// Stands in every branch without barriers beside one that has them: PoCL 3.1
/// otherwise runs a group's first work-item twice through it.
inline constexpr const char *groupBarrier = "barrier(CLK_LOCAL_MEM_FENCE);";

/// The text around what a group does with its tile.
struct WorkMapping {
  std::vector<std::string> before; ///< declarations ahead of the loop
  std::string loop;                ///< header of the loop over tiles
  std::vector<std::string> inside; ///< declarations at the top of its body
  std::set<std::string> asked;     ///< sizes and offsets of the launch in them
};

/// Tiles are made smaller while there are fewer than `computeUnits`, and while
/// twice as many still run at once (`itemsPerComputeUnit` work-items each).
WorkMapping
mapGroups(const TransformedKernel &kernel, const KernelNames &names,
          unsigned computeUnits, unsigned itemsPerComputeUnit,
          const std::function<std::string(const std::string &)> &fresh);

/// Work-items side by side along all dimensions but the adaptive one; smaller
/// groups cannot share a tile.
unsigned minWorkItems(const TransformedKernel &kernel);

/// Ids of the smallest tile a group can take.
unsigned minTileIds(const TransformedKernel &kernel);

/// Ids along a dimension of the smallest tile that tiles are shrunk to.
unsigned minTileIds(const TransformedKernel &kernel, unsigned dim);

/// Row-major position of an id, dimension 0 fastest.
std::string linearId(unsigned rank, WorkItemQuery query, WorkItemQuery counts);
/// The id at a position of the launch.
std::string behindOffset(const std::string &offset,
                         const std::string &position);
/// Product over the dimensions: `get_local_size(0) * get_local_size(1)`.
std::string productOf(unsigned rank, WorkItemQuery query);

} // namespace clopt

#endif // CLOPT_EMIT_WORKMAPPING_H
