//===- KernelPriceTest.cpp - the time of a kernel, predicted --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/KernelPrice.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace clopt;

namespace {

DeviceProfile device() {
  DeviceProfile profile;
  profile.computeUnits = 10;
  profile.lanes = 32;
  profile.bandwidth = {{4, 4, 100}};
  profile.rates = Rates();
  profile.rates.gigahertz = 1;
  profile.rates.launchNanoseconds = 5;
  profile.rates.groupNanoseconds = 1;
  profile.capacity = Capacity();
  return profile;
}

/// 1,000 groups of 64 that all do the same, ten of which were counted.
RunCosts costs() {
  RunCosts result;
  result.launched = 1000;
  result.seen = result.busy = result.counted = 10;
  result.items = 64;
  return result;
}

double termOf(const KernelPrice &price, const std::string &name) {
  for (const PriceTerm &term : price.terms)
    if (name == term.name)
      return term.nanoseconds;
  ADD_FAILURE() << name;
  return 0;
}

} // namespace

TEST(KernelPriceTest, OperationsAreSharedByComputeUnits) {
  RunCosts some = costs();
  some.operations = 10 * 50;
  some.doubles = 10 * 7;
  const KernelPrice price = priceOf(some, device());
  EXPECT_DOUBLE_EQ(termOf(price, "arithmetic"), (50 + 7 / 0.5) * 1000 / 10);
  EXPECT_GE(price.nanoseconds, termOf(price, "arithmetic"));
}

TEST(KernelPriceTest, FewBusyGroupsUseFewUnits) {
  RunCosts some = costs();
  some.operations = 10 * 50;
  some.seen = 10000; // 1 of 1,000 groups is busy
  EXPECT_DOUBLE_EQ(termOf(priceOf(some, device()), "arithmetic"), 50);
}

TEST(KernelPriceTest, AllGroupsRunTheGuardWhereSomeHaveNothingElse) {
  RunCosts some = costs();
  some.operations = 10 * 50;
  const double before = priceOf(some, device()).nanoseconds;
  some.seen = 40;
  some.idleControl = 30 * 70;
  const KernelPrice price = priceOf(some, device());
  // Of 1,000 groups, each compute unit a tenth.
  EXPECT_GT(termOf(price, "guard"), 0.25 * 70 * 1000 / 10);
  EXPECT_LE(termOf(price, "guard"), 70. * 1000 / 10);
  EXPECT_GT(price.nanoseconds, before / 4);
}

TEST(KernelPriceTest, WhatFitsTheCacheIsReadOnce) {
  RunCosts some = costs();
  some.newBytes = 10 * 5000;
  some.extent = 1e9;
  EXPECT_DOUBLE_EQ(termOf(priceOf(some, device()), "memory"), 50000);
  some.extent = 20000;
  EXPECT_DOUBLE_EQ(termOf(priceOf(some, device()), "memory"), 200);
}

TEST(KernelPriceTest, LatencyIsHiddenByGroupsThatRunAtOnce) {
  RunCosts some = costs();
  some.alone = 10 * 700;
  const KernelPrice price = priceOf(some, device());
  EXPECT_EQ(price.residentGroups, 32);
  EXPECT_DOUBLE_EQ(termOf(price, "latency"), 700 * 1000. / 320);
  // Local memory and registers leave room for fewer.
  some.localBytes = 32768;
  EXPECT_EQ(priceOf(some, device()).residentGroups, 2);
  some.localBytes = 0;
  some.privateBytes = 4 * 224;
  EXPECT_EQ(priceOf(some, device()).residentGroups, 4);
  // A few groups take as long as one.
  some = costs();
  some.launched = 10;
  some.alone = 10 * 700;
  EXPECT_DOUBLE_EQ(termOf(priceOf(some, device()), "latency"), 700);
}

TEST(KernelPriceTest, EmptyGroupsCost) {
  RunCosts some = costs();
  some.launched = 1000000;
  EXPECT_DOUBLE_EQ(termOf(priceOf(some, device()), "groups"), 1e6);
  EXPECT_NEAR(priceOf(some, device()).nanoseconds, 1e6 + 5, 1e-3);
}

TEST(KernelPriceTest, RequestsAndTurnsShareAPath) {
  RunCosts some = costs();
  some.lines = 10 * 3;
  some.localTurns = 10 * 4;
  EXPECT_DOUBLE_EQ(termOf(priceOf(some, device()), "requests"), 7 * 100);
}
