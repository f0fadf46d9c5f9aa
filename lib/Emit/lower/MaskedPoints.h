//===- MaskedPoints.h - tiles across a slanted border -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where several ids together decide which work-items have work, as in
//
//   if (j <= i) {
//     float sum = 0;
//     for (int k = 0; k < n; k++)
//       sum += a[i * n + k] * a[j * n + k];
//     c[i * n + j] = sum;
//   }
//
// no tile across the border has all its work-items. It computes for all ids of
// the box around those that have work, and stores for these alone.
//
// Tested by test/unit/MaskedPointsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_MASKEDPOINTS_H
#define CLOPT_EMIT_MASKEDPOINTS_H

#include "Emit/lower/TileDomains.h"

namespace clopt {

/// { x : every x_i, i < count, is that of some point of the set whose other
/// coordinates from `count` on are those of x }
isl::set boxAround(const isl::set &set, unsigned count);

/// True for a statement, or a copy of registers, that writes memory.
bool writesMemory(const TransformedKernel &kernel, int key);

struct MaskedPoints {
  /// { S[w..., i...] } by key (TileDomains.h): the instances of all ids of the
  /// box, of what has a slanted border.
  DomainMap boxes;
  /// { [w...] } by keys of `boxes`: which ids of the box this is left to. What
  /// has no mask is computed for the others as well, and nobody asks for the
  /// values.
  DomainMap masks;
};

/// { S[base..., i...] } the `iterations` ({ [w..., i...] }) of those of the
/// tiles of `known` ({ : }) in which the statement would read, for some id of
/// the tile, a cell of memory that does not lie between cells that the launch
/// accesses, or that is written. Nothing when that is not known.
std::optional<isl::set> unreadableForTiles(const TransformedKernel &kernel,
                                           const TileDomains &tiles,
                                           const isl::set &known,
                                           unsigned statement,
                                           const isl::set &iterations);

/// Nothing where tiles have no slanted border, or where what is computed for
/// other ids could have an effect.
MaskedPoints findMaskedPoints(const TransformedKernel &kernel);

} // namespace clopt

#endif // CLOPT_EMIT_MASKEDPOINTS_H
