//===- LoopOrder.h - which of two nested loops is the inner one -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an inner loop steps through memory row by row and the loop around it
// cell by cell, caches want it the other way round.
//
// Tested by test/unit/LoopOrderTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLANNING_LOOPORDER_H
#define CLOPT_PLANNING_LOOPORDER_H

#include "Target/DeviceProfile.h"
#include "Transform/Steps.h"
#include "clopt/Recipe.h"

#include <vector>

namespace clopt {

/// Takes the interchanges that are predicted to gain on the device, and returns
/// them. Nothing for devices whose work-items run side by side.
std::vector<Step> orderLoops(TransformedKernel &kernel,
                             const DeviceProfile &profile, AliasMode alias);

/// Blocks of two nested loops that are predicted to gain when they are taken
/// before the steps of the plan, which then still apply.
std::vector<Step> blockNests(const TransformedKernel &kernel,
                             const std::vector<Step> &plan,
                             const DeviceProfile &profile, AliasMode alias);

} // namespace clopt

#endif // CLOPT_PLANNING_LOOPORDER_H
