//===- PlannerImpl.h - facts and a device profile to a recipe ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use by Planner.cpp and RegisterBlocks.cpp only.
//
// Tested by test/unit/PlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_PLANNERIMPL_H
#define CLOPT_PLANNING_PLANNERIMPL_H

#include "Analysis/access/Selections.h"
#include "Planning/cost/SharedCost.h"
#include "Planning/search/Planner.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clopt {

class Divergence;

/// Bytes of the narrowest cells that processors gather and scatter.
constexpr unsigned narrowestWord = 4;
/// Longest stride that pays to load whole and permute.
constexpr int64_t longestStride = 4;

/// True when a loop counts cells of a private array, and not all work-items run
/// all of it: as one of several work-items' copies, such an array would have no
/// registers. A product whose sums are in an array ran at 0.17 on an H100.
bool losesRegisters(const KernelModel &model);

/// `name target:count`
Step makeStep(const std::string &name, const std::string &target,
              std::optional<int64_t> count = std::nullopt);

class Planner {
public:
  /// `within`: lanes are ids within groups along this dimension, and along no
  /// other axis.
  Planner(const TransformedKernel &start, const DeviceProfile &deviceProfile,
          AliasMode aliasMode, std::optional<unsigned> within = std::nullopt)
      : kernel(start), model(*start.model), profile(deviceProfile),
        alias(aliasMode), groupDim(within) {}
  Plan run();
  /// What these lanes cost, of scalar code; 1 where there are none.
  double costOfGroupLanes() const;
  /// Lanes along a loop around others; nothing where they do not pay.
  std::optional<Plan> runLoopBlocks();

private:
  struct Axis {
    std::string name;
    SymbolId symbol = 0;
    int64_t step = 1;
    std::optional<unsigned> dim, loop;
    unsigned lanes = 1;
    double cost = 1;
  };

  bool take(const Step &step, bool report = true);
  Polynomial offsetOf(const Access &access) const;
  bool isReadAgain(unsigned array, unsigned loop) const;
  void privatizeArrays();
  bool dependsOnIds(SymbolId choice, std::optional<unsigned> dim) const;
  bool isChosenByItems(const Access &access) const;
  bool isChosenByLanes(const Access &access) const;
  std::set<unsigned> loadedByChoice() const;
  void selectChoices();
  /// Iterations of all loops around it, where they are known.
  std::optional<int64_t> runsOf(const Statement &statement) const;
  /// Most iterations of all loops around a statement in a kernel that only
  /// moves its operands.
  static constexpr int64_t fewIterations = 32;
  /// True when no statement runs more often.
  bool hasShortLoops(int64_t most = fewIterations) const;
  bool isLight() const;
  /// Operations per access to memory up to which requests decide.
  static constexpr double fewOperations = 1.25;
  /// True when a work-item has few operations for every access. With many,
  /// requests are not what it waits for, and the work-items that have no work
  /// left still cost their start: medians of 3 x 3 bytes with 4 operations per
  /// access ran at 0.85 on an H100, edges with 1.5 at 0.94 to 0.99, sums of
  /// columns with 1 at 1.35.
  bool mostlyMoves(double most = fewOperations) const;
  unsigned lanesOfRequests() const;
  void widenRequests();
  void requireFullDevice(unsigned points);
  bool combinesMoreThanItSaves(const Axis &axis) const;
  bool isAlongOrFixed(const Access &access, unsigned loop) const;
  bool updatesRow(unsigned loop) const;
  bool callsIn(unsigned loop) const;
  bool mapsRow(unsigned loop) const;
  bool compilersTakeApart(unsigned loop, bool integers) const;
  bool addsProductsOfIntegers(unsigned loop) const;
  bool countsAlong(unsigned loop) const;
  bool addsRowsApart(const Axis &axis) const;
  bool areRowsApart(const Access &access, unsigned loop, SymbolId lane) const;
  bool readsRowsOfItsOwn() const;
  bool hasNarrowCellsApart() const;
  bool choosesCellsSideBySide() const;
  bool takesVectorsApart() const;
  unsigned dimensionAcross() const;
  bool vectorizeAcross();
  bool isLeftScalar() const;
  bool hasLostBarriers() const;
  bool isStraightLine() const;
  void vectorizeBestAxis();
  void permuteLayouts(const Axis &axis);
  void pointToRows(const Axis &axis);
  std::vector<unsigned> dimensionsForBlocks() const;
  unsigned registersOfSums(unsigned points) const;
  int64_t mostIterations() const;
  bool isLong() const;
  bool hasEqualBounds(unsigned loop) const;
  struct Window {
    int64_t trips, rows;
  };
  std::optional<Window> windowIn(const Access &access, SymbolId id,
                                 unsigned loop) const;
  double overlap(const Access &access, SymbolId id, unsigned points) const;
  bool hasWindow(SymbolId id, unsigned points) const;
  int64_t iterationsOfWindows() const;
  bool hasSquareWindows() const;
  bool areWindowsLong() const;
  bool jumpsBetweenLanes(const Access &access, SymbolId lane) const;
  bool readsRowOfVectors(const Access &access) const;
  double costOfStore(const Access &access) const;
  double gainOfBlock(SymbolId id, unsigned points) const;
  double shareOfBlock(unsigned dim, unsigned points) const;
  void requireIterations(unsigned loop, int64_t least, bool inNests);
  void requireWork(unsigned points, bool inNests);
  void requireRounds();
  void writeOutWindows();
  bool isMostlyWhole() const;
  bool hasRowsPerLane(SymbolId id) const;
  void coarsenReusedDimensions();
  double gainOfJam(unsigned loop, unsigned lanes) const;
  double gainOfJam(const LaneAxis &axis, std::optional<unsigned> loop,
                   const SharedCost::Counting &counting = operationsOf) const;
  bool jamItems();
  bool movesOfItsOwnInLoops() const;
  void shareLoadsOfNeighbours();
  bool gathersInWholeLoops(unsigned loop) const;
  unsigned lanesOfJam(unsigned loop) const;
  bool isAroundLoops(unsigned loop) const;
  bool isWrittenOutByCompilers(unsigned loop) const;
  void writeOutInside(unsigned loop);
  bool hasKnownWindows(unsigned loop) const;
  bool jamLoops();
  void unrollShortLoops();
  void writeOutLoops();
  std::optional<std::set<unsigned>> columnsOf(unsigned loop) const;
  bool takeAhead(unsigned loop, const std::set<unsigned> &arrays,
                 unsigned iterations);
  void loadAhead();
  void keepGroups();
  void reduceIndices();
  double requestsAlong(unsigned dim, const Selections &interior) const;
  void exchangeDimensions();
  bool loopsBetweenBarriers(SymbolId id) const;
  void requireGroup();
  std::vector<Axis> axes() const;
  bool isOneForAll(const Access &access, const Axis &axis) const;
  bool asksAnyLane(const Statement &statement,
                   const Divergence &divergence) const;
  bool isTakenApartInLanes(const Statement &statement,
                           const Divergence &divergence) const;
  bool loadsByChoice(const Statement &statement,
                     const Divergence &divergence) const;
  bool onlyGathers(const Statement &statement, const Axis &axis,
                   const Divergence &divergence) const;
  double costAlong(const Axis &axis) const;
  std::vector<unsigned> loopsThatDiverge(const Axis &axis) const;
  std::vector<unsigned> loopsThatGather(const Axis &axis) const;
  double costOfAccess(const Access &access, const Axis &axis,
                      const Divergence &divergence, bool isShort) const;
  /// How much more often a loop body runs than what is around it.
  static constexpr double loopWeight = 16.0;
  bool isInside(const Access &access, const Axis &axis) const;
  bool walksAlong(const Access &access) const;
  bool walksFar(const Access &access) const;
  unsigned widestElement() const;
  unsigned preferredLanes() const;
  unsigned lanesOfItemsAlong(SymbolId id) const;
  unsigned lanesIn(unsigned loop) const;
  bool isInRegister(const Access &access) const;
  bool usesRegistersAsArray(unsigned loop) const;

  TransformedKernel kernel;
  const KernelModel &model;
  const DeviceProfile &profile;
  AliasMode alias;
  const std::optional<unsigned> groupDim;
  Plan plan;
};

} // namespace clopt

#endif // CLOPT_PLANNING_PLANNERIMPL_H
