//===- LineFates.h - what became of each line of a source -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlComparisonTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_LINEFATES_H
#define CLOPT_REPORT_HTML_LINEFATES_H

#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// An old line beside a new one.
struct LinePair {
  enum Fate {
    Kept,    ///< in both; it may be indented in another way
    Changed, ///< another one is in its place
    Removed,
    Added
  } fate = Fate::Kept;
  std::optional<size_t> oldLine, newLine; ///< from 0
};

std::vector<LinePair> pairLines(const std::string &oldText,
                                const std::string &newText);

} // namespace clopt

#endif // CLOPT_REPORT_HTML_LINEFATES_H
