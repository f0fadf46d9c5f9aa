//===- Inductions.h - variables that count along with a loop ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `p = b + x; for (k = 0; k < n; k++) { s += a[k] * *p; p += w; }` as
// `p = b + x; for (k = 0; k < n; k++) s += a[k] * p[(long)k * w];`: variables
// that move by the same amount in every iteration keep the value that they have
// ahead of the loop, and its counter says how far they would be. Work-items and
// iterations that run together need no copies of them then.
//
// This is induction variable substitution, as in M. Wolfe, High Performance
// Compilers for Parallel Computing.
//
// Tested by test/unit/InductionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_INDUCTIONS_H
#define CLOPT_FRONTEND_INDUCTIONS_H

#include "Model/Expr.h"

namespace clopt {

/// Substitutes such variables in the loops of Function::body that count by one,
/// where nobody reads them after the loop. Function::written keeps the body as
/// it was. Needs Variable::addressTaken, and updates that stand by themselves
/// (Updates.h).
void substituteInductions(Function &function);

} // namespace clopt

#endif // CLOPT_FRONTEND_INDUCTIONS_H
