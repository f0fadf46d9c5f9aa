//===- ArrayTiles.h - text for sections in local memory ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the local arrays that ArrayTiles live in, the loops by which
// a group copies them, and the places of single cells.
//
// Tested by test/unit/ArrayTilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_ARRAYTILES_H
#define CLOPT_EMIT_ARRAYTILES_H

#include "Analysis/memory/TileLayout.h"
#include "Emit/body/BodyWriter.h"

#include <string>
#include <vector>

namespace clopt {

/// `float A_tile[8];`, with `__local` when it is a group's.
std::string declareTile(const TransformedKernel &kernel,
                        const KernelNames &names, unsigned index);

/// The declarations of all that groups share.
std::vector<std::string> declareTiles(const TransformedKernel &kernel,
                                      const KernelNames &names);

/// A tile of a loop that has fewer iterations than others.
struct CutTile {
  unsigned iterations; ///< of a whole tile
  LinearForm left;     ///< its own: at least 1, fewer than `iterations`
};

/// The lines that copy a tile.
struct TileCopy {
  std::string start; ///< declares where the section begins; may be empty
  std::vector<std::string> lines;
  bool asksWhole = false;     ///< they use GroupNames::whole
  std::set<std::string> uses; ///< as in PrintedStatement
};

/// The loop in which a group, or a work-item, copies a tile in, or out. `site`
/// has the values of all coordinates of the base: first ids of the group's
/// tile, iterators. `cut`: only the cells that so many iterations use
/// (canCutSections).
TileCopy copyTile(const TransformedKernel &kernel, const KernelNames &names,
                  unsigned index, bool isIn, StatementPrinter &printer,
                  const PrintSite &site, const std::optional<CutTile> &cut);

} // namespace clopt

#endif // CLOPT_EMIT_ARRAYTILES_H
