//===- Choices.h - conditional assignments as values ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where data decides whether a private value is set, it is chosen: lanes then
// do the same, and nobody has to know the condition. This is if-conversion, as
// in J. R. Allen, K. Kennedy, C. Porterfield, J. Warren: Conversion of control
// dependence to data dependence, POPL 1983.
//
// Tested by test/unit/ChoicesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_CHOICES_H
#define CLOPT_FRONTEND_CHOICES_H

#include "Model/Expr.h"

namespace clopt {

/// `if (c) x = e;` of a private scalar as `x = c ? e : x`, and with an
/// `else x = f;` as `x = c ? e : f`: a choice of values where nothing but the
/// values differs. Null for all else.
StmtRef asChoice(const Stmt &stmt);

/// Makes choices of assignments under a condition that data decides, as in
/// `if (v[i] > v[j]) { t = v[i]; v[i] = v[j]; v[j] = t; }`: of cells of private
/// arrays that the condition loads, and of private scalars beside them.
/// Function::written keeps the body as it was. Needs Variable::addressTaken.
void chooseValues(Function &function);

} // namespace clopt

#endif // CLOPT_FRONTEND_CHOICES_H
