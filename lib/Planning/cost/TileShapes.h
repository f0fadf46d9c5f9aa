//===- TileShapes.h - sections that work-items do not wait for --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the rows, the padding and the planes of the sections that a plan
// stages, by the turns that a tile takes.
//
// Source: M. Fang: evaluation and applications of heterogeneous GPU systems,
// thesis, 2017, section 3.3 (narrow cells: whole words apart, or transposed);
// Jia H., Zhang Y., Xu J.: OpenCL image integral optimization, 2012 (vectors:
// planes of components).
//
// Tested by test/unit/GroupPlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_TILESHAPES_H
#define CLOPT_PLANNING_TILESHAPES_H

#include "Planning/search/Planner.h"

#include <vector>

namespace clopt {

/// Changes the `steps` that made `kernel` of `start` where another shape of a
/// section with cells that are no single words takes fewer turns, and sections
/// take at most `maxBytes` of local memory, or as many as before.
void reshapeTiles(const TransformedKernel &start, const DeviceProfile &profile,
                  AliasMode alias, int64_t maxBytes, TransformedKernel &kernel,
                  std::vector<Step> &steps);

} // namespace clopt

#endif // CLOPT_PLANNING_TILESHAPES_H
