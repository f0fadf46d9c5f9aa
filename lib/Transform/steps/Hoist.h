//===- Hoist.h - what is loaded and computed once ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_HOIST_H
#define CLOPT_TRANSFORM_HOIST_H

#include "Transform/Steps.h"

namespace clopt {

/// Loads the cells of `array` that are read again and again, and not written
/// meanwhile, once into registers.
StepResult hoist(TransformedKernel &kernel, unsigned array, AliasMode alias);

/// Computes what is the same in all iterations of `loop` once, before it.
StepResult hoistValues(TransformedKernel &kernel, unsigned loop,
                       AliasMode alias);

} // namespace clopt

#endif // CLOPT_TRANSFORM_HOIST_H
