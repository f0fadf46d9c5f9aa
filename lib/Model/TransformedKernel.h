//===- TransformedKernel.h - a kernel model with its new order --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the steps of a recipe build up: the order of the statements as a tree,
// how many logical work-items one virtual work-item does, which arrays live in
// registers, and what must hold at run time. The model itself stays as the
// front end made it; every step adds to this value.
//
// Tested by test/unit/ScheduleTreeTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_TRANSFORMEDKERNEL_H
#define CLOPT_MODEL_TRANSFORMEDKERNEL_H

#include "Model/KernelModel.h"

#include <llvm/ADT/STLExtras.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// The order of a kernel's statements within one work-item.
struct ScheduleNode {
  enum class Kind { Sequence, Loop, Leaf, Copy };
  Kind kind = Kind::Sequence;
  std::vector<ScheduleNode> children; ///< Sequence: any; Loop: one
  unsigned loop = 0;                  ///< Loop: index into KernelModel::loops
  unsigned lanes = 1;  ///< Loop: iterations that run as one vector
  unsigned unroll = 1; ///< Loop: copies of the body; 0 is all of them
                       ///< (of a loop with lanes: copies of the vectors)
  /// Loop: stays, and compilers are asked for so many copies; 0 is all of them.
  std::optional<unsigned> askedCopies;
  unsigned tile = 0;      ///< Loop: iterations of a tile; 0: not tiled
  unsigned statement = 0; ///< Leaf: index into KernelModel::statements
  unsigned copy = 0;      ///< Copy: index into TransformedKernel::copies

  /// Loop: iterations from the beginning of one pass to that of the next; 0
  /// where all of them are written out.
  unsigned pass() const { return tile ? tile : lanes * unroll; }

  static ScheduleNode sequence(std::vector<ScheduleNode> children);
  static ScheduleNode makeLoop(unsigned loop, ScheduleNode body);
  static ScheduleNode leaf(unsigned statement);
  static ScheduleNode makeCopy(unsigned copy);
};

/// The tree of the original program, without the work dimensions; nothing when
/// the isl tree has a form the builder never makes.
std::optional<ScheduleNode> readSchedule(const KernelModel &model);

/// The node of loop `loop`, or null.
ScheduleNode *findLoop(ScheduleNode &root, unsigned loop);
const ScheduleNode *findLoop(const ScheduleNode &root, unsigned loop);
/// All statements at and below `node`, in order.
std::vector<unsigned> statementsBelow(const ScheduleNode &node);
/// All loops at and below `node`, outer before inner.
std::vector<unsigned> loopsBelow(const ScheduleNode &node);

/// The loop whose iterations are lanes of vectors, or null.
const ScheduleNode *vectorLoop(const ScheduleNode &root);

/// The loop over the iterations of one tile of `tiles`, a loop over tiles of
/// nested loops; nothing for other loops.
std::optional<unsigned> pointLoop(const KernelModel &model, unsigned tiles);

/// What one virtual work-item does along one dimension of the NDRange.
struct WorkDimension {
  unsigned points = 1;  ///< blocks of `lanes` ids, one after the other
  bool strided = false; ///< blocks are a whole pass over the range apart
  unsigned lanes = 1;   ///< consecutive ids that run as one vector
  /// Ids of a group's tile, a multiple of total(); 0: no more than total().
  unsigned groupIds = 0;
  unsigned total() const { return points * lanes; }
  /// Work-items of a group side by side along the dimension, at most.
  unsigned threads() const { return groupIds ? groupIds / total() : 1; }
};

/// Cells along one dimension of a section: `constant`, and `perId` for every id
/// of the group's tile along each work dimension.
struct TileExtent {
  int64_t constant = 1;
  int64_t perId[3] = {0, 0, 0};
};

/// Iterations of a loop: least, least + step, ..., least + span.
struct TileRange {
  SymbolId iterator = 0;
  Polynomial least; ///< in parameters and iterators of loops over tiles
  int64_t span = 0;
  int64_t step = 1;
};

/// Cells that move with a loop by one per iteration, towards greater subscripts
/// if `step` is 1 and smaller ones if it is -1. The loop's iterator is the last
/// of ArrayTile::coordinates.
struct TileWindow {
  unsigned loop, dimension;
  int step;
  /// { Copy[w..., outer..., cell...] } that are loaded before the loop, with
  /// the iterator of the first iteration, and that move on after each one.
  isl::set fill, shift;
};

/// An array, or a section of it, that is kept in fast memory while a part of
/// the kernel runs: an access goes to one of them or to memory.
///
/// There are two kinds of copies. `inTree`: they are statements of the tree
/// around all of `loop`, one for each cell. Others are loops of their own, at
/// the beginning and the end of every tile of `loop`.
struct ArrayTile {
  enum class Memory {
    Local,    ///< a group's: ids in its base stand for the group's first
    Registers ///< a work-item's own: its extents are constants
  };
  Memory memory = Memory::Local;
  unsigned array = 0;
  bool inTree = false;
  /// The loop it is kept over, or for tiles of; nothing: the work-item or the
  /// group's whole tile of them.
  std::optional<unsigned> loop;
  std::vector<unsigned> accesses; ///< model accesses that use the tile
  /// First cell, one polynomial per dimension of the array, in ids, parameters
  /// and the loops around. For tiles of a loop its iterator stands for the
  /// first of the tile.
  std::vector<Polynomial> base;
  std::vector<TileExtent> extents;
  bool copyIn = false;  ///< cells are read before they are written
  bool copyOut = false; ///< cells are written: without copyIn, every one

  // In the tree
  /// { Copy[w..., outer..., cell...] } cells that exist, per direction.
  std::optional<isl::set> inDomain, outDomain;
  std::vector<SymbolId> coordinates; ///< of Copy[] without the cells
  /// Some references to the array alone, all of them reads.
  bool isHoisted = false;
  /// The copy begins and ends within one iteration of this loop, if any.
  std::optional<unsigned> within;
  std::optional<TileWindow> window;

  // For tiles of a loop or of work-items
  /// What the cells, or their components, are converted to when they are
  /// copied in.
  std::optional<ScalarKind> stored;
  /// The components of vectors lie apart: those of all cells that come first,
  /// then those that come second. Only what is read.
  bool inPlanes = false;
  /// `loop` is one over tiles of nested loops, and the section is kept during
  /// one of its iterations, where all of these are run: tiles that are whole.
  std::vector<TileRange> nest;
  unsigned pad = 0; ///< unused cells at the end of every row
  /// Rows of the tile run along this dimension of the array.
  unsigned rowDimension = 0;
  /// Cells of the box before the first and after the last one that the original
  /// accesses in the order of addresses, per dimension.
  std::vector<int64_t> skipFirst, skipLast;
  /// These two accesses, which their statements always make in the tiles that
  /// have sections: where they are not made, nothing may be copied.
  std::set<unsigned> required;

  bool isPrivate() const { return memory == Memory::Registers; }
  bool has(unsigned access) const;
  /// Nothing is skipped.
  bool hasWholeBox() const;
  /// Most cells along dimension `dim` for the tiles of `kernel`, and of all.
  int64_t largest(const struct TransformedKernel &kernel, unsigned dim) const;
  int64_t cells(const TransformedKernel &kernel) const;
  /// Size of the cells where they are kept.
  unsigned cellBytes(const KernelModel &model) const;
  /// Type, as text, of `count` cells side by side where they are kept; count is
  /// 1 where they are structures. In planes: of components.
  std::string cellType(const KernelModel &model, unsigned count = 1) const;
  /// Number of planes; 1 when cells are whole.
  unsigned planes(const KernelModel &model) const;
};

/// One direction of an ArrayTile as a statement of the tree.
struct CopyStatement {
  unsigned tile = 0;
  bool isIn = false;
  /// Windows: the load before the loop; the move within the registers.
  bool isFill = false, isShift = false;
};

/// { Copy[w..., outer..., cell...] } the cells that the statement copies.
const isl::set &copiedCells(const ArrayTile &tile,
                            const CopyStatement &statement);

/// How the cells of one of the author's own local arrays are moved apart.
struct LocalPadding {
  unsigned array = 0;
  /// Cells added to every row; one-dimensional arrays: after every `every`.
  int64_t count = 0;
  /// For one-dimensional arrays: index i is i + i / every * count. Zero for
  /// arrays of arrays, whose rows become longer.
  int64_t every = 0;
};

/// How the cells of one of the author's own local arrays lie in it, when they
/// do not lie as declared. The array takes as many bytes as before.
struct LocalLayout {
  enum class Kind {
    Transposed, ///< `t[i][j]` is cell j of row i, and lies in row j
    Planes      ///< components of vectors: all first ones, then all second ones
  } kind = Kind::Transposed;
  unsigned array = 0;
};

/// Operations whose operands may be combined in any order.
enum class ReductionOp { Sum, Product, And, Or, Xor, Minimum, Maximum };

/// A result that the lanes of a vector loop take apart: each of them has one of
/// its own, and they are combined after the loop.
struct ReductionAccumulator {
  unsigned loop = 0;      ///< the vector loop
  unsigned statement = 0; ///< x = x op e, the only one in the loop with x
  unsigned array = 0;     ///< of x: a private variable, or in registers
  ReductionOp operation = ReductionOp::Sum;
};

/// A statement whose lanes run one after the other, in the order of the
/// iterations: a value goes from each one to the next.
struct OrderedStatement {
  unsigned loop = 0; ///< the vector loop
  unsigned statement = 0;
  /// Private variables and arrays, and indices of tiles in registers, that are
  /// one for all lanes. Statements that are not in order do not use them.
  std::set<unsigned> arrays, tiles;
};

/// A value that the work-items of a group take apart; see CooperativeReduction.
struct SharedResult {
  unsigned array = 0; ///< a private variable, or in registers
  ReductionOp operation = ReductionOp::Sum;
};

/// A loop whose iterations several work-items of a group share: they do one
/// logical work-item together.
struct CooperativeReduction {
  std::optional<unsigned> loop; ///< index into KernelModel::loops; or
  unsigned statement = 0;       ///< the statement that is the whole loop
  unsigned lanes = 1;           ///< work-items; the same for all loops
  std::vector<SharedResult> results;
  /// A barrier stands before it: it may read what the kernel has written.
  bool waits = false;
  /// Its iterations change memory, each that of no other.
  bool writes = false;
  /// Its iterations use the results so far: a scan.
  bool isScan = false;
};

/// A loop in steps of the launch's or the group's size (StrideLoops.h) that
/// takes several iterations at a time, their loads first.
struct BatchedStrideLoop {
  unsigned statement = 0; ///< that is the whole loop
  unsigned count = 1;     ///< iterations at a time
  /// The work-items of a group take them together: a barrier stands behind
  /// each of these rounds.
  bool isTogether = false;
};

struct TransformedKernel {
  const KernelModel *model = nullptr;
  /// Owns `model` when a step had to make one of its own.
  std::shared_ptr<const KernelModel> ownModel;
  /// The model that the front end made.
  const KernelModel *original = nullptr;
  ScheduleNode tree;
  WorkDimension work[3];
  std::vector<ArrayTile> tiles;
  std::vector<CopyStatement> copies;
  std::vector<LocalPadding> paddings;    ///< at most one per array
  std::vector<LocalLayout> localLayouts; ///< at most one per array
  /// Private arrays that hold the same constants always: the new code reads
  /// them from constant memory.
  std::set<unsigned> constantTables;
  std::vector<ReductionAccumulator> partials;
  std::vector<OrderedStatement> orderedStatements; ///< at most one each
  std::vector<CooperativeReduction> cooperativeReductions;
  std::vector<BatchedStrideLoop> rounds; ///< at most one per statement
  /// Statements with a barrier before and after them: lanes may read there
  /// what one of them has written.
  std::set<unsigned> fencedStatements;
  /// The barriers of shared loops order global memory, too.
  bool ordersMemory = false;
  /// Launches in which a loop runs fewer iterations, or with fewer work-items,
  /// keep the original body.
  std::map<unsigned, unsigned> minIterations;
  /// The same of statements that are a loop in steps of the launch's size.
  std::map<unsigned, unsigned> minStrideIterations;
  uint64_t minWorkItems = 0;
  /// The dimension along which work-items that are launched side by side lie
  /// side by side.
  unsigned fastest = 0;
  /// Work-items of a group that the new code needs to pay; 0: any number.
  unsigned minGroupSize = 0;
  /// Groups of so many work-items have better code; 0: none have.
  unsigned groupsBelow = 0;
  /// Indices into KernelModel::assumptions that the steps relied on.
  std::set<unsigned> usedAssumptions;
  /// Pairs of arrays (smaller index first) that must not overlap at run time.
  std::set<std::pair<unsigned, unsigned>> disjointArrays;
  /// Arrays whose strided or reversed vector loads are done wide and permuted.
  std::set<unsigned> registerLayouts;
  /// Arrays whose rows get pointers in front of the loops that walk along them.
  std::set<unsigned> rowPointers;
  /// Load width in elements for vectors, 0: the same as the compute width.
  unsigned loadLanes = 0;
  /// Select atoms that take one and the same branch (true: the first) in the
  /// tiles of the fast version.
  std::map<SymbolId, bool> selections;
  /// Expressions of which one operand is the value, under `selections`.
  std::map<const Expr *, ExprRef> replacements;
  /// Vector accesses to these arrays go through aligned vectors; a guard checks
  /// that the arrays begin at a multiple of `work[].lanes` elements, and that
  /// the arguments of `multiples` are such multiples.
  std::set<unsigned> alignedArrays;
  std::set<SymbolId> multiples;
  /// Upper bound on isl operations per step; 0: none.
  uint64_t operationsPerStep = 0;
  /// One line per step for the comment in the output.
  std::vector<std::string> comments;
  /// What launches run that the guard refuses; null: the author's text. Steps
  /// are for the last one.
  std::shared_ptr<const TransformedKernel> otherwise;

  /// True when virtual work-items do more than one logical one.
  bool isTiled() const;
  /// True when one group does the work of several: the kernel uses ids within
  /// its groups, and `points` of a dimension counts groups.
  bool mergesGroups() const;
  /// True when lanes are neighbouring ids of a group: the kernel uses ids
  /// within its groups, the first work-item of every `lanes` does their work,
  /// and the others come to the barriers.
  bool hasGroupLanes() const;
  /// True when groups are those of the launch, as the kernel's own ids in them
  /// are: some of them are merged, or work-items have lanes in them.
  bool keepsGroups() const { return mergesGroups() || hasGroupLanes(); }
  /// True when virtual work-items differ from the launched ones.
  bool isVirtual() const;
  /// True when statements run as vectors, along whatever axis.
  bool hasLanes() const;
  /// True when several work-items of a group do one logical one.
  bool sharesWork() const { return !cooperativeReductions.empty(); }
  /// True when there is a fast version for tiles whose work-items agree.
  bool hasFastTiles() const { return isTiled() || !selections.empty(); }
  /// Kernels whose work-items do little: launching the groups that return at
  /// once, and the guard itself, cost as much as the work. Every n-th group
  /// works, instead of the first ones, and guards are made cheap. n, a power of
  /// two, or 1.
  unsigned groupStride() const;
  /// True when the work-items of a group share a tile of logical ones.
  bool isGrouped() const;
  /// The dimension along which the number of a group's work-items is what the
  /// launch gives, or nothing when no dimension has several.
  std::optional<unsigned> adaptiveDimension() const;
  /// What the lanes of the loop take apart of the array, or null.
  const ReductionAccumulator *partialOf(unsigned loop, unsigned array) const;
  /// The padding of an array, or null.
  const LocalPadding *paddingOf(unsigned array) const;
  /// The rounds in which the statement is done, or null.
  const BatchedStrideLoop *roundsOf(unsigned statement) const;
  /// Tiles with copies in the tree, and the others.
  auto registers() const {
    return llvm::make_filter_range(
        tiles, [](const ArrayTile &tile) { return tile.inTree; });
  }
  auto sections() const {
    return llvm::make_filter_range(
        tiles, [](const ArrayTile &tile) { return !tile.inTree; });
  }
  /// The tile that the access goes to instead of memory; nothing, or null where
  /// it has no copies in the tree.
  std::optional<unsigned> tileOf(unsigned access) const;
  const ArrayTile *registersOf(unsigned access) const;
  /// The layout of one of the author's own local arrays, or null.
  const LocalLayout *layoutOf(unsigned array) const;
  /// True for two arrays that never overlap where the new code runs.
  bool areApart(unsigned first, unsigned second) const;
};

/// Stable text for `--dump-tree`, `--print-after` and tests.
std::string printTree(const TransformedKernel &kernel);

/// The variable that the program sets to the global id of `dim` and to nothing
/// else, or null; the variable of the loop when the dimension is mapped.
const Variable *idVariable(const KernelModel &model, unsigned dim);

/// Arrays in memory that the kernel writes.
std::set<unsigned> writtenArrays(const KernelModel &model);

/// True when the two arrays can never share memory.
bool areDisjoint(const KernelModel &model, unsigned first, unsigned second);

} // namespace clopt

#endif // CLOPT_MODEL_TRANSFORMEDKERNEL_H
