//===- ClangConditions.h - what a function's text depends on ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TextConditional compilation resolves a file for one configuration: flags, and
// the macros that a compiler defines itself. The log remembers what was
// decided; configurationOf says which of it made the text of one kernel, so
// that what is written for it can ask for the same. For use inside Frontend
// only.
//
// Tested by test/unit/ClangConditionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_CLANGCONDITIONS_H
#define CLOPT_FRONTEND_CLANGCONDITIONS_H

#include "Model/Expr.h"

#include "clang/AST/Decl.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clopt {

/// One condition that was evaluated.
struct TextCondition {
  std::string text; ///< as an operand of `#if`: "defined(A)", "B > 3"
  bool isTrue = false;
  clang::SourceLocation at;
  /// The names that it depends on, through other macros too, and what they
  /// were there; null for what was no macro.
  std::vector<std::pair<std::string, const clang::MacroInfo *>> macros;
};

/// From an `#if` to its `#endif`.
struct TextConditional {
  clang::SourceLocation begin, end;
  std::vector<TextCondition> conditions; ///< up to the one that was met
  /// What the text that was left out would have declared.
  std::set<std::string> skippedNames;
  bool hasSkipped = false;
  bool skipsInclude = false;
};

/// A `#define` or an `#undef` of the file or of what it includes.
struct MacroChange {
  std::string name;
  clang::SourceLocation at;
  const clang::MacroInfo *info = nullptr; ///< null for an `#undef`
  bool isSkipped = false; ///< it stands in text that was left out
};

struct MacroExpansion {
  std::string name;
  clang::SourceLocation at; ///< where the outermost one stands in a file
  const clang::MacroInfo *info = nullptr;
  bool isInCondition = false; ///< of a directive
};

/// What the preprocessor did, outside of the headers of the language.
struct PreprocessorLog {
  std::vector<TextConditional> conditionals;
  std::vector<MacroChange> changes; ///< in order, but for the skipped ones
  std::vector<MacroExpansion> expansions;
  std::set<std::string> flagMacros; ///< defined by the command line
};

/// Callbacks that fill `log`.
std::unique_ptr<clang::PPCallbacks>
makeConditionRecorder(clang::Preprocessor &preprocessor, PreprocessorLog &log);

/// Answers what functions of one file depend on.
class ConfigurationFinder {
public:
  ConfigurationFinder(clang::ASTContext &context, clang::Preprocessor &finished,
                      const PreprocessorLog &record);
  /// What has to be as it was for the function to have the text it has, asked
  /// at the beginning of its body.
  Configuration configurationOf(const clang::FunctionDecl &function) const;

private:
  friend class ConfigurationSearch;
  /// A top-level declaration outside of the headers of the language.
  struct Site {
    const clang::Decl *decl = nullptr;
    clang::SourceLocation begin, end;
    std::set<std::string> names;                ///< that it introduces
    std::vector<size_t> expansions;             ///< in it
    std::vector<size_t> conditionals;           ///< around it or in it
    std::optional<std::set<std::string>> words; ///< it mentions, when known
  };
  using Places = std::map<std::string, std::vector<size_t>>;
  void collectSites(const clang::DeclContext &scope);
  void placeExpansions();
  bool isGuard(const TextConditional &conditional) const;
  const std::set<std::string> &wordsOf(Site &site) const;
  bool overlaps(const TextConditional &conditional, clang::SourceLocation first,
                clang::SourceLocation last) const;
  std::string text(clang::SourceLocation first,
                   clang::SourceLocation last) const;

  clang::ASTContext &ast;
  clang::Preprocessor &preprocessor;
  const PreprocessorLog &log;
  const clang::SourceManager &manager;
  mutable std::vector<Site> sites;
  Places sitesOf, changesOf, skippedIn; ///< by name
  std::set<size_t> guards; ///< conditionals against reading a file twice
};

} // namespace clopt

#endif // CLOPT_FRONTEND_CLANGCONDITIONS_H
