//===- ClangSource.h - places in the text, macros ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps Clang's locations to ranges of the main file, and remembers what the
// preprocessor did. For use inside Frontend only.
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_CLANGSOURCE_H
#define CLOPT_FRONTEND_CLANGSOURCE_H

#include "Model/Expr.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// What happened to one macro. Offsets are into the main file, where things in
/// an included file happen at the #include; -1 is before its first character.
struct MacroHistory {
  std::vector<int64_t> changes; ///< definitions and undefinitions
  std::set<std::string> words;  ///< identifiers that it was defined as
  int64_t lastUse = -1;
};

/// What happened to the macros of one file.
struct MacroTable {
  std::map<std::string, MacroHistory> macros;

  /// Where the macro was defined, when it was never changed after that.
  std::optional<int64_t> onlyDefinition(const std::string &name) const;
  /// True when a macro is changed between the two offsets.
  bool changesWithin(int64_t begin, int64_t end) const;
  /// True when such a macro is also used behind them.
  bool changesLeak(int64_t begin, int64_t end) const;
  /// Adds the words that macros among the words may become.
  void addExpansions(std::set<std::string> &words) const;
};

/// Where in the main file the place is reached, or -1 for what precedes it.
int64_t mainOffset(const clang::SourceManager &manager,
                   clang::SourceLocation where);

/// Callbacks that fill `table`.
std::unique_ptr<clang::PPCallbacks>
makeMacroRecorder(clang::Preprocessor &preprocessor, MacroTable &table);

/// Answers questions about places.
class SourceMap {
public:
  SourceMap(const clang::SourceManager &sources,
            const clang::LangOptions &options, const MacroTable &macroTable)
      : manager(sources), language(options), macros(macroTable) {}

  /// Range of our own for a token range of Clang.
  SourceRange range(clang::SourceRange tokens) const;
  /// Range of one place, for diagnostics.
  SourceRange range(clang::SourceLocation location) const;
  /// The source text of a token range that stands in one file, else "".
  std::string text(clang::SourceRange tokens) const;
  /// The preprocessing directive on the line of a place, else "".
  std::string directive(clang::SourceLocation location) const;
  /// The unchanging object-like macro whose whole expansion is `tokens`, else
  /// "".
  std::string wholeMacro(clang::SourceRange tokens) const;
  /// True when both ends are written in the main file itself.
  bool isInMainFile(clang::SourceRange tokens) const;
  bool isInMainFile(clang::SourceLocation location) const;
  /// Moves the end of an editable range past a semicolon that follows.
  void extendOverSemicolon(SourceRange &range, const std::string &text) const;
  /// The lines of the tokens with their ends, when nothing else stands on
  /// them, else the tokens alone; none when a macro writes their ends.
  SourceSpan lines(clang::SourceRange tokens) const;
  /// What stands between two brackets of the main file.
  SourceSpan between(clang::SourceRange brackets) const;
  /// The lines of the main file that the preprocessor reads.
  std::vector<Directive> directives() const;
  const MacroTable &macroTable() const { return macros; }
  const clang::SourceManager &sourceManager() const { return manager; }

private:
  clang::CharSourceRange fileRange(clang::SourceRange tokens) const;
  /// Line and column of a place in a file; false when there is none.
  bool place(clang::SourceLocation location, unsigned &line,
             unsigned &column) const;

  const clang::SourceManager &manager;
  const clang::LangOptions &language;
  const MacroTable &macros;
  /// Offsets of the lines of the main file, made when first needed: Clang
  /// counts columns from the start of the line, again for every expression.
  mutable std::vector<unsigned> lineStarts;
};

} // namespace clopt

#endif // CLOPT_FRONTEND_CLANGSOURCE_H
