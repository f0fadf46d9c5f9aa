//===- Prices.h - what a recipe gains, step by step -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices (Planning/cost/KernelPrice.h) of the author's text, of what is written
// after each step of a recipe, and of the recipes around it.
//
// Tested by test/unit/PricesTest.cpp, test/lit/cli/explain.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_PRICES_H
#define CLOPT_DRIVER_PRICES_H

#include "clopt/Options.h"
#include "clopt/Result.h"

namespace clopt {

/// Sets KernelReport::prices of what Options::explain names; a name of no
/// kernel is an error. `result`: of optimizing this source.
void addPrices(const std::string &path, const std::string &source,
               const Options &options, Result &result);

} // namespace clopt

#endif // CLOPT_DRIVER_PRICES_H
