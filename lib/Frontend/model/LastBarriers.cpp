//===- LastBarriers.cpp - barriers with nothing behind them ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LastBarriersTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/LastBarriers.h"

#include "Frontend/model/ModelBuilderImpl.h"

#include <algorithm>

namespace clopt {

/// True for what does nothing by itself.
static bool isNothing(const StmtRef &stmt) {
  return !stmt || stmt->kind == StmtKind::Null ||
         (stmt->kind == StmtKind::Return && !stmt->expr) ||
         (stmt->kind == StmtKind::Decl && !stmt->expr);
}

/// The block without the barriers that it ends in.
static StmtRef withoutLast(const StmtRef &block) {
  auto result = std::make_shared<Stmt>(*block);
  for (auto at = result->children.rbegin(); at != result->children.rend();
       ++at) {
    StmtRef &child = *at;
    if (isNothing(child))
      continue;
    if (child->kind == StmtKind::Block) {
      child = withoutLast(child);
      if (!child->children.empty() &&
          !std::all_of(child->children.begin(), child->children.end(),
                       isNothing))
        break;
      continue;
    }
    if (child->kind != StmtKind::Barrier)
      break;
    auto none = std::make_shared<Stmt>();
    none->range = child->range;
    child = none;
  }
  return result;
}

void dropLastBarriers(Function &function) {
  if (!function.isKernel || function.hasGoto || !function.body ||
      function.body->kind != StmtKind::Block)
    return;
  unsigned before = 0, after = 0;
  auto count = [](const StmtRef &body, unsigned &barriers) {
    forEachStmt(body, [&](const StmtRef &stmt) {
      barriers += stmt->kind == StmtKind::Barrier;
    });
  };
  const StmtRef body = withoutLast(function.body);
  count(function.body, before);
  count(body, after);
  if (before == after)
    return;
  replaceBody(function, body);
}

} // namespace clopt
