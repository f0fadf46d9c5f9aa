//===- TileDomains.h - statement instances of one tile ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile is what one virtual work-item does: a box of logical work-items whose
// first ids are the parameters `base`. For every statement and copy this gives
// the instances in a tile, and the condition under which all work-items of the
// tile agree on them.
//
// Tested by test/unit/TileDomainsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_TILEDOMAINS_H
#define CLOPT_EMIT_TILEDOMAINS_H

#include "Model/TransformedKernel.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// Domains by statement index; copies have the keys copyKey(index).
using DomainMap = std::map<int, isl::set>;

inline int copyKey(unsigned copy) { return -1 - static_cast<int>(copy); }
/// Key of the instances that only some work-items of a tile, or iterations of a
/// chunk, have (DivergentInstances.h).
inline int partKey(int statement) { return statement + (1 << 24); }
inline bool isPartKey(int key) { return key >= 1 << 24; }

struct TileDomains {
  std::vector<std::string> baseNames;   ///< per work coordinate
  std::vector<std::string> strideNames; ///< per work coordinate, may be empty
  /// Per work coordinate: one past the last global id of the launch, a
  /// parameter that takes the place of the global size. Empty when the
  /// coordinate is no global id.
  std::vector<std::string> endNames;
  /// Per work coordinate: ids of the group's tile, a parameter, where it has
  /// several work-items side by side. `base` is then the first id of the
  /// group's tile in `full`, and the first of a work-item's in `general`.
  std::vector<std::string> extentNames;
  isl::set context; ///< { : } what is known of parameters, bases included
  /// { : } the same for `general`: a work-item of a group's tile may lie past
  /// the end of the launch.
  isl::set generalContext;
  isl::set touched; ///< { : } tiles with any instance
  isl::set agreed;  ///< { : } tiles in which all work-items agree
  /// { : } those of `agreed` for which there is fast code.
  isl::set uniform;
  /// { S[base..., i...] } instances that all work-items have, and under
  /// partKey(S) those that only some of them have.
  DomainMap full;
  /// { [w...] } by keys of `full`: which ids of a tile what stands for all of
  /// them is left to (MaskedPoints.h).
  DomainMap masks;
  /// { S[w..., i...] } of every statement.
  DomainMap plain;
  /// Some statement has a part, and which iterations a tile runs depends on the
  /// tile.
  bool hasVaryingRanges = false;
  /// { S[w..., i...] } instances of all work-items of a tile. Strided
  /// dimensions: of the block that begins at base.
  DomainMap general;
  /// Atoms that take one branch in all of `uniform`; may be fewer than asked
  /// for.
  std::map<SymbolId, bool> selections;
  /// With selections: keys whose instances no tile of `uniform` has.
  std::set<int> dead;
};

TileDomains computeTileDomains(const TransformedKernel &kernel);

/// `int i = get_global_id(0);` is not executed: its uses print the id.
bool isIdDeclaration(const KernelModel &model, const Statement &statement);

/// Writes global sizes as end - offset, `ends` per work coordinate.
isl_set *replaceSizes(const KernelModel &model,
                      const std::vector<unsigned> &dims,
                      const std::vector<std::string> &ends, isl_set *set);

/// Statement indices and copy keys at and below the node.
std::vector<int> keysBelow(const ScheduleNode &node);
/// Position of `symbol` among the coordinates of what the instances are of.
int coordinateOf(const TransformedKernel &kernel, const isl::set &instances,
                 SymbolId symbol);

/// { [c0...c(count-1)] } the first coordinates of a set, without tuple name.
isl_set *prefixOf(const isl::set &set, unsigned count);
/// { S[c...] } all points of S's space whose first coordinates are in `prefix`.
isl::set liftTo(const isl::set &prefix, const isl::set &like);
/// { x : x + offset * e_position in set }
isl_set *translate(const isl::set &set, int position, int64_t offset);
/// { x : x + j * step * e_position in set, for all / some 0 <= j < count }
isl::set forAllShifts(const isl::set &set, int position, unsigned count,
                      int64_t step);
isl::set existsShift(const isl::set &set, int position, unsigned count,
                     int64_t step);
/// { x + j * step * e_position : x in set, 0 <= j < count }
isl::set shiftedUnion(const isl::set &set, int position, unsigned count,
                      int64_t step);
/// Iterations from the first one on that is not `taken`. The taken ones are the
/// first ones, so this is their complement, said with a bound instead of a
/// remainder.
isl::set fromFirstLeft(const isl::set &iterations, const isl::set &taken,
                       int position, int64_t step);
/// { [w..., outer..., k] } the iterations with those that are missing between
/// the loop's first one and the last of them.
isl::set withoutHoles(const KernelModel &model, unsigned loop,
                      const isl::set &iterations, int position);
/// The iterations `left` behind the complete chunks, from
/// first + size * floor(iterations * step / size) on where that is the same.
isl::set pastWholeChunks(const KernelModel &model, unsigned loop,
                         const isl::set &iterations, int position,
                         unsigned factor, const isl::set &left);
/// First iterations of complete chunks: { [w..., outer..., k] }; nothing when
/// the first iteration is not affine.
std::optional<isl::set> chunkStarts(const KernelModel &model, unsigned loop,
                                    const isl::set &iterations, int position,
                                    unsigned factor);

} // namespace clopt

#endif // CLOPT_EMIT_TILEDOMAINS_H
