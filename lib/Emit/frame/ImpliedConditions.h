//===- ImpliedConditions.h - tests that say nothing new ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `xx < 0` in an iteration at a border makes isl say all that follows from it:
// `x == 0 && i == -1`, but also where the tile and the launch begin. Such
// equations are left out.
//
// Tested by test/unit/RemainderLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_IMPLIEDCONDITIONS_H
#define CLOPT_EMIT_IMPLIEDCONDITIONS_H

#include "Emit/lower/Lowering.h"

namespace clopt {

/// Leaves out equations in conditions that follow from the rest of the
/// condition, from the loops and conditions around it and from `context`. { : }
void dropImplied(EmitNode &root, const isl::set &context);

} // namespace clopt

#endif // CLOPT_EMIT_IMPLIEDCONDITIONS_H
