//===- InitialCells.cpp - lists of initial values as assignments ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/InitialCellsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/InitialCells.h"

#include "Frontend/model/ModelBuilderImpl.h"
#include "Model/MakeTree.h"

#include <llvm/ADT/STLExtras.h>

namespace clopt {

/// Cells from which on a list says more than assignments.
static constexpr int64_t mostCells = 16;

namespace {

class CellSetter {
public:
  explicit CellSetter(const Function &function);
  StmtRef visit(const StmtRef &stmt);
  bool isChanged = false;

private:
  bool mayBeSet(const Stmt &declaration) const;
  bool addCells(const ExprRef &cell, const ExprRef &list,
                std::vector<StmtRef> &out) const;
  void visit(const StmtRef &stmt, std::vector<StmtRef> &out);

  std::set<const Variable *> written; ///< arrays with cells that change
};

} // namespace

CellSetter::CellSetter(const Function &function) {
  forEachExpr(function.body, [&](const ExprRef &expr) {
    if (changesTarget(*expr))
      if (const Variable *root = rootVariable(expr->operands[0].get()))
        written.insert(root);
  });
}

static bool isNumber(const Type &type) {
  return type.isScalar() && (type.isFloating() || type.isInteger());
}

bool CellSetter::mayBeSet(const Stmt &declaration) const {
  if (declaration.kind != StmtKind::Decl || !declaration.expr ||
      declaration.expr->kind != ExprKind::InitList)
    return false;
  const Variable &var = *declaration.var;
  const Type *cell = &var.type;
  int64_t count = 1;
  while (cell->isArray()) {
    count *= cell->extent;
    cell = cell->element.get();
  }
  if (!var.type.isArray() || !isNumber(*cell) || cell->isConst ||
      cell->isVolatile || var.type.isConst || var.addressTaken ||
      var.isFileScope || var.space != AddressSpace::Private || count < 1 ||
      count > mostCells)
    return false;
  bool hasValues = false, isKnown = true;
  forEachExpr(declaration.expr, [&](const ExprRef &expr) {
    hasValues |= expr->kind == ExprKind::VarRef ||
                 expr->kind == ExprKind::WorkItem ||
                 expr->kind == ExprKind::Call;
    isKnown &= expr->kind != ExprKind::Opaque;
  });
  return isKnown && (hasValues || written.count(&var));
}

/// An assignment for every cell of `cell`, an array or one of its own; those
/// that the list leaves out are zero.
bool CellSetter::addCells(const ExprRef &cell, const ExprRef &list,
                          std::vector<StmtRef> &out) const {
  if (!cell->type.isArray()) {
    const ExprRef value = list ? list : makeLiteral(0, cell->type);
    out.push_back(makeStatement(makeAssign(cell, value)));
    return value->kind != ExprKind::InitList;
  }
  if (list && list->kind != ExprKind::InitList)
    return false;
  for (int64_t i = 0; i < int64_t(cell->type.extent); ++i) {
    auto part = std::make_shared<Expr>();
    part->kind = ExprKind::Subscript;
    part->type = *cell->type.element;
    part->range = cell->range;
    part->operands = {copyOf(cell),
                      makeLiteral(i, Type::makeScalar(ScalarKind::Int))};
    const auto at = static_cast<size_t>(i);
    if (!addCells(part,
                  list && at < list->operands.size() ? list->operands[at]
                                                     : nullptr,
                  out))
      return false;
  }
  return true;
}

void CellSetter::visit(const StmtRef &stmt, std::vector<StmtRef> &out) {
  std::vector<StmtRef> cells;
  if (!stmt || !mayBeSet(*stmt) ||
      !addCells(makeName(stmt->var, stmt->var->type), stmt->expr, cells)) {
    out.push_back(visit(stmt));
    return;
  }
  isChanged = true;
  auto declaration = std::make_shared<Stmt>(*stmt);
  declaration->expr = nullptr;
  out.push_back(declaration);
  for (const StmtRef &cell : cells) {
    auto placed = std::make_shared<Stmt>(*cell);
    placed->range = stmt->range;
    out.push_back(placed);
  }
}

StmtRef CellSetter::visit(const StmtRef &stmt) {
  if (!stmt)
    return stmt;
  auto result = std::make_shared<Stmt>(*stmt);
  result->children.clear();
  for (const StmtRef &child : stmt->children)
    visit(child, result->children);
  result->body = visit(stmt->body);
  result->elseBody = visit(stmt->elseBody);
  return result;
}

void setInitialCells(Function &function) {
  if (function.hasGoto || !function.body)
    return;
  CellSetter setter(function);
  const StmtRef body = setter.visit(function.body);
  if (setter.isChanged)
    replaceBody(function, body);
}

} // namespace clopt
