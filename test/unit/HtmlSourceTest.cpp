//===- HtmlSourceTest.cpp - tests of sources in the HTML report -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlSource.h"

#include "Report/html/CodeColors.h"
#include "ReportSamples.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

/// The styles of a text, one line per line: "kw:int num:4".
std::string stylesOf(const std::string &source) {
  std::string result;
  for (const CodeLine &line : colorCode(source)) {
    for (const CodePart &part : line.parts)
      result +=
          part.style + ":" + line.text.slice(part.begin, part.end).str() + " ";
    result += "\n";
  }
  return result;
}

std::string sourceAsHtml(const std::vector<Annotation> &annotations,
                         const std::string &source = samples::source) {
  HtmlWriter html;
  writeSource(html, "f1", "dir/copy.cl", source, annotations);
  return html.take();
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST(CodeColors, kinds) {
  EXPECT_EQ(stylesOf("float4 x1 = 0x1Fu; // c"),
            "kw:float4 num:0x1Fu cm:// c \n");
  EXPECT_EQ(stylesOf("#define N 4\nx = N # 1;"), "pp:#define num:4 \nnum:1 \n");
  EXPECT_EQ(stylesOf("\"a\\\"b\" 'c'"), "str:\"a\\\"b\" str:'c' \n");
  EXPECT_EQ(stylesOf("iffy do_it"), "\n");
}

TEST(CodeColors, commentsOverSeveralLines) {
  EXPECT_EQ(stylesOf("/* a\nb */ int\n"), "cm:/* a \ncm:b */ kw:int \n");
  EXPECT_EQ(stylesOf("/* open"), "cm:/* open \n");
  EXPECT_EQ(stylesOf("\"open\nint"), "str:\"open \nkw:int \n");
  EXPECT_EQ(stylesOf("// a\r\nint\r\n"), "cm:// a \nkw:int \n");
}

TEST(CodeColors, laterPartsWin) {
  std::vector<CodeLine> lines = colorCode("int a;");
  lines[0].parts.push_back({2, 5, "mark"});
  HtmlWriter html;
  writeCode(html, lines[0]);
  EXPECT_EQ(html.take(),
            "<span class=\"kw\">in</span><span class=\"mark\">t a</span>;");
}

TEST(HtmlSource, remarksStandUnderTheirLines) {
  RunReport run = samples::run();
  const ProcessedFile &file = run.files[0];
  std::string page = sourceAsHtml(annotationsOf(file, findingsOf(file.result)));
  const size_t line2 = page.find("id=\"f1-L2\""),
               passed = page.find("note passed"),
               line3 = page.find("id=\"f1-L3\""),
               finding = page.find("note finding"),
               line4 = page.find("id=\"f1-L4\"");
  EXPECT_LT(line2, passed);
  EXPECT_LT(passed, line3);
  EXPECT_LT(line3, finding);
  EXPECT_LT(finding, line4);
  EXPECT_TRUE(has(page, "<span class=\"mark finding\">a[2 * i]</span>"));
  EXPECT_TRUE(has(page, "href=\"#rule-clopt-unvectorized-stride\""));
}

TEST(HtmlSource, whatIsAboutOtherFilesComesFirst) {
  Annotation other;
  other.location = samples::range(2, 1, 3);
  other.location.file = "dir/size.h";
  other.message = "elsewhere";
  Annotation beyond;
  beyond.location = samples::range(99, 1, 3);
  beyond.message = "no such line";
  std::string page = sourceAsHtml({other, beyond});
  EXPECT_LT(page.find("elsewhere"), page.find("<table"));
  EXPECT_LT(page.find("no such line"), page.find("<table"));
}

TEST(HtmlSource, withoutText) { EXPECT_EQ(sourceAsHtml({}, ""), ""); }
