//===- ClangCalls.cpp - what helpers do, and helpers put in place ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index helpers such as `int idx(int i, int j, int n) { return i * n + j; }`
// would hide the subscript from every analysis, so they are substituted. The
// types make this exact: arguments carry the conversion to the parameter's
// type, and that conversion becomes explicit, because nothing at the new place
// would repeat it. Nothing is renamed: a body that depends on a name which the
// calling function declares, wherever that may be, stays a call. So does one
// that would bring a product beside a sum, which compilers then round once.
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangCalls.h"

#include "Model/MentionedNames.h"

#include <algorithm>
#include <map>
#include <set>

using namespace clopt;

//===-- Effects -----------------------------------------------------------===//

/// True when the lvalue lies behind a pointer rather than in a variable.
static bool isBehindPointer(const Expr *lvalue) {
  for (;;) {
    switch (lvalue->kind) {
    case ExprKind::Subscript:
      if (lvalue->operands[0]->type.isPointer())
        return true;
      break;
    case ExprKind::Member:
      if (lvalue->arrow)
        return true;
      break;
    case ExprKind::Swizzle:
      break;
    case ExprKind::VarRef:
      return false;
    default:
      return true;
    }
    lvalue = lvalue->operands[0].get();
  }
}

/// The more careless of two effects, on the scale a function can have.
static CallEffect worse(CallEffect a, CallEffect b) {
  auto rank = [](CallEffect effect) {
    switch (effect) {
    case CallEffect::Pure:
      return 0;
    case CallEffect::ReadsArgs:
      return 1;
    case CallEffect::WritesArgs:
      return 2;
    default:
      return 3;
    }
  };
  CallEffect worst = rank(a) < rank(b) ? b : a;
  return rank(worst) == 3 ? CallEffect::Opaque : worst;
}

static CallEffect effectOfExpr(const Expr &expr) {
  if (expr.type.isVolatile)
    return CallEffect::Opaque;
  if (changesTarget(expr))
    return isBehindPointer(expr.operands[0].get()) ? CallEffect::WritesArgs
                                                   : CallEffect::Pure;
  switch (expr.kind) {
  case ExprKind::WorkItem: // depends on more than the arguments
  case ExprKind::Opaque:
    return CallEffect::Opaque;
  case ExprKind::Call:
    return expr.effect;
  case ExprKind::VarRef:
    // Constants cannot change; other memory of the program can.
    return expr.var->isFileScope && expr.var->space != AddressSpace::Constant &&
                   !expr.var->type.isConst
               ? CallEffect::Opaque
               : CallEffect::Pure;
  case ExprKind::Cast:
    // An address made of a number could be anything.
    return expr.type.isPointer() && expr.operands[0]->type.isInteger()
               ? CallEffect::Opaque
               : CallEffect::Pure;
  case ExprKind::Subscript:
  case ExprKind::Member:
    return isBehindPointer(&expr) ? CallEffect::ReadsArgs : CallEffect::Pure;
  case ExprKind::Unary:
    return expr.op == Op::Deref ? CallEffect::ReadsArgs : CallEffect::Pure;
  default:
    return CallEffect::Pure;
  }
}

CallEffect clopt::effectOfBody(const Function &function) {
  CallEffect result = CallEffect::Pure;
  if (function.hasGoto)
    return CallEffect::Opaque;
  forEachStmt(function.body, [&](const StmtRef &stmt) {
    bool isUnknown = stmt->kind == StmtKind::Opaque ||
                     stmt->kind == StmtKind::Switch ||
                     stmt->kind == StmtKind::Barrier;
    // A static variable outlives the call.
    if (stmt->kind == StmtKind::Decl && !stmt->text.empty())
      isUnknown = true;
    if (isUnknown)
      result = CallEffect::Opaque;
  });
  forEachExpr(function.body, [&](const ExprRef &expr) {
    result = worse(result, effectOfExpr(*expr));
  });
  return result;
}

//===-- Addresses ---------------------------------------------------------===//

/// Variables whose address is more than dereferenced at once.
static std::set<const Variable *> addressesIn(const StmtRef &body) {
  std::set<const Expr *> atOnce; // operands of Deref
  std::set<const Variable *> taken;
  forEachExpr(body, [&](const ExprRef &expr) {
    bool isDeref = expr->kind == ExprKind::Unary && expr->op == Op::Deref;
    if (isDeref || expr->kind == ExprKind::Subscript ||
        (expr->kind == ExprKind::Member && expr->arrow))
      atOnce.insert(expr->operands[0].get());
    bool isAddress = expr->kind == ExprKind::Unary && expr->op == Op::AddrOf;
    bool isDecay = expr->kind == ExprKind::Cast && expr->type.isPointer() &&
                   expr->operands[0]->type.isArray();
    if ((isAddress || isDecay) && !atOnce.count(expr.get()))
      if (const Variable *root = rootVariable(expr->operands[0].get()))
        if (root->space == AddressSpace::Private)
          taken.insert(root);
  });
  return taken;
}

void clopt::markAddressTaken(Function &function) {
  std::set<const Variable *> taken = addressesIn(function.body);
  std::set<const Variable *> written = addressesIn(function.asWritten());
  for (const std::shared_ptr<Variable> &variable : function.variables) {
    variable->addressTaken = taken.count(variable.get()) != 0;
    variable->addressWritten = written.count(variable.get()) != 0;
  }
}

//===-- Putting helpers in place ------------------------------------------===//

/// Largest expression that may stand more than once, and largest result.
static constexpr unsigned cheapNodes = 12;
static constexpr unsigned largestResult = 100;

static unsigned countNodes(const ExprRef &expr) {
  unsigned count = 0;
  forEachExpr(expr, [&](const ExprRef &) { ++count; });
  return count;
}

/// Cheap enough to stand twice: small, without memory accesses and calls.
static bool isCheap(const ExprRef &expr) {
  bool isSimple = true;
  forEachExpr(expr, [&](const ExprRef &part) {
    if (part->kind == ExprKind::Call || part->kind == ExprKind::Subscript ||
        (part->kind == ExprKind::Unary && part->op == Op::Deref) ||
        (part->kind == ExprKind::Member && part->arrow))
      isSimple = false;
  });
  return isSimple && countNodes(expr) <= cheapNodes;
}

/// One effect, which comes last, of operands that have none.
static bool isSingleEffect(const Expr &expr) {
  bool isEffect =
      expr.kind == ExprKind::Assign ||
      (expr.kind == ExprKind::Call && (expr.effect == CallEffect::Barrier ||
                                       expr.effect == CallEffect::WritesArgs));
  if (!isEffect || expr.type.isVolatile)
    return false;
  return std::all_of(expr.operands.begin(), expr.operands.end(),
                     isSideEffectFree);
}

/// The initializer as an expression that may stand anywhere, or null: braces
/// may not.
static ExprRef initializerValue(const Stmt &declaration) {
  const ExprRef &init = declaration.expr;
  return init && init->kind == ExprKind::InitList ? nullptr : init;
}

/// Adds the variables of a declaration; false when one cannot be replaced by
/// its initializer or `stmt` is something else.
static bool addLocals(const StmtRef &stmt, InlineBody &body) {
  std::vector<StmtRef> parts = stmt->children;
  if (stmt->kind == StmtKind::Decl)
    parts = {stmt};
  else if (stmt->kind != StmtKind::Group)
    return false;
  for (const StmtRef &part : parts) {
    ExprRef value = initializerValue(*part);
    if (part->kind != StmtKind::Decl || !value || !part->text.empty() ||
        part->var->type.isArray() || !isSideEffectFree(value))
      return false;
    body.locals.push_back({part->var, value});
  }
  return true;
}

/// The value that the statements from `at` on return, as one expression: a
/// `return`, or an `if` both sides of which do so; null for anything else.
static ExprRef returnedValue(const std::vector<StmtRef> &children, size_t at) {
  if (at >= children.size() || !children[at])
    return nullptr;
  const Stmt &stmt = *children[at];
  if (stmt.kind == StmtKind::Return)
    return stmt.expr && isSideEffectFree(stmt.expr) ? stmt.expr : nullptr;
  if (stmt.kind == StmtKind::Block)
    return returnedValue(stmt.children, 0);
  if (stmt.kind != StmtKind::If || !stmt.expr->type.isScalar() ||
      !isSideEffectFree(stmt.expr))
    return nullptr;
  ExprRef first = returnedValue({stmt.body}, 0);
  ExprRef second = stmt.elseBody ? returnedValue({stmt.elseBody}, 0)
                                 : returnedValue(children, at + 1);
  if (!first || !second)
    return nullptr;
  auto choice = std::make_shared<Expr>();
  choice->kind = ExprKind::Conditional;
  choice->type = first->type;
  choice->type.isConst = false;
  choice->range = stmt.expr->range;
  choice->operands = {stmt.expr, makeExplicit(first), makeExplicit(second)};
  return choice;
}

/// The one variable that the statement sets, by `v = e`, or by an `if` both
/// sides of which set it or do nothing; null for anything else.
static const Expr *onlyTarget(const StmtRef &stmt) {
  if (!stmt)
    return nullptr;
  if (stmt->kind == StmtKind::Block)
    return stmt->children.size() == 1 ? onlyTarget(stmt->children[0]) : nullptr;
  if (stmt->kind == StmtKind::If) {
    const Expr *first = onlyTarget(stmt->body);
    const Expr *second = stmt->elseBody ? onlyTarget(stmt->elseBody) : first;
    bool isSame = first && second && first->var == second->var;
    return isSame && isSideEffectFree(stmt->expr) ? first : nullptr;
  }
  bool isPlain = stmt->kind == StmtKind::Expr && stmt->expr &&
                 stmt->expr->kind == ExprKind::Assign &&
                 stmt->expr->op == Op::None &&
                 stmt->expr->operands[0]->kind == ExprKind::VarRef;
  if (!isPlain || !isSideEffectFree(stmt->expr->operands[1]))
    return nullptr;
  const Expr *target = stmt->expr->operands[0].get();
  // Choices between narrow integers are of type int.
  bool isOwn = target->type.isScalar() && target->type.size >= 4 &&
               !target->var->isFileScope &&
               target->var->space == AddressSpace::Private;
  return isOwn ? target : nullptr;
}

/// What the variable is worth after the statement: `if (x < 0) x = 0;` makes
/// it `x < 0 ? 0 : x`.
static ExprRef valueAfter(const StmtRef &stmt, const ExprRef &before) {
  if (!stmt)
    return before;
  if (stmt->kind == StmtKind::Block)
    return valueAfter(stmt->children[0], before);
  if (stmt->kind == StmtKind::Expr)
    return makeExplicit(stmt->expr->operands[1]);
  auto choice = std::make_shared<Expr>();
  choice->kind = ExprKind::Conditional;
  choice->type = before->type;
  choice->type.isConst = false;
  choice->range = stmt->range;
  choice->operands = {stmt->expr, valueAfter(stmt->body, before),
                      valueAfter(stmt->elseBody, before)};
  return choice;
}

/// Adds the new value of the variable that the statement sets.
static bool addSetting(const StmtRef &stmt, InlineBody &body) {
  const Expr *target = onlyTarget(stmt);
  if (!target)
    return false;
  ExprRef before = std::make_shared<Expr>(*target);
  body.locals.push_back({target->var, valueAfter(stmt, before)});
  return true;
}

static void addNames(const Function &function, InlineBody &body) {
  std::set<const Variable *> own;
  for (const std::shared_ptr<Variable> &variable : function.variables) {
    own.insert(variable.get());
    addWords(typeText(variable->type), body.names);
  }
  for (const auto &[variable, value] : body.locals)
    body.names.merge(mentionedNames(value, own));
  body.names.merge(mentionedNames(body.result, own));
}

static InlineBody onlyExpression(const Function &function) {
  if (!function.body || function.body->kind != StmtKind::Block ||
      function.body->children.empty() || function.isKernel || function.hasGoto)
    return {};
  for (const std::shared_ptr<Variable> &variable : function.variables)
    if (variable->addressTaken || variable->type.isVolatile)
      return {};
  InlineBody body;
  const std::vector<StmtRef> &children = function.body->children;
  size_t at = 0;
  while (at + 1 < children.size() &&
         (addLocals(children[at], body) || addSetting(children[at], body)))
    ++at;
  if (children[at]->kind == StmtKind::If) {
    body.result = returnedValue(children, at);
    bool isNarrow = body.result && body.result->type.isScalar() &&
                    body.result->type.size < 4;
    return isNarrow ? InlineBody() : body;
  }
  if (at + 1 < children.size())
    return {};
  const Stmt &last = *children.back();
  if (!last.expr)
    return {};
  if (last.kind == StmtKind::Return && isSideEffectFree(last.expr)) {
    body.result = last.expr;
  } else if ((last.kind == StmtKind::Expr || last.kind == StmtKind::Barrier) &&
             isSingleEffect(*last.expr)) {
    // An assignment to a local variable would be lost with it.
    if (last.expr->kind == ExprKind::Assign &&
        rootVariable(last.expr->operands[0].get()))
      return {};
    body.result = last.expr;
    body.isStatement = true;
  }
  return body;
}

InlineBody clopt::findInlineBody(const Function &function) {
  InlineBody body = onlyExpression(function);
  if (body.result)
    addNames(function, body);
  return body;
}

ExprRef clopt::withoutAddress(const std::shared_ptr<Expr> &expr) {
  if (expr->operands.empty())
    return expr;
  const Expr &inner = *expr->operands[0];
  bool isAddress = inner.kind == ExprKind::Unary && inner.op == Op::AddrOf;
  bool isDecay = inner.kind == ExprKind::Cast && inner.implicit &&
                 inner.operands[0]->type.isArray();
  bool isFirst =
      expr->kind == ExprKind::Subscript &&
      withoutCasts(expr->operands[1].get())->kind == ExprKind::IntLiteral &&
      withoutCasts(expr->operands[1].get())->intValue == 0;
  bool isDeref = expr->kind == ExprKind::Unary && expr->op == Op::Deref;
  if (isAddress && (isDeref || isFirst))
    return inner.operands[0];
  if (isAddress && expr->kind == ExprKind::Member && expr->arrow) {
    expr->arrow = false;
    expr->operands[0] = ExprRef(inner.operands[0]);
  }
  if (expr->kind == ExprKind::Subscript && isDecay)
    expr->operands[0] = ExprRef(inner.operands[0]);
  return expr;
}

namespace {

class Substitution {
public:
  explicit Substitution(const SourceRange &callRange) : range(callRange) {
    range.begin = range.end = -1;
  }

  /// A product came beside a sum.
  bool isFused = false;

  void bind(const Variable *variable, const ExprRef &value) {
    values[variable] = value;
  }

  ExprRef apply(const ExprRef &expr) {
    if (expr->kind == ExprKind::VarRef) {
      auto found = values.find(expr->var);
      if (found != values.end())
        return found->second;
    }
    auto copy = std::make_shared<Expr>(*expr);
    copy->range = range;
    for (ExprRef &operand : copy->operands) {
      const bool wasFusable = isFusable(*operand);
      operand = apply(operand);
      isFused |= isFusingSum(*expr) && isFusable(*operand) && !wasFusable;
    }
    return withoutAddress(copy);
  }

private:
  SourceRange range;
  std::map<const Variable *, ExprRef> values;
};

} // namespace

ExprRef clopt::makeExplicit(const ExprRef &expr) {
  if (expr->kind != ExprKind::Cast || !expr->implicit ||
      expr->operands[0]->type.isArray())
    return expr;
  const Type &from = expr->operands[0]->type;
  if (expr->type.isPointer() && from.isPointer() && expr->type.element &&
      from.element && expr->type.element->kind == from.element->kind &&
      expr->type.element->scalar == from.element->scalar &&
      expr->type.element->lanes == from.element->lanes)
    return expr->operands[0];
  auto copy = std::make_shared<Expr>(*expr);
  copy->implicit = false;
  return copy;
}

bool clopt::isFusable(const Expr &expr) {
  if (!expr.type.isFloating())
    return false;
  const bool isSign = expr.kind == ExprKind::Unary &&
                      (expr.op == Op::Neg || expr.op == Op::Plus);
  if (isSign || expr.kind == ExprKind::Cast)
    return isFusable(*expr.operands[0]);
  return expr.kind == ExprKind::Binary && expr.op == Op::Mul;
}

bool clopt::isFusingSum(const Expr &expr) {
  return (expr.kind == ExprKind::Binary || expr.kind == ExprKind::Assign) &&
         (expr.op == Op::Add || expr.op == Op::Sub) && expr.type.isFloating();
}

/// How often the value that the variable has from `at` on is named, until it
/// gets another one.
static unsigned countUses(const InlineBody &body, const Variable *variable,
                          size_t at) {
  unsigned uses = 0;
  auto count = [&](const ExprRef &expr) {
    uses += expr->kind == ExprKind::VarRef && expr->var == variable;
  };
  for (; at < body.locals.size(); ++at) {
    forEachExpr(body.locals[at].second, count);
    if (body.locals[at].first == variable)
      return uses;
  }
  forEachExpr(body.result, count);
  return uses;
}

ExprRef clopt::inlineCall(const Function &function, const InlineBody &body,
                          const std::vector<ExprRef> &arguments,
                          const SourceRange &callRange, Fusion fusion,
                          bool &needsVariables) {
  if (!body.result || arguments.size() != function.params.size())
    return nullptr;
  Substitution substitution(callRange);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!isSideEffectFree(arguments[i]))
      return nullptr;
    needsVariables |=
        countUses(body, function.params[i], 0) > 1 && !isCheap(arguments[i]);
    substitution.bind(function.params[i], makeExplicit(arguments[i]));
  }
  for (size_t i = 0; i < body.locals.size(); ++i) {
    const auto &[variable, init] = body.locals[i];
    ExprRef value = makeExplicit(substitution.apply(init));
    needsVariables |= countUses(body, variable, i + 1) > 1 && !isCheap(value);
    if (needsVariables)
      return nullptr;
    substitution.bind(variable, value);
  }
  auto result =
      std::make_shared<Expr>(*makeExplicit(substitution.apply(body.result)));
  if (countNodes(result) > largestResult)
    return nullptr;
  needsVariables |= (fusion != Fusion::Free && substitution.isFused) ||
                    (fusion == Fusion::AsTerm && isFusable(*result));
  if (needsVariables)
    return nullptr;
  result->range = callRange;
  return result;
}
