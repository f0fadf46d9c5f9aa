//===- JsonReport.h - clopt's own report ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything clopt found out about a run, for programs: docs/report.md says
// what each member means, docs/schema/report.schema.json is its JSON schema.
//
// Tested by test/unit/JsonReportTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_JSONREPORT_H
#define CLOPT_REPORT_JSONREPORT_H

#include "Report/Findings.h"
#include "Report/ReportInput.h"

#include <string>
#include <vector>

namespace clopt {

/// Version of the report's form: the first number changes when a reader has
/// to change.
constexpr const char *reportSchemaVersion = "1.3.0";

/// The report of one run. `findings` are those of collectFindings(run).
std::string printJsonReport(const RunReport &run,
                            const std::vector<Finding> &findings);

} // namespace clopt

#endif // CLOPT_REPORT_JSONREPORT_H
