//===- LaneFlow.h - strides of subscripts the model has no value for -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grid-stride loop, `for (i = get_global_id(0); i < n; i += total)`, has no
// affine model: i is not a coordinate. Yet neighbours that run in lockstep are
// always one apart. This follows private variables through their definitions
// and asks only for the difference between neighbours.
//
// Tested by test/unit/AccessSummaryTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_LANEFLOW_H
#define CLOPT_ANALYSIS_LANEFLOW_H

#include "Model/KernelModel.h"

#include <optional>

namespace clopt {

/// Elements between the addresses of neighbours along `axis` in the same
/// iteration of every loop, for an access `base[index]` whose offset the model
/// does not know; nothing when that is not the same for all neighbours.
std::optional<Polynomial> lockstepStride(const KernelModel &model,
                                         const Access &access, SymbolId axis);

} // namespace clopt

#endif // CLOPT_ANALYSIS_LANEFLOW_H
