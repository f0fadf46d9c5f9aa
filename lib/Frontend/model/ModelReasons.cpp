//===- ModelReasons.cpp - why a value is not known ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows an expression down to the innermost part without a value: all that
// stands below it is known, so it is what the author can change.
//
// Tested by test/unit/ModelReasonsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelReasons.h"

#include "Analysis/access/AccessPattern.h"
#include "Frontend/model/ModelBuilderImpl.h"
#include "Model/ExprPrinter.h"

#include <optional>

namespace clopt {

static std::string quoted(const Expr &expr) {
  const size_t MostText = 48;
  std::string text = printExpr(std::make_shared<Expr>(expr));
  if (text.size() > MostText)
    text = text.substr(0, MostText - 3) + "...";
  return "'" + text + "'";
}

static Reason because(const std::string &why, const std::string &hint) {
  return {why, hint};
}

static bool isMemory(const Expr &expr) {
  bool isDeref = expr.kind == ExprKind::Unary && expr.op == Op::Deref;
  bool isMember = expr.kind == ExprKind::Member && expr.arrow;
  return expr.kind == ExprKind::Subscript || isDeref || isMember;
}

static bool isKnown(const KernelModel &model, const Expr &expr) {
  return expr.kind == ExprKind::IntLiteral || model.values.count(&expr) ||
         model.pointers.count(&expr);
}

using Variables = std::map<const Variable *, unsigned>;

/// The innermost expression without a value, or null; `own` variables have one.
static const Expr *innermost(const KernelModel &model, const Expr &expr,
                             const Variables &own = {}) {
  bool isOwn = expr.kind == ExprKind::VarRef && own.count(expr.var);
  if (isKnown(model, expr) || isOwn)
    return nullptr;
  // What is read does not hang on how its address is computed.
  if (isMemory(expr))
    return &expr;
  for (const ExprRef &operand : expr.operands) {
    bool isNumber = operand->type.isScalar() || operand->type.isVector() ||
                    operand->type.isPointer();
    if (!isNumber || operand->kind == ExprKind::FloatLiteral)
      continue;
    if (const Expr *found = innermost(model, *operand, own))
      return found;
  }
  return &expr;
}

/// What the variable is declared with, when nothing else changes it.
static ExprRef onlyValue(const KernelModel &model, const Variable *variable) {
  const StmtRef &body = model.function->body;
  std::map<const Variable *, unsigned> assigned = assignedIn(body);
  auto count = assigned.find(variable);
  if (variable->addressTaken || count == assigned.end() || count->second != 1)
    return nullptr;
  ExprRef value;
  forEachStmt(body, [&](const StmtRef &stmt) {
    if (stmt && stmt->kind == StmtKind::Decl && stmt->var == variable)
      value = stmt->expr;
  });
  return value;
}

/// A value that none of its parts is to blame for.
static Reason blame(const KernelModel &model, const Expr &expr,
                    unsigned depth) {
  const unsigned MostVariables = 8;
  if (expr.kind == ExprKind::VarRef && depth < MostVariables)
    if (ExprRef value = onlyValue(model, expr.var))
      if (const Expr *found = innermost(model, *value))
        return blame(model, *found, depth + 1);
  if (expr.type.isFloating() && expr.kind == ExprKind::Cast && expr.implicit &&
      !expr.operands[0]->type.isFloating())
    return because(quoted(expr) + " becomes a floating-point number",
                   "compute positions with integers");
  if (expr.type.isFloating())
    return because(quoted(expr) + " is a floating-point number",
                   "compute positions with integers");
  if (isMemory(expr))
    return because(quoted(expr) + " is read from memory",
                   "pass what all work-items share as an argument");
  switch (expr.kind) {
  case ExprKind::VarRef:
    return because(quoted(expr) + " has no value that is known here: it is set "
                                  "under a condition or in a loop that is not "
                                  "analysed, or from data",
                   "declare it where it gets its value");
  case ExprKind::Call:
    return because("the value of the call " + quoted(expr) + " is not followed",
                   "write the function as one expression");
  case ExprKind::Cast:
    if (expr.operands[0]->type.isFloating())
      return because(quoted(expr) + " is made of a floating-point number",
                     "compute positions with integers");
    break;
  case ExprKind::Binary:
  case ExprKind::Assign:
    if (expr.op == Op::Div || expr.op == Op::Rem)
      return because(quoted(expr) + " divides by what is no constant",
                     "take the parts as ids of several dimensions, or divide "
                     "by a macro");
    if (expr.op == Op::Shl || expr.op == Op::Shr)
      return because(quoted(expr) + " shifts by what is no constant",
                     "shift by a constant or a macro");
    if (expr.op == Op::And || expr.op == Op::Or || expr.op == Op::Xor)
      return because(quoted(expr) + " mixes bits",
                     "use `%`, or a mask of the low bits, by a constant");
    break;
  default:
    break;
  }
  return because(quoted(expr) + " has no value that is known here", "");
}

/// A product of two coordinates, or of one and a choice.
static std::optional<std::string> productIn(const KernelModel &model,
                                            const Polynomial &poly) {
  for (const auto &[monomial, factor] : poly.terms) {
    unsigned varying = 0;
    std::string text;
    for (SymbolId id : monomial) {
      varying += !isParameter(model.symbols[id]);
      text += (text.empty() ? "" : " * ") + displayName(model, id);
    }
    if (varying > 1)
      return text;
  }
  return std::nullopt;
}

Reason whyUnknown(const KernelModel &model, const ExprRef &expr) {
  if (!expr)
    return {};
  if (const Expr *found = innermost(model, *expr))
    return blame(model, *found, 0);
  auto known = model.values.find(expr.get());
  if (known == model.values.end())
    return {};
  if (std::optional<std::string> product = productIn(model, known->second))
    return because("it contains the product " + *product,
                   "use a constant, or a length of rows, for one factor");
  return {};
}

/// The iterator of a loop that is kept has no value because of its first value
/// or its bound, not the other way round.
Reason whyKept(const KernelModel &model, const Stmt &stmt) {
  Variables own;
  for (const StmtRef &part : {stmt.init, stmt.body, stmt.elseBody})
    for (const auto &[variable, count] : assignedIn(part))
      own[variable] += count;
  std::vector<ExprRef> parts;
  if (stmt.expr && stmt.expr->kind == ExprKind::Binary)
    parts = stmt.expr->operands;
  if (stmt.init && stmt.init->kind == StmtKind::Decl)
    parts.push_back(stmt.init->expr);
  for (const ExprRef &part : parts) {
    const Expr *found = part ? innermost(model, *part, own) : nullptr;
    bool isNamed = found && found != part.get();
    if (found &&
        (isNamed || isMemory(*found) || found->kind == ExprKind::VarRef))
      return blame(model, *found, 0);
  }
  return whyUnknown(model, stmt.expr);
}

Reason whyNotAffine(const KernelModel &model, const Expr &access) {
  bool isOwn = isMemory(access) || access.kind == ExprKind::Member ||
               access.kind == ExprKind::Swizzle ||
               access.kind == ExprKind::Call;
  if (!isOwn)
    return because("a function that is called computes it",
                   "call it in a statement of its own, and return from it at "
                   "its end");
  for (const ExprRef &operand : access.operands) {
    bool isPart = operand->type.isArray() || operand->type.isFloating();
    if (isPart)
      continue;
    Reason reason = whyUnknown(model, operand);
    if (!reason.why.empty())
      return reason;
  }
  for (const ExprRef &operand : access.operands) {
    auto pointer = model.pointers.find(operand.get());
    if (pointer == model.pointers.end())
      continue;
    if (std::optional<std::string> product =
            productIn(model, pointer->second.offset))
      return because("it contains the product " + *product,
                     "use a constant, or a length of rows, for one factor");
  }
  return because("its terms are no rows of one length",
                 "address all rows with one length");
}

} // namespace clopt
