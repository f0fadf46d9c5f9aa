//===- PriceTable.cpp - predicted times of recipes ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PriceTableTest.cpp, test/lit/cli/explain.test.
//
//===----------------------------------------------------------------------===//

#include "Report/PriceTable.h"

#include <llvm/Support/FormatVariadic.h>

#include <algorithm>

namespace clopt {

using Row = std::vector<std::string>;

/// The term that is the longest.
static std::string longestTerm(const PriceReport &price) {
  auto longest = std::max_element(
      price.terms.begin(), price.terms.end(),
      [](const auto &a, const auto &b) { return a.second < b.second; });
  return longest == price.terms.end() ? "" : longest->first;
}

static Row rowOf(const PriceReport &price, double original) {
  if (price.nanoseconds <= 0)
    return {price.label, "", "", "not predicted: " + price.problem};
  return {
      price.label, llvm::formatv("{0:f4} ms", price.nanoseconds / 1e6).str(),
      original > 0 ? llvm::formatv("{0:f2}", original / price.nanoseconds).str()
                   : "",
      longestTerm(price)};
}

std::vector<Row> priceRows(const PriceList &prices) {
  std::vector<Row> rows = {{"after", "time", "gain", "longest"}};
  for (const PriceReport &price : prices.steps)
    rows.push_back(rowOf(price, prices.steps.front().nanoseconds));
  return rows;
}

/// Why the recipe is the one, or which other one the prices speak for.
static std::string conclusion(const PriceList &prices) {
  const PriceReport &chosen = prices.steps.back();
  const PriceReport *best = nullptr;
  for (const PriceReport &other : prices.others)
    if (other.nanoseconds > 0 &&
        (!best || other.nanoseconds < best->nanoseconds))
      best = &other;
  if (!best || chosen.nanoseconds <= 0)
    return "";
  const double gain = chosen.nanoseconds / best->nanoseconds;
  if (gain > 1.05)
    return llvm::formatv("  cheaper by {0:f2}: {1}\n", gain, best->label);
  return "  no recipe around it is more than 5 % cheaper\n";
}

std::string renderPrices(const KernelReport &kernel) {
  const PriceList &prices = *kernel.prices;
  std::string text = "kernel " + kernel.name + "\n";
  if (!prices.problem.empty())
    return text + "  not predicted: " + prices.problem + "\n";
  text += "  " + prices.launch + "\n";
  std::vector<Row> rows = priceRows(prices);
  const size_t steps = rows.size();
  for (const PriceReport &price : prices.others)
    rows.push_back(rowOf(price, prices.steps.front().nanoseconds));
  size_t widths[3] = {0, 0, 0};
  for (const Row &row : rows)
    for (size_t i = 0; i < 3; ++i)
      widths[i] = std::max(widths[i], row[i].size());
  auto space = [&](const Row &row, size_t i) {
    return std::string(widths[i] - row[i].size(), ' ');
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row &row = rows[i];
    if (i == steps)
      text += "  instead:\n";
    text += "  " + row[0] + space(row, 0) + "  " + space(row, 1) + row[1] +
            "  " + space(row, 2) + row[2] + "  " + row[3] + "\n";
  }
  return text + conclusion(prices);
}

std::string renderPrices(const Result &result) {
  std::string text;
  for (const KernelReport &kernel : result.kernels)
    if (kernel.prices)
      text += (text.empty() ? "" : "\n") + renderPrices(kernel);
  return text;
}

} // namespace clopt
