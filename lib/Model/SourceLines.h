//===- SourceLines.h - lines of the author's text ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LocalArraysTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_SOURCELINES_H
#define CLOPT_MODEL_SOURCELINES_H

#include "Model/Expr.h"

#include <cstdint>
#include <optional>

namespace clopt {

/// Where the line after the offset begins, if only blanks stand before it.
std::optional<int64_t> nextLine(const TranslationUnit &unit, int64_t offset);

} // namespace clopt

#endif // CLOPT_MODEL_SOURCELINES_H
