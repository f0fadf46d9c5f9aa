//===- ClangSource.cpp - places in the text, macros -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A range may be edited only when replacing its characters replaces exactly
// that expression: its ends are written in the main file, or are the ends of
// whole macro expansions written there. An argument of a macro is not enough,
// since the macro may use it twice.
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangSource.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/MacroInfo.h"

#include <algorithm>
#include <set>

using namespace clopt;

std::optional<int64_t>
MacroTable::onlyDefinition(const std::string &name) const {
  auto found = macros.find(name);
  if (found == macros.end() || found->second.changes.size() != 1)
    return std::nullopt;
  return found->second.changes.front();
}

static bool hasChange(const MacroHistory &history, int64_t begin, int64_t end) {
  return std::any_of(history.changes.begin(), history.changes.end(),
                     [&](int64_t at) { return begin <= at && at < end; });
}

bool MacroTable::changesWithin(int64_t begin, int64_t end) const {
  return std::any_of(macros.begin(), macros.end(), [&](const auto &entry) {
    return hasChange(entry.second, begin, end);
  });
}

bool MacroTable::changesLeak(int64_t begin, int64_t end) const {
  return std::any_of(macros.begin(), macros.end(), [&](const auto &entry) {
    return entry.second.lastUse >= end && hasChange(entry.second, begin, end);
  });
}

void MacroTable::addExpansions(std::set<std::string> &words) const {
  std::vector<std::string> pending(words.begin(), words.end());
  while (!pending.empty()) {
    auto found = macros.find(pending.back());
    pending.pop_back();
    if (found == macros.end())
      continue;
    for (const std::string &word : found->second.words)
      if (words.insert(word).second)
        pending.push_back(word);
  }
}

int64_t clopt::mainOffset(const clang::SourceManager &manager,
                          clang::SourceLocation where) {
  where = manager.getExpansionLoc(where);
  while (where.isValid() && !manager.isWrittenInMainFile(where))
    where = manager.getIncludeLoc(manager.getFileID(where));
  return where.isValid() ? int64_t(manager.getFileOffset(where)) : -1;
}

namespace {

class MacroRecorder : public clang::PPCallbacks {
public:
  MacroRecorder(clang::Preprocessor &owner, MacroTable &result)
      : preprocessor(owner), table(result) {}

  void MacroDefined(const clang::Token &name,
                    const clang::MacroDirective *directive) override {
    noteChange(name);
    for (const clang::Token &token : directive->getMacroInfo()->tokens())
      if (const clang::IdentifierInfo *word = token.getIdentifierInfo())
        table.macros[nameOf(name)].words.insert(word->getName().str());
  }
  void MacroUndefined(const clang::Token &name, const clang::MacroDefinition &,
                      const clang::MacroDirective *) override {
    noteChange(name);
  }
  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &,
                    clang::SourceRange range,
                    const clang::MacroArgs *) override {
    noteUse(name, range.getBegin());
  }
  void Defined(const clang::Token &name, const clang::MacroDefinition &,
               clang::SourceRange range) override {
    noteUse(name, range.getBegin());
  }
  void Ifdef(clang::SourceLocation location, const clang::Token &name,
             const clang::MacroDefinition &) override {
    noteUse(name, location);
  }
  void Ifndef(clang::SourceLocation location, const clang::Token &name,
              const clang::MacroDefinition &) override {
    noteUse(name, location);
  }

private:
  static std::string nameOf(const clang::Token &token) {
    return token.getIdentifierInfo()->getName().str();
  }

  int64_t mainOffset(clang::SourceLocation where) const {
    return clopt::mainOffset(preprocessor.getSourceManager(), where);
  }

  void noteChange(const clang::Token &name) {
    table.macros[nameOf(name)].changes.push_back(
        mainOffset(name.getLocation()));
  }

  void noteUse(const clang::Token &name, clang::SourceLocation where) {
    table.macros[nameOf(name)].lastUse = mainOffset(where);
  }

  clang::Preprocessor &preprocessor;
  MacroTable &table;
};

} // namespace

std::unique_ptr<clang::PPCallbacks>
clopt::makeMacroRecorder(clang::Preprocessor &preprocessor, MacroTable &table) {
  return std::make_unique<MacroRecorder>(preprocessor, table);
}

/// The characters of the file that stand for exactly these tokens, or an
/// invalid range.
clang::CharSourceRange SourceMap::fileRange(clang::SourceRange tokens) const {
  clang::SourceLocation begin = tokens.getBegin(), end = tokens.getEnd();
  if (begin.isInvalid() || end.isInvalid())
    return {};
  if (begin.isMacroID() && !clang::Lexer::isAtStartOfMacroExpansion(
                               begin, manager, language, &begin))
    return {};
  if (end.isMacroID()) {
    // Gives the last token of the expansion, not the place behind it.
    if (!clang::Lexer::isAtEndOfMacroExpansion(end, manager, language))
      return {};
    end = manager.getExpansionRange(end).getEnd();
  }
  end = clang::Lexer::getLocForEndOfToken(end, 0, manager, language);
  if (!begin.isFileID() || !end.isFileID() ||
      manager.getFileID(begin) != manager.getFileID(end) ||
      manager.getFileOffset(begin) > manager.getFileOffset(end))
    return {};
  return clang::CharSourceRange::getCharRange(begin, end);
}

bool SourceMap::place(clang::SourceLocation location, unsigned &line,
                      unsigned &column) const {
  if (!isInMainFile(location)) {
    clang::PresumedLoc presumed = manager.getPresumedLoc(location, false);
    if (presumed.isInvalid())
      return false;
    line = presumed.getLine();
    column = presumed.getColumn();
    return true;
  }
  if (lineStarts.empty()) {
    llvm::StringRef text = manager.getBufferData(manager.getMainFileID());
    lineStarts.push_back(0);
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n')
        lineStarts.push_back(i + 1);
  }
  unsigned offset = manager.getFileOffset(location);
  auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  line = next - lineStarts.begin();
  column = offset - *std::prev(next) + 1;
  return true;
}

SourceRange SourceMap::range(clang::SourceRange tokens) const {
  SourceRange result = range(tokens.getBegin());
  if (!result.isValid())
    return result;
  result.begin = result.end = -1;
  clang::CharSourceRange chars = fileRange(tokens);
  if (chars.isValid() && isInMainFile(chars.getBegin())) {
    result.begin = manager.getFileOffset(chars.getBegin());
    result.end = manager.getFileOffset(chars.getEnd());
    place(chars.getBegin(), result.line, result.column);
    place(chars.getEnd(), result.endLine, result.endColumn);
    return result;
  }
  clang::SourceLocation begin = manager.getFileLoc(tokens.getBegin());
  clang::SourceLocation end = manager.getFileLoc(tokens.getEnd());
  if (end.isValid() && manager.getFileID(end) == manager.getFileID(begin) &&
      !manager.isBeforeInTranslationUnit(end, begin))
    place(clang::Lexer::getLocForEndOfToken(end, 0, manager, language),
          result.endLine, result.endColumn);
  return result;
}

SourceRange SourceMap::range(clang::SourceLocation location) const {
  SourceRange result;
  if (location.isInvalid())
    return result;
  clang::SourceLocation file = manager.getFileLoc(location);
  if (!place(file, result.line, result.column))
    return result;
  result.endLine = result.line;
  result.endColumn = result.column;
  result.file = manager.getFilename(file).str();
  if (location.isFileID() && isInMainFile(location))
    result.begin = result.end = manager.getFileOffset(location);
  return result;
}

std::string SourceMap::text(clang::SourceRange tokens) const {
  clang::CharSourceRange chars = fileRange(tokens);
  if (chars.isInvalid())
    return "";
  return clang::Lexer::getSourceText(chars, manager, language).str();
}

std::string SourceMap::directive(clang::SourceLocation location) const {
  if (!location.isFileID())
    return "";
  auto [file, offset] = manager.getDecomposedLoc(location);
  bool isInvalid = false;
  llvm::StringRef text = manager.getBufferData(file, &isInvalid);
  if (isInvalid || offset > text.size())
    return "";
  size_t begin = text.rfind('\n', offset);
  begin = begin == llvm::StringRef::npos ? 0 : begin + 1;
  llvm::StringRef line = text.slice(begin, text.find('\n', offset)).trim();
  // A comment or a continued line says more than the directive.
  bool isPlain = line.starts_with("#") && !line.ends_with("\\") &&
                 !line.contains("//") && !line.contains("/*");
  return isPlain ? line.str() : "";
}

std::string SourceMap::wholeMacro(clang::SourceRange tokens) const {
  clang::SourceLocation begin = tokens.getBegin(), end = tokens.getEnd();
  if (!begin.isMacroID() || !end.isMacroID())
    return "";
  clang::SourceLocation first, last;
  if (!clang::Lexer::isAtStartOfMacroExpansion(begin, manager, language,
                                               &first) ||
      !clang::Lexer::isAtEndOfMacroExpansion(end, manager, language, &last))
    return "";
  // One name in the file, not NAME(...), and both ends of the same expansion.
  clang::CharSourceRange whole = manager.getExpansionRange(begin);
  if (whole.getBegin() != whole.getEnd() ||
      manager.getExpansionRange(end).getBegin() != whole.getBegin())
    return "";
  clang::SmallVector<char, 32> buffer;
  std::string name =
      clang::Lexer::getSpelling(whole.getBegin(), buffer, manager, language)
          .str();
  return macros.onlyDefinition(name) ? name : "";
}

bool SourceMap::isInMainFile(clang::SourceLocation location) const {
  return location.isFileID() &&
         manager.getFileID(location) == manager.getMainFileID();
}

bool SourceMap::isInMainFile(clang::SourceRange tokens) const {
  return isInMainFile(tokens.getBegin()) && isInMainFile(tokens.getEnd());
}

void SourceMap::extendOverSemicolon(SourceRange &range,
                                    const std::string &text) const {
  if (!range.isEditable() || range.end > static_cast<int64_t>(text.size()) ||
      (range.end > 0 && text[range.end - 1] == ';'))
    return;
  size_t next = text.find_first_not_of(" \t", range.end);
  if (next == std::string::npos || text[next] != ';')
    return;
  auto end = static_cast<int64_t>(next) + 1;
  range.endColumn += end - range.end;
  range.end = end;
}

SourceSpan SourceMap::lines(clang::SourceRange tokens) const {
  const SourceRange own = range(tokens);
  if (!isInMainFile(tokens) || !own.isEditable())
    return {};
  llvm::StringRef text = manager.getBufferData(manager.getMainFileID());
  llvm::StringRef before = text.take_front(own.begin).rtrim(" \t");
  llvm::StringRef after = text.drop_front(own.end).ltrim(" \t");
  if (!before.ends_with("\n") || !after.starts_with("\n"))
    return {own.begin, own.end};
  return {static_cast<int64_t>(before.size()),
          static_cast<int64_t>(text.size() - after.size()) + 1};
}

SourceSpan SourceMap::between(clang::SourceRange brackets) const {
  if (!isInMainFile(brackets))
    return {};
  return {manager.getFileOffset(brackets.getBegin()) + 1,
          manager.getFileOffset(brackets.getEnd())};
}

std::vector<Directive> SourceMap::directives() const {
  llvm::StringRef text = manager.getBufferData(manager.getMainFileID());
  clang::Lexer lexer(manager.getLocForStartOfFile(manager.getMainFileID()),
                     language, text.begin(), text.begin(), text.end());
  std::vector<Directive> result;
  clang::Token token;
  lexer.LexFromRawLexer(token);
  while (token.isNot(clang::tok::eof)) {
    const bool begins = token.is(clang::tok::hash) && token.isAtStartOfLine();
    const auto at =
        static_cast<int64_t>(manager.getFileOffset(token.getLocation()));
    lexer.LexFromRawLexer(token);
    if (!begins)
      continue;
    llvm::StringRef name;
    if (token.is(clang::tok::raw_identifier) && !token.isAtStartOfLine())
      name = token.getRawIdentifier();
    using Kind = Directive::Kind;
    result.push_back({name == "endif"          ? Kind::EndIf
                      : name.starts_with("if") ? Kind::If
                                               : Kind::Other,
                      at});
  }
  return result;
}
