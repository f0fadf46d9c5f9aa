//===- CheckSelection.h - which findings are wanted -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns of rules, as those of clang-tidy: "-*,clopt-race" selects one rule,
// "-clopt-unvectorized-*" all but some. All are selected at first; of several
// patterns that match, the last one decides.
//
// Tested by test/unit/CheckSelectionTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_CHECKSELECTION_H
#define CLOPT_REPORT_CHECKSELECTION_H

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace clopt {

class CheckSelection {
public:
  /// Reads patterns with commas between them. Fails where one is malformed or
  /// matches no rule of `clopt check`.
  static llvm::Expected<CheckSelection> parse(const std::string &text);

  bool isSelected(const std::string &ruleId) const;
  /// The selected rules, in the order of allRules().
  std::vector<std::string> ruleIds() const;

private:
  struct Pattern {
    std::string glob; ///< well formed
    bool selects = true;
  };
  std::vector<Pattern> patterns;
};

} // namespace clopt

#endif // CLOPT_REPORT_CHECKSELECTION_H
