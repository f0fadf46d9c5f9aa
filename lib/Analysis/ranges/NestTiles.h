//===- NestTiles.h - tiles of nested loops that are whole -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A section of an array can be kept during one tile of nested loops where the
// tile runs all the iterations that the section was made for.
//
// Tested by test/unit/StageNestTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_NESTTILES_H
#define CLOPT_ANALYSIS_NESTTILES_H

#include "Model/TransformedKernel.h"

#include <optional>
#include <vector>

namespace clopt {

/// The loop over tiles that `points`, a loop over the iterations of one, runs
/// in; nothing for other loops.
std::optional<unsigned> tilesOfPoints(const KernelModel &model,
                                      unsigned points);

/// True when sections are kept during iterations of the loop, which is one over
/// tiles of nested loops.
bool keepsSections(const TransformedKernel &kernel, unsigned loop);

/// The coordinates of what is done once per iteration of the loop: ids, and the
/// iterators of the loops down to this one.
std::vector<SymbolId> coordinatesAt(const TransformedKernel &kernel,
                                    unsigned loop);

/// { [c...] } with the first `count` coordinates of the statement: the tiles in
/// which it runs, for all the iterations `ranges`, in some of those of other
/// loops inside. `domain` is in the statement's coordinates. Empty where that
/// cannot be said.
isl::set wholeTiles(const KernelModel &model, const Statement &statement,
                    const isl::set &domain, unsigned count,
                    const std::vector<TileRange> &ranges);

} // namespace clopt

#endif // CLOPT_ANALYSIS_NESTTILES_H
