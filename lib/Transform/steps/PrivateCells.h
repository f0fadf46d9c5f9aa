//===- PrivateCells.h - cells of registers ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the steps that make and move private copies share.
//
// Tested by test/unit/PrivatizeTest.cpp, test/unit/MapTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_PRIVATECELLS_H
#define CLOPT_TRANSFORM_PRIVATECELLS_H

#include "Transform/Steps.h"

namespace clopt {

/// { Copy[w, outer, cell] } of { Region[w, outer] -> A[s] }, cell = s - base;
/// w and outer are the coordinates of `copy`.
isl::set cellsOfCopy(const KernelModel &model, const ArrayTile &copy,
                     isl::map cells);

/// Lets the copy load `exposed`, { Region[w, outer] -> A[s] }: only what the
/// original touches for certain.
StepResult loadCells(const KernelModel &model, ArrayTile &copy,
                     const isl::map &exposed);

} // namespace clopt

#endif // CLOPT_TRANSFORM_PRIVATECELLS_H
