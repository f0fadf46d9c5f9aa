//===- StencilPlanner.cpp - tiles with halos in local memory --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array is staged when the placement gives it to local memory, it is only
// read, more than once per work-item, and some reads move with the ids. Choices
// at borders are resolved before, so that the tiles away from them are boxes.
//
// Cells smaller than a word are staged only where that gains more than vectors
// of them do: those bring a word's worth per request.
//
// Tested by test/unit/StencilPlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/StencilPlanner.h"

#include "Analysis/access/Selections.h"
#include "Planning/cost/Placement.h"
#include "Planning/cost/TileShapes.h"
#include "Planning/search/PlannerImpl.h"

#include <algorithm>

namespace clopt {

/// Work-items side by side along dimension 0, and in one-dimensional launches.
static constexpr unsigned itemsAcross = 16, itemsOfLine = 256;
/// Bytes of local memory that leave several groups on a compute unit.
static constexpr int64_t maxBytes = 16384;
/// Loops of more iterations are other planners' matter.
static constexpr int64_t longestLoop = 32;

namespace {

class StencilPlanner {
public:
  StencilPlanner(const TransformedKernel &transformed,
                 const DeviceProfile &deviceProfile, AliasMode aliasMode)
      : start(transformed), kernel(transformed), model(*transformed.model),
        profile(deviceProfile), alias(aliasMode) {}
  std::optional<Plan> run();

private:
  bool take(const Step &step);
  bool movesWithIds(const Polynomial &subscript) const;
  bool isStencil(unsigned array) const;
  bool paysMoreThanVectors(const ArrayPlacement &place) const;
  void resolveChoices(unsigned array);
  bool shapeGroups();
  void unrollLoops();

  const TransformedKernel &start;
  TransformedKernel kernel;
  const KernelModel &model;
  const DeviceProfile &profile;
  AliasMode alias;
  Placement placement;
  std::vector<Step> steps;
};

} // namespace

bool StencilPlanner::take(const Step &step) {
  if (applyStep(kernel, step, alias))
    return false;
  steps.push_back(step);
  return true;
}

/// Choices are between cells that move.
bool StencilPlanner::movesWithIds(const Polynomial &subscript) const {
  bool result = !selectsIn(model, subscript, {}).empty();
  for (unsigned d = 0; d < model.ndrange.rank; ++d)
    if (auto id = model.symbols.find(SymbolKind::GlobalId, d))
      result |= subscript.contains(*id);
  return result;
}

/// Read only, and by several neighbours.
bool StencilPlanner::isStencil(unsigned array) const {
  if (model.arrays[array].space != AddressSpace::Global)
    return false;
  bool isMoved = false;
  for (const Access &access : model.accesses) {
    if (access.array != array)
      continue;
    if (access.isWrite)
      return false;
    for (const Polynomial &subscript : access.subscripts)
      isMoved |= movesWithIds(subscript);
  }
  const ArrayPlacement *place = placement.find(array);
  return isMoved && place && place->dropIn == MemoryKind::Local &&
         paysMoreThanVectors(*place);
}

bool StencilPlanner::paysMoreThanVectors(const ArrayPlacement &place) const {
  const double word = 4;
  const double part =
      std::min(1.0, model.arrays[place.array].elementBytes / word);
  return place.in(MemoryKind::Local).clocks <
         place.in(MemoryKind::Global).clocks * part / 2;
}

void StencilPlanner::resolveChoices(unsigned array) {
  bool isChosen = false;
  for (const Access &access : model.accesses)
    isChosen |= access.array == array && access.offset &&
                !selectsIn(model, *access.offset, {}).empty();
  if (isChosen)
    take(makeStep("select", model.arrays[array].name));
}

bool StencilPlanner::shapeGroups() {
  const unsigned rank = model.ndrange.rank;
  if (rank == 1)
    return take(makeStep("tile", axisName(model, 0),
                         std::min(itemsOfLine, profile.maxGroupSize)));
  const unsigned rows = std::min(profile.maxGroupSize / itemsAcross, 16u);
  return take(makeStep("tile", axisName(model, 0), itemsAcross)) &&
         take(makeStep("tile", axisName(model, 1), rows));
}

/// Short loops over the neighbours, so that subscripts are constants.
void StencilPlanner::unrollLoops() {
  for (unsigned loop : loopsBelow(kernel.tree)) {
    std::optional<int64_t> trips = constantTripCount(kernel, loop);
    if (trips && *trips <= longestLoop)
      take(makeStep("unroll", model.loops[loop].name));
  }
}

std::optional<Plan> StencilPlanner::run() {
  // Images that are faster than buffers are so by their cache.
  if (!profile.localMemoryIsReal || model.ndrange.rank == 0 ||
      profile.latency.image >= profile.latency.global)
    return std::nullopt;
  for (unsigned loop : loopsBelow(start.tree)) {
    std::optional<int64_t> trips = constantTripCount(start, loop);
    if (!trips || *trips > longestLoop)
      return std::nullopt;
  }
  placement = placeArrays(start, profile, alias);
  std::vector<unsigned> arrays;
  for (unsigned array = 0; array < model.arrays.size(); ++array)
    if (isStencil(array)) {
      resolveChoices(array);
      arrays.push_back(array);
    }
  if (arrays.empty() || !shapeGroups())
    return std::nullopt;
  bool any = false;
  for (unsigned array : arrays)
    any |= take(makeStep("stage", model.arrays[array].name));
  if (!any)
    return std::nullopt;
  reshapeTiles(start, profile, alias, maxBytes, kernel, steps);
  unrollLoops();
  Plan plan;
  plan.steps = std::move(steps);
  return plan;
}

std::optional<Plan> planStencils(const TransformedKernel &start,
                                 const DeviceProfile &profile,
                                 AliasMode alias) {
  return StencilPlanner(start, profile, alias).run();
}

} // namespace clopt
