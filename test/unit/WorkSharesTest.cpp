//===- WorkSharesTest.cpp - a budget of work for several parts ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/WorkShares.h"

#include <gtest/gtest.h>

using namespace clopt;

static WorkShares threeParts() {
  WorkShares shares(1000);
  shares.add("a", 2);
  shares.add("b", 3);
  shares.add("c", 5);
  return shares;
}

TEST(WorkSharesTest, SharesGoBySize) {
  const WorkShares shares = threeParts();
  EXPECT_EQ(shares.left("a"), 200u);
  EXPECT_EQ(shares.left("b"), 300u);
  EXPECT_EQ(shares.left("c"), 500u);
  EXPECT_EQ(shares.left("other"), 0u);
}

TEST(WorkSharesTest, SmallPartsMayUseMore) {
  WorkShares shares(1600);
  for (const char *part : {"a", "b", "c"})
    shares.add(part, 2);
  shares.add("d", 14);
  shares.add("e", 140);
  EXPECT_EQ(shares.left("a"), 200u);  // an eighth
  EXPECT_EQ(shares.left("d"), 200u);  // an eighth
  EXPECT_EQ(shares.left("e"), 1400u); // its own
  WorkShares many(1600);
  for (int part = 0; part < 320; ++part)
    many.add(std::to_string(part), 2);
  EXPECT_EQ(many.left("7"), 80u); // sixteen shares
}

TEST(WorkSharesTest, APartSpendsItsOwn) {
  WorkShares shares = threeParts();
  shares.spend("b", 100);
  EXPECT_EQ(shares.left("b"), 200u);
  EXPECT_EQ(shares.left("c"), 500u);
  shares.spend("b", 1000);
  EXPECT_EQ(shares.left("b"), 0u);
}

TEST(WorkSharesTest, WhatIsLeftIsForTheOthers) {
  WorkShares shares = threeParts();
  shares.spend("a", 40);
  shares.finish("a");
  EXPECT_EQ(shares.left("b"), 360u);
  EXPECT_EQ(shares.left("c"), 600u);
  EXPECT_EQ(shares.left("a"), 0u);
}

TEST(WorkSharesTest, TheOthersPayWhatIsTooMuch) {
  WorkShares shares = threeParts();
  shares.spend("a", 600);
  shares.finish("a");
  EXPECT_EQ(shares.left("b"), 150u);
  EXPECT_EQ(shares.left("c"), 250u);
  shares.spend("b", 2000);
  shares.finish("b");
  EXPECT_EQ(shares.left("c"), 0u);
  shares.finish("c");
  shares.finish("c");
}
