//===- OuterLoop.cpp - one more loop around a loop ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/TileNestTest.cpp and PeelTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/tree/OuterLoop.h"

#include "Transform/StepNames.h"
#include "Transform/tree/Coordinates.h"

#include <isl/set.h>

#include <algorithm>

namespace clopt {

StepResult checkOuterLoop(const TransformedKernel &kernel, unsigned loop) {
  const KernelModel &model = *kernel.model;
  const Loop &info = model.loops[loop];
  std::string name = "the loop '" + info.name + "' ";
  if (!findLoop(kernel.tree, loop))
    return refuse("clopt-opaque-code",
                  name + "is part of code that is kept as written");
  if (info.var && info.var->type.size > 4)
    return refuse("clopt-not-profitable", name + "counts in more than 32 bits",
                  "count in int");
  for (const ArrayTile &copy : kernel.registers())
    if (copy.window && llvm::is_contained(copy.coordinates, info.iterator))
      return refuse("clopt-dependence",
                    "cells of '" + model.arrays[copy.array].name +
                        "' are passed on from one iteration to the next in " +
                        name);
  for (const ArrayTile &tile : kernel.sections())
    if (tile.loop == loop || std::any_of(tile.nest.begin(), tile.nest.end(),
                                         [&](const TileRange &range) {
                                           return range.iterator ==
                                                  info.iterator;
                                         }))
      return refuse("clopt-dependence", "'" + model.arrays[tile.array].name +
                                            "' is staged for the tiles of " +
                                            name);
  return std::nullopt;
}

isl::set whereAtLeastZero(const KernelModel &model, const isl::space &space,
                          const std::vector<SymbolId> &coordinates,
                          const Polynomial &poly) {
  Condition condition;
  condition.kind = Condition::Kind::NonNegative;
  condition.poly = poly;
  return *toSet(model, space, coordinates, condition);
}

/// The new loop in the model, around the other.
static unsigned addLoop(KernelModel &model, unsigned loop,
                        const OuterLoop &what) {
  const Loop info = model.loops[loop];
  Symbol symbol = model.symbols[info.iterator];
  symbol.name = info.name + what.suffix;
  symbol.var = nullptr;
  Loop added;
  added.iterator = model.symbols.add(symbol);
  added.stmt = info.stmt;
  added.name = model.symbols.name(added.iterator);
  added.first = what.first;
  added.step = what.step;
  added.outer = info.outer;
  const auto index = static_cast<unsigned>(model.loops.size());
  for (Loop &other : model.loops) {
    auto around = std::find(other.outer.begin(), other.outer.end(), loop);
    if (around != other.outer.end())
      other.outer.insert(around, index);
  }
  model.loops[loop].outer.push_back(index);
  model.loops[loop].first = what.innerFirst(model, added.iterator);
  model.loops.push_back(added);
  return index;
}

/// The registers that are loaded or stored in an iteration of the loop are so
/// in the one of the new loop that has it.
static void addCoordinate(const KernelModel &model, ArrayTile &copy,
                          SymbolId inner, SymbolId outer,
                          const OuterLoop &what) {
  std::vector<SymbolId> coordinates = copy.coordinates;
  auto own = std::find(coordinates.begin(), coordinates.end(), inner);
  if (own == coordinates.end())
    return;
  coordinates.insert(own, outer);
  changeCoordinates(model, copy, coordinates);
  // { [w..., outer..., piece, k, ...] }
  const isl::set where = what.where(
      model, statementSpace(model, "", coordinates), coordinates, outer);
  for (std::optional<isl::set> *domain : {&copy.inDomain, &copy.outDomain})
    if (*domain)
      *domain = restrictTo(**domain, where);
}

unsigned addOuterLoop(TransformedKernel &kernel, unsigned loop,
                      const OuterLoop &what) {
  auto model = std::make_shared<KernelModel>(*kernel.model);
  const unsigned added = addLoop(*model, loop, what);
  const SymbolId inner = model->loops[loop].iterator;
  const SymbolId outer = model->loops[added].iterator;
  for (Statement &statement : model->statements) {
    std::vector<SymbolId> coordinates = statement.coordinates;
    auto own = std::find(coordinates.begin(), coordinates.end(), inner);
    if (own == coordinates.end())
      continue;
    coordinates.insert(own, outer);
    changeCoordinates(*model, statement, coordinates);
    // { S[..., piece, k, ...] }
    isl::space space = isl::manage(isl_set_get_space(statement.domain.get()));
    isl::set where = what.where(*model, space, coordinates, outer);
    statement.domain = isl::manage(
        isl_set_coalesce(statement.domain.intersect(where).release()));
    statement.loops.insert(
        std::find(statement.loops.begin(), statement.loops.end(), loop), added);
  }
  ScheduleNode &node = *findLoop(kernel.tree, loop);
  node = ScheduleNode::makeLoop(added, ScheduleNode(node));
  for (ArrayTile &copy : kernel.tiles) {
    addCoordinate(*model, copy, inner, outer, what);
    if (copy.inTree && copy.loop == loop)
      copy.loop = added;
  }
  kernel.ownModel = model;
  kernel.model = model.get();
  return added;
}

} // namespace clopt
