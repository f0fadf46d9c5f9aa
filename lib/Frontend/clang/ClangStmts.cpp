//===- ClangStmts.cpp - statements ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangConverter.h"
#include "Frontend/model/LoopForms.h"
#include "Frontend/model/LoopHeads.h"
#include "Frontend/model/ModelBuilderImpl.h"
#include "Frontend/model/Updates.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>

using namespace clopt;

std::shared_ptr<Stmt> FunctionConverter::make(StmtKind kind,
                                              const clang::Stmt *stmt) const {
  auto result = std::make_shared<Stmt>();
  result->kind = kind;
  result->range = unit.source.range(stmt->getSourceRange());
  unit.source.extendOverSemicolon(result->range, unit.unit.text);
  return result;
}

StmtRef FunctionConverter::convert(const clang::Stmt *stmt) {
  return stmt ? dispatch(stmt) : nullptr;
}

StmtRef FunctionConverter::dispatch(const clang::Stmt *stmt) {
  if (const auto *expr = llvm::dyn_cast<clang::Expr>(stmt))
    return convertExprStmt(expr);
  switch (stmt->getStmtClass()) {
  case clang::Stmt::CompoundStmtClass:
    return convertBlock(llvm::cast<clang::CompoundStmt>(stmt));
  case clang::Stmt::DeclStmtClass:
    return convertDeclaration(llvm::cast<clang::DeclStmt>(stmt));
  case clang::Stmt::IfStmtClass:
    return convertIf(llvm::cast<clang::IfStmt>(stmt));
  case clang::Stmt::ForStmtClass:
    return convertFor(llvm::cast<clang::ForStmt>(stmt));
  case clang::Stmt::WhileStmtClass:
    return convertWhile(llvm::cast<clang::WhileStmt>(stmt));
  case clang::Stmt::DoStmtClass:
    return convertDo(llvm::cast<clang::DoStmt>(stmt));
  case clang::Stmt::AttributedStmtClass:
    return convertAttributed(llvm::cast<clang::AttributedStmt>(stmt));
  case clang::Stmt::BreakStmtClass:
    return make(StmtKind::Break, stmt);
  case clang::Stmt::ContinueStmtClass:
    return make(StmtKind::Continue, stmt);
  case clang::Stmt::NullStmtClass:
    return make(StmtKind::Null, stmt);
  case clang::Stmt::ReturnStmtClass: {
    auto result = make(StmtKind::Return, stmt);
    result->expr = convert(llvm::cast<clang::ReturnStmt>(stmt)->getRetValue());
    return result;
  }
  case clang::Stmt::SwitchStmtClass:
    if (StmtRef choices = convertSwitch(llvm::cast<clang::SwitchStmt>(stmt)))
      return choices;
    return opaqueStmt(StmtKind::Switch, stmt);
  default:
    return opaqueStmt(StmtKind::Opaque, stmt);
  }
}

StmtRef FunctionConverter::convertBlock(const clang::CompoundStmt *stmt) {
  auto result = make(StmtKind::Block, stmt);
  for (const clang::Stmt *child : stmt->body())
    result->children.push_back(convert(child));
  return result;
}

StmtRef FunctionConverter::convertDeclaration(const clang::DeclStmt *stmt) {
  // The names of numbers stand for these wherever they are used.
  auto isConstants = [](const clang::Decl *declared) {
    const auto *constants = llvm::dyn_cast<clang::EnumDecl>(declared);
    return constants && !constants->getDeclName();
  };
  if (llvm::all_of(stmt->decls(), isConstants))
    return make(StmtKind::Null, stmt);
  for (const clang::Decl *declared : stmt->decls()) {
    const auto *var = llvm::dyn_cast<clang::VarDecl>(declared);
    // Types declared in a body, and whatever C++ adds.
    if (!var || var->getType()->isVariablyModifiedType())
      return opaqueStmt(StmtKind::Opaque, stmt);
  }
  if (stmt->isSingleDecl())
    return convertVariable(llvm::cast<clang::VarDecl>(stmt->getSingleDecl()),
                           stmt);
  auto group = make(StmtKind::Group, stmt);
  group->lines = unit.source.lines(stmt->getSourceRange());
  for (const clang::Decl *declared : stmt->decls())
    group->children.push_back(
        convertVariable(llvm::cast<clang::VarDecl>(declared), stmt));
  return group;
}

StmtRef FunctionConverter::convertVariable(const clang::VarDecl *declared,
                                           const clang::DeclStmt *stmt) {
  auto result = make(StmtKind::Decl, stmt);
  result->lines = unit.source.lines(stmt->getSourceRange());
  if (!stmt->isSingleDecl()) {
    result->range = unit.source.range(declared->getSourceRange());
    result->range.begin = result->range.end = -1; // shares its type with others
  }
  result->var = variable(declared);
  const clang::Expr *init = declared->getInit();
  if (init && declared->getType()->isSamplerT())
    init = init->IgnoreParenImpCasts();
  result->expr = convert(init);
  if (declared->isStaticLocal())
    result->text = "static";
  for (const auto *aligned : declared->specific_attrs<clang::AlignedAttr>())
    result->pragmas.push_back(
        "__attribute__((aligned(" +
        std::to_string(aligned->getAlignment(unit.ast) / 8) + ")))");
  return result;
}

StmtRef FunctionConverter::convertIf(const clang::IfStmt *stmt) {
  if (stmt->getConditionVariable() || stmt->getInit() || stmt->isConsteval())
    return opaqueStmt(StmtKind::Opaque, stmt);
  auto result = make(StmtKind::If, stmt);
  result->expr = convert(stmt->getCond());
  result->body = convert(stmt->getThen());
  result->elseBody = convert(stmt->getElse());
  return result;
}

StmtRef FunctionConverter::convertFor(const clang::ForStmt *stmt) {
  if (stmt->getConditionVariable())
    return opaqueStmt(StmtKind::Opaque, stmt);
  auto result = make(StmtKind::For, stmt);
  result->init = convert(stmt->getInit());
  result->expr = convert(stmt->getCond());
  result->inc = convert(stmt->getInc());
  if (result->inc && result->inc->op == Op::PostInc) // as a while loop's end
    result->inc = asSum(result->inc);
  result->body = convert(stmt->getBody());
  return writtenOut(withPlainHead(result), function.requiredLocalSize);
}

StmtRef FunctionConverter::convertWhile(const clang::WhileStmt *stmt) {
  if (stmt->getConditionVariable())
    return opaqueStmt(StmtKind::Opaque, stmt);
  auto result = make(StmtKind::While, stmt);
  result->expr = convert(stmt->getCond());
  result->body = convert(stmt->getBody());
  return withPlainHead(result);
}

/// True for `do ... while (0)`, the form of macros that are statements, unless
/// something in it jumps to its end.
bool FunctionConverter::runsOnce(const clang::DoStmt *stmt) {
  const auto *never =
      llvm::dyn_cast<clang::IntegerLiteral>(stmt->getCond()->IgnoreParens());
  if (!never || never->getValue() != 0)
    return false;
  std::vector<StmtRef> jumps;
  collectJumps(stmt->getBody(), false, false, jumps);
  return llvm::none_of(jumps, [](const StmtRef &jump) {
    return jump->kind == StmtKind::Break || jump->kind == StmtKind::Continue;
  });
}

StmtRef FunctionConverter::convertDo(const clang::DoStmt *stmt) {
  if (runsOnce(stmt))
    return convert(stmt->getBody());
  auto result = make(StmtKind::Do, stmt);
  result->body = convert(stmt->getBody());
  result->expr = convert(stmt->getCond());
  return withPlainHead(result);
}

StmtRef
FunctionConverter::convertAttributed(const clang::AttributedStmt *stmt) {
  StmtRef inner = convert(stmt->getSubStmt());
  // What is said of a loop does not hold for its iterations.
  if ((inner->kind == StmtKind::Block &&
       llvm::isa<clang::ForStmt>(stmt->getSubStmt())) ||
      (inner->kind != StmtKind::Do &&
       llvm::isa<clang::DoStmt>(stmt->getSubStmt())))
    return inner;
  auto result = std::make_shared<Stmt>(*inner);
  for (const clang::Attr *attribute : stmt->getAttrs()) {
    std::string text;
    if (const auto *hint =
            llvm::dyn_cast<clang::OpenCLUnrollHintAttr>(attribute)) {
      text = "__attribute__((opencl_unroll_hint";
      if (hint->getUnrollHint())
        text += "(" + std::to_string(hint->getUnrollHint()) + ")";
      text += "))";
    } else if (text = unit.source.directive(attribute->getLocation());
               text.empty()) {
      llvm::raw_string_ostream stream(text);
      attribute->printPretty(stream, unit.ast.getPrintingPolicy());
      stream.flush();
      text = text.substr(0, text.find_last_not_of(" \n") + 1);
    }
    result->pragmas.push_back(text);
  }
  return result;
}

StmtRef FunctionConverter::convertExprStmt(const clang::Expr *expr) {
  auto result = make(StmtKind::Expr, expr);
  const auto *call = llvm::dyn_cast<clang::CallExpr>(expr->IgnoreParens());
  result->expr = call && call->getStmtClass() == clang::Stmt::CallExprClass
                     ? convertCall(call, true)
                     : asSum(convert(expr));
  if (result->expr->kind == ExprKind::Call &&
      result->expr->effect == CallEffect::Barrier)
    result->kind = StmtKind::Barrier;
  return result;
}

StmtRef FunctionConverter::opaqueStmt(StmtKind kind, const clang::Stmt *stmt) {
  auto result = make(kind, stmt);
  clang::QualType none = unit.ast.VoidTy;
  result->expr = opaque(stmt, none);
  result->text = result->expr->text;
  if (result->range.isEditable())
    result->text = unit.unit.spelling(result->range.begin, result->range.end);
  collectJumps(stmt, false, false, result->children);
  return result;
}

void FunctionConverter::collectJumps(const clang::Stmt *stmt, bool inLoop,
                                     bool inSwitch,
                                     std::vector<StmtRef> &jumps) {
  if (!stmt || llvm::isa<clang::BlockExpr, clang::LambdaExpr>(stmt))
    return;
  if (const auto *done = llvm::dyn_cast<clang::ReturnStmt>(stmt))
    jumps.push_back(convert(static_cast<const clang::Stmt *>(done)));
  else if (llvm::isa<clang::BreakStmt>(stmt) && !inLoop && !inSwitch)
    jumps.push_back(convert(stmt));
  else if (llvm::isa<clang::ContinueStmt>(stmt) && !inLoop)
    jumps.push_back(convert(stmt));
  else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(stmt)) {
    StmtRef converted = convert(static_cast<const clang::Stmt *>(call));
    if (converted->kind == StmtKind::Barrier)
      jumps.push_back(converted);
  }
  bool isLoop = llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                          clang::CXXForRangeStmt>(stmt);
  bool isSwitch = llvm::isa<clang::SwitchStmt>(stmt);
  for (const clang::Stmt *child : stmt->children())
    collectJumps(child, inLoop || isLoop, inSwitch || isSwitch, jumps);
}

void FunctionConverter::mention(const clang::Stmt *stmt,
                                std::vector<ExprRef> &mentioned) {
  std::vector<const clang::Stmt *> pending{stmt};
  std::set<const Variable *> seen;
  while (!pending.empty()) {
    const clang::Stmt *current = pending.back();
    pending.pop_back();
    if (!current)
      continue;
    if (const auto *block = llvm::dyn_cast<clang::BlockExpr>(current))
      pending.push_back(block->getBody());
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(current)) {
      ExprRef converted = convertReference(reference);
      if (converted->kind == ExprKind::VarRef &&
          seen.insert(converted->var).second)
        mentioned.push_back(converted);
    }
    std::vector<const clang::Stmt *> children(current->child_begin(),
                                              current->child_end());
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
}
