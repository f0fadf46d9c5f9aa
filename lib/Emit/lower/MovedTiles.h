//===- MovedTiles.h - tiles at the ends of the ids --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile that reaches past the last id begins earlier, so that it has all its
// ids, and takes the fast version:
//
//   first id of the tile   0       128       256 -> 172
//   ids                    128     128       44 of its own, 84 of the tile
//   before
//
// What it computes for ids of another tile is computed twice, and only the tile
// that the ids belong to stores it. In the same way a tile before the first id
// that runs something begins later.
//
// Tested by test/unit/MovedTilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_MOVEDTILES_H
#define CLOPT_EMIT_MOVEDTILES_H

#include "Emit/lower/Lowering.h"
#include "Emit/lower/TileDomains.h"

namespace clopt {

/// True when no value decides on what is run or on which cells are accessed,
/// and none can stop the program.
bool steersNothing(const TransformedKernel &kernel);

/// What the fast version does for a tile's own ids only, where the kernel may
/// do everything else twice: it only computes, from cells that it does not
/// write, or that decide on values alone.
std::optional<OwnedWork> findOwnedWork(const TransformedKernel &kernel);

/// Fills in `result.moves`, and what belongs to them. `entry` is where the fast
/// version is entered, in parameters.
void findMoves(const TransformedKernel &kernel, const TileDomains &tiles,
               const isl::set &entry, LoweredKernel &result);

} // namespace clopt

#endif // CLOPT_EMIT_MOVEDTILES_H
