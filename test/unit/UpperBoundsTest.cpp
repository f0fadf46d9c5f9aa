//===- UpperBoundsTest.cpp - tests of one upper bound for each value ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/UpperBounds.h"

#include <gtest/gtest.h>

using namespace clopt;

using Texts = std::vector<std::string>;

TEST(UpperBoundsTest, TheLeastBoundStays) {
  EXPECT_EQ(withLeastBounds({"x_end <= 2147483648 && y_end <= 7",
                             "w >= 0 && x_end <= 1073741823"}),
            (Texts{"y_end <= 7", "w >= 0 && x_end <= 1073741823"}));
  EXPECT_EQ(withLeastBounds({"n <= 5", "n <= 9", "n <= 5"}), (Texts{"n <= 5"}));
}

TEST(UpperBoundsTest, OtherPartsStay) {
  Texts all = {"(n <= 5 || m == 1)",  "n <= 9 || m == 2", "n <= 7",
               "-7 <= n && n <= m",   "k < 3 && k <= 3",  "2 * n <= 5",
               "(a && b) && n >= -3", "n <= 7 ? x : y"};
  EXPECT_EQ(withLeastBounds(all), all);
}
