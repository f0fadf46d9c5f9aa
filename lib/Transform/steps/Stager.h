//===- Stager.h - which section of an array a region uses -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the sections of one array that a group, or one work-item, uses in a
// region, and why they cannot be kept elsewhere meanwhile. Stage.cpp says how.
//
// Tested by test/unit/StageTest.cpp and test/unit/StagePrivateTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_STAGER_H
#define CLOPT_TRANSFORM_STAGER_H

#include "Transform/Steps.h"

#include <map>

namespace clopt {

/// A subscript: what moves within the region, and the rest.
struct LinearPart {
  std::map<SymbolId, int64_t> moving;
  Polynomial rest; ///< without its constant
  int64_t constant = 0;
};

class Stager {
public:
  Stager(const TransformedKernel &transformed, unsigned arrayIndex,
         std::optional<unsigned> overLoop, bool privately = false)
      : kernel(transformed), model(*transformed.model), array(arrayIndex),
        loop(overLoop), isPrivate(privately),
        isNest(overLoop && pointLoop(*transformed.model, *overLoop) &&
               findLoop(transformed.tree, *overLoop)->tile == 0) {}

  StepResult collect();
  StepResult makeTiles();
  std::set<unsigned> others; ///< arrays that must not overlap this one
  std::vector<ArrayTile> tiles;

private:
  StepResult checkAccess(const Access &access) const;
  StepResult checkWorkItem(const ScheduleNode &region) const;
  StepResult findRanges(const ScheduleNode &region);
  bool findPoints(unsigned points, const std::vector<unsigned> &below);
  void findOthers(const ScheduleNode &region);
  std::optional<LinearPart> split(const Polynomial &subscript) const;
  StepResult addToGroup(unsigned access);
  StepResult makeTile(const std::vector<unsigned> &group);
  void joinTiles();
  StepResult makeDimension(ArrayTile &tile, unsigned dim,
                           const std::vector<unsigned> &group, int64_t &least,
                           int64_t &greatest) const;
  StepResult checkLanes(const ArrayTile &tile) const;
  bool runsEverywhere(const Access &access) const;
  int64_t turnedCells(unsigned id, unsigned dim) const;
  unsigned bestRow(unsigned access) const;
  int64_t lastCell(unsigned access, size_t dim) const;
  std::pair<unsigned, unsigned>
  extremes(const std::vector<unsigned> &group) const;
  bool movesWithLoop(unsigned access) const;
  bool writesAll(const ArrayTile &tile, unsigned access) const;
  bool writesOnce(unsigned access) const;
  // StageRecurrence.cpp
  StepResult checkRecurrence(ArrayTile &tile) const;
  // StageNest.cpp
  StepResult checkNest(ArrayTile &tile, unsigned first, unsigned last) const;
  StepResult checkUpdates(const std::vector<unsigned> &group) const;
  std::vector<TileRange> rangesOf(unsigned access) const;
  bool isWhole(unsigned access, const std::vector<TileRange> &box) const;
  bool meetsInTile(unsigned write, unsigned other) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  unsigned array;
  std::optional<unsigned> loop;
  bool isPrivate; ///< the section of one work-item, in registers
  bool isNest;    ///< the loop is one over tiles of nested loops
  bool isWritten = false;
  std::set<SymbolId> ids;
  std::set<SymbolId> inside;            ///< iterators of the region's loops
  std::map<SymbolId, TileRange> ranges; ///< of those with known ends
  std::map<unsigned, std::vector<LinearPart>> parts; ///< by access
  std::vector<std::vector<unsigned>> groups;
};

/// `stage`; `converted`: the sections hold the values that their cells are
/// converted to.
StepResult stageCells(TransformedKernel &kernel, unsigned array,
                      std::optional<unsigned> loop, unsigned pad,
                      AliasMode alias, bool converted);

/// The same around the tiles of the loop that suits the array.
StepResult stageArray(TransformedKernel &kernel, unsigned array, unsigned pad,
                      AliasMode alias, bool converted);

/// The innermost loop over tiles of nested loops whose iterations move what is
/// accessed of the array; nothing when there is none.
std::optional<unsigned> stagingNest(const TransformedKernel &kernel,
                                    unsigned array);

/// Lets the sections hold the values that their cells are converted to.
StepResult convertCells(const TransformedKernel &kernel,
                        std::vector<ArrayTile> &tiles);

} // namespace clopt

#endif // CLOPT_TRANSFORM_STAGER_H
