//===- Stage.cpp - sections of arrays in local memory ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: while a group runs one tile of a loop (or all its work-items), the
// cells of an array that its work-items use are in local memory: all of them
// copy the section in, or out, together.
//
// Which section: references with the same linear part are one group of
// overlapping references (a stencil's neighbours); the section is the box
// around their cells. Its first cell is affine in the first ids of the group's
// tile, the first iteration of the loop's tile and what lies outside; its size
// is constant but for the number of ids of the tile.
//
// Legal when the section is only read in the region, or only written there and
// then all of it (StageNest.cpp and StageRecurrence.cpp keep updates, too), and
// no other array that the region accesses can overlap it.
// Work-items of a kernel without races do not see each other's writes between
// barriers, so what one of them reads may be copied before any of them runs.
// Nothing is read but what lies between two cells that the original reads.
//
// Reference: P1 section 3.5; PPCG's shared groups (Verdoolaege et al., TACO
// 2013, section 5.2).
//
// Tested by test/unit/StageTest.cpp, test/unit/StageNestTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/KeptCells.h"
#include "Transform/steps/Stager.h"

#include "Analysis/access/CellPart.h"
#include "Analysis/access/Selections.h"

#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <cstdlib>

namespace clopt {

/// Bytes of the widest access to memory.
static constexpr unsigned widestAccess = 16;

StepResult Stager::checkAccess(const Access &access) const {
  const std::string &name = model.arrays[array].name;
  if (access.isOrdered)
    return refuse("clopt-ordered-effect",
                  "'" + name + "' is accessed in a fixed order", "",
                  access.range);
  if (access.subscripts.empty() ||
      !takesWholeCells(model.arrays[array], access) ||
      (access.width > 1 && isPrivate))
    return refuse("clopt-non-affine-subscript",
                  "a subscript of '" + name + "' is not known", "",
                  access.range);
  if (access.isWrite && access.expr && !partOfCell(*access.expr)->text.empty())
    return refuse("clopt-non-affine-subscript",
                  "not every cell of the section of '" + name + "' is written",
                  "write whole cells", access.range);
  // Tiles of nests take updates, and those of a work-item's own: their cells
  // are copied in and out.
  if (access.isWrite != isWritten && !isNest && !isPrivate)
    return refuse("clopt-dependence",
                  "'" + name + "' is both read and written in the region", "",
                  access.range);
  if (access.isWrite && !access.isExact)
    return refuse("clopt-non-affine-control",
                  "'" + name +
                      "' is written under a condition that depends on data",
                  "", access.range);
  return std::nullopt;
}

/// The values of the region's own iterators, which must not depend on the
/// work-item.
StepResult Stager::findRanges(const ScheduleNode &region) {
  const std::vector<unsigned> below = loopsBelow(region);
  for (unsigned index : below) {
    const Loop &info = model.loops[index];
    inside.insert(info.iterator);
    TileRange range;
    range.iterator = info.iterator;
    range.least = info.first;
    range.step = std::llabs(info.step);
    if (isNest && index == *loop) {
      inside.erase(info.iterator);
      continue;
    }
    if (isNest && findPoints(index, below))
      continue;
    if (loop && index == *loop) {
      const ScheduleNode *node = findLoop(kernel.tree, index);
      range.least = Polynomial::symbol(info.iterator);
      range.span = (int64_t(node->tile) - 1) * range.step;
      // Downward, the first iteration of a tile is the greatest.
      if (info.step < 0)
        range.least = range.least - Polynomial(range.span);
      ranges[info.iterator] = range;
      continue;
    }
    std::optional<int64_t> trips = constantTripCount(kernel, index);
    bool isShared = std::none_of(ids.begin(), ids.end(), [&](SymbolId id) {
      return info.first.contains(id);
    });
    if (!trips || !isShared)
      continue; // refused when a subscript moves with it
    range.span = (*trips - 1) * std::llabs(info.step);
    if (info.step < 0)
      range.least = range.least - Polynomial(range.span);
    ranges[info.iterator] = range;
  }
  return std::nullopt;
}

/// Reads move to the beginning of the region and writes to its end, and to
/// another work-item, which does not see what this one wrote before; the
/// barrier between orders what is in local memory only.
void Stager::findOthers(const ScheduleNode &region) {
  for (unsigned index : statementsBelow(region))
    for (unsigned id : model.statements[index].accesses) {
      const Access &access = model.accesses[id];
      if (access.array != array && (isWritten || access.isWrite))
        others.insert(access.array);
    }
}

StepResult Stager::collect() {
  const Array &info = model.arrays[array];
  const ScheduleNode *region =
      loop ? findLoop(kernel.tree, *loop) : &kernel.tree;
  if (!isPrivate && !kernel.isGrouped())
    return refuse("clopt-not-profitable",
                  "the work-items of a group share no tile",
                  "tile a dimension of the NDRange first");
  if (isPrivate)
    if (StepResult refusal = checkWorkItem(*region))
      return refusal;
  if (info.space != AddressSpace::Global &&
      info.space != AddressSpace::Constant)
    return refuse("clopt-not-profitable",
                  "'" + info.name + "' is not in global memory");
  if (info.rank == 0 ||
      !(isPrivate ? hasPlainCells(info) : hasWholeCells(info)))
    return refuse("clopt-not-profitable",
                  "the cells of '" + info.name +
                      "' are not accessed as they are declared");
  std::vector<unsigned> inRegion = statementsBelow(*region), own;
  std::set<unsigned> written;
  bool isOutside = false;
  // What a work-item did before is not visible to those that copy, nor what
  // they copy to it afterwards: the whole kernel counts.
  for (const Access &access : model.accesses) {
    bool isInside = llvm::is_contained(inRegion, access.statement);
    // One work-item's own order is that of its tiles.
    if (isPrivate && !isInside)
      continue;
    if (access.isWrite)
      written.insert(access.array);
    if (access.array == array && isInside && !kernel.tileOf(access.id))
      own.push_back(access.id);
    isOutside |= access.array == array && !isInside;
  }
  if (own.empty())
    return nothingToKeep(kernel, array, *region);
  if (StepResult refusal = fitsOtherCopies(kernel, array, *region, !isPrivate))
    return refusal;
  isWritten = written.count(array) != 0;
  if (isWritten && isOutside)
    return refuse("clopt-dependence",
                  "'" + info.name + "' is used outside the region, too");
  findOthers(isPrivate ? *region : kernel.tree);
  for (unsigned d = 0; d < model.ndrange.rank && !isPrivate; ++d)
    if (auto id = model.symbols.find(SymbolKind::GlobalId, d))
      ids.insert(*id);
  if (StepResult refusal = findRanges(*region))
    return refusal;
  for (unsigned id : own) {
    if (StepResult refusal = checkAccess(model.accesses[id]))
      return refusal;
    if (StepResult refusal = addToGroup(id))
      return refusal;
  }
  return std::nullopt;
}

static bool isWorkItemId(SymbolKind kind) {
  return kind == SymbolKind::GlobalId || kind == SymbolKind::LocalId ||
         kind == SymbolKind::GroupId;
}

std::optional<LinearPart> Stager::split(const Polynomial &subscript) const {
  LinearPart part;
  for (const auto &[monomial, factor] : subscript.terms) {
    if (monomial.empty()) {
      part.constant = factor;
      continue;
    }
    bool moves = false, known = true;
    for (SymbolId symbol : monomial) {
      bool own = ids.count(symbol) || inside.count(symbol);
      moves |= own;
      known &= !own || ids.count(symbol) || ranges.count(symbol);
      // Atoms may hide a coordinate.
      SymbolKind kind = model.symbols[symbol].kind;
      known &=
          own || kind == SymbolKind::Param || kind == SymbolKind::GlobalSize ||
          kind == SymbolKind::LocalSize || kind == SymbolKind::NumGroups ||
          kind == SymbolKind::GlobalOffset || kind == SymbolKind::Iterator ||
          (isPrivate && isWorkItemId(kind));
    }
    if (!known || (moves && monomial.size() > 1))
      return std::nullopt;
    if (moves)
      part.moving[monomial.front()] = factor;
    else
      part.rest.terms[monomial] = factor;
  }
  return part;
}

/// What would make a box of the cells that this subscript names.
static std::string boxHint(const KernelModel &model,
                           const Polynomial &subscript) {
  for (SymbolId id : subscript.symbols())
    if (model.symbols[id].kind == SymbolKind::Select)
      return "take the step 'select' before: away from borders a choice such "
             "as "
             "max(i - 1, 0) is made once";
  return "a subscript has to grow with the ids, by constant steps";
}

/// Puts the access to those with the same linear part.
StepResult Stager::addToGroup(unsigned id) {
  const Access &access = model.accesses[id];
  std::vector<LinearPart> own;
  for (const Polynomial &subscript : access.subscripts) {
    // Sections of whole groups are for the tiles in which all choices are made;
    // the others read the array itself.
    const bool isChosen = !isWritten && !isPrivate && !loop;
    std::optional<LinearPart> part = split(
        isChosen ? resolve(model, subscript, kernel.selections) : subscript);
    bool backward = false;
    if (part)
      for (const auto &[symbol, factor] : part->moving)
        backward |= factor < 0 && ids.count(symbol);
    if (!part || backward)
      return refuse("clopt-non-affine-subscript",
                    "the cells of '" + model.arrays[array].name +
                        "' that a group uses are no box of known size",
                    boxHint(model, subscript), access.range);
    own.push_back(*part);
  }
  auto isAlike = [&](unsigned other) {
    const std::vector<LinearPart> &theirs = parts.at(other);
    for (size_t d = 0; d < own.size(); ++d)
      if (theirs[d].moving != own[d].moving ||
          !(theirs[d].rest - own[d].rest).isZero())
        return false;
    return true;
  };
  parts[id] = own;
  for (std::vector<unsigned> &group : groups)
    if (isAlike(group.front())) {
      group.push_back(id);
      return std::nullopt;
    }
  groups.push_back({id});
  return std::nullopt;
}

/// Of the cells that the access takes side by side along the last dimension.
int64_t Stager::lastCell(unsigned id, size_t dim) const {
  const bool isLast = dim + 1 == parts.at(id).size();
  return parts.at(id)[dim].constant +
         (isLast ? int64_t(model.accesses[id].width) - 1 : 0);
}

StepResult Stager::makeDimension(ArrayTile &tile, unsigned dim,
                                 const std::vector<unsigned> &group,
                                 int64_t &least, int64_t &greatest) const {
  const LinearPart &first = parts.at(group.front())[dim];
  least = greatest = first.constant;
  for (unsigned id : group) {
    least = std::min(least, parts.at(id)[dim].constant);
    greatest = std::max(greatest, lastCell(id, dim));
  }
  TileExtent extent;
  extent.constant = 1 + greatest - least;
  Polynomial base = first.rest + Polynomial(least);
  for (const auto &[symbol, factor] : first.moving) {
    if (ids.count(symbol)) {
      unsigned d = model.symbols[symbol].dim;
      extent.constant -= factor;
      extent.perId[d] = factor;
      base = base + Polynomial::symbol(symbol) * Polynomial(factor);
      continue;
    }
    const TileRange &range = ranges.at(symbol);
    for (SymbolId other : range.least.symbols())
      if (other != symbol && ranges.count(other))
        return refuse("clopt-non-affine-control",
                      "the bounds of a loop depend on another one");
    extent.constant += std::llabs(factor) * range.span;
    base = base + range.least * Polynomial(factor);
    if (factor < 0)
      base = base + Polynomial(range.span) * Polynomial(factor);
  }
  tile.base.push_back(base);
  tile.extents.push_back(extent);
  return std::nullopt;
}

/// True when the access happens in all iterations of the region's own loops,
/// wherever it happens at all: { S[w, outer, k, inner] } is a product of
/// { [w, outer, k] } and the ranges of the inner iterators.
bool Stager::runsEverywhere(const Access &access) const {
  if (!isAlwaysMade(model, access, kernel.selections))
    return false;
  const Statement &statement = model.statements[access.statement];
  unsigned total = static_cast<unsigned>(statement.coordinates.size());
  unsigned kept = total;
  for (unsigned i = 0; i < total; ++i) {
    SymbolId symbol = statement.coordinates[i];
    bool isInner = inside.count(symbol) &&
                   !(loop && model.loops[*loop].iterator == symbol);
    if (isInner && !ranges.count(symbol))
      return false;
    if (isInner && kept == total)
      kept = i;
    if (!isInner && kept != total)
      return false;
  }
  // { S[w, outer, k, inner] : [w, outer, k] in the prefix }
  isl_set *box = isl_set_project_out(statement.domain.copy(), isl_dim_set, kept,
                                     total - kept);
  box = isl_set_reset_tuple_id(box);
  box = isl_set_add_dims(box, isl_dim_set, total - kept);
  isl_space *space = isl_set_get_space(box);
  std::vector<SymbolId> coordinates = statement.coordinates;
  isl::set bounds = isl::manage(isl_set_universe(space));
  for (unsigned i = kept; i < total; ++i) {
    const TileRange &range = ranges.at(coordinates[i]);
    isl::space domain = bounds.get_space();
    std::optional<isl::pw_aff> least =
        toPwAff(model, domain, coordinates, range.least);
    if (!least) {
      isl_set_free(box);
      return false;
    }
    isl_aff *own = isl_aff_var_on_domain(
        isl_local_space_from_space(isl_set_get_space(bounds.get())),
        isl_dim_set, i);
    // distance = iterator - least, in { 0, step, ..., span }
    isl_pw_aff *distance =
        isl_pw_aff_sub(isl_pw_aff_from_aff(own), least->copy());
    isl_set *low = isl_pw_aff_nonneg_set(isl_pw_aff_copy(distance));
    isl_pw_aff *above = isl_pw_aff_add_constant_val(
        isl_pw_aff_neg(isl_pw_aff_copy(distance)),
        isl_val_int_from_si(model.context.get(), range.span));
    isl_set *high = isl_pw_aff_nonneg_set(above);
    isl_set *aligned = isl_pw_aff_zero_set(isl_pw_aff_mod_val(
        distance, isl_val_int_from_si(model.context.get(), range.step)));
    bounds = isl::manage(isl_set_intersect(
        bounds.release(),
        isl_set_intersect(low, isl_set_intersect(high, aligned))));
  }
  box = isl_set_intersect(box, bounds.release());
  box = isl_set_set_tuple_id(box, isl_set_get_tuple_id(statement.domain.get()));
  isl::set all = isl::manage(box);
  return isl_set_is_subset(all.get(), statement.domain.get()) == isl_bool_true;
}

/// Every subscript is one coordinate that moves by one, each its own: then the
/// cells are all those of the box.
bool Stager::writesAll(const ArrayTile &tile, unsigned id) const {
  std::set<SymbolId> seen;
  for (size_t d = 0; d < tile.extents.size(); ++d) {
    const LinearPart &part = parts.at(id)[d];
    if (part.moving.size() > 1)
      return false;
    for (const auto &[symbol, factor] : part.moving) {
      bool isSingle = std::llabs(factor) == 1 && seen.insert(symbol).second;
      for (const Loop &info : model.loops)
        isSingle &= info.iterator != symbol || std::llabs(info.step) == 1;
      if (!isSingle)
        return false;
    }
  }
  return isNest || runsEverywhere(model.accesses[id]);
}

/// No work-item writes a cell again outside the tile of the loop in which it
/// writes it first. Otherwise what the group copies out could meet what the
/// work-item writes afterwards, with no barrier between them.
bool Stager::writesOnce(unsigned id) const {
  if (!loop)
    return true;
  const Access &access = model.accesses[id];
  const std::vector<SymbolId> &coordinates =
      model.statements[access.statement].coordinates;
  // { S[w, i] -> S[w, i'] } with the same cell
  isl_map *pairs = isl_map_apply_range(access.relation.copy(),
                                       isl_map_reverse(access.relation.copy()));
  for (unsigned i = 0; i < coordinates.size(); ++i)
    if (ids.count(coordinates[i]))
      pairs = isl_map_equate(pairs, isl_dim_in, static_cast<int>(i),
                             isl_dim_out, static_cast<int>(i));
  isl::map same = isl::manage(isl_map_copy(pairs));
  for (unsigned i = 0; i < coordinates.size(); ++i)
    if (!inside.count(coordinates[i]) ||
        coordinates[i] == model.loops[*loop].iterator)
      same = isl::manage(isl_map_equate(same.release(), isl_dim_in,
                                        static_cast<int>(i), isl_dim_out,
                                        static_cast<int>(i)));
  return isl::manage(pairs).is_subset(same);
}

/// The accesses of the group to the first and the last cell in the order of
/// addresses: lexicographic over the subscripts' constants.
std::pair<unsigned, unsigned>
Stager::extremes(const std::vector<unsigned> &group) const {
  auto before = [&](unsigned a, unsigned b, bool byLast) {
    for (size_t d = 0; d < parts.at(a).size(); ++d) {
      int64_t own = byLast ? lastCell(a, d) : parts.at(a)[d].constant;
      int64_t other = byLast ? lastCell(b, d) : parts.at(b)[d].constant;
      if (own != other)
        return own < other;
    }
    return false;
  };
  auto isFirst = [&](unsigned a, unsigned b) { return before(a, b, false); };
  auto isLast = [&](unsigned a, unsigned b) { return before(a, b, true); };
  return {*std::min_element(group.begin(), group.end(), isFirst),
          *std::max_element(group.begin(), group.end(), isLast)};
}

/// The dimension along which one work-item's cells lie side by side: it reads
/// them together. Otherwise the one along which they lie in memory.
unsigned Stager::bestRow(unsigned id) const {
  const std::vector<LinearPart> &own = parts.at(id);
  unsigned rank = static_cast<unsigned>(own.size()), best = rank - 1;
  // A wide cell is one access, whatever lies beside it.
  if (model.arrays[array].elementBytes >= widestAccess ||
      model.accesses[id].width > 1)
    return best;
  unsigned most = 1;
  for (unsigned d = 0; d < rank; ++d)
    for (const auto &[symbol, factor] : own[d].moving) {
      if (!ids.count(symbol) || factor != 1)
        continue;
      const WorkDimension &work = kernel.work[model.symbols[symbol].dim];
      unsigned together = work.strided ? work.lanes : work.total();
      if (together > most ||
          (together == most && together > 1 && d == rank - 1)) {
        most = together;
        best = d;
      }
    }
  return best;
}

/// How far along a dimension the first cell that is accessed, in the order of
/// addresses, lies behind the box's: what moves an earlier dimension up and
/// this one down, as in [y + k][3 - k], is at its end here where it begins
/// there. The last cell lies as far before the box's.
int64_t Stager::turnedCells(unsigned id, unsigned dim) const {
  const std::vector<LinearPart> &own = parts.at(id);
  int64_t cells = 0;
  for (const auto &[symbol, factor] : own[dim].moving)
    for (unsigned d = 0; d < dim; ++d) {
      const auto earlier = own[d].moving.find(symbol);
      if (earlier == own[d].moving.end())
        continue;
      // Ids move all dimensions up.
      if ((earlier->second < 0) != (factor < 0))
        cells += std::llabs(factor) * ranges.at(symbol).span;
      break;
    }
  return cells;
}

StepResult Stager::makeTile(const std::vector<unsigned> &group) {
  ArrayTile tile;
  tile.array = array;
  tile.loop = loop;
  if (isPrivate)
    tile.memory = ArrayTile::Memory::Registers;
  tile.accesses = group;
  tile.copyIn = std::any_of(group.begin(), group.end(), [&](unsigned id) {
    return !model.accesses[id].isWrite;
  });
  tile.copyOut = isWritten;
  const std::string &name = model.arrays[array].name;
  auto [first, last] = extremes(group);
  if (isNest && isWritten) {
    if (StepResult refusal = checkUpdates(group))
      return refusal;
    first = last = *std::find_if(group.begin(), group.end(), [&](unsigned id) {
      return model.accesses[id].isWrite;
    });
  }
  unsigned rank = model.arrays[array].rank;
  for (unsigned d = 0; d < rank; ++d) {
    int64_t least = 0, greatest = 0;
    if (StepResult refusal = makeDimension(tile, d, group, least, greatest))
      return refusal;
    const int64_t turned = turnedCells(group.front(), d);
    tile.skipFirst.push_back(parts.at(first)[d].constant - least + turned);
    tile.skipLast.push_back(greatest - lastCell(last, d) + turned);
  }
  if (StepResult refusal = checkLanes(tile))
    return refusal;
  tile.rowDimension = bestRow(*std::max_element(
      group.begin(), group.end(), [&](unsigned a, unsigned b) {
        return model.accesses[a].width < model.accesses[b].width;
      }));
  tile.required = {first, last};
  bool covered = std::any_of(group.begin(), group.end(),
                             [&](unsigned id) { return writesAll(tile, id); });
  // Other work-items may write cells between those that this one uses, at any
  // time.
  if (!covered || group.size() > 1)
    findOthers(kernel.tree);
  const bool isOwn = isPrivate && !isNest && tile.copyIn && tile.copyOut;
  if (isNest || isOwn) {
    if (StepResult refusal =
            isNest ? checkNest(tile, first, last) : checkRecurrence(tile))
      return refusal;
    tiles.push_back(std::move(tile));
    return std::nullopt;
  }
  if (!runsEverywhere(model.accesses[first]) ||
      !runsEverywhere(model.accesses[last]))
    return refuse("clopt-non-affine-control",
                  "'" + name + "' is not accessed in all iterations", "",
                  model.accesses[first].range);
  if (isWritten && (!covered || group.size() > 1))
    return refuse("clopt-non-affine-subscript",
                  "not every cell of the section of '" + name + "' is written",
                  "", model.accesses[first].range);
  if (isWritten && !isPrivate && !writesOnce(first))
    return refuse("clopt-dependence",
                  "'" + name + "' is written again by other iterations", "",
                  model.accesses[first].range);
  tiles.push_back(std::move(tile));
  return std::nullopt;
}

/// Iterations that run as one vector around the section's loop have to use one
/// section.
StepResult Stager::checkLanes(const ArrayTile &tile) const {
  for (const Polynomial &base : tile.base)
    for (SymbolId symbol : base.symbols())
      for (unsigned l = 0; l < model.loops.size(); ++l) {
        const ScheduleNode *node = model.loops[l].iterator == symbol
                                       ? findLoop(kernel.tree, l)
                                       : nullptr;
        if (node && node->lanes > 1)
          return refuse(
              "clopt-lane-control",
              "iterations of '" + model.loops[l].name +
                  "' that run as one vector use different sections of '" +
                  model.arrays[array].name + "'");
      }
  return std::nullopt;
}

/// References that the loop does not move stay in registers by themselves.
bool Stager::movesWithLoop(unsigned id) const {
  if (!loop)
    return true;
  for (const LinearPart &part : parts.at(id)) {
    if (part.moving.count(model.loops[*loop].iterator))
      return true;
    for (const auto &[symbol, factor] : part.moving)
      if (isNest && ranges.count(symbol))
        return true;
  }
  return false;
}

/// True where nothing but one cell is used, the same for all work-items.
static bool isOneCell(const ArrayTile &tile) {
  return std::all_of(
      tile.extents.begin(), tile.extents.end(), [](const TileExtent &extent) {
        return extent.constant == 1 &&
               std::none_of(std::begin(extent.perId), std::end(extent.perId),
                            [](int64_t cells) { return cells != 0; });
      });
}

StepResult Stager::makeTiles() {
  if (isWritten && groups.size() > 1)
    return refuse("clopt-dependence", "several sections of '" +
                                          model.arrays[array].name +
                                          "' are written");
  bool hasOneCell = false;
  for (const std::vector<unsigned> &group : groups)
    if (movesWithLoop(group.front()) || isWritten) {
      if (StepResult refusal = makeTile(group))
        return refusal;
      if (!isWritten && !isNest && isOneCell(tiles.back())) {
        hasOneCell = true;
        tiles.pop_back();
      }
    }
  if (!isWritten && !isNest)
    joinTiles();
  if (tiles.empty() && hasOneCell)
    return refuse("clopt-not-profitable",
                  "one cell of '" + model.arrays[array].name +
                      "' is used at a time, which stays in a register by "
                      "itself");
  if (tiles.empty())
    return refuse("clopt-not-profitable", "no reference to '" +
                                              model.arrays[array].name +
                                              "' moves with the loop");
  return std::nullopt;
}

} // namespace clopt
