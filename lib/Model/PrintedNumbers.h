//===- PrintedNumbers.h - what hooks make constant -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a loop that is written out its variable is a number. What the author
// computes from it is then a number, too: `mask[(j + 1) * 3 + i + 1]` reads
// `mask[0]`, `x + i + 1` reads `x`. Folded are expressions of type `int`, which
// are without overflow in the program, and so that none is added: constants of
// a sum are only joined behind everything else. An expression without such a
// variable is left as the author wrote it.
//
// Tested by test/unit/ExprPrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_PRINTEDNUMBERS_H
#define CLOPT_MODEL_PRINTEDNUMBERS_H

#include "Model/ExprPrinter.h"

#include <cstdint>

namespace clopt {

class PrintedNumbers {
public:
  /// `base + constant`.
  struct Sum {
    const Expr *base;
    int64_t constant;
  };

  explicit PrintedNumbers(const PrintHooks &printHooks) : hooks(printHooks) {}

  /// Value of arithmetic with a variable that is printed as a number, or with
  /// a factor that is printed as 0.
  std::optional<int64_t> valueOf(const Expr &node) const;
  /// A sum that ends in several constants, one of them a variable.
  std::optional<Sum> sumOf(const Expr &node) const;
  /// `x` for `x + k` and `k + x` where k is printed as 0, and for `x * k` and
  /// `k * x` where it is printed as 1.
  const Expr *withoutNeutral(const Expr *node) const;
  /// The number that is printed for an operand; empty when none is.
  std::string textOf(const ExprRef &ref) const;

  static bool isIntegerSum(const Expr &node);

private:
  /// A number of the program's, or one that stands for a variable.
  struct Number {
    int64_t value;
    bool isPrinted; ///< stands for a variable
  };

  std::optional<Number> numberOf(const Expr &node, unsigned depth) const;
  std::optional<Number> resultOf(const Expr &node, unsigned depth) const;
  std::string nameText(const ExprRef &ref) const;
  bool isZeroProduct(const Expr &node) const;

  const PrintHooks &hooks;
};

} // namespace clopt

#endif // CLOPT_MODEL_PRINTEDNUMBERS_H
