//===- MakeTree.h - expressions and statements no author wrote --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small makers for trees that steps and emission add. What is made has the
// range of what it is made of.
//
// Tested by test/unit/StrengthTest.cpp, SharedWorkTest.cpp and RoundsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_MAKETREE_H
#define CLOPT_MODEL_MAKETREE_H

#include "Model/Expr.h"
#include "Model/Polynomial.h"

#include <string>
#include <vector>

namespace clopt {

/// Text that binds like a name.
ExprRef makeText(const std::string &text, const Type &type);
ExprRef makeName(const Variable *variable, const Type &type);
ExprRef makeLiteral(int64_t value, const Type &type);
ExprRef makeQuery(WorkItemQuery query, unsigned dim);
ExprRef makeCast(const Type &type, const ExprRef &operand,
                 bool isImplicit = false);
ExprRef makeBinary(Op op, const Type &type, const ExprRef &first,
                   const ExprRef &second);
ExprRef makeConditional(const Type &type, const ExprRef &condition,
                        const ExprRef &ifTrue, const ExprRef &ifFalse);
/// `target = value`, or `target op= value`.
ExprRef makeAssign(const ExprRef &target, const ExprRef &value,
                   Op op = Op::None);
/// The expression with the conversions that its place made, where they change
/// the type.
ExprRef withConversions(const ExprRef &expr);

/// Without a suffix, beside operands of the type.
ExprRef makeNumber(int64_t value, const Type &type);
/// The sum of products with symbols as `nameOf` gives them, of the type.
ExprRef makeSum(const Polynomial &poly, const Type &type,
                const std::function<ExprRef(SymbolId)> &nameOf);

/// The same tree with nodes of its own: they stand for what they do, so none
/// stands twice.
ExprRef copyOf(const ExprRef &expr);

/// What stands in the place of an expression, or null where it stays.
using Replacement = std::function<ExprRef(const ExprRef &)>;
/// The tree with other expressions in it; `replace` is asked for parents first.
ExprRef withReplaced(const ExprRef &expr, const Replacement &replace);
StmtRef withReplaced(const StmtRef &stmt, const Replacement &replace);

StmtRef makeDeclaration(const Variable *variable, const ExprRef &value);
StmtRef makeBlock(std::vector<StmtRef> children);
StmtRef makeStatement(const ExprRef &expr);
StmtRef makeFor(const StmtRef &init, const ExprRef &condition,
                const ExprRef &advance, const StmtRef &body);

} // namespace clopt

#endif // CLOPT_MODEL_MAKETREE_H
