//===- MakeTree.h - statements that no author wrote -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small makers for trees that are printed in the place of a statement.
//
// Tested by test/unit/SharedWorkTest.cpp and RoundsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_MAKETREE_H
#define CLOPT_EMIT_MAKETREE_H

#include "Model/Expr.h"

#include <string>
#include <vector>

namespace clopt {

/// Text that binds like a name.
ExprRef makeText(const std::string &text, const Type &type);
ExprRef makeCast(const Type &type, const ExprRef &operand);
ExprRef makeBinary(Op op, const Type &type, const ExprRef &first,
                   const ExprRef &second);
ExprRef makeAssign(const ExprRef &target, const ExprRef &value);
/// The expression with the conversions that its place made, where they change
/// the type.
ExprRef withConversions(const ExprRef &expr);

StmtRef makeDeclaration(const Variable *variable, const ExprRef &value);
StmtRef makeBlock(std::vector<StmtRef> children);
StmtRef makeStatement(const ExprRef &expr);

} // namespace clopt

#endif // CLOPT_EMIT_MAKETREE_H
