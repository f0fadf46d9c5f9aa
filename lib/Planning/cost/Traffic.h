//===- Traffic.h - what the accesses to an array cost -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Footprints and times of one array for each memory it could be in, as
// Placement needs them. A model of three things only: how often a work-item
// comes back to the array, how many requests that makes, and what a request
// takes in that memory. docs/internals/placement.md has the formulas.
//
// Tested by test/unit/TrafficTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_TRAFFIC_H
#define CLOPT_PLANNING_TRAFFIC_H

#include "Analysis/access/Selections.h"
#include "Model/TransformedKernel.h"
#include "Target/DeviceProfile.h"

#include <optional>

namespace clopt {

/// Work-items of the group that figures are for.
struct GroupShape {
  int64_t size[3] = {1, 1, 1};
  int64_t items() const { return size[0] * size[1] * size[2]; }
};

/// Cells are counted as the box around all references of one linear form.
struct ArrayTraffic {
  /// Cells that a group uses at once: during the tiles of the long loop that
  /// moves them, or all along if no loop does. Nothing: not known before the
  /// kernel runs.
  std::optional<int64_t> groupCells;
  /// Cells of the whole launch; nothing when that depends on the launch.
  std::optional<int64_t> launchCells;
  /// Iterations of a tile of the long loop; 0: there is none.
  unsigned tile = 0;
  double runs = 0; ///< accesses of one work-item
  /// Clocks that one work-item's accesses take, as if none overlapped. `local`
  /// has the copy and the barriers.
  double global = 0, constant = 0, local = 0, image = 0;
};

/// What choices within subscripts come to away from borders: what the step
/// `select` makes of them, where it may be taken.
Selections interiorOf(const TransformedKernel &kernel);

class TrafficModel {
public:
  /// The figures are for the device's usual group, or the known local size.
  TrafficModel(const TransformedKernel &kernel, const DeviceProfile &profile);

  const GroupShape &group() const { return shape; }
  /// `maxBytes`: tiles of a long loop are as long as fits this, per array.
  ArrayTraffic traffic(unsigned array, int64_t maxBytes) const;
  /// Clocks of one work-item's accesses when the array stays where it is.
  double inGlobalMemory(const Access &access) const;
  /// How often a work-item performs the access.
  double runs(const Access &access) const;
  double runs(const Statement &statement) const;
  /// How often a work-item begins the loop, or the kernel.
  double repetitions(std::optional<unsigned> loop) const;

private:
  std::optional<int64_t> tripCount(unsigned loop) const;
  double trips(unsigned loop) const;
  bool isLong(unsigned loop) const;
  std::vector<Polynomial> subscripts(const Access &access) const;
  std::optional<unsigned> movingLoop(const Access &access) const;
  std::optional<int64_t> span(const Polynomial &poly,
                              const std::map<SymbolId, int64_t> &spans) const;
  std::optional<int64_t>
  symbolSpan(SymbolId symbol, const std::map<SymbolId, int64_t> &spans) const;
  std::map<SymbolId, int64_t> spansOf(const Access &access, bool ofLaunch,
                                      unsigned tile) const;
  std::optional<int64_t> cells(unsigned array, bool ofLaunch, unsigned tile,
                               bool onlyMoved) const;
  std::optional<int64_t> groupCells(unsigned array) const;
  double turns(const Access &access) const;
  double coldShare(const Access &access) const;
  double runsIn(unsigned array) const;
  double words(unsigned array) const;
  double longTrips(const Access &access) const;
  double copies(unsigned array, unsigned tile) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  const DeviceProfile &profile;
  GroupShape shape;
  Selections interior; ///< choices away from borders
  std::optional<SymbolId> axis;
  /// What is asked for every access again and takes long to find.
  mutable std::map<unsigned, std::optional<int64_t>> tripCounts, groupSections;
};

} // namespace clopt

#endif // CLOPT_PLANNING_TRAFFIC_H
