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

#include "Transform/steps/Hoister.h"

#include "Analysis/access/CellPart.h"

#include <isl/set.h>

#include <algorithm>

namespace clopt {

//===-- References --------------------------------------------------------===//

/// A plain read of a cell whose place ids, iterators and arguments give.
bool Hoister::isUsable(const Access &access) const {
  const Statement &statement = model.statements[access.statement];
  if (access.array != array || access.isWrite || access.isOrdered ||
      access.width != 1 || access.subscripts.empty() || !access.expr ||
      statement.isOpaque || !access.isExact || !partOfCell(*access.expr) ||
      kernel.tileOf(access.id))
    return false;
  for (const Polynomial &subscript : access.subscripts) {
    if (subscript.overflowed() || !subscript.isAffine())
      return false;
    for (SymbolId id : subscript.symbols()) {
      bool isCoordinate = llvm::is_contained(statement.coordinates, id);
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
    if (llvm::is_contained(statements, model.accesses[id].statement))
      below.push_back(id);
  return below;
}

/// { [w..., i...] } the first `count` coordinates of the instances that make
/// the reference.
isl::set Hoister::executedPrefix(unsigned access, unsigned count) const {
  isl::set instances = instancesOf(model, model.accesses[access]);
  unsigned total = isl_set_dim(instances.get(), isl_dim_set);
  isl_set *set = isl_set_project_out(instances.release(), isl_dim_set, count,
                                     total - count);
  return isl::manage(isl_set_reset_tuple_id(set));
}

//===-- Single cells ------------------------------------------------------===//

ArrayTile Hoister::makeCopy(const References &cells,
                            unsigned coordinates) const {
  const Statement &statement =
      model.statements[model.accesses[cells.accesses.front()].statement];
  ArrayTile copy;
  copy.memory = ArrayTile::Memory::Registers;
  copy.inTree = true;
  copy.array = array;
  copy.base = cells.subscripts;
  copy.extents.resize(cells.subscripts.size());
  copy.extents[cells.dimension].constant = cells.cells;
  copy.copyIn = true;
  copy.isHoisted = true;
  copy.accesses = cells.accesses;
  copy.coordinates.assign(statement.coordinates.begin(),
                          statement.coordinates.begin() + coordinates);
  return copy;
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
  ArrayTile copy = makeCopy(own, outer);
  isl::set prefix = executedPrefix(own.accesses.front(), outer);
  for (unsigned id : own.accesses)
    prefix = prefix.unite(executedPrefix(id, outer));
  copy.inDomain =
      windowCells(isl::manage(isl_set_coalesce(prefix.release())), own, 0, 0);
  if (!around.empty())
    copy.within = around.back();
  if (end == begin + 1 &&
      sequence.children[begin].kind == ScheduleNode::Kind::Loop)
    copy.loop = sequence.children[begin].loop;
  regions.requireUnwritten(region.written);
  kernel.tiles.push_back(std::move(copy));
  kernel.copies.push_back(
      {static_cast<unsigned>(kernel.tiles.size() - 1), true, false, false});
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
      if (StepResult refusal = regions.extend(region, child)) {
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

//===-- The step ----------------------------------------------------------===//

StepResult Hoister::run() {
  const Array &info = model.arrays[array];
  if (info.space == AddressSpace::Private || info.rank == 0)
    return refuse("clopt-not-profitable",
                  "'" + info.name + "' is a private variable");
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
