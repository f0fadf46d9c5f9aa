//===- Privatize.cpp - array cells kept in registers ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: the cells of an array that a loop (or the whole work-item) uses again
// and again are loaded once, kept in private variables and stored once:
//
//   for (k) C[i*n + j] += A[...] * B[...];
//
//   float c = C[i*n + j]; for (k) c += A[...] * B[...]; C[i*n + j] = c;
//
// Which cells: the footprint of one region instance must fit a box of constant
// size whose first cell is affine in what surrounds the region. Loaded are the
// cells that are read before they are written (value-based flow); stored are
// those that are written, with the value they have at the end.
//
// Legal when nothing else in the region can touch the cells: all references to
// the array are known, other arrays cannot overlap it (restrict, or a check at
// run time), no opaque code or ordered access lies in the region, no barrier
// either unless every cell is one work-item's alone (GroupDependences), and
// every cell that is written under a data-dependent condition is also written
// without one (the store must not become unconditional).
//
// Reference: P1 section 3.5; PPCG's private groups (Verdoolaege et al., TACO
// 2013, section 5.3).
//
// Tested by test/unit/PrivatizeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Steps.h"
#include "Transform/steps/KeptCells.h"
#include "Transform/steps/PrivateCells.h"
#include "Transform/tree/LoopBounds.h"

#include "Analysis/access/CellPart.h"
#include "Analysis/dependence/GroupDependences.h"

#include "Model/Operations.h"
#include <isl/aff.h>
#include <isl/fixed_box.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>

namespace clopt {

/// More cells than this per work-item do not fit registers.
static constexpr int64_t maximumCells = 16;

namespace {

class Privatizer {
public:
  Privatizer(const TransformedKernel &transformed, unsigned arrayIndex,
             std::optional<unsigned> overLoop)
      : kernel(transformed), model(*transformed.model), array(arrayIndex),
        loop(overLoop) {}

  StepResult collect();
  StepResult checkWrites() const;
  StepResult makeBox();
  StepResult findDirections();
  /// Other arrays that must not overlap this one.
  std::set<unsigned> others;
  ArrayTile copy;

private:
  StepResult addAccess(const Access &access);
  StepResult acrossBarriers(const Statement &barrier,
                            std::set<unsigned> &touched,
                            std::set<unsigned> &writtenArrays) const;
  std::vector<unsigned> ofKind(bool writes, bool exactOnly) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  unsigned array;
  std::optional<unsigned> loop;
  unsigned outer = 0; ///< coordinates that name a region instance
};

} // namespace

StepResult Privatizer::addAccess(const Access &access) {
  const Array &info = model.arrays[array];
  if (access.isOrdered)
    return refuse("clopt-ordered-effect",
                  "'" + info.name + "' is accessed in a fixed order", "",
                  access.range);
  if (access.subscripts.empty() || access.width != 1 ||
      (access.expr && !partOfCell(*access.expr)))
    return refuse("clopt-non-affine-subscript",
                  "a subscript of '" + info.name + "' is not known", "",
                  access.range);
  copy.accesses.push_back(access.id);
  return std::nullopt;
}

/// A barrier in the region may be the one that shows a cell to other
/// work-items before or after it: none of them may touch the cells anywhere.
StepResult Privatizer::acrossBarriers(const Statement &barrier,
                                      std::set<unsigned> &touched,
                                      std::set<unsigned> &writtenArrays) const {
  std::vector<unsigned> everywhere;
  for (const Access &access : model.accesses) {
    if (access.array == array)
      everywhere.push_back(access.id);
    if (model.arrays[access.array].space == AddressSpace::Private)
      continue;
    touched.insert(access.array);
    if (access.isWrite)
      writtenArrays.insert(access.array);
  }
  if (!model.hasAtomics && !model.hasOrderedEffects &&
      haveOwnCells(model, everywhere))
    return std::nullopt;
  return refuse("clopt-barrier",
                "the region has barriers, across which work-items may share "
                "cells of '" +
                    model.arrays[array].name + "'",
                "", barrier.stmt ? barrier.stmt->range : SourceRange());
}

StepResult Privatizer::collect() {
  const ScheduleNode *region =
      loop ? findLoop(kernel.tree, *loop) : &kernel.tree;
  const Array &info = model.arrays[array];
  if (!region)
    return refuse("clopt-opaque-code",
                  "the loop is part of code that is kept as written");
  if (info.space == AddressSpace::Private || info.rank == 0)
    return refuse("clopt-not-profitable",
                  "'" + info.name + "' is a private variable");
  if (!hasWholeCells(info))
    return refuse("clopt-not-profitable",
                  "the cells of '" + info.name +
                      "' are not accessed as they are declared");
  if (const Statement *jump = findJump(model, *region))
    return refuse("clopt-non-affine-control",
                  "a work-item may leave the region early, depending on data",
                  "", jump->stmt->range);
  bool written = false;
  const Statement *barrier = nullptr;
  std::set<unsigned> touched, writtenArrays;
  for (unsigned index : statementsBelow(*region)) {
    const Statement &statement = model.statements[index];
    if (statement.isOpaque)
      return refuse(statement.isBarrier ? "clopt-barrier" : "clopt-opaque-code",
                    "the region has code that must see memory as it is", "",
                    statement.stmt ? statement.stmt->range : SourceRange());
    if (statement.isBarrier)
      barrier = &statement;
    for (unsigned id : statement.accesses) {
      const Access &access = model.accesses[id];
      touched.insert(access.array);
      if (access.isWrite)
        writtenArrays.insert(access.array);
      if (access.array != array || kernel.tileOf(id))
        continue;
      written |= access.isWrite;
      if (StepResult refusal = addAccess(access))
        return refusal;
    }
  }
  if (copy.accesses.empty())
    return nothingToKeep(kernel, array, *region);
  if (StepResult refusal = fitsOtherCopies(kernel, array, *region, false))
    return refusal;
  if (barrier)
    if (StepResult refusal = acrossBarriers(*barrier, touched, writtenArrays))
      return refusal;
  for (unsigned other : touched)
    if (other != array && (written || writtenArrays.count(other)))
      others.insert(other);
  const Statement &first =
      model.statements[model.accesses[copy.accesses.front()].statement];
  for (SymbolId id : first.coordinates) {
    if (loop && id == model.loops[*loop].iterator)
      break;
    if (!loop && model.symbols[id].kind == SymbolKind::Iterator)
      break;
    copy.coordinates.push_back(id);
  }
  outer = static_cast<unsigned>(copy.coordinates.size());
  copy.memory = ArrayTile::Memory::Registers;
  copy.inTree = true;
  copy.array = array;
  copy.loop = loop;
  return std::nullopt;
}

std::vector<unsigned> Privatizer::ofKind(bool writes, bool exactOnly) const {
  std::vector<unsigned> result;
  for (unsigned id : copy.accesses) {
    const Access &access = model.accesses[id];
    if (access.isWrite == writes && (access.isExact || !exactOnly))
      result.push_back(id);
  }
  return result;
}

StepResult Privatizer::checkWrites() const {
  std::vector<unsigned> writes = ofKind(true, false);
  std::vector<unsigned> certain = ofKind(true, true);
  if (writes.size() == certain.size())
    return std::nullopt;
  bool covered =
      !certain.empty() &&
      isl_map_is_subset(regionFootprint(model, writes, outer).get(),
                        regionFootprint(model, certain, outer).get()) ==
          isl_bool_true;
  if (covered)
    return std::nullopt;
  return refuse("clopt-non-affine-control",
                "'" + model.arrays[array].name +
                    "' is written under a condition that depends on data",
                "", model.accesses[writes.front()].range);
}

StepResult Privatizer::makeBox() {
  // { Region[w, outer] -> A[s] }
  isl::map cells = regionFootprint(model, copy.accesses, outer);
  const isl::fixed_box box = rangeBox(cells);
  Refusal tooBig = refuse("clopt-not-profitable",
                          "the cells of '" + model.arrays[array].name +
                              "' that one work-item uses are not few");
  if (isl_fixed_box_is_valid(box.get()) != isl_bool_true)
    return tooBig;
  isl::multi_aff offset = isl::manage(isl_fixed_box_get_offset(box.get()));
  isl::multi_val size = isl::manage(isl_fixed_box_get_size(box.get()));
  int dims = isl_multi_aff_dim(offset.get(), isl_dim_out);
  for (int d = 0; d < dims; ++d) {
    isl::aff aff = isl::manage(isl_multi_aff_get_aff(offset.get(), d));
    isl::val extent = isl::manage(isl_multi_val_get_val(size.get(), d));
    std::optional<Polynomial> base = toPolynomial(model, aff, copy.coordinates);
    if (!base || isl_val_cmp_si(extent.get(), maximumCells) > 0)
      return tooBig;
    copy.base.push_back(*base);
    copy.extents.push_back({isl_val_get_num_si(extent.get()), {}});
  }
  if (copy.cells(kernel) > maximumCells)
    return tooBig;
  return std::nullopt;
}

isl::set cellsOfCopy(const KernelModel &model, const ArrayTile &copy,
                     isl::map cells) {
  size_t outer = copy.coordinates.size();
  isl_set *flat = isl_set_flatten(isl_map_wrap(cells.release()));
  flat = isl_set_reset_tuple_id(flat);
  isl_space *space = isl_set_get_space(flat);
  isl_multi_aff *shift = isl_multi_aff_identity_on_domain_space(space);
  for (unsigned d = 0; d < copy.base.size(); ++d) {
    // s = cell + base: the preimage replaces s by that sum.
    int position = static_cast<int>(outer + d);
    isl_aff *aff = isl_multi_aff_get_aff(shift, position);
    for (const auto &[monomial, factor] : copy.base[d].terms) {
      int value = static_cast<int>(factor);
      if (monomial.empty()) {
        aff = isl_aff_add_constant_si(aff, value);
        continue;
      }
      auto coordinate = std::find(copy.coordinates.begin(),
                                  copy.coordinates.end(), monomial.front());
      if (coordinate != copy.coordinates.end())
        aff = isl_aff_add_coefficient_si(
            aff, isl_dim_in,
            static_cast<int>(coordinate - copy.coordinates.begin()), value);
      else
        aff = isl_aff_add_coefficient_si(
            aff, isl_dim_param,
            isl_aff_find_dim_by_name(
                aff, isl_dim_param,
                model.symbols.name(monomial.front()).c_str()),
            value);
    }
    shift = isl_multi_aff_set_aff(shift, position, aff);
  }
  isl_set *result = isl_set_preimage_multi_aff(flat, shift);
  return isl::manage(isl_set_coalesce(isl_set_set_tuple_name(result, "Copy")));
}

StepResult loadCells(const KernelModel &model, ArrayTile &copy,
                     const isl::map &exposed) {
  std::vector<unsigned> certain;
  for (unsigned id : copy.accesses)
    if (model.accesses[id].isExact)
      certain.push_back(id);
  const auto outer = static_cast<unsigned>(copy.coordinates.size());
  bool covered =
      !certain.empty() &&
      isl_map_is_subset(exposed.get(),
                        regionFootprint(model, certain, outer).get()) ==
          isl_bool_true;
  if (!covered)
    return refuse("clopt-non-affine-control",
                  "'" + model.arrays[copy.array].name +
                      "' is read under a condition that depends on data",
                  "", model.accesses[copy.accesses.front()].range);
  copy.inDomain = cellsOfCopy(model, copy, exposed);
  return std::nullopt;
}

StepResult Privatizer::findDirections() {
  isl::map exposed = upwardExposed(model, kernel.tree, copy.accesses, outer);
  copy.copyIn = isl_map_is_empty(exposed.get()) != isl_bool_true;
  if (copy.copyIn) {
    if (StepResult refusal = loadCells(model, copy, exposed))
      return refusal;
  }
  std::vector<unsigned> writes = ofKind(true, false);
  copy.copyOut = !writes.empty();
  if (copy.copyOut)
    copy.outDomain =
        cellsOfCopy(model, copy, regionFootprint(model, writes, outer));
  return std::nullopt;
}

static void insertCopies(TransformedKernel &kernel, unsigned index) {
  const ArrayTile &copy = kernel.tiles[index];
  std::vector<ScheduleNode> nodes;
  ScheduleNode *region =
      copy.loop ? findLoop(kernel.tree, *copy.loop) : &kernel.tree;
  if (copy.copyIn) {
    nodes.push_back(ScheduleNode::makeCopy(kernel.copies.size()));
    kernel.copies.push_back({index, true});
  }
  nodes.push_back(*region);
  if (copy.copyOut) {
    nodes.push_back(ScheduleNode::makeCopy(kernel.copies.size()));
    kernel.copies.push_back({index, false});
  }
  *region = ScheduleNode::sequence(std::move(nodes));
}

StepResult privatize(TransformedKernel &kernel, unsigned array,
                     std::optional<unsigned> loop, AliasMode alias) {
  Privatizer work(kernel, array, loop);
  if (StepResult refusal = work.collect())
    return refusal;
  if (StepResult refusal = work.checkWrites())
    return refusal;
  if (StepResult refusal = work.makeBox())
    return refusal;
  if (StepResult refusal = work.findDirections())
    return refusal;
  TransformedKernel trial = kernel;
  if (StepResult refusal = requireOwnCells(trial, array, work.others, alias))
    return refusal;
  trial.tiles.push_back(std::move(work.copy));
  insertCopies(trial, static_cast<unsigned>(trial.tiles.size() - 1));
  if (StepResult refusal = lanesFitRegisters(trial))
    return refusal;
  if (StepResult refusal = planesFitRegisters(trial))
    return refusal;
  kernel = std::move(trial);
  return std::nullopt;
}

} // namespace clopt
