//===- ZeroSums.h - iterations that add nothing -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum whose operands are padded with zeros may run over the padding: a
// multiple of a vector's width of terms, and no rest of scalars. For integers
// that is so whenever one factor of every product is zero. For floating-point
// numbers both have to be, since 0 * Inf is no zero, and the sign matters:
// x + -0 is x for every x, x + +0 is not for x = -0. With zeros of different
// signs in the two operands the product is -0, so nothing need be known of x.
// Otherwise x must not be -0, or the sign of zeros must not matter.
//
// Tested by test/unit/ZeroSumsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_ZEROSUMS_H
#define CLOPT_ANALYSIS_ZEROSUMS_H

#include "Model/KernelModel.h"

#include <functional>
#include <optional>
#include <string>

namespace clopt {

/// Whether the cell that an expression reads is zero in the iteration: true for
/// -0, false for +0 (integers have no other), nothing for any other value.
using ZeroCells = std::function<std::optional<bool>(const Expr &)>;

struct ZeroProblem {
  std::string ruleId, message;
};

/// Nothing when one more iteration of `body`, with zeros in these cells, leaves
/// every value as it is, whatever the other values are; `onlyMinus`: because -0
/// is added to floating-point numbers, and not for what is known of the sums.
/// Says nothing about the cells that are accessed.
std::optional<ZeroProblem> checkZeroIteration(const KernelModel &model,
                                              const StmtRef &body,
                                              const ZeroCells &zeroCell,
                                              bool onlyMinus = false);

} // namespace clopt

#endif // CLOPT_ANALYSIS_ZEROSUMS_H
