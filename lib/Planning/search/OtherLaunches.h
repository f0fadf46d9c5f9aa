//===- OtherLaunches.h - launches that a plan is not for --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/OtherLaunchesTest.cpp, test/lit/planner.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_OTHERLAUNCHES_H
#define CLOPT_PLANNING_OTHERLAUNCHES_H

#include "Model/TransformedKernel.h"
#include "Target/DeviceProfile.h"
#include "clopt/Recipe.h"

#include <vector>

namespace clopt {

/// `otherwise` and the steps for launches that are too small for `kernel`,
/// which `steps` have made: groups for its tiles, batches for its blocks. Empty
/// where there is nothing to gain, or no such launch.
std::vector<Step> stepsForOtherLaunches(const TransformedKernel &kernel,
                                        const std::vector<Step> &steps,
                                        const DeviceProfile &profile);

} // namespace clopt

#endif // CLOPT_PLANNING_OTHERLAUNCHES_H
