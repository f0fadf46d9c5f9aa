//===- DivergentInstances.h - instances that not all of a tile have -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A statement of the fast version stands for all work-items of a tile, and in
// loops with lanes or copies for all iterations of a chunk. Where only some of
// them run it,
//
//   for (int j = 0; j < n; j++)
//     if (j != i)
//       sum += a[j];
//
// the statement has a second set of instances, its part, and each of them is
// written under a condition of its own.
//
// Tested by test/unit/DivergentInstancesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_DIVERGENTINSTANCES_H
#define CLOPT_EMIT_DIVERGENTINSTANCES_H

#include "Emit/lower/Lowering.h"
#include "Emit/lower/TileDomains.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// Name of the parameter for a coordinate of the instance.
std::string guardName(unsigned coordinate);

/// True when instances of the statement may be written under conditions.
bool mayBeGuarded(const TransformedKernel &kernel, int key);

/// True when the tiles that run any of the instances { S[base..., i...] } all
/// run the same iterations.
bool haveSameIterations(const TileDomains &tiles, const isl::set &instances);

/// A loop whose chunks are named by their first iteration.
struct ChunkedLoop {
  unsigned loop = 0;
  unsigned factor = 1;
};

/// The condition under which a point of a statement runs, of those that stand
/// for one of `some`, { S[base..., i...] }: its work-item is one of the tile,
/// its iterations are those of the chunks.
IdLabel guardPart(const TransformedKernel &kernel, const TileDomains &tiles,
                  unsigned statement, const isl::set &some,
                  const std::vector<ChunkedLoop> &chunks);

/// What `tiles` has a mask for, under its name: `instances` stand for all of a
/// tile's ids.
isl::set maskedInstances(const TransformedKernel &kernel,
                         const TileDomains &tiles, int key,
                         const isl::set &instances, const std::string &name);

/// { S[w..., i...] } the ids that the launch has; no other runs anything.
isl_set *launchedIds(const KernelModel &model, const TileDomains &tiles,
                     isl_set *set);

/// The set in one piece, where it is one.
isl::set inOnePiece(const isl::set &set);

} // namespace clopt

#endif // CLOPT_EMIT_DIVERGENTINSTANCES_H
