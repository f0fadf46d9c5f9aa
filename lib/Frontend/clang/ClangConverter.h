//===- ClangConverter.h - from Clang's tree to ours -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnitConverter owns what is known of a whole file, FunctionConverter turns
// one body. A function is converted when the first call of it is met, so that
// a call knows what its callee does. For use inside Frontend only.
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_CLANGCONVERTER_H
#define CLOPT_FRONTEND_CLANGCONVERTER_H

#include "Frontend/clang/ClangCalls.h"
#include "Frontend/clang/ClangConditions.h"
#include "Frontend/clang/ClangSource.h"
#include "Model/Expr.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace clopt {

/// What is known of a function with a body.
struct FunctionInfo {
  std::unique_ptr<Function> function;
  const clang::FunctionDecl *definition = nullptr;
  CallEffect effect = CallEffect::Opaque; ///< until the body is converted
  InlineBody inlineBody;
};

class UnitConverter {
public:
  UnitConverter(clang::ASTContext &context, const SourceMap &sourceMap,
                const ConfigurationFinder &finder, TranslationUnit &result)
      : ast(context), source(sourceMap), configurations(finder), unit(result) {}

  /// Converts every function of the main file, every kernel, and all that
  /// these call; fills the variables and functions of the unit.
  void run();

  /// The function's entry, converted now if it was not; null without a body.
  FunctionInfo *lookup(const clang::FunctionDecl *function);
  /// A variable at file scope, or null.
  const Variable *fileScopeVariable(const clang::VarDecl *decl);
  /// A new variable of ours for one of Clang's.
  std::unique_ptr<Variable> makeVariable(const clang::VarDecl &decl);

  /// True when a new text for some body could stand where the macro is not
  /// defined, or could replace its definition.
  bool isDefinedInBody(const std::string &macro) const;

  clang::ASTContext &ast;
  const SourceMap &source;
  const ConfigurationFinder &configurations;
  TranslationUnit &unit;
  /// Samplers by their initializer: where one is used, Clang's tree has the
  /// initializer in place of the name.
  std::map<const clang::Expr *, const Variable *> samplers;
  /// Names of functions without a body that are called.
  std::set<std::string> calledNames;

private:
  void collectRoots(const clang::DeclContext &scope,
                    std::vector<const clang::FunctionDecl *> &roots);
  void finishFunction(FunctionInfo &info);

  std::map<const clang::FunctionDecl *, FunctionInfo> functions;
  std::map<const clang::VarDecl *, const Variable *> fileScope;
  /// Offsets of the bodies in the main file.
  std::vector<std::pair<int64_t, int64_t>> bodies;
};

class FunctionConverter {
public:
  FunctionConverter(UnitConverter &owner, Function &result,
                    const clang::FunctionDecl &definition)
      : unit(owner), function(result), decl(definition) {}

  void run();

private:
  // ClangConverter.cpp: the function itself.
  void convertHead();
  void convertBody();
  void locateHead();
  bool isBeyondModel() const;
  bool hidesNames() const;
  bool dependsOnDirectives() const;
  const Variable *variable(const clang::VarDecl *decl);

  // ClangExprs.cpp
  ExprRef convert(const clang::Expr *expr);
  ExprRef dispatch(const clang::Expr *expr);
  std::shared_ptr<Expr> make(ExprKind kind, const clang::Expr *expr) const;
  ExprRef convertParens(const clang::ParenExpr *expr);
  ExprRef convertMacroConstant(const clang::Expr *expr) const;
  ExprRef convertInfinity(const clang::Expr *expr) const;
  ExprRef convertInteger(const clang::Expr *expr, std::string text) const;
  ExprRef convertSize(const clang::Expr *expr);
  ExprRef convertLiteral(const clang::Expr *expr) const;
  ExprRef convertReference(const clang::DeclRefExpr *expr);
  ExprRef convertUnary(const clang::UnaryOperator *expr);
  ExprRef convertBinary(const clang::BinaryOperator *expr);
  void noteTerm(const clang::Expr *expr);
  ExprRef convertCast(const clang::CastExpr *expr);
  ExprRef convertConstantVariable(const clang::CastExpr *expr) const;
  ExprRef convertSubscript(const clang::ArraySubscriptExpr *expr);
  ExprRef convertMember(const clang::MemberExpr *expr);
  ExprRef convertSwizzle(const clang::ExtVectorElementExpr *expr);
  ExprRef convertCompoundLiteral(const clang::CompoundLiteralExpr *expr);
  ExprRef convertInitList(const clang::InitListExpr *expr, ExprKind kind);
  ExprRef convertHole(const clang::Expr *expr) const;
  ExprRef convertAsType(const clang::AsTypeExpr *expr);
  ExprRef opaque(const clang::Stmt *stmt, clang::QualType type);
  ExprRef combine(ExprKind kind, const clang::Expr *expr,
                  std::initializer_list<const clang::Expr *> operands);
  std::string spelling(clang::SourceLocation location) const;
  std::string printed(const clang::Stmt *stmt) const;

  // ClangCallExprs.cpp
  ExprRef convertCall(const clang::CallExpr *expr, bool isStatement);
  ExprRef convertWorkItem(const clang::CallExpr *expr, WorkItemQuery query);
  std::vector<ExprRef> convertArguments(const clang::CallExpr *expr);
  bool declaresAny(std::set<std::string> names);

  // ClangStmts.cpp
  StmtRef convert(const clang::Stmt *stmt);
  StmtRef dispatch(const clang::Stmt *stmt);
  std::shared_ptr<Stmt> make(StmtKind kind, const clang::Stmt *stmt) const;
  StmtRef convertBlock(const clang::CompoundStmt *stmt);
  StmtRef convertDeclaration(const clang::DeclStmt *stmt);
  StmtRef convertVariable(const clang::VarDecl *decl,
                          const clang::DeclStmt *stmt);
  StmtRef convertIf(const clang::IfStmt *stmt);
  StmtRef convertFor(const clang::ForStmt *stmt);
  StmtRef convertWhile(const clang::WhileStmt *stmt);
  bool runsOnce(const clang::DoStmt *stmt);
  StmtRef convertDo(const clang::DoStmt *stmt);
  StmtRef convertSwitch(const clang::SwitchStmt *stmt);
  StmtRef convertAttributed(const clang::AttributedStmt *stmt);
  StmtRef convertExprStmt(const clang::Expr *expr);
  StmtRef opaqueStmt(StmtKind kind, const clang::Stmt *stmt);
  void collectJumps(const clang::Stmt *stmt, bool inLoop, bool inSwitch,
                    std::vector<StmtRef> &jumps);
  void mention(const clang::Stmt *stmt, std::vector<ExprRef> &mentioned);

  UnitConverter &unit;
  Function &function;
  const clang::FunctionDecl &decl;
  std::map<const clang::VarDecl *, const Variable *> variables;
  /// All that the function declares, parameters, types and enumerators too;
  /// collected when first needed.
  std::set<std::string> declaredNames;
  /// Calls that floating-point sums take in.
  std::set<const clang::CallExpr *> terms;
};

/// Gives every parameter that a kernel changes a variable of its own, so that
/// the parameter itself stays what the host set (ClangArguments.cpp).
void separateArguments(Function &function);

} // namespace clopt

#endif // CLOPT_FRONTEND_CLANGCONVERTER_H
