//===- UpperBounds.cpp - one upper bound for each value -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/UpperBoundsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/UpperBounds.h"

#include "Emit/print/LinearForm.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace clopt {

namespace {
struct UpperBound {
  std::string value;
  uint64_t number = 0;
};
} // namespace

std::vector<std::string> splitConjunction(const std::string &text) {
  std::vector<std::string> parts;
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth != 0)
      continue;
    if (text.compare(i, 2, "||") == 0 || text[i] == '?')
      return {text};
    if (text.compare(i, 4, " && ") != 0)
      continue;
    parts.push_back(text.substr(start, i - start));
    start = i + 4;
  }
  parts.push_back(text.substr(start));
  return parts;
}

/// `value <= number`, with a number that no type changes.
static std::optional<UpperBound> asUpperBound(const std::string &part) {
  size_t sign = part.rfind(" <= ");
  if (sign == std::string::npos || part.find("<=") != sign + 1)
    return std::nullopt;
  const std::optional<int64_t> number = asNumber(part.substr(sign + 4));
  if (!number || *number < 0)
    return std::nullopt;
  return UpperBound{part.substr(0, sign), static_cast<uint64_t>(*number)};
}

std::vector<std::string>
withLeastBounds(const std::vector<std::string> &conditions) {
  std::map<std::string, uint64_t> least;
  for (const std::string &condition : conditions)
    for (const std::string &part : splitConjunction(condition))
      if (std::optional<UpperBound> bound = asUpperBound(part)) {
        auto [known, isNew] = least.emplace(bound->value, bound->number);
        if (!isNew && bound->number < known->second)
          known->second = bound->number;
      }
  std::vector<std::string> result;
  std::set<std::string> said;
  for (const std::string &condition : conditions) {
    std::string kept;
    for (const std::string &part : splitConjunction(condition)) {
      std::optional<UpperBound> bound = asUpperBound(part);
      if (bound && (bound->number > least[bound->value] ||
                    !said.insert(bound->value).second))
        continue;
      kept += (kept.empty() ? "" : " && ") + part;
    }
    if (!kept.empty())
      result.push_back(kept);
  }
  return result;
}

} // namespace clopt
