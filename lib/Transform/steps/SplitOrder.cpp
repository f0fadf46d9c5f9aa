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
  if (isShared && !inLoop)
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
        writes.push_back({access.array, &access, place, {}});
      else if (!isDoneOnce(result, statement))
        reads.push_back(
            {access.array, &access, place, sharedAround(statement)});
    }
  for (const auto &[index, place] : copyPlaces) {
    const CopyStatement &copy = result.copies[index];
    unsigned array = result.tiles[copy.tile].array;
    if (copy.isShift)
      continue;
    (copy.isIn || copy.isFill ? reads : writes)
        .push_back({array, nullptr, place, {}});
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

/// Nothing when a barrier stands between the two, or they never meet.
StepResult Splitter::checkPair(const Reference &write, const Reference &read) {
  if (areDisjoint(model, write.array, read.array))
    return std::nullopt;
  // Within a loop around shared ones the write may come first, too.
  bool inLoop = write.place.inLoop && read.place.inLoop;
  if (write.place.phase != read.place.phase && !inLoop) {
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
StepResult Splitter::checkCells(const Reference &write,
                                const Reference &read) const {
  if (write.access && read.access) {
    const Statement &s = model.statements[write.access->statement];
    const Statement &t = model.statements[read.access->statement];
    // { S[w, i] -> T[w, j] : same cell }
    isl_map *both = isl_map_apply_range(
        isl_map_intersect_domain(write.access->relation.copy(),
                                 s.domain.copy()),
        isl_map_reverse(isl_map_intersect_domain(read.access->relation.copy(),
                                                 t.domain.copy())));
    for (unsigned c = 0; c < workCount(model, s); ++c)
      both = isl_map_equate(both, isl_dim_in, c, isl_dim_out, c);
    bool never = isl_map_is_empty(both) == isl_bool_true;
    isl_map_free(both);
    if (never)
      return std::nullopt;
  }
  const SourceRange range = write.access ? write.access->range : SourceRange();
  return refuse("clopt-dependence",
                "'" + model.arrays[write.array].name +
                    "' is written by one of the work-items and read by the "
                    "others",
                "", range);
}

StepResult Splitter::checkOrder() {
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
