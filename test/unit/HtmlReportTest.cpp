//===- HtmlReportTest.cpp - tests of the HTML report ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlReport.h"

#include "ReportSamples.h"

#include <gtest/gtest.h>

using namespace clopt;

static bool hasPart(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(HtmlReport, showsAFileThatWasOptimized) {
  RunReport run = samples::run();
  std::string page = printHtmlReport(run, {});
  EXPECT_TRUE(hasPart(page, "<title>clopt report</title>"));
  EXPECT_TRUE(hasPart(page, "<h2>dir/copy.cl</h2>"));
  // Findings are those of its accesses.
  EXPECT_TRUE(hasPart(page, "note finding"));
  EXPECT_FALSE(hasPart(page, "Findings by rule"));
  EXPECT_EQ(page, printHtmlReport(run, {}));
}

TEST(HtmlReport, checksHaveAnIndex) {
  RunReport run = samples::run();
  run.isCheck = true;
  std::string page = printHtmlReport(run, collectFindings(run));
  EXPECT_TRUE(hasPart(page, "Findings by rule"));
  EXPECT_TRUE(hasPart(page, "<a href=\"#f1\">dir/copy.cl</a>"));
  // Those of rules that were not asked for are not there.
  page = printHtmlReport(run, {});
  EXPECT_TRUE(hasPart(page, "No findings."));
  EXPECT_FALSE(hasPart(page, "note finding"));
}

TEST(HtmlReport, explainsTheRulesThatItNames) {
  RunReport run = samples::run();
  std::string page = printHtmlReport(run, {});
  EXPECT_TRUE(hasPart(page, "id=\"rule-clopt-may-alias\""));
  EXPECT_FALSE(hasPart(page, "id=\"rule-clopt-race\""));
}

TEST(HtmlReport, pathsAndFlagsAreText) {
  RunReport run = samples::run();
  run.files[0].path = "<script>.cl";
  run.options.buildFlags = {"-DA=\"<b>\""};
  std::string page = printHtmlReport(run, {});
  EXPECT_FALSE(hasPart(page, "<script>"));
  EXPECT_TRUE(hasPart(page, "-DA=&quot;&lt;b&gt;&quot;"));
}
