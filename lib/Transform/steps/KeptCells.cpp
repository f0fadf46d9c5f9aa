//===- KeptCells.cpp - which accesses go to memory ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/KeptCellsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/KeptCells.h"

#include "Analysis/access/CellPart.h"

#include <algorithm>

namespace clopt {

Refusal nothingToKeep(const TransformedKernel &kernel, unsigned array,
                      const ScheduleNode &region) {
  const KernelModel &model = *kernel.model;
  const std::vector<unsigned> below = statementsBelow(region);
  const bool isUsed = std::any_of(
      model.accesses.begin(), model.accesses.end(), [&](const Access &access) {
        return access.array == array &&
               llvm::is_contained(below, access.statement);
      });
  const std::string &name = model.arrays[array].name;
  return refuse("clopt-not-profitable",
                isUsed ? "no access to '" + name + "' goes to memory there"
                       : "'" + name + "' is not used there");
}

/// The statements during which the copy may hold what memory does not: those of
/// its region. Hoisted cells are those of memory at any time.
static std::vector<unsigned> statementsOf(const TransformedKernel &kernel,
                                          const ArrayTile &tile) {
  std::vector<unsigned> statements;
  if (tile.isHoisted)
    for (unsigned access : tile.accesses)
      statements.push_back(kernel.model->accesses[access].statement);
  else if (const ScheduleNode *region =
               tile.loop ? findLoop(kernel.tree, *tile.loop) : &kernel.tree)
    statements = statementsBelow(*region);
  return statements;
}

StepResult fitsOtherCopies(const TransformedKernel &kernel, unsigned array,
                           const ScheduleNode &region, bool byGroup) {
  const KernelModel &model = *kernel.model;
  const std::vector<unsigned> own = statementsBelow(region);
  auto conflict = [&](const std::vector<unsigned> &other,
                      bool isOtherByGroup) -> const Access * {
    const bool everywhere = byGroup || isOtherByGroup;
    const bool meets =
        std::any_of(other.begin(), other.end(), [&](unsigned statement) {
          return llvm::is_contained(own, statement);
        });
    if (!meets && !everywhere)
      return nullptr;
    for (const Access &access : model.accesses)
      if (access.array == array && access.isWrite &&
          (everywhere || llvm::is_contained(own, access.statement) ||
           llvm::is_contained(other, access.statement)))
        return &access;
    return nullptr;
  };
  const Access *write = nullptr;
  for (const ArrayTile &tile : kernel.tiles)
    if (tile.array == array && !write)
      write = conflict(statementsOf(kernel, tile), !tile.isPrivate());
  if (!write)
    return std::nullopt;
  return refuse("clopt-dependence",
                "'" + model.arrays[array].name +
                    "' is written, and other accesses to it have a copy of "
                    "its cells",
                "", write->range);
}

/// True when some access is to a part of a cell, `p[i].mass`: copies are of
/// whole cells, and so read what no work-item asked for.
static bool takesParts(const KernelModel &model, unsigned array) {
  return std::any_of(model.accesses.begin(), model.accesses.end(),
                     [&](const Access &access) {
                       if (access.array != array || !access.expr)
                         return false;
                       std::optional<CellPart> part = partOfCell(*access.expr);
                       return !part || !part->text.empty();
                     });
}

StepResult requireOwnCells(TransformedKernel &kernel, unsigned array,
                           std::set<unsigned> others, AliasMode alias) {
  // Where another array begins within a cell, other work-items may write the
  // rest of it.
  if (takesParts(*kernel.model, array))
    for (unsigned other : writtenArrays(*kernel.model))
      if (other != array &&
          kernel.model->arrays[other].space != AddressSpace::Private)
        others.insert(other);
  for (unsigned other : others)
    if (StepResult refusal = requireDisjoint(kernel, array, other, alias))
      return refusal;
  useSubscripts(kernel, {array});
  return std::nullopt;
}

} // namespace clopt
