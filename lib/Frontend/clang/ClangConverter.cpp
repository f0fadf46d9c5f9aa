//===- ClangConverter.cpp - files and functions ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangConverter.h"

#include "Frontend/clang/ClangBodies.h"
#include "Frontend/clang/ClangTypes.h"
#include "Frontend/clang/TreeVisitor.h"
#include "Frontend/model/Choices.h"
#include "Frontend/model/Inductions.h"
#include "Frontend/model/InitialCells.h"
#include "Frontend/model/LastBarriers.h"
#include "Frontend/model/RelativeLoops.h"
#include "Frontend/model/Updates.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

#include <algorithm>
#include <map>
#include <set>

using namespace clopt;

//===-- UnitConverter -----------------------------------------------------===//

void UnitConverter::collectRoots(
    const clang::DeclContext &scope,
    std::vector<const clang::FunctionDecl *> &roots) {
  const clang::SourceManager &manager = source.sourceManager();
  for (const clang::Decl *decl : scope.decls()) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
      fileScopeVariable(variable);
    if (const auto *nested = llvm::dyn_cast<clang::NamespaceDecl>(decl))
      collectRoots(*nested, roots);
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    if (!function || !function->isThisDeclarationADefinition())
      continue;
    bool isInMain = manager.isWrittenInMainFile(
        manager.getExpansionLoc(function->getLocation()));
    if (isInMain || function->hasAttr<clang::OpenCLKernelAttr>())
      roots.push_back(function);
    if (isInMain && function->getBody()) {
      SourceRange body = source.range(function->getBody()->getSourceRange());
      bodies.push_back({body.begin, body.end});
    }
  }
}

bool UnitConverter::isDefinedInBody(const std::string &macro) const {
  std::optional<int64_t> at = source.macroTable().onlyDefinition(macro);
  return at && std::any_of(bodies.begin(), bodies.end(), [&](auto body) {
           return body.first <= *at && *at < body.second;
         });
}

void UnitConverter::run() {
  std::vector<const clang::FunctionDecl *> roots;
  collectRoots(*ast.getTranslationUnitDecl(), roots);
  for (const clang::FunctionDecl *root : roots)
    lookup(root);
  std::vector<FunctionInfo *> ordered;
  for (auto &entry : functions)
    ordered.push_back(&entry.second);
  std::sort(ordered.begin(), ordered.end(),
            [&](const FunctionInfo *a, const FunctionInfo *b) {
              return source.sourceManager().isBeforeInTranslationUnit(
                  a->definition->getLocation(), b->definition->getLocation());
            });
  for (FunctionInfo *info : ordered)
    unit.functions.push_back(std::move(info->function));
}

FunctionInfo *UnitConverter::lookup(const clang::FunctionDecl *function) {
  const clang::FunctionDecl *definition = function->getDefinition();
  if (!definition || definition->isDependentContext() ||
      !definition->doesThisDeclarationHaveABody() ||
      llvm::isa<clang::CXXMethodDecl>(definition))
    return nullptr;
  auto [entry, isNew] = functions.try_emplace(definition);
  FunctionInfo &info = entry->second;
  if (!isNew)
    return &info; // perhaps unfinished: then its effect is Opaque, as recursion
  info.definition = definition;
  info.function = std::make_unique<Function>();
  FunctionConverter(*this, *info.function, *definition).run();
  separateArguments(*info.function);
  finishFunction(info);
  return &info;
}

void UnitConverter::finishFunction(FunctionInfo &info) {
  markAddressTaken(*info.function);
  dropLastBarriers(*info.function);
  setInitialCells(*info.function);
  separateUpdates(*info.function);
  substituteInductions(*info.function);
  countLoopsFromIds(*info.function);
  chooseValues(*info.function);
  info.effect = effectOfBody(*info.function);
  info.inlineBody = findInlineBody(*info.function);
}

/// The innermost array, when its extent is written in the declaration.
static clang::ArrayTypeLoc innermostArray(const clang::VarDecl &decl) {
  if (!decl.getTypeSourceInfo())
    return {};
  clang::ArrayTypeLoc innermost;
  clang::TypeLoc type = decl.getTypeSourceInfo()->getTypeLoc();
  for (;;) {
    type = type.IgnoreParens().getUnqualifiedLoc();
    auto array = type.getAs<clang::ArrayTypeLoc>();
    if (!array)
      break;
    innermost = array;
    type = array.getElementLoc();
  }
  return type.getType()->isArrayType() ? clang::ArrayTypeLoc() : innermost;
}

/// True when operators can stand beside the text: a macro's name is taken for
/// what it stands for, which may be `1 ? 16 : 32` without parentheses.
static bool isPrimary(const clang::Expr *expr) {
  return expr &&
         llvm::isa<clang::IntegerLiteral, clang::DeclRefExpr, clang::ParenExpr>(
             expr->IgnoreImpCasts());
}

std::unique_ptr<Variable>
UnitConverter::makeVariable(const clang::VarDecl &decl) {
  auto result = std::make_unique<Variable>();
  result->name = decl.getNameAsString();
  result->type = convertType(decl.getType(), ast);
  result->range = source.range(decl.getLocation());
  result->space = convertSpace(decl.getType().getAddressSpace());
  if (clang::ArrayTypeLoc array = innermostArray(decl)) {
    result->extent = source.between(array.getBracketsRange());
    result->isExtentPrimary = isPrimary(array.getSizeExpr());
  }
  result->isFileScope = decl.isFileVarDecl();
  if (decl.getType()->isSamplerT() && decl.getInit())
    samplers[decl.getInit()->IgnoreParenImpCasts()] = result.get();
  return result;
}

const Variable *UnitConverter::fileScopeVariable(const clang::VarDecl *decl) {
  decl = decl->getCanonicalDecl();
  const Variable *&known = fileScope[decl];
  if (known)
    return known;
  unit.fileScopeVariables.push_back(makeVariable(*decl));
  unit.fileScopeVariables.back()->constant = constantValue(*decl, ast);
  return known = unit.fileScopeVariables.back().get();
}

//===-- FunctionConverter -------------------------------------------------===//

const Variable *FunctionConverter::variable(const clang::VarDecl *decl) {
  if (decl->isFileVarDecl())
    return unit.fileScopeVariable(decl);
  const Variable *&known = variables[decl];
  if (known)
    return known;
  function.variables.push_back(unit.makeVariable(*decl));
  return known = function.variables.back().get();
}

void FunctionConverter::run() {
  convertHead();
  convertBody();
  placeBodies(function, [&](const Function &callee) {
    return !declaresAny(namesInBody(callee));
  });
}

void FunctionConverter::convertHead() {
  function.name = decl.getNameAsString();
  function.returnType = convertType(decl.getReturnType(), unit.ast);
  function.isKernel = decl.hasAttr<clang::OpenCLKernelAttr>();
  for (const clang::ParmVarDecl *param : decl.parameters()) {
    const Variable *converted = variable(param);
    function.variables.back()->isParam = true;
    function.variables.back()->paramIndex = function.params.size();
    function.params.push_back(converted);
  }
  if (const auto *attribute = decl.getAttr<clang::ReqdWorkGroupSizeAttr>()) {
    function.requiredLocalSize[0] = attribute->getXDim();
    function.requiredLocalSize[1] = attribute->getYDim();
    function.requiredLocalSize[2] = attribute->getZDim();
  }
}

namespace {

/// Looks for what the tree of ours has no words for at all.
class BeyondFinder : public TreeVisitor {
public:
  bool visitDecl(clang::Decl &decl) override {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(&decl);
    return !variable || !variable->getType()->isReferenceType();
  }
  bool visitStmt(clang::Stmt &stmt) override {
    return !llvm::isa<clang::CXXMemberCallExpr, clang::CXXConstructExpr>(stmt);
  }
};

class GotoFinder : public TreeVisitor {
public:
  bool visitStmt(clang::Stmt &stmt) override {
    return !llvm::isa<clang::LabelStmt, clang::GotoStmt,
                      clang::IndirectGotoStmt>(stmt);
  }
};

} // namespace

namespace {

/// Counts the declarations of each name in a function, and notes the names of
/// types and enumerators.
class TypeNames : public TreeVisitor {
public:
  bool visitDecl(clang::Decl &decl) override {
    const auto *named = llvm::dyn_cast<clang::NamedDecl>(&decl);
    if (!named || !named->getDeclName().isIdentifier() ||
        !named->getIdentifier() || llvm::isa<clang::FieldDecl>(named))
      return true;
    ++counts[named->getIdentifier()];
    if (llvm::isa<clang::TypeDecl, clang::EnumConstantDecl>(named))
      types.insert(named->getIdentifier());
    return true;
  }
  std::map<clang::IdentifierInfo *, unsigned> counts;
  std::set<clang::IdentifierInfo *> types;
};

} // namespace

/// Declarations of types are kept as text, not always in the block where the
/// author has them: their names may mean nothing else.
bool FunctionConverter::hidesNames() const {
  TypeNames local;
  for (clang::ParmVarDecl *param : decl.parameters())
    local.walk(param);
  local.walk(decl.getBody());
  return std::any_of(
      local.types.begin(), local.types.end(), [&](clang::IdentifierInfo *name) {
        return local.counts[name] > 1 ||
               !unit.ast.getTranslationUnitDecl()->lookup(name).empty();
      });
}

bool FunctionConverter::isBeyondModel() const {
  if (!unit.ast.getLangOpts().CPlusPlus)
    return false;
  if (decl.isTemplateInstantiation())
    return true;
  return !BeyondFinder().walk(&decl);
}

/// A body that defines macros is read as it stands. It can still be replaced,
/// unless text elsewhere, or text that is kept as it is, needs them.
bool FunctionConverter::dependsOnDirectives() const {
  int64_t begin = function.bodyRange.begin, end = function.bodyRange.end;
  const MacroTable &macros = unit.source.macroTable();
  if (!macros.changesWithin(begin, end))
    return false;
  bool keepsText = false;
  forEachStmt(function.body, [&](const StmtRef &stmt) {
    keepsText |=
        stmt->kind == StmtKind::Opaque || stmt->kind == StmtKind::Switch;
  });
  forEachExpr(function.body, [&](const ExprRef &expr) {
    keepsText |= expr->kind == ExprKind::Opaque;
  });
  return keepsText || macros.changesLeak(begin, end);
}

/// Where the function can be given another name and further parameters.
void FunctionConverter::locateHead() {
  const int64_t begin = function.range.begin, end = function.bodyRange.begin;
  clang::FunctionTypeLoc type = decl.getFunctionTypeLoc();
  bool hasDirectives =
      begin < 0 || end < begin ||
      unit.unit.spelling(begin, end).find('#') != std::string::npos;
  clang::SourceRange name = decl.getNameInfo().getSourceRange();
  if (!type || hasDirectives || !unit.source.isInMainFile(name))
    return;
  clang::SourceRange parameters(type.getLParenLoc(), type.getRParenLoc());
  if (!unit.source.isInMainFile(parameters))
    return;
  function.nameRange = unit.source.range(name);
  function.parameterRange = unit.source.range(parameters);
}

void FunctionConverter::convertBody() {
  clang::Stmt *body = decl.getBody();
  clang::SourceLocation begin = decl.getSourceRange().getBegin();
  // `__kernel` is an attribute and may stand before the declaration proper.
  if (decl.hasAttrs())
    for (const clang::Attr *attribute : decl.attrs()) {
      clang::SourceLocation place = attribute->getLocation();
      if (place.isValid() && place.isFileID() && begin.isFileID() &&
          unit.source.sourceManager().isBeforeInTranslationUnit(place, begin))
        begin = place;
    }
  function.range = unit.source.range({begin, body->getEndLoc()});
  function.bodyRange = unit.source.range(body->getSourceRange());
  locateHead();
  const auto *block = llvm::dyn_cast<clang::CompoundStmt>(body);
  bool isBeyond = isBeyondModel();
  function.isEditable =
      !isBeyond && block && function.bodyRange.isEditable() &&
      unit.source.isInMainFile({block->getLBracLoc(), block->getRBracLoc()});
  function.hasGoto = !GotoFinder().walk(body);
  function.body = isBeyond || hidesNames() ? opaqueStmt(StmtKind::Opaque, body)
                                           : convert(body);
  function.isEditable = function.isEditable && !dependsOnDirectives();
  if (function.isKernel && function.isEditable)
    function.configuration = unit.configurations.configurationOf(decl);
}
