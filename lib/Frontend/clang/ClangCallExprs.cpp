//===- ClangCallExprs.cpp - calls -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call is a work-item query, a builtin, or a function of the file; small
// functions of the file are put in place.
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangBuiltins.h"
#include "Frontend/clang/ClangConverter.h"
#include "Frontend/clang/ClangTypes.h"
#include "Frontend/clang/TreeVisitor.h"

#include <algorithm>

using namespace clopt;

std::vector<ExprRef>
FunctionConverter::convertArguments(const clang::CallExpr *expr) {
  std::vector<ExprRef> result;
  for (const clang::Expr *argument : expr->arguments())
    result.push_back(convert(argument));
  return result;
}

namespace {

/// The names of all that is declared in a function.
class DeclaredNames : public TreeVisitor {
public:
  explicit DeclaredNames(std::set<std::string> &result) : names(result) {}
  bool visitDecl(clang::Decl &decl) override {
    const auto *named = llvm::dyn_cast<clang::NamedDecl>(&decl);
    if (named && named->getDeclName().isIdentifier() &&
        named->getIdentifier() && !llvm::isa<clang::FieldDecl>(named))
      names.insert(named->getName().str());
    return true;
  }

private:
  std::set<std::string> &names;
};

} // namespace

/// True when a declaration anywhere in the function has one of the names, or of
/// those that macros among them stand for. Statements are moved within the
/// function, so that it does not matter where.
bool FunctionConverter::declaresAny(std::set<std::string> names) {
  if (declaredNames.empty()) {
    // The function itself is none of its own declarations.
    DeclaredNames visitor(declaredNames);
    for (clang::ParmVarDecl *param : decl.parameters())
      visitor.walk(param);
    visitor.walk(decl.getBody());
  }
  unit.source.macroTable().addExpansions(names);
  return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
    return declaredNames.count(name) != 0;
  });
}

/// Declared by Clang itself or by its OpenCL header.
static bool isBuiltin(const clang::FunctionDecl &callee,
                      const clang::SourceManager &manager) {
  return callee.isImplicit() || callee.getBuiltinID() != 0 ||
         callee.getLocation().isInvalid() ||
         manager.isInSystemHeader(callee.getLocation());
}

ExprRef FunctionConverter::convertCall(const clang::CallExpr *expr,
                                       bool isStatement) {
  const clang::FunctionDecl *callee = expr->getDirectCallee();
  if (!callee || !callee->getDeclName().isIdentifier())
    return opaque(expr, expr->getType());
  std::string name = callee->getNameAsString();
  FunctionInfo *info = unit.lookup(callee);
  bool isKnown = !info && isBuiltin(*callee, unit.source.sourceManager());
  if (isKnown)
    if (std::optional<WorkItemQuery> query = workItemQuery(name))
      if (ExprRef converted = convertWorkItem(expr, *query))
        return converted;
  auto result = make(ExprKind::Call, expr);
  result->text = name;
  result->operands = convertArguments(expr);
  result->effect = CallEffect::Opaque;
  if (info) {
    info->function->isCalled = true;
    result->effect = info->effect;
    result->callee = info->function.get();
    bool mayStand = isStatement || !info->inlineBody.isStatement;
    Fusion fusion = unit.unit.madEnable ? Fusion::Free
                    : terms.count(expr) ? Fusion::AsTerm
                                        : Fusion::Kept;
    if (mayStand && !declaresAny(info->inlineBody.names))
      if (ExprRef inlined =
              inlineCall(*info->function, info->inlineBody, result->operands,
                         result->range, fusion, result->needsVariables))
        return inlined;
  } else {
    unit.calledNames.insert(name);
    if (isKnown) {
      BuiltinInfo known = builtinInfo(name);
      result->effect = known.effect;
      result->isElementwiseBuiltin = known.isElementwise;
      result->family = known.family;
      result->suffix = known.suffix;
    }
  }
  return result;
}

ExprRef FunctionConverter::convertWorkItem(const clang::CallExpr *expr,
                                           WorkItemQuery query) {
  auto result = make(ExprKind::WorkItem, expr);
  result->query = query;
  if (!takesDimension(query))
    return result;
  clang::Expr::EvalResult value;
  if (expr->getNumArgs() != 1 || expr->getArg(0)->isValueDependent() ||
      !expr->getArg(0)->EvaluateAsInt(value, unit.ast) || value.HasSideEffects)
    return nullptr;
  uint64_t dimension = value.Val.getInt().getZExtValue();
  if (dimension < 3) {
    result->dim = static_cast<unsigned>(dimension);
    return result;
  }
  // Beyond the three dimensions ids are 0 and sizes are 1.
  result->kind = ExprKind::IntLiteral;
  result->intValue =
      query != WorkItemQuery::GlobalId && query != WorkItemQuery::LocalId &&
      query != WorkItemQuery::GroupId && query != WorkItemQuery::GlobalOffset;
  return result;
}
