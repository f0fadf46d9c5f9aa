//===- PointerUses.h - where the value of a pointer goes --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use inside Frontend only.
//
// Tested by test/unit/PointerFixesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_POINTERUSES_H
#define CLOPT_FRONTEND_POINTERUSES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// What is done with the value of one pointer variable.
struct PointerUses {
  /// How it is used other than to read its cells: "is written"; empty: not.
  std::string problem;
  clang::SourceLocation where; ///< of that
  /// Variables that are set to it, or to an address computed from it.
  std::set<const clang::VarDecl *> targets;
  bool isUsed = false;
  bool isAssigned = false; ///< `p = ...`, not `p += ...`
};

/// What one function does with pointers, and with other work-items.
struct FunctionUses {
  std::map<const clang::VarDecl *, PointerUses> pointers;
  std::set<const clang::FunctionDecl *> callees; ///< with a body
  /// What may order work-items, or nothing is known of; or null.
  const clang::Expr *synchronizing = nullptr;
};

/// Looks at the body of a definition.
FunctionUses findPointerUses(clang::ASTContext &ast,
                             const clang::FunctionDecl &definition);

} // namespace clopt

#endif // CLOPT_FRONTEND_POINTERUSES_H
