//===- DiagnosticsTest.cpp - tests of messages in clang's form ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Diagnostics.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

SourceRange at(unsigned line, unsigned column, unsigned endLine = 0,
               unsigned endColumn = 0) {
  SourceRange range;
  range.file = "k.cl";
  range.line = line;
  range.column = column;
  range.endLine = endLine;
  range.endColumn = endColumn;
  return range;
}

std::string show(const SourceRange &range, const std::string &text,
                 const std::string &flag = "") {
  SourceTexts sources;
  sources.add("k.cl", text);
  return renderMessage(MessageKind::Warning, range, "odd", flag, sources, {});
}

} // namespace

TEST(Diagnostics, locationLineAndCaret) {
  EXPECT_EQ(show(at(2, 3, 2, 7), "one\n  a[i] = 0;\nthree\n", "rule"),
            "k.cl:2:3: warning: odd [rule]\n"
            "    2 |   a[i] = 0;\n"
            "      |   ^~~~\n");
}

TEST(Diagnostics, aPointIsACaret) {
  EXPECT_EQ(show(at(1, 1), "x\n"), "k.cl:1:1: warning: odd\n"
                                   "    1 | x\n"
                                   "      | ^\n");
}

TEST(Diagnostics, tabsAndWideLettersKeepTheCaretInPlace) {
  EXPECT_EQ(show(at(1, 2, 1, 3), "\tx\n"), "k.cl:1:2: warning: odd\n"
                                           "    1 |         x\n"
                                           "      |         ^\n");
  // Column 4 counts bytes: the umlaut has two.
  EXPECT_EQ(show(at(1, 4, 1, 6), "\xc3\xbc xy\n"), "k.cl:1:4: warning: odd\n"
                                                   "    1 | \xc3\xbc xy\n"
                                                   "      |   ^~\n");
}

TEST(Diagnostics, aRangeOfSeveralLinesEndsWithTheFirst) {
  EXPECT_EQ(show(at(1, 2, 2, 2), "abcd\nef\n"), "k.cl:1:2: warning: odd\n"
                                                "    1 | abcd\n"
                                                "      |  ^~~\n");
}

TEST(Diagnostics, withoutTheTextOnlyTheMessage) {
  SourceTexts none;
  EXPECT_EQ(renderMessage(MessageKind::Error, at(7, 9), "m", "", none, {}),
            "k.cl:7:9: error: m\n");
  EXPECT_EQ(show(at(9, 1), "one line\n"), "k.cl:9:1: warning: odd\n");
  EXPECT_EQ(show(at(1, 99), "one line\n"), "k.cl:1:99: warning: odd\n");
}

TEST(Diagnostics, aboutNoPlace) {
  EXPECT_EQ(renderError("no input files", {}),
            "clopt: error: no input files\n");
  SourceRange wholeFile;
  wholeFile.file = "k.cl";
  EXPECT_EQ(show(wholeFile, ""), "k.cl: warning: odd\n");
}

TEST(Diagnostics, clangsOwnRenderingIsKept) {
  SourceTexts none;
  Diagnostic diagnostic;
  diagnostic.rendered = "k.cl:1:1: error: from clang";
  diagnostic.message = "not shown";
  EXPECT_EQ(renderDiagnostic(diagnostic, none, {}),
            "k.cl:1:1: error: from clang\n");
  diagnostic.rendered.clear();
  diagnostic.level = Diagnostic::Level::Note;
  EXPECT_EQ(renderDiagnostic(diagnostic, none, {}), "clopt: note: not shown\n");
}

TEST(Diagnostics, colorOnlyWhenAsked) {
  SourceTexts none;
  MessageStyle style;
  EXPECT_EQ(renderError("m", style).find('\033'), std::string::npos);
  style.color = true;
  std::string text = renderError("m", style);
  EXPECT_NE(text.find("\033[0;1;31merror: \033[0m"), std::string::npos);
}

TEST(SourceTexts, lines) {
  SourceTexts sources;
  sources.add("k.cl", "a\r\n\nlast");
  EXPECT_EQ(sources.line("k.cl", 1), "a");
  EXPECT_EQ(sources.line("k.cl", 2), "");
  EXPECT_EQ(sources.line("k.cl", 3), "last");
  EXPECT_EQ(sources.line("k.cl", 4), std::nullopt);
  EXPECT_EQ(sources.line("k.cl", 0), std::nullopt);
  EXPECT_EQ(sources.find("there-is-no-such-file"), nullptr);
}
