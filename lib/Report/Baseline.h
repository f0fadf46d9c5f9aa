//===- Baseline.h - findings that are allowed to stay -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A baseline lists the findings of a day: `clopt check --baseline` speaks only
// of what has come since. It counts findings per fingerprint (Findings.h), so
// moving code does not matter, and a second access of the same kind is new.
//
// Tested by test/unit/BaselineTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_BASELINE_H
#define CLOPT_REPORT_BASELINE_H

#include "Report/Findings.h"

#include <llvm/Support/Error.h>

#include <map>
#include <string>
#include <vector>

namespace clopt {

struct Baseline {
  /// Allowed findings per fingerprint.
  std::map<std::string, unsigned> counts;
};

/// The baseline, in JSON, that allows all findings which are not suppressed.
std::string printBaseline(const std::vector<Finding> &findings);

/// Reads what printBaseline wrote; `name` stands in error messages.
llvm::Expected<Baseline> parseBaseline(const std::string &text,
                                       const std::string &name);

/// Marks the findings that the baseline allows, the first ones of each
/// fingerprint first, and takes them out of it: what is left at the end is
/// gone from the sources.
void applyBaseline(Baseline &baseline, std::vector<Finding> &findings);

/// Findings that the baseline allows.
unsigned countAllowed(const Baseline &baseline);

} // namespace clopt

#endif // CLOPT_REPORT_BASELINE_H
