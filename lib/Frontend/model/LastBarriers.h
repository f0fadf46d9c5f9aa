//===- LastBarriers.h - barriers with nothing behind them -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier at the end of a kernel orders nothing: no access of the launch
// comes after it, and what work-items have written others see when the kernel
// ends.
//
// Tested by test/unit/LastBarriersTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_LASTBARRIERS_H
#define CLOPT_FRONTEND_LASTBARRIERS_H

#include "Model/Expr.h"

namespace clopt {

/// Takes the barriers that Function::body of a kernel ends in from it.
/// Function::written keeps the body as it was.
void dropLastBarriers(Function &function);

} // namespace clopt

#endif // CLOPT_FRONTEND_LASTBARRIERS_H
