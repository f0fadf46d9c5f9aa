//===- Updates.h - updates within expressions -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `s += f[k++] * a[i];` as `s += f[k] * a[i]; k += 1;`, so that what a
// statement does to a variable is a statement by itself: copies of the first
// for several work-items share the second.
//
// Tested by test/unit/UpdatesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_UPDATES_H
#define CLOPT_FRONTEND_UPDATES_H

#include "Model/Expr.h"

namespace clopt {

/// `x++` and `--x` of an integer variable, whose value nobody uses, as `x += 1`
/// and `x -= 1`; all else as it is.
ExprRef asSum(const ExprRef &step);

/// Gives every update within an expression of Function::body a statement of its
/// own where the order tells nothing: it happens whenever the statement runs,
/// and the variable is a private scalar that the statement names once.
/// Function::written keeps the body as it was. Needs Variable::addressTaken.
void separateUpdates(Function &function);

} // namespace clopt

#endif // CLOPT_FRONTEND_UPDATES_H
