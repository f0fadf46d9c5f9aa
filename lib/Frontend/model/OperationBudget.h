//===- OperationBudget.h - how much isl may compute -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl counts operations, whatever they work on. A row of constraints has a
// column for every loop, and a system has more rows with every loop, so one
// operation of a deep nest takes the time of many.
//
// Tested by test/unit/OperationBudgetTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_OPERATIONBUDGET_H
#define CLOPT_FRONTEND_OPERATIONBUDGET_H

#include "Model/KernelModel.h"

#include <cstdint>

namespace clopt {

/// Loops of the kernel that stand one inside the other, at most.
unsigned loopDepth(const Function &kernel);

/// How many times longer an operation takes where integers are divided:
/// quotients are unknowns of which isl looks for integers.
double quotientWeight(const Function &kernel);

/// The operations that `budget`, what the user allows for any kernel, leaves
/// for this one: all of them up to 12 loops deep, then (12 / depth)^2 of them,
/// and fewer where integers are divided, so that every kernel takes about as
/// long until it is given up. 0, no limit, stays 0.
uint64_t operationsFor(const Function &kernel, uint64_t budget);

} // namespace clopt

#endif // CLOPT_FRONTEND_OPERATIONBUDGET_H
