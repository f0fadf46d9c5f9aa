//===- OptionValues.cpp - values of options as words ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/OptionValuesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/OptionValues.h"

#include "Support/Refusals.h"
#include "Support/Suggest.h"

#include <llvm/ADT/STLExtras.h>

using namespace clopt;
using llvm::StringRef;

const char *clopt::aliasName(AliasMode mode) {
  switch (mode) {
  case AliasMode::Check:
    return "check";
  case AliasMode::None:
    return "none";
  case AliasMode::Strict:
    return "strict";
  }
  return "check";
}

const char *clopt::validateName(ValidateMode mode) {
  switch (mode) {
  case ValidateMode::Fast:
    return "fast";
  case ValidateMode::Full:
    return "full";
  case ValidateMode::Off:
    return "off";
  }
  return "fast";
}

static llvm::Error wrongValue(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Expected<AliasMode> clopt::parseAliasMode(StringRef text,
                                                const std::string &option) {
  const std::string word = text.lower();
  for (AliasMode mode : {AliasMode::Check, AliasMode::None, AliasMode::Strict})
    if (word == aliasName(mode))
      return mode;
  return wrongValue("'" + option + "' is check, none or strict, not '" + word +
                    "'" + didYouMean(word, {"check", "none", "strict"}));
}

llvm::Expected<ValidateMode>
clopt::parseValidateMode(StringRef text, const std::string &option) {
  const std::string word = text.lower();
  for (ValidateMode mode :
       {ValidateMode::Fast, ValidateMode::Full, ValidateMode::Off})
    if (word == validateName(mode))
      return mode;
  return wrongValue("'" + option + "' is fast, full or off, not '" + word +
                    "'" + didYouMean(word, {"fast", "full", "off"}));
}

llvm::Expected<ErrorThreshold>
clopt::parseErrorThreshold(StringRef text, const std::string &option) {
  auto [what, limit] = text.split('=');
  ErrorThreshold threshold;
  threshold.what = what.str();
  if (text.contains('=') && limit.getAsInteger(10, threshold.limit))
    return wrongValue("'" + option + "=" + what.str() +
                      "=' needs a number, not '" + limit.str() + "'");
  std::vector<std::string> names = {"unvectorized"};
  for (const Rule &rule : allRules())
    if (rule.isFinding)
      names.push_back(rule.id);
  if (!llvm::is_contained(names, threshold.what))
    return wrongValue("'" + option + "' knows no findings named '" +
                      threshold.what + "'" + didYouMean(threshold.what, names));
  return threshold;
}
