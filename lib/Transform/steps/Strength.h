//===- Strength.h - cheaper integer operations ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_STRENGTH_H
#define CLOPT_TRANSFORM_STRENGTH_H

#include "Transform/Steps.h"

namespace clopt {

/// Replaces integer operations in the subscripts of an array, or in what is
/// assigned to a private variable, by cheaper ones where the range of their
/// operands is proved. `with24Bits`: multiplications, too.
StepResult reduceStrength(TransformedKernel &kernel, const std::string &target,
                          bool with24Bits);

/// Subscripts of the array that a loop moves by an amount that is no constant
/// get a variable that advances by addition.
StepResult advanceSubscripts(TransformedKernel &kernel, unsigned array);

/// Loops that walk along rows of the array have pointers to them.
StepResult pointToRows(TransformedKernel &kernel, unsigned array);

/// What `strength` could be asked for, by name.
struct StrengthTarget {
  std::string name;
  bool isInLoop = false; ///< some of the operations are
};

/// The arrays and variables for which some operation has a cheaper form.
std::vector<StrengthTarget> findStrengthTargets(const TransformedKernel &kernel,
                                                bool with24Bits);

} // namespace clopt

#endif // CLOPT_TRANSFORM_STRENGTH_H
