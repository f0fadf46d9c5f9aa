//===- Suggest.cpp - "did you mean" ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/SuggestTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Support/Suggest.h"

#include <llvm/ADT/StringRef.h>

#include <algorithm>

std::optional<std::string>
clopt::suggest(const std::string &word,
               const std::vector<std::string> &candidates) {
  std::optional<std::string> best;
  size_t bestDistance = 0;
  for (const std::string &candidate : candidates) {
    // Words that have no letter in common are no slips of each other.
    // Every word of two letters is two edits away from every other: short words
    // get one edit, longer ones a third of their length, rounded.
    size_t limit =
        std::max<size_t>(1, (std::min(word.size(), candidate.size()) + 1) / 3);
    size_t distance = llvm::StringRef(word).edit_distance(
        candidate, /*AllowReplacements=*/true, /*MaxEditDistance=*/limit);
    const bool isOther = distance >= std::max(word.size(), candidate.size());
    if (isOther || distance > limit || (best && distance >= bestDistance))
      continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

std::string clopt::didYouMean(const std::string &word,
                              const std::vector<std::string> &candidates) {
  std::optional<std::string> best = suggest(word, candidates);
  return best ? "; did you mean '" + *best + "'?" : "";
}
