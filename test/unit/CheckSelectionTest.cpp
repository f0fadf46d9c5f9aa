//===- CheckSelectionTest.cpp - which findings are wanted -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/CheckSelection.h"

#include <gtest/gtest.h>

using namespace clopt;

static bool isSelected(const std::string &patterns, const std::string &id) {
  llvm::Expected<CheckSelection> selection = CheckSelection::parse(patterns);
  EXPECT_TRUE(bool(selection)) << llvm::toString(selection.takeError());
  return selection->isSelected(id);
}

TEST(CheckSelectionTest, AllAreSelectedAtFirst) {
  EXPECT_TRUE(isSelected("", "clopt-race"));
  EXPECT_TRUE(isSelected("clopt-race", "clopt-out-of-bounds"));
}

TEST(CheckSelectionTest, TheLastMatchDecides) {
  EXPECT_TRUE(isSelected("-*,clopt-race", "clopt-race"));
  EXPECT_FALSE(isSelected("-*,clopt-race", "clopt-out-of-bounds"));
  EXPECT_FALSE(isSelected("clopt-race, -*", "clopt-race"));
  EXPECT_FALSE(isSelected("-clopt-unvectorized-*", "clopt-unvectorized-skew"));
  EXPECT_TRUE(isSelected("-clopt-unvectorized-*,clopt-unvectorized-skew",
                         "clopt-unvectorized-skew"));
}

TEST(CheckSelectionTest, ListsWhatIsSelected) {
  llvm::Expected<CheckSelection> selection =
      CheckSelection::parse("-*,clopt-race,clopt-out-of-bounds");
  ASSERT_TRUE(bool(selection));
  EXPECT_EQ(selection->ruleIds().size(), 2u);
}

static std::string errorOf(const std::string &patterns) {
  llvm::Expected<CheckSelection> selection = CheckSelection::parse(patterns);
  return selection ? "" : llvm::toString(selection.takeError());
}

TEST(CheckSelectionTest, RefusesWhatMatchesNothing) {
  EXPECT_EQ(errorOf("clopt-rcae"),
            "no check is named 'clopt-rcae'; did you mean 'clopt-race'?");
  EXPECT_NE(errorOf("-clopt-dependence"), ""); // a refusal, no finding
  EXPECT_NE(errorOf("clopt-[race"), "");
}
