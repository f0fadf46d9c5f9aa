//===- ArithmeticWork.h - instructions of an iteration ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many instructions a compiler makes of the arithmetic of statements: what
// decides how far a loop can be unrolled before its code outgrows the
// instruction cache, and whether memory or arithmetic limits it.
//
// Tested by test/unit/ArithmeticWorkTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_ARITHMETICWORK_H
#define CLOPT_ANALYSIS_ARITHMETICWORK_H

#include "Model/TransformedKernel.h"

namespace clopt {

/// Instructions for the values that the expression computes. Subscripts count
/// nothing: compilers move them out of loops, or fold them into addresses.
int64_t instructionsOf(const Expr &expr);
/// All of a statement, each part once.
int64_t instructionsOf(const Stmt &stmt);

/// The same for one iteration of the loop in one virtual work-item, which does
/// every statement for all of its points. Loops inside count one iteration.
int64_t instructionsPerIteration(const TransformedKernel &kernel,
                                 unsigned loop);

} // namespace clopt

#endif // CLOPT_ANALYSIS_ARITHMETICWORK_H
