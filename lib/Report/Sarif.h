//===- Sarif.h - results for code scanning ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0 with the members that code scanning services ask for. Findings
// are warnings; missed remarks are notes. Results that a comment suppresses
// are written with their suppression, results in the baseline are marked.
//
// Tested by test/unit/SarifTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_SARIF_H
#define CLOPT_REPORT_SARIF_H

#include "Report/Findings.h"
#include "Report/ReportInput.h"

#include <string>
#include <vector>

namespace clopt {

/// `findings` are those of collectFindings(run), the baseline applied;
/// `hasBaseline` says whether there was one.
std::string printSarif(const RunReport &run,
                       const std::vector<Finding> &findings, bool hasBaseline);

} // namespace clopt

#endif // CLOPT_REPORT_SARIF_H
