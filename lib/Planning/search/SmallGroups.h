//===- SmallGroups.h - launches in groups of a few --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/SmallGroupsTest.cpp, test/lit/planner.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_SMALLGROUPS_H
#define CLOPT_PLANNING_SMALLGROUPS_H

#include "Model/TransformedKernel.h"
#include "Target/DeviceProfile.h"
#include "clopt/Recipe.h"

#include <vector>

namespace clopt {

/// `otherwise` and the steps for launches whose groups are too small for the
/// tiles of `kernel`, which `steps` have made; empty where there is nothing to
/// gain, or no such launch.
std::vector<Step> stepsForSmallGroups(const TransformedKernel &kernel,
                                      const std::vector<Step> &steps,
                                      const DeviceProfile &profile);

} // namespace clopt

#endif // CLOPT_PLANNING_SMALLGROUPS_H
