//===- Suppression.cpp - "clopt: off" in comments -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/SuppressionTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/Suppression.h"

#include "Support/Refusals.h"
#include "Support/Suggest.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <map>

using namespace clopt;
using llvm::StringRef;

namespace {

/// Walks over a source text and keeps the position in lines and columns.
class Scanner {
public:
  explicit Scanner(const std::string &source) : text(source) {}

  std::vector<Suppression> scan() {
    while (position < text.size()) {
      StringRef rest = text.substr(position);
      if (rest.starts_with("//"))
        comment(lineCommentEnd());
      else if (rest.starts_with("/*"))
        comment(blockCommentEnd());
      else if (rest[0] == '"' || rest[0] == '\'')
        literal(rest[0]);
      else
        advance(1);
    }
    return std::move(found);
  }

private:
  size_t lineCommentEnd() const {
    size_t end = text.find('\n', position);
    return end == StringRef::npos ? text.size() : end;
  }

  size_t blockCommentEnd() const {
    size_t end = text.find("*/", position + 2);
    return end == StringRef::npos ? text.size() : end + 2;
  }

  /// A string or character constant; an unfinished one ends with its line.
  void literal(char quote) {
    advance(1);
    while (position < text.size() && text[position] != '\n') {
      char c = text[position];
      advance(c == '\\' ? 2 : 1);
      if (c == quote)
        return;
    }
  }

  void comment(size_t end) {
    while (position < end) {
      StringRef rest = text.slice(position, end);
      size_t marker = rest.find("clopt:");
      if (marker == StringRef::npos)
        break;
      advance(marker);
      directive(text.slice(position + 6, end));
      advance(6);
    }
    advance(end - position);
  }

  /// The words behind "clopt:": off, off(ids), off-next-line, ...(ids).
  void directive(StringRef words) {
    words = words.ltrim(" \t");
    if (!words.consume_front("off"))
      return;
    bool isNextLine = words.consume_front("-next-line");
    // "clopt: offset" in a comment is prose.
    if (!words.empty() && (llvm::isAlnum(words[0]) || words[0] == '-'))
      return;
    Suppression suppression;
    suppression.line = isNextLine ? line + 1 : line;
    suppression.commentLine = line;
    suppression.commentColumn = column;
    words = words.ltrim(" \t");
    if (words.consume_front("(")) {
      llvm::SmallVector<StringRef, 4> ids;
      words.take_until([](char c) { return c == ')' || c == '\n'; })
          .split(ids, ',');
      for (StringRef id : ids)
        if (!id.trim().empty())
          suppression.ruleIds.push_back(id.trim().str());
    }
    found.push_back(std::move(suppression));
  }

  void advance(size_t count) {
    for (; count && position < text.size(); --count, ++position) {
      bool isBreak = text[position] == '\n';
      line += isBreak;
      column = isBreak ? 1 : column + 1;
    }
  }

  StringRef text;
  size_t position = 0;
  unsigned line = 1, column = 1;
  std::vector<Suppression> found;
};

/// The suppressions of all files that a result speaks of.
class Suppressor {
public:
  Suppressor(SourceTexts &texts, std::vector<Diagnostic> &messages)
      : sources(texts), diagnostics(messages) {}

  const std::vector<Suppression> &of(const std::string &file) {
    auto found = files.find(file);
    if (found != files.end())
      return found->second;
    const std::string *text = sources.find(file);
    std::vector<Suppression> parsed;
    if (text)
      parsed = parseSuppressions(*text);
    for (const Suppression &suppression : parsed)
      warnOfUnknownRules(file, suppression);
    return files.emplace(file, std::move(parsed)).first->second;
  }

  bool covers(const SourceRange &location, const std::string &ruleId) {
    if (!location.isValid())
      return false;
    unsigned last = std::max(location.line, location.endLine);
    for (const Suppression &suppression : of(location.file)) {
      if (suppression.line < location.line || suppression.line > last)
        continue;
      if (suppression.ruleIds.empty() ||
          llvm::is_contained(suppression.ruleIds, ruleId))
        return true;
    }
    return false;
  }

private:
  void warnOfUnknownRules(const std::string &file,
                          const Suppression &suppression) {
    for (const std::string &id : suppression.ruleIds) {
      if (findRule(id))
        continue;
      Diagnostic diagnostic;
      diagnostic.level = Diagnostic::Level::Warning;
      diagnostic.location.file = file;
      diagnostic.location.line = suppression.commentLine;
      diagnostic.location.column = suppression.commentColumn;
      diagnostic.message = "unknown rule '" + id + "' in a suppression" +
                           didYouMean(id, allRuleIds());
      diagnostics.push_back(std::move(diagnostic));
    }
  }

  SourceTexts &sources;
  std::vector<Diagnostic> &diagnostics;
  std::map<std::string, std::vector<Suppression>> files;
};

} // namespace

std::vector<Suppression> clopt::parseSuppressions(const std::string &source) {
  return Scanner(source).scan();
}

void clopt::applySuppressions(const std::string &mainFile, SourceTexts &sources,
                              Result &result) {
  Suppressor suppressor(sources, result.diagnostics);
  // Also when nothing is said about the file: its comments may be wrong.
  suppressor.of(mainFile);
  for (Remark &remark : result.remarks)
    remark.suppressed |= suppressor.covers(remark.location, remark.ruleId);
  for (KernelReport &kernel : result.kernels)
    for (AccessReport &access : kernel.accesses)
      if (!access.ruleId.empty())
        access.suppressed |= suppressor.covers(access.location, access.ruleId);
}
