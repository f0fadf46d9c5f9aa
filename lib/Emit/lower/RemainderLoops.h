//===- RemainderLoops.h - where the iterations that are left over begin -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl begins the rest of a loop that runs in chunks at
// `max(s, s + f * floor((n - s) / f))`, for downward loops behind a condition.
// In C, whose `%` keeps the sign of its left operand, `n - (n - s) % f` is the
// same whenever an iteration is left, and past the end otherwise.
//
// Tested by test/unit/RemainderLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_REMAINDERLOOPS_H
#define CLOPT_EMIT_REMAINDERLOOPS_H

#include "Emit/lower/Lowering.h"

namespace clopt {

/// Rewrites the first values of loops, and leaves out conditions around them,
/// where the loops run the same iterations for all values in `context`.
/// { : } Loops that are not of this form are left alone.
void simplifyRests(EmitNode &root, const isl::set &context);

} // namespace clopt

#endif // CLOPT_EMIT_REMAINDERLOOPS_H
