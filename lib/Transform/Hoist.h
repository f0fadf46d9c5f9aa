//===- Hoist.h - values of memory that are loaded once ----------*- C++ -*-===//
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

} // namespace clopt

#endif // CLOPT_TRANSFORM_HOIST_H
