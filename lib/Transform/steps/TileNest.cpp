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

#include "Transform/tree/StripMine.h"

#include <cstdlib>

#include <cstdlib>

namespace clopt {

StepResult tileNest(TransformedKernel &kernel,
                    const std::vector<std::pair<unsigned, unsigned>> &loops,
                    AliasMode alias) {
  /// Larger tiles fit no cache; iterators stay within int, a tile further on.
  static constexpr unsigned maximumTile = 2048;
  TransformedKernel trial = kernel;
  if (!trial.sections().empty())
    return refuse("clopt-dependence",
                  "arrays are staged for the loops as they "
                  "are",
                  "tile first");
  std::vector<unsigned> points; // loops over the iterations of a tile
  for (const auto &[loop, count] : loops) {
    const int64_t most =
        maximumTile / std::llabs(trial.model->loops[loop].step);
    if (count < 2 || count > most)
      return refuse("clopt-step-value",
                    "a tile has 2 to " + std::to_string(most) + " elements");
    unsigned tiles;
    if (StepResult refusal = stripMine(trial, loop, count, tiles))
      return refusal;
    for (size_t i = points.size(); i-- > 0;)
      if (StepResult refusal = interchangeLoops(trial, points[i], tiles, alias))
        return refusal;
    points.push_back(loop);
  }
  kernel = std::move(trial);
  return std::nullopt;
}

} // namespace clopt
