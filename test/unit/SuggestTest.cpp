//===- SuggestTest.cpp - tests of "did you mean" --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Suggest.h"

#include <gtest/gtest.h>

using namespace clopt;

static const std::vector<std::string> options = {
    "target", "report", "recipe", "o", "MD", "MF", "Rpass", "Rpass-missed"};

TEST(Suggest, findsASlip) {
  EXPECT_EQ(suggest("targt", options), "target");
  EXPECT_EQ(suggest("tragte", options), std::nullopt)
      << "three edits in six letters are too many";
  EXPECT_EQ(suggest("Rpass-mised", options), "Rpass-missed");
  EXPECT_EQ(suggest("chekc", {"check", "bench"}), "check");
}

TEST(Suggest, exactNameIsItsOwnSuggestion) {
  EXPECT_EQ(suggest("report", options), "report");
}

TEST(Suggest, saysNothingAboutStrangers) {
  EXPECT_EQ(suggest("polly", options), std::nullopt);
  EXPECT_EQ(suggest("", {}), std::nullopt);
}

TEST(Suggest, shortWordsGetOneEdit) {
  EXPECT_EQ(suggest("MG", options), "MD") << "the first of equals";
  EXPECT_EQ(suggest("xy", options), std::nullopt);
  EXPECT_EQ(suggest("q", {"k", "n"}), std::nullopt) << "another letter";
  EXPECT_EQ(suggest("k", {"n", "k2"}), "k2");
}

TEST(Suggest, phrase) {
  EXPECT_EQ(didYouMean("targt", options), "; did you mean 'target'?");
  EXPECT_EQ(didYouMean("polly", options), "");
}
