//===- IndirectReads.cpp - subscripts that are themselves data ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that get a value from memory are found in rounds until there are no
// more; the start of a loop's counter does not count.
//
// Tested by test/unit/IndirectReadsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/IndirectReads.h"

#include <set>

namespace clopt {

namespace {

class Finder {
public:
  explicit Finder(const KernelModel &model) : body(model.function->body) {
    findCounters();
    size_t before;
    do {
      before = fromMemory.size();
      forEachStmt(body, [&](const StmtRef &stmt) {
        if (stmt->kind == StmtKind::Decl && stmt->expr &&
            !starts.count(stmt.get()) && isData(stmt->expr))
          fromMemory.insert(stmt->var);
      });
      forEachExpr(body, [&](const ExprRef &expr) { follow(expr); });
    } while (fromMemory.size() > before);
  }

  /// A load, or a variable that holds what was loaded.
  bool isData(const ExprRef &expr) const {
    bool result = false;
    forEachExpr(expr, [&](const ExprRef &part) {
      bool isLoad =
          part->kind == ExprKind::Subscript ||
          (part->kind == ExprKind::Unary && part->op == Op::Deref) ||
          (part->kind == ExprKind::Member && part->arrow) ||
          (part->kind == ExprKind::Call && part->effect != CallEffect::Pure) ||
          part->kind == ExprKind::Opaque;
      bool holdsData =
          part->kind == ExprKind::VarRef && fromMemory.count(part->var);
      result |= isLoad || holdsData;
    });
    return result;
  }

private:
  void follow(const ExprRef &expr) {
    if (expr->kind != ExprKind::Assign || startValues.count(expr.get()))
      return;
    const Expr *place = expr->operands[0].get();
    while (place->kind == ExprKind::Swizzle)
      place = place->operands[0].get();
    if (place->kind == ExprKind::VarRef && isData(expr->operands[1]))
      fromMemory.insert(place->var);
  }

  /// `int k = a[i]` and `k = a[i]` at the head of a loop that counts k.
  void findCounters() {
    forEachStmt(body, [&](const StmtRef &stmt) {
      if (stmt->kind != StmtKind::For || !stmt->init)
        return;
      forEachStmt(stmt->init, [&](const StmtRef &part) {
        starts.insert(part.get());
        if (part->expr && part->kind == StmtKind::Expr)
          startValues.insert(part->expr.get());
      });
    });
  }

  const StmtRef &body;
  std::set<const Stmt *> starts; // only asked, never walked
  std::set<const Expr *> startValues;
  std::set<const Variable *> fromMemory;
};

} // namespace

std::vector<bool> indirectlyAccessed(const KernelModel &model) {
  std::vector<bool> result(model.arrays.size());
  if (!model.function || !model.function->body)
    return result;
  Finder finder(model);
  for (const Access &access : model.accesses) {
    if (!access.expr)
      continue;
    ExprRef index;
    const Expr *place = access.expr;
    while (place->kind == ExprKind::Swizzle || place->kind == ExprKind::Member)
      place = place->operands[0].get();
    if (place->kind == ExprKind::Subscript)
      index = place->operands[1];
    else if (place->kind != ExprKind::VarRef && !place->operands.empty())
      index = place->operands[0];
    if (index && finder.isData(index))
      result[access.array] = true;
    // `(a + col[k])[0]`
    if (place->kind == ExprKind::Subscript && finder.isData(place->operands[0]))
      result[access.array] = true;
  }
  return result;
}

} // namespace clopt
