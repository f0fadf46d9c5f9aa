//===- Control.cpp - loops and jumps of statements ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ControlTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/Control.h"

#include <algorithm>

namespace clopt {

bool isLoop(const Stmt &stmt) {
  return stmt.kind == StmtKind::For || stmt.kind == StmtKind::While ||
         stmt.kind == StmtKind::Do;
}

unsigned loopDepth(const Stmt *stmt) {
  if (!stmt)
    return 0;
  unsigned inside =
      std::max(loopDepth(stmt->body.get()), loopDepth(stmt->elseBody.get()));
  for (const StmtRef &child : stmt->children)
    inside = std::max(inside, loopDepth(child.get()));
  return inside + isLoop(*stmt);
}

static void collectLeaves(const StmtRef &stmt, bool isInsideLoop,
                          bool isInsideSwitch, Leaves &leaves) {
  if (!stmt)
    return;
  switch (stmt->kind) {
  case StmtKind::Break:
    leaves.byBreak |= !isInsideLoop && !isInsideSwitch;
    return;
  case StmtKind::Continue:
    leaves.byContinue |= !isInsideLoop;
    return;
  case StmtKind::Return:
    leaves.byReturn = true;
    return;
  default:
    isInsideLoop |= isLoop(*stmt);
    isInsideSwitch |= stmt->kind == StmtKind::Switch;
  }
  for (const StmtRef &child : stmt->children)
    collectLeaves(child, isInsideLoop, isInsideSwitch, leaves);
  collectLeaves(stmt->body, isInsideLoop, isInsideSwitch, leaves);
  collectLeaves(stmt->elseBody, isInsideLoop, isInsideSwitch, leaves);
}

Leaves leavesOf(const StmtRef &stmt) {
  Leaves leaves;
  collectLeaves(stmt, false, false, leaves);
  return leaves;
}

bool containsBarrier(const StmtRef &stmt) {
  bool found = false;
  forEachStmt(stmt, [&](const StmtRef &inner) {
    found |= inner->kind == StmtKind::Barrier;
  });
  forEachExpr(stmt, [&](const ExprRef &inner) {
    found |=
        inner->kind == ExprKind::Call && inner->effect == CallEffect::Barrier;
  });
  return found;
}

} // namespace clopt
