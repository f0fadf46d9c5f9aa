//===- MovedTiles.cpp - tiles at the ends of the ids ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Along every coordinate the first ids of the tiles that agree, `uniform`, have
// a least and a greatest value, in arguments and sizes of the launch. A tile is
// moved to the value between them that is nearest to its own first id. That is
// right when
//
// - the tile then agrees: a condition of arguments, which the text asks,
// - no id before the least or behind the greatest tile stores anything: its own
//   tile would no longer visit it,
// - what is computed twice stays without effect (findOwnedWork).
//
// Tested by test/unit/MovedTilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/MovedTiles.h"

#include "Emit/lower/DivergentInstances.h"
#include "Emit/lower/TileSets.h"

#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/constraint.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

//===-- What may be done twice --------------------------------------------===//

bool steersNothing(const TransformedKernel &kernel) {
  const KernelModel &model = *kernel.model;
  for (const Access &access : model.accesses)
    if (!model.arrays[access.array].isPrivateScalar() &&
        (!access.isExact || access.subscripts.empty()))
      return false;
  for (const Statement &statement : model.statements) {
    if (statement.isCompound)
      return false;
    if (!statement.stmt)
      continue;
    bool stops = false;
    forEachExpr(StmtRef(StmtRef(), statement.stmt), [&](const ExprRef &expr) {
      bool divides =
          (expr->kind == ExprKind::Binary || expr->kind == ExprKind::Assign) &&
          (expr->op == Op::Div || expr->op == Op::Rem);
      stops |= divides && !expr->type.isFloating() &&
               expr->operands[1]->kind != ExprKind::IntLiteral &&
               !model.values.count(expr.get());
      stops |= expr->kind == ExprKind::Call && expr->effect != CallEffect::Pure;
    });
    if (stops)
      return false;
  }
  return true;
}

namespace {

class OwnedWorkFinder {
public:
  explicit OwnedWorkFinder(const TransformedKernel &transformed)
      : kernel(transformed), model(*transformed.model) {}
  std::optional<OwnedWork> run();

private:
  bool isMemory(unsigned array) const {
    return model.arrays[array].space != AddressSpace::Private;
  }
  bool isApart(unsigned array) const;
  void noteRead(unsigned array);
  bool addStatement(unsigned index);
  bool addCopies();

  const TransformedKernel &kernel;
  const KernelModel &model;
  std::set<unsigned> written; ///< arrays in memory
  /// Cells that another work-item writes at the same time may be read.
  bool readsOthers = false;
  /// Registers hold zero for ids that are not the tile's own.
  bool loadsOwn = false;
  OwnedWork result;
};

} // namespace

/// True when no write of the kernel changes cells of the array.
bool OwnedWorkFinder::isApart(unsigned array) const {
  return std::all_of(written.begin(), written.end(), [&](unsigned other) {
    return kernel.areApart(array, other);
  });
}

/// What others write may be read, unless the launch keeps the arrays apart.
void OwnedWorkFinder::noteRead(unsigned array) {
  readsOthers |= written.count(array) != 0;
  for (unsigned other : written)
    if (!kernel.areApart(array, other))
      result.apart.insert(std::minmax(array, other));
}

/// A statement that writes memory is for owners only, and does nothing else.
bool OwnedWorkFinder::addStatement(unsigned index) {
  const Statement &statement = model.statements[index];
  if (statement.isOpaque || statement.isBarrier)
    return false;
  bool writesMemory = false, writesPrivate = false, readsWritten = false;
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    if (access.isOrdered)
      return false;
    bool isCell = isMemory(access.array) && !kernel.registersOf(id);
    writesMemory |= access.isWrite && isCell;
    writesPrivate |= access.isWrite && !isCell;
    readsWritten |= !access.isWrite && isCell && written.count(access.array);
  }
  // Once before the loops it is loaded for owners only.
  const bool loads = !writesMemory && readsWritten && statement.stmt &&
                     statement.loops.empty() && !statement.isCompound;
  loadsOwn |= loads;
  if (!writesMemory && !loads) {
    for (unsigned id : statement.accesses)
      if (!model.accesses[id].isWrite && isMemory(model.accesses[id].array) &&
          !kernel.registersOf(id))
        noteRead(model.accesses[id].array);
    return true;
  }
  result.statements.insert(index);
  return loads || (statement.stmt && !writesPrivate);
}

bool OwnedWorkFinder::addCopies() {
  for (const ArrayTile &tile : kernel.sections()) {
    if (tile.copyOut)
      return false;
    readsOthers |= !isApart(tile.array);
  }
  for (unsigned c = 0; c < kernel.copies.size(); ++c) {
    const CopyStatement &statement = kernel.copies[c];
    const ArrayTile &copy = kernel.tiles[statement.tile];
    if (statement.isShift || !isMemory(copy.array) ||
        (statement.isIn && isApart(copy.array)))
      continue;
    if (copy.window)
      return false;
    result.copies.insert(c);
    loadsOwn |= statement.isIn;
  }
  return true;
}

std::optional<OwnedWork> OwnedWorkFinder::run() {
  if (model.hasBarrier || model.hasAtomics || model.hasOrderedEffects ||
      model.usesLocalMemory || model.usesImages)
    return std::nullopt;
  for (unsigned id = 0; id < model.accesses.size(); ++id)
    if (model.accesses[id].isWrite && isMemory(model.accesses[id].array))
      written.insert(model.accesses[id].array);
  for (unsigned s = 0; s < model.statements.size(); ++s)
    if (!addStatement(s))
      return std::nullopt;
  if (!addCopies() || readsOthers || (loadsOwn && !steersNothing(kernel)))
    return std::nullopt;
  return std::move(result);
}

std::optional<OwnedWork> findOwnedWork(const TransformedKernel &kernel) {
  return OwnedWorkFinder(kernel).run();
}

//===-- Where tiles are moved to ------------------------------------------===//

namespace {

/// Along one coordinate, in parameters, { : -> [id] }.
struct FirstIds {
  isl::pw_aff least, greatest;
};

class MoveFinder {
public:
  MoveFinder(const TransformedKernel &transformed,
             const TileDomains &tileDomains, const isl::set &entrySet,
             const OwnedWork &ownedWork)
      : kernel(transformed), model(*transformed.model), tiles(tileDomains),
        entry(entrySet), owned(ownedWork),
        dims(workCoordinates(*transformed.model)) {}
  void run(LoweredKernel &result);

private:
  bool mayMoveAlong(size_t coordinate) const;
  std::optional<FirstIds> firstIds(size_t coordinate) const;
  isl::pw_aff pastLast(size_t coordinate, const FirstIds &ids) const;
  isl::set storesOutside(size_t coordinate, const FirstIds &ids) const;
  isl_set *withoutBases(isl_set *set, bool onlyMoved) const;
  isl::set compared(size_t coordinate, const isl::pw_aff &value,
                    bool isLeast) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  const TileDomains &tiles;
  const isl::set &entry; ///< { : } of the fast version
  const OwnedWork &owned;
  std::vector<unsigned> dims;
  std::vector<std::optional<FirstIds>> moves;
};

} // namespace

/// More pieces than these make long texts.
static constexpr int maxPieces = 4;

bool MoveFinder::mayMoveAlong(size_t coordinate) const {
  unsigned dim = dims[coordinate];
  const WorkDimension &work = kernel.work[dim];
  bool hasSeveral = work.total() > 1 || work.groupIds > 1;
  return hasSeveral && !model.ndrange.split[dim] &&
         tiles.strideNames[coordinate].empty();
}

std::optional<FirstIds> MoveFinder::firstIds(size_t coordinate) const {
  isl_set *set = tiles.uniform.copy();
  for (size_t other = 0; other < dims.size(); ++other) {
    if (other == coordinate)
      continue;
    set = withoutParameter(set, tiles.baseNames[other]);
    set = withoutParameter(set, tiles.extentNames[other]);
  }
  set = isl_set_coalesce(set);
  set = alongParameter(set, tiles.baseNames[coordinate]); // { [base] }
  if (!set)
    return std::nullopt;
  if (isl_set_dim_is_bounded(set, isl_dim_set, 0) != isl_bool_true) {
    isl_set_free(set);
    return std::nullopt;
  }
  FirstIds result;
  result.least =
      isl::manage(isl_pw_aff_coalesce(isl_set_dim_min(isl_set_copy(set), 0)));
  result.greatest = isl::manage(isl_pw_aff_coalesce(isl_set_dim_max(set, 0)));
  if (isl_pw_aff_n_piece(result.least.get()) > maxPieces ||
      isl_pw_aff_n_piece(result.greatest.get()) > maxPieces)
    return std::nullopt;
  return result;
}

/// { : } where base >= value, or base <= value.
isl::set MoveFinder::compared(size_t coordinate, const isl::pw_aff &value,
                              bool isLeast) const {
  isl_set *universe =
      withParameter(isl_set_universe(isl_space_params(
                        isl_set_get_space(tiles.context.get()))),
                    tiles.baseNames[coordinate]);
  isl_aff *base = isl_aff_zero_on_domain(
      isl_local_space_from_space(isl_set_get_space(universe)));
  isl_set_free(universe);
  int position = isl_aff_find_dim_by_name(base, isl_dim_param,
                                          tiles.baseNames[coordinate].c_str());
  base = isl_aff_set_coefficient_si(base, isl_dim_param, position, 1);
  isl_pw_aff *at = isl_pw_aff_from_aff(base);
  return isl::manage(isLeast ? isl_pw_aff_ge_set(at, value.copy())
                             : isl_pw_aff_le_set(at, value.copy()));
}

/// Without the first ids of tiles, or of those that are moved.
isl_set *MoveFinder::withoutBases(isl_set *set, bool onlyMoved) const {
  for (size_t i = 0; i < dims.size(); ++i)
    if (!onlyMoved || moves[i])
      set = withoutParameter(set, tiles.baseNames[i]);
  return set;
}

/// One past the ids of the last tile.
isl::pw_aff MoveFinder::pastLast(size_t coordinate, const FirstIds &ids) const {
  const std::string &extent = tiles.extentNames[coordinate];
  const WorkDimension &work = kernel.work[dims[coordinate]];
  if (extent.empty()) {
    unsigned count = kernel.isGrouped() ? std::max(work.groupIds, work.total())
                                        : work.total();
    return isl::manage(isl_pw_aff_add_constant_val(
        ids.greatest.copy(), isl_val_int_from_si(model.context.get(), count)));
  }
  isl_set *domain =
      withParameter(isl_pw_aff_domain(ids.greatest.copy()), extent);
  isl_aff *own = isl_aff_zero_on_domain(
      isl_local_space_from_space(isl_set_get_space(domain)));
  isl_set_free(domain);
  int position = isl_aff_find_dim_by_name(own, isl_dim_param, extent.c_str());
  own = isl_aff_set_coefficient_si(own, isl_dim_param, position, 1);
  return isl::manage(
      isl_pw_aff_add(ids.greatest.copy(), isl_pw_aff_from_aff(own)));
}

/// { : } launches in which an id that is in no tile between the two stores
/// something. Only those are looked at that have such tiles.
isl::set MoveFinder::storesOutside(size_t coordinate,
                                   const FirstIds &ids) const {
  const std::string &base = tiles.baseNames[coordinate];
  isl::set known = isl::manage(withoutBases(tiles.context.copy(), false));
  // { : } base < least, and base >= greatest + ids of a tile
  isl::set outside =
      compared(coordinate, pastLast(coordinate, ids), true)
          .unite(isl::manage(isl_set_subtract(
              isl_set_intersect_params(
                  compared(coordinate, ids.greatest, false).release(),
                  isl_pw_aff_domain(ids.least.copy())),
              compared(coordinate, ids.least, true).release())))
          .intersect(known);
  isl::set result = isl::manage(isl_set_empty(isl_set_get_space(known.get())));
  for (const auto &[key, domain] : tiles.plain) {
    bool stores = owned.statements.count(static_cast<unsigned>(key)) != 0;
    for (const ArrayTile &copy : kernel.registers())
      for (unsigned access : copy.accesses)
        stores |= copy.copyOut && model.accesses[access].isWrite &&
                  static_cast<int>(model.accesses[access].statement) == key;
    if (!stores)
      continue;
    isl_set *lost = launchedIds(model, tiles, domain.copy());
    lost = constrain(
        lost, {{"", static_cast<int>(coordinate), 1}, {base, -1, -1}}, 0, true);
    lost = isl_set_intersect_params(lost, outside.copy());
    result =
        result.unite(isl::manage(withoutBases(isl_set_params(lost), false)));
  }
  return result.coalesce();
}

void MoveFinder::run(LoweredKernel &result) {
  isl::set exists, known = tiles.context; // { : }
  moves.resize(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!mayMoveAlong(i))
      continue;
    std::optional<FirstIds> ids = firstIds(i);
    if (!ids)
      continue;
    isl::set domain =
        isl::manage(isl_pw_aff_domain(ids->greatest.copy())).coalesce();
    // Borders along coordinates are in every launch. Where the launch is a
    // square, no id beside a triangle's box does anything.
    if (const isl::set lost = storesOutside(i, *ids); !lost.is_empty()) {
      domain = domain.subtract(lost);
      if (tiles.masks.empty() || domain.intersect(known).is_empty())
        continue;
    }
    moves[i] = ids;
    exists = exists.is_null() ? domain : exists.intersect(domain).coalesce();
  }
  if (exists.is_null())
    return;
  // { : } what holds before the question, and with all tiles moved.
  isl::set before = isl::manage(withoutBases(tiles.context.copy(), true));
  isl::set after = before.intersect(exists);
  for (size_t i = 0; i < dims.size(); ++i)
    if (moves[i])
      after = after.intersect(compared(i, moves[i]->least, true))
                  .intersect(compared(i, moves[i]->greatest, false));
  // A tile that is moved and not entered would store what another one does.
  isl::set agrees = isl::manage(isl_set_gist_params(
      tiles.uniform.intersect(entry).release(), after.copy()));
  // Where the ends along one coordinate depend on another one, tiles at the
  // ends do not agree wherever they are.
  for (size_t i = 0; i < dims.size(); ++i) {
    int position = moves[i]
                       ? isl_set_find_dim_by_name(agrees.get(), isl_dim_param,
                                                  tiles.baseNames[i].c_str())
                       : -1;
    if (position >= 0 && isl_set_involves_dims(agrees.get(), isl_dim_param,
                                               static_cast<unsigned>(position),
                                               1) != isl_bool_false)
      return;
  }
  isl::set enough =
      isl::manage(isl_set_gist_params(exists.copy(), before.copy()));
  isl::set condition = isl::manage(isl_set_coalesce(
      isl_set_remove_redundancies(agrees.intersect(enough).release())));
  isl_ast_build *build = isl_ast_build_from_context(before.copy());
  result.movable =
      isl::manage(isl_ast_build_expr_from_set(build, condition.release()));
  isl_ast_build_free(build);
  build = isl_ast_build_from_context(before.intersect(exists).release());
  auto print = [&](const isl::pw_aff &value) {
    isl_pw_aff *simple = isl_pw_aff_coalesce(isl_pw_aff_gist_params(
        value.copy(), before.intersect(exists).release()));
    return isl::manage(isl_ast_build_expr_from_pw_aff(build, simple));
  };
  result.moves.resize(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!moves[i])
      continue;
    TileMove move;
    move.greatest = print(moves[i]->greatest);
    move.count = print(isl::manage(isl_pw_aff_sub(
        pastLast(i, *moves[i]).release(), moves[i]->least.copy())));
    isl::set isLate = compared(i, moves[i]->least, true);
    if (!tiles.context.intersect(exists).is_subset(isLate))
      move.least = print(moves[i]->least);
    result.moves[i] = std::move(move);
  }
  isl_ast_build_free(build);
  result.owned = owned;
}

/// True when a border between tiles that agree and others is along no
/// coordinate.
static bool hasSlantedBorder(const TileDomains &tiles) {
  bool result = false;
  isl_basic_set_list *list = isl_set_get_basic_set_list(tiles.uniform.get());
  for (int b = 0; b < isl_basic_set_list_n_basic_set(list); ++b) {
    isl_basic_set *part = isl_basic_set_list_get_basic_set(list, b);
    const isl::space space = isl::manage(isl_basic_set_get_space(part));
    isl_constraint_list *bounds = isl_basic_set_get_constraint_list(part);
    for (int i = 0; i < isl_constraint_list_n_constraint(bounds); ++i) {
      isl_constraint *bound = isl_constraint_list_get_constraint(bounds, i);
      unsigned bases = 0;
      for (const std::string &name : tiles.baseNames) {
        const int position =
            name.empty() ? -1
                         : isl_space_find_dim_by_name(
                               space.get(), isl_dim_param, name.c_str());
        bases += position >= 0 &&
                 isl_constraint_involves_dims(bound, isl_dim_param,
                                              static_cast<unsigned>(position),
                                              1) == isl_bool_true;
      }
      result |= bases > 1;
      isl_constraint_free(bound);
    }
    isl_constraint_list_free(bounds);
    isl_basic_set_free(part);
  }
  isl_basic_set_list_free(list);
  return result;
}

void findMoves(const TransformedKernel &kernel, const TileDomains &tiles,
               const isl::set &entry, LoweredKernel &result) {
  result.isSlanted = kernel.isGrouped() && !loopsBelow(kernel.tree).empty() &&
                     hasSlantedBorder(tiles);
  // Without loops the ids that are left over do little.
  if (!kernel.isTiled() || loopsBelow(kernel.tree).empty() ||
      kernel.keepsGroups() || kernel.sharesWork() || !kernel.rounds.empty() ||
      !kernel.selections.empty() || !kernel.alignedArrays.empty() ||
      !kernel.model->ndrange.mapped.empty())
    return;
  std::optional<OwnedWork> owned = findOwnedWork(kernel);
  if (owned)
    MoveFinder(kernel, tiles, entry, *owned).run(result);
}

} // namespace clopt
