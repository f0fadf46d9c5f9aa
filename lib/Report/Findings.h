//===- Findings.h - the findings of `clopt check` ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding is a global access that neighbouring work-items do not perform
// side by side. Findings have a fingerprint that does not depend on where in
// the file they stand, so a baseline survives edits above them.
//
// A kernel whose analysis was given up has none, which is not the same as
// being free of them: a remark with a rule stands in their place.
//
// Tested by test/unit/FindingsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_FINDINGS_H
#define CLOPT_REPORT_FINDINGS_H

#include "Report/ReportInput.h"
#include "Support/Diagnostics.h"

#include <string>
#include <vector>

namespace clopt {

/// One finding. A place that is read and written (`a[2 * i] += 1`) gives one.
struct Finding {
  const AccessReport *access = nullptr; ///< points into the RunReport
  std::string fingerprint;
  std::string input;         ///< its file, which may include that of the access
  bool isSuppressed = false; ///< by a comment in the source
  bool isInBaseline = false; ///< set by applyBaseline

  /// Counts for --error-on.
  bool isNew() const { return !isSuppressed && !isInBaseline; }
};

/// Identifies an access by kernel, array and text without spaces: 32
/// hexadecimal digits.
std::string fingerprint(const AccessReport &access);

/// The findings in one file, in the order of their place.
std::vector<Finding> findingsOf(const Result &result);

/// All findings in the order of the files, then of their place.
std::vector<Finding> collectFindings(const RunReport &run);

/// Of a check: a remark for each kernel whose analysis was given up, without
/// those that a comment silences.
std::vector<const Remark *> unanalyzedKernels(const Result &result);

/// "kernel 'a' was not analysed: the analysis exceeded its budget".
std::string unanalyzedMessage(const Remark &remark);

struct FindingCounts {
  unsigned files = 0;
  unsigned accesses = 0; ///< all global accesses that were looked at
  unsigned found = 0;    ///< findings that are neither of the two below
  unsigned suppressed = 0;
  unsigned inBaseline = 0;
  unsigned unanalyzed = 0; ///< kernels, in a check
};
FindingCounts countFindings(const RunReport &run,
                            const std::vector<Finding> &findings);

/// The finding in the form of clang-tidy, its hint as a note.
std::string renderFinding(const Finding &finding, SourceTexts &sources,
                          const MessageStyle &style);

/// The finding in one line: "file:line:column: warning: reason [rule]".
std::string renderFindingInLine(const Finding &finding);

/// The finding as a command of GitHub's workflows, which puts it beside the
/// line of the source.
std::string renderFindingForGitHub(const Finding &finding);

/// A kernel that was not analysed in these three forms.
std::string renderUnanalyzed(const Remark &remark, SourceTexts &sources,
                             const MessageStyle &style);
std::string renderUnanalyzedInLine(const Remark &remark);
std::string renderUnanalyzedForGitHub(const Remark &remark);

/// The last one for an error or a warning that has a place in a file.
std::string renderDiagnosticForGitHub(const Diagnostic &diagnostic);

/// "3 findings in 1 file (12 accesses); 1 suppressed, 2 in the baseline\n",
/// and how many kernels were not analysed.
std::string renderSummary(const FindingCounts &counts);

} // namespace clopt

#endif // CLOPT_REPORT_FINDINGS_H
