//===- Operations.cpp - work that isl has done ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/OperationBudgetTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/Operations.h"

#include <isl/val.h>

namespace clopt {

/// isl does not tell the number; but it refuses any value when that has reached
/// the limit.
uint64_t operationsDone(isl_ctx *context) {
  const unsigned long limit = isl_ctx_get_max_operations(context);
  auto isBelow = [&](unsigned long most) {
    isl_ctx_set_max_operations(context, most);
    isl_val *probe = isl_val_zero(context);
    const bool isMade = probe != nullptr;
    isl_val_free(probe);
    return isMade;
  };
  unsigned long done = 0, above = 1024;
  while (!isBelow(above)) {
    done = above;
    above *= 2;
  }
  while (above - done > 1) {
    const unsigned long middle = done + (above - done) / 2;
    (isBelow(middle) ? above : done) = middle;
  }
  isl_ctx_set_max_operations(context, limit);
  isl_ctx_reset_error(context);
  return done;
}

OperationLimit::OperationLimit(isl_ctx *limited, uint64_t most)
    : context(limited), outer(isl_ctx_get_max_operations(limited)) {
  if (most == 0)
    return;
  const uint64_t end = operationsDone(context) + most;
  if (outer == 0 || end < outer)
    isl_ctx_set_max_operations(context, end);
}

OperationLimit::~OperationLimit() {
  isl_ctx_reset_error(context);
  isl_ctx_set_max_operations(context, outer);
}

void addTo(isl::union_map &all, const isl::map &part) {
  all = isl::manage(
      isl_union_map_union(all.release(), isl_union_map_from_map(part.copy())));
}

isl::fixed_box rangeBox(const isl::map &map) {
  isl_ctx *context = isl_map_get_ctx(map.get());
  const unsigned long limit = isl_ctx_get_max_operations(context);
  isl_ctx_set_max_operations(context, 0);
  isl_fixed_box *box = isl_map_get_range_simple_fixed_box_hull(map.get());
  isl_ctx_set_max_operations(context, limit);
  return isl::manage(box);
}

} // namespace clopt
