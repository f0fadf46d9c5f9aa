//===- LoopDepth.cpp - how many loops are around each other ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/OperationBudgetTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/LoopDepth.h"

#include <algorithm>

namespace clopt {

unsigned loopDepth(const Stmt *stmt) {
  if (!stmt)
    return 0;
  unsigned inside =
      std::max(loopDepth(stmt->body.get()), loopDepth(stmt->elseBody.get()));
  for (const StmtRef &child : stmt->children)
    inside = std::max(inside, loopDepth(child.get()));
  bool isLoop = stmt->kind == StmtKind::For || stmt->kind == StmtKind::While ||
                stmt->kind == StmtKind::Do;
  return inside + isLoop;
}

} // namespace clopt
