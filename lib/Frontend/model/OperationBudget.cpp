//===- OperationBudget.cpp - how much isl may compute ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/OperationBudgetTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/OperationBudget.h"

#include "Model/LoopDepth.h"

#include <algorithm>

namespace clopt {

/// Real kernels have fewer loops around anything.
static constexpr uint64_t plainDepth = 12;

unsigned loopDepth(const Function &kernel) {
  return loopDepth(kernel.body.get());
}

uint64_t operationsFor(const Function &kernel, uint64_t budget) {
  const uint64_t depth = loopDepth(kernel);
  if (depth <= plainDepth || budget == 0)
    return budget;
  // At least one: 0 would be no limit.
  return std::max<uint64_t>(1,
                            budget / (depth * depth) * plainDepth * plainDepth);
}

} // namespace clopt
