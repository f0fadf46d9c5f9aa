//===- Conversions.h - chains of conversions of a cell ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C promotes a small integer before it converts it to a floating type. What a
// cell is in the end is the same without what is in between.
//
// Tested by test/unit/ConversionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_CONVERSIONS_H
#define CLOPT_ANALYSIS_CONVERSIONS_H

#include "Model/Expr.h"

namespace clopt {

/// The integer that `expr` converts to a floating scalar type, by way of
/// integer types that have all its values, or the integer scalar or vector that
/// a call as `convert_float4(v)` does; null when it does something else.
const Expr *convertedInteger(const Expr &expr);

} // namespace clopt

#endif // CLOPT_ANALYSIS_CONVERSIONS_H
