//===- AnnotationsTest.cpp - tests of what is said about lines ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/html/Annotations.h"

#include "ReportSamples.h"

#include <gtest/gtest.h>

using namespace clopt;

TEST(Annotations, areSortedByTheirLines) {
  RunReport run = samples::run();
  Diagnostic warning;
  warning.level = Diagnostic::Level::Warning;
  warning.message = "no place";
  run.files[0].result.diagnostics.push_back(warning);
  std::vector<Annotation> all =
      annotationsOf(run.files[0], findingsOf(run.files[0].result));
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].kind, AnnotationKind::Warning);
  EXPECT_EQ(all[1].kind, AnnotationKind::Passed);
  EXPECT_EQ(all[1].pass, "vectorize");
  EXPECT_EQ(all[1].ruleId, "") << "the step says as much";
  EXPECT_EQ(all[2].kind, AnnotationKind::Missed);
  EXPECT_EQ(all[2].ruleId, "clopt-may-alias");
  EXPECT_EQ(all[2].hint, "add 'restrict' to 'a'");
  EXPECT_EQ(all[3].kind, AnnotationKind::Analysis);
  EXPECT_EQ(all[4].kind, AnnotationKind::Finding);
  EXPECT_EQ(all[4].location.line, 3u);
  EXPECT_EQ(all[4].ruleId, "clopt-unvectorized-stride");
}

TEST(Annotations, whatIsSilencedStays) {
  RunReport run = samples::run();
  run.files[0].result.remarks[0].suppressed = true;
  std::vector<Finding> findings = findingsOf(run.files[0].result);
  ASSERT_EQ(findings.size(), 1u);
  findings[0].isInBaseline = true;
  std::vector<Annotation> all = annotationsOf(run.files[0], findings);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_TRUE(all[0].isSuppressed);
  EXPECT_TRUE(all[3].isInBaseline);
  EXPECT_FALSE(all[3].isSuppressed);
}

TEST(Annotations, filesThatCouldNotBeRead) {
  ProcessedFile file;
  file.readError = "no such file";
  std::vector<Annotation> all = annotationsOf(file, {});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_STREQ(annotationName(all[0].kind), "error");
  EXPECT_EQ(all[0].message, "no such file");
}
