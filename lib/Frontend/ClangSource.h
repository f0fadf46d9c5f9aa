//===- ClangSource.h - places in the text, macros ----------------*- C++
//-*-===//
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
#include <string>
#include <vector>

namespace clopt {

/// What happened to the macros of one file.
struct MacroTable {
  /// Name -> number of definitions plus number of undefinitions.
  std::map<std::string, unsigned> changes;
  /// Uses of macros from the command line, wherever they are.
  std::vector<std::pair<clang::SourceLocation, MacroDependence>>
      commandLineUses;

  /// True when the name means the same from its definition to the end.
  bool isStable(const std::string &name) const;
};

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
  /// The object-like macro whose whole expansion is `tokens`, else "".
  std::string wholeMacro(clang::SourceRange tokens) const;
  /// True when both ends are written in the main file itself.
  bool isInMainFile(clang::SourceRange tokens) const;
  bool isInMainFile(clang::SourceLocation location) const;
  /// Moves the end of an editable range past a semicolon that follows.
  void extendOverSemicolon(SourceRange &range, const std::string &text) const;
  const clang::SourceManager &sourceManager() const { return manager; }

private:
  clang::CharSourceRange fileRange(clang::SourceRange tokens) const;

  const clang::SourceManager &manager;
  const clang::LangOptions &language;
  const MacroTable &macros;
};

} // namespace clopt

#endif // CLOPT_FRONTEND_CLANGSOURCE_H
