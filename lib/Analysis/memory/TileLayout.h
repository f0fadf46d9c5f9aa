//===- TileLayout.h - where cells of a section lie --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape of the local array that holds a section, the place of every access
// in it, and how many cells are copied at once: what the emitter prints, and
// what the planner counts.
//
// Tested by test/unit/ArrayTilesTest.cpp, test/unit/BankConflictCostTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_TILELAYOUT_H
#define CLOPT_ANALYSIS_TILELAYOUT_H

#include "Model/TransformedKernel.h"

#include <optional>
#include <vector>

namespace clopt {

/// Dimensions of the array that the local one has, rows last. Those of a single
/// cell are left out.
std::vector<unsigned> tileDimensions(const TransformedKernel &kernel,
                                     const ArrayTile &tile);
/// Cells of a row of the local array, padding included.
int64_t rowCells(const TransformedKernel &kernel, const ArrayTile &tile);

/// Cells along the dimensions of the local array, outermost first.
std::vector<int64_t> tileShape(const TransformedKernel &kernel,
                               const ArrayTile &tile);

/// The section, an index into `kernel.tiles`, in whose local array section
/// `index` is kept: the first one of the array that is never filled at the same
/// time and has the same rows, or itself.
unsigned storageOf(const TransformedKernel &kernel, unsigned index);

/// The shape of the local array that section `index` declares, large enough for
/// all that are kept in it.
std::vector<int64_t> storageShape(const TransformedKernel &kernel,
                                  unsigned index);

/// True for the ids, and the iterator, of which the cells of the section count
/// from the first of the tile.
bool countsFromFirst(const KernelModel &model, const ArrayTile &tile,
                     SymbolId symbol);

/// Position of an access's cell within the tile along dimension `dim` of the
/// array, a polynomial in coordinates relative to the tile.
Polynomial relativeSubscript(const KernelModel &model, const ArrayTile &tile,
                             const Access &access, unsigned dim);

/// How far the section's first cell along dimension `dim` moves from one
/// iteration of its tiled loop to the next, in cells; nothing when that is no
/// number.
std::optional<int64_t> cellsPerIteration(const KernelModel &model,
                                         const ArrayTile &tile, unsigned dim);

/// True when a group keeps sections during tiles of the loop, and the cells of
/// a tile with fewer iterations are a part of each that is known: along every
/// dimension the first cells, or the last ones.
bool canCutSections(const TransformedKernel &kernel, unsigned loop);

/// Cells that are copied at once where addresses are aligned: as many as 16
/// bytes hold, when rows of the array's section are whole multiples of them.
unsigned copiedAtOnce(const TransformedKernel &kernel, const ArrayTile &tile);

/// True when those cells are one vector of the local array, too.
bool copiesRows(const TransformedKernel &kernel, const ArrayTile &tile);

} // namespace clopt

#endif // CLOPT_ANALYSIS_TILELAYOUT_H
