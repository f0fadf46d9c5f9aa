//===- VerifySteps.h - the new order, checked a second time -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --verify-each does after every step. The steps decide with isl whether
// they are legal; this looks at what came out of them, knows nothing of the
// steps, and asks PPL.
//
// Tested by test/unit/VerifyStepsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_VERIFYSTEPS_H
#define CLOPT_TRANSFORM_VERIFYSTEPS_H

#include "Transform/Steps.h"

namespace clopt {

/// Nothing when `kernel` keeps the order of every two conflicting instances of
/// one work-item and every value that private variables carry; else the
/// dependence that it violates, or what could not be decided. May throw
/// isl::exception.
StepResult verifyOrder(const TransformedKernel &kernel, AliasMode alias);

} // namespace clopt

#endif // CLOPT_TRANSFORM_VERIFYSTEPS_H
