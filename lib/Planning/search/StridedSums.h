//===- StridedSums.h - rounds of sums over every n-th element ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a device gains from several iterations of such a loop at a time.
//
// Tested by test/unit/StridedSumsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_STRIDEDSUMS_H
#define CLOPT_PLANNING_STRIDEDSUMS_H

#include "Model/TransformedKernel.h"
#include "Target/DeviceProfile.h"
#include "clopt/Recipe.h"

#include <vector>

namespace clopt {

/// `rounds`, and what launches they are for.
std::vector<Step> strideSteps(const TransformedKernel &kernel,
                              const DeviceProfile &profile);

} // namespace clopt

#endif // CLOPT_PLANNING_STRIDEDSUMS_H
