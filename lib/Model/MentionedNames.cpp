//===- MentionedNames.cpp - names that a text depends on ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/MentionedNamesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/MentionedNames.h"

#include "Model/ExprPrinter.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/Twine.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace clopt {

static bool isPartOfWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// The place behind a comment, a string or a character that begins at `at`;
/// `at` itself when none does.
static size_t behindPlainText(const std::string &text, size_t at) {
  if (text.compare(at, 2, "//") == 0)
    return std::min(text.find('\n', at), text.size());
  if (text.compare(at, 2, "/*") == 0) {
    size_t end = text.find("*/", at + 2);
    return end == std::string::npos ? text.size() : end + 2;
  }
  if (text[at] != '"' && text[at] != '\'')
    return at;
  size_t end = at + 1;
  while (end < text.size() && text[end] != text[at] && text[end] != '\n')
    end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

void addWords(const std::string &text, std::set<std::string> &words) {
  bool isMember = false; // the last token is `.` or `->`
  for (size_t at = 0; at < text.size();) {
    size_t behind = behindPlainText(text, at);
    if (behind > at) {
      at = behind;
      continue;
    }
    const char c = text[at];
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++at;
      continue;
    }
    bool isNumber =
        std::isdigit(static_cast<unsigned char>(c)) ||
        (c == '.' && std::isdigit(static_cast<unsigned char>(next)));
    size_t end = at;
    while (end < text.size() &&
           (isPartOfWord(text[end]) || (isNumber && text[end] == '.')))
      ++end;
    if (end > at && !isNumber && !isMember)
      words.insert(text.substr(at, end - at));
    isMember = end == at && (c == '.' || (c == '-' && next == '>'));
    at = end > at ? end : at + (c == '-' && next == '>' ? 2 : 1);
  }
}

/// What the node itself contributes to the text of an expression. Implicit
/// conversions count, which may have to be written out.
static void addOwnWords(const Expr &node, std::set<std::string> &words) {
  switch (node.kind) {
  case ExprKind::IntLiteral:
  case ExprKind::FloatLiteral:
    addWords(node.macro.empty() ? node.text : node.macro, words);
    break;
  case ExprKind::Call:
  case ExprKind::Opaque:
    addWords(node.text, words);
    break;
  case ExprKind::WorkItem:
    addWords(printWorkItem(node.query, node.dim), words);
    break;
  case ExprKind::Cast:
  case ExprKind::VectorLiteral:
    addWords(typeText(node.type), words);
    break;
  default:
    break;
  }
}

std::set<std::string> mentionedNames(const ExprRef &expr,
                                     const std::set<const Variable *> &except) {
  std::set<std::string> words;
  forEachExpr(expr, [&](const ExprRef &node) {
    addOwnWords(*node, words);
    if (node->kind == ExprKind::VarRef && !except.count(node->var))
      words.insert(node->var->name);
  });
  return words;
}

/// `convert_int` of `convert_int4`, `convert_char_sat` of `convert_char2_sat`;
/// empty for other words.
static std::string scalarConversion(llvm::StringRef word) {
  if (!word.starts_with("convert_"))
    return "";
  const size_t lanes = word.find_first_of("0123456789");
  if (lanes == llvm::StringRef::npos)
    return "";
  const size_t suffix = word.find('_', lanes);
  return (word.take_front(lanes) +
          (suffix == llvm::StringRef::npos ? "" : word.substr(suffix)))
      .str();
}

void addScalarConversions(std::set<std::string> &words) {
  std::vector<std::string> scalars;
  for (const std::string &word : words)
    scalars.push_back(scalarConversion(word));
  words.insert(scalars.begin(), scalars.end());
  words.erase("");
}

} // namespace clopt
