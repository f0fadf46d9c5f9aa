//===- HoistWindows.cpp - rows that move with a loop ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells of a row that neighbouring iterations share are passed on from one to
// the next in registers. Hoist.cpp says when.
//
// Tested by test/unit/HoistTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Hoister.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

/// Longest window; all its cells are registers.
static constexpr int64_t longestWindow = 16;

/// { Copy[prefix, cell...] : first <= cell along the window <= last }
isl::set windowCells(const isl::set &prefix, const References &row,
                     int64_t first, int64_t last) {
  unsigned outer = isl_set_dim(prefix.get(), isl_dim_set);
  const auto rank = static_cast<unsigned>(row.subscripts.size());
  isl_set *set = isl_set_add_dims(prefix.copy(), isl_dim_set, rank);
  for (unsigned d = 0; d < rank; ++d) {
    const bool isRow = d == row.dimension;
    set = isl_set_lower_bound_si(set, isl_dim_set, outer + d,
                                 static_cast<int>(isRow ? first : 0));
    set = isl_set_upper_bound_si(set, isl_dim_set, outer + d,
                                 static_cast<int>(isRow ? last : 0));
  }
  return isl::manage(isl_set_coalesce(isl_set_set_tuple_name(set, "Copy")));
}

/// +1 or -1 when the value moves by that much from one iteration to the next.
std::optional<int> Hoister::stepAlong(unsigned loop,
                                      const Polynomial &poly) const {
  const Loop &info = model.loops[loop];
  auto found = poly.terms.find(Monomial{info.iterator});
  int64_t step = found == poly.terms.end() ? 0 : found->second * info.step;
  if (step != 1 && step != -1)
    return std::nullopt;
  return static_cast<int>(step);
}

/// { x : x + step * e_last in set } for the iterator, the last coordinate.
static isl::set earlier(const isl::set &set, int64_t step) {
  unsigned last = isl_set_dim(set.get(), isl_dim_set) - 1;
  isl_multi_aff *shift =
      isl_multi_aff_identity_on_domain_space(isl_set_get_space(set.get()));
  isl_aff *aff = isl_multi_aff_get_aff(shift, static_cast<int>(last));
  aff = isl_aff_add_constant_si(aff, static_cast<int>(step));
  shift = isl_multi_aff_set_aff(shift, static_cast<int>(last), aff);
  return isl::manage(isl_set_preimage_multi_aff(set.copy(), shift));
}

static isl::set laterThan(const isl::set &set, int64_t step) {
  return earlier(set, -step);
}

/// True when there is never more than one value of the last coordinate.
static bool isSingle(const isl::set &set) {
  unsigned last = isl_set_dim(set.get(), isl_dim_set) - 1;
  isl_map *map = isl_map_from_domain(set.copy());
  map = isl_map_move_dims(map, isl_dim_out, 0, isl_dim_in, last, 1);
  bool result = isl_map_is_single_valued(map) == isl_bool_true;
  isl_map_free(map);
  return result;
}

/// References in the innermost loop's body that lie in one row and that this
/// loop moves along it.
std::vector<References> Hoister::rowsAlong(unsigned loop) const {
  std::vector<References> rows;
  const ScheduleNode *node = findLoop(kernel.tree, loop);
  for (unsigned id : accessesBelow(*node, usable)) {
    const Access &access = model.accesses[id];
    std::optional<unsigned> moving;
    bool isRow = true;
    for (unsigned d = 0; d < access.subscripts.size(); ++d) {
      if (!access.subscripts[d].contains(model.loops[loop].iterator))
        continue;
      isRow &= !moving && stepAlong(loop, access.subscripts[d]).has_value();
      moving = d;
    }
    for (unsigned inner : loopsBelow(node->children[0]))
      for (const Polynomial &subscript : access.subscripts)
        isRow &= !subscript.contains(model.loops[inner].iterator);
    if (!moving || !isRow)
      continue;
    bool isKnown = false;
    for (References &row : rows) {
      Polynomial distance =
          access.subscripts[*moving] - row.subscripts[row.dimension];
      std::optional<int64_t> cells = distance.asConstant();
      bool isSame = row.dimension == *moving && cells;
      for (unsigned d = 0; d < access.subscripts.size(); ++d)
        isSame &= d == *moving || access.subscripts[d] == row.subscripts[d];
      if (!isSame)
        continue;
      isKnown = true;
      row.accesses.push_back(id);
      if (*cells < 0) {
        row.subscripts = access.subscripts;
        row.cells -= *cells;
      } else {
        row.cells = std::max(row.cells, *cells + 1);
      }
      break;
    }
    if (!isKnown)
      rows.push_back({{id}, access.subscripts, 1, *moving});
  }
  return rows;
}

/// True when some cell of the row is not read by every iteration that has it.
bool Hoister::hasGaps(const References &row) const {
  std::set<int64_t> read;
  for (unsigned id : row.accesses)
    if (std::optional<int64_t> cell =
            (model.accesses[id].subscripts[row.dimension] -
             row.subscripts[row.dimension])
                .asConstant())
      read.insert(*cell);
  return static_cast<int64_t>(read.size()) < row.cells;
}

bool Hoister::moveWindow(unsigned loop, const References &row) {
  ScheduleNode *node = findLoop(kernel.tree, loop);
  if (row.cells < 2 || row.cells > longestWindow || node->lanes > 1)
    return false;
  const Statement &first =
      model.statements[model.accesses[row.accesses.front()].statement];
  auto place = std::find(first.coordinates.begin(), first.coordinates.end(),
                         model.loops[loop].iterator);
  unsigned count = static_cast<unsigned>(place - first.coordinates.begin()) + 1;
  // Every iteration reads all of them, without gaps.
  isl::set executed = executedPrefix(row.accesses.front(), count);
  for (unsigned id : row.accesses)
    if (!executed.is_equal(executedPrefix(id, count)))
      return false;
  if (hasGaps(row) && writtenArrays(model).count(array))
    return false;
  int64_t step = model.loops[loop].step;
  isl::set starts = isl::manage(isl_set_coalesce(
      isl_set_subtract(executed.copy(), laterThan(executed, step).release())));
  if (!isSingle(starts))
    return false;
  Region region;
  if (StepResult refusal = regions.extend(region, *node)) {
    if (!firstRefusal)
      firstRefusal = refusal;
    return false;
  }
  ArrayTile copy = makeCopy(row, count);
  copy.loop = loop;
  const int along = *stepAlong(loop, row.subscripts[row.dimension]);
  const bool isUp = along > 0;
  const int64_t last = row.cells - 1, front = isUp ? last : 0;
  copy.inDomain = windowCells(executed, row, front, front);
  copy.window =
      TileWindow{loop, row.dimension, along,
                 windowCells(starts, row, isUp ? 0 : 1, isUp ? last - 1 : last),
                 windowCells(executed, row, 0, last - 1)};
  regions.requireUnwritten(region.written);
  kernel.tiles.push_back(std::move(copy));
  unsigned index = static_cast<unsigned>(kernel.tiles.size() - 1);
  unsigned fill = static_cast<unsigned>(kernel.copies.size());
  kernel.copies.push_back({index, true, true, false});
  kernel.copies.push_back({index, true, false, false});
  kernel.copies.push_back({index, false, false, true});
  node->children[0] = ScheduleNode::sequence(
      {ScheduleNode::makeCopy(fill + 1), node->children[0],
       ScheduleNode::makeCopy(fill + 2)});
  *node = ScheduleNode::sequence({ScheduleNode::makeCopy(fill), *node});
  done = true;
  return true;
}

} // namespace clopt
