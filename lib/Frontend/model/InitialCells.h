//===- InitialCells.h - lists of initial values as assignments --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/InitialCellsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_INITIALCELLS_H
#define CLOPT_FRONTEND_INITIALCELLS_H

#include "Model/Expr.h"

namespace clopt {

/// `uint h[2] = {3, x};` of a private array as `uint h[2]; h[0] = 3; h[1] = x;`
/// where it is no table of constants, so that every cell has an access of its
/// own. Function::written keeps the body as it was. Needs
/// Variable::addressTaken.
void setInitialCells(Function &function);

} // namespace clopt

#endif // CLOPT_FRONTEND_INITIALCELLS_H
