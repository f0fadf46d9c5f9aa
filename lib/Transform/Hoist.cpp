//===- Hoist.cpp - values of memory that are loaded once ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: a cell that is read several times while nothing can write it is loaded
// once, before the first of them or before the loops that do not move it
// (loop-invariant code motion and scalar replacement of loads):
//
//   for (k) s[k] = a[i] * b[k];     float c = a[i]; for (k) s[k] = c * b[k];
//
// and the cells of a row that neighbouring iterations of a loop share are
// passed on from one to the next in registers (a window):
//
//   for (k) s[k] = a[k - 1] + a[k] + a[k + 1];
//
//   w[0] = a[first - 1]; w[1] = a[first];
//   for (k) { w[2] = a[k + 1]; s[k] = w[0] + w[1] + w[2];
//             w[0] = w[1]; w[1] = w[2]; }
//
// `privatize` keeps all cells of an array, written ones too; `hoist` looks at
// each reference by itself, and at reads only.
//
// Where: the widest run of neighbouring statements and loops in which no
// iterator of the subscript changes and nothing can write the cell. A window
// belongs to the innermost loop that moves its subscripts.
//
// Legal when within the region nothing writes the array, other arrays that are
// written there cannot overlap it (restrict, or a check at run time), there is
// no opaque code, no ordered access and no way out of it. Behind a barrier
// other work-items may have written: a region with one needs arrays that the
// whole kernel does not write. A cell is only loaded where some reference
// surely reads it; a window has nothing but the cells between two that one
// iteration reads.
//
// Reference: D. Callahan, S. Carr, K. Kennedy, Improving Register Allocation
// for Subscripted Variables (PLDI 1990).
//
// Tested by test/unit/HoistTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Hoist.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

/// Longest window; all its cells are registers.
static constexpr int64_t longestWindow = 16;

namespace {

/// What a run of statements does that is in the way.
struct Region {
  std::set<unsigned> written; ///< arrays in memory
  bool hasBarrier = false;
};

/// One or more references to a cell, or to the cells of one window.
struct References {
  std::vector<unsigned> accesses;
  std::vector<Polynomial> subscripts; ///< of the cell; the first of the window
  int64_t cells = 1;
  unsigned dimension = 0; ///< along which the window lies
};

class Hoister {
public:
  Hoister(TransformedKernel &transformed, unsigned arrayIndex,
          AliasMode aliasMode)
      : kernel(transformed), model(*transformed.model), array(arrayIndex),
        alias(aliasMode) {}

  StepResult run();

private:
  void collect();
  bool isUsable(const Access &access) const;
  bool isTaken(unsigned access) const;
  StepResult extend(Region &region, const Statement &statement) const;
  StepResult extend(Region &region, const ScheduleNode &node);
  std::set<unsigned> writtenAnywhere() const;
  StepResult isUnwritten(const std::set<unsigned> &written);
  void requireUnwritten(const std::set<unsigned> &written);

  // Single cells
  void placeCell(ScheduleNode &node, const References &cell);
  void placeInRuns(ScheduleNode &sequence, const References &cell);
  bool isFixedBelow(const ScheduleNode &node, const References &cell) const;
  bool pays(const ScheduleNode &sequence, size_t begin, size_t end,
            const std::vector<unsigned> &accesses) const;
  bool keepCell(ScheduleNode &sequence, size_t begin, size_t end,
                const References &cell, const Region &region);

  // Windows
  std::vector<References> rowsAlong(unsigned loop) const;
  bool hasGaps(const References &row) const;
  bool moveWindow(unsigned loop, const References &row);
  std::optional<int> stepAlong(unsigned loop, const Polynomial &poly) const;

  std::vector<unsigned> accessesBelow(const ScheduleNode &node,
                                      const std::vector<unsigned> &all) const;
  isl::set executedPrefix(unsigned access, unsigned count) const;
  PrivateCopy makeCopy(const References &cells, unsigned coordinates) const;

  TransformedKernel &kernel;
  const KernelModel &model;
  unsigned array;
  AliasMode alias;
  std::vector<unsigned> usable;
  std::vector<unsigned> around; ///< loops around the node that is looked at
  StepResult firstRefusal;
  /// Why the array may overlap another one, for those asked about so far.
  std::map<unsigned, StepResult> overlaps;
  bool done = false;
};

} // namespace

//===-- References --------------------------------------------------------===//

bool Hoister::isTaken(unsigned access) const {
  auto has = [&](const std::vector<unsigned> &list) {
    return std::find(list.begin(), list.end(), access) != list.end();
  };
  for (const PrivateCopy &copy : kernel.privates)
    if (has(copy.accesses))
      return true;
  for (const LocalTile &tile : kernel.tiles)
    if (has(tile.accesses))
      return true;
  return false;
}

/// A plain read of a cell whose place ids, iterators and arguments give.
bool Hoister::isUsable(const Access &access) const {
  const Statement &statement = model.statements[access.statement];
  if (access.array != array || access.isWrite || access.isOrdered ||
      access.width != 1 || access.subscripts.empty() || !access.expr ||
      statement.isOpaque || !access.isExact || isTaken(access.id))
    return false;
  for (const Polynomial &subscript : access.subscripts) {
    if (subscript.overflowed() || !subscript.isAffine())
      return false;
    for (SymbolId id : subscript.symbols()) {
      bool isCoordinate =
          std::find(statement.coordinates.begin(), statement.coordinates.end(),
                    id) != statement.coordinates.end();
      if (!isCoordinate && !isParameter(model.symbols[id]))
        return false;
    }
  }
  return true;
}

void Hoister::collect() {
  usable.clear();
  for (const Access &access : model.accesses)
    if (isUsable(access))
      usable.push_back(access.id);
}

std::vector<unsigned>
Hoister::accessesBelow(const ScheduleNode &node,
                       const std::vector<unsigned> &all) const {
  std::vector<unsigned> below, statements = statementsBelow(node);
  for (unsigned id : all)
    if (std::find(statements.begin(), statements.end(),
                  model.accesses[id].statement) != statements.end())
      below.push_back(id);
  return below;
}

/// { [w..., i...] } the first `count` coordinates of the reference's instances.
isl::set Hoister::executedPrefix(unsigned access, unsigned count) const {
  const Statement &statement =
      model.statements[model.accesses[access].statement];
  unsigned total = static_cast<unsigned>(statement.coordinates.size());
  isl_set *set = isl_set_project_out(statement.domain.copy(), isl_dim_set,
                                     count, total - count);
  return isl::manage(isl_set_reset_tuple_id(set));
}

//===-- What must not happen meanwhile ------------------------------------===//

StepResult Hoister::extend(Region &region, const Statement &statement) const {
  SourceRange range = statement.stmt ? statement.stmt->range : SourceRange();
  if (statement.isOpaque && !statement.isBarrier)
    return refuse("clopt-opaque-code",
                  "the region has code that must see memory as it is", "",
                  range);
  if (findJump(model, ScheduleNode::leaf(static_cast<unsigned>(
                          &statement - model.statements.data()))))
    return refuse("clopt-non-affine-control",
                  "a work-item may leave the region early, depending on data",
                  "", range);
  region.hasBarrier |= statement.isBarrier;
  for (unsigned id : statement.accesses) {
    const Access &access = model.accesses[id];
    if (access.isOrdered)
      return refuse("clopt-ordered-effect",
                    "the region has accesses in a fixed order", "",
                    access.range);
    if (access.isWrite &&
        model.arrays[access.array].space != AddressSpace::Private)
      region.written.insert(access.array);
  }
  return std::nullopt;
}

std::set<unsigned> Hoister::writtenAnywhere() const {
  std::set<unsigned> written;
  for (const Access &access : model.accesses)
    if (access.isWrite &&
        model.arrays[access.array].space != AddressSpace::Private)
      written.insert(access.array);
  return written;
}

StepResult Hoister::isUnwritten(const std::set<unsigned> &written) {
  if (written.count(array))
    return refuse("clopt-dependence", "'" + model.arrays[array].name +
                                          "' is written where it is read");
  for (unsigned other : written) {
    auto known = overlaps.find(other);
    if (known == overlaps.end()) {
      TransformedKernel trial;
      trial.model = &model;
      known =
          overlaps.emplace(other, requireDisjoint(trial, array, other, alias))
              .first;
    }
    if (known->second)
      return known->second;
  }
  return std::nullopt;
}

/// Adds what runs at and below `node`; refused when the array could then be
/// written within the region.
StepResult Hoister::extend(Region &region, const ScheduleNode &node) {
  for (unsigned index : statementsBelow(node))
    if (StepResult refusal = extend(region, model.statements[index]))
      return refusal;
  if (region.hasBarrier && (model.hasAtomics || model.hasOrderedEffects))
    return refuse("clopt-ordered-effect",
                  "the region has barriers in a kernel with ordered effects");
  if (region.hasBarrier)
    region.written = writtenAnywhere();
  return isUnwritten(region.written);
}

void Hoister::requireUnwritten(const std::set<unsigned> &written) {
  for (unsigned other : written)
    requireDisjoint(kernel, array, other, alias);
  for (unsigned i = 0; i < model.assumptions.size(); ++i)
    if (model.assumptions[i].kind == Assumption::Kind::Subscript &&
        model.assumptions[i].array == static_cast<int>(array))
      kernel.usedAssumptions.insert(i);
}

//===-- Single cells ------------------------------------------------------===//

PrivateCopy Hoister::makeCopy(const References &cells,
                              unsigned coordinates) const {
  const Statement &statement =
      model.statements[model.accesses[cells.accesses.front()].statement];
  PrivateCopy copy;
  copy.array = array;
  copy.base = cells.subscripts;
  copy.sizes.assign(cells.subscripts.size(), 1);
  copy.sizes[cells.dimension] = cells.cells;
  copy.copyIn = true;
  copy.isHoisted = true;
  copy.accesses = cells.accesses;
  copy.coordinates.assign(statement.coordinates.begin(),
                          statement.coordinates.begin() + coordinates);
  return copy;
}

/// { Copy[prefix, cell...] : first <= cell along the dimension <= last }
static isl::set cellsFor(const isl::set &prefix, const PrivateCopy &copy,
                         int64_t first, int64_t last) {
  unsigned outer = isl_set_dim(prefix.get(), isl_dim_set);
  isl_set *set = isl_set_add_dims(prefix.copy(), isl_dim_set,
                                  static_cast<unsigned>(copy.sizes.size()));
  for (unsigned d = 0; d < copy.sizes.size(); ++d) {
    bool isRow = copy.window && d == copy.windowDimension;
    set = isl_set_lower_bound_si(set, isl_dim_set, outer + d,
                                 static_cast<int>(isRow ? first : 0));
    set = isl_set_upper_bound_si(set, isl_dim_set, outer + d,
                                 static_cast<int>(isRow ? last : 0));
  }
  return isl::manage(isl_set_coalesce(isl_set_set_tuple_name(set, "Copy")));
}

/// True when no iterator of the subscripts belongs to a loop at or below
/// `node`.
bool Hoister::isFixedBelow(const ScheduleNode &node,
                           const References &cell) const {
  for (unsigned loop : loopsBelow(node))
    for (const Polynomial &subscript : cell.subscripts)
      if (subscript.contains(model.loops[loop].iterator))
        return false;
  return true;
}

/// Loads are saved when a loop repeats one, or several statements have it.
bool Hoister::pays(const ScheduleNode &sequence, size_t begin, size_t end,
                   const std::vector<unsigned> &accesses) const {
  std::set<unsigned> statements;
  for (unsigned id : accesses)
    statements.insert(model.accesses[id].statement);
  if (statements.size() > 1)
    return true;
  for (size_t i = begin; i < end; ++i) {
    std::vector<unsigned> below = accessesBelow(sequence.children[i], accesses);
    if (!below.empty() && !loopsBelow(sequence.children[i]).empty())
      return true;
  }
  return false;
}

bool Hoister::keepCell(ScheduleNode &sequence, size_t begin, size_t end,
                       const References &cell, const Region &region) {
  References own = cell;
  own.accesses.clear();
  for (size_t i = begin; i < end; ++i) {
    std::vector<unsigned> below =
        accessesBelow(sequence.children[i], cell.accesses);
    own.accesses.insert(own.accesses.end(), below.begin(), below.end());
  }
  if (!pays(sequence, begin, end, own.accesses))
    return false;
  const Statement &first =
      model.statements[model.accesses[own.accesses.front()].statement];
  unsigned work =
      static_cast<unsigned>(first.coordinates.size() - first.loops.size());
  unsigned outer = work + static_cast<unsigned>(around.size());
  PrivateCopy copy = makeCopy(own, outer);
  isl::set prefix = executedPrefix(own.accesses.front(), outer);
  for (unsigned id : own.accesses)
    prefix = prefix.unite(executedPrefix(id, outer));
  copy.inDomain =
      cellsFor(isl::manage(isl_set_coalesce(prefix.release())), copy, 0, 0);
  if (!around.empty())
    copy.within = around.back();
  if (end == begin + 1 &&
      sequence.children[begin].kind == ScheduleNode::Kind::Loop)
    copy.loop = sequence.children[begin].loop;
  requireUnwritten(region.written);
  kernel.privates.push_back(std::move(copy));
  kernel.copies.push_back(
      {static_cast<unsigned>(kernel.privates.size() - 1), true, false, false});
  sequence.children.insert(
      sequence.children.begin() + static_cast<std::ptrdiff_t>(begin),
      ScheduleNode::makeCopy(static_cast<unsigned>(kernel.copies.size() - 1)));
  done = true;
  return true;
}

/// The widest runs of children over which the cell can be kept; what is left
/// is looked for further down.
void Hoister::placeInRuns(ScheduleNode &sequence, const References &cell) {
  for (size_t begin = 0; begin < sequence.children.size(); ++begin) {
    if (accessesBelow(sequence.children[begin], cell.accesses).empty())
      continue;
    size_t last = begin;
    Region region, used;
    for (size_t end = begin; end < sequence.children.size(); ++end) {
      const ScheduleNode &child = sequence.children[end];
      bool isUsed = !accessesBelow(child, cell.accesses).empty();
      if (isUsed && !isFixedBelow(child, cell))
        break;
      if (StepResult refusal = extend(region, child)) {
        if (!firstRefusal)
          firstRefusal = refusal;
        break;
      }
      if (!isUsed)
        continue;
      last = end + 1;
      used = region;
    }
    if (last > begin && keepCell(sequence, begin, last, cell, used)) {
      begin = last; // one child more by now
      continue;
    }
    placeCell(sequence.children[begin], cell);
  }
}

void Hoister::placeCell(ScheduleNode &node, const References &cell) {
  if (accessesBelow(node, cell.accesses).empty())
    return;
  switch (node.kind) {
  case ScheduleNode::Kind::Sequence:
    return placeInRuns(node, cell);
  case ScheduleNode::Kind::Loop: {
    // Lanes of one vector have one body.
    if (node.lanes > 1)
      return;
    around.push_back(node.loop);
    if (node.children[0].kind != ScheduleNode::Kind::Sequence)
      node.children[0] = ScheduleNode::sequence({node.children[0]});
    placeCell(node.children[0], cell);
    around.pop_back();
    return;
  }
  default:
    return;
  }
}

//===-- Windows -----------------------------------------------------------===//

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
  if (hasGaps(row) && writtenAnywhere().count(array))
    return false;
  int64_t step = model.loops[loop].step;
  isl::set starts = isl::manage(isl_set_coalesce(
      isl_set_subtract(executed.copy(), laterThan(executed, step).release())));
  if (!isSingle(starts))
    return false;
  Region region;
  if (StepResult refusal = extend(region, *node)) {
    if (!firstRefusal)
      firstRefusal = refusal;
    return false;
  }
  PrivateCopy copy = makeCopy(row, count);
  copy.loop = copy.window = loop;
  copy.windowDimension = row.dimension;
  copy.windowStep = *stepAlong(loop, row.subscripts[row.dimension]);
  bool isUp = copy.windowStep > 0;
  int64_t last = row.cells - 1;
  copy.inDomain = cellsFor(executed, copy, isUp ? last : 0, isUp ? last : 0);
  copy.fillDomain =
      cellsFor(starts, copy, isUp ? 0 : 1, isUp ? last - 1 : last);
  copy.shiftDomain = cellsFor(executed, copy, 0, last - 1);
  requireUnwritten(region.written);
  kernel.privates.push_back(std::move(copy));
  unsigned index = static_cast<unsigned>(kernel.privates.size() - 1);
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

//===-- The step ----------------------------------------------------------===//

StepResult Hoister::run() {
  const Array &info = model.arrays[array];
  if (info.space == AddressSpace::Private || info.rank == 0)
    return refuse("clopt-not-profitable",
                  "'" + info.name + "' is private already");
  if (!info.elementType.isScalar())
    return refuse("clopt-not-profitable",
                  "the elements of '" + info.name + "' are not scalars");
  collect();
  for (unsigned loop : loopsBelow(kernel.tree)) {
    for (const References &row : rowsAlong(loop))
      moveWindow(loop, row);
    collect();
  }
  if (kernel.tree.kind != ScheduleNode::Kind::Sequence)
    kernel.tree = ScheduleNode::sequence({kernel.tree});
  while (!usable.empty()) {
    References cell;
    cell.subscripts = model.accesses[usable.front()].subscripts;
    std::vector<unsigned> others;
    for (unsigned id : usable)
      (model.accesses[id].subscripts == cell.subscripts ? cell.accesses
                                                        : others)
          .push_back(id);
    placeCell(kernel.tree, cell);
    usable = others;
  }
  if (done)
    return std::nullopt;
  if (firstRefusal)
    return firstRefusal;
  return refuse("clopt-not-profitable",
                "no cell of '" + info.name + "' is read again");
}

StepResult hoist(TransformedKernel &kernel, unsigned array, AliasMode alias) {
  TransformedKernel trial = kernel;
  if (StepResult refusal = Hoister(trial, array, alias).run())
    return refusal;
  kernel = std::move(trial);
  return std::nullopt;
}

} // namespace clopt
