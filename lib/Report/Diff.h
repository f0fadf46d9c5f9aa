//===- Diff.h - unified differences -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/DiffTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_DIFF_H
#define CLOPT_REPORT_DIFF_H

#include <string>

namespace clopt {

/// The difference of two texts in the form of `diff -u`, with three lines of
/// context; empty when they are equal. `patch` applies it. Texts that have
/// little in common are shown as one replacement.
std::string unifiedDiff(const std::string &oldName, const std::string &newName,
                        const std::string &oldText, const std::string &newText);

} // namespace clopt

#endif // CLOPT_REPORT_DIFF_H
