//===- TakenNamesTest.cpp - names that new variables must not have --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/TakenNames.h"

#include <gtest/gtest.h>

using namespace clopt;

TEST(TakenNames, CopiesAreNumberedOrVectors) {
  EXPECT_EQ(copiedName("s_0"), "s");
  EXPECT_EQ(copiedName("s_1_2"), "s");
  EXPECT_EQ(copiedName("s_v"), "s");
  EXPECT_EQ(copiedName("row_1_v"), "row");
  EXPECT_EQ(copiedName("s0"), "s0");
  EXPECT_EQ(copiedName("s_x"), "s_x");
  EXPECT_EQ(copiedName("x_0_y"), "x_0_y");
  EXPECT_EQ(copiedName("_0"), "_0");
}

TEST(TakenNames, OneTakenNameTakesItsCopies) {
  TakenNames names;
  names.insert("sum");
  names.insert("row_2");
  EXPECT_TRUE(names.count("sum"));
  EXPECT_FALSE(names.count("sum_0"));
  EXPECT_TRUE(names.countAlike("sum_0"));
  EXPECT_TRUE(names.countAlike("row"));
  EXPECT_FALSE(names.countAlike("rows"));
  EXPECT_TRUE(names.countCopies("row"));
  EXPECT_FALSE(names.countCopies("sum"));
}
