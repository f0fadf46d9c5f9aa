//===- Diff.h - unified differences -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/DiffTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_DIFF_H
#define CLOPT_REPORT_DIFF_H

#include <cstddef>
#include <string>
#include <vector>

namespace clopt {

/// One line of a difference: ' ' in both texts, '-' old, '+' new.
struct LineEdit {
  char kind = ' ';
  size_t oldLine = 0, newLine = 0; ///< from 0, where it is in that text
};

/// A shortest list of edits that makes the old lines of the new ones. Texts
/// that have little in common are one replacement: all old lines, then all new
/// ones.
std::vector<LineEdit> lineEdits(const std::vector<std::string> &oldLines,
                                const std::vector<std::string> &newLines);

/// The difference of two texts in the form of `diff -u`, with three lines of
/// context; empty when they are equal. `patch` applies it. Texts that have
/// little in common are shown as one replacement.
std::string unifiedDiff(const std::string &oldName, const std::string &newName,
                        const std::string &oldText, const std::string &newText);

/// The same with the colours that git gives it, as ANSI escapes.
std::string colorDiff(const std::string &diff);

} // namespace clopt

#endif // CLOPT_REPORT_DIFF_H
