//===- RelativeLoops.h - loops that count from an id ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `for (i = x - r; i <= x + r; i++) s += a[i];` with x an id as
// `for (i = -r; i <= r; i++) s += a[x + i];`: neighbouring work-items run the
// same iterations then, and can run them together. Borders stay what they are,
// `max(0, x - r)` is `max(0, x - r) - x`.
//
// Tested by test/unit/RelativeLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_RELATIVELOOPS_H
#define CLOPT_FRONTEND_RELATIVELOOPS_H

#include "Model/Expr.h"

namespace clopt {

/// Counts loops of Function::body from what their first value and their bound
/// have in common, where that is made of ids. Function::written keeps the body
/// as it was. Needs Variable::addressTaken.
void countLoopsFromIds(Function &function);

} // namespace clopt

#endif // CLOPT_FRONTEND_RELATIVELOOPS_H
