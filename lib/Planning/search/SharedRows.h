//===- SharedRows.h - several work-items for a row --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/SharedRowsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_SHAREDROWS_H
#define CLOPT_PLANNING_SHAREDROWS_H

#include "Planning/search/Planner.h"

#include <vector>

namespace clopt {

/// Steps for a kernel of a launch plan whose NDRange has several work-items for
/// each of the application's, which share all its loops; none where loops go
/// along no rows, some loop cannot be shared, or the device has no lanes that
/// are served together.
std::vector<Step> stepsForSharedRows(const TransformedKernel &start,
                                     const DeviceProfile &profile,
                                     AliasMode alias);

} // namespace clopt

#endif // CLOPT_PLANNING_SHAREDROWS_H
