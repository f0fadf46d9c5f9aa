//===- GridLoops.h - loops that all work-items go through together -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grid-stride loop, `for (i = id; i < n; i += get_global_size(0))`, visits
// every value from the first id on once, whatever the size of the launch: a
// dimension of n work-items. That is so when what a work-item does depends on
// its id through the iterator alone and nothing goes from one iteration to the
// next. This asks the statement tree; memory is compared in the model.
//
// Tested by test/unit/GridLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_GRIDLOOPS_H
#define CLOPT_FRONTEND_GRIDLOOPS_H

#include "Model/Expr.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace clopt {

/// One of the loops.
struct GridLoopForm {
  unsigned dim = 0; ///< its step is get_global_size(dim)
  const Variable *iterator = nullptr;
};
using GridLoopForms = std::map<const Stmt *, GridLoopForm>;

struct GridLoopCheck {
  /// Why the loops are none of this kind; empty when they are.
  std::string problem;
  /// Statements that only prepare the first value, `int gid = get_global_id(0)`
  std::set<const Stmt *> dropped;
};

/// Whether all the loops together can be dimensions of the NDRange.
GridLoopCheck checkGridLoops(const Function &kernel,
                             const GridLoopForms &loops);

} // namespace clopt

#endif // CLOPT_FRONTEND_GRIDLOOPS_H
