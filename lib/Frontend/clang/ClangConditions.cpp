//===- ClangConditions.cpp - what the preprocessor decided ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text that a condition leaves out counts as well: with other flags it
// could define a macro or declare a function that the kernel uses. It is not
// parsed; the words that stand where declarators do are enough.
//
// Tested by test/unit/ClangConditionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangConditions.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"

#include <map>

namespace clopt {

using clang::SourceLocation;
using clang::Token;

namespace {

/// Reads text that was left out.
class SkippedText {
public:
  SkippedText(const clang::Preprocessor &owner, TextConditional &result,
              std::vector<MacroChange> &macroChanges)
      : preprocessor(owner), conditional(result), changes(macroChanges) {}

  void read(SourceLocation begin, SourceLocation end) {
    const clang::SourceManager &manager = preprocessor.getSourceManager();
    auto [file, offset] = manager.getDecomposedLoc(begin);
    const unsigned limit = manager.getFileOffset(end);
    llvm::StringRef text = manager.getBufferData(file);
    clang::Lexer lexer(manager.getLocForStartOfFile(file),
                       preprocessor.getLangOpts(), text.begin(),
                       text.begin() + offset, text.end());
    Token token;
    do {
      lexer.LexFromRawLexer(token);
      if (token.is(clang::tok::eof) ||
          manager.getFileOffset(token.getLocation()) >= limit)
        break;
      take(token);
    } while (true);
    take(Token());
  }

private:
  static bool isWord(const Token &token) {
    return token.is(clang::tok::raw_identifier);
  }

  void take(const Token &token) {
    if (token.is(clang::tok::hash) && token.isAtStartOfLine()) {
      directive = Directive::Name;
      return;
    }
    if (directive != Directive::None && !token.isAtStartOfLine())
      return takeDirective(token);
    directive = Directive::None;
    takeCode(token);
  }

  void takeDirective(const Token &token) {
    if (directive == Directive::Name && isWord(token)) {
      llvm::StringRef name = token.getRawIdentifier();
      bool changesMacro = name == "define" || name == "undef";
      conditional.skipsInclude |= name == "include";
      directive = changesMacro ? Directive::Macro : Directive::Rest;
    } else if (directive == Directive::Macro && isWord(token)) {
      changes.push_back(
          {token.getRawIdentifier().str(), token.getLocation(), nullptr, true});
      directive = Directive::Rest;
    }
  }

  /// Words outside of braces and parentheses, but for those ahead of another
  /// word or a star, which are types.
  void takeCode(const Token &token) {
    bool isType = isWord(token) || token.is(clang::tok::star);
    if (!candidate.empty() && !isType)
      conditional.skippedNames.insert(candidate);
    candidate.clear();
    isEnum = isEnum && !token.isOneOf(clang::tok::semi, clang::tok::r_brace);
    if (isWord(token)) {
      llvm::StringRef word = token.getRawIdentifier();
      if (word == "enum")
        isEnum = true;
      else if (depth == 0 || (isEnum && depth == 1))
        candidate = word.str();
    }
    if (token.isOneOf(clang::tok::l_brace, clang::tok::l_paren))
      ++depth;
    if (token.isOneOf(clang::tok::r_brace, clang::tok::r_paren) && depth > 0)
      --depth;
  }

  enum class Directive { None, Name, Macro, Rest };
  const clang::Preprocessor &preprocessor;
  TextConditional &conditional;
  std::vector<MacroChange> &changes;
  Directive directive = Directive::None;
  std::string candidate;
  int depth = 0;
  bool isEnum = false;
};

class ConditionRecorder : public clang::PPCallbacks {
public:
  ConditionRecorder(clang::Preprocessor &owner, PreprocessorLog &result)
      : preprocessor(owner), log(result) {}

  void MacroDefined(const Token &name,
                    const clang::MacroDirective *directive) override {
    if (isOfProgram(name.getLocation()))
      log.changes.push_back(
          {nameOf(name), name.getLocation(), directive->getMacroInfo(), false});
    if (manager().isWrittenInCommandLineFile(name.getLocation()))
      log.flagMacros.insert(nameOf(name));
  }
  void MacroUndefined(const Token &name, const clang::MacroDefinition &,
                      const clang::MacroDirective *) override {
    if (isOfProgram(name.getLocation()))
      log.changes.push_back({nameOf(name), name.getLocation(), nullptr, false});
  }
  void MacroExpands(const Token &name, const clang::MacroDefinition &definition,
                    clang::SourceRange range,
                    const clang::MacroArgs *) override {
    SourceLocation at = manager().getExpansionLoc(range.getBegin());
    if (isOfProgram(at) && definition.getMacroInfo())
      log.expansions.push_back(
          {nameOf(name), at, definition.getMacroInfo(), false});
  }

  void If(SourceLocation at, clang::SourceRange,
          ConditionValueKind value) override {
    open(at);
    add(at, lineBehind(at), value == CVK_True);
  }
  void Ifdef(SourceLocation at, const Token &name,
             const clang::MacroDefinition &definition) override {
    open(at);
    add(at, "defined(" + nameOf(name) + ")", bool(definition));
  }
  void Ifndef(SourceLocation at, const Token &name,
              const clang::MacroDefinition &definition) override {
    open(at);
    add(at, "!defined(" + nameOf(name) + ")", !definition);
  }
  void Elif(SourceLocation at, clang::SourceRange, ConditionValueKind value,
            SourceLocation) override {
    if (value != CVK_NotEvaluated)
      add(at, lineBehind(at), value == CVK_True);
  }
  void Elifdef(SourceLocation at, const Token &name,
               const clang::MacroDefinition &definition) override {
    add(at, "defined(" + nameOf(name) + ")", bool(definition));
  }
  void Elifndef(SourceLocation at, const Token &name,
                const clang::MacroDefinition &definition) override {
    add(at, "!defined(" + nameOf(name) + ")", !definition);
  }
  void Endif(SourceLocation at, SourceLocation) override {
    if (opened.empty())
      return;
    if (opened.back() != ignored)
      log.conditionals[opened.back()].end = at;
    opened.pop_back();
  }
  void SourceRangeSkipped(clang::SourceRange range, SourceLocation) override {
    if (!isOfProgram(range.getBegin()))
      return;
    // The conditional may have been closed by now.
    for (size_t i = log.conditionals.size(); i-- > 0;) {
      TextConditional &conditional = log.conditionals[i];
      if (!holds(conditional, range.getBegin()))
        continue;
      conditional.hasSkipped = true;
      SkippedText(preprocessor, conditional, log.changes)
          .read(range.getBegin(), range.getEnd());
      return;
    }
  }

private:
  static constexpr size_t ignored = ~size_t(0);

  static std::string nameOf(const Token &token) {
    return token.getIdentifierInfo()->getName().str();
  }
  const clang::SourceManager &manager() const {
    return preprocessor.getSourceManager();
  }
  bool isOfProgram(SourceLocation at) const {
    return at.isValid() && at.isFileID() && !manager().isInSystemHeader(at) &&
           !manager().isWrittenInBuiltinFile(at) &&
           !manager().isWrittenInCommandLineFile(at);
  }
  bool holds(const TextConditional &conditional, SourceLocation at) const {
    // The `#` stands ahead of the name of the directive.
    auto [file, offset] = manager().getDecomposedLoc(at);
    auto [ownFile, begin] = manager().getDecomposedLoc(conditional.begin);
    if (file != ownFile || lineStart(file, begin) > offset)
      return false;
    return conditional.end.isInvalid() ||
           offset <= manager().getFileOffset(conditional.end);
  }
  unsigned lineStart(clang::FileID file, unsigned offset) const {
    llvm::StringRef text = manager().getBufferData(file);
    size_t newline = text.rfind('\n', offset);
    return newline == llvm::StringRef::npos ? 0 : unsigned(newline) + 1;
  }

  void open(SourceLocation at) {
    if (!isOfProgram(at)) {
      opened.push_back(ignored);
      return;
    }
    opened.push_back(log.conditionals.size());
    log.conditionals.emplace_back();
    log.conditionals.back().begin = at;
  }

  /// What stands behind the name of the directive, without comments.
  std::string lineBehind(SourceLocation at) const {
    auto [file, offset] = manager().getDecomposedLoc(at);
    llvm::StringRef text = manager().getBufferData(file);
    clang::Lexer lexer(manager().getLocForStartOfFile(file),
                       preprocessor.getLangOpts(), text.begin(),
                       text.begin() + offset, text.end());
    std::string line;
    Token token;
    lexer.LexFromRawLexer(token); // the name
    for (lexer.LexFromRawLexer(token);
         token.isNot(clang::tok::eof) && !token.isAtStartOfLine();
         lexer.LexFromRawLexer(token)) {
      if (!line.empty() && token.hasLeadingSpace())
        line += ' ';
      line += preprocessor.getSpelling(token);
    }
    return line;
  }

  /// The expansions since the directive began are those of its condition.
  void markExpansions(SourceLocation at) {
    for (size_t i = log.expansions.size(); i-- > 0;) {
      MacroExpansion &last = log.expansions[i];
      if (manager().getFileID(last.at) != manager().getFileID(at) ||
          manager().getFileOffset(last.at) < manager().getFileOffset(at))
        return;
      last.isInCondition = true;
    }
  }

  void add(SourceLocation at, std::string text, bool isTrue) {
    markExpansions(at);
    if (opened.empty() || opened.back() == ignored)
      return;
    TextCondition condition;
    condition.isTrue = isTrue;
    condition.at = at;
    addMacros(text, condition);
    condition.text = std::move(text);
    log.conditionals[opened.back()].conditions.push_back(std::move(condition));
  }

  /// The identifiers of the text, and of all that they stand for now.
  void addMacros(const std::string &text, TextCondition &condition) {
    std::set<std::string> seen{"defined"};
    std::vector<std::string> pending;
    clang::Lexer lexer(SourceLocation(), preprocessor.getLangOpts(),
                       text.data(), text.data(), text.data() + text.size());
    Token token;
    for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof);
         lexer.LexFromRawLexer(token))
      if (token.is(clang::tok::raw_identifier))
        pending.push_back(token.getRawIdentifier().str());
    while (!pending.empty()) {
      std::string name = pending.back();
      pending.pop_back();
      if (!seen.insert(name).second)
        continue;
      const clang::MacroInfo *info =
          preprocessor.getMacroInfo(preprocessor.getIdentifierInfo(name));
      condition.macros.emplace_back(name, info);
      if (!info)
        continue;
      for (const Token &part : info->tokens())
        if (clang::IdentifierInfo *word = part.getIdentifierInfo())
          if (info->getParameterNum(word) < 0)
            pending.push_back(word->getName().str());
    }
  }

  clang::Preprocessor &preprocessor;
  PreprocessorLog &log;
  std::vector<size_t> opened; ///< indices of conditionals, or `ignored`
};

} // namespace

std::unique_ptr<clang::PPCallbacks>
makeConditionRecorder(clang::Preprocessor &preprocessor, PreprocessorLog &log) {
  return std::make_unique<ConditionRecorder>(preprocessor, log);
}

} // namespace clopt
