//===- GroupCopies.cpp - loops that a group shares out --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Such a loop begins with the number of the work-item in its group, along one
// dimension or several, and goes on by as many as there are. What it does must
// not depend on the ids that the number is made of.
//
// Tested by test/unit/ForwardTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/GroupCopies.h"

#include "Model/MakeTree.h"

#include <algorithm>
#include <array>
#include <set>

namespace clopt {

namespace {

class LoopJoiner {
public:
  explicit LoopJoiner(const KernelModel &kernel) : model(kernel) {}
  StmtRef visit(const StmtRef &stmt);
  bool isChanged = false;

private:
  std::optional<Polynomial> valueOf(const ExprRef &expr) const;
  std::optional<Polynomial> sizeOf(unsigned dim) const;
  std::vector<unsigned> sharedDimensions(const Stmt &loop) const;
  bool mayDependOn(const StmtRef &stmt, unsigned dim,
                   const std::set<const Variable *> &own) const;
  StmtRef joined(const Stmt &loop, const std::vector<unsigned> &dims) const;

  const KernelModel &model;
};

} // namespace

std::optional<Polynomial> LoopJoiner::sizeOf(unsigned dim) const {
  if (std::optional<int64_t> known = model.ndrange.localSize[dim])
    return Polynomial(*known);
  if (const auto id = model.symbols.find(SymbolKind::LocalSize, dim))
    return Polynomial::symbol(*id);
  return std::nullopt;
}

std::optional<Polynomial> LoopJoiner::valueOf(const ExprRef &expr) const {
  auto known = model.values.find(expr.get());
  if (known != model.values.end() && !known->second.overflowed())
    return known->second;
  switch (expr->kind) {
  case ExprKind::IntLiteral:
    return Polynomial(expr->intValue);
  case ExprKind::Cast:
    return valueOf(expr->operands[0]);
  case ExprKind::WorkItem:
    if (expr->query == WorkItemQuery::LocalSize)
      return sizeOf(expr->dim);
    if (expr->query == WorkItemQuery::LocalId)
      if (const auto id = model.symbols.find(SymbolKind::LocalId, expr->dim))
        return Polynomial::symbol(*id);
    return std::nullopt;
  case ExprKind::Binary: {
    const std::optional<Polynomial> left = valueOf(expr->operands[0]);
    const std::optional<Polynomial> right = valueOf(expr->operands[1]);
    if (!left || !right)
      return std::nullopt;
    if (expr->op == Op::Add)
      return *left + *right;
    if (expr->op == Op::Mul)
      return *left * *right;
    return std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

/// What a loop adds to its variable each time, or null.
static ExprRef stepOf(const Stmt &loop) {
  const ExprRef &inc = loop.inc;
  const bool isUpdate = inc && inc->kind == ExprKind::Assign &&
                        inc->operands[0]->kind == ExprKind::VarRef &&
                        inc->operands[0]->var == loop.init->var;
  return isUpdate && inc->op == Op::Add ? inc->operands[1] : nullptr;
}

/// The dimensions of which the loop's iterations are numbered by; none where it
/// is no such loop.
std::vector<unsigned> LoopJoiner::sharedDimensions(const Stmt &loop) const {
  if (loop.kind != StmtKind::For || !loop.init ||
      loop.init->kind != StmtKind::Decl || !loop.init->expr || !loop.expr)
    return {};
  const ExprRef step = stepOf(loop);
  const std::optional<Polynomial> first = valueOf(loop.init->expr);
  const std::optional<Polynomial> count =
      step ? valueOf(step) : std::optional<Polynomial>();
  if (!first || !count)
    return {};
  std::array<unsigned, 3> order = {0, 1, 2};
  do {
    Polynomial number, items(1);
    std::vector<unsigned> dims;
    for (unsigned dim : order) {
      const auto id = model.symbols.find(SymbolKind::LocalId, dim);
      const auto size = sizeOf(dim);
      if (!id || !size)
        break;
      number = number + Polynomial::symbol(*id) * items;
      items = items * *size;
      dims.push_back(dim);
      if (number == *first && items == *count)
        return dims;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return {};
}

/// False when what is done is the same for all ids of the dimension; `own` is
/// what the statement declares.
bool LoopJoiner::mayDependOn(const StmtRef &stmt, unsigned dim,
                             const std::set<const Variable *> &own) const {
  bool mayDepend = false;
  auto check = [&](const Polynomial &poly) {
    for (SymbolId id : poly.symbols()) {
      const Symbol &symbol = model.symbols[id];
      const bool isOther =
          isParameter(symbol) || symbol.kind == SymbolKind::GroupId ||
          (symbol.kind == SymbolKind::LocalId && symbol.dim != dim);
      mayDepend |= !isOther;
    }
  };
  forEachExpr(stmt, [&](const ExprRef &expr) {
    if (expr->kind == ExprKind::WorkItem) {
      const bool isId = expr->query == WorkItemQuery::GlobalId ||
                        expr->query == WorkItemQuery::LocalId;
      mayDepend |= (isId && expr->dim == dim) ||
                   expr->query == WorkItemQuery::GlobalLinearId ||
                   expr->query == WorkItemQuery::LocalLinearId;
      return;
    }
    const bool isPrivate = expr->kind == ExprKind::VarRef && expr->var &&
                           expr->var->space == AddressSpace::Private &&
                           !expr->var->isFileScope;
    if (!isPrivate || own.count(expr->var))
      return;
    auto known = model.values.find(expr.get());
    if (known != model.values.end())
      check(known->second);
    else
      mayDepend |= !expr->var->isParam;
  });
  return mayDepend;
}

static bool isLocalMemory(const Variable *variable) {
  return variable && (variable->space == AddressSpace::Local ||
                      (variable->type.isPointer() &&
                       variable->type.space == AddressSpace::Local));
}

/// Local memory is written, and nothing else but what the loop has to itself.
static bool onlyCopies(const Stmt &loop,
                       const std::set<const Variable *> &own) {
  bool result = true;
  size_t written = 0, named = 0;
  forEachExpr(loop.body, [&](const ExprRef &expr) {
    named += expr->kind == ExprKind::VarRef && isLocalMemory(expr->var);
    result &=
        expr->kind != ExprKind::Opaque &&
        (expr->kind != ExprKind::Call || expr->effect == CallEffect::Pure);
    if (!changesTarget(*expr))
      return;
    const Expr *target = expr->operands[0].get();
    while (target->kind == ExprKind::Subscript ||
           target->kind == ExprKind::Cast)
      target = target->operands[0].get();
    const Variable *root =
        target->kind == ExprKind::VarRef ? target->var : nullptr;
    if (isLocalMemory(root) && expr->op == Op::None)
      ++written;
    else
      result &= root && own.count(root);
  });
  forEachStmt(loop.body, [&](const StmtRef &stmt) {
    result &= stmt->kind != StmtKind::Return && stmt->kind != StmtKind::Break &&
              stmt->kind != StmtKind::Barrier && stmt->kind != StmtKind::Opaque;
  });
  return result && written > 0 && written == named;
}

/// The loop from its beginning to its end, for the first work-item.
StmtRef LoopJoiner::joined(const Stmt &loop,
                           const std::vector<unsigned> &dims) const {
  const Type &type = loop.init->var->type;
  auto number = [&](int64_t value) { return makeNumber(value, type); };
  auto result = std::make_shared<Stmt>(loop);
  auto init = std::make_shared<Stmt>(*loop.init);
  init->expr = number(0);
  result->init = init;
  result->inc = makeAssign(loop.inc->operands[0], number(1), Op::Add);
  StmtRef only = result;
  for (unsigned dim : dims) {
    auto condition = std::make_shared<Stmt>();
    condition->kind = StmtKind::If;
    condition->range = loop.range;
    condition->expr =
        makeBinary(Op::Eq, Type::makeScalar(ScalarKind::Int),
                   makeQuery(WorkItemQuery::LocalId, dim),
                   makeNumber(0, makeQuery(WorkItemQuery::LocalId, dim)->type));
    condition->body = only;
    only = condition;
  }
  return only;
}

StmtRef LoopJoiner::visit(const StmtRef &stmt) {
  if (!stmt)
    return stmt;
  auto result = std::make_shared<Stmt>(*stmt);
  for (StmtRef &child : result->children)
    child = visit(child);
  result->body = visit(stmt->body);
  result->elseBody = visit(stmt->elseBody);
  std::vector<unsigned> dims = sharedDimensions(*result);
  if (dims.empty())
    return result;
  std::set<const Variable *> own = {stmt->init->var};
  forEachStmt(stmt->body, [&](const StmtRef &inner) {
    if (inner->kind == StmtKind::Decl)
      own.insert(inner->var);
  });
  if (!onlyCopies(*result, own))
    return result;
  // The head counts for what is done as well, but for where it begins.
  auto rest = std::make_shared<Stmt>(*result);
  rest->init = nullptr;
  for (unsigned dim : dims)
    if (mayDependOn(rest, dim, own))
      return result;
  for (unsigned dim = 0; dim < model.ndrange.rank; ++dim)
    if (std::find(dims.begin(), dims.end(), dim) == dims.end() &&
        model.symbols.find(SymbolKind::LocalId, dim) &&
        !mayDependOn(rest, dim, own))
      dims.push_back(dim);
  isChanged = true;
  return joined(*result, dims);
}

StmtRef withLoopsOfOne(const KernelModel &model) {
  LoopJoiner joiner(model);
  StmtRef body = joiner.visit(model.function->body);
  return joiner.isChanged ? body : nullptr;
}

} // namespace clopt
