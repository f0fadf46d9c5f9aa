//===- BankConflictCost.h - turns that a section in local memory takes -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of a section's cells in local memory decides how often work-items
// wait for one bank: those that copy the section, and those that use it. Both
// are counted for one tile, lane group by lane group, for the rows and the
// padding that the section has. Cells of more than 16 bytes are several
// accesses. Vectors of which a part is used are loaded whole, or by components,
// whichever takes fewer turns; in planes always by components.
//
// Source: M. Fang: evaluation and applications of heterogeneous GPU systems,
// thesis, 2017, section 3.3: tiles of cells smaller than a word are padded by
// words, or transposed.
//
// Tested by test/unit/BankConflictCostTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_BANKCONFLICTCOST_H
#define CLOPT_PLANNING_BANKCONFLICTCOST_H

#include "Analysis/memory/BankConflict.h"
#include "Model/TransformedKernel.h"

#include <optional>

namespace clopt {

struct BankConflictCost {
  double copies = 0; ///< of all cells, once
  double uses = 0;   ///< of all accesses while a group works with the section
  double total() const { return copies + uses; }
};

/// Nothing when the place of an access is no sum of multiples of ids and
/// iterators, or lanes take several cells at once.
std::optional<BankConflictCost>
bankConflictCost(const TransformedKernel &kernel, const ArrayTile &tile,
                 const BankShape &shape);

/// Bytes of local memory that the section takes.
int64_t tileBytes(const TransformedKernel &kernel, const ArrayTile &tile);

/// The rows and the padding of an array's sections, and whether the components
/// of vectors are in planes.
struct TileShape {
  unsigned rowDimension = 0;
  unsigned pad = 0;
  bool inPlanes = false;
};

/// The shape with which the sections of the array take the fewest turns, and
/// of several the one of the fewest bytes; as they are if none is better, or
/// if some would be worse. Planes have to take clearly fewer turns than whole
/// vectors: reading them takes more instructions.
/// Nothing when the turns are not known, or the sections are one row of
/// scalars.
std::optional<TileShape> bestShape(const TransformedKernel &kernel,
                                   unsigned array, const BankShape &shape);

/// Unused cells per row of a square tile with which a lane group takes the
/// fewest turns for a column: one cell of a whole word, of narrower ones at
/// most a word's worth (Fang, 2017, section 3.3).
int64_t columnPadding(int64_t edge, unsigned elementBytes,
                      const BankShape &shape);

} // namespace clopt

#endif // CLOPT_PLANNING_BANKCONFLICTCOST_H
