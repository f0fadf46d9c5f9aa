//===- Dependences.h - order that has to be kept ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel with a data race has no meaning, so between barriers only the order
// within one work-item matters. All relations here connect instances of the
// same work-item.
//
// Tested by test/unit/DependencesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_DEPENDENCES_H
#define CLOPT_ANALYSIS_DEPENDENCES_H

#include "Model/TransformedKernel.h"

#include <functional>
#include <string>
#include <vector>

namespace clopt {

/// Two references that must not change their order, and why.
struct Conflict {
  unsigned first = 0;  ///< index into KernelModel::accesses, executed earlier
  unsigned second = 0; ///< executed later
  enum class Kind { Flow, Anti, Output } kind = Kind::Flow;
  /// Lanes that run the statement of both one after the other keep the order.
  bool isInOrder = false;
};

/// The conflict of two accesses to a cell, at least one of them a write, of
/// which `first` is executed earlier.
Conflict conflictBetween(const Access &first, const Access &second);

/// What the lanes of a vectorized loop need to know.
struct LoopDependences {
  /// Dependences that lanes executed together would violate.
  std::vector<Conflict> violated;
  /// Pairs of arrays that are accessed in the loop, one of them written, and
  /// may overlap as far as the program text says.
  std::set<std::pair<unsigned, unsigned>> mayOverlap;
  /// Private arrays whose value flows from one iteration into a later one.
  std::set<unsigned> carriedPrivates;
  /// Private arrays written in the loop and read after it.
  std::set<unsigned> liveOut;
  /// Private arrays written in the loop of which it also reads, in another
  /// iteration, a value from before it.
  std::set<unsigned> enters;
  /// The same for arrays kept in registers; indices into the copies.
  std::set<unsigned> carriedCopies, liveOutCopies;
  /// Copies written in the loop of which some iteration leaves a cell alone:
  /// the last lane does not have the values of all cells.
  std::set<unsigned> partialCopies;
  /// A copy that begins and ends within one iteration: not supported together.
  std::optional<unsigned> innerCopy;
  /// First reference whose cells are unknown, if any.
  std::optional<unsigned> unknownAccess;
  /// First statement that is never moved, if any. Where it is a barrier or kept
  /// whole, all else is left empty: a loop with a fence is never changed.
  std::optional<unsigned> fence;
};

/// { S[w..., i...] -> [w..., time...] } the order of `tree`, all statements
/// padded to one length.
isl::union_map scheduleMap(const KernelModel &model, const ScheduleNode &tree);

/// What forbids executing `distance` consecutive iterations of `loop` in
/// lockstep, statement by statement. Accesses in `ignored` (those of arrays
/// that are kept in registers) count as private to the copy they belong to.
LoopDependences analyzeLoop(const KernelModel &model, const ScheduleNode &tree,
                            unsigned loop, int64_t distance,
                            const std::vector<ArrayTile> &copies);

/// The conflicts among accesses to one private array, or to registers of one
/// array, when it is one for all lanes of `distance` iterations of `loop`.
std::vector<Conflict> conflictsOfLanes(const KernelModel &model,
                                       const ScheduleNode &tree, unsigned loop,
                                       int64_t distance,
                                       const std::vector<unsigned> &accesses);

/// { S[w..., i...] -> T[w..., j...] } the instances of two references that
/// touch the same cell, where the first `alike` coordinates are the same.
isl::map meetings(const KernelModel &model, const Access &first,
                  const Access &second, unsigned alike);

/// True when the iterations or work-items along `axis` refer to different cells
/// among the registers of a copy: lanes have one.
bool cellsDifferAlong(const KernelModel &model, const ArrayTile &copy,
                      SymbolId axis);

/// { S[...] -> T[...] } the writes that reads may get their value from when
/// statements run in `order`, { S[...] -> [time...] }; the others are
/// { S[...] -> cell }, `mayWrites` those that may not happen.
isl::union_map possibleFlow(isl::union_map reads, isl::union_map writes,
                            isl::union_map mayWrites, isl::union_map order);

/// { S[w..., i...] -> T[w..., j...] } the writes that reads may get their value
/// from, for `accesses` of one private array or of one array's registers; each
/// work-item has cells of its own.
isl::union_map valueFlow(const KernelModel &model, const ScheduleNode &tree,
                         const std::vector<unsigned> &accesses);

/// The part from one statement to another, { S[...] -> T[...] }.
struct StatementFlow {
  isl::map map;
  unsigned from, to;
};
std::vector<StatementFlow> statementFlows(const KernelModel &model,
                                          const isl::union_map &flow);

/// Pairs of references among `accesses` of which one touches a cell at a value
/// of the work coordinate `axis` and the other, one of them a write, touches it
/// at a greater value, within one work-item as far as the other work
/// coordinates go. `isFree` says which pairs need no order.
std::vector<Conflict> conflictsAlong(
    const KernelModel &model, SymbolId axis,
    const std::vector<unsigned> &accesses,
    const std::function<bool(const Access &, const Access &)> &isFree);

/// Reads among `accesses` of one array that no write among them precedes
/// within the same instance of the region. `outer` is the number of leading
/// coordinates that name the instance; returns { Region[w, outer] -> A[s] }.
isl::map upwardExposed(const KernelModel &model, const ScheduleNode &tree,
                       const std::vector<unsigned> &accesses, unsigned outer);

/// { Region[w, outer...] -> A[s] } the cells of the accesses, with coordinates
/// past `outer` projected out.
isl::map regionFootprint(const KernelModel &model,
                         const std::vector<unsigned> &accesses, unsigned outer);

/// "the value written to `s[i]` (line 4) is read by `s[i - 1]` (line 4)".
std::string describe(const KernelModel &model, const Conflict &conflict);

/// The same for work-items that differ in any of the work coordinates `axes`,
/// the second one later in their lexicographic order.
std::vector<Conflict> conflictsAcross(const KernelModel &model,
                                      const std::vector<SymbolId> &axes,
                                      const std::vector<unsigned> &accesses);

} // namespace clopt

#endif // CLOPT_ANALYSIS_DEPENDENCES_H
