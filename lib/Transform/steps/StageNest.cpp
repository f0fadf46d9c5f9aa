//===- StageNest.cpp - sections for tiles of nested loops -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: after `tile i:16 j:32` the loops over tiles and the loops over the
// iterations of one stand apart. A section is kept during one iteration of a
// loop over tiles: the innermost one whose tile moves the array, so that
// `C[i][j]` stays where it is while `A[i][k]` and `B[k][j]` change with the
// tiles of k.
//
// Only tiles that are whole have sections: those in which the first and the
// last cell of the box are used by some iteration (NestTiles.h). The others
// read and write the array itself, in the order that they have anyway.
//
// What is written may also be read, when all references name the same cell:
// the section is copied in before the tile and out after it. No other tile has
// these cells then, which is checked, so no copy can meet what another
// work-item has not yet copied.
//
// Tested by test/unit/StageNestTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Stager.h"

#include "Analysis/access/Selections.h"
#include "Analysis/ranges/NestTiles.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <cstdlib>

namespace clopt {

/// True for loops over the iterations of tiles; where the tiles stand around
/// the region, notes the range of iterations that one of them has.
bool Stager::findPoints(unsigned points, const std::vector<unsigned> &below) {
  std::optional<unsigned> tiles = tilesOfPoints(model, points);
  if (!tiles)
    return false;
  const Loop &outer = model.loops[*tiles], &inner = model.loops[points];
  bool isInside = *tiles != *loop && llvm::is_contained(below, *tiles);
  if (isInside)
    return true;
  TileRange range;
  range.iterator = inner.iterator;
  range.step = std::llabs(inner.step);
  range.span = std::llabs(outer.step) - range.step;
  range.least = Polynomial::symbol(outer.iterator);
  if (inner.step < 0)
    range.least = range.least - Polynomial(range.span);
  ranges[inner.iterator] = range;
  return true;
}

/// Those of the iterators that the access moves with.
std::vector<TileRange> Stager::rangesOf(unsigned id) const {
  std::vector<TileRange> result;
  for (const auto &[symbol, range] : ranges)
    for (const LinearPart &part : parts.at(id))
      if (part.moving.count(symbol)) {
        result.push_back(range);
        break;
      }
  return result;
}

/// True when some tile runs the access for all iterations of the box.
bool Stager::isWhole(unsigned id, const std::vector<TileRange> &box) const {
  const Access &access = model.accesses[id];
  const Statement &statement = model.statements[access.statement];
  if (!isAlwaysMade(model, access, kernel.selections))
    return false;
  unsigned count = static_cast<unsigned>(coordinatesAt(kernel, *loop).size());
  isl::set whole = wholeTiles(model, statement, statement.domain, count, box);
  return isl_set_is_empty(whole.get()) == isl_bool_false;
}

StepResult Stager::checkNest(ArrayTile &tile, unsigned first,
                             unsigned last) const {
  const std::string &name = model.arrays[array].name;
  tile.nest = rangesOf(first);
  SourceRange range = model.accesses[first].range;
  if (!isWhole(first, tile.nest) || !isWhole(last, tile.nest))
    return refuse("clopt-non-affine-control",
                  "'" + name + "' is not accessed in all iterations", "",
                  range);
  if (isWritten && !writesAll(tile, first))
    return refuse("clopt-non-affine-subscript",
                  "not every cell of the section of '" + name + "' is written",
                  "", range);
  for (unsigned write : tile.accesses)
    for (unsigned other : tile.accesses)
      if (model.accesses[write].isWrite && !meetsInTile(write, other))
        return refuse("clopt-dependence",
                      "'" + name + "' is written again by other iterations", "",
                      range);
  return std::nullopt;
}

/// What is copied out has one reference to each cell only.
StepResult Stager::checkUpdates(const std::vector<unsigned> &group) const {
  for (unsigned id : group)
    for (size_t d = 0; d < parts.at(id).size(); ++d)
      if (parts.at(id)[d].constant != parts.at(group.front())[d].constant)
        return refuse("clopt-dependence",
                      "'" + model.arrays[array].name +
                          "' is both read and written in the region",
                      "", model.accesses[id].range);
  return std::nullopt;
}

/// True when the work-item that writes a cell accesses it during the same tile
/// only.
bool Stager::meetsInTile(unsigned write, unsigned other) const {
  const Access &a = model.accesses[write], &b = model.accesses[other];
  const std::vector<SymbolId> &coordinates =
      model.statements[a.statement].coordinates;
  unsigned count = static_cast<unsigned>(coordinatesAt(kernel, *loop).size());
  // { S[w, i] -> T[w, i'] } with the same cell
  auto cells = [&](const Access &access) {
    const isl::set &domain = model.statements[access.statement].domain;
    return access.relation.intersect_domain(domain).release();
  };
  isl_map *pairs = isl_map_apply_range(cells(a), isl_map_reverse(cells(b)));
  for (unsigned i = 0; i < count; ++i)
    if (!isPrivate ? ids.count(coordinates[i]) != 0
                   : model.symbols[coordinates[i]].kind != SymbolKind::Iterator)
      pairs = isl_map_equate(pairs, isl_dim_in, static_cast<int>(i),
                             isl_dim_out, static_cast<int>(i));
  isl::map same = isl::manage(isl_map_copy(pairs));
  for (unsigned i = 0; i < count; ++i)
    same = isl::manage(isl_map_equate(same.release(), isl_dim_in,
                                      static_cast<int>(i), isl_dim_out,
                                      static_cast<int>(i)));
  return isl::manage(pairs).is_subset(same);
}

std::optional<unsigned> stagingNest(const TransformedKernel &kernel,
                                    unsigned array) {
  const KernelModel &model = *kernel.model;
  std::optional<unsigned> result;
  for (unsigned loop : loopsBelow(kernel.tree)) {
    std::optional<unsigned> points = pointLoop(model, loop);
    const ScheduleNode &node = *findLoop(kernel.tree, loop);
    if (!points || node.tile)
      continue;
    bool isMoved = false;
    for (unsigned index : statementsBelow(node))
      for (unsigned id : model.statements[index].accesses)
        for (const Polynomial &subscript : model.accesses[id].subscripts)
          isMoved |= model.accesses[id].array == array &&
                     subscript.contains(model.loops[*points].iterator);
    if (isMoved)
      result = loop;
  }
  return result;
}

} // namespace clopt
