//===- OperationBudget.cpp - how much isl may compute ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/OperationBudgetTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/OperationBudget.h"

#include "Model/Control.h"

#include <algorithm>

namespace clopt {

/// Real kernels have fewer loops around anything.
static constexpr uint64_t plainDepth = 12;

unsigned loopDepth(const Function &kernel) {
  return loopDepth(kernel.body.get());
}

/// Divisions that double the time of an operation. (Pooling of 3 x 3 with flat
/// ids, which divides them five times: 4 seconds for two million operations.)
static constexpr double doublingQuotients = 4;

double quotientWeight(const Function &kernel) {
  unsigned quotients = 0;
  forEachExpr(kernel.body, [&](const ExprRef &expr) {
    quotients += expr->kind == ExprKind::Binary && expr->type.isInteger() &&
                 (expr->op == Op::Div || expr->op == Op::Rem);
  });
  return 1 + quotients / doublingQuotients;
}

uint64_t operationsFor(const Function &kernel, uint64_t budget) {
  if (budget == 0)
    return budget;
  const double depth =
      static_cast<double>(std::max<uint64_t>(loopDepth(kernel), plainDepth)) /
      plainDepth;
  const double weight = depth * depth * quotientWeight(kernel);
  // At least one: 0 would be no limit.
  return std::max<uint64_t>(
      1, static_cast<uint64_t>(static_cast<double>(budget) / weight));
}

} // namespace clopt
