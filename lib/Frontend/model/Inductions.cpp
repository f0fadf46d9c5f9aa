//===- Inductions.cpp - variables that count along with a loop ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of pointers are 64 bits wide, so products by the counter are, too; those
// of integers are as wide as the variable, whose values are sums that wrap as
// the product does.
//
// Tested by test/unit/InductionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/Inductions.h"

#include "Frontend/model/ModelBuilderImpl.h"
#include "Model/MakeTree.h"

#include <llvm/ADT/STLExtras.h>

#include <functional>

namespace clopt {

namespace {

using Statements = std::vector<StmtRef>;

/// How often the body has run: the counter less where it began, or the other
/// way round.
struct Count {
  const Variable *var = nullptr;
  ExprRef start;
  bool isDown = false;
};

/// A variable that moves once in every iteration.
struct Induction {
  Update update;
  std::optional<size_t> place; ///< of the update in the body, else in the head
  bool startsAtZero = false;
};

class LoopRewriter {
public:
  /// `before`, `behind`: the statements around the loop in its block;
  /// `elsewhere`: how often the function names a variable outside of the loop.
  LoopRewriter(const StmtRef &stmt, const Statements &before,
               const Statements &behind,
               std::function<size_t(const Variable *)> elsewhere);
  /// The loop without its inductions; itself where it has none.
  StmtRef run();

private:
  bool findCount();
  ExprRef startOf(const Variable *var) const;
  bool isInvariant(const ExprRef &expr) const;
  ExprRef lastingStartOf(const Variable *var) const;
  void take(const Induction &induction);
  bool endsWithLoop(const Variable *var) const;
  bool hasPlainUse(const Variable *var) const;
  ExprRef distance(const Induction &induction, bool isLater) const;
  ExprRef rewritten(const ExprRef &expr, size_t at) const;
  StmtRef rewritten(const StmtRef &stmt, size_t at) const;

  StmtRef loop;
  const Statements &before, &behind;
  std::function<size_t(const Variable *)> mentionsElsewhere;
  Statements body;
  std::vector<ExprRef> head; ///< the parts of the increment
  std::map<const Variable *, unsigned> assigned;
  Count count;
  std::map<const Variable *, Induction> found;
};

class InductionFinder {
public:
  explicit InductionFinder(const StmtRef &body) : whole(body) {}
  StmtRef visit(const StmtRef &stmt);
  bool isChanged = false;

private:
  const StmtRef &whole;
};

} // namespace

static void addParts(const ExprRef &expr, std::vector<ExprRef> &parts) {
  if (expr && expr->kind == ExprKind::Binary && expr->op == Op::Comma) {
    addParts(expr->operands[0], parts);
    addParts(expr->operands[1], parts);
  } else if (expr) {
    parts.push_back(expr);
  }
}

/// An integer that does not wrap before 32 bits do.
static bool isWideInteger(const Type &type) {
  return type.isScalar() && type.isInteger() && type.size >= 4 &&
         type.scalar != ScalarKind::Bool;
}

static bool isLiteral(const ExprRef &expr, int64_t value) {
  const Expr *plain = stripCasts(expr.get());
  return plain->kind == ExprKind::IntLiteral && plain->intValue == value;
}

LoopRewriter::LoopRewriter(const StmtRef &stmt, const Statements &earlier,
                           const Statements &later,
                           std::function<size_t(const Variable *)> elsewhere)
    : loop(stmt), before(earlier), behind(later),
      mentionsElsewhere(std::move(elsewhere)) {
  body = loop->body && loop->body->kind == StmtKind::Block
             ? loop->body->children
             : Statements{loop->body};
  addParts(loop->inc, head);
  assigned = assignedIn(loop->body);
  for (const ExprRef &part : head)
    if (changesTarget(*part))
      if (const Variable *var = rootVariable(part->operands[0].get()))
        ++assigned[var];
}

/// Scalars that the loop leaves alone.
bool LoopRewriter::isInvariant(const ExprRef &expr) const {
  bool result = isSideEffectFree(expr);
  forEachExpr(expr, [&](const ExprRef &part) {
    if (part->kind == ExprKind::VarRef)
      result &= isOwnVariable(*part->var) && isWideInteger(part->type) &&
                !assigned.count(part->var);
    else
      result &= part->kind == ExprKind::IntLiteral ||
                part->kind == ExprKind::Cast ||
                part->kind == ExprKind::Binary || part->kind == ExprKind::Unary;
    result &= part->op != Op::Deref && part->op != Op::AddrOf;
  });
  return result;
}

/// What the variable is set to ahead of the loop, in its head or right there.
ExprRef LoopRewriter::startOf(const Variable *var) const {
  Statements all = before;
  if (loop->init)
    all.push_back(loop->init);
  for (auto at = all.rbegin(); at != all.rend(); ++at) {
    Statements parts{*at};
    if (*at && (*at)->kind == StmtKind::Group)
      parts = (*at)->children;
    for (const StmtRef &part : parts) {
      if (part && part->kind == StmtKind::Decl && part->var == var)
        return part->expr;
      std::vector<ExprRef> exprs;
      if (part && part->kind == StmtKind::Expr)
        addParts(part->expr, exprs);
      for (const ExprRef &expr : exprs)
        if (expr->kind == ExprKind::Assign && expr->op == Op::None &&
            expr->operands[0]->kind == ExprKind::VarRef &&
            expr->operands[0]->var == var)
          return expr->operands[1];
    }
    if (assignedIn(*at).count(var))
      return nullptr;
  }
  return nullptr;
}

/// The same, if it has that value at the loop still: `int k = n; n = 5;
/// for (; k > 0; k--)` does not begin at 5.
ExprRef LoopRewriter::lastingStartOf(const Variable *var) const {
  const ExprRef start = startOf(var);
  if (!start || !isInvariant(start))
    return nullptr;
  Statements all = before;
  all.push_back(loop->init);
  for (auto at = all.rbegin(); at != all.rend(); ++at) {
    const auto set =
        *at ? assignedIn(*at) : std::map<const Variable *, unsigned>();
    for (const auto &entry : set)
      if (mentions(start, entry.first))
        return nullptr;
    if (set.count(var)) // where it starts
      break;
  }
  return start;
}

bool LoopRewriter::findCount() {
  const ExprRef &test = loop->expr;
  if (!test || test->kind != ExprKind::Binary || !isComparison(test->op) ||
      !isSideEffectFree(test))
    return false;
  for (const ExprRef &part : head) {
    const std::optional<Update> update = updateOf(part);
    if (!update || !mentions(test, update->var))
      continue;
    const Variable *var = update->var;
    if (!isWideInteger(var->type) || !isOwnVariable(*var) ||
        assigned[var] != 1 || (update->amount && !isLiteral(update->amount, 1)))
      continue;
    ExprRef start = lastingStartOf(var);
    if (!start)
      continue;
    // A conversion by the start would be one of every value.
    while (start->kind == ExprKind::Cast && start->implicit)
      start = start->operands[0];
    const bool isSmall = start->kind == ExprKind::IntLiteral ||
                         (start->kind == ExprKind::VarRef &&
                          start->type.scalar == var->type.scalar);
    if (!isSmall)
      continue;
    count = {var, start, update->isNegative};
    return true;
  }
  return false;
}

/// True when the variable is made for the loop, or set anew ahead of it and
/// named nowhere else: nobody sees it afterwards.
bool LoopRewriter::endsWithLoop(const Variable *var) const {
  auto sets = [var](const StmtRef &stmt) {
    const Expr *expr =
        stmt && stmt->kind == StmtKind::Expr ? stmt->expr.get() : nullptr;
    return expr && expr->kind == ExprKind::Assign && expr->op == Op::None &&
           expr->operands[0]->kind == ExprKind::VarRef &&
           expr->operands[0]->var == var && !mentions(expr->operands[1], var);
  };
  if (mentionsElsewhere(var) == 1 && llvm::any_of(before, sets))
    return true;
  auto declares = [var](const StmtRef &stmt) {
    bool isDeclared = false;
    if (stmt && (stmt->kind == StmtKind::Decl || stmt->kind == StmtKind::Group))
      forEachStmt(stmt, [&](const StmtRef &part) {
        isDeclared |= part->kind == StmtKind::Decl && part->var == var &&
                      part->text.empty();
      });
    return isDeclared;
  };
  bool isMentioned = false;
  for (const StmtRef &stmt : behind)
    forEachExpr(stmt, [&](const ExprRef &part) {
      isMentioned |= part->kind == ExprKind::VarRef && part->var == var;
    });
  return !isMentioned && (declares(loop->init) ||
                          std::any_of(before.begin(), before.end(), declares));
}

/// True when every mention can become another expression.
bool LoopRewriter::hasPlainUse(const Variable *var) const {
  bool isPlain = true, isRead = false;
  forEachExpr(loop->body, [&](const ExprRef &part) {
    if (part->kind == ExprKind::Opaque)
      isPlain &= !mentions(part, var);
    isRead |= part->kind == ExprKind::VarRef && part->var == var;
  });
  forEachStmt(loop->body, [&](const StmtRef &part) {
    isPlain &=
        (part->kind != StmtKind::Opaque && part->kind != StmtKind::Switch);
  });
  return isPlain && isRead;
}

void LoopRewriter::take(const Induction &induction) {
  const Update &update = induction.update;
  const Variable *var = update.var;
  const Type &type = var->type;
  const bool isNumber =
      isWideInteger(type) && type.size >= count.var->type.size;
  if (var == count.var || !isOwnVariable(*var) || assigned[var] != 1 ||
      !(isNumber || type.isPointer()) || mentions(loop->expr, var) ||
      !endsWithLoop(var) || !hasPlainUse(var) ||
      (update.amount && !isInvariant(update.amount)))
    return;
  found[var] = induction;
  const ExprRef start = startOf(var);
  found[var].startsAtZero = start && isLiteral(start, 0);
}

/// { how far the variable is from where it was ahead of the loop }
ExprRef LoopRewriter::distance(const Induction &induction, bool isLater) const {
  const Variable *counter = count.var;
  Type own = counter->type;
  own.isConst = false;
  auto name = [](const Variable *variable, Type type) {
    type.isConst = false;
    return makeName(variable, type);
  };
  ExprRef turns = name(counter, own);
  if (count.isDown)
    turns = makeBinary(Op::Sub, own, copyOf(count.start), turns);
  else if (!isLiteral(count.start, 0))
    turns = makeBinary(Op::Sub, own, turns, copyOf(count.start));
  if (isLater)
    turns = makeBinary(Op::Add, own, turns, makeLiteral(1, own));
  const ExprRef &amount = induction.update.amount;
  const Type &type = induction.update.var->type;
  const bool isOne = !amount || isLiteral(amount, 1);
  Type wide = own;
  if (!type.isPointer())
    wide = type;
  else if (!isOne)
    wide = Type::makeScalar(ScalarKind::Long);
  wide.isConst = false;
  if (wide.scalar != own.scalar)
    turns = makeCast(wide, turns);
  if (isOne)
    return turns;
  ExprRef factor = copyOf(amount);
  if (factor->type.scalar != wide.scalar)
    factor = makeCast(wide, factor, factor->type.size < wide.size);
  return makeBinary(Op::Mul, wide, turns, factor);
}

/// `at`: of the statement in the body.
ExprRef LoopRewriter::rewritten(const ExprRef &expr, size_t at) const {
  if (!expr)
    return expr;
  auto inductionOf = [&](const ExprRef &part) -> const Induction * {
    if (part->kind != ExprKind::VarRef)
      return nullptr;
    auto known = found.find(part->var);
    return known == found.end() ? nullptr : &known->second;
  };
  auto distanceOf = [&](const Induction &induction) {
    return distance(induction, induction.place && *induction.place < at);
  };
  if (const Induction *induction = inductionOf(expr)) {
    if (induction->startsAtZero && !induction->update.isNegative)
      return distanceOf(*induction);
    auto sum = std::make_shared<Expr>(
        *makeBinary(induction->update.isNegative ? Op::Sub : Op::Add,
                    expr->type, expr, distanceOf(*induction)));
    sum->type.isConst = false;
    sum->range = expr->range;
    return sum;
  }
  auto result = std::make_shared<Expr>(*expr);
  // `*p` is `p[distance]`, `p[i]` is `p[distance + i]`.
  const bool isPlace = expr->kind == ExprKind::Subscript ||
                       (expr->kind == ExprKind::Unary && expr->op == Op::Deref);
  const Induction *base = isPlace ? inductionOf(expr->operands[0]) : nullptr;
  if (base && !base->update.isNegative) {
    ExprRef index = distanceOf(*base);
    if (expr->kind == ExprKind::Subscript && !isLiteral(expr->operands[1], 0)) {
      ExprRef own = rewritten(expr->operands[1], at);
      const Type wide = Type::makeScalar(ScalarKind::Long);
      if (own->type.scalar != index->type.scalar) {
        if (own->type.scalar != wide.scalar)
          own = makeCast(wide, own);
        if (index->type.scalar != wide.scalar)
          index = makeCast(wide, index);
      }
      index = makeBinary(Op::Add, index->type, index, own);
    }
    result->kind = ExprKind::Subscript;
    result->op = Op::None;
    result->operands = {expr->operands[0], index};
    return result;
  }
  bool isSame = true;
  for (ExprRef &operand : result->operands) {
    ExprRef own = rewritten(operand, at);
    isSame &= own == operand;
    operand = own;
  }
  return isSame ? expr : result;
}

StmtRef LoopRewriter::rewritten(const StmtRef &stmt, size_t at) const {
  if (!stmt)
    return stmt;
  auto result = std::make_shared<Stmt>(*stmt);
  for (StmtRef &child : result->children)
    child = rewritten(child, at);
  result->expr = rewritten(stmt->expr, at);
  result->inc = rewritten(stmt->inc, at);
  result->init = rewritten(stmt->init, at);
  result->body = rewritten(stmt->body, at);
  result->elseBody = rewritten(stmt->elseBody, at);
  return result;
}

StmtRef LoopRewriter::run() {
  if (!loop->body || !findCount())
    return loop;
  for (const ExprRef &part : head)
    if (std::optional<Update> update = updateOf(part))
      take({*update, std::nullopt});
  if (!leavesOf(loop->body).byContinue)
    for (size_t at = 0; at < body.size(); ++at)
      if (body[at] && body[at]->kind == StmtKind::Expr)
        if (std::optional<Update> update = updateOf(body[at]->expr))
          take({*update, at});
  if (found.empty())
    return loop;
  auto isTaken = [&](const ExprRef &expr) {
    std::optional<Update> update = expr ? updateOf(expr) : std::nullopt;
    return update && found.count(update->var);
  };
  auto result = std::make_shared<Stmt>(*loop);
  result->inc = nullptr;
  for (const ExprRef &part : head)
    if (!isTaken(part))
      result->inc = result->inc
                        ? makeBinary(Op::Comma, part->type, result->inc, part)
                        : part;
  Statements rest;
  for (size_t at = 0; at < body.size(); ++at)
    if (!body[at] || body[at]->kind != StmtKind::Expr ||
        !isTaken(body[at]->expr))
      rest.push_back(rewritten(body[at], at));
  result->body = rest.size() == 1 && loop->body->kind != StmtKind::Block
                     ? rest.front()
                     : makeBlock(loop->body->range, std::move(rest));
  return result;
}

StmtRef InductionFinder::visit(const StmtRef &stmt) {
  if (!stmt)
    return stmt;
  auto result = std::make_shared<Stmt>(*stmt);
  result->body = visit(stmt->body);
  result->elseBody = visit(stmt->elseBody);
  if (stmt->kind != StmtKind::Block)
    return result;
  for (StmtRef &child : result->children)
    child = visit(child);
  for (size_t i = 0; i < result->children.size(); ++i) {
    StmtRef &child = result->children[i];
    if (!child || child->kind != StmtKind::For)
      continue;
    const Statements before(result->children.begin(),
                            result->children.begin() + i);
    const Statements behind(result->children.begin() + i + 1,
                            result->children.end());
    const StmtRef &written = stmt->children[i];
    auto elsewhere = [&](const Variable *var) {
      return mentionsOf(whole, var) - mentionsOf(written, var);
    };
    StmtRef closed = LoopRewriter(child, before, behind, elsewhere).run();
    isChanged |= closed != child;
    child = closed;
  }
  return result;
}

void substituteInductions(Function &function) {
  if (function.hasGoto || !function.body)
    return;
  InductionFinder finder(function.body);
  StmtRef body = finder.visit(function.body);
  if (!finder.isChanged)
    return;
  replaceBody(function, body);
}

} // namespace clopt
