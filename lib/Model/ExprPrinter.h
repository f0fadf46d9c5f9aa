//===- ExprPrinter.h - expressions and statements as OpenCL C ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints trees back as source: with the parentheses that precedence needs and
// no others, without implicit conversions, in the author's spelling of types,
// literals and macros. What is parsed, printed and parsed again has the same
// meaning.
//
// A transformation that moves an expression to a place which would convert it
// differently must make the conversion explicit first (Expr::implicit = false),
// or print it through a hook.
//
// Tested by test/unit/ExprPrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_EXPRPRINTER_H
#define CLOPT_MODEL_EXPRPRINTER_H

#include "Model/Expr.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// How tightly a piece of text binds, loosest first, as in C's grammar.
enum Precedence : int {
  PrecComma = 1,
  PrecAssign,
  PrecConditional,
  PrecLOr,
  PrecLAnd,
  PrecOr,
  PrecXor,
  PrecAnd,
  PrecEquality,
  PrecRelational,
  PrecShift,
  PrecAdditive,
  PrecMultiplicative,
  PrecUnary,
  PrecPostfix,
  PrecPrimary
};

struct PrintedText {
  std::string text;
  int precedence = PrecPrimary;
  bool isLong = false; ///< a number in 64 bits, by a cast in it
};

struct PrintHooks {
  /// Text that replaces an expression, or nothing to print it as usual. Also
  /// asked for implicit Casts, which are skipped when it gives nothing.
  std::function<std::optional<PrintedText>(const Expr &)> expr;
  /// Name to use for a variable, or nothing to keep its own.
  std::function<std::optional<std::string>(const Variable &)> name;
};

/// The expression as text; null prints as nothing.
std::string printExpr(const ExprRef &expr, const PrintHooks &hooks = {});
/// The same with parentheses when it binds less tightly than `precedence`.
std::string printOperand(const ExprRef &expr, int precedence,
                         const PrintHooks &hooks = {});
/// The lines of the statement; bodies are indented by two columns.
std::vector<std::string> printStmt(const StmtRef &stmt,
                                   const PrintHooks &hooks = {});
/// A declaration without initializer and semicolon: "__local float t[16]".
std::string printDecl(const Variable &variable, const PrintHooks &hooks = {});
/// "get_global_id(0)".
std::string printWorkItem(WorkItemQuery query, unsigned dim);
/// The text of an operator: "+", "<=", "!".
const char *operatorText(Op op);
/// How tightly a binary operator binds.
int binaryPrecedence(Op op);
/// How tightly operands of `op` must bind to stand bare: as the grammar says,
/// or more tightly where Clang warns of a reader's mistake and a program built
/// with -Werror would fail.
int operandPrecedence(Op op);
/// How tightly the operands of `op` have to bind to need no parentheses.
int leftPrecedence(Op op, const ExprRef &left);
int rightPrecedence(Op op);

} // namespace clopt

#endif // CLOPT_MODEL_EXPRPRINTER_H
