//===- ResultTexts.cpp - what is said of a result -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs that call the library; the program clopt says more of many
// files.
//
// Tested by test/unit/ResultTextsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/Findings.h"
#include "Report/JsonReport.h"
#include "Support/Remarks.h"
#include "clopt/Clopt.h"

using namespace clopt;

std::string clopt::messages(const std::string &path, const std::string &source,
                            const Result &result) {
  SourceTexts sources;
  sources.add(path, source);
  std::string text;
  for (const Diagnostic &diagnostic : result.diagnostics)
    text += renderDiagnostic(diagnostic, sources, MessageStyle());
  for (const Remark &remark : result.remarks)
    if (!remark.suppressed)
      text += renderRemark(remark, sources, MessageStyle());
  return text;
}

std::string clopt::reportJson(const std::string &path,
                              const std::string &source, const Options &options,
                              const Result &result) {
  RunReport run;
  run.options = options;
  run.isCheck = options.analyzeOnly;
  ProcessedFile file;
  file.path = path;
  file.source = source;
  file.result = result;
  run.files.push_back(std::move(file));
  return printJsonReport(run, run.isCheck ? collectFindings(run)
                                          : std::vector<Finding>());
}
