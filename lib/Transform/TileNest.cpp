//===- TileNest.cpp - tiles of several nested loops -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `tile i:16 j:32` of two loops, one inside the other, runs them in
// blocks of 16 by 32 iterations:
//
//   for (i_tile...) for (j_tile...)
//     for (i = i_tile; i < min(n, i_tile + 16); i++)
//       for (j = j_tile; j < min(m, j_tile + 32); j++) ...
//
// Each loop is first cut into two, which keeps the order of its iterations:
// the one over tiles is a loop of the kernel's own model, with a coordinate of
// its own. Then every loop over tiles moves out past the loops over iterations
// around it (Interchange.cpp), one by one; that asks of all dependences what
// permutable bands ask, and takes in what stands between the loops. Bounds
// come from isl: tiles at borders, of triangles and of bands are smaller.
//
// Reference: Wolf and Lam, A data locality optimizing algorithm, PLDI 1991.
//
// Tested by test/unit/TileNestTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Steps.h"

#include "Transform/Coordinates.h"

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
  LoopCutter(const TransformedKernel &transformed, unsigned loopIndex,
             unsigned iterations)
      : result(transformed), kernel(transformed), old(*transformed.model),
        loop(loopIndex), count(iterations), info(old.loops[loopIndex]) {}

  StepResult check(unsigned limit) const;
  void build();
  TransformedKernel result;
  unsigned tiles = 0; ///< the new loop

private:
  Polynomial origin() const;
  isl::set sameTile(const isl::space &space,
                    const std::vector<SymbolId> &coordinates) const;
  void cut(Statement &statement) const;
  void addLoop();

  const TransformedKernel &kernel;
  const KernelModel &old;
  unsigned loop, count;
  const Loop &info;
  std::shared_ptr<KernelModel> model; ///< the new one
};

} // namespace

StepResult LoopCutter::check(unsigned limit) const {
  const ScheduleNode *node = findLoop(kernel.tree, loop);
  std::string name = "the loop '" + info.name + "' ";
  if (!node)
    return refuse("clopt-opaque-code", name + "is not in the schedule");
  int64_t most = limit / std::llabs(info.step);
  if (count < 2 || count > most)
    return refuse("clopt-not-profitable",
                  "a tile has 2 to " + std::to_string(most) + " elements");
  if (node->lanes > 1 || node->unroll != 1 || node->tile)
    return refuse("clopt-dependence",
                  name + "is " +
                      (node->tile        ? "tiled"
                       : node->lanes > 1 ? "vectorized"
                                         : "unrolled") +
                      " already",
                  "tile first");
  if (info.var && info.var->type.size > 4)
    return refuse("clopt-not-profitable", name + "counts in more than 32 bits",
                  "count in int");
  for (const PrivateCopy &copy : kernel.privates)
    if (std::find(copy.coordinates.begin(), copy.coordinates.end(),
                  info.iterator) != copy.coordinates.end())
      return refuse("clopt-dependence",
                    "'" + old.arrays[copy.array].name +
                        "' is kept in registers in " + name,
                    "privatize afterwards");
  return std::nullopt;
}

/// Tiles begin at multiples of their size, counted from the first iteration if
/// that is the same for all.
Polynomial LoopCutter::origin() const {
  std::vector<SymbolId> symbols = info.first.symbols();
  bool isFixed = info.first.isAffine() &&
                 std::all_of(symbols.begin(), symbols.end(), [&](SymbolId id) {
                   return isParameter(old.symbols[id]);
                 });
  return isFixed ? info.first : Polynomial(0);
}

/// { [..., t, k, ...] : k is in the tile that begins at t }
isl::set LoopCutter::sameTile(const isl::space &space,
                              const std::vector<SymbolId> &coordinates) const {
  Polynomial first = Polynomial::symbol(model->loops[tiles].iterator);
  Polynomial distance = Polynomial::symbol(info.iterator) - first;
  int64_t size = count * std::llabs(info.step);
  if (info.step < 0)
    distance = -distance;
  auto atLeastZero = [&](const Polynomial &poly) {
    Condition condition;
    condition.kind = Condition::Kind::NonNegative;
    condition.poly = poly;
    return *toSet(*model, space, coordinates, condition);
  };
  isl::pw_aff rest = *toPwAff(*model, space, coordinates, first - origin());
  isl::set aligned = isl::manage(isl_pw_aff_zero_set(isl_pw_aff_mod_val(
      rest.release(), isl_val_int_from_si(model->context.get(), size))));
  return atLeastZero(distance)
      .intersect(atLeastZero(Polynomial(size - 1) - distance))
      .intersect(aligned);
}

void LoopCutter::cut(Statement &statement) const {
  std::vector<SymbolId> coordinates = statement.coordinates;
  auto own = std::find(coordinates.begin(), coordinates.end(), info.iterator);
  if (own == coordinates.end())
    return;
  coordinates.insert(own, model->loops[tiles].iterator);
  changeCoordinates(*model, statement, coordinates);
  isl::space space = isl::manage(isl_set_get_space(statement.domain.get()));
  statement.domain = isl::manage(isl_set_coalesce(
      statement.domain.intersect(sameTile(space, coordinates)).release()));
  statement.loops.insert(
      std::find(statement.loops.begin(), statement.loops.end(), loop), tiles);
}

void LoopCutter::addLoop() {
  Symbol symbol = old.symbols[info.iterator];
  symbol.name = info.name + "_tile";
  symbol.var = nullptr;
  Loop added;
  added.iterator = model->symbols.add(symbol);
  added.stmt = info.stmt;
  added.name = model->symbols.name(added.iterator);
  added.first = origin();
  added.step = info.step * static_cast<int64_t>(count);
  added.outer = info.outer;
  tiles = static_cast<unsigned>(model->loops.size());
  for (Loop &other : model->loops) {
    auto around = std::find(other.outer.begin(), other.outer.end(), loop);
    if (around != other.outer.end())
      other.outer.insert(around, tiles);
  }
  model->loops[loop].outer.push_back(tiles);
  model->loops[loop].first = Polynomial::symbol(added.iterator);
  model->loops.push_back(added);
}

void LoopCutter::build() {
  model = std::make_shared<KernelModel>(old);
  addLoop();
  for (Statement &statement : model->statements)
    cut(statement);
  ScheduleNode &node = *findLoop(result.tree, loop);
  node = ScheduleNode::makeLoop(tiles, ScheduleNode(node));
  for (PrivateCopy &copy : result.privates)
    if (copy.loop == loop)
      copy.loop = tiles;
  result.ownModel = model;
  result.model = model.get();
}

StepResult tileNest(TransformedKernel &kernel,
                    const std::vector<std::pair<unsigned, unsigned>> &loops,
                    AliasMode alias) {
  /// Larger tiles fit no cache; iterators stay within int, a tile further on.
  static constexpr unsigned maximumTile = 2048;
  TransformedKernel trial = kernel;
  if (!trial.tiles.empty())
    return refuse("clopt-dependence",
                  "arrays are staged for the loops as they "
                  "are",
                  "tile first");
  std::vector<unsigned> points; // loops over the iterations of a tile
  for (const auto &[loop, count] : loops) {
    LoopCutter cutter(trial, loop, count);
    if (StepResult refusal = cutter.check(maximumTile))
      return refusal;
    cutter.build();
    trial = std::move(cutter.result);
    for (size_t i = points.size(); i-- > 0;)
      if (StepResult refusal =
              interchangeLoops(trial, points[i], cutter.tiles, alias))
        return refusal;
    points.push_back(loop);
  }
  kernel = std::move(trial);
  return std::nullopt;
}

} // namespace clopt
