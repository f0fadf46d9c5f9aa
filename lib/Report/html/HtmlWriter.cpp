//===- HtmlWriter.cpp - text as HTML --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlWriterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlWriter.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/JSON.h>

using namespace clopt;
using llvm::StringRef;

std::string clopt::escapeHtml(StringRef text) {
  std::string valid = llvm::json::fixUTF8(text);
  std::string result;
  for (char c : valid) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if ((static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') ||
             c == '\x7f')
      result += "\xef\xbf\xbd";
    else
      result += c;
  }
  return result;
}

/// A line of its own in the file, where line breaks mean nothing.
static bool isBlock(StringRef tag) {
  return llvm::StringSwitch<bool>(tag)
      .Cases("html", "head", "body", "header", "main", "nav", "section", true)
      .Cases("div", "p", "h1", "h2", "h3", "h4", "ul", "li", true)
      .Cases("table", "thead", "tbody", "tr", "details", "summary", true)
      .Cases("title", "meta", "style", "script", "svg", "dl", "dd", true)
      .Cases("figure", "figcaption", "pre", "footer", true)
      .Default(false);
}

void HtmlWriter::open(StringRef tag, const Attributes &attributes) {
  result += "<" + tag.str();
  for (const auto &[name, value] : attributes) {
    result += " " + name.str();
    if (!value.empty())
      result += "=\"" + escapeHtml(value) + "\"";
  }
  result += ">";
}

void HtmlWriter::element(StringRef tag, const Attributes &attributes,
                         llvm::function_ref<void()> content) {
  open(tag, attributes);
  content();
  result += "</" + tag.str() + ">";
  if (isBlock(tag))
    result += "\n";
}

void HtmlWriter::element(StringRef tag, const Attributes &attributes,
                         StringRef content) {
  element(tag, attributes, [&] { text(content); });
}

void HtmlWriter::leaf(StringRef tag, const Attributes &attributes) {
  open(tag, attributes);
  // HTML's elements without content take no slash, SVG's need it.
  if (tag != "meta" && tag != "br")
    result.insert(result.size() - 1, "/");
  if (isBlock(tag))
    result += "\n";
}

void HtmlWriter::text(StringRef text) { result += escapeHtml(text); }

void clopt::writeMessage(HtmlWriter &html, StringRef message) {
  while (!message.empty()) {
    size_t begin = message.find_first_of("`'");
    if (begin == StringRef::npos)
      break;
    // An apostrophe within a word quotes nothing.
    const char quote = message[begin];
    const bool isWithin =
        quote == '\'' && begin > 0 && isalnum(message[begin - 1]);
    size_t end = isWithin ? begin : message.find(quote, begin + 1);
    if (end == StringRef::npos)
      break;
    if (isWithin) {
      html.text(message.take_front(begin + 1));
    } else {
      html.text(message.take_front(begin));
      html.element("code", message.slice(begin + 1, end));
    }
    message = message.drop_front(end + 1);
  }
  html.text(message);
}
