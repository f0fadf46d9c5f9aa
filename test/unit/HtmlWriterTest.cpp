//===- HtmlWriterTest.cpp - tests of text as HTML -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlWriter.h"

#include <gtest/gtest.h>

using namespace clopt;

static std::string messageAsHtml(const std::string &message) {
  HtmlWriter html;
  writeMessage(html, message);
  return html.take();
}

TEST(HtmlWriter, escapesWhatMeansSomething) {
  EXPECT_EQ(escapeHtml("a<b && \"c\">d"),
            "a&lt;b &amp;&amp; &quot;c&quot;&gt;d");
  EXPECT_EQ(escapeHtml("</script>"), "&lt;/script&gt;");
  EXPECT_EQ(escapeHtml("caf\xc3\xa9\t\n"), "caf\xc3\xa9\t\n");
}

TEST(HtmlWriter, bytesThatAreNoTextAreReplaced) {
  const std::string replacement = "\xef\xbf\xbd";
  EXPECT_EQ(escapeHtml("\xff"), replacement);
  EXPECT_EQ(escapeHtml(llvm::StringRef("a\0b", 3)), "a" + replacement + "b");
  EXPECT_EQ(escapeHtml("\x1b[1m"), replacement + "[1m");
}

TEST(HtmlWriter, elements) {
  HtmlWriter html;
  html.element("p", {{"class", "a\"b"}}, [&] {
    html.text("1 < 2");
    html.element("b", "x");
    html.leaf("path", {{"d", "M0 0"}});
  });
  html.leaf("meta", {{"charset", "utf-8"}});
  html.element("details", {{"open", ""}}, "");
  EXPECT_EQ(html.take(),
            "<p class=\"a&quot;b\">1 &lt; 2<b>x</b><path d=\"M0 0\"/></p>\n"
            "<meta charset=\"utf-8\">\n<details open></details>\n");
}

TEST(HtmlWriter, quotedPartsOfMessagesAreCode) {
  EXPECT_EQ(messageAsHtml("'a' may overlap `b<c`"),
            "<code>a</code> may overlap <code>b&lt;c</code>");
  EXPECT_EQ(messageAsHtml("the group's part of 'a'"),
            "the group's part of <code>a</code>");
  EXPECT_EQ(messageAsHtml("not closed: 'a"), "not closed: 'a");
  EXPECT_EQ(messageAsHtml(""), "");
}
