//===- Wrap.cpp - integers as a type holds them ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/Wrap.h"

namespace clopt {

int64_t wrapTo(ScalarKind kind, int64_t value) {
  switch (kind) {
  case ScalarKind::Bool:
    return value != 0;
  case ScalarKind::Char:
    return static_cast<int8_t>(value);
  case ScalarKind::UChar:
    return static_cast<uint8_t>(value);
  case ScalarKind::Short:
    return static_cast<int16_t>(value);
  case ScalarKind::UShort:
    return static_cast<uint16_t>(value);
  case ScalarKind::Int:
    return static_cast<int32_t>(value);
  case ScalarKind::UInt:
    return static_cast<uint32_t>(value);
  default:
    return value;
  }
}

} // namespace clopt
