//===- HtmlWriter.h - text as HTML ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   html.element("p", {{"class", "hint"}}, [&] {
//     html.text("'a' < 'b'");
//   });
//
// What is opened is closed, and text and values are escaped: no view of the
// report can break the page. Inline SVG is written in the same way.
//
// Tested by test/unit/HtmlWriterTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_HTML_HTMLWRITER_H
#define CLOPT_REPORT_HTML_HTMLWRITER_H

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include <string>
#include <utility>
#include <vector>

namespace clopt {

/// Text as it stands between tags and in values of attributes. Bytes that are
/// not UTF-8 and control characters become U+FFFD.
std::string escapeHtml(llvm::StringRef text);

class HtmlWriter {
public:
  using Attributes = std::vector<std::pair<llvm::StringRef, std::string>>;

  /// Attributes without a value ("open") are given the value "".
  void element(llvm::StringRef tag, const Attributes &attributes,
               llvm::function_ref<void()> content);
  void element(llvm::StringRef tag, const Attributes &attributes,
               llvm::StringRef text);
  void element(llvm::StringRef tag, llvm::StringRef text) {
    element(tag, {}, text);
  }
  void element(llvm::StringRef tag, llvm::function_ref<void()> content) {
    element(tag, {}, content);
  }
  /// An element that has no content: <meta>, <path>.
  void leaf(llvm::StringRef tag, const Attributes &attributes);
  void text(llvm::StringRef text);
  /// A table that scrolls on its own where it is too wide; `rows` writes what
  /// is in it.
  void scrolledTable(const std::string &style,
                     llvm::function_ref<void()> rows) {
    element("div", {{"class", "scroll"}},
            [&] { element("table", {{"class", style}}, rows); });
  }
  /// A part of the page that is unfolded when it is wanted; `facts` stand
  /// behind its title.
  void details(const std::string &style, llvm::StringRef title,
               const std::string &facts, llvm::function_ref<void()> content) {
    element("details", {{"class", style}}, [&] {
      element("summary", [&] {
        text(title);
        element("span", {{"class", "facts"}}, facts);
      });
      content();
    });
  }
  /// The texts of <style> and <script>, which are ours.
  void raw(llvm::StringRef text) { result += text; }

  std::string take() { return std::move(result); }

private:
  void open(llvm::StringRef tag, const Attributes &attributes);

  std::string result;
};

/// Text in which parts between backquotes or single quotes are code, as
/// messages quote what is from the source.
void writeMessage(HtmlWriter &html, llvm::StringRef message);

} // namespace clopt

#endif // CLOPT_REPORT_HTML_HTMLWRITER_H
