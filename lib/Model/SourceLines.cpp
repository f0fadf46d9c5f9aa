//===- SourceLines.cpp - lines of the author's text -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LocalArraysTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/SourceLines.h"

namespace clopt {

std::optional<int64_t> nextLine(const TranslationUnit &unit, int64_t offset) {
  const size_t next =
      unit.text.find_first_not_of(" \t\r", static_cast<size_t>(offset));
  if (next == std::string::npos || unit.text[next] != '\n')
    return std::nullopt;
  return static_cast<int64_t>(next) + 1;
}

} // namespace clopt
