//===- StripMine.cpp - one loop as two, and how a loop runs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/StripMineTest.cpp and TileNestTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/tree/StripMine.h"

#include "Transform/tree/OuterLoop.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <cstdlib>

namespace clopt {

namespace {

/// Cuts one loop into one over tiles and one over the iterations of a tile.
class LoopCutter {
public:
  LoopCutter(const KernelModel &model, unsigned loopIndex, unsigned iterations)
      : loop(loopIndex), count(iterations), info(model.loops[loopIndex]),
        origin(findOrigin(model)) {}

  unsigned cut(TransformedKernel &kernel) const;
  /// True when the tiles begin where iterations may be: `for (k = lx; k < n;
  /// k += 4)` has others in each work-item.
  bool meetsIterations() const;

private:
  Polynomial findOrigin(const KernelModel &model) const;
  isl::set sameTile(const KernelModel &model, const isl::space &space,
                    const std::vector<SymbolId> &coordinates,
                    SymbolId tile) const;

  unsigned loop, count;
  const Loop info;
  const Polynomial origin; ///< where a tile begins
};

} // namespace

/// Tiles begin at multiples of their size, counted from the first iteration if
/// that is the same for all, or for all within the same tile of the loop.
Polynomial LoopCutter::findOrigin(const KernelModel &model) const {
  auto isFixed = [&](SymbolId id) {
    return isParameter(model.symbols[id]) ||
           std::any_of(info.outer.begin(), info.outer.end(),
                       [&](unsigned outer) {
                         return model.loops[outer].iterator == id &&
                                pointLoop(model, outer) == loop;
                       });
  };
  const std::vector<SymbolId> symbols = info.first.symbols();
  return info.first.isAffine() &&
                 std::all_of(symbols.begin(), symbols.end(), isFixed)
             ? info.first
             : Polynomial(0);
}

bool LoopCutter::meetsIterations() const {
  const Polynomial distance = info.first - origin;
  return std::all_of(
      distance.terms.begin(), distance.terms.end(),
      [&](const auto &term) { return term.second % info.step == 0; });
}

/// { [..., t, k, ...] : k is in the tile that begins at t }
isl::set LoopCutter::sameTile(const KernelModel &model, const isl::space &space,
                              const std::vector<SymbolId> &coordinates,
                              SymbolId tile) const {
  Polynomial first = Polynomial::symbol(tile);
  Polynomial distance = Polynomial::symbol(info.iterator) - first;
  int64_t size = count * std::llabs(info.step);
  if (info.step < 0)
    distance = -distance;
  isl::pw_aff rest = *toPwAff(model, space, coordinates, first - origin);
  isl::set aligned = isl::manage(isl_pw_aff_zero_set(isl_pw_aff_mod_val(
      rest.release(), isl_val_int_from_si(model.context.get(), size))));
  return whereAtLeastZero(model, space, coordinates, distance)
      .intersect(whereAtLeastZero(model, space, coordinates,
                                  Polynomial(size - 1) - distance))
      .intersect(aligned);
}

unsigned LoopCutter::cut(TransformedKernel &kernel) const {
  OuterLoop added;
  added.suffix = "_tile";
  added.first = origin;
  added.step = info.step * static_cast<int64_t>(count);
  added.innerFirst = [](KernelModel &, SymbolId tile) {
    return Polynomial::symbol(tile);
  };
  added.where = [this](const KernelModel &model, const isl::space &space,
                       const std::vector<SymbolId> &coordinates,
                       SymbolId tile) {
    return sameTile(model, space, coordinates, tile);
  };
  return addOuterLoop(kernel, loop, added);
}

StepResult stripMine(TransformedKernel &kernel, unsigned loop, unsigned count,
                     unsigned &tiles) {
  if (StepResult refusal = checkOuterLoop(kernel, loop))
    return refusal;
  const LoopCutter cutter(*kernel.model, loop, count);
  if (!cutter.meetsIterations())
    return refuse("clopt-non-affine-control",
                  "work-items run other iterations of '" +
                      kernel.model->loops[loop].name + "'");
  tiles = cutter.cut(kernel);
  return std::nullopt;
}

//===-- Roles -------------------------------------------------------------===//

LoopRole takeRole(TransformedKernel &kernel, unsigned loop) {
  ScheduleNode *node = findLoop(kernel.tree, loop);
  if (!node)
    return {};
  const LoopRole role = {node->tile, node->lanes, node->unroll};
  node->tile = 0;
  node->lanes = node->unroll = 1;
  llvm::erase_if(kernel.partials, [&](const ReductionAccumulator &partial) {
    return partial.loop == loop;
  });
  llvm::erase_if(kernel.orderedStatements, [&](const OrderedStatement &each) {
    return each.loop == loop;
  });
  return role;
}

StepResult giveRole(TransformedKernel &kernel, unsigned loop,
                    const LoopRole &role, AliasMode alias) {
  if (role.tile)
    if (StepResult refusal = tileLoop(kernel, loop, role.tile))
      return refusal;
  if (role.lanes > 1)
    if (StepResult refusal = vectorizeLoop(kernel, loop, role.lanes, alias))
      return refusal;
  return role.unroll == 1 ? std::nullopt : unroll(kernel, loop, role.unroll);
}

LoopRoles::LoopRoles(TransformedKernel &kernel, std::vector<unsigned> loops) {
  if (const ScheduleNode *vectors = vectorLoop(kernel.tree))
    if (!llvm::is_contained(loops, vectors->loop))
      loops.push_back(vectors->loop);
  for (unsigned loop : loops)
    roles.emplace_back(loop, takeRole(kernel, loop));
}

StepResult LoopRoles::giveBack(TransformedKernel &kernel,
                               AliasMode alias) const {
  for (const auto &[loop, role] : roles)
    if (StepResult refusal = giveRole(kernel, loop, role, alias))
      return refusal;
  return std::nullopt;
}

void LoopRoles::join(unsigned first, unsigned second) {
  auto of = [&](unsigned loop) {
    return std::find_if(roles.begin(), roles.end(),
                        [&](const auto &own) { return own.first == loop; });
  };
  LoopRole &one = of(first)->second;
  const LoopRole other = of(second)->second;
  roles.erase(of(second));
  one.tile = one.tile ? one.tile : other.tile;
  one.lanes = std::max(one.lanes, other.lanes);
  one.unroll = one.unroll != 1 ? one.unroll : other.unroll;
}

} // namespace clopt
