//===- MapRegisters.cpp - registers of a loop that becomes a dimension ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every iteration gets registers of its own; the last one that writes a cell
// stores it. See Map.cpp.
//
// Tested by test/unit/MapTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Mapper.h"

#include "Analysis/dependence/Dependences.h"
#include "Transform/steps/PrivateCells.h"
#include "Transform/tree/Coordinates.h"

#include <isl/map.h>
#include <isl/set.h>

namespace clopt {

/// True when all iterations of the loop used the same registers.
bool Mapper::isShared(const ArrayTile &copy) const {
  const ScheduleNode *region =
      copy.loop ? findLoop(kernel.tree, *copy.loop) : &kernel.tree;
  return region && findLoop(*region, loop);
}

/// { Region[w..., k] -> A[s] } what the last iteration that writes a cell
/// writes.
static isl::map lastWritten(const isl::map &written, unsigned k, bool upward) {
  isl_map *later = isl_map_universe(isl_space_map_from_set(
      isl_space_domain(isl_map_get_space(written.get()))));
  for (unsigned c = 0; c < k; ++c)
    later = isl_map_equate(later, isl_dim_in, c, isl_dim_out, c);
  later = upward ? isl_map_order_lt(later, isl_dim_in, k, isl_dim_out, k)
                 : isl_map_order_gt(later, isl_dim_in, k, isl_dim_out, k);
  isl_map *overwritten = isl_map_apply_range(later, written.copy());
  return isl::manage(
      isl_map_coalesce(isl_map_subtract(written.copy(), overwritten)));
}

/// No iteration may load what another one writes.
StepResult Mapper::checkExposed(const ArrayTile &copy, const isl::map &exposed,
                                const isl::map &written) const {
  int k = static_cast<int>(workItem.size());
  isl_map *from =
      isl_map_apply_range(exposed.copy(), isl_map_reverse(written.copy()));
  for (int c = 0; c < k; ++c)
    from = isl_map_equate(from, isl_dim_in, c, isl_dim_out, c);
  isl_map *same = isl_map_universe(isl_map_get_space(from));
  from = isl_map_subtract(from,
                          isl_map_equate(same, isl_dim_in, k, isl_dim_out, k));
  bool isFree = isl_map_is_empty(from) == isl_bool_true;
  isl_map_free(from);
  if (isFree)
    return std::nullopt;
  Conflict conflict;
  for (unsigned id : copy.accesses)
    (model->accesses[id].isWrite ? conflict.first : conflict.second) = id;
  return refuse("clopt-dependence", describe(*model, conflict), "",
                model->accesses[conflict.second].range);
}

StepResult Mapper::loadExposed(ArrayTile &copy, const isl::map &exposed) const {
  // The copy stays in the tree where it loads nothing any more.
  const bool isInTree = copy.copyIn;
  copy.copyIn = isl_map_is_empty(exposed.get()) != isl_bool_true;
  copy.inDomain = std::nullopt;
  if (isInTree && !copy.copyIn) {
    copy.copyIn = true;
    copy.inDomain = cellsOfCopy(*model, copy, exposed);
  }
  if (isInTree != copy.copyIn)
    return refuse("clopt-dependence",
                  "what an iteration reads of '" +
                      model->arrays[copy.array].name +
                      "' before it writes it would have to be loaded");
  if (!copy.copyIn || copy.inDomain)
    return std::nullopt;
  return loadCells(*model, copy, exposed);
}

/// Every iteration gets registers of its own. Loaded are cells that it reads
/// first, stored are those that no later iteration writes.
StepResult Mapper::updateCopy(ArrayTile &copy) {
  const Array &array = model->arrays[copy.array];
  std::vector<unsigned> writes;
  for (unsigned id : copy.accesses) {
    const Access &access = model->accesses[id];
    if (!access.isWrite)
      continue;
    if (!access.isExact)
      return refuse("clopt-non-affine-control",
                    "which iteration writes '" + array.name +
                        "' last depends on data",
                    "", access.range);
    writes.push_back(id);
  }
  if (copy.loop == loop)
    copy.loop = std::nullopt;
  copy.coordinates = virtualItem;
  unsigned outer = static_cast<unsigned>(virtualItem.size());
  isl::map exposed = upwardExposed(*model, result.tree, copy.accesses, outer);
  if (!writes.empty()) {
    isl::map written = regionFootprint(*model, writes, outer);
    if (StepResult refusal = checkExposed(copy, exposed, written))
      return refusal;
    copy.outDomain = cellsOfCopy(
        *model, copy, lastWritten(written, outer - 1, info.step > 0));
  }
  return loadExposed(copy, exposed);
}

StepResult Mapper::moveCopies(const isl::set &executed) {
  isl::set first = endOf(executed, false), last = endOf(executed, true);
  for (size_t i = 0; i < result.tiles.size(); ++i) {
    ArrayTile &copy = result.tiles[i];
    if (isShared(kernel.tiles[i])) {
      if (StepResult refusal = updateCopy(copy))
        return refusal;
      continue;
    }
    changeCoordinates(*model, copy, withAxis(copy.coordinates, virtualItem));
    if (copyPlacements[i] == Placement::Iteration)
      continue;
    const isl::set &where = copyPlacements[i] == Placement::Everywhere
                                ? executed
                            : copyPlacements[i] == Placement::First ? first
                                                                    : last;
    for (std::optional<isl::set> *domain : {&copy.inDomain, &copy.outDomain})
      if (*domain)
        *domain = restrictTo(**domain, where);
  }
  return std::nullopt;
}

} // namespace clopt
