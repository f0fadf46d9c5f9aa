//===- ClangSwitch.cpp - switch statements as choices ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A `switch` whose groups all end in a jump is a chain of `if`s:
//
//   const int switch_value = mode;
//   if (switch_value == 0) ... else if (switch_value == 1) ... else ...
//
// One that falls through, jumps into blocks, or declares variables that two
// groups share stays as it is written.
//
// Tested by test/unit/ClangSwitchTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangConverter.h"
#include "Frontend/clang/ClangTypes.h"
#include "Frontend/model/ModelBuilderImpl.h"

#include "clang/AST/Stmt.h"

#include <optional>

using namespace clopt;

namespace {

/// What one or more labels lead to.
struct Group {
  std::vector<int64_t> values;
  bool isDefault = false;
  std::vector<const clang::Stmt *> body;
};

} // namespace

/// The labels in front of a statement; false for ranges of values.
static bool takeLabels(const clang::Stmt *&stmt, clang::ASTContext &context,
                       Group &group) {
  while (const auto *label = llvm::dyn_cast<clang::SwitchCase>(stmt)) {
    const auto *named = llvm::dyn_cast<clang::CaseStmt>(label);
    if (named) {
      clang::Expr::EvalResult value;
      if (named->getRHS() || !named->getLHS()->EvaluateAsInt(value, context))
        return false;
      group.values.push_back(bitsOf(value.Val.getInt()));
    }
    group.isDefault |= !named;
    stmt = label->getSubStmt();
  }
  return true;
}

static std::optional<std::vector<Group>>
groupsOf(const clang::SwitchStmt &choice, clang::ASTContext &context) {
  const auto *body = llvm::dyn_cast<clang::CompoundStmt>(choice.getBody());
  if (!body)
    return std::nullopt;
  std::vector<Group> groups;
  for (const clang::Stmt *stmt : body->body()) {
    if (llvm::isa<clang::SwitchCase>(stmt)) {
      groups.emplace_back();
      if (!takeLabels(stmt, context, groups.back()))
        return std::nullopt;
    }
    if (groups.empty() || llvm::isa<clang::DeclStmt>(stmt))
      return std::nullopt;
    groups.back().body.push_back(stmt);
  }
  return groups;
}

/// Takes the `break` that ends the statements; false when control falls
/// through.
static bool takeBreak(std::vector<StmtRef> &body) {
  if (body.empty())
    return false;
  StmtRef last = body.back();
  if (last->kind == StmtKind::Return)
    return true;
  if (last->kind == StmtKind::Break) {
    body.pop_back();
    return true;
  }
  if (last->kind != StmtKind::Block)
    return false;
  auto inner = std::make_shared<Stmt>(*last);
  if (!takeBreak(inner->children))
    return false;
  body.back() = inner;
  return true;
}

/// A label inside a statement is one that no group begins with.
static bool hasLabel(const clang::Stmt *stmt) {
  if (!stmt || llvm::isa<clang::SwitchStmt>(stmt))
    return false;
  if (llvm::isa<clang::SwitchCase>(stmt))
    return true;
  for (const clang::Stmt *child : stmt->children())
    if (hasLabel(child))
      return true;
  return false;
}

static ExprRef makeOperation(Op op, ExprRef left, ExprRef right) {
  auto result = std::make_shared<Expr>();
  result->kind = ExprKind::Binary;
  result->op = op;
  result->type = Type::makeScalar(ScalarKind::Int);
  result->range = left->range;
  result->operands = {std::move(left), std::move(right)};
  return result;
}

/// `value == 1 || value == 2`
static ExprRef conditionOf(const Group &group, const ExprRef &value) {
  ExprRef result;
  for (int64_t number : group.values) {
    auto literal = std::make_shared<Expr>();
    literal->kind = ExprKind::IntLiteral;
    literal->type = value->type;
    literal->type.isConst = false;
    literal->range = value->range;
    literal->intValue = number;
    ExprRef equal = makeOperation(Op::Eq, value, literal);
    result = result ? makeOperation(Op::LOr, result, equal) : equal;
  }
  return result;
}

StmtRef FunctionConverter::convertSwitch(const clang::SwitchStmt *stmt) {
  std::optional<std::vector<Group>> groups = groupsOf(*stmt, unit.ast);
  if (!groups || groups->empty() || stmt->getConditionVariable() ||
      stmt->getInit())
    return nullptr;
  std::vector<StmtRef> bodies;
  for (const Group &group : *groups) {
    auto block = make(StmtKind::Block, stmt);
    for (const clang::Stmt *part : group.body) {
      if (hasLabel(part))
        return nullptr;
      block->children.push_back(convert(part));
    }
    bool isLast = &group == &groups->back();
    if (!takeBreak(block->children) && !isLast)
      return nullptr;
    if (leavesOf(block).byBreak)
      return nullptr;
    bodies.push_back(block);
  }
  ExprRef selector = convert(stmt->getCond());
  if (!selector->type.isScalar() || !selector->type.isInteger())
    return nullptr;
  auto variable = std::make_unique<Variable>();
  variable->name = "switch_value";
  variable->type = Type::makeScalar(selector->type.scalar);
  variable->range = selector->range;
  auto decl = make(StmtKind::Decl, stmt);
  decl->var = variable.get();
  decl->expr = selector;
  decl->range.begin = decl->range.end = -1;
  auto value = std::make_shared<Expr>();
  value->kind = ExprKind::VarRef;
  value->type = variable->type;
  value->range = selector->range;
  value->var = variable.get();
  function.variables.push_back(std::move(variable));
  // The last alternative first.
  StmtRef chain;
  for (size_t index = 0; index < groups->size(); ++index)
    if ((*groups)[index].isDefault)
      chain = bodies[index];
  for (size_t index = groups->size(); index-- > 0;) {
    const Group &group = (*groups)[index];
    if (group.isDefault)
      continue;
    auto choice = make(StmtKind::If, stmt);
    choice->expr = conditionOf(group, value);
    choice->body = bodies[index];
    choice->elseBody = chain;
    chain = choice;
  }
  auto result = make(StmtKind::Block, stmt);
  result->children = {decl};
  if (chain)
    result->children.push_back(chain);
  return result;
}
