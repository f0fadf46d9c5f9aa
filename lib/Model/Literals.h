//===- Literals.h - integers as OpenCL C ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use by ExprPrinter.cpp only.
//
// Tested by test/unit/ExprPrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_LITERALS_H
#define CLOPT_MODEL_LITERALS_H

#include "Model/ExprPrinter.h"

namespace clopt {

/// An integer literal: the author's macro or spelling where it still has the
/// value, else digits of its type.
PrintedText integerText(const Expr &expr);

} // namespace clopt

#endif // CLOPT_MODEL_LITERALS_H
