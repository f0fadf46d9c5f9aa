//===- KeptCells.h - which accesses go to memory ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers and sections in local memory belong to accesses, not to arrays: an
// array may have several, each for some of its accesses, and what no step has
// taken goes to memory. Copies of one array go together where nobody could see
// the one behind what the other has: while nothing writes the array, or one
// after the other.
//
// Tested by test/unit/KeptCellsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_KEPTCELLS_H
#define CLOPT_TRANSFORM_KEPTCELLS_H

#include "Transform/Steps.h"

namespace clopt {

/// Why a region has no access to the array that a copy could be for.
Refusal nothingToKeep(const TransformedKernel &kernel, unsigned array,
                      const ScheduleNode &region);

/// Why there can be no copy of the array's cells over the region beside the
/// copies that there are. `byGroup`: other work-items fill it and write it
/// back, which is in no order with what this one does.
StepResult fitsOtherCopies(const TransformedKernel &kernel, unsigned array,
                           const ScheduleNode &region, bool byGroup);

/// The cells are those of the array's dimensions only if the assumptions on its
/// subscripts hold, and what is written to the others is elsewhere.
StepResult requireOwnCells(TransformedKernel &kernel, unsigned array,
                           std::set<unsigned> others, AliasMode alias);

} // namespace clopt

#endif // CLOPT_TRANSFORM_KEPTCELLS_H
