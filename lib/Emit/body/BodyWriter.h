//===- BodyWriter.h - loops, conditions and statements as text --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes one version of a kernel's body from its EmitNodes: prints every
// statement for every point of the tile, and declares each private variable in
// the innermost scope that has all its uses.
//
// Tested by test/unit/BodyWriterTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_BODYWRITER_H
#define CLOPT_EMIT_BODYWRITER_H

#include "Emit/lower/Lowering.h"
#include "Emit/print/StatementPrinter.h"
#include "Model/TakenNames.h"

#include <set>
#include <string>
#include <vector>

namespace clopt {

/// Names of what a group's tile needs; see WorkMapping.
struct GroupNames {
  /// Per work coordinate: first id of the group's tile, first id of a
  /// work-item within it, ids of the tile where the launch decides on them.
  std::vector<std::string> bases, offsets, extents;
  std::string item;    ///< linear position within the group
  std::string size;    ///< work-items of the group
  std::string threads; ///< work-items along the adaptive dimension
  std::string active;  ///< true for work-items that have part of the tile
  /// Per work coordinate: ids of the tile that are valid, where tiles may be
  /// cut off; else empty.
  std::vector<std::string> valid;
  std::string whole;  ///< true when nothing of the tile is cut off
  std::string inside; ///< true for work-items all of whose ids are valid
  std::string rest;   ///< true for work-items that take the general version
  std::string cell;   ///< variable of copy loops
  std::string cells;  ///< several cells on their way
  std::vector<std::string> ahead;  ///< single cells on their way
  std::vector<std::string> places; ///< of all of them but the first
  /// Per ArrayTile: where a section begins in its array, to be copied in or
  /// out.
  std::vector<std::string> starts, targets;
  std::map<unsigned, std::string> loopTiles; ///< first iteration, per loop
  /// Constants: ids of the tile, the most where the launch decides, per work
  /// coordinate, or empty; iterations of a tile, per loop.
  std::vector<std::string> sizes;
  std::map<unsigned, std::string> loopSizes;
  /// What the constants are.
  std::vector<std::pair<std::string, int64_t>> constants;
};

/// `enum { TILE_X = 64 };`, or nothing.
std::vector<std::string> declareConstants(const GroupNames &names);

/// Cells that a work-item loads before it stores the first.
constexpr unsigned cellsAhead = 4;

/// Names where several work-items do a logical one; see SharedWork.
struct SharedNames {
  std::string item;   ///< linear position within the group
  std::string lane;   ///< place among those that do one logical work-item
  std::string places; ///< logical work-items that a group does at a time
  std::string active; ///< true for work-items that have a logical one
  /// Local arrays for results, by their type.
  std::map<ScalarKind, std::vector<std::string>> cells;
};

/// `const type name = value;`
struct ConstantDeclaration {
  std::string text() const;
  std::string type, name, value;
  /// What the value has of such names, and of LaunchNames.
  std::set<std::string> uses = {};
  /// Of a condition: what it takes some time to see is looked at only where
  /// the value is true, `bool name = value; if (name) { checks; name = ...; }`.
  std::vector<ConstantDeclaration> checks = {};
  std::string checked = {};
};

/// Names that all versions of one kernel share.
struct KernelNames {
  /// Per work coordinate: the variable that holds the tile's first id.
  std::vector<std::string> bases;
  /// Per work coordinate: distance between strided points, or empty.
  std::vector<std::string> strides;
  /// Per work coordinate: one past the last global id, or empty.
  std::vector<std::string> ends;
  /// Per work coordinate: the first id that is the tile's own, where tiles may
  /// be moved; else empty.
  std::vector<std::string> firsts;
  /// What stands between the declarations of `firsts` and those of the bases.
  std::vector<ConstantDeclaration> moves;
  /// Per work coordinate, where tiles may be moved: ids for which they are.
  std::vector<std::string> counts;
  std::string own; ///< which ids of a work-item are the tile's own
  /// Per work coordinate: name for loops over the ids of one tile.
  std::vector<std::string> ids;
  /// Per work coordinate: "int" or "long".
  std::vector<std::string> idTypes;
  TakenNames reserved;
  LaunchNames launch;
  std::vector<std::string> tiles; ///< per ArrayTile: where its cells are
  std::multimap<const Variable *, SymbolId> coordinateVariables;
  /// As in PrintEnvironment.
  std::set<const Variable *> groupVariables;
  /// Private variables of the kernel; variables of different scopes that share
  /// a name get different ones.
  std::map<const Variable *, std::string> variables;
  /// The author's local arrays of which merged groups have one each: the name
  /// that numbers are added to for all but the first.
  std::map<const Variable *, std::string> localCopies;
  /// Private arrays of constants that are in constant memory.
  std::map<const Variable *, std::string> tables;
  /// Functions of arguments alone, which are computed before all tiles.
  std::map<const Expr *, std::string> uniformCalls;
  /// Per loop of the model: name of its variable.
  std::vector<std::string> loops;
  GroupNames group;
  SharedNames shared;
};

struct WrittenBody {
  std::vector<std::string> lines;
  /// Where they are one `if (condition)` and nothing else: that, and the lines
  /// in it.
  PrintedText condition;
  std::vector<std::string> chosen;
  bool ok = false;
  bool asksWhole = false; ///< the lines use GroupNames::whole
  /// What is to stand before the lines: KernelNames::own.
  std::vector<std::string> own;
  /// In the lines: names of what is declared before them, texts of LaunchNames.
  std::set<std::string> mentioned;
  std::string failure;
  /// Arguments that have to stay clear of an end of `int`, see AstNames.
  std::map<std::pair<std::string, bool>, int64_t> clear;
  std::set<std::string> asked; ///< as in PrintEnvironment
};

/// `tiled`: statements stand for all work-items of a tile
/// (LoweredKernel::full).
WrittenBody writeBody(const TransformedKernel &kernel,
                      const LoweredKernel &lowered, const EmitNode &root,
                      bool tiled, const KernelNames &names);

/// Ids of a group's tile along a work coordinate, and those that are valid.
LinearForm wholeIds(const TransformedKernel &kernel, const KernelNames &names,
                    size_t coordinate);
LinearForm validIds(const TransformedKernel &kernel, const KernelNames &names,
                    size_t coordinate);
/// One past the last global id along a work coordinate, in the type of ids.
LinearForm endOfIds(const KernelNames &names, size_t coordinate);
/// The variable that the tile's place gives the first id along a coordinate.
const std::string &firstOfTile(const KernelNames &names, size_t coordinate,
                               bool isGrouped);

/// isl's parameter names as OpenCL C. With `wide` every term is a `long`.
AstNames parameterNames(const KernelModel &model, bool wide,
                        const LaunchNames &launch = {});

} // namespace clopt

#endif // CLOPT_EMIT_BODYWRITER_H
