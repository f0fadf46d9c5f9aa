//===- SharedStatements.cpp - statements that work-items share ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops with bounds that depend on data are statements of the author's: they
// are written again with every n-th iteration only, and their sums without
// overflow.
//
// Tested by test/unit/SharedWorkTest.cpp, test/lit/split-reduction.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"
#include "Emit/frame/SharedWork.h"
#include "Model/MakeTree.h"

#include "Analysis/dependence/CooperativeReductions.h"

#include <cstdlib>

namespace clopt {

//===-- Loops with bounds that depend on data -----------------------------===//

const Variable *BodyWriter::makeVariable(const std::string &stem,
                                         ScalarKind kind) {
  auto variable = std::make_unique<Variable>();
  variable->name = freshLocal(stem);
  variable->type = Type::makeScalar(kind);
  madeVariables.push_back(std::move(variable));
  return madeVariables.back().get();
}

/// The body behind the declaration of the variable; in its own block only where
/// that has another variable of the name.
static StmtRef bodyWith(const StmtRef &declaration, const StmtRef &body) {
  std::vector<StmtRef> lines = {body};
  if (body->kind == StmtKind::Block)
    lines = body->children;
  for (const StmtRef &line : std::vector<StmtRef>(lines))
    forEachStmt(line, [&](const StmtRef &stmt) {
      if (stmt->kind == StmtKind::Decl &&
          stmt->var->name == declaration->var->name)
        lines = {body};
    });
  lines.insert(lines.begin(), declaration);
  return makeBlock(std::move(lines));
}

/// Counts in `long`, which holds all values of the author's variable and of the
/// bound, and what a pass adds.
static StmtRef countInLong(const CountedLoop &loop, const Variable *counter,
                           const std::string &lane, const std::string &advance,
                           const StmtRef &body) {
  const Type wide = counter->type;
  ExprRef at = makeText(counter->name, wide);
  ExprRef first = withConversions(loop.first);
  // The values that are compared: those of an unsigned type, maybe.
  if (loop.bound->type.isUnsigned() && !loop.var->type.isUnsigned())
    first = makeCast(loop.bound->type, first);
  return makeFor(
      makeDeclaration(counter,
                      makeBinary(loop.step > 0 ? Op::Add : Op::Sub, wide,
                                 makeCast(wide, first), makeText(lane, wide))),
      makeBinary(loop.comparison, Type::makeScalar(ScalarKind::Int), at,
                 withConversions(loop.bound)),
      makeText(counter->name + advance, wide),
      bodyWith(makeDeclaration(loop.var, makeCast(loop.var->type, at)), body));
}

/// Counts the distance from the first value, which no 64 bits are too few for.
static StmtRef countDistance(const CountedLoop &loop, const Variable *first,
                             const Variable *end, const Variable *counter,
                             const std::string &lane,
                             const std::string &advance, const StmtRef &body) {
  const Type wide = counter->type;
  const Type truth = Type::makeScalar(ScalarKind::Int);
  ExprRef from = makeText(first->name, first->type);
  ExprRef to = makeText(end->name, end->type);
  ExprRef at = makeText(counter->name, wide);
  bool isUp = loop.step > 0;
  bool isStrict = loop.comparison == Op::Lt || loop.comparison == Op::Gt;
  ExprRef low = makeCast(wide, isUp ? from : to);
  ExprRef high = makeCast(wide, isUp ? to : from);
  ExprRef value =
      makeBinary(isUp ? Op::Add : Op::Sub, wide, makeCast(wide, from), at);
  const StmtRef head = makeFor(
      makeDeclaration(counter, makeText(lane, wide)),
      makeBinary(Op::LAnd, truth, makeBinary(loop.comparison, truth, from, to),
                 makeBinary(isStrict ? Op::Lt : Op::Le, truth, at,
                            makeBinary(Op::Sub, wide, high, low))),
      makeText(counter->name + advance, wide),
      bodyWith(makeDeclaration(loop.var, makeCast(loop.var->type, value)),
               body));
  return makeBlock({makeDeclaration(first, withConversions(loop.first)),
                    makeDeclaration(end, withConversions(loop.bound)), head});
}

/// The loop with every `lanes`-th iteration only.
StmtRef BodyWriter::sharedForm(const Stmt &stmt) {
  CountedLoop loop = *readCountedLoop(stmt);
  int64_t size = std::llabs(loop.step);
  const std::string &stem = loop.var->name;
  bool isWide =
      loop.var->type.size > 4 || loop.bound->type.scalar == ScalarKind::ULong;
  std::string advance =
      " += " + std::to_string(size * static_cast<int64_t>(sharedLanes(kernel)));
  StmtRef body = withWrapping(stmt.body);
  StmtRef result;
  if (isWide) {
    const Variable *first =
        makeVariable(stem + "_first", loop.bound->type.scalar);
    const Variable *end = makeVariable(stem + "_end", loop.bound->type.scalar);
    const Variable *counter = makeVariable(stem + "_at", ScalarKind::ULong);
    result = countDistance(loop, first, end, counter, laneTimes(size), advance,
                           body);
  } else {
    if (loop.step < 0)
      advance[1] = '-';
    const Variable *counter = makeVariable(stem + "_at", ScalarKind::Long);
    result = countInLong(loop, counter, laneTimes(size), advance, body);
  }
  if (loop.others.empty())
    return result;
  std::vector<StmtRef> all = loop.others;
  all.push_back(result);
  return makeBlock(std::move(all));
}

void BodyWriter::emitSharedStatement(const EmitNode &node,
                                     const AstNames &names,
                                     std::vector<OutNode> &out) {
  inShared = cooperativeReductionOf(kernel, node.index);
  Statement statement = model.statements[node.index];
  StmtRef form = sharedForm(*statement.stmt);
  statement.stmt = form.get();
  madeStatements.push_back(form);
  StatementPrinter printer(environment);
  PrintSite site = siteOf(node, statement.coordinates, names);
  std::vector<OutNode> lines;
  addLines(printer.print(statement, site), lines);
  if (!printer.failure().empty() || lines.size() != 1) {
    failure =
        printer.failure().empty() ? "a loop that is shared" : printer.failure();
    return;
  }
  finishShared(std::move(lines[0]), out);
}

//===-- Sums that wrap ----------------------------------------------------===//

/// One work-item's part of a sum may leave the range of a type in which the
/// author's stays; without a sign that is no overflow.
ExprRef BodyWriter::wrappingUpdate(const ExprRef &expr) const {
  if (!inShared || expr->operands.empty())
    return expr;
  const ExprRef &target = expr->operands[0];
  const SharedResult *result = nullptr;
  for (const SharedResult &each : inShared->results)
    if (valueOf(kernel, each.array).isNamedBy(kernel, *target))
      result = &each;
  if (!result || !target->type.isInteger() ||
      (result->operation != ReductionOp::Sum &&
       result->operation != ReductionOp::Product))
    return expr;
  Op op = Op::None;
  Type computed = target->type;
  ExprRef first = target, second;
  if (expr->kind == ExprKind::Unary && isStep(expr->op)) {
    bool isUp = isIncrement(expr->op);
    op = isUp ? Op::Add : Op::Sub;
    second = makeText("1", Type::makeScalar(ScalarKind::Int));
    if (computed.size < 4)
      computed = Type::makeScalar(ScalarKind::Int);
  } else if (expr->kind == ExprKind::Assign && expr->op != Op::None) {
    op = expr->op;
    computed = expr->computeType;
    second = expr->operands[1];
  } else if (expr->kind == ExprKind::Assign) {
    const Expr *value = withoutCasts(expr->operands[1].get());
    if (value->kind != ExprKind::Binary)
      return expr;
    op = value->op;
    computed = value->type;
    first = value->operands[0];
    second = value->operands[1];
  }
  if (!second || computed.isUnsigned() || !computed.isInteger())
    return expr;
  Type wrapping = Type::makeScalar(computed.size > 4 ? ScalarKind::ULong
                                                     : ScalarKind::UInt);
  auto without = [&](const ExprRef &operand) {
    return makeCast(wrapping, withConversions(operand));
  };
  return makeAssign(
      target, makeCast(target->type, makeBinary(op, wrapping, without(first),
                                                without(second))));
}

StmtRef BodyWriter::withWrapping(const StmtRef &stmt) const {
  if (!stmt)
    return stmt;
  auto copy = std::make_shared<Stmt>(*stmt);
  bool changed = false;
  auto replace = [&](StmtRef &part) {
    StmtRef other = withWrapping(part);
    changed |= other != part;
    part = other;
  };
  if (stmt->kind == StmtKind::Expr && stmt->expr) {
    copy->expr = wrappingUpdate(stmt->expr);
    changed = copy->expr != stmt->expr;
  }
  replace(copy->init);
  replace(copy->body);
  replace(copy->elseBody);
  for (StmtRef &child : copy->children)
    replace(child);
  return changed ? copy : stmt;
}

/// The statement as it runs within the shared loop that is being written.
Statement BodyWriter::statementInShared(const Statement &statement) {
  Statement result = statement;
  if (!inShared || !statement.stmt)
    return result;
  StmtRef own(StmtRef(), statement.stmt);
  StmtRef wrapped = withWrapping(own);
  if (wrapped != own) {
    madeStatements.push_back(wrapped);
    result.stmt = wrapped.get();
  }
  return result;
}

} // namespace clopt
