//===- SmallGroups.cpp - launches in groups of a few ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the host leaves the groups to the driver and the sizes are prime,
// groups have a single work-item. They have no tile to share, and the local
// memory of the tiles, which all launches of a kernel have, keeps two thirds
// of them from running: the author's text is at 0.32 of its speed then
// (1013 x 1031 x 1019, an H200). Blocks in registers ask for no group: 5.4
// times the author's speed there.
//
// Tested by test/unit/SmallGroupsTest.cpp, test/lit/planner.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/SmallGroups.h"

#include "Planning/search/GroupPlanner.h"
#include "Support/StepTable.h"

#include <llvm/ADT/STLExtras.h>

namespace clopt {

/// Lanes that GPUs run at once.
static constexpr unsigned wavefront = 32;
/// Work-items in one for which loads shared in registers repay the guard.
static constexpr unsigned fewestPoints = 4;

/// Cells that an iteration reads of tiles at most. Twice as many addresses, or
/// one more for each border of a triangle, take more than the 64 registers with
/// which groups of 1,024 run, in all launches of the kernel. (Symmetric updates
/// of rank 2, 1021 rows: groups of one in place of 1021, 0.23 and 3.8 ms.)
static constexpr unsigned mostReads = 2;

static unsigned readsOfTiles(const TransformedKernel &kernel) {
  unsigned reads = 0;
  for (unsigned id = 0; id < kernel.model->accesses.size(); ++id) {
    const std::optional<unsigned> tile = kernel.tileOf(id);
    reads += tile && !kernel.tiles[*tile].inTree &&
             !kernel.model->accesses[id].isWrite;
  }
  return reads;
}

/// Steps that leave work-items on their own; what is unrolled or required is
/// for tiles.
static bool isForSingles(const Step &step) {
  const StepInfo *info = findStep(step.name);
  const bool isPrivate = step.hasFlag("private");
  return info && !(info->has(StepTraits::OnGroups) && !isPrivate) &&
         !step.hasFlag("local") && step.name != "unroll" &&
         step.name != "require";
}

/// True where the version would take more registers than the tiles.
static bool isLarge(const TransformedKernel &kernel) {
  try {
    return readsOfTiles(kernel) > mostReads || hasDiagonal(*kernel.model);
  } catch (const isl::exception &) {
    return true;
  }
}

std::vector<Step> stepsForSmallGroups(const TransformedKernel &kernel,
                                      const std::vector<Step> &steps,
                                      const DeviceProfile &profile) {
  const NDRange &range = kernel.model->ndrange;
  bool isKnown = false;
  unsigned points = 1;
  for (unsigned dim = 0; dim < range.rank; ++dim) {
    isKnown |= range.localSize[dim].has_value();
    points *= kernel.work[dim].total();
  }
  if (!profile.localMemoryIsReal || !kernel.isGrouped() || isKnown ||
      kernel.mergesGroups() || kernel.minIterations.empty() ||
      kernel.sections().empty() || kernel.otherwise || points < fewestPoints ||
      isLarge(kernel))
    return {};
  Step other, small;
  other.name = "otherwise";
  std::vector<Step> result = {other};
  llvm::copy_if(steps, std::back_inserter(result), isForSingles);
  small.name = "require";
  small.parameters = {{"below", wavefront}};
  if (kernel.minWorkItems)
    small.parameters.emplace_back("items",
                                  static_cast<int64_t>(kernel.minWorkItems));
  result.push_back(small);
  return result;
}

} // namespace clopt
