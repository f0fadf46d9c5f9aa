//===- ClangArguments.cpp - parameters that a kernel changes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `A += offA;` on a parameter changes a variable of the work-item. The rest of
// clopt wants arguments that stay: buffers have one address, sizes one value,
// and a body that is tried and given up must find both as the host set them.
// So the parameter is kept as it is, and what the kernel changes becomes a
// variable of its own, declared before everything else:
//
//   __global float *A_now = A;
//   A_now += offA;
//
// The variable is a private one like any other from there on.
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangConverter.h"

#include <algorithm>
#include <set>

namespace clopt {

/// Variables that are assigned, or whose address is taken.
static std::set<const Variable *> changedIn(const StmtRef &body) {
  std::set<const Variable *> result;
  forEachExpr(body, [&](const ExprRef &expr) {
    if (changesTarget(*expr) || expr->op == Op::AddrOf)
      result.insert(rootVariable(expr->operands[0].get()));
  });
  return result;
}

/// Variables named in text that is kept as the author wrote it.
static std::set<const Variable *> namedInText(const StmtRef &body) {
  std::set<const Variable *> result;
  auto collect = [&](const ExprRef &top) {
    forEachExpr(top, [&](const ExprRef &expr) {
      if (expr->kind == ExprKind::VarRef)
        result.insert(expr->var);
    });
  };
  forEachStmt(body, [&](const StmtRef &stmt) {
    if (stmt->kind == StmtKind::Opaque || stmt->kind == StmtKind::Switch)
      collect(stmt->expr);
  });
  forEachExpr(body, [&](const ExprRef &expr) {
    if (expr->kind == ExprKind::Opaque)
      collect(expr);
  });
  return result;
}

static std::string nameBeside(const Function &function,
                              const std::string &name) {
  std::string candidate = name + "_now";
  auto isTaken = [&](const std::shared_ptr<Variable> &variable) {
    return variable->name == candidate;
  };
  while (std::any_of(function.variables.begin(), function.variables.end(),
                     isTaken))
    candidate += "x";
  return candidate;
}

static StmtRef declareAs(const Variable &variable, const Variable &parameter) {
  auto value = std::make_shared<Expr>();
  value->kind = ExprKind::VarRef;
  value->type = parameter.type;
  value->range = parameter.range;
  value->var = &parameter;
  auto decl = std::make_shared<Stmt>();
  decl->kind = StmtKind::Decl;
  decl->range = parameter.range;
  decl->var = &variable;
  decl->expr = value;
  return decl;
}

/// The variable that the body names stops being the parameter; a new one, in
/// its place among the variables, is.
static const Variable *takeParameter(Function &function, size_t index) {
  auto parameter = std::make_unique<Variable>(*function.variables[index]);
  parameter->addressTaken = false;
  const Variable *result = parameter.get();
  std::shared_ptr<Variable> own = std::move(function.variables[index]);
  function.variables[index] = std::move(parameter);
  function.params[index] = result;
  own->isParam = false;
  own->type.isRestrict = false;
  own->name = nameBeside(function, own->name);
  function.variables.push_back(std::move(own));
  return result;
}

void separateArguments(Function &function) {
  bool isUsable = function.isKernel && !function.hasGoto && function.body &&
                  function.body->kind == StmtKind::Block;
  if (!isUsable)
    return;
  std::set<const Variable *> changed = changedIn(function.body);
  std::set<const Variable *> inText = namedInText(function.body);
  std::vector<StmtRef> declarations;
  for (size_t index = 0; index < function.params.size(); ++index) {
    const Variable *variable = function.params[index];
    if (!changed.count(variable) || inText.count(variable) ||
        variable->type.isVolatile)
      continue;
    const Variable *parameter = takeParameter(function, index);
    declarations.push_back(declareAs(*variable, *parameter));
  }
  if (declarations.empty())
    return;
  for (StmtRef *body : {&function.body, &function.written}) {
    if (!*body)
      continue;
    auto declaring = std::make_shared<Stmt>(**body);
    declaring->children.insert(declaring->children.begin(),
                               declarations.begin(), declarations.end());
    *body = declaring;
  }
}

} // namespace clopt
