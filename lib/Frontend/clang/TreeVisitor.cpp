//===- TreeVisitor.cpp - one walk over Clang's tree -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PointerFixesTest.cpp, with all that walks.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/TreeVisitor.h"

#include "clang/AST/RecursiveASTVisitor.h"

using namespace clopt;

namespace {

class Walk : public clang::RecursiveASTVisitor<Walk> {
public:
  explicit Walk(TreeVisitor &user) : visitor(user) {}
  bool VisitDecl(clang::Decl *decl) { return visitor.visitDecl(*decl); }
  bool VisitStmt(clang::Stmt *stmt) { return visitor.visitStmt(*stmt); }
  bool VisitTypeLoc(clang::TypeLoc type) { return visitor.visitTypeLoc(type); }

private:
  TreeVisitor &visitor;
};

} // namespace

// The walk of Clang takes what it only reads as mutable.
bool TreeVisitor::walk(const clang::Decl *decl) {
  return Walk(*this).TraverseDecl(const_cast<clang::Decl *>(decl));
}

bool TreeVisitor::walk(const clang::Stmt *stmt) {
  return Walk(*this).TraverseStmt(const_cast<clang::Stmt *>(stmt));
}
