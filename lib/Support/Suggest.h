//===- Suggest.h - "did you mean" -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the name that was probably meant by a misspelt one. Used for options,
// commands, targets and rule ids, so that all of them answer alike.
//
// Tested by test/unit/SuggestTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_SUPPORT_SUGGEST_H
#define CLOPT_SUPPORT_SUGGEST_H

#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// The candidate closest to `word` in edit distance, or nothing when none is
/// close enough to be more than a guess: at most a third of its letters may
/// differ. The first of several equally close ones wins.
std::optional<std::string> suggest(const std::string &word,
                                   const std::vector<std::string> &candidates);

/// "; did you mean 'target'?", or nothing, to be put behind an error message.
std::string didYouMean(const std::string &word,
                       const std::vector<std::string> &candidates);

} // namespace clopt

#endif // CLOPT_SUPPORT_SUGGEST_H
