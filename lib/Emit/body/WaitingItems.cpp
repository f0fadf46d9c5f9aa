//===- WaitingItems.cpp - work-items that only come to barriers -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where neighbouring work-items of a group are lanes of one of them, the others
// come to the barriers. Private variables that decide on the way there are set
// by all of them.
//
// Tested by test/lit/vectorize/groups.test.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"

#include "Analysis/dependence/StrideLoops.h"
#include "Model/Control.h"

#include <llvm/ADT/STLExtras.h>

namespace clopt {

namespace {

/// What is read by all, and what that is made of.
class SteeringFinder {
public:
  explicit SteeringFinder(std::set<const Variable *> &result) : found(result) {}
  /// Statements on the way to barriers; true when a variable is new.
  bool visit(const StmtRef &stmt, bool isOnTheWay);

private:
  /// Of an expression, or of all in a statement.
  template <typename Tree> bool addReads(const Tree &tree);

  std::set<const Variable *> &found;
};

} // namespace

template <typename Tree> bool SteeringFinder::addReads(const Tree &tree) {
  bool isNew = false;
  forEachExpr(tree, [&](const ExprRef &part) {
    if (part->kind == ExprKind::VarRef && part->var && !part->var->isParam &&
        !part->var->isFileScope && part->var->space == AddressSpace::Private)
      isNew |= found.insert(part->var).second;
  });
  return isNew;
}

bool SteeringFinder::visit(const StmtRef &stmt, bool isOnTheWay) {
  if (!stmt)
    return false;
  if (isOnTheWay &&
      (containsBarrier(stmt) || leavesOf(stmt).any() ||
       stmt->kind == StmtKind::Group || stmt->kind == StmtKind::Block)) {
    bool isNew = addReads(stmt->expr);
    isNew |= addReads(stmt->inc);
    for (const StmtRef &part : {stmt->init, stmt->body, stmt->elseBody})
      isNew |= visit(part, true);
    if (stmt->init)
      isNew |= addReads(stmt->init);
    for (const StmtRef &child : stmt->children)
      isNew |= visit(child, true);
    return isNew;
  }
  const auto assigned = assignmentsIn(stmt);
  return llvm::any_of(
             assigned,
             [&](const auto &entry) { return found.count(entry.first) > 0; }) &&
         addReads(stmt);
}

void BodyWriter::findSteering() {
  SteeringFinder finder(steering);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Statement &statement : model.statements)
      changed |= finder.visit(StmtRef(StmtRef(), statement.stmt),
                              statement.isBarrier && statement.isOpaque);
  }
  // Calls that get its address may set it, where no assignment is seen.
  if (llvm::any_of(steering, [](const Variable *variable) {
        return variable->addressTaken;
      }))
    failure = "a value that decides on barriers";
}

/// True for what all work-items of a group run.
bool BodyWriter::steers(const EmitNode &node) const {
  if (steering.empty())
    return false;
  if (node.kind == EmitNode::Kind::Statement) {
    const Statement &statement = model.statements[node.index];
    if (statement.isBarrier)
      return false;
    const auto assigned = assignmentsIn(StmtRef(StmtRef(), statement.stmt));
    return llvm::any_of(assigned, [&](const auto &entry) {
      return steering.count(entry.first) > 0;
    });
  }
  return node.kind != EmitNode::Kind::Block && !hasStage(node) &&
         llvm::any_of(node.children,
                      [&](const EmitNode &child) { return steers(child); });
}

/// True when lanes do not differ in it, and nothing else is changed.
bool BodyWriter::isUniform(const EmitNode &node) const {
  if (node.kind == EmitNode::Kind::Statement) {
    const Statement &statement = model.statements[node.index];
    const StmtRef stmt(StmtRef(), statement.stmt);
    bool isAlone = !node.guard && !statement.isOpaque;
    forEachExpr(stmt, [&](const ExprRef &expr) {
      isAlone &= !changesTarget(*expr) || changesPrivatesAlone(expr);
    });
    return isAlone && !(divergence->ofStmt(stmt) & LaneBit);
  }
  return node.kind != EmitNode::Kind::Copy &&
         llvm::all_of(node.children,
                      [&](const EmitNode &child) { return isUniform(child); });
}

} // namespace clopt
