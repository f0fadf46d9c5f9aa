//===- IntRanges.h - sums that stay within int ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl's bounds and conditions are numbers without end; what is printed is
// computed in `int`. `k + 3 < n` is another question than `k < n - 3` when one
// of the sums leaves its type. Intervals of the terms tell which sums can;
// those are computed in 64 bits.
//
// Tested by test/unit/IntRangesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_INTRANGES_H
#define CLOPT_EMIT_INTRANGES_H

#include "Emit/print/LinearForm.h"

namespace clopt {

/// Largest magnitude of an id, an iterator or an argument that emitted
/// arithmetic in `int` may still add to: guards see to it.
constexpr int64_t largestClearInt = 2147480000;

/// All values of `int`.
constexpr IntRange wholeInt = {-2147483648LL, 2147483647LL};

inline bool isWithinInt(const IntRange &range) {
  return wholeInt.low <= range.low && range.high <= wholeInt.high;
}

/// The sum as text, in 64 bits where in `int` it, or a part of it, might
/// overflow. Arguments that then have to stay clear of the ends of `int` are
/// added to `names.clear`, if there is one, and the sum stays in `int`.
PrintedText printSum(const LinearForm &form, const AstNames &names);
/// True when printSum prints nothing of 64 bits.
bool staysInt(const LinearForm &form, const AstNames &names);

/// Values of the expression, without overflow; nothing when not known, or when
/// it has terms of 64 bits.
std::optional<IntRange> rangeOf(const isl::ast_expr &expr,
                                const AstNames &names);
/// Like rangeOf; asks `names.clear` for arguments within bounds when that makes
/// the values fit `int` and not exceed `most`.
std::optional<IntRange> rangeBelow(const isl::ast_expr &expr,
                                   const AstNames &names, int64_t most);

/// True when the text of the expression is of 64 bits.
bool isPrintedLong(const isl::ast_expr &expr, const AstNames &names);

/// Greatest value of `iterator` that isl's condition of a loop lets through.
int64_t largestBelow(const isl::ast_expr &condition,
                     const std::string &iterator, const AstNames &names);

} // namespace clopt

#endif // CLOPT_EMIT_INTRANGES_H
