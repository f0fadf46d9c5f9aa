//===- UpperBoundsTest.cpp - tests of one upper bound for each value ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/UpperBounds.h"

#include <gtest/gtest.h>

using namespace clopt;

using Texts = std::vector<std::string>;

static Conjunct most(const std::string &value, uint64_t number) {
  return Conjunct(UpperBound{value, number});
}

/// What stays of the conditions.
static Texts kept(const std::vector<std::vector<Conjunct>> &conditions) {
  std::vector<GuardCondition> all;
  for (const std::vector<Conjunct> &parts : conditions)
    all.push_back({parts});
  keepLeastBounds(all);
  Texts texts;
  for (const GuardCondition &condition : all)
    texts.push_back(joined(condition.parts));
  return texts;
}

TEST(UpperBoundsTest, TheLeastBoundStays) {
  EXPECT_EQ(kept({{most("x_end", 2147483648), most("y_end", 7)},
                  {{"w >= 0"}, most("x_end", 1073741823)}}),
            (Texts{"y_end <= 7", "w >= 0 && x_end <= 1073741823"}));
  EXPECT_EQ(kept({{most("n", 5)}, {most("n", 9)}, {most("n", 5)}}),
            (Texts{"n <= 5"}));
}

TEST(UpperBoundsTest, OtherPartsStay) {
  EXPECT_EQ(kept({{{"(n <= 5 || m == 1)"}},
                  {most("n", 7)},
                  {{"k < 3"}, most("2 * n", 5)}}),
            (Texts{"(n <= 5 || m == 1)", "n <= 7", "k < 3 && 2 * n <= 5"}));
}
