//===- IntegerFunctions.h - OpenCL's functions of integers ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL C 3.0, section 6.15.3.
//
// Tested by test/unit/IntegerFunctionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_INTEGERFUNCTIONS_H
#define CLOPT_VALIDATION_INTEGERFUNCTIONS_H

#include "Validation/Code.h"

namespace clopt {

/// The number that these bits of an integer of the kind are.
__int128 widened(ScalarKind kind, int64_t value);
/// The nearest number of the kind.
int64_t saturated(ScalarKind kind, __int128 value);
/// The function of operands of the kind, before it is brought to the type of
/// the result.
int64_t integerFunction(IntegerFunction function, ScalarKind kind,
                        const int64_t *operands);

} // namespace clopt

#endif // CLOPT_VALIDATION_INTEGERFUNCTIONS_H
