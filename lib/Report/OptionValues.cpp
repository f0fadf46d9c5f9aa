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

const char *clopt::formatName(FindingFormat format) {
  switch (format) {
  case FindingFormat::Text:
    return "text";
  case FindingFormat::Gcc:
    return "gcc";
  case FindingFormat::GitHub:
    return "github";
  case FindingFormat::None:
    return "none";
  }
  return "text";
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

llvm::Expected<std::array<unsigned, 3>>
clopt::parseLocalSize(StringRef text, const std::string &option) {
  llvm::SmallVector<StringRef, 3> parts;
  text.split(parts, ',');
  std::array<unsigned, 3> size = {1, 1, 1};
  bool isGood = parts.size() <= 3;
  for (size_t i = 0; isGood && i < parts.size(); ++i)
    isGood = !parts[i].trim().getAsInteger(10, size[i]) && size[i] > 0;
  if (isGood)
    return size;
  return wrongValue("'" + option +
                    "' needs one to three positive numbers with commas, as in "
                    "16,16,1, not '" +
                    text.str() + "'");
}

llvm::Expected<FindingFormat>
clopt::parseFindingFormat(StringRef text, const std::string &option) {
  const std::string word = text.lower();
  for (FindingFormat format :
       {FindingFormat::Text, FindingFormat::Gcc, FindingFormat::GitHub})
    if (word == formatName(format))
      return format;
  return wrongValue("'" + option + "' is text, gcc or github, not '" + word +
                    "'" + didYouMean(word, {"text", "gcc", "github"}));
}

llvm::Expected<bool> clopt::parseFlag(StringRef text,
                                      const std::string &option) {
  const std::string word = text.lower();
  if (word == "true" || word == "false")
    return word == "true";
  return wrongValue("'" + option + "' is true or false, not '" + word + "'");
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
