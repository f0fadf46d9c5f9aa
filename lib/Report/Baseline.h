//===- Baseline.h - findings that are allowed to stay -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A baseline lists the findings of a day: `clopt check --baseline` speaks only
// of what has come since. It counts findings per fingerprint (Findings.h), so
// moving code does not matter, and a second access of the same kind is new.
//
// Files and rules decide nothing about what is allowed. They are there to know
// what a check could have found again: a check of one file says nothing of the
// findings in others.
//
// Tested by test/unit/BaselineTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_BASELINE_H
#define CLOPT_REPORT_BASELINE_H

#include "Report/Findings.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace clopt {

struct BaselineEntry {
  std::string fingerprint;
  /// From the folder of the baseline, with '/'; empty for standard input, and
  /// in baselines that did not have it yet.
  std::string file;
  std::string kernel, access, rule;
  unsigned count = 0;
  unsigned left = 0;      ///< that no finding was for
  bool isCovered = false; ///< a check would have found it
};

struct Baseline {
  std::string path;
  std::vector<BaselineEntry> entries;
};

/// The baseline, in JSON, for the file `path`, that allows all findings which
/// are not suppressed, and what `before` has beside them that was not looked
/// for.
std::string printBaseline(const std::string &path,
                          const std::vector<Finding> &findings,
                          const Baseline *before = nullptr);

/// Reads what printBaseline wrote into the file `path`.
llvm::Expected<Baseline> parseBaseline(const std::string &text,
                                       const std::string &path);

/// Marks the findings that the baseline allows, the first ones of each
/// fingerprint first, and takes them out of it.
void applyBaseline(Baseline &baseline, std::vector<Finding> &findings);

/// Notes that the file was checked for the rules that `isWanted` knows. Kernels
/// whose analysis was given up were not.
void coverBaseline(Baseline &baseline, const ProcessedFile &file,
                   llvm::function_ref<bool(const std::string &)> isWanted);

/// Findings that the baseline allows and that are gone: they were looked for,
/// or their file is no more.
unsigned countGone(const Baseline &baseline);

} // namespace clopt

#endif // CLOPT_REPORT_BASELINE_H
