//===- Suppression.h - "clopt: off" in comments -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comment in the source silences what clopt says about one line:
//
//   x[index[i]] += 1;  // clopt: off(clopt-unvectorized-indirect)
//   // clopt: off-next-line
//   y[2 * i] = 0;
//
// Without rule ids in parentheses everything about the line is silenced.
// Silenced remarks and findings stay in the result, marked as such, so that
// they can be counted.
//
// Tested by test/unit/SuppressionTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_SUPPRESSION_H
#define CLOPT_REPORT_SUPPRESSION_H

#include "Support/SourceTexts.h"
#include "clopt/Result.h"

#include <string>
#include <vector>

namespace clopt {

/// One "clopt: off" comment.
struct Suppression {
  unsigned line = 0; ///< the line it is about
  /// Empty: all rules.
  std::vector<std::string> ruleIds;
  unsigned commentLine = 0;   ///< where the comment's "clopt:" stands
  unsigned commentColumn = 0; ///< both from 1
};

/// All suppressions of a source text, in its order. Looks at comments only,
/// never at strings.
std::vector<Suppression> parseSuppressions(const std::string &source);

/// Marks the remarks and accesses of `result` that a comment silences. Adds a
/// warning for every rule id that does not exist. Doing it twice changes
/// nothing but repeats the warnings.
void applySuppressions(const std::string &mainFile, SourceTexts &sources,
                       Result &result);

} // namespace clopt

#endif // CLOPT_REPORT_SUPPRESSION_H
