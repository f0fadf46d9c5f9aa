//===- AccessPictureTest.cpp - tests of requests as drawings -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/html/AccessPicture.h"

#include <gtest/gtest.h>

using namespace clopt;

/// A request of 8 work-items for floats, segments of 16 bytes.
static AccessReport access(const std::vector<int64_t> &addresses,
                           unsigned banks = 0) {
  AccessReport report;
  report.transactions = 8;
  report.request = {8, 4, banks ? 4u : 16u, banks, addresses};
  return report;
}

static std::vector<int64_t> every(int64_t bytes) {
  std::vector<int64_t> addresses;
  for (int64_t lane = 0; lane < 8; ++lane)
    addresses.push_back(lane * bytes);
  return addresses;
}

TEST(AccessPicture, neighboursShareSegments) {
  AccessPicture picture = pictureOf(access(every(4)));
  EXPECT_EQ(picture.units.size(), 2u);
  EXPECT_FALSE(picture.units[1].isApart);
  EXPECT_EQ(picture.parts.size(), 8u);
  EXPECT_EQ(picture.parts[5].unit, 1u);
  EXPECT_EQ(picture.parts[5].begin, 4u);
  EXPECT_EQ(picture.parts[5].end, 8u);
  EXPECT_EQ(picture.percentUsed, 100u);
  EXPECT_FALSE(picture.isSchematic);
}

TEST(AccessPicture, strides) {
  AccessPicture picture = pictureOf(access(every(32)));
  EXPECT_EQ(picture.units.size(), 8u);
  EXPECT_TRUE(picture.units[1].isApart);
  EXPECT_EQ(picture.percentUsed, 25u);
  EXPECT_EQ(pictureOf(access(every(0))).units.size(), 1u);
  EXPECT_EQ(pictureOf(access(every(0))).percentUsed, 25u);
}

TEST(AccessPicture, cellsOnABorderHaveTwoParts) {
  AccessPicture picture = pictureOf(access({14}));
  ASSERT_EQ(picture.parts.size(), 2u);
  EXPECT_EQ(picture.parts[0].begin, 14u);
  EXPECT_EQ(picture.parts[0].end, 16u);
  EXPECT_EQ(picture.parts[1].begin, 0u);
  EXPECT_EQ(picture.parts[1].end, 2u);
  // Addresses below the first unit.
  EXPECT_EQ(pictureOf(access({-4})).units[0].number, -1);
}

TEST(AccessPicture, unknownDistancesAreSchematic) {
  AccessPicture picture = pictureOf(access({}));
  EXPECT_TRUE(picture.isSchematic);
  EXPECT_EQ(picture.units.size(), 8u);
  EXPECT_TRUE(picture.units[1].isApart);
}

TEST(AccessPicture, wordsOfOneBankTakeTurns) {
  AccessPicture picture = pictureOf(access(every(8), 8));
  EXPECT_TRUE(picture.isOfBanks);
  EXPECT_EQ(picture.turns, 2u);
  EXPECT_EQ(picture.units[4].number, 0);
  EXPECT_EQ(picture.units[4].turn, 1u);
  EXPECT_EQ(pictureOf(access(every(4), 8)).turns, 1u);
  EXPECT_EQ(pictureOf(access(every(0), 8)).turns, 1u);
}

TEST(AccessPicture, whatIsNotKnownHasNone) {
  EXPECT_TRUE(pictureOf(AccessReport()).parts.empty());
  AccessReport report = access(every(4));
  report.request->lanes = 4096;
  EXPECT_TRUE(pictureOf(report).parts.empty());
}
