//===- OptionValuesTest.cpp - values of options as words ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/OptionValues.h"

#include <gtest/gtest.h>

using namespace clopt;

template <typename T> static std::string errorOf(llvm::Expected<T> value) {
  return value ? "" : llvm::toString(value.takeError());
}

TEST(OptionValuesTest, NamesAreReadBack) {
  for (AliasMode mode : {AliasMode::Check, AliasMode::None, AliasMode::Strict})
    EXPECT_EQ(*parseAliasMode(aliasName(mode), "alias"), mode);
  for (ValidateMode mode :
       {ValidateMode::Fast, ValidateMode::Full, ValidateMode::Off})
    EXPECT_EQ(*parseValidateMode(validateName(mode), "validate"), mode);
}

TEST(OptionValuesTest, WrongWordsNameTheOption) {
  EXPECT_EQ(errorOf(parseAliasMode("maybe", "--alias")),
            "'--alias' is check, none or strict, not 'maybe'");
  EXPECT_EQ(errorOf(parseValidateMode("ful", "validate")),
            "'validate' is fast, full or off, not 'ful'; did you mean 'full'?");
}

TEST(OptionValuesTest, Thresholds) {
  llvm::Expected<ErrorThreshold> all =
      parseErrorThreshold("unvectorized=3", "error-on");
  ASSERT_TRUE(bool(all));
  EXPECT_EQ(all->what, "unvectorized");
  EXPECT_EQ(all->limit, 3u);
  llvm::Expected<ErrorThreshold> one =
      parseErrorThreshold("clopt-race", "error-on");
  ASSERT_TRUE(bool(one));
  EXPECT_EQ(one->limit, 0u);
  EXPECT_EQ(errorOf(parseErrorThreshold("clopt-race=few", "--error-on")),
            "'--error-on=clopt-race=' needs a number, not 'few'");
  EXPECT_EQ(errorOf(parseErrorThreshold("unvectorised", "error-on")),
            "'error-on' knows no findings named 'unvectorised'; did you mean "
            "'unvectorized'?");
}
