//===- SharedRows.cpp - several work-items for a row ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One work-item for a row is too few: 4,096 rows are one set of lanes for each
// compute unit, and its lanes read far from each other. A launch plan has an
// NDRange of its own, where work-items share the loops along a row, side by
// side. (4096 rows of 4096 integers on an H200, in ms, as written, through
// tiles in registers, and by 32 work-items for a row: sums 0.55, 0.154, 0.040,
// scans 1.27, 0.37, 0.139, three loops as those of a softmax 3.18, 0.85,
// 0.142.)
//
// All loops have to be along rows, and shared: what one of the work-items does
// alone takes as long as before, and with fewer of them in flight.
//
// Tested by test/unit/SharedRowsTest.cpp, test/lit/planner/shared-rows.test.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/SharedRows.h"

#include "Analysis/access/AccessPattern.h"
#include "Model/Control.h"
#include "Planning/search/PlannerImpl.h"
#include "Planning/search/RowPlanner.h"

#include <llvm/ADT/STLExtras.h>

namespace clopt {

/// Work-items for a row of unknown length, and for the longest ones. (Scans of
/// 131071 rows of 100 by 32, 64 and 128: 0.085, 0.094, 0.116 ms; of 1021 rows
/// of 20011 0.51, 0.30, 0.19.)
static constexpr unsigned fewestLanes = 32, mostLanes = 128;
/// Iterations for each of them.
static constexpr int64_t sharesOfLane = 4;
/// Loops that are as well run by one of them.
static constexpr int64_t shortLoop = 4;

/// As many for all loops as the shortest of known length is worth.
static unsigned lanesFor(const TransformedKernel &kernel,
                         const std::vector<unsigned> &loops) {
  unsigned lanes = mostLanes;
  for (unsigned loop : loops) {
    const int64_t trips =
        constantTripCount(kernel, loop).value_or(fewestLanes * sharesOfLane);
    while (lanes > fewestLanes && lanes * sharesOfLane > trips)
      lanes /= 2;
  }
  return lanes;
}

/// What the iterations of a loop do with memory.
enum class Walk { Nothing, Rows, Other };

/// Rows are each of one work-item: what several have in common is better kept
/// where they share it, and what neighbours find side by side better left
/// there.
static Walk walkOf(const KernelModel &model, const Access &access,
                   unsigned loop, const DeviceProfile &profile) {
  const AddressSpace space = model.arrays[access.array].space;
  if (space != AddressSpace::Global && space != AddressSpace::Constant)
    return Walk::Nothing;
  if (!access.offset)
    return Walk::Other;
  if (!dependsOn(model, *access.offset, model.loops[loop].iterator))
    return Walk::Nothing;
  unsigned ids = 0;
  const unsigned rank = model.ndrange.launchRank();
  for (unsigned dim = 0; dim < rank; ++dim)
    if (const auto id = model.symbols.find(SymbolKind::GlobalId, dim))
      ids += dependsOn(model, *access.offset, *id);
  if (ids == 0)
    return Walk::Nothing;
  return ids == rank && isRow(model, access, loop, profile) ? Walk::Rows
                                                            : Walk::Other;
}

/// True for loops along rows and nothing else.
static bool walksRows(const TransformedKernel &kernel, unsigned loop,
                      const DeviceProfile &profile) {
  const KernelModel &model = *kernel.model;
  const ScheduleNode &node = *findLoop(kernel.tree, loop);
  bool hasRows = false;
  for (unsigned statement : statementsBelow(node))
    for (unsigned access : model.statements[statement].accesses) {
      const Walk walk = walkOf(model, model.accesses[access], loop, profile);
      if (walk == Walk::Other)
        return false;
      hasRows |= walk == Walk::Rows;
    }
  return hasRows && loopsBelow(node).size() == 1;
}

std::vector<Step> stepsForSharedRows(const TransformedKernel &start,
                                     const DeviceProfile &profile,
                                     AliasMode alias) {
  const KernelModel &model = *start.model;
  const bool hasOtherLoops =
      llvm::any_of(model.statements, [](const Statement &statement) {
        return statement.isOpaque ||
               (statement.isCompound && loopDepth(statement.stmt) > 0);
      });
  if (!profile.localMemoryIsReal || model.usesLocalMemory || hasOtherLoops ||
      !model.ndrange.mapped.empty() || model.ndrange.isFlat())
    return {};
  TransformedKernel kernel = start;
  std::vector<Step> steps;
  std::vector<unsigned> loops;
  for (unsigned loop : loopsBelow(start.tree)) {
    const std::optional<int64_t> trips = constantTripCount(start, loop);
    if (model.loops[loop].outer.empty() && (!trips || *trips > shortLoop))
      loops.push_back(loop);
  }
  if (loops.empty() || !llvm::all_of(loops, [&](unsigned loop) {
        return walksRows(start, loop, profile);
      }))
    return {};
  const unsigned lanes = lanesFor(start, loops);
  auto take = [&](const char *name, const std::string &target,
                  std::optional<int64_t> count) {
    const Step step = makeStep(name, target, count);
    if (applyStep(kernel, step, alias))
      return false;
    steps.push_back(step);
    return true;
  };
  for (unsigned loop : loops) {
    const std::string &name = model.loops[loop].name;
    const std::optional<int64_t> trips = constantTripCount(start, loop);
    for (unsigned array : accumulatorsIn(start, loop))
      take("privatize", model.arrays[array].name, std::nullopt);
    const int64_t fewest = lanes * sharesOfLane;
    if ((trips && *trips < fewest) || !take("split-reduction", name, lanes) ||
        (!trips && !take("require", name, fewest)))
      return {};
  }
  return steps;
}

} // namespace clopt
