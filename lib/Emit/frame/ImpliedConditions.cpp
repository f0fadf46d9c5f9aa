//===- ImpliedConditions.cpp - tests that say nothing new -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RemainderLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/ImpliedConditions.h"

#include "Emit/lower/AstValues.h"

#include <isl/aff.h>
#include <isl/ast.h>
#include <isl/ast_type.h>
#include <isl/set.h>

namespace clopt {

/// The condition without equations that the rest of it implies.
static isl::ast_expr simplified(const isl::ast_expr &condition,
                                const isl::set &context) {
  isl_ctx *ctx = isl_set_get_ctx(context.get());
  std::vector<isl::ast_expr> conjuncts = astConjuncts(condition);
  std::vector<isl::set> sets;
  for (const isl::ast_expr &conjunct : conjuncts) {
    MaybeSet set = astCondition(conjunct, ctx);
    if (!set)
      return condition;
    sets.push_back(*set);
  }
  for (size_t i = 0; i < conjuncts.size() && conjuncts.size() > 1;) {
    isl::set others = context;
    for (size_t j = 0; j < sets.size(); ++j)
      if (j != i)
        others = others.intersect(sets[j]);
    bool isIdle = astOperation(conjuncts[i]) == isl_ast_expr_op_eq &&
                  others.is_subset(sets[i]);
    if (!isIdle) {
      ++i;
      continue;
    }
    conjuncts.erase(conjuncts.begin() + static_cast<std::ptrdiff_t>(i));
    sets.erase(sets.begin() + static_cast<std::ptrdiff_t>(i));
  }
  isl_ast_expr *result = conjuncts[0].copy();
  for (size_t i = 1; i < conjuncts.size(); ++i)
    result = isl_ast_expr_and(result, conjuncts[i].copy());
  return isl::manage(result);
}

/// What holds in the iterations of the loop.
static isl::set inside(const EmitNode &loop, const isl::set &context) {
  isl_ctx *ctx = isl_set_get_ctx(context.get());
  isl::set result = context;
  if (!loop.init || !loop.condition)
    return result;
  if (MaybeSet below = astCondition(*loop.condition, ctx))
    result = result.intersect(*below);
  MaybeValue first = astValue(*loop.init, ctx);
  if (!first)
    return result;
  isl::pw_aff iterator = astName(ctx, loop.iterator);
  isl_set *above =
      isl_set_params(isl_pw_aff_ge_set(iterator.release(), first->release()));
  return result.intersect(isl::manage(above));
}

void dropImplied(EmitNode &root, const isl::set &context) {
  isl_ctx *ctx = isl_set_get_ctx(context.get());
  if (root.kind == EmitNode::Kind::For) {
    isl::set own = inside(root, context);
    for (EmitNode &child : root.children)
      dropImplied(child, own);
    return;
  }
  if (root.kind != EmitNode::Kind::If) {
    for (EmitNode &child : root.children)
      dropImplied(child, context);
    return;
  }
  MaybeSet condition = astCondition(*root.condition, ctx);
  root.condition = simplified(*root.condition, context);
  for (size_t i = 0; i < root.children.size(); ++i)
    dropImplied(root.children[i],
                i == 0 && condition ? context.intersect(*condition) : context);
}

} // namespace clopt
