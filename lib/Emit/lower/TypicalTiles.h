//===- TypicalTiles.h - whether tiles agree in usual launches ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/TypicalTilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_TYPICALTILES_H
#define CLOPT_EMIT_TYPICALTILES_H

#include "Emit/lower/TileDomains.h"

namespace clopt {

/// True when no large launch has a tile whose work-items agree, as far as the
/// arguments that may be small are: windows that end at borders,
///
///   for (int i = max(x - r, 0); i <= min(x + r, w - 1); i++)
///
/// are the same for neighbours only where they are as wide as the image. Large:
/// 4,096 ids along each dimension in which work-items are merged; small: 0 to
/// 16.
bool divergesInUsualLaunches(const TransformedKernel &kernel,
                             const TileDomains &tiles);

/// True when no large launch has one of `some` tiles, { : }, in the same sense.
bool areInNoUsualLaunch(const TransformedKernel &kernel,
                        const TileDomains &tiles, const isl::set &some);

/// True when nearly all iterations are those of all ids of a tile, of a group
/// or of lanes, as in
///
///   for (int k = 0; k <= i; k++)
///
/// Of a statement, those that all of them run, and its part, { S[base..., i...]
/// }, which is no longer than the tile is wide.
bool runsMostlyTogether(const TransformedKernel &kernel,
                        const TileDomains &tiles, const isl::set &full,
                        const isl::set &part);

/// True when the tiles whose work-items agree touch no memory: where neighbours
/// run different iterations of a loop, as in
///
///   for (int y = 4 * get_global_id(1); y < 4 * get_global_id(1) + 4; y++)
///
/// they agree only where it has none.
bool agreeOnNothing(const TransformedKernel &kernel, const TileDomains &tiles);

} // namespace clopt

#endif // CLOPT_EMIT_TYPICALTILES_H
