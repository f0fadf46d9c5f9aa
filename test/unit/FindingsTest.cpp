//===- FindingsTest.cpp - tests of the findings of `clopt check` ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/Findings.h"
#include "ReportSamples.h"

#include <gtest/gtest.h>

using namespace clopt;

TEST(Findings, accessesWithARule) {
  RunReport run = samples::run();
  std::vector<Finding> findings = collectFindings(run);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].access->text, "a[2 * i]");
  EXPECT_TRUE(findings[0].isNew());
}

TEST(Findings, readAndWriteOfOnePlaceAreOne) {
  RunReport run = samples::run();
  auto &accesses = run.files[0].result.kernels[0].accesses;
  accesses.push_back(samples::stridedAccess());
  accesses.back().isWrite = false;
  EXPECT_EQ(collectFindings(run).size(), 1u);
  accesses.back().location = samples::range(4, 3, 12);
  EXPECT_EQ(collectFindings(run).size(), 2u);
}

TEST(Findings, inTheOrderOfTheSource) {
  RunReport run = samples::run();
  auto &accesses = run.files[0].result.kernels[0].accesses;
  accesses.insert(accesses.begin(), samples::stridedAccess());
  accesses.front().location = samples::range(4, 3, 12);
  std::vector<Finding> findings = collectFindings(run);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].access->location.line, 3u);
  EXPECT_EQ(findings[1].access->location.line, 4u);
}

TEST(Findings, fingerprintIgnoresPlaceAndSpaces) {
  AccessReport access = samples::stridedAccess();
  std::string before = fingerprint(access);
  EXPECT_EQ(before.size(), 32u);
  access.location.line += 100;
  access.text = "a[2*i]";
  EXPECT_EQ(fingerprint(access), before);
  // Another access of the array may change how it is seen.
  access.subscript = "[i][0]";
  EXPECT_EQ(fingerprint(access), before);
}

TEST(Findings, fingerprintKnowsKernelArrayAndText) {
  const AccessReport access = samples::stridedAccess();
  AccessReport other = access;
  other.kernel = "copy2";
  EXPECT_NE(fingerprint(other), fingerprint(access));
  other = access;
  other.array = "b";
  EXPECT_NE(fingerprint(other), fingerprint(access));
  other = access;
  other.text = "a[3 * i]";
  EXPECT_NE(fingerprint(other), fingerprint(access));
}

TEST(Findings, text) {
  RunReport run = samples::run();
  std::vector<Finding> findings = collectFindings(run);
  SourceTexts sources;
  sources.add("dir/copy.cl", samples::source);
  EXPECT_EQ(renderFinding(findings[0], sources, {}),
            "dir/copy.cl:3:3: warning: neighbouring work-items write every "
            "second float of 'a' [clopt-unvectorized-stride]\n"
            "    3 |   a[2 * i] = b[i];\n"
            "      |   ^~~~~~~~\n"
            "dir/copy.cl:3:3: note: store the two halves in arrays of their "
            "own\n");
}

TEST(Findings, theRuleSpeaksWhereThereIsNoReason) {
  RunReport run = samples::run();
  AccessReport &access = run.files[0].result.kernels[0].accesses[0];
  access.reason.clear();
  access.hint.clear();
  SourceTexts none;
  EXPECT_EQ(renderFinding(collectFindings(run)[0], none, {}),
            "dir/copy.cl:3:3: warning: neighbouring work-items are a constant "
            "number of elements apart [clopt-unvectorized-stride]\n");
}

TEST(Findings, summary) {
  RunReport run = samples::run();
  std::vector<Finding> findings = collectFindings(run);
  EXPECT_EQ(renderSummary(countFindings(run, findings)),
            "1 finding in 1 file (2 accesses)\n");
  findings[0].isInBaseline = true;
  EXPECT_EQ(renderSummary(countFindings(run, findings)),
            "0 findings in 1 file (2 accesses); 1 in the baseline\n");
  findings[0].isSuppressed = true;
  EXPECT_EQ(renderSummary(countFindings(run, findings)),
            "0 findings in 1 file (2 accesses); 1 suppressed\n");
  FindingCounts both;
  both.suppressed = both.inBaseline = 2;
  EXPECT_EQ(renderSummary(both), "0 findings in 0 files (0 accesses); 2 "
                                 "suppressed, 2 in the baseline\n");
}

TEST(Findings, kernelsThatWereNotAnalysed) {
  RunReport run = samples::run();
  std::vector<Remark> &remarks = run.files[0].result.remarks;
  EXPECT_TRUE(unanalyzedKernels(run.files[0].result).empty());
  remarks.push_back(samples::unanalyzed());
  remarks.push_back(samples::unanalyzed());
  ASSERT_EQ(unanalyzedKernels(run.files[0].result).size(), 1u);
  // Only a check has to say so.
  EXPECT_EQ(countFindings(run, {}).unanalyzed, 0u);
  run.isCheck = true;
  EXPECT_EQ(renderSummary(countFindings(run, {})),
            "0 findings in 1 file (2 accesses); 1 kernel not analysed\n");
  for (Remark &remark : remarks)
    remark.suppressed = true;
  EXPECT_EQ(countFindings(run, {}).unanalyzed, 0u);
}

TEST(Findings, formsOfKernelsThatWereNotAnalysed) {
  const Remark remark = samples::unanalyzed();
  SourceTexts none;
  EXPECT_EQ(renderUnanalyzed(remark, none, {}),
            "dir/copy.cl:1:13: warning: kernel 'copy' was not analysed: the "
            "analysis exceeded its budget [clopt-budget]\n"
            "dir/copy.cl:1:13: note: raise --operation-budget\n");
  EXPECT_EQ(renderUnanalyzedInLine(remark),
            "dir/copy.cl:1:13: warning: kernel 'copy' was not analysed: the "
            "analysis exceeded its budget [clopt-budget]\n");
  EXPECT_EQ(renderUnanalyzedForGitHub(remark),
            "::warning file=dir/copy.cl,line=1,col=13,endLine=1,"
            "title=clopt-budget::kernel 'copy' was not analysed: the analysis "
            "exceeded its budget%0Araise --operation-budget\n");
}
