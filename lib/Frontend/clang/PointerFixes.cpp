//===- PointerFixes.cpp - qualifiers that pointers could have -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PointerFixesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/PointerFixes.h"

#include "Frontend/clang/ClangConditions.h"
#include "Frontend/clang/ClangRun.h"
#include "Frontend/clang/ClangSource.h"
#include "Frontend/clang/PointerUses.h"
#include "Frontend/clang/TreeVisitor.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

using namespace clopt;

namespace {

/// Where a declaration of a pointer takes qualifiers.
struct Places {
  std::vector<Insertion> forConst;
  std::vector<Insertion> forRestrict;
  std::string problem; ///< why there is none; empty: there is
};

/// Macros that are extents of local arrays.
class ExtentNames : public TreeVisitor {
public:
  ExtentNames(const SourceMap &sourceMap, int64_t before,
              std::map<uint64_t, std::string> &result)
      : source(sourceMap), end(before), names(result) {}

  bool visitDecl(clang::Decl &decl) override {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(&decl);
    if (!variable || !variable->getTypeSourceInfo() ||
        variable->getType().getAddressSpace() != clang::LangAS::opencl_local)
      return true;
    clang::TypeLoc type = variable->getTypeSourceInfo()->getTypeLoc();
    while (const auto array =
               type.getUnqualifiedLoc().getAs<clang::ConstantArrayTypeLoc>()) {
      note(array);
      type = array.getElementLoc();
    }
    return true;
  }

private:
  void note(const clang::ConstantArrayTypeLoc &array) {
    const std::string macro =
        array.getSizeExpr()
            ? source.wholeMacro(array.getSizeExpr()->getSourceRange())
            : "";
    const std::optional<int64_t> at = source.macroTable().onlyDefinition(macro);
    const std::string name = at && *at >= 0 && *at < end ? macro : "";
    auto [entry, isNew] =
        names.try_emplace(array.getTypePtr()->getZExtSize(), name);
    if (!isNew && entry->second != name)
      entry->second.clear();
  }

  const SourceMap &source;
  const int64_t end;
  std::map<uint64_t, std::string> &names;
};

class PointerFixFinder {
public:
  PointerFixFinder(clang::ASTContext &context,
                   clang::Preprocessor &preprocessor,
                   const PreprocessorLog &record, const SourceMap &sourceMap,
                   bool wantsRestrict, PointerFixes &found)
      : ast(context), manager(context.getSourceManager()), source(sourceMap),
        configurations(context, preprocessor, record),
        withRestrict(wantsRestrict), result(found),
        directives(sourceMap.directives()) {}

  void run() {
    // References of C++ are writes of another form.
    if (ast.getLangOpts().CPlusPlus)
      return;
    for (const clang::Decl *decl : ast.getTranslationUnitDecl()->decls()) {
      const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
      if (!function || !function->isThisDeclarationADefinition() ||
          !manager.isInMainFile(
              manager.getExpansionLoc(function->getLocation())))
        continue;
      if (function->hasAttr<clang::OpenCLKernelAttr>() &&
          !function->hasAttr<clang::ReqdWorkGroupSizeAttr>())
        result.heads.push_back(headOf(*function));
      for (const clang::ParmVarDecl *parameter : function->parameters())
        if (parameter->getIdentifier() && isCandidate(*parameter))
          findFor(*function, *parameter);
    }
  }

private:
  static clang::QualType pointee(const clang::VarDecl &pointer) {
    return pointer.getType()->getPointeeType();
  }

  static bool isConst(const clang::VarDecl &pointer) {
    return pointee(pointer).isConstQualified();
  }

  /// A pointer to numbers, vectors or structures.
  static bool isCandidate(const clang::VarDecl &pointer) {
    if (!pointer.getType()->isPointerType())
      return false;
    const clang::QualType cell = pointee(pointer);
    return (cell->isArithmeticType() || cell->isVectorType() ||
            cell->isRecordType()) &&
           cell.getAddressSpace() != clang::LangAS::opencl_constant;
  }

  void findFor(const clang::FunctionDecl &function,
               const clang::ParmVarDecl &parameter) {
    const PointerUses &uses = usesOf(parameter);
    if (!uses.isUsed)
      return;
    if (!isConst(parameter))
      result.fixes.push_back(constFix(function, parameter));
    if (withRestrict && function.hasAttr<clang::OpenCLKernelAttr>() &&
        pointee(parameter).getAddressSpace() == clang::LangAS::opencl_global &&
        !parameter.getType().isRestrictQualified())
      result.fixes.push_back(restrictFix(function, parameter));
  }

  Fix makeFix(FixKind kind, const clang::FunctionDecl &function,
              const clang::ParmVarDecl &parameter) const {
    Fix fix;
    fix.kind = kind;
    fix.function = function.getNameAsString();
    fix.parameter = parameter.getNameAsString();
    fix.location = source.range(parameter.getLocation());
    return fix;
  }

  //===-- const -----------------------------------------------------------===//

  Fix constFix(const clang::FunctionDecl &function,
               const clang::ParmVarDecl &parameter) {
    Fix fix = makeFix(FixKind::Const, function, parameter);
    std::set<Insertion> all;
    const std::string problem = makeConst(parameter, all);
    const std::string name = "'" + fix.parameter + "'";
    if (problem.empty()) {
      fix.message = name + " is only read: its cells are const";
      fix.insertions.assign(all.begin(), all.end());
    } else {
      fix.message = name + " cannot point to const: " + problem;
    }
    return fix;
  }

  /// Why the pointer, and all that its value reaches, cannot point to const;
  /// empty, with what makes it, when it can.
  std::string makeConst(const clang::ParmVarDecl &parameter,
                        std::set<Insertion> &all) {
    std::vector<const clang::VarDecl *> reached = {&parameter};
    std::set<const clang::VarDecl *> seen = {&parameter};
    for (size_t i = 0; i < reached.size(); ++i) {
      const clang::VarDecl &pointer = *reached[i];
      const PointerUses &uses = usesOf(pointer);
      const std::string by =
          i == 0 ? "" : "through '" + pointer.getNameAsString() + "' ";
      if (!uses.problem.empty())
        return by + uses.problem + lineOf(uses.where);
      if (const std::string other = configurationProblem(pointer);
          !other.empty())
        return by + other;
      if (!isConst(pointer)) {
        const Places places = placesOf(pointer);
        if (!isCandidate(pointer))
          return by + "it is used in a way that is not followed";
        if (!places.problem.empty())
          return by + places.problem;
        all.insert(places.forConst.begin(), places.forConst.end());
      }
      for (const clang::VarDecl *target : uses.targets)
        if (seen.insert(target).second)
          reached.push_back(target);
      sort(reached, i + 1);
    }
    return "";
  }

  /// Sets of pointers have no order of their own.
  void sort(std::vector<const clang::VarDecl *> &reached, size_t from) const {
    std::sort(reached.begin() + static_cast<long>(from), reached.end(),
              [&](const clang::VarDecl *left, const clang::VarDecl *right) {
                return manager.isBeforeInTranslationUnit(left->getLocation(),
                                                         right->getLocation());
              });
  }

  std::string lineOf(clang::SourceLocation where) const {
    const SourceRange range = source.range(where);
    return range.isValid() ? " in line " + std::to_string(range.line) : "";
  }

  //===-- restrict --------------------------------------------------------===//

  Fix restrictFix(const clang::FunctionDecl &function,
                  const clang::ParmVarDecl &parameter) {
    Fix fix = makeFix(FixKind::Restrict, function, parameter);
    const std::string problem = restrictProblem(function, parameter);
    const std::string name = "'" + fix.parameter + "'";
    if (problem.empty()) {
      fix.message = name + " is restrict: a promise that no other argument "
                           "overlaps its buffer";
      fix.insertions = placesOf(parameter).forRestrict;
    } else {
      fix.message = name + " cannot be restrict: " + problem;
    }
    return fix;
  }

  std::string restrictProblem(const clang::FunctionDecl &function,
                              const clang::ParmVarDecl &parameter) {
    if (usesOf(parameter).isAssigned)
      return "it is set to another address";
    std::set<Insertion> ignored;
    const bool isOnlyRead = makeConst(parameter, ignored).empty();
    if (const clang::Expr *call = isOnlyRead ? nullptr : orders(function))
      return "work-items may exchange values through it" +
             lineOf(call->getExprLoc());
    if (std::string other = configurationProblem(parameter); !other.empty())
      return other;
    const Places places = placesOf(parameter);
    if (places.problem.empty() && places.forRestrict.empty())
      return "its declaration has no '*' in this file";
    return places.problem;
  }

  /// What may order work-items, in the function or what it calls.
  const clang::Expr *orders(const clang::FunctionDecl &function) {
    std::vector<const clang::FunctionDecl *> pending = {&function};
    std::set<const clang::FunctionDecl *> seen = {&function};
    for (size_t i = 0; i < pending.size(); ++i) {
      const FunctionUses &uses = usesOf(*pending[i]);
      if (uses.synchronizing)
        return uses.synchronizing;
      for (const clang::FunctionDecl *callee : uses.callees)
        if (seen.insert(callee).second)
          pending.push_back(callee);
    }
    return nullptr;
  }

  //===-- What is known ---------------------------------------------------===//

  const FunctionUses &usesOf(const clang::FunctionDecl &function) {
    auto [entry, isNew] = known.try_emplace(&function);
    if (isNew)
      entry->second = findPointerUses(ast, function);
    return entry->second;
  }

  static const clang::FunctionDecl *functionOf(const clang::VarDecl &pointer) {
    return llvm::dyn_cast<clang::FunctionDecl>(
        pointer.getParentFunctionOrMethod());
  }

  const PointerUses &usesOf(const clang::VarDecl &pointer) {
    static const PointerUses none;
    const clang::FunctionDecl *function = functionOf(pointer);
    if (!function)
      return none;
    const FunctionUses &uses = usesOf(*function);
    auto found = uses.pointers.find(&pointer);
    return found == uses.pointers.end() ? none : found->second;
  }

  /// Why the text of the pointer's function may be another one.
  std::string configurationProblem(const clang::VarDecl &pointer) {
    const clang::FunctionDecl *function = functionOf(pointer);
    if (!function)
      return "it is used in a way that is not followed";
    auto [entry, isNew] = variants.try_emplace(function);
    if (isNew)
      entry->second = findVariants(*function);
    return entry->second;
  }

  std::string findVariants(const clang::FunctionDecl &function) const {
    const std::string other = "with other flags '" +
                              function.getNameAsString() +
                              "' would have another text";
    const int64_t begin = mainOffset(manager, function.getBeginLoc());
    const int64_t end = mainOffset(manager, function.getEndLoc());
    for (const Directive &directive : directives)
      if (directive.kind != Directive::Kind::Other && directive.at >= begin &&
          directive.at < end)
        return other;
    const Configuration needs = configurations.configurationOf(function);
    const bool isType =
        std::all_of(needs.words.begin(), needs.words.end(),
                    [&](const auto &word) { return isTypeName(word.second); });
    return needs.conditions.empty() && isType && needs.problem.empty() ? ""
                                                                       : other;
  }

  /// `-DREAL=float` chooses a type, and writes nothing.
  bool isTypeName(const std::string &word) const {
    clang::IdentifierInfo &name = ast.Idents.get(word);
    clang::Token token;
    token.startToken();
    token.setIdentifierInfo(&name);
    token.setKind(name.getTokenID());
    if (token.isSimpleTypeSpecifier(ast.getLangOpts()))
      return true;
    const auto found = ast.getTranslationUnitDecl()->lookup(&name);
    return !found.empty() && llvm::isa<clang::TypedefNameDecl>(found.front());
  }

  //===-- Heads of kernels ------------------------------------------------===//

  KernelHead headOf(const clang::FunctionDecl &kernel) const {
    KernelHead head;
    head.kernel = kernel.getNameAsString();
    head.location = source.range(kernel.getLocation());
    head.attribute = offsetOf(kernel.getReturnTypeSourceRange().getBegin());
    head.problem = findVariants(kernel);
    if (head.problem.empty() && !configurations.configurationOf(kernel).isAny())
      head.problem = "flags decide about its text";
    if (!head.attribute)
      head.problem = "a macro or another file has its head";
    else
      ExtentNames(source, *head.attribute, head.extents).walk(kernel.getBody());
    return head;
  }

  //===-- Where it is written ---------------------------------------------===//

  Places placesOf(const clang::VarDecl &pointer) const {
    Places places;
    if (const auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(&pointer)) {
      const clang::FunctionDecl *function = functionOf(pointer);
      const unsigned index = parameter->getFunctionScopeIndex();
      for (const clang::FunctionDecl *one : function->redecls())
        addPlaces(*one->getParamDecl(index), places);
      return places;
    }
    if (!isAlone(pointer))
      places.problem = "it is declared together with others";
    addPlaces(pointer, places);
    return places;
  }

  /// `float *a, *b` has one type for both.
  bool isAlone(const clang::VarDecl &pointer) const {
    const clang::SourceLocation begin = pointer.getBeginLoc();
    for (const clang::Decl *other : pointer.getDeclContext()->decls())
      if (other != &pointer)
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(other);
            variable && !llvm::isa<clang::ParmVarDecl>(variable) &&
            variable->getBeginLoc() == begin)
          return false;
    return true;
  }

  void addPlaces(const clang::VarDecl &pointer, Places &places) const {
    const auto fail = [&](const std::string &problem) {
      if (places.problem.empty())
        places.problem = problem;
    };
    if (!pointer.getTypeSourceInfo())
      return fail("its type is not written");
    clang::TypeLoc type =
        pointer.getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc();
    if (const auto adjusted = type.getAs<clang::AdjustedTypeLoc>())
      type = adjusted.getOriginalLoc().getUnqualifiedLoc();
    clang::TypeLoc cell;
    clang::SourceLocation star;
    if (const auto written = type.getAs<clang::PointerTypeLoc>()) {
      cell = written.getPointeeLoc();
      star = written.getStarLoc();
    } else if (const auto array = type.getAs<clang::ArrayTypeLoc>()) {
      cell = array.getElementLoc();
    } else {
      return fail("its type has a name that hides the pointer");
    }
    const std::optional<int64_t> at =
        offsetOf(cell.getUnqualifiedLoc().getBeginLoc());
    if (!at)
      return fail("a macro or another file has its declaration");
    places.forConst.push_back({*at, "const "});
    if (star.isValid() && star.isFileID() && manager.isInMainFile(star))
      places.forRestrict.push_back(
          restrictBehind(static_cast<int64_t>(manager.getFileOffset(star))));
  }

  /// `float *a` and `float* a` keep their blanks.
  Insertion restrictBehind(int64_t star) const {
    const llvm::StringRef text = manager.getBufferData(manager.getMainFileID());
    const bool isBlank = star + 1 < static_cast<int64_t>(text.size()) &&
                         text[static_cast<size_t>(star) + 1] == ' ';
    return {star + 1, isBlank ? " restrict" : "restrict "};
  }

  /// The place in the main file; nothing where a macro writes it, but for a
  /// macro that begins there.
  std::optional<int64_t> offsetOf(clang::SourceLocation at) const {
    if (at.isMacroID() && !clang::Lexer::isAtStartOfMacroExpansion(
                              at, manager, ast.getLangOpts(), &at))
      return std::nullopt;
    if (at.isInvalid() || at.isMacroID() || !manager.isInMainFile(at))
      return std::nullopt;
    return static_cast<int64_t>(manager.getFileOffset(at));
  }

  clang::ASTContext &ast;
  const clang::SourceManager &manager;
  const SourceMap &source;
  const ConfigurationFinder configurations;
  const bool withRestrict;
  PointerFixes &result;
  const std::vector<Directive> directives;
  std::map<const clang::FunctionDecl *, FunctionUses> known;
  std::map<const clang::FunctionDecl *, std::string> variants;
};

/// Looks for fixes when the file has been read.
class FixConsumer : public clang::ASTConsumer {
public:
  FixConsumer(clang::CompilerInstance &compiler, bool wantsRestrict,
              PointerFixes &found)
      : preprocessor(compiler.getPreprocessor()), withRestrict(wantsRestrict),
        result(found) {
    preprocessor.addPPCallbacks(makeMacroRecorder(preprocessor, macros));
    preprocessor.addPPCallbacks(makeConditionRecorder(preprocessor, log));
  }

  void HandleTranslationUnit(clang::ASTContext &ast) override {
    if (ast.getDiagnostics().hasErrorOccurred())
      return;
    const SourceMap source(ast.getSourceManager(), ast.getLangOpts(), macros);
    PointerFixFinder(ast, preprocessor, log, source, withRestrict, result)
        .run();
  }

private:
  clang::Preprocessor &preprocessor;
  const bool withRestrict;
  PointerFixes &result;
  MacroTable macros;
  PreprocessorLog log;
};

class FixAction : public clang::ASTFrontendAction {
public:
  FixAction(bool wantsRestrict, PointerFixes &found)
      : withRestrict(wantsRestrict), result(found) {}

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    llvm::StringRef) override {
    return std::make_unique<FixConsumer>(compiler, withRestrict, result);
  }

private:
  const bool withRestrict;
  PointerFixes &result;
};

} // namespace

PointerFixes clopt::findPointerFixes(const std::string &path,
                                     const std::string &source,
                                     const std::vector<std::string> &buildFlags,
                                     bool withRestrict) {
  PointerFixes result;
  FixAction action(withRestrict, result);
  ClangRun run = runClang(path, source, translateFlags(buildFlags), action);
  result.isGood = run.isGood;
  result.diagnostics = std::move(run.diagnostics);
  return result;
}
