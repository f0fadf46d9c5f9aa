//===- TripCount.h - how often a loop runs ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RequireTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_TRIPCOUNT_H
#define CLOPT_ANALYSIS_TRIPCOUNT_H

#include "Model/KernelModel.h"

#include <optional>

namespace clopt {

/// { : the first and the last iteration of the loop are count - 1 iterations
/// apart or more }, over all work-items and outer iterations of a launch. All
/// parameter values when the loop always runs so often, none when it never
/// does; nothing when its bounds depend on data or on what isl cannot say.
std::optional<isl::set> runsAtLeast(const KernelModel &model, unsigned loop,
                                    int64_t count);

/// True when the loop, which counts up by one, runs a multiple of this many
/// times in every launch, whatever work-item and outer iteration runs it.
bool runsMultipleOf(const KernelModel &model, unsigned loop, int64_t count);

} // namespace clopt

#endif // CLOPT_ANALYSIS_TRIPCOUNT_H
