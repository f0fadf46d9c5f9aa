//===- LocalRaces.cpp - accesses that no barrier separates ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LocalRacesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/LocalRaces.h"

#include "Analysis/dependence/GroupDependences.h"

#include <isl/map.h>

#include <algorithm>
#include <array>

namespace clopt {

/// Which work-items share a group is known: from their ids within it, or from
/// its size.
static bool knowsGroups(const KernelModel &model) {
  for (unsigned d = 0; d < model.ndrange.rank; ++d)
    if (!model.ndrange.split[d] && !model.ndrange.localSize[d])
      return false;
  return true;
}

/// The cells of the array hold without a condition at run time.
static bool isUnconditional(const KernelModel &model, unsigned array) {
  return std::none_of(model.assumptions.begin(), model.assumptions.end(),
                      [&](const Assumption &assumption) {
                        return assumption.array == static_cast<int>(array);
                      });
}

static bool isKnown(const KernelModel &model, const Access &access) {
  return model.arrays[access.array].space == AddressSpace::Local &&
         access.expr && access.isExact &&
         (!access.subscripts.empty() || model.arrays[access.array].rank == 0) &&
         !model.statements[access.statement].isOpaque &&
         isUnconditional(model, access.array);
}

namespace {

/// The size of a group in each dimension; zero where the kernel says it.
using GroupShape = std::array<int, 3>;

} // namespace

/// Dimensions of unknown size whose local ids choose the cells; the first split
/// one if none does.
static std::vector<unsigned> dimensionsOf(const KernelModel &model,
                                          const GroupDependence &conflict) {
  std::vector<unsigned> result, open;
  for (unsigned d = 0; d < model.ndrange.rank; ++d) {
    if (model.ndrange.localSize[d])
      continue;
    open.push_back(d);
    std::optional<SymbolId> id = model.symbols.find(SymbolKind::LocalId, d);
    for (unsigned access : {conflict.first, conflict.second})
      for (const Polynomial &subscript : model.accesses[access].subscripts)
        if (id && subscript.contains(*id) &&
            (result.empty() || result.back() != d))
          result.push_back(d);
  }
  if (result.empty() && !open.empty())
    result.push_back(open.front());
  return result;
}

/// Groups as they are launched, with work-items along `dimensions` only.
static std::vector<GroupShape>
usualShapes(const KernelModel &model, const std::vector<unsigned> &dimensions) {
  std::vector<std::vector<int>> sizes = {{}};
  if (dimensions.size() == 1)
    sizes = {{16}, {64}, {256}};
  else if (dimensions.size() == 2)
    sizes = {{2, 2}, {8, 8}, {16, 16}};
  else if (dimensions.size() == 3)
    sizes = {{2, 2, 2}, {4, 4, 4}};
  std::vector<GroupShape> result;
  for (const std::vector<int> &size : sizes) {
    GroupShape shape = {0, 0, 0};
    for (unsigned d = 0; d < model.ndrange.rank; ++d)
      shape[d] = model.ndrange.localSize[d] ? 0 : 1;
    for (size_t i = 0; i < size.size(); ++i)
      shape[dimensions[i]] = size[i];
    result.push_back(shape);
  }
  return result;
}

/// { S[w, i] -> T[w', j] } of groups of this shape; ids of split dimensions are
/// the group's and the one in it.
static bool happensIn(const KernelModel &model, const isl::map &instances,
                      const GroupShape &shape) {
  isl_map *map = instances.copy();
  unsigned position = 0;
  for (unsigned d = 0; d < model.ndrange.rank; ++d) {
    position += model.ndrange.split[d] ? 2 : 1;
    if (!shape[d])
      continue;
    map = isl_map_upper_bound_si(map, isl_dim_in, position - 1, shape[d] - 1);
    map = isl_map_upper_bound_si(map, isl_dim_out, position - 1, shape[d] - 1);
  }
  return !isl::manage(map).is_empty();
}

/// Tiles are declared for groups of a certain shape: two work-items have to
/// meet in groups of all usual shapes.
static bool isRace(const KernelModel &model, const GroupDependence &conflict) {
  std::vector<GroupShape> shapes =
      usualShapes(model, dimensionsOf(model, conflict));
  return std::all_of(shapes.begin(), shapes.end(),
                     [&](const GroupShape &shape) {
                       return happensIn(model, conflict.instances, shape);
                     });
}

std::vector<Conflict> localRaces(const KernelModel &model) {
  auto isWanted = [&](const Access &access) { return isKnown(model, access); };
  if (!knowsGroups(model) ||
      std::none_of(model.accesses.begin(), model.accesses.end(), isWanted))
    return {};
  std::vector<Conflict> races;
  if (std::optional<ScheduleNode> tree = readSchedule(model))
    for (const GroupDependence &conflict :
         unorderedConflicts(model, *tree, isWanted))
      if (isRace(model, conflict))
        races.push_back(conflict);
  return races;
}

} // namespace clopt
