//===- PriceTable.h - predicted times of recipes ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PriceTableTest.cpp, test/lit/cli/explain.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_PRICETABLE_H
#define CLOPT_REPORT_PRICETABLE_H

#include "clopt/Result.h"

namespace clopt {

/// The steps with their times, what those are to the author's, and what decides
/// them; the first row has the names of the columns.
std::vector<std::vector<std::string>> priceRows(const PriceList &prices);

/// Of a kernel with prices: the same, and the recipes around the chosen one.
std::string renderPrices(const KernelReport &kernel);
/// Of all kernels that have some.
std::string renderPrices(const Result &result);

} // namespace clopt

#endif // CLOPT_REPORT_PRICETABLE_H
