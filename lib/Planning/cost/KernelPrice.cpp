//===- KernelPrice.cpp - the time of a kernel, predicted ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/KernelPriceTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/KernelPrice.h"

#include <algorithm>
#include <cmath>

namespace clopt {

/// Groups that a compute unit holds at once.
static double residentGroups(const RunCosts &costs,
                             const DeviceProfile &profile) {
  constexpr double usualRegisters = 32; // addresses, loop counters, copies
  const double items = static_cast<double>(costs.items);
  const double registers =
      usualRegisters + static_cast<double>(costs.privateBytes) / 4;
  double result = profile.capacity.workItems / items;
  result = std::min(result,
                    profile.capacity.registers /
                        (registers * std::max<double>(items, profile.lanes)));
  if (costs.localBytes > 0)
    result = std::min(result, profile.capacity.localBytes /
                                  static_cast<double>(costs.localBytes));
  return std::max(1.0, std::floor(std::min(result, profile.capacity.groups)));
}

KernelPrice priceOf(const RunCosts &costs, const DeviceProfile &profile) {
  KernelPrice price;
  const Rates &rates = profile.rates;
  const double counted =
      static_cast<double>(std::max<int64_t>(1, costs.counted));
  const double busy =
      std::max(1.0, static_cast<double>(costs.launched) *
                        static_cast<double>(costs.busy) /
                        static_cast<double>(std::max<int64_t>(1, costs.seen)));
  const double scale = busy / counted;
  const auto idle = static_cast<double>(costs.seen - costs.busy);
  const double units = std::min<double>(profile.computeUnits, busy);
  price.residentGroups = residentGroups(costs, profile);
  constexpr double blend = 1.5;
  double sum = 0;
  auto add = [&](const char *name, double nanoseconds) {
    price.terms.push_back({name, nanoseconds});
    sum += std::pow(nanoseconds, blend);
  };
  // Clocks of all groups, spread over compute units.
  auto spread = [&](double clocks) {
    return clocks * scale / units / rates.gigahertz;
  };
  const double control = costs.branches / 2;
  add("arithmetic",
      spread(costs.operations / rates.single + costs.doubles / rates.twice +
             costs.specials / rates.special + costs.integers / rates.integer));
  add("instructions",
      spread((costs.operations + costs.doubles + costs.specials +
              costs.integers + control + 1.5 * costs.accesses) /
             rates.issue));
  // Groups that have nothing to do find that out first, and the others that
  // they have. Compilers compute once what is there several times. (94 recipes
  // for 12 kernels of images on an H100: gains are predicted within a factor of
  // 1.22, with a share of 0.4 1.25, without the term 1.36.)
  constexpr double computedShare = 0.6;
  if (idle > 0)
    add("guard", computedShare * costs.idleControl / idle *
                     static_cast<double>(costs.launched) /
                     std::min<double>(profile.computeUnits,
                                      static_cast<double>(costs.launched)) /
                     rates.issue / rates.gigahertz);
  add("requests", spread((costs.lines + costs.localTurns) / rates.lines));
  add("cache of the device", spread(costs.missedBytes / rates.bytesFromDevice));
  const double bandwidth = std::max(1.0, profile.copyBandwidth(4, 4));
  const double fromMemory = costs.extent <= profile.capacity.deviceCacheBytes
                                ? std::min(costs.newBytes * scale, costs.extent)
                                : costs.newBytes * scale;
  add("memory", fromMemory / bandwidth);
  const double rounds =
      std::max(1.0, busy / (price.residentGroups * profile.computeUnits));
  add("latency", costs.alone / counted * rounds / rates.gigahertz);
  add("groups", static_cast<double>(costs.launched) * rates.groupNanoseconds);
  price.nanoseconds = rates.launchNanoseconds + std::pow(sum, 1 / blend);
  return price;
}

} // namespace clopt
