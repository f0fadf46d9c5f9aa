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
  LoopCutter(const TransformedKernel &transformed, unsigned loopIndex,
             unsigned iterations)
      : result(transformed), loop(loopIndex), count(iterations),
        info(transformed.model->loops[loopIndex]) {}

  StepResult check(unsigned limit) const;
  void build();
  TransformedKernel result;
  unsigned tiles = 0; ///< the new loop

private:
  Polynomial origin() const;
  isl::set sameTile(const KernelModel &model, const isl::space &space,
                    const std::vector<SymbolId> &coordinates,
                    SymbolId tile) const;

  unsigned loop, count;
  const Loop info;
};

} // namespace

StepResult LoopCutter::check(unsigned limit) const {
  int64_t most = limit / std::llabs(info.step);
  if (findLoop(result.tree, loop) && (count < 2 || count > most))
    return refuse("clopt-not-profitable",
                  "a tile has 2 to " + std::to_string(most) + " elements");
  return checkOuterLoop(result, loop, "tile");
}

/// Tiles begin at multiples of their size, counted from the first iteration if
/// that is the same for all.
Polynomial LoopCutter::origin() const {
  std::vector<SymbolId> symbols = info.first.symbols();
  bool isFixed = info.first.isAffine() &&
                 std::all_of(symbols.begin(), symbols.end(), [&](SymbolId id) {
                   return isParameter(result.model->symbols[id]);
                 });
  return isFixed ? info.first : Polynomial(0);
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
  isl::pw_aff rest = *toPwAff(model, space, coordinates, first - origin());
  isl::set aligned = isl::manage(isl_pw_aff_zero_set(isl_pw_aff_mod_val(
      rest.release(), isl_val_int_from_si(model.context.get(), size))));
  return whereAtLeastZero(model, space, coordinates, distance)
      .intersect(whereAtLeastZero(model, space, coordinates,
                                  Polynomial(size - 1) - distance))
      .intersect(aligned);
}

void LoopCutter::build() {
  OuterLoop added;
  added.suffix = "_tile";
  added.first = origin();
  added.step = info.step * static_cast<int64_t>(count);
  added.innerFirst = [](KernelModel &, SymbolId tile) {
    return Polynomial::symbol(tile);
  };
  added.where = [this](const KernelModel &model, const isl::space &space,
                       const std::vector<SymbolId> &coordinates,
                       SymbolId tile) {
    return sameTile(model, space, coordinates, tile);
  };
  tiles = addOuterLoop(result, loop, added);
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
