//===- NestTiles.cpp - tiles of nested loops that are whole ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/StageNestTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/ranges/NestTiles.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

std::optional<unsigned> tilesOfPoints(const KernelModel &model,
                                      unsigned points) {
  for (unsigned tiles = 0; tiles < model.loops.size(); ++tiles)
    if (pointLoop(model, tiles) == points)
      return tiles;
  return std::nullopt;
}

bool keepsSections(const TransformedKernel &kernel, unsigned loop) {
  return std::any_of(kernel.tiles.begin(), kernel.tiles.end(),
                     [&](const ArrayTile &tile) {
                       return tile.loop == loop && !tile.nest.empty();
                     });
}

std::vector<SymbolId> coordinatesAt(const TransformedKernel &kernel,
                                    unsigned loop) {
  const KernelModel &model = *kernel.model;
  const ScheduleNode *node = findLoop(kernel.tree, loop);
  if (!node)
    return {};
  for (unsigned index : statementsBelow(*node)) {
    const std::vector<SymbolId> &all = model.statements[index].coordinates;
    auto own = std::find(all.begin(), all.end(), model.loops[loop].iterator);
    if (own != all.end())
      return std::vector<SymbolId>(all.begin(), own + 1);
  }
  return {};
}

/// { [..., i, ...] : i is one of the range }
static std::optional<isl::set> within(const KernelModel &model,
                                      const isl::space &space,
                                      const std::vector<SymbolId> &coordinates,
                                      unsigned place, const TileRange &range) {
  std::optional<isl::pw_aff> least =
      toPwAff(model, space, coordinates, range.least);
  if (!least)
    return std::nullopt;
  isl_aff *own = isl_aff_var_on_domain(isl_local_space_from_space(space.copy()),
                                       isl_dim_set, place);
  isl_pw_aff *distance =
      isl_pw_aff_sub(isl_pw_aff_from_aff(own), least->copy());
  isl_pw_aff *left = isl_pw_aff_add_constant_val(
      isl_pw_aff_neg(isl_pw_aff_copy(distance)),
      isl_val_int_from_si(model.context.get(), range.span));
  isl_set *result =
      isl_set_intersect(isl_pw_aff_nonneg_set(isl_pw_aff_copy(distance)),
                        isl_pw_aff_nonneg_set(left));
  isl_pw_aff *rest = isl_pw_aff_mod_val(
      distance, isl_val_int_from_si(model.context.get(), range.step));
  return isl::manage(isl_set_intersect(result, isl_pw_aff_zero_set(rest)));
}

isl::set wholeTiles(const KernelModel &model, const Statement &statement,
                    const isl::set &domain, unsigned count,
                    const std::vector<TileRange> &ranges) {
  std::vector<SymbolId> coordinates = statement.coordinates;
  auto rangeOf = [&](SymbolId symbol) {
    return std::find_if(
        ranges.begin(), ranges.end(),
        [&](const TileRange &range) { return range.iterator == symbol; });
  };
  isl_set *some = isl_set_reset_tuple_id(domain.copy());
  unsigned found = 0;
  for (unsigned i = static_cast<unsigned>(coordinates.size()); i-- > count;) {
    if (rangeOf(coordinates[i]) != ranges.end()) {
      ++found;
      continue;
    }
    some = isl_set_project_out(some, isl_dim_set, i, 1);
    coordinates.erase(coordinates.begin() + i);
  }
  // { [c..., i...] } the iterations of the ranges, with tiles that run any
  isl_set *tiles =
      isl_set_project_out(isl_set_copy(some), isl_dim_set, count, found);
  isl::set all =
      isl::manage(isl_set_add_dims(isl_set_copy(tiles), isl_dim_set, found));
  bool isKnown = found == ranges.size();
  for (unsigned i = count; i < coordinates.size() && isKnown; ++i) {
    std::optional<isl::set> own = within(model, all.get_space(), coordinates, i,
                                         *rangeOf(coordinates[i]));
    isKnown = own.has_value();
    if (isKnown)
      all = all.intersect(*own);
  }
  isl_set *missing = isl_set_project_out(isl_set_subtract(all.release(), some),
                                         isl_dim_set, count, found);
  isl::set result =
      isl::manage(isl_set_coalesce(isl_set_subtract(tiles, missing)));
  if (isKnown)
    return result;
  return isl::manage(isl_set_empty(isl_set_get_space(result.get())));
}

} // namespace clopt
