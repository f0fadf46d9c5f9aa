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

template <typename Mode>
using Names = std::vector<std::pair<Mode, const char *>>;

static const Names<AliasMode> aliasModes = {{AliasMode::Check, "check"},
                                            {AliasMode::None, "none"},
                                            {AliasMode::Strict, "strict"}};
static const Names<ValidateMode> validateModes = {{ValidateMode::Fast, "fast"},
                                                  {ValidateMode::Full, "full"},
                                                  {ValidateMode::Off, "off"}};
static const Names<FindingFormat> formats = {{FindingFormat::Text, "text"},
                                             {FindingFormat::Gcc, "gcc"},
                                             {FindingFormat::GitHub, "github"}};

template <typename Mode>
static const char *nameIn(const Names<Mode> &names, Mode mode) {
  for (const auto &[known, name] : names)
    if (known == mode)
      return name;
  return "none";
}

const char *clopt::aliasName(AliasMode mode) {
  return nameIn(aliasModes, mode);
}
const char *clopt::validateName(ValidateMode mode) {
  return nameIn(validateModes, mode);
}
const char *clopt::formatName(FindingFormat format) {
  return nameIn(formats, format);
}

static llvm::Error wrongValue(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

template <typename Mode>
static llvm::Expected<Mode> parseName(const Names<Mode> &names, StringRef text,
                                      const std::string &option) {
  const std::string word = text.lower();
  std::vector<std::string> all;
  for (const auto &[mode, name] : names) {
    if (word == name)
      return mode;
    all.push_back(name);
  }
  return wrongValue("'" + option + "' is " + all[0] + ", " + all[1] + " or " +
                    all[2] + ", not '" + word + "'" + didYouMean(word, all));
}

llvm::Expected<AliasMode> clopt::parseAliasMode(StringRef text,
                                                const std::string &option) {
  return parseName(aliasModes, text, option);
}

llvm::Expected<ValidateMode>
clopt::parseValidateMode(StringRef text, const std::string &option) {
  return parseName(validateModes, text, option);
}

llvm::Expected<FindingFormat>
clopt::parseFindingFormat(StringRef text, const std::string &option) {
  return parseName(formats, text, option);
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
  std::vector<std::string> names = {"unvectorized", "unanalyzed"};
  for (const Rule &rule : allRules())
    if (rule.isFinding || isAboutBudget(rule.id))
      names.push_back(rule.id);
  if (!llvm::is_contained(names, threshold.what))
    return wrongValue("'" + option + "' knows no findings named '" +
                      threshold.what + "'" + didYouMean(threshold.what, names));
  return threshold;
}
