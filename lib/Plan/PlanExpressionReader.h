//===- PlanExpressionReader.h - texts of expressions ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use by PlanExpression.cpp and CompiledPlan.cpp only.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_PLAN_PLANEXPRESSIONREADER_H
#define CLOPT_PLAN_PLANEXPRESSIONREADER_H

#include "Plan/PlanExpression.h"

namespace clopt {

/// A type that casts may name.
struct PlanScalar {
  const char *name;
  unsigned bytes;
  bool isUnsigned;
};

/// None for other names.
const PlanScalar *findPlanScalar(const std::string &name);

/// Throws PlanExpressionError.
std::shared_ptr<const PlanNode> readPlanExpression(const std::string &text);

} // namespace clopt

#endif // CLOPT_PLAN_PLANEXPRESSIONREADER_H
