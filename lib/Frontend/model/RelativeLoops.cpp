//===- RelativeLoops.cpp - loops that count from an id --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of integer variables are followed through the statements, as far as
// ids are in them: `x * stride - pad` moves by `x * stride`, and so does
// `max(x * stride - pad, 0)`, which may stay behind. What is subtracted from a
// loop's ends is added where its variable is used: what it is does not matter,
// as long as it stays the same. The new ends must fit their type: a conversion,
// of which the model makes an assumption, in code that is kept whole, too, if
// it knows the values. So ends are made of what it knows, or the loop stays.
// Those of loops without a sign wrap, known or not: 64 bits have what 32 wrap
// to, less an id. Of 64 bits only loops count from an id that begin there.
//
// Reference: loop alignment, as in R. Allen, K. Kennedy: Optimizing Compilers
// for Modern Architectures, chapter 6.
//
// Tested by test/unit/RelativeLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/RelativeLoops.h"

#include "Frontend/model/ModelBuilderImpl.h"
#include "Model/MakeTree.h"

#include <llvm/ADT/STLExtras.h>

namespace clopt {

namespace {

/// What is known of an integer: polynomials of Atoms.
struct Motion {
  Polynomial moving;               ///< the terms with ids
  std::optional<Polynomial> exact; ///< all of it, where no choice is in it
};
using MaybeMotion = std::optional<Motion>;

/// Something that does not change while the kernel runs.
struct Atom {
  ExprRef expr;
  bool isId = false;
};

class LoopAligner {
public:
  explicit LoopAligner(Function &function);
  StmtRef visit(const StmtRef &stmt);
  bool isChanged = false;

private:
  /// The ends of a loop that ids and arguments decide.
  struct Head {
    const Variable *var = nullptr;
    ExprRef first, bound;
    bool isLeft = true;       ///< the variable, in the test
    Polynomial moving;        ///< of the first value
    bool startsThere = false; ///< and nothing else is in it
    bool movesAsOne = false;  ///< the bound does, too
  };

  void visitAll(std::vector<StmtRef> &children);
  StmtRef visitIf(const StmtRef &stmt);
  StmtRef visitLoop(const StmtRef &stmt);
  void assign(const Variable *var, const MaybeMotion &value);
  void forgetAssigned(const StmtRef &stmt);

  MaybeMotion evaluate(const ExprRef &expr);
  MaybeMotion evaluateName(const Expr &name);
  MaybeMotion evaluateBinary(const Expr &expr);
  MaybeMotion evaluateCall(const Expr &call);
  Motion atom(const ExprRef &expr, bool isId);
  Polynomial movingPartOf(const Polynomial &poly) const;
  bool isKnown(const ExprRef &condition);
  bool isOfIds(const ExprRef &expr) const;
  bool isArgument(const Variable &variable) const;

  std::optional<Head> headOf(const Stmt &loop);
  bool isOwn(const Variable *var, const Stmt &loop) const;
  bool mayBeAligned(const Head &head, const Stmt &loop) const;
  ExprRef exprOf(const Polynomial &poly, const Type &type) const;
  StmtRef aligned(const Stmt &loop, const Head &head);

  Function &function;
  std::map<const Variable *, unsigned> assigned; ///< anywhere
  std::map<const Variable *, Motion> values;
  std::vector<Atom> atoms;
  unsigned uncertain = 0; ///< above 0: under control that the data decides
};

} // namespace

static bool isCounted(const Type &type) {
  return type.isScalar() && type.isInteger() && type.size >= 4;
}

static Type unqualified(Type type) {
  type.isConst = false;
  return type;
}

LoopAligner::LoopAligner(Function &kernel)
    : function(kernel), assigned(assignedIn(kernel.body)) {}

//===-- Values ------------------------------------------------------------===//

Motion LoopAligner::atom(const ExprRef &expr, bool isId) {
  auto known = llvm::find_if(atoms, [&](const Atom &other) {
    return areSameTree(*other.expr, *expr);
  });
  const auto id = static_cast<SymbolId>(known - atoms.begin());
  if (known == atoms.end())
    atoms.push_back({expr, isId});
  const Polynomial symbol = Polynomial::symbol(id);
  return {isId ? symbol : Polynomial(), symbol};
}

Polynomial LoopAligner::movingPartOf(const Polynomial &poly) const {
  Polynomial result;
  for (const auto &[monomial, factor] : poly.terms)
    if (llvm::any_of(monomial, [&](SymbolId id) { return atoms[id].isId; }))
      result.terms[monomial] = factor;
  result.overflow = poly.overflow;
  return result;
}

MaybeMotion LoopAligner::evaluateName(const Expr &name) {
  if (auto known = values.find(name.var); known != values.end())
    return known->second;
  if (!isArgument(*name.var) && !name.var->constant)
    return std::nullopt;
  return atom(std::make_shared<Expr>(name), false);
}

/// An argument that keeps its value.
bool LoopAligner::isArgument(const Variable &variable) const {
  return variable.isParam && isOwnVariable(variable) &&
         !assigned.count(&variable);
}

/// One of several values: what moves does so in the same way.
static MaybeMotion eitherOf(const MaybeMotion &one, const MaybeMotion &other) {
  if (!one || !other)
    return std::nullopt;
  Motion result;
  if (one->exact && other->exact && *one->exact == *other->exact)
    result.exact = one->exact;
  result.moving = one->moving.isZero() ? other->moving : one->moving;
  const bool isAlike = one->moving.isZero() || other->moving.isZero() ||
                       one->moving == other->moving;
  return isAlike ? MaybeMotion(result) : std::nullopt;
}

MaybeMotion LoopAligner::evaluateBinary(const Expr &expr) {
  const MaybeMotion left = evaluate(expr.operands[0]);
  const MaybeMotion right = evaluate(expr.operands[1]);
  if (!left || !right)
    return std::nullopt;
  const bool areExact = left->exact && right->exact;
  Motion result;
  switch (expr.op) {
  case Op::Add:
  case Op::Sub: {
    // Of two choices it is not known which go together.
    if (!left->moving.isZero() && !right->moving.isZero() && !areExact)
      return std::nullopt;
    const bool isSum = expr.op == Op::Add;
    result.moving =
        isSum ? left->moving + right->moving : left->moving - right->moving;
    if (areExact)
      result.exact =
          isSum ? *left->exact + *right->exact : *left->exact - *right->exact;
    return result;
  }
  case Op::Mul:
    if (areExact) {
      result.exact = *left->exact * *right->exact;
      result.moving = movingPartOf(*result.exact);
      return result;
    }
    break;
  case Op::Shl:
    if (const auto bits =
            right->exact ? right->exact->asConstant() : std::nullopt;
        bits && *bits >= 0 && *bits < 31 && left->exact) {
      result.exact = *left->exact * Polynomial(int64_t(1) << *bits);
      result.moving = movingPartOf(*result.exact);
      return result;
    }
    break;
  case Op::Div:
  case Op::Rem:
  case Op::Shr:
    // Quotients of what does not move, of which the model has definitions.
    if (left->moving.isZero() && right->exact && right->exact->asConstant())
      return result;
    break;
  default:
    break;
  }
  return std::nullopt;
}

MaybeMotion LoopAligner::evaluateCall(const Expr &call) {
  const bool isChoice =
      call.isElementwiseBuiltin &&
      (call.text == "min" || call.text == "max" || call.text == "clamp");
  if (!isChoice)
    return std::nullopt;
  MaybeMotion result = evaluate(call.operands[0]);
  for (const ExprRef &operand : llvm::drop_begin(call.operands))
    result = eitherOf(result, evaluate(operand));
  return result;
}

MaybeMotion LoopAligner::evaluate(const ExprRef &expr) {
  if (!expr || !expr->type.isScalar() || !expr->type.isInteger())
    return std::nullopt;
  switch (expr->kind) {
  case ExprKind::IntLiteral:
    return Motion{Polynomial(), Polynomial(expr->intValue)};
  case ExprKind::VarRef:
    return evaluateName(*expr);
  case ExprKind::Swizzle: {
    const ExprRef &vector = expr->operands[0];
    if (vector->kind == ExprKind::VarRef && isArgument(*vector->var))
      return atom(expr, false);
    return std::nullopt;
  }
  case ExprKind::WorkItem: {
    const bool isId = expr->query == WorkItemQuery::GlobalId ||
                      expr->query == WorkItemQuery::LocalId ||
                      expr->query == WorkItemQuery::GroupId;
    return atom(expr, isId);
  }
  case ExprKind::Cast:
    return isCounted(expr->type) ? evaluate(expr->operands[0]) : std::nullopt;
  case ExprKind::Unary:
    if (expr->op == Op::Plus)
      return evaluate(expr->operands[0]);
    if (MaybeMotion value = evaluate(expr->operands[0]);
        value && expr->op == Op::Neg) {
      value->moving = -value->moving;
      if (value->exact)
        value->exact = -*value->exact;
      return value;
    }
    return std::nullopt;
  case ExprKind::Binary:
    return evaluateBinary(*expr);
  case ExprKind::Conditional:
    return isKnown(expr->operands[0]) ? eitherOf(evaluate(expr->operands[1]),
                                                 evaluate(expr->operands[2]))
                                      : std::nullopt;
  case ExprKind::Call:
    return evaluateCall(*expr);
  default:
    return std::nullopt;
  }
}

/// True when the condition is one of ids and arguments.
bool LoopAligner::isKnown(const ExprRef &condition) {
  const Expr *test = withoutCasts(condition.get());
  if (test->kind == ExprKind::Unary && test->op == Op::LNot)
    return isKnown(test->operands[0]);
  if (test->kind == ExprKind::Binary &&
      (test->op == Op::LAnd || test->op == Op::LOr))
    return isKnown(test->operands[0]) && isKnown(test->operands[1]);
  if (test->kind == ExprKind::Binary && isComparison(test->op))
    return evaluate(test->operands[0]) && evaluate(test->operands[1]);
  return evaluate(condition).has_value();
}

/// True when the expression is made of ids and loads nothing.
bool LoopAligner::isOfIds(const ExprRef &expr) const {
  bool isLoaded = !isSideEffectFree(expr), isMoving = false;
  forEachExpr(expr, [&](const ExprRef &part) {
    isLoaded |= part->kind == ExprKind::Subscript || part->op == Op::Deref ||
                part->kind == ExprKind::Member ||
                (part->kind == ExprKind::Call && !part->isElementwiseBuiltin);
    isMoving |= part->kind == ExprKind::WorkItem;
    if (part->kind != ExprKind::VarRef)
      return;
    auto known = values.find(part->var);
    isMoving |= known != values.end() && !known->second.moving.isZero();
    isLoaded |= known == values.end() && !part->var->isParam;
  });
  return isMoving && !isLoaded;
}

void LoopAligner::assign(const Variable *var, const MaybeMotion &value) {
  values.erase(var);
  if (!isOwnVariable(*var) || !isCounted(var->type))
    return;
  if (value)
    values[var] = *value;
}

void LoopAligner::forgetAssigned(const StmtRef &stmt) {
  for (const auto &entry : assignedIn(stmt))
    values.erase(entry.first);
}

//===-- Loops -------------------------------------------------------------===//

/// The variable that the loop sets first, and what to.
static std::pair<const Variable *, ExprRef> startOf(const Stmt &loop) {
  const StmtRef &init = loop.init;
  if (init && init->kind == StmtKind::Decl && init->text.empty())
    return {init->var, init->expr};
  if (init && init->kind == StmtKind::Expr &&
      init->expr->kind == ExprKind::Assign && init->expr->op == Op::None &&
      init->expr->operands[0]->kind == ExprKind::VarRef)
    return {init->expr->operands[0]->var, init->expr->operands[1]};
  return {nullptr, nullptr};
}

/// True when all that mentions the variable is loops that set it first, as this
/// one does: nobody sees it afterwards.
bool LoopAligner::isOwn(const Variable *var, const Stmt &loop) const {
  if (loop.init->kind == StmtKind::Decl)
    return true;
  // Loops within such loops are counted with them.
  return isNamedOnlyIn(function.body, var, [&](const Stmt &stmt) {
    return stmt.kind == StmtKind::For && startOf(stmt).first == var;
  });
}

/// True when both ends move alike, the variable counts from one to the other,
/// and every mention of it can become another expression.
bool LoopAligner::mayBeAligned(const Head &head, const Stmt &loop) const {
  // Products are counted from by the model itself (ModelWalks.cpp).
  if (!head.movesAsOne || !head.moving.isAffine() || head.moving.isZero() ||
      head.moving.overflowed())
    return false;
  const std::optional<Update> update =
      loop.inc ? updateOf(loop.inc) : std::nullopt;
  // Nothing is wide enough for ends of 64 bits below zero. Beyond an id they
  // are not, or the loop would not end.
  const Type &own = head.var->type;
  const bool mayWrap = own.isUnsigned() && own.size > 4 &&
                       !(head.startsThere && update && !update->isNegative);
  if (!update || mayWrap || update->var != head.var ||
      (update->amount && mentions(update->amount, head.var)) ||
      assignedIn(loop.body).count(head.var) || mentions(head.first, head.var) ||
      mentions(head.bound, head.var) || !isOwn(head.var, loop))
    return false;
  // What decides how often it runs must not change on the way.
  const auto changing = assignedIn(loop.body);
  for (const auto &entry : changing)
    if (mentions(head.bound, entry.first))
      return false;
  const Leaves leaves = leavesOf(loop.body);
  bool isPlain = !leaves.byBreak && !leaves.byReturn;
  forEachExpr(loop.body, [&](const ExprRef &part) {
    isPlain &= part->kind != ExprKind::Opaque || !mentions(part, head.var);
  });
  forEachStmt(loop.body, [&](const StmtRef &part) {
    isPlain &= part->kind != StmtKind::Opaque && part->kind != StmtKind::Switch;
  });
  return isPlain;
}

std::optional<LoopAligner::Head> LoopAligner::headOf(const Stmt &loop) {
  if (loop.kind != StmtKind::For || !loop.expr || !loop.body)
    return std::nullopt;
  Head head;
  std::tie(head.var, head.first) = startOf(loop);
  const Expr *test = withoutCasts(loop.expr.get());
  if (!head.var || !head.first || !isOwnVariable(*head.var) ||
      !isCounted(head.var->type) || test->kind != ExprKind::Binary ||
      !isComparison(test->op))
    return std::nullopt;
  auto isVar = [&](const ExprRef &side) {
    const Expr *plain = withoutCasts(side.get());
    // Converted to something else, negative values may be large ones.
    return plain->kind == ExprKind::VarRef && plain->var == head.var &&
           side->type.scalar == head.var->type.scalar;
  };
  head.isLeft = isVar(test->operands[0]);
  head.bound = test->operands[head.isLeft ? 1 : 0];
  if (head.isLeft == isVar(test->operands[1]) ||
      head.bound->type.scalar != head.var->type.scalar)
    return std::nullopt;
  const MaybeMotion first = evaluate(head.first);
  const MaybeMotion bound = evaluate(head.bound);
  if (!first || !bound)
    return std::nullopt;
  head.moving = first->moving;
  head.startsThere = first->exact == first->moving;
  head.movesAsOne = first->moving == bound->moving;
  return head;
}

/// A variable that has the value, or the sum.
ExprRef LoopAligner::exprOf(const Polynomial &poly, const Type &type) const {
  auto converted = [&](const ExprRef &expr) {
    return expr->type.scalar == type.scalar ? expr : makeCast(type, expr);
  };
  auto named = [&](const Polynomial &value) -> ExprRef {
    // Of several the one that the author has declared first.
    for (const auto &variable : function.variables) {
      auto known = values.find(variable.get());
      if (known != values.end() && known->second.exact == value &&
          assigned.at(variable.get()) == 1)
        return converted(makeName(variable.get(), unqualified(variable->type)));
    }
    return nullptr;
  };
  if (ExprRef whole = named(poly))
    return whole;
  return makeSum(poly, type, [&](SymbolId id) {
    const ExprRef name = named(Polynomial::symbol(id));
    return name ? name : converted(copyOf(atoms[id].expr));
  });
}

StmtRef LoopAligner::aligned(const Stmt &loop, const Head &head) {
  const Type own = unqualified(head.var->type);
  const Type wide = Type::makeScalar(ScalarKind::Long);
  // Where ends wrap, 64 bits have how far they are from an id.
  const Type type = own.isUnsigned() ? wide : own;
  auto distance = [&](const ExprRef &end) {
    return makeCast(type, makeBinary(Op::Sub, wide, makeCast(wide, end),
                                     exprOf(head.moving, wide)));
  };
  // It has other values than the author's: where his text stays, as in plans on
  // converted buffers, nothing may be said by it.
  auto counter = std::make_shared<Variable>(*head.var);
  counter->type = type;
  function.variables.push_back(counter);
  auto result = std::make_shared<Stmt>(loop);
  auto init = std::make_shared<Stmt>(*loop.init);
  init->kind = StmtKind::Decl;
  init->var = counter.get();
  init->expr = distance(head.first);
  result->init = init;
  auto counted = [&](const ExprRef &part) -> ExprRef {
    if (part->kind != ExprKind::VarRef || part->var != head.var)
      return nullptr;
    return makeName(counter.get(), type);
  };
  auto test = std::make_shared<Expr>(*withoutCasts(loop.expr.get()));
  test->operands[head.isLeft ? 0 : 1] = makeName(counter.get(), type);
  test->operands[head.isLeft ? 1 : 0] = distance(head.bound);
  result->expr = test;
  result->inc = withReplaced(loop.inc, counted);
  result->body = withReplaced(loop.body, [&](const ExprRef &part) -> ExprRef {
    // How far it has come from where it began.
    if (part->kind == ExprKind::Binary && part->op == Op::Sub)
      if (const ExprRef turns = counted(part->operands[0]))
        if (const MaybeMotion start = evaluate(part->operands[1]);
            start && start->exact == head.moving)
          return type.scalar == part->type.scalar ? turns
                                                  : makeCast(part->type, turns);
    const ExprRef turns = counted(part);
    if (!turns)
      return nullptr;
    const ExprRef value =
        makeBinary(Op::Add, type, exprOf(head.moving, type), turns);
    auto sum = std::make_shared<Expr>(own.isUnsigned() ? *makeCast(own, value)
                                                       : *value);
    sum->range = part->range;
    return sum;
  });
  return result;
}

//===-- The walk ----------------------------------------------------------===//

void LoopAligner::visitAll(std::vector<StmtRef> &children) {
  for (StmtRef &child : children)
    child = visit(child);
}

StmtRef LoopAligner::visitIf(const StmtRef &stmt) {
  auto result = std::make_shared<Stmt>(*stmt);
  const bool isCertain = isKnown(stmt->expr) && isSideEffectFree(stmt->expr);
  forgetAssigned(makeStatement(stmt->expr));
  uncertain += !isCertain;
  const std::map<const Variable *, Motion> before = values;
  result->body = visit(stmt->body);
  std::map<const Variable *, Motion> first = std::exchange(values, before);
  result->elseBody = visit(stmt->elseBody);
  uncertain -= !isCertain;
  std::map<const Variable *, Motion> joined;
  for (const auto &[var, value] : values)
    if (auto other = first.find(var); other != first.end())
      if (MaybeMotion either = eitherOf(value, other->second))
        if (isCertain || either->exact)
          joined[var] = *either;
  values = std::move(joined);
  return result;
}

StmtRef LoopAligner::visitLoop(const StmtRef &stmt) {
  if (stmt->kind == StmtKind::For)
    visit(stmt->init);
  if (stmt->inc)
    forgetAssigned(makeStatement(stmt->inc));
  forgetAssigned(stmt->body);
  const std::optional<Head> head = headOf(*stmt);
  forgetAssigned(stmt);
  if (head)
    assign(head->var, Motion{head->moving, std::nullopt});
  auto result = std::make_shared<Stmt>(*stmt);
  uncertain += !head;
  result->body = visit(stmt->body);
  uncertain -= !head;
  forgetAssigned(stmt);
  if (!head || uncertain || !mayBeAligned(*head, *stmt))
    return result;
  isChanged = true;
  return aligned(*result, *head);
}

StmtRef LoopAligner::visit(const StmtRef &stmt) {
  if (!stmt)
    return stmt;
  switch (stmt->kind) {
  case StmtKind::Block:
  case StmtKind::Group: {
    auto result = std::make_shared<Stmt>(*stmt);
    const bool isScope = stmt->kind == StmtKind::Block;
    visitAll(result->children);
    // Names end with their block.
    for (const StmtRef &child : stmt->children) {
      const bool declares = child && (child->kind == StmtKind::Decl ||
                                      child->kind == StmtKind::Group);
      if (isScope && declares)
        forgetAssigned(child);
    }
    return result;
  }
  case StmtKind::Decl:
    if (stmt->expr) {
      MaybeMotion value = evaluate(stmt->expr);
      forgetAssigned(stmt);
      if (!value && assigned[stmt->var] == 1 && isOfIds(stmt->expr))
        value = atom(makeName(stmt->var, stmt->var->type), true);
      assign(stmt->var, value);
    }
    return stmt;
  case StmtKind::Expr: {
    const Expr &expr = *stmt->expr;
    const bool isPlain = expr.kind == ExprKind::Assign && expr.op == Op::None &&
                         expr.operands[0]->kind == ExprKind::VarRef;
    const MaybeMotion value =
        isPlain ? evaluate(expr.operands[1]) : std::nullopt;
    forgetAssigned(stmt);
    if (isPlain)
      assign(expr.operands[0]->var, value);
    return stmt;
  }
  case StmtKind::If:
    return visitIf(stmt);
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::Do:
    return visitLoop(stmt);
  default:
    forgetAssigned(stmt);
    return stmt;
  }
}

void countLoopsFromIds(Function &function) {
  if (function.hasGoto || !function.body)
    return;
  LoopAligner aligner(function);
  const StmtRef body = aligner.visit(function.body);
  if (!aligner.isChanged)
    return;
  replaceBody(function, body);
}

} // namespace clopt
