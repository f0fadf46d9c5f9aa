//===- TreeVisitor.h - one walk over Clang's tree ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// A walk over Clang's tree with virtual members. Each instance of
/// clang::RecursiveASTVisitor costs seconds of compile time; all walks share
/// the one behind this class.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LIB_FRONTEND_CLANG_TREEVISITOR_H
#define CLOPT_LIB_FRONTEND_CLANG_TREEVISITOR_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/TypeLoc.h"

namespace clopt {

/// Sees every node below what it is given, parents first. A member that
/// returns false ends the walk.
class TreeVisitor {
public:
  virtual ~TreeVisitor() = default;
  virtual bool visitDecl(clang::Decl &) { return true; }
  virtual bool visitStmt(clang::Stmt &) { return true; }
  virtual bool visitTypeLoc(clang::TypeLoc) { return true; }

  /// False when the walk was ended. Null is allowed.
  bool walk(const clang::Decl *decl);
  bool walk(const clang::Stmt *stmt);
};

} // namespace clopt

#endif // CLOPT_LIB_FRONTEND_CLANG_TREEVISITOR_H
