//===- Wrap.h - integers as a type holds them -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_WRAP_H
#define CLOPT_MODEL_WRAP_H

#include "Model/Type.h"

#include <cstdint>

namespace clopt {

/// The bits of `value` that an integer of the kind holds.
int64_t wrapTo(ScalarKind kind, int64_t value);

} // namespace clopt

#endif // CLOPT_MODEL_WRAP_H
