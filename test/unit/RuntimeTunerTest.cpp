//===- RuntimeTunerTest.cpp - the search for the fastest recipe -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/tune/Tuner.h"

#include <gtest/gtest.h>

using namespace clopt::runtime;

namespace {

using Group = std::vector<std::int64_t>;

TEST(RuntimeTunerTest, F26UsualGroupsHave32To1024WorkItems) {
  EXPECT_EQ(usualGroups(1),
            (std::vector<Group>{
                {32, 1}, {64, 1}, {128, 1}, {256, 1}, {512, 1}, {1024, 1}}));
  for (const std::size_t dimensions : {2, 3})
    for (const Group &group : usualGroups(dimensions)) {
      ASSERT_EQ(group.size(), 2u);
      EXPECT_GE(group[0] * group[1], 32);
      EXPECT_LE(group[0] * group[1], 1024);
      EXPECT_LE(group[1], group[0]);
    }
  EXPECT_TRUE(usualGroups(0).empty());
}

TEST(RuntimeTunerTest, TheFastestAreThoseWithTheLowestPartOfTheOriginal) {
  TuneRecord record;
  record.results.resize(3);
  record.results[0].steps = {"unroll k:2"};
  record.results[0].originalMs = 10;
  record.results[0].ms = 4;
  // The machine was slower then.
  record.results[1].steps = {"unroll k:4"};
  record.results[1].originalMs = 20;
  record.results[1].ms = 5;
  record.results[2].steps = {"unroll k:8"};
  record.results[2].invalidity = Invalidity::Timeout;
  const std::vector<TuneResult> fastest = fastestFirst(record);
  ASSERT_EQ(fastest.size(), 2u);
  EXPECT_EQ(fastest[0].name(), "unroll k:4");
  EXPECT_EQ(fastest[1].name(), "unroll k:2");
}

} // namespace
