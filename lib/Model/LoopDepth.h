//===- LoopDepth.h - how many loops are around each other -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/OperationBudgetTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_LOOPDEPTH_H
#define CLOPT_MODEL_LOOPDEPTH_H

#include "Model/Expr.h"

namespace clopt {

/// Of the deepest nest in the statement; it may be null.
unsigned loopDepth(const Stmt *stmt);

} // namespace clopt

#endif // CLOPT_MODEL_LOOPDEPTH_H
