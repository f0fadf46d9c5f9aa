//===- LoopForms.h - loops with geometric steps -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A `for` with a geometric step and known bounds becomes its iterations, one
// after the other, which everything behind the front end understands.
//
// Tested by test/unit/LoopFormsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_LOOPFORMS_H
#define CLOPT_FRONTEND_LOOPFORMS_H

#include "Model/Expr.h"

#include <cstdint>

namespace clopt {

/// The iterations of `for (s = 64; s > 0; s >>= 1)`, each with the value of s
/// in its place; the loop itself where its values are not known, are not
/// multiplied or divided from one to the next, or are too many.
/// `localSize`: what get_local_size gives, zeros where it is not known.
StmtRef writtenOut(const StmtRef &loop, const unsigned (&localSize)[3]);

} // namespace clopt

#endif // CLOPT_FRONTEND_LOOPFORMS_H
