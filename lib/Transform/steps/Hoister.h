//===- Hoister.h - what is read again, and where it can be kept -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use by the Hoist*.cpp of Transform only; Hoist.h is the interface. Cells:
// Hoist.cpp. Windows: HoistWindows.cpp. Values: HoistValues.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_HOISTER_H
#define CLOPT_TRANSFORM_HOISTER_H

#include "Transform/steps/Hoist.h"
#include "Transform/steps/KeptCells.h"

#include <map>

namespace clopt {

/// What a run of statements does that is in the way.
struct Region {
  std::set<unsigned> written; ///< arrays in memory
  bool hasBarrier = false;
};

/// Where the cells of an array keep their values (HoistRegions.cpp).
class HoistRegions {
public:
  HoistRegions(TransformedKernel &transformed, unsigned arrayIndex,
               AliasMode aliasMode)
      : kernel(transformed), model(*transformed.model), array(arrayIndex),
        alias(aliasMode) {}

  /// Adds what runs at and below `node`; refused when the array could then be
  /// written within the region.
  StepResult extend(Region &region, const ScheduleNode &node);
  /// The kernel relies on these arrays not overlapping this one.
  void requireUnwritten(const std::set<unsigned> &written);

private:
  StepResult extend(Region &region, const Statement &statement) const;
  StepResult isUnwritten(const std::set<unsigned> &written);

  TransformedKernel &kernel;
  const KernelModel &model;
  unsigned array;
  AliasMode alias;
  /// Why the array may overlap another one, for those asked about so far.
  std::map<unsigned, StepResult> overlaps;
};

/// One or more references to a cell, or to the cells of one window.
struct References {
  std::vector<unsigned> accesses;
  std::vector<Polynomial> subscripts; ///< of the cell; the first of the window
  int64_t cells = 1;
  unsigned dimension = 0; ///< along which the window lies
};

class Hoister {
public:
  Hoister(TransformedKernel &transformed, unsigned arrayIndex,
          AliasMode aliasMode)
      : kernel(transformed), model(*transformed.model), array(arrayIndex),
        regions(transformed, arrayIndex, aliasMode) {}

  StepResult run();

private:
  void collect();
  bool isUsable(const Access &access) const;

  // Single cells
  void placeCell(ScheduleNode &node, const References &cell);
  void placeInRuns(ScheduleNode &sequence, const References &cell);
  bool isFixedBelow(const ScheduleNode &node, const References &cell) const;
  bool pays(const ScheduleNode &sequence, size_t begin, size_t end,
            const std::vector<unsigned> &accesses) const;
  bool keepCell(ScheduleNode &sequence, size_t begin, size_t end,
                const References &cell, const Region &region);

  // Windows
  std::vector<References> rowsAlong(unsigned loop) const;
  bool hasGaps(const References &row) const;
  bool moveWindow(unsigned loop, const References &row);
  std::optional<int> stepAlong(unsigned loop, const Polynomial &poly) const;

  std::vector<unsigned> accessesBelow(const ScheduleNode &node,
                                      const std::vector<unsigned> &all) const;
  isl::set executedPrefix(unsigned access, unsigned count) const;
  ArrayTile makeCopy(const References &cells, unsigned coordinates) const;

  TransformedKernel &kernel;
  const KernelModel &model;
  unsigned array;
  HoistRegions regions;
  std::vector<unsigned> usable;
  std::vector<unsigned> around; ///< loops around the node that is looked at
  StepResult firstRefusal;
  bool done = false;
};

/// { Copy[prefix, cell...] : first <= cell along the window <= last }
isl::set windowCells(const isl::set &prefix, const References &row,
                     int64_t first, int64_t last);

} // namespace clopt

#endif // CLOPT_TRANSFORM_HOISTER_H
