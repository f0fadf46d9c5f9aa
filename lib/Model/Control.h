//===- Control.h - loops and jumps of statements ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ControlTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_CONTROL_H
#define CLOPT_MODEL_CONTROL_H

#include "Model/Expr.h"

namespace clopt {

bool isLoop(const Stmt &stmt);

/// How many loops are around each other, the statement itself counted.
unsigned loopDepth(const Stmt *stmt);

/// `break` or `continue` that leaves the statement, `return` anywhere.
struct Leaves {
  bool byBreak = false, byContinue = false, byReturn = false;
  bool any() const { return byBreak || byContinue || byReturn; }
};
Leaves leavesOf(const StmtRef &stmt);

/// True when work-items of a group wait for each other in the statement.
bool containsBarrier(const StmtRef &stmt);

} // namespace clopt

#endif // CLOPT_MODEL_CONTROL_H
