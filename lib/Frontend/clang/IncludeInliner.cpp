//===- IncludeInliner.cpp - puts headers in the place of #include ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's preprocessor says which file each directive leads to; the texts are
// put together from the bytes of the files. What Clang does for
// -frewrite-includes is not used: it also replaces every `#if` by its value,
// and the driver may define other macros than Clang does.
//
// Tested by test/unit/IncludeInlinerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/IncludeInliner.h"

#include "Frontend/clang/ClangFlags.h"
#include "Frontend/clang/ClangRun.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Regex.h"

#include <map>

using namespace clopt;

namespace {

/// What stands in a text for a directive that begins at some offset.
struct Replacement {
  unsigned end = 0;        ///< of the directive
  std::string comment;     ///< empty: nothing takes its place
  clang::FileID inclusion; ///< invalid when the header was not read
};

/// Of each file that was read, by offset. A file that is read twice counts
/// twice.
using Replacements = std::map<clang::FileID, std::map<unsigned, Replacement>>;

class DirectiveRecorder : public clang::PPCallbacks {
public:
  DirectiveRecorder(clang::Preprocessor &used, Replacements &collected)
      : preprocessor(used), manager(used.getSourceManager()),
        replacements(collected) {}

  void InclusionDirective(clang::SourceLocation hash, const clang::Token &,
                          llvm::StringRef name, bool isAngled,
                          clang::CharSourceRange range,
                          clang::OptionalFileEntryRef, llvm::StringRef,
                          llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    const auto [file, offset] = manager.getDecomposedLoc(hash);
    clang::SourceLocation end = range.getEnd();
    if (range.getBegin().isMacroID()) // the name is a macro
      end = clang::Lexer::getLocForEndOfToken(
          manager.getExpansionRange(range.getBegin()).getEnd(), 0, manager,
          preprocessor.getLangOpts());
    last = &replacements[file][offset];
    last->end = manager.getFileOffset(end);
    last->comment = "// #include " + std::string(isAngled ? "<" : "\"") +
                    name.str() + (isAngled ? ">" : "\"");
  }

  void FileChanged(clang::SourceLocation place, FileChangeReason reason,
                   clang::SrcMgr::CharacteristicKind, clang::FileID) override {
    if (reason == EnterFile && last)
      last->inclusion = manager.getFileID(place);
    last = nullptr;
  }

  void FileSkipped(const clang::FileEntryRef &, const clang::Token &,
                   clang::SrcMgr::CharacteristicKind) override {
    last = nullptr;
  }

  /// In the text that comes out, `#pragma once` would speak of all of it.
  void PragmaDirective(clang::SourceLocation place,
                       clang::PragmaIntroducerKind) override {
    const auto [file, offset] = manager.getDecomposedLoc(place);
    static const llvm::Regex once("^#[ \t]*pragma[ \t]+once");
    llvm::SmallVector<llvm::StringRef, 1> matched;
    const llvm::StringRef text = manager.getBufferData(file).substr(offset);
    if (file != manager.getMainFileID() && once.match(text, &matched))
      replacements[file][offset].end = offset + matched[0].size();
  }

private:
  clang::Preprocessor &preprocessor;
  const clang::SourceManager &manager;
  Replacements &replacements;
  Replacement *last = nullptr; ///< the directive that was seen last
};

class InliningAction : public clang::PreprocessOnlyAction {
public:
  std::string result;

protected:
  bool BeginSourceFileAction(clang::CompilerInstance &compiler) override {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(
        std::make_unique<DirectiveRecorder>(preprocessor, replacements));
    return clang::PreprocessOnlyAction::BeginSourceFileAction(compiler);
  }

  void EndSourceFileAction() override {
    const clang::SourceManager &manager =
        getCompilerInstance().getSourceManager();
    write(manager, manager.getMainFileID());
    clang::PreprocessOnlyAction::EndSourceFileAction();
  }

private:
  void write(const clang::SourceManager &manager, clang::FileID file) {
    llvm::StringRef text = manager.getBufferData(file);
    unsigned done = 0;
    if (file != manager.getMainFileID() && text.starts_with("\xEF\xBB\xBF"))
      done = 3; // a mark of UTF-8 has no place within a text
    for (const auto &[offset, replacement] : replacements[file]) {
      result += text.slice(done, offset);
      done = replacement.end;
      if (replacement.comment.empty())
        continue;
      result += replacement.comment;
      if (replacement.inclusion.isValid()) {
        result += '\n';
        write(manager, replacement.inclusion);
        if (result.back() != '\n')
          result += '\n';
      }
      // What follows the directive on its line can only be a comment.
      if (llvm::StringRef rest = text.substr(done);
          rest.ltrim(" \t\r").starts_with("\n"))
        done += replacement.inclusion.isValid() ? rest.find('\n') + 1 : 0;
      else
        result += replacement.inclusion.isValid() ? "" : "\n";
    }
    result += text.substr(done);
  }

  Replacements replacements;
};

} // namespace

std::optional<std::string>
clopt::inlineIncludes(const std::string &path, const std::string &source,
                      const std::vector<std::string> &buildFlags,
                      std::vector<Diagnostic> &diagnostics) {
  InliningAction action;
  ClangRun run = runClang(path, source, translateFlags(buildFlags), action);
  llvm::move(run.diagnostics, std::back_inserter(diagnostics));
  if (!run.isGood)
    return std::nullopt;
  return std::move(action.result);
}
