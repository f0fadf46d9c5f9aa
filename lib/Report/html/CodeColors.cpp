//===- CodeColors.cpp - the words of OpenCL C by kind ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colors only: what the words mean is none of a report's business, so a
// scanner does. Nothing but the looks depends on it.
//
// Tested by test/unit/HtmlSourceTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/CodeColors.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

using namespace clopt;
using llvm::StringRef;

/// Keywords, qualifiers and types without their number of components.
static const StringRef keywords[] = {
    "__attribute__", "__constant",   "__global",
    "__kernel",      "__local",      "__private",
    "__read_only",   "__write_only", "bool",
    "break",         "case",         "char",
    "const",         "constant",     "continue",
    "default",       "do",           "double",
    "else",          "enum",         "float",
    "for",           "global",       "goto",
    "half",          "if",           "image1d_buffer_t",
    "image1d_t",     "image2d_t",    "image3d_t",
    "inline",        "int",          "kernel",
    "local",         "long",         "private",
    "ptrdiff_t",     "read_only",    "restrict",
    "return",        "sampler_t",    "short",
    "signed",        "size_t",       "sizeof",
    "static",        "struct",       "switch",
    "typedef",       "uchar",        "uint",
    "ulong",         "union",        "unsigned",
    "ushort",        "void",         "volatile",
    "while",         "write_only",
};

static bool isKeyword(StringRef word) {
  StringRef type = word.rtrim("0123456789");
  return std::binary_search(std::begin(keywords), std::end(keywords), word) ||
         std::binary_search(std::begin(keywords), std::end(keywords), type);
}

static bool isWordPart(char c) { return llvm::isAlnum(c) || c == '_'; }

namespace {

/// The next token of a text: its length and style, empty for plain text.
struct Token {
  size_t length = 1;
  StringRef style;
};

} // namespace

static size_t lengthOrRest(StringRef text, size_t position, size_t more) {
  return position == StringRef::npos ? text.size() : position + more;
}

/// A string or character constant; an unfinished one ends with its line.
static size_t literalLength(StringRef text) {
  size_t at = 1;
  for (; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == text[0])
      return at + 1;
    if (text[at] == '\\' && at + 1 < text.size())
      ++at;
  }
  return std::min(at, text.size());
}

/// `before` is the character before the text, or a line break.
static Token nextToken(StringRef text, char before, bool isLineStart) {
  if (text.starts_with("//"))
    return {lengthOrRest(text, text.find('\n'), 0), "cm"};
  if (text.starts_with("/*"))
    return {lengthOrRest(text, text.find("*/", 2), 2), "cm"};
  if (text[0] == '"' || text[0] == '\'')
    return {literalLength(text), "str"};
  if (text[0] == '#' && isLineStart) {
    StringRef word = text.drop_front(1).ltrim(" \t").take_while(isWordPart);
    return {static_cast<size_t>(word.end() - text.begin()), "pp"};
  }
  if (!isWordPart(text[0]) || isWordPart(before))
    return {};
  StringRef word = text.take_while(isWordPart);
  if (llvm::isDigit(text[0])) {
    word = text.take_while([](char c) { return isWordPart(c) || c == '.'; });
    return {word.size(), "num"};
  }
  return {word.size(), isKeyword(word) ? "kw" : ""};
}

static std::vector<CodeLine> plainLines(StringRef source) {
  std::vector<CodeLine> lines;
  while (!source.empty()) {
    auto [line, rest] = source.split('\n');
    lines.push_back({line.rtrim('\r'), {}});
    source = rest;
  }
  return lines;
}

std::vector<CodeLine> clopt::colorCode(StringRef source) {
  std::vector<CodeLine> lines = plainLines(source);
  size_t line = 0, column = 0;
  bool isLineStart = true;
  char before = '\n';
  for (size_t at = 0; at < source.size();) {
    Token token = nextToken(source.substr(at), before, isLineStart);
    for (size_t end = at + token.length; at < end; ++at, ++column) {
      if (source[at] == '\n') {
        ++line;
        column = size_t(-1);
        isLineStart = true;
        continue;
      }
      isLineStart &= llvm::isSpace(source[at]);
      if (token.style.empty() || column >= lines[line].text.size())
        continue;
      std::vector<CodePart> &parts = lines[line].parts;
      if (parts.empty() || parts.back().end != column ||
          parts.back().style != token.style)
        parts.push_back({column, column, token.style.str()});
      ++parts.back().end;
    }
    before = source[at - 1];
  }
  return lines;
}

void clopt::writeCode(HtmlWriter &html, const CodeLine &line) {
  std::vector<size_t> partOf(line.text.size(), line.parts.size());
  for (size_t i = 0; i < line.parts.size(); ++i)
    for (size_t at = line.parts[i].begin;
         at < std::min(line.parts[i].end, partOf.size()); ++at)
      partOf[at] = i;
  for (size_t at = 0; at < partOf.size();) {
    size_t end = at;
    while (end < partOf.size() && partOf[end] == partOf[at])
      ++end;
    StringRef text = line.text.slice(at, end);
    if (partOf[at] == line.parts.size())
      html.text(text);
    else
      html.element("span", {{"class", line.parts[partOf[at]].style}}, text);
    at = end;
  }
}
