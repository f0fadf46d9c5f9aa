//===- FirstCall.cpp - which device for how many calls --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/FirstCall.h"

#include <algorithm>
#include <cmath>

namespace clopt::runtime {

std::size_t cheapestFor(const std::vector<CallCost> &devices,
                        std::uint64_t calls) {
  const auto least =
      std::min_element(devices.begin(), devices.end(),
                       [calls](const CallCost &a, const CallCost &b) {
                         return a.total(calls) < b.total(calls);
                       });
  return static_cast<std::size_t>(least - devices.begin());
}

std::optional<std::uint64_t> crossover(const CallCost &usual,
                                       const CallCost &other) {
  if (other.total(1) < usual.total(1))
    return 1;
  const double gain = usual.run - other.run;
  if (gain <= 0)
    return std::nullopt;
  const double calls = (other.first() - usual.first()) / gain;
  if (calls >= 0x1p62)
    return std::nullopt;
  return static_cast<std::uint64_t>(std::floor(calls)) + 1;
}

} // namespace clopt::runtime
