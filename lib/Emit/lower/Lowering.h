//===- Lowering.h - from a transformed kernel to loops ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds isl schedule trees of a transformed kernel and lets isl's AST
// generator make loops and conditions of them. Two versions come out when
// virtual work-items do more than one logical one: `full`, for tiles in which
// all logical work-items take the same path, and `general`, for every tile.
//
// In `full` a statement stands for all logical work-items of its tile: its work
// coordinates are those of the first one, the parameters `base`.
//
// Tested by test/unit/LoweringTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_LOWERING_H
#define CLOPT_EMIT_LOWERING_H

#include "Model/TransformedKernel.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// A node of the code to write, with isl's expressions still unprinted.
struct EmitNode {
  /// Fill: copies of the sections that are kept during one tile of nested
  /// loops; Section: what is done with them.
  enum class Kind { Block, For, If, Statement, Copy, Fill, Section };
  Kind kind = Kind::Block;
  /// Block: any; For: body; If: then [, else]; Section: one
  std::vector<EmitNode> children;

  // For: what the loop runs over.
  enum class LoopKind {
    Sequential,
    Work,
    Cell
  } loopKind = LoopKind::Sequential;
  /// Sequential: loop index; Work: coordinate index. Fill, Section: the loop
  /// over tiles.
  unsigned loop = 0;
  unsigned lanes = 1;  ///< iterations done at once as a vector
  unsigned unroll = 1; ///< copies of the body per iteration
  /// Iterations of a tile: the loop visits the first of every tile and has a
  /// loop over the iterations of one tile inside. 0: not tiled.
  unsigned tile = 0;
  /// Fewer iterations than this are left over by whole tiles, and are a tile
  /// that is cut: its sections are copied as far as they are used. 0: they are
  /// no tile.
  unsigned cutTile = 0;
  bool isDownward = false; ///< isl counts -iterator
  std::string iterator;    ///< isl's name for it
  std::optional<isl::ast_expr> init, condition, increment;
  // If: `condition`.

  bool isIn = false; ///< Fill: into the sections

  // Statement, Copy and Fill
  unsigned index = 0;
  std::vector<isl::ast_expr> coordinates;
  /// Statement, Copy: only points for which this holds run it. The coordinates
  /// of the point are ids, guardName(0) and so on.
  std::optional<isl::ast_expr> guard;
  /// Statement, Copy: what is masked (MaskedPoints.h) is written for all points
  /// of a work-item whose first one fulfils this.
  std::optional<isl::ast_expr> guardOfAll;
  bool isGuardNegated = false;  ///< `guard` says which points do not run it
  std::set<SymbolId> guardedBy; ///< coordinates that the guard depends on
};

/// What an isl id stands for: a mark of a schedule, or instances that are not
/// all those of a statement.
struct IdLabel {
  EmitNode node; ///< what becomes of them, without its parts
  /// Marks: the option of the band below, which isl takes when all bands around
  /// are there.
  std::optional<isl::set> apart;
  /// Of a statement: { : } when an instance runs, its coordinates being the
  /// parameters guardName(0), guardName(1), ...
  std::optional<isl::set> condition;
  std::optional<isl::set> conditionOfAll; ///< for EmitNode::guardOfAll
};
/// An id that no other is equal to.
isl::id labelledId(isl_ctx *context, const std::string &name,
                   const IdLabel &label);
/// The instances under a name of their own.
isl::set named(const isl::set &instances, const std::string &name,
               const IdLabel &label);
/// Null for the name of a statement.
const IdLabel *labelOf(const isl::id &id);

struct LoweredVersion {
  EmitNode root;
  /// Params-only condition under which this version is right; null: always.
  std::optional<isl::ast_expr> condition;
};

/// Where the first id of a tile may lie, along one coordinate, for the tile to
/// have all its ids (MovedTiles.h).
struct TileMove {
  isl::ast_expr greatest;
  std::optional<isl::ast_expr> least; ///< nothing: every tile's is greater
  isl::ast_expr count; ///< ids that tiles with all their ids have together
};

/// What is done for ids that are the tile's own, and not for those that it has
/// because it was moved.
struct OwnedWork {
  std::set<unsigned> statements; ///< indices into KernelModel::statements
  std::set<unsigned> copies;     ///< indices into TransformedKernel::copies
  /// Arrays that must not overlap in the launch: one of them is written, and of
  /// the other cells of ids that are not the tile's own are read.
  std::set<std::pair<unsigned, unsigned>> apart;
};

struct LoweredKernel {
  /// Names of the isl parameters that hold the first logical id of the tile,
  /// one per work coordinate of the statements.
  std::vector<std::string> baseNames;
  /// Strided dimensions: the distance of two points, as an isl parameter.
  std::vector<std::string> strideNames;
  /// One past the last global id, as an isl parameter, or empty.
  std::vector<std::string> endNames;
  /// The ids of a group's tile, as an isl parameter, or empty.
  std::vector<std::string> extentNames;
  /// Tiles at the end of the launch, or at a border the kernel checks: the most
  /// ids, per work coordinate, for which `full` is right. Empty when `full` is
  /// for whole tiles only.
  std::vector<std::optional<isl::ast_expr>> validIds;
  /// Per work coordinate; empty when tiles stay where they are.
  std::vector<std::optional<TileMove>> moves;
  /// When all tiles can be moved; the first ids of tiles are then those that
  /// `moves` gives.
  std::optional<isl::ast_expr> movable;
  OwnedWork owned; ///< of `full`, where tiles move
  /// { : } of arguments: launches that may have a tile for `full`; others keep
  /// the author's body. Nothing: all may.
  std::optional<isl::set> asked;
  /// Where tiles agree depends on several of their coordinates at once, as in
  /// triangles: tiles across the border do part of their ids one by one.
  bool isSlanted = false;
  std::optional<LoweredVersion> full;
  LoweredVersion general;
  /// Of `full`: see TileDomains.
  std::map<SymbolId, bool> selections;
  std::set<int> dead;
};

struct LoweringError {
  std::string ruleId;
  std::string message;
  std::string hint;
};

/// Lowers the kernel; nothing and `error` when lanes cannot be kept together,
/// or, when they have to be `often`, are in no usual launch. Tiles at the ends
/// of the ids are moved where they may be, and where that is wanted.
std::optional<LoweredKernel> lower(const TransformedKernel &kernel,
                                   LoweringError &error, bool often = false,
                                   bool movesTiles = true);

/// Work dimension (0 to 2) of every work coordinate, in coordinate order.
std::vector<unsigned> workCoordinates(const KernelModel &model);

/// What one virtual work-item does along a work coordinate; `dims` are those of
/// workCoordinates. Of a dimension with ids of groups and ids within them,
/// points count groups, and lanes are ids within one.
WorkDimension workOfCoordinate(const TransformedKernel &kernel,
                               const std::vector<unsigned> &dims,
                               size_t coordinate);

} // namespace clopt

#endif // CLOPT_EMIT_LOWERING_H
