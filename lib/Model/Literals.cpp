//===- Literals.cpp - integers as OpenCL C --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ExprPrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/Literals.h"

#include <cstdlib>

using namespace clopt;

/// True when `text` still spells `value`: a copy of a literal may have got a
/// new value and kept the old spelling.
static bool spells(const std::string &text, int64_t value) {
  if (text.empty())
    return false;
  if (text[0] < '0' || text[0] > '9')
    return true; // a character, sizeof, or an enum constant
  char *end = nullptr;
  bool isBinary =
      text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
  unsigned long long parsed = isBinary
                                  ? std::strtoull(text.c_str() + 2, &end, 2)
                                  : std::strtoull(text.c_str(), &end, 0);
  return std::string(end).find_first_not_of("uUlL") == std::string::npos &&
         parsed == static_cast<unsigned long long>(value);
}

PrintedText clopt::integerText(const Expr &expr) {
  if (!expr.macro.empty())
    return {expr.macro, PrecPrimary};
  if (spells(expr.text, expr.intValue))
    return {expr.text,
            expr.text.compare(0, 6, "sizeof") ? PrecPrimary : PrecUnary};
  ScalarKind kind = expr.type.isScalar() ? expr.type.scalar : ScalarKind::Int;
  if (kind == ScalarKind::ULong)
    return {std::to_string(static_cast<uint64_t>(expr.intValue)) + "UL"};
  if (kind == ScalarKind::UInt)
    return {std::to_string(static_cast<uint32_t>(expr.intValue)) + "U"};
  const char *suffix = kind == ScalarKind::Long ? "L" : "";
  // The least value has no literal: its digits alone do not fit the type.
  if (expr.intValue == INT64_MIN ||
      (kind != ScalarKind::Long && expr.intValue == INT32_MIN))
    return {std::to_string(expr.intValue + 1) + suffix + " - 1", PrecAdditive};
  return {std::to_string(expr.intValue) + suffix,
          expr.intValue < 0 ? PrecUnary : PrecPrimary};
}
