//===- Operations.h - work that isl has done --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl stops with an error when a context has done more operations than it may.
// The same input takes the same operations everywhere, which is why work is
// limited and counted in them.
//
// Tested by test/unit/OperationBudgetTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_OPERATIONS_H
#define CLOPT_MODEL_OPERATIONS_H

#include <isl/cpp.h>
#include <isl/ctx.h>

#include <cstdint>

namespace clopt {

/// What the context has done since its operations were reset last, and the few
/// that asking takes. Forgets the context's last error.
uint64_t operationsDone(isl_ctx *context);

/// While it lives, the context may do `most` further operations, and never
/// more than it could before. 0 adds no limit.
class OperationLimit {
public:
  OperationLimit(isl_ctx *limited, uint64_t most);
  OperationLimit(const OperationLimit &) = delete;
  OperationLimit &operator=(const OperationLimit &) = delete;
  ~OperationLimit();

private:
  isl_ctx *context;
  const unsigned long outer;
};

/// Makes the map a part of the union, in place: `unite` copies the union first.
void addTo(isl::union_map &all, const isl::map &part);

/// The box around the values of { [...] -> [...] }, by whatever surrounds them.
/// Takes the operations that it needs: isl does not survive their end in there.
isl::fixed_box rangeBox(const isl::map &map);

} // namespace clopt

#endif // CLOPT_MODEL_OPERATIONS_H
