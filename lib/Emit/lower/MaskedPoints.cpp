//===- MaskedPoints.cpp - tiles across a slanted border -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A statement, or a copy of registers, is run for all ids of its box when
//
// - for an id it runs in all iterations of the box or in none,
// - what it reads for the others lies between cells that the launch accesses,
//   and no work-item of the launch writes it,
// - it writes private variables and registers only, and whoever reads them is
//   not meant for the others either, or reads what another statement has
//   written in the meantime.
//
// Else it is masked: written under a condition for every point. That is done to
// what writes memory, to loads of cells that others may write (registers then
// hold zero), and to statements outside of loops. The section of a masked
// statement is filled for all ids of the box: the second rule holds for it.
//
// Tested by test/unit/MaskedPointsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/MaskedPoints.h"

#include "Emit/lower/Lowering.h"
#include "Emit/lower/MovedTiles.h"
#include "Emit/lower/TileSets.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include <algorithm>

namespace clopt {

isl::set boxAround(const isl::set &set, unsigned count) {
  isl_set *box = isl_set_universe(isl_set_get_space(set.get()));
  for (unsigned d = 0; d < count; ++d) {
    isl_set *own = set.copy();
    for (unsigned other = 0; other < count; ++other)
      if (other != d)
        own = isl_set_eliminate(own, isl_dim_set, other, 1);
    box = isl_set_intersect(box, own);
  }
  return isl::manage(isl_set_coalesce(box));
}

bool writesMemory(const TransformedKernel &kernel, int key) {
  if (key < 0)
    return !kernel.copies[static_cast<size_t>(-1 - key)].isIn;
  const KernelModel &model = *kernel.model;
  const Statement &statement = model.statements[static_cast<size_t>(key)];
  return std::any_of(
      statement.accesses.begin(), statement.accesses.end(), [&](unsigned id) {
        const Access &access = model.accesses[id];
        return access.isWrite && !kernel.registersOf(id) &&
               model.arrays[access.array].space != AddressSpace::Private;
      });
}

namespace {

class MaskFinder {
public:
  explicit MaskFinder(const TransformedKernel &transformed)
      : kernel(transformed), model(*transformed.model),
        ids(static_cast<unsigned>(workCoordinates(*transformed.model).size())) {
  }
  MaskedPoints run();
  /// Those of the box that read what they may not; nothing when that is not
  /// known: unreadableForTiles.
  std::optional<isl::set> unreadableIn(int key, const isl::set &box);

private:
  void setDomains();
  /// What private variables and registers are called: those of arrays, then
  /// those of tiles.
  using Kept = std::set<std::pair<bool, unsigned>>;
  bool isMemory(unsigned array) const {
    return model.arrays[array].space != AddressSpace::Private;
  }
  Kept keptBy(int key, bool isWrite) const;
  isl::set idsOf(const isl::set &instances) const {
    return isl::manage(prefixOf(instances, ids));
  }
  /// { S[w..., i...] -> A[s...] }
  struct CellsRead {
    unsigned array;
    isl::map cells;
  };
  enum class Reads { All, OfSections };
  std::optional<std::vector<CellsRead>> cellsRead(int key, Reads which) const;
  std::optional<isl::set> accessed(unsigned array,
                                   bool byWriting = false) const;
  std::optional<isl::set> unreadable(int key, Reads which) const;
  bool mayRead(int key, Reads which) const {
    const std::optional<isl::set> none = unreadable(key, which);
    return none && none->is_empty();
  }
  bool isSetAgain(const std::pair<bool, unsigned> &value, int by, int reader,
                  const isl::set &others) const;
  bool isUnread(int key) const;
  bool addMask(int key);
  bool enlarge(int key, const isl::set &box);
  bool add(int key);

  const TransformedKernel &kernel;
  const KernelModel &model;
  unsigned ids;           ///< coordinates of work-items
  std::vector<int> order; ///< keys, in the order of the tree
  DomainMap domains;      ///< { S[w..., i...] }
  isl::set common;        ///< { [w...] } the box around ids that do anything
  MaskedPoints result;
};

} // namespace

/// What the statement or copy reads, or writes, of what a work-item keeps.
MaskFinder::Kept MaskFinder::keptBy(int key, bool isWrite) const {
  Kept kept;
  if (key < 0) {
    const CopyStatement &copy = kernel.copies[static_cast<size_t>(-1 - key)];
    if (copy.isIn == isWrite)
      kept.insert({true, copy.tile});
    return kept;
  }
  for (unsigned id : model.statements[static_cast<size_t>(key)].accesses) {
    const Access &access = model.accesses[id];
    const std::optional<unsigned> tile = kernel.tileOf(id);
    const bool isKept = kernel.registersOf(id) != nullptr;
    if (access.isWrite == isWrite && (isKept || !isMemory(access.array)))
      kept.insert({isKept, isKept ? *tile : access.array});
  }
  return kept;
}

/// What is read of memory, for any ids; nothing when that is not affine.
std::optional<std::vector<MaskFinder::CellsRead>>
MaskFinder::cellsRead(int key, Reads which) const {
  std::vector<CellsRead> cells;
  auto add = [&](unsigned array, const std::vector<SymbolId> &coordinates,
                 const std::vector<Polynomial> &subscripts, bool addsCells) {
    const isl::space space = domains.at(key).get_space();
    isl_map *map = nullptr;
    for (size_t d = 0; d < subscripts.size(); ++d) {
      std::optional<isl::pw_aff> value =
          toPwAff(model, space, coordinates, subscripts[d]);
      if (!value) {
        isl_map_free(map);
        return false;
      }
      isl_pw_aff *own = value->copy();
      if (addsCells)
        own = isl_pw_aff_add(
            own, isl_pw_aff_from_aff(isl_aff_var_on_domain(
                     isl_local_space_from_space(space.copy()), isl_dim_set,
                     static_cast<unsigned>(coordinates.size() + d))));
      isl_map *part = isl_map_from_pw_aff(own);
      map = map ? isl_map_flat_range_product(map, part) : part;
    }
    if (!map)
      return false;
    map = isl_map_set_tuple_id(map, isl_dim_out,
                               isl_set_get_tuple_id(accessed(array)->get()));
    cells.push_back({array, isl::manage(map)});
    return true;
  };
  if (key < 0) {
    const CopyStatement &copy = kernel.copies[static_cast<size_t>(-1 - key)];
    const ArrayTile &tile = kernel.tiles[copy.tile];
    if (which == Reads::All && copy.isIn && isMemory(tile.array) &&
        !add(tile.array, tile.coordinates, tile.base, true))
      return std::nullopt;
    return cells;
  }
  const Statement &statement = model.statements[static_cast<size_t>(key)];
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    if (access.isWrite || !isMemory(access.array) || kernel.registersOf(id) ||
        (which == Reads::OfSections && !kernel.tileOf(id)))
      continue;
    if (access.width != 1 ||
        !add(access.array, statement.coordinates, access.subscripts, false))
      return std::nullopt;
  }
  return cells;
}

/// { A[s...] } what the launch accesses, or writes, if anything.
std::optional<isl::set> MaskFinder::accessed(unsigned array,
                                             bool byWriting) const {
  std::optional<isl::set> result;
  for (const Access &access : model.accesses) {
    if (access.array != array || (byWriting && !access.isWrite))
      continue;
    isl::set own =
        access.relation
            .intersect_domain(model.statements[access.statement].domain)
            .range();
    result = result ? result->unite(own).coalesce() : own;
  }
  return result;
}

/// { S[w..., i...] } those of the box that read a cell which does not lie
/// between cells that the launch accesses, or, of those that the statement is
/// not meant for, one that may be written at the same time. (Of arrays that
/// overlap in a way that no guard excludes only values are read.)
std::optional<isl::set> MaskFinder::unreadable(int key, Reads which) const {
  const std::optional<std::vector<CellsRead>> reads = cellsRead(key, which);
  if (!reads)
    return std::nullopt;
  const isl::set &box = result.boxes.at(key);
  const isl::set others = box.subtract(domains.at(key));
  isl::set outside = isl::manage(isl_set_empty(isl_set_get_space(box.get())));
  for (const CellsRead &read : *reads) {
    // { S[w..., i...] } that read one of the cells
    auto reading = [&](const isl::set &instances, const isl::set &cells) {
      return read.cells.intersect_domain(instances)
          .intersect_range(cells)
          .domain();
    };
    if (std::optional<isl::set> written = accessed(read.array, true))
      outside = outside.unite(reading(others, *written));
    const isl::set cells = read.cells.intersect_domain(box).range();
    const isl::set known = *accessed(read.array);
    if (cells.is_subset(known))
      continue;
    isl_map *up = isl_map_lex_le(isl_set_get_space(known.get()));
    isl_map *down = isl_map_lex_ge(isl_set_get_space(known.get()));
    const isl::set between = isl::manage(isl_set_intersect(
        isl_set_apply(known.copy(), up), isl_set_apply(known.copy(), down)));
    outside = outside.unite(
        reading(box, cells.subtract(between.intersect(boxAround(
                         known, isl_set_dim(known.get(), isl_dim_set))))));
  }
  return outside.coalesce();
}

/// True when the reader finds, for the other ids, a value that one statement
/// beside it has written since `by`.
bool MaskFinder::isSetAgain(const std::pair<bool, unsigned> &value, int by,
                            int reader, const isl::set &others) const {
  if (reader < 0)
    return false;
  auto placeOf = [&](int key) {
    return std::find(order.begin(), order.end(), key) - order.begin();
  };
  const std::vector<unsigned> &loops =
      model.statements[static_cast<size_t>(reader)].loops;
  isl::set left =
      isl::manage(isl_set_reset_tuple_id(domains.at(reader).copy()));
  left = left.intersect(liftTo(others, left));
  for (int key : order) {
    if (key < 0 || placeOf(key) <= placeOf(by) ||
        placeOf(key) >= placeOf(reader) ||
        model.statements[static_cast<size_t>(key)].loops != loops ||
        !keptBy(key, true).count(value) || keptBy(key, false).count(value) ||
        model.statements[static_cast<size_t>(key)].isCompound)
      continue;
    left = left.subtract(
        isl::manage(isl_set_reset_tuple_id(domains.at(key).copy())));
  }
  return left.is_empty();
}

/// True when nobody reads what is computed for other ids.
bool MaskFinder::isUnread(int key) const {
  const isl::set others = idsOf(result.boxes.at(key).subtract(domains.at(key)));
  // For one id some of its iterations, and others not.
  if (!others.is_disjoint(idsOf(domains.at(key))))
    return false;
  for (const std::pair<bool, unsigned> &value : keptBy(key, true))
    for (int reader : order)
      if (reader != key && keptBy(reader, false).count(value) &&
          !others.is_disjoint(idsOf(domains.at(reader))) &&
          !isSetAgain(value, key, reader, others))
        return false;
  return true;
}

bool MaskFinder::addMask(int key) {
  const isl::set own = idsOf(domains.at(key));
  if (!idsOf(result.boxes.at(key).subtract(domains.at(key))).is_disjoint(own) ||
      !mayRead(key, Reads::OfSections))
    return false;
  result.masks[key] = isl::manage(isl_set_coalesce(
      isl_set_gist(own.copy(), idsOf(result.boxes.at(key)).release())));
  return true;
}

/// Runs the statement or copy for all ids of the box.
bool MaskFinder::enlarge(int key, const isl::set &box) {
  if (!domains.at(key).is_subset(box))
    return false;
  result.boxes[key] = box;
  result.masks.erase(key);
  const bool isCopy = key < 0;
  if (writesMemory(kernel, key))
    return (isCopy || keptBy(key, true).empty()) && addMask(key);
  const bool mayBeMasked =
      isCopy || model.statements[static_cast<size_t>(key)].loops.empty();
  if (mayRead(key, Reads::All) && isUnread(key))
    return true;
  return mayBeMasked && (!isCopy || isUnread(key)) && addMask(key);
}

bool MaskFinder::add(int key) {
  const isl::set &domain = domains.at(key);
  const isl::set own = boxAround(domain, ids);
  if (own.is_subset(domain))
    return true;
  if (key >= 0 && !model.statements[static_cast<size_t>(key)].stmt)
    return false;
  // One box for all, so that tiles at its ends agree.
  const isl::set iterations =
      isl::manage(isl_set_eliminate(domain.copy(), isl_dim_set, 0, ids));
  return enlarge(key, iterations.intersect(liftTo(common, domain))) ||
         enlarge(key, own);
}

void MaskFinder::setDomains() {
  order = keysBelow(kernel.tree);
  for (int key : order) {
    if (key >= 0) {
      domains[key] = model.statements[static_cast<size_t>(key)].domain;
      continue;
    }
    const CopyStatement &copy = kernel.copies[static_cast<size_t>(-1 - key)];
    IdLabel label;
    label.node.kind = EmitNode::Kind::Copy;
    label.node.index = static_cast<unsigned>(-1 - key);
    domains[key] =
        named(copiedCells(kernel.tiles[copy.tile], copy),
              "Copy" + std::to_string(label.node.index) + "_", label);
  }
}

std::optional<isl::set> MaskFinder::unreadableIn(int key, const isl::set &box) {
  setDomains();
  result.boxes[key] = box;
  return unreadable(key, Reads::All);
}

MaskedPoints MaskFinder::run() {
  setDomains();
  for (int key : order)
    if (key >= 0 && (model.statements[static_cast<size_t>(key)].isOpaque ||
                     model.statements[static_cast<size_t>(key)].isBarrier))
      return {};
  for (const auto &[key, domain] : domains)
    if (key < 0 ||
        !isIdDeclaration(model, model.statements[static_cast<size_t>(key)]))
      common = common.is_null() ? idsOf(domain) : common.unite(idsOf(domain));
  common = boxAround(common.coalesce(), ids);
  for (int key : order)
    if (!add(key))
      return {};
  return std::move(result);
}

/// The set in the sizes of the launch, as the accesses are, for all tiles.
static isl::set inLaunchSizes(const KernelModel &model,
                              const TileDomains &tiles, isl_set *box) {
  const std::vector<unsigned> dims = workCoordinates(model);
  for (unsigned i = 0; i < dims.size(); ++i) {
    for (const std::string &name : {tiles.baseNames[i], tiles.extentNames[i]}) {
      const int place =
          name.empty()
              ? -1
              : isl_set_find_dim_by_name(box, isl_dim_param, name.c_str());
      if (place >= 0)
        box = isl_set_project_out(box, isl_dim_param,
                                  static_cast<unsigned>(place), 1);
    }
    if (tiles.endNames[i].empty())
      continue;
    std::vector<LinearTerm> terms = {{tiles.endNames[i], -1, -1},
                                     {model.symbols.name(*model.symbols.find(
                                          SymbolKind::GlobalSize, dims[i])),
                                      -1, 1}};
    if (auto offset = model.symbols.find(SymbolKind::GlobalOffset, dims[i]))
      terms.push_back({model.symbols.name(*offset), -1, 1});
    box = constrain(box, terms, 0, true);
    box =
        isl_set_project_out(box, isl_dim_param,
                            static_cast<unsigned>(isl_set_find_dim_by_name(
                                box, isl_dim_param, tiles.endNames[i].c_str())),
                            1);
  }
  return isl::manage(isl_set_coalesce(box));
}

std::optional<isl::set> unreadableForTiles(const TransformedKernel &kernel,
                                           const TileDomains &tiles,
                                           const isl::set &known,
                                           unsigned statement,
                                           const isl::set &iterations) {
  const KernelModel &model = *kernel.model;
  if (!kernel.isGrouped() || !steersNothing(kernel))
    return std::nullopt;
  const std::vector<unsigned> dims = workCoordinates(model);
  const unsigned ids = static_cast<unsigned>(dims.size());
  const isl::set &plain = tiles.plain.at(static_cast<int>(statement));
  isl_set *made = isl_set_eliminate(plain.copy(), isl_dim_set, 0, ids);
  for (unsigned i = 0; i < dims.size(); ++i) {
    const WorkDimension &work = workOfCoordinate(kernel, dims, i);
    const int place = static_cast<int>(i);
    const std::string &base = tiles.baseNames[i],
                      &extent = tiles.extentNames[i];
    const int count = static_cast<int>(std::max(work.groupIds, work.total()));
    made = constrain(made, {{"", place, 1}, {base, -1, -1}}, 0, false);
    made =
        extent.empty()
            ? constrain(made, {{"", place, -1}, {base, -1, 1}}, count - 1,
                        false)
            : constrain(made, {{"", place, -1}, {base, -1, 1}, {extent, -1, 1}},
                        -1, false);
  }
  const isl::set box =
      isl::manage(isl_set_intersect_params(made, known.copy()));
  // Iterations that no work-item of the launch runs are not in the box.
  const isl::set ran = isl::manage(prefixOf(
      box, static_cast<unsigned>(isl_set_dim(iterations.get(), isl_dim_set))));
  if (!iterations.intersect_params(known).is_subset(ran))
    return std::nullopt;
  const std::optional<isl::set> outside = MaskFinder(kernel).unreadableIn(
      static_cast<int>(statement), inLaunchSizes(model, tiles, box.copy()));
  if (!outside)
    return std::nullopt;
  const isl::set bad =
      isl::manage(replaceSizes(model, dims, tiles.endNames, outside->copy()));
  isl_set *inTiles =
      isl_set_eliminate(box.intersect(bad).release(), isl_dim_set, 0, ids);
  for (unsigned i = 0; i < dims.size(); ++i)
    inTiles = constrain(
        inTiles, {{"", static_cast<int>(i), 1}, {tiles.baseNames[i], -1, -1}},
        0, true);
  return isl::manage(isl_set_coalesce(inTiles));
}

MaskedPoints findMaskedPoints(const TransformedKernel &kernel) {
  const KernelModel &model = *kernel.model;
  auto isForTile = [](const ArrayTile &tile) {
    return !tile.loop || tile.copyOut;
  };
  auto sections = kernel.sections();
  if (!kernel.isGrouped() || loopsBelow(kernel.tree).empty() ||
      kernel.keepsGroups() || kernel.sharesWork() || !kernel.rounds.empty() ||
      !kernel.selections.empty() || !kernel.alignedArrays.empty() ||
      !model.ndrange.mapped.empty() || model.hasBarrier || model.hasAtomics ||
      model.hasOrderedEffects || model.usesLocalMemory || model.usesImages ||
      std::any_of(sections.begin(), sections.end(), isForTile) ||
      std::any_of(kernel.tiles.begin(), kernel.tiles.end(),
                  [](const ArrayTile &tile) { return tile.window; }) ||
      !steersNothing(kernel))
    return {};
  return MaskFinder(kernel).run();
}

} // namespace clopt
