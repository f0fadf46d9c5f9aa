//===- HtmlComparisonTest.cpp - tests of texts side by side --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlComparison.h"

#include "ReportSamples.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

/// "=1:1 ~2:2 -3 +3", lines from 1.
std::string fatesOf(const std::string &before, const std::string &after) {
  std::string text;
  for (const LinePair &pair : pairLines(before, after)) {
    text += text.empty() ? "" : " ";
    text += pair.fate == LinePair::Kept      ? "="
            : pair.fate == LinePair::Changed ? "~"
            : pair.fate == LinePair::Removed ? "-"
                                             : "+";
    if (pair.oldLine)
      text += std::to_string(*pair.oldLine + 1);
    if (pair.oldLine && pair.newLine)
      text += ":";
    if (pair.newLine)
      text += std::to_string(*pair.newLine + 1);
  }
  return text;
}

std::string comparisonOf(const ProcessedFile &file, size_t kernel = 0) {
  HtmlWriter html;
  ComparisonView("f1", file).write(html, file.result.kernels[kernel]);
  return html.take();
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST(LineFates, keptChangedRemovedAdded) {
  EXPECT_EQ(fatesOf("a\nb\nc\n", "a\nx\nc\n"), "=1:1 ~2:2 =3:3");
  EXPECT_EQ(fatesOf("a\nb\n", "a\n"), "=1:1 -2");
  EXPECT_EQ(fatesOf("a\n", "a\nb\n"), "=1:1 +2");
  EXPECT_EQ(fatesOf("", ""), "");
}

TEST(LineFates, indentationDoesNotMatter) {
  EXPECT_EQ(fatesOf("a;\r\n", "if (n) {\n  a;\n}\n"), "+1 =1:2 +3");
}

TEST(HtmlComparison, showsAKernelWithItsNewText) {
  RunReport run = samples::run();
  ProcessedFile &file = run.files[0];
  file.result.kernels[0].location.endLine = 5;
  file.result.output.insert(file.result.output.find("  a[2"),
                            "  if (i < 0)\n    return;\n");
  std::string page = comparisonOf(file);
  EXPECT_TRUE(contains(page, "5 lines, now 7 lines: 5 of the original, 2 new"));
  EXPECT_TRUE(contains(page, "<td class=\"code new\">  <span class=\"kw\">if"));
  EXPECT_TRUE(contains(page, "href=\"#f1-L5\""));
  EXPECT_FALSE(contains(page, "code old"));
}

TEST(HtmlComparison, otherKernelsAreLeftOut) {
  RunReport run = samples::run();
  ProcessedFile &file = run.files[0];
  file.source = "// first\nkernel void f() {\n}\nkernel void g() {\n}\n";
  file.result.output =
      "// first\nkernel void f() {\n}\nkernel void g() {\n  x;\n}\n";
  file.result.kernels.resize(2);
  file.result.kernels[0].location.line = 2;
  file.result.kernels[0].location.endLine = 3;
  file.result.kernels[1].location.line = 4;
  file.result.kernels[1].location.endLine = 5;
  EXPECT_EQ(comparisonOf(file, 0), "");
  std::string page = comparisonOf(file, 1);
  EXPECT_TRUE(contains(page, "2 lines, now 3 lines"));
  EXPECT_FALSE(contains(page, "first"));
}

TEST(HtmlComparison, kernelsWithoutAPlace) {
  RunReport run = samples::run();
  run.files[0].result.kernels[0].location = SourceRange();
  run.files[0].result.output += "x\n";
  EXPECT_EQ(comparisonOf(run.files[0]), "");
}
