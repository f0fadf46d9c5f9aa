//===- VectorBuiltins.h - built-in functions over vectors -------*- C++ -*-===//
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_VECTORBUILTINS_H
#define CLOPT_ANALYSIS_VECTORBUILTINS_H

#include "Model/Expr.h"

#include <optional>
#include <string>

namespace clopt {

/// The name under which `call` works on vectors of `lanes` components with the
/// same result per component; nothing when the call has to be made per lane.
/// Functions that OpenCL defines exactly (OpenCL C 3.0, sections 6.15.2 to
/// 6.15.4) qualify always, those with an error bound only under `unsafeMath`,
/// because a vector version may round differently.
std::optional<std::string> vectorBuiltin(const Expr &call, unsigned lanes,
                                         bool unsafeMath);

/// True for functions for which implementations for processors take vectors
/// apart: those that count bits, and differences of bytes and signed numbers.
/// (PoCL, 8 lanes, in additions of such vectors: `abs_diff` of uchar 11, of
/// short 8, of int 4; of ushort and uint 1.)
bool isTakenApart(const Expr &call);

} // namespace clopt

#endif // CLOPT_ANALYSIS_VECTORBUILTINS_H
