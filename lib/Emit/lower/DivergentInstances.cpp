//===- DivergentInstances.cpp - instances that not all of a tile have -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The condition of a part is the domain of its statement, without what every
// point of the part fulfils.
//
// Tested by test/unit/DivergentInstancesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/DivergentInstances.h"

#include "Analysis/access/AccessPattern.h"
#include "Emit/lower/TileSets.h"
#include "Support/DimCount.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>
#include <cstdlib>

namespace clopt {

std::string guardName(unsigned coordinate) {
  // No name of a program has a colon.
  return "point:" + std::to_string(coordinate);
}

/// True when the loop has chunks, which are counted from the first iteration.
static bool runsInChunks(const TransformedKernel &kernel, unsigned loop) {
  const ScheduleNode *node = findLoop(kernel.tree, loop);
  return !node || node->pass() != 1;
}

/// True when a work-item of a tile may begin the loop before the tile's first
/// work-item does, from whose first iteration chunks are counted.
static bool beginsApart(const KernelModel &model, const Statement &statement,
                        unsigned loop) {
  const Loop &own = model.loops[loop];
  const isl::space space = statement.domain.get_space();
  std::optional<isl::pw_aff> first; // { S[w..., i...] -> [k] }
  for (unsigned i = 0; i < statement.coordinates.size(); ++i) {
    const SymbolId id = statement.coordinates[i];
    if (model.symbols[id].kind == SymbolKind::Iterator ||
        !dependsOn(model, own.first, id))
      continue;
    if (!first)
      first = toPwAff(model, space, statement.coordinates, own.first);
    if (!first || std::abs(own.step) != 1)
      return true;
    // { S[w..., i...] -> S[w_i + 1] }
    isl_multi_aff *next = isl_multi_aff_identity_on_domain_space(space.copy());
    isl_aff *moved = isl_aff_add_constant_si(
        isl_multi_aff_get_aff(next, static_cast<int>(i)), 1);
    next = isl_multi_aff_set_aff(next, static_cast<int>(i), moved);
    const isl::pw_aff later =
        isl::manage(isl_pw_aff_pullback_multi_aff(first->copy(), next));
    const isl::set inOrder = isl::manage(
        own.step > 0 ? isl_pw_aff_ge_set(later.copy(), first->copy())
                     : isl_pw_aff_le_set(later.copy(), first->copy()));
    if (!isl::set::universe(space).is_subset(inOrder))
      return true;
  }
  return false;
}

bool mayBeGuarded(const TransformedKernel &kernel, int key) {
  if (key < 0 || kernel.mergesGroups() || kernel.sharesWork() ||
      !kernel.selections.empty())
    return false;
  const Statement &statement =
      kernel.model->statements[static_cast<size_t>(key)];
  bool isApart = std::any_of(
      statement.loops.begin(), statement.loops.end(), [&](unsigned loop) {
        return runsInChunks(kernel, loop) &&
               beginsApart(*kernel.model, statement, loop);
      });
  return statement.stmt && !statement.isBarrier && !statement.isOpaque &&
         (!statement.loops.empty() || kernel.hasGroupLanes()) && !isApart;
}

isl::set inOnePiece(const isl::set &set) {
  isl::set whole = set.coalesce();
  if (isl_set_n_basic_set(whole.get()) <= 1)
    return whole;
  isl::set hull =
      isl::manage(isl_set_from_basic_set(isl_set_simple_hull(whole.copy())));
  return hull.is_subset(whole) ? hull : whole;
}

bool haveSameIterations(const TileDomains &tiles, const isl::set &instances) {
  isl_set *own = isl_set_coalesce(
      isl_set_intersect_params(instances.copy(), tiles.context.copy()));
  own = isl_set_project_out(own, isl_dim_set, 0,
                            static_cast<unsigned>(tiles.baseNames.size()));
  isl_set *all = isl_set_copy(own);
  for (const auto *names : {&tiles.baseNames, &tiles.extentNames})
    for (const std::string &name : *names) {
      int position = name.empty() ? -1
                                  : isl_set_find_dim_by_name(all, isl_dim_param,
                                                             name.c_str());
      if (position >= 0)
        all = isl_set_project_out(all, isl_dim_param,
                                  static_cast<unsigned>(position), 1);
    }
  all = isl_set_intersect_params(isl_set_coalesce(all),
                                 isl_set_params(isl_set_copy(own)));
  bool result = isl_set_is_subset(all, own) == isl_bool_true;
  isl_set_free(all);
  isl_set_free(own);
  return result;
}

/// The work-items of the tile in place of the first one: the set says of work
/// coordinates only that they are those of `base`.
static isl_set *widenToTile(const TransformedKernel &kernel, isl_set *set) {
  std::vector<unsigned> dims = workCoordinates(*kernel.model);
  for (unsigned i = 0; i < dims.size(); ++i) {
    const WorkDimension &work = workOfCoordinate(kernel, dims, i);
    unsigned count = kernel.isGrouped() ? std::max(work.groupIds, work.total())
                                        : work.total();
    if (count <= 1 && !work.strided)
      continue;
    // { x : x_i = first_i + d, first in set, d >= 0, d < count if not strided }
    isl_map *move =
        isl_map_identity(isl_space_map_from_set(isl_set_get_space(set)));
    move = isl_map_drop_constraints_involving_dims(move, isl_dim_out, i, 1);
    isl_local_space *space =
        isl_local_space_from_space(isl_map_get_space(move));
    for (int side : {1, -1}) {
      if (side < 0 && work.strided)
        continue;
      isl_constraint *bound =
          isl_constraint_alloc_inequality(isl_local_space_copy(space));
      int place = static_cast<int>(i);
      bound =
          isl_constraint_set_coefficient_si(bound, isl_dim_out, place, side);
      bound =
          isl_constraint_set_coefficient_si(bound, isl_dim_in, place, -side);
      bound = isl_constraint_set_constant_si(
          bound, side > 0 ? 0 : static_cast<int>(count) - 1);
      move = isl_map_add_constraint(move, bound);
    }
    isl_local_space_free(space);
    set = isl_set_apply(set, move);
  }
  return set;
}

/// { : } of { S[c...] }, coordinate k being the parameter guardName(k).
static isl::set toParameters(const isl::set &instances) {
  isl_set *set = isl_set_reset_tuple_id(instances.copy());
  unsigned count = dimCount(isl_set_dim(set, isl_dim_set));
  unsigned first = dimCount(isl_set_dim(set, isl_dim_param));
  set = isl_set_move_dims(set, isl_dim_param, first, isl_dim_set, 0, count);
  for (unsigned i = 0; i < count; ++i)
    set = isl_set_set_dim_name(set, isl_dim_param, first + i,
                               guardName(i).c_str());
  return isl::manage(isl_set_params(set));
}

/// The bounds of `domain` that all points keep anyway.
static isl_set *alwaysTrue(const isl::set &domain, const isl::set &points) {
  isl_basic_set *hull = isl_set_simple_hull(domain.copy());
  isl_set *known = isl_set_universe(isl_set_get_space(domain.get()));
  isl_constraint_list *bounds = isl_basic_set_get_constraint_list(hull);
  isl_basic_set_free(hull);
  int count = isl_constraint_list_n_constraint(bounds);
  for (int i = 0; i < count; ++i) {
    isl_constraint *bound = isl_constraint_list_get_constraint(bounds, i);
    isl_set *half =
        isl_set_from_basic_set(isl_basic_set_from_constraint(bound));
    if (isl_set_is_subset(points.get(), half) == isl_bool_true)
      known = isl_set_intersect(known, half);
    else
      isl_set_free(half);
  }
  isl_constraint_list_free(bounds);
  return known;
}

isl_set *launchedIds(const KernelModel &model, const TileDomains &tiles,
                     isl_set *set) {
  std::vector<unsigned> dims = workCoordinates(model);
  for (unsigned i = 0; i < dims.size(); ++i) {
    if (tiles.endNames[i].empty())
      continue;
    int place = static_cast<int>(i);
    set = constrain(set, {{"", place, -1}, {tiles.endNames[i], -1, 1}}, -1,
                    false);
    std::vector<LinearTerm> low = {{"", place, 1}};
    if (auto offset = model.symbols.find(SymbolKind::GlobalOffset, dims[i]))
      low.push_back({model.symbols.name(*offset), -1, -1});
    set = constrain(set, low, 0, false);
  }
  return set;
}

IdLabel guardPart(const TransformedKernel &kernel, const TileDomains &tiles,
                  unsigned statement, const isl::set &some,
                  const std::vector<ChunkedLoop> &chunks) {
  const KernelModel &model = *kernel.model;
  const isl::set &plain = tiles.plain.at(static_cast<int>(statement));
  const Statement &own = model.statements[statement];
  // { S[w..., i...] } what is known of the points
  isl::set points = some;
  for (const ChunkedLoop &chunk : chunks) {
    const Loop &loop = model.loops[chunk.loop];
    int place = coordinateOf(kernel, plain, loop.iterator);
    if (place >= 0)
      points = shiftedUnion(points, place, chunk.factor, loop.step);
  }
  isl_set *inTile =
      launchedIds(model, tiles, widenToTile(kernel, points.release()));
  for (unsigned i = 0; i < tiles.baseNames.size(); ++i)
    if (!tiles.extentNames[i].empty())
      inTile = constrain(inTile,
                         {{"", static_cast<int>(i), -1},
                          {tiles.baseNames[i], -1, 1},
                          {tiles.extentNames[i], -1, 1}},
                         -1, false);
  points = isl::manage(inTile);
  isl::set left = isl::manage(isl_set_coalesce(
      isl_set_gist(isl_set_coalesce(plain.copy()), alwaysTrue(plain, points))));
  IdLabel part;
  part.node.kind = EmitNode::Kind::Statement;
  part.node.index = statement;
  part.condition = toParameters(left);
  for (unsigned i = 0; i < own.coordinates.size(); ++i)
    if (isl_set_involves_dims(left.get(), isl_dim_set, i, 1) == isl_bool_true)
      part.node.guardedBy.insert(own.coordinates[i]);
  return part;
}

isl::set maskedInstances(const TransformedKernel &kernel,
                         const TileDomains &tiles, int key,
                         const isl::set &instances, const std::string &name) {
  const KernelModel &model = *kernel.model;
  const std::vector<unsigned> dims = workCoordinates(model);
  const isl::set &mask = tiles.masks.at(key);
  IdLabel label;
  label.node.kind = key < 0 ? EmitNode::Kind::Copy : EmitNode::Kind::Statement;
  label.node.index = static_cast<unsigned>(key < 0 ? -1 - key : key);
  label.condition = toParameters(mask);
  const std::vector<SymbolId> &coordinates =
      key < 0 ? kernel.tiles[kernel.copies[label.node.index].tile].coordinates
              : model.statements[label.node.index].coordinates;
  for (unsigned i = 0; i < dims.size(); ++i)
    if (isl_set_involves_dims(mask.get(), isl_dim_set, i, 1) == isl_bool_true)
      label.node.guardedBy.insert(coordinates[i]);
  // Points that lie apart are among the ids of the tile.
  isl::set all = mask;
  for (unsigned i = 0; i < dims.size(); ++i) {
    const WorkDimension &work = workOfCoordinate(kernel, dims, i);
    all = forAllShifts(
        all, static_cast<int>(i),
        work.strided ? std::max(work.groupIds, work.total()) : work.total(), 1);
  }
  label.conditionOfAll = toParameters(all.coalesce());
  return named(instances, name, label);
}

} // namespace clopt
