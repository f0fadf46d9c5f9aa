//===- ClangParser.cpp - from OpenCL C text to our own tree ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangParser.h"

#include "Frontend/clang/ClangBuiltins.h"
#include "Frontend/clang/ClangConditions.h"
#include "Frontend/clang/ClangConverter.h"
#include "Frontend/clang/ClangRun.h"
#include "Frontend/clang/ClangSource.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

using namespace clopt;

namespace {

/// Names at file scope, which new names must avoid.
void collectNames(const clang::DeclContext &scope, clang::ASTContext &ast,
                  std::set<std::string> &names) {
  for (const clang::Decl *decl : scope.decls()) {
    if (const auto *named = llvm::dyn_cast<clang::NamedDecl>(decl))
      if (named->getDeclName().isIdentifier() && named->getIdentifier())
        names.insert(named->getName().str());
    if (const auto *inner = llvm::dyn_cast<clang::DeclContext>(decl))
      if (llvm::isa<clang::EnumDecl, clang::LinkageSpecDecl,
                    clang::NamespaceDecl>(decl))
        collectNames(*inner, ast, names);
  }
}

/// True for keywords, and for types, functions and constants of OpenCL C that
/// what is written for a kernel could need.
bool isOfLanguage(const std::string &name, clang::ASTContext &ast) {
  clang::IdentifierInfo &word = ast.Idents.get(name);
  if (word.isKeyword(ast.getLangOpts()) || name.compare(0, 4, "CLK_") == 0 ||
      workItemQuery(name) || builtinInfo(name).effect != CallEffect::Opaque)
    return true;
  const clang::SourceManager &manager = ast.getSourceManager();
  for (const clang::NamedDecl *decl :
       ast.getTranslationUnitDecl()->lookup(&word))
    if (decl->isImplicit() || manager.isInSystemHeader(decl->getLocation()))
      return true;
  return false;
}

/// Turns the finished tree of Clang into a unit.
class ConvertingConsumer : public clang::ASTConsumer {
public:
  ConvertingConsumer(clang::CompilerInstance &compiler, TranslationUnit &result)
      : unit(result), preprocessor(compiler.getPreprocessor()) {
    preprocessor.addPPCallbacks(makeMacroRecorder(preprocessor, macros));
    preprocessor.addPPCallbacks(makeConditionRecorder(preprocessor, log));
  }

  void HandleTranslationUnit(clang::ASTContext &ast) override {
    if (ast.getDiagnostics().hasErrorOccurred())
      return;
    SourceMap source(ast.getSourceManager(), ast.getLangOpts(), macros);
    ConfigurationFinder configurations(ast, preprocessor, log);
    UnitConverter converter(ast, source, configurations, unit);
    converter.run();
    noteNames(ast, converter);
    noteChanges(ast);
    unsigned version = ast.getLangOpts().getOpenCLCompatibleVersion();
    unit.openclVersion = version;
    unit.directives = source.directives();
  }

private:
  void noteNames(clang::ASTContext &ast, UnitConverter &converter) {
    std::set<std::string> names(converter.calledNames);
    collectNames(*ast.getTranslationUnitDecl(), ast, names);
    for (const auto &[name, history] : macros.macros)
      names.insert(name);
    for (const MacroChange &change : log.changes)
      names.insert(change.name);
    for (const std::string &name : names)
      if (name.compare(0, 2, "__") != 0)
        unit.usedNames.push_back(name);
  }

  void noteChanges(clang::ASTContext &ast) {
    const clang::SourceManager &manager = ast.getSourceManager();
    std::map<std::string, int64_t> changed;
    auto add = [&](const std::string &name, int64_t at) {
      auto [entry, isNew] = changed.emplace(name, at);
      entry->second = std::min(entry->second, at);
    };
    for (const std::string &name : log.flagMacros)
      add(name, -1);
    for (const MacroChange &change : log.changes)
      add(change.name, mainOffset(manager, change.at));
    for (const clang::Decl *decl : ast.getTranslationUnitDecl()->decls())
      if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl))
        if (!function->isImplicit() && function->getIdentifier() &&
            !manager.isInSystemHeader(function->getLocation()))
          add(function->getName().str(),
              mainOffset(manager, function->getLocation()));
    for (const auto &[name, at] : changed)
      if (isOfLanguage(name, ast))
        unit.changedNames.emplace_back(name, at);
  }

  TranslationUnit &unit;
  clang::Preprocessor &preprocessor;
  MacroTable macros;
  PreprocessorLog log;
};

class ConvertingAction : public clang::ASTFrontendAction {
public:
  explicit ConvertingAction(TranslationUnit &result) : unit(result) {}

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    llvm::StringRef) override {
    return std::make_unique<ConvertingConsumer>(compiler, unit);
  }

private:
  TranslationUnit &unit;
};

} // namespace

/// The language that a text without errors is in, where no flag names one.
static std::optional<std::string>
findStandard(const std::string &path, const std::string &source,
             const std::vector<std::string> &buildFlags) {
  auto isStandard = [](llvm::StringRef flag) {
    return flag.trim().starts_with("-cl-std=");
  };
  if (llvm::any_of(buildFlags, isStandard))
    return std::nullopt;
  for (const char *standard :
       {"-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CLC++"}) {
    std::vector<std::string> flags = buildFlags;
    flags.push_back(standard);
    clang::SyntaxOnlyAction action;
    if (runClang(path, source, translateFlags(flags), action).isGood)
      return standard;
  }
  return std::nullopt;
}

ParseResult clopt::parseOpenCL(const std::string &path,
                               const std::string &source,
                               const std::vector<std::string> &buildFlags) {
  ParseResult result;
  auto unit = std::make_unique<TranslationUnit>();
  unit->path = path;
  unit->text = source;
  const TranslatedFlags flags = translateFlags(buildFlags);
  unit->unsafeMath = flags.unsafeMath;
  unit->finiteMath = flags.finiteMath;
  unit->madEnable = flags.madEnable;
  ConvertingAction action(*unit);
  ClangRun run = runClang(path, source, flags, action);
  unit->dependencies = std::move(run.dependencies);
  result.diagnostics = std::move(run.diagnostics);
  if (run.isGood) {
    result.unit = std::move(unit);
  } else if (auto standard = findStandard(path, source, buildFlags)) {
    Diagnostic note;
    note.level = Diagnostic::Level::Note;
    note.location.file = path;
    note.message = "there are no errors with " + *standard;
    result.diagnostics.push_back(note);
  }
  return result;
}
