//===- HtmlReport.h - a report to look at -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run found out and did as one page: nothing is loaded from elsewhere,
// nothing needs scripts, and the same run gives the same bytes.
// docs/html-report.md describes its views; each has a file of its own here.
//
// Tested by test/unit/HtmlReportTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_HTMLREPORT_H
#define CLOPT_REPORT_HTML_HTMLREPORT_H

#include "Report/Findings.h"
#include "Report/ReportInput.h"

#include <string>
#include <vector>

namespace clopt {

/// The report of one run. `findings` are those of `clopt check`; a run that
/// optimizes has none of its own, the page shows those of its accesses.
std::string printHtmlReport(const RunReport &run,
                            const std::vector<Finding> &findings);

} // namespace clopt

#endif // CLOPT_REPORT_HTML_HTMLREPORT_H
