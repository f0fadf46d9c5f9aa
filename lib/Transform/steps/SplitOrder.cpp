//===- SplitOrder.cpp - what stands around a shared loop ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-items that do one logical work-item together have private variables of
// their own, and the first of them alone changes memory. What the others read
// of it, in which order, and behind which barrier. SplitReduction.cpp has the
// whole.
//
// Tested by test/unit/SplitReductionTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Splitter.h"

#include "Analysis/dependence/Dependences.h"
#include "Analysis/dependence/TimeStamps.h"
#include "Support/DimCount.h"

#include <llvm/ADT/STLExtras.h>

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

/// Only the first work-item runs statements that change memory, so nothing else
/// may need the private values that they set.
StepResult Splitter::checkFlow(const std::vector<unsigned> &accesses) const {
  bool isSet = std::any_of(accesses.begin(), accesses.end(), [&](unsigned id) {
    const Access &access = model.accesses[id];
    return access.isWrite && isDoneOnce(result, access.statement);
  });
  if (!isSet)
    return std::nullopt;
  for (const auto &[flow, from, to] :
       statementFlows(model, valueFlow(model, result.tree, accesses))) {
    if (!isDoneOnce(result, from) || isDoneOnce(result, to))
      continue;
    const Array &array = model.arrays[model.accesses[accesses[0]].array];
    return refuse("clopt-dependence",
                  "the value of '" + array.name +
                      "' is set together with memory and used in other "
                      "statements",
                  "", model.statements[from].stmt->range);
  }
  return std::nullopt;
}

StepResult Splitter::checkPrivates() const {
  std::map<unsigned, std::vector<unsigned>> byArray;
  for (const Access &access : model.accesses)
    if (model.arrays[access.array].space == AddressSpace::Private)
      byArray[access.array].push_back(access.id);
  for (const auto &[array, accesses] : byArray)
    if (StepResult refusal = checkFlow(accesses))
      return refusal;
  for (const ArrayTile &copy : result.registers())
    if (StepResult refusal = checkFlow(copy.accesses))
      return refusal;
  return std::nullopt;
}

/// { [w...] } the work-items with some of the instances { S[w..., i...] }.
static isl::set itemsOf(const isl::set &instances, unsigned work) {
  isl_set *set = instances.copy();
  unsigned all = dimCount(isl_set_dim(set, isl_dim_set));
  set = isl_set_project_out(set, isl_dim_set, work, all - work);
  return isl::manage(isl_set_reset_tuple_id(set));
}

static isl::set itemsOf(const KernelModel &model, unsigned statement) {
  const Statement &of = model.statements[statement];
  return itemsOf(of.domain, workDimensions(model, of));
}

void Splitter::findPlaces(const ScheduleNode &at, bool inLoop) {
  if (at.kind == ScheduleNode::Kind::Copy) {
    copyPlaces[at.copy] = {phase, inLoop};
    return;
  }
  bool isShared = false;
  if (at.kind == ScheduleNode::Kind::Leaf) {
    places[at.statement] = {phase, inLoop};
    isShared = cooperativeReductionOf(result, at.statement) != nullptr;
  } else if (at.kind == ScheduleNode::Kind::Loop) {
    isShared = findCooperativeReduction(result, at.loop) != nullptr;
    // A loop that need not run at all separates nothing.
    inLoop |= !isShared && hasShared(at);
  }
  for (const ScheduleNode &child : at.children)
    findPlaces(child, inLoop);
  if (!isShared || inLoop)
    return;
  const std::vector<unsigned> below = statementsBelow(at);
  isl::set items = itemsOf(model, below[0]);
  for (unsigned statement : llvm::drop_begin(below))
    items = items.unite(itemsOf(model, statement));
  endsOfPhases.push_back(items);
  ++phase;
}

void Splitter::addReferences(std::vector<Reference> &writes,
                             std::vector<Reference> &reads) const {
  for (const auto &[statement, place] : places)
    for (unsigned id : model.statements[statement].accesses) {
      const Access &access = model.accesses[id];
      if (result.registersOf(id) ||
          model.arrays[access.array].space == AddressSpace::Private)
        continue;
      if (access.isWrite)
        writes.push_back({access.array, &access, place,
                          itemsOf(model, statement), sharedAround(statement)});
      else if (!isDoneOnce(result, statement))
        reads.push_back({access.array, &access, place,
                         itemsOf(model, statement), sharedAround(statement)});
    }
  for (const auto &[index, place] : copyPlaces) {
    const CopyStatement &copy = result.copies[index];
    const ArrayTile &tile = result.tiles[copy.tile];
    if (copy.isShift)
      continue;
    (copy.isIn || copy.isFill ? reads : writes)
        .push_back({tile.array,
                    nullptr,
                    place,
                    itemsOf(copiedCells(tile, copy),
                            workDimensions(model, model.statements.front())),
                    {}});
  }
}

std::optional<size_t> Splitter::sharedAround(unsigned statement) const {
  const std::vector<unsigned> &loops = model.statements[statement].loops;
  for (size_t i = 0; i < result.cooperativeReductions.size(); ++i) {
    const CooperativeReduction &each = result.cooperativeReductions[i];
    bool isIn = each.loop ? llvm::is_contained(loops, *each.loop)
                          : each.statement == statement;
    if (isIn)
      return i;
  }
  return std::nullopt;
}

/// True for what isl prints in one place: no disjunction.
static bool isOnePiece(const isl::set &items) {
  isl::set whole = items.coalesce();
  return dimCount(isl_set_n_basic_set(whole.get())) == 1;
}

/// True when a shared loop is printed between the two: every work-item that
/// gets to both gets to it, too, or its work-items are some of theirs, so that
/// isl keeps the order. What disjoint work-items do it prints in any order.
bool Splitter::isBarrierBetween(const Reference &write,
                                const Reference &read) const {
  isl::set known = isl::set::universe(write.items.get_space())
                       .intersect_params(model.paramContext);
  for (unsigned index : result.usedAssumptions)
    known = known.intersect_params(model.assumptions[index].condition);
  const isl::set writing = write.items.intersect(known),
                 reading = read.items.intersect(known);
  const bool arePieces = isOnePiece(writing) && isOnePiece(reading);
  const auto [first, last] = std::minmax(write.place.phase, read.place.phase);
  for (unsigned end = first; end < last; ++end) {
    const isl::set &items = endsOfPhases[end];
    if (writing.intersect(reading).is_subset(items) ||
        (arePieces && !items.is_disjoint(writing) &&
         !items.is_disjoint(reading)))
      return true;
  }
  return false;
}

/// Nothing when a barrier stands between the two, or they never meet.
StepResult Splitter::checkPair(const Reference &write, const Reference &read) {
  if (areDisjoint(model, write.array, read.array))
    return std::nullopt;
  // A shared loop has barriers before and behind what it writes, and its
  // iterations are looked at by themselves.
  if (write.sharedBy)
    return std::nullopt;
  // Within a loop around shared ones the write may come first, too.
  bool inLoop = write.place.inLoop && read.place.inLoop;
  if (!inLoop && isBarrierBetween(write, read)) {
    result.ordersMemory = true;
    return std::nullopt;
  }
  if (write.array == read.array && !checkCells(write, read))
    return std::nullopt;
  if (read.sharedBy) {
    result.cooperativeReductions[*read.sharedBy].waits = true;
    result.ordersMemory = true;
    return std::nullopt;
  }
  StepResult refusal =
      write.array != read.array
          ? requireDisjoint(result, write.array, read.array, alias)
          : checkCells(write, read);
  bool canWait =
      read.access && model.statements[read.access->statement].loops.empty();
  if (!refusal || !canWait)
    return refusal;
  result.fencedStatements.insert(read.access->statement);
  result.ordersMemory = true;
  return std::nullopt;
}

/// Whether one work-item never writes and reads the same cell.
StepResult Splitter::checkCells(const Reference &write, const Reference &read) {
  if (write.access && read.access) {
    const unsigned work =
        workDimensions(model, model.statements[write.access->statement]);
    const isl::map both = meetings(model, *write.access, *read.access, work);
    if (both.is_empty()) {
      useSubscripts(result, {write.array});
      return std::nullopt;
    }
  }
  const SourceRange range = write.access ? write.access->range : SourceRange();
  return refuse("clopt-dependence",
                "'" + model.arrays[write.array].name +
                    "' is written by one of the work-items and read by the "
                    "others",
                "", range);
}

/// Whether a shared loop changes memory, and something besides it uses memory.
bool Splitter::ordersWrites() const {
  for (unsigned s = 0; s < model.statements.size(); ++s)
    for (unsigned id : model.statements[s].accesses)
      if (model.arrays[model.accesses[id].array].space !=
              AddressSpace::Private &&
          llvm::any_of(result.cooperativeReductions,
                       [&](const CooperativeReduction &each) {
                         return each.writes &&
                                (!isInside(model, s, each) ||
                                 !model.loops[*each.loop].outer.empty());
                       }))
        return true;
  return false;
}

StepResult Splitter::checkOrder() {
  result.ordersMemory |= ordersWrites();
  findPlaces(result.tree, false);
  std::vector<Reference> writes, reads;
  addReferences(writes, reads);
  for (const Reference &write : writes)
    for (const Reference &read : reads)
      if (StepResult refusal = checkPair(write, read))
        return refusal;
  return std::nullopt;
}

} // namespace clopt
