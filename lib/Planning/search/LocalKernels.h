//===- LocalKernels.h - steps for kernels that keep their groups -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with local memory and barriers are the work of somebody who thought
// about groups already. What is left to do for them: banks of local memory that
// serve one work-item at a time, and short loops over a tile.
//
// Tested by test/unit/LocalKernelsTest.cpp, test/lit/planner.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_LOCALKERNELS_H
#define CLOPT_PLANNING_LOCALKERNELS_H

#include "Model/TransformedKernel.h"
#include "Target/DeviceProfile.h"
#include "clopt/Options.h"
#include "clopt/Recipe.h"

#include <vector>

namespace clopt {

/// `pad` for local arrays whose accesses then take fewer turns, as long as as
/// many groups as before fit a compute unit. May throw isl::exception.
std::vector<Step> paddingSteps(const TransformedKernel &kernel,
                               const DeviceProfile &profile);

/// `layout` for local arrays of which no more bytes are needed so that accesses
/// take fewer turns: planes of components for vectors, rows as columns where
/// padding does not do as well. May throw isl::exception.
std::vector<Step> localLayoutSteps(const TransformedKernel &kernel,
                                   const DeviceProfile &profile);

/// `unroll` for innermost loops over local memory.
std::vector<Step> tileLoopSteps(const TransformedKernel &kernel,
                                const DeviceProfile &profile);

/// `coarsen` of groups whose local arrays hold the same cells, or that load
/// much of what they read alike.
std::vector<Step> mergingSteps(const TransformedKernel &kernel,
                               const DeviceProfile &profile, AliasMode alias);

/// False for local arrays that the loop only reads, or whose cells other
/// work-items write during the loop: registers would gain nothing.
bool mayKeepCells(const TransformedKernel &kernel, unsigned array,
                  unsigned loop);

} // namespace clopt

#endif // CLOPT_PLANNING_LOCALKERNELS_H
