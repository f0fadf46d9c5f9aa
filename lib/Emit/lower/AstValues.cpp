//===- AstValues.cpp - isl's expressions read back as functions -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RemainderLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/AstValues.h"

#include <isl/aff.h>
#include <isl/ast.h>
#include <isl/id.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

namespace clopt {

isl::ast_expr astOperand(const isl::ast_expr &expr, int index) {
  return isl::manage(isl_ast_expr_get_op_arg(expr.get(), index));
}

static bool isOperation(const isl::ast_expr &expr) {
  return isl_ast_expr_get_type(expr.get()) == isl_ast_expr_op;
}

int64_t astNumber(const isl::ast_expr &expr) {
  isl::val value = isl::manage(isl_ast_expr_get_val(expr.get()));
  return isl_val_get_num_si(value.get());
}

isl_ast_expr_op_type astOperation(const isl::ast_expr &expr) {
  return isOperation(expr) ? isl_ast_expr_op_get_type(expr.get())
                           : isl_ast_expr_op_error;
}

std::vector<isl::ast_expr> astConjuncts(const isl::ast_expr &condition) {
  isl_ast_expr_op_type op = astOperation(condition);
  if (op != isl_ast_expr_op_and && op != isl_ast_expr_op_and_then)
    return {condition};
  std::vector<isl::ast_expr> result = astConjuncts(astOperand(condition, 0));
  for (const isl::ast_expr &operand : astConjuncts(astOperand(condition, 1)))
    result.push_back(operand);
  return result;
}

isl::pw_aff astName(isl_ctx *ctx, const std::string &name) {
  isl_id *id = isl_id_alloc(ctx, name.c_str(), nullptr);
  isl_space *space = isl_space_set_dim_id(isl_space_params_alloc(ctx, 1),
                                          isl_dim_param, 0, isl_id_copy(id));
  return isl::manage(isl_pw_aff_from_aff(
      isl_aff_param_on_domain_space_id(isl_space_set_from_params(space), id)));
}

/// The value of a plain number or name.
static isl::pw_aff leafOf(const isl::ast_expr &expr, isl_ctx *ctx) {
  isl_space *space = isl_space_set_from_params(isl_space_params_alloc(ctx, 0));
  if (isl_ast_expr_get_type(expr.get()) == isl_ast_expr_int)
    return isl::manage(isl_pw_aff_from_aff(isl_aff_val_on_domain(
        isl_local_space_from_space(space), isl_ast_expr_get_val(expr.get()))));
  isl_space_free(space);
  isl::id id = isl::manage(isl_ast_expr_get_id(expr.get()));
  return astName(ctx, isl_id_get_name(id.get()));
}

static MaybeValue divisionOf(const isl::ast_expr &expr, isl_ctx *ctx) {
  MaybeValue value = astValue(astOperand(expr, 0), ctx);
  isl::ast_expr by = astOperand(expr, 1);
  if (!value || isl_ast_expr_get_type(by.get()) != isl_ast_expr_int)
    return std::nullopt;
  isl_val *divisor = isl_ast_expr_get_val(by.get());
  isl_pw_aff *quotient = isl_pw_aff_floor(
      isl_pw_aff_scale_down_val(value->copy(), isl_val_copy(divisor)));
  bool isRest = astOperation(expr) != isl_ast_expr_op_fdiv_q &&
                astOperation(expr) != isl_ast_expr_op_pdiv_q;
  if (isRest)
    quotient = isl_pw_aff_sub(
        value->copy(), isl_pw_aff_scale_val(quotient, isl_val_copy(divisor)));
  isl_val_free(divisor);
  return isl::manage(quotient);
}

MaybeValue astValue(const isl::ast_expr &expr, isl_ctx *ctx) {
  if (!isOperation(expr))
    return leafOf(expr, ctx);
  switch (astOperation(expr)) {
  case isl_ast_expr_op_fdiv_q:
  case isl_ast_expr_op_pdiv_q:
  case isl_ast_expr_op_pdiv_r:
    return divisionOf(expr, ctx);
  case isl_ast_expr_op_minus:
    if (MaybeValue value = astValue(astOperand(expr, 0), ctx))
      return isl::manage(isl_pw_aff_neg(value->release()));
    return std::nullopt;
  case isl_ast_expr_op_add:
  case isl_ast_expr_op_sub:
  case isl_ast_expr_op_mul:
  case isl_ast_expr_op_max:
  case isl_ast_expr_op_min:
    break;
  default:
    return std::nullopt;
  }
  MaybeValue result = astValue(astOperand(expr, 0), ctx);
  int count = isl_ast_expr_get_op_n_arg(expr.get());
  for (int i = 1; result && i < count; ++i) {
    MaybeValue next = astValue(astOperand(expr, i), ctx);
    if (!next)
      return std::nullopt;
    isl_pw_aff *a = result->copy(), *b = next->copy();
    switch (astOperation(expr)) {
    case isl_ast_expr_op_add:
      a = isl_pw_aff_add(a, b);
      break;
    case isl_ast_expr_op_sub:
      a = isl_pw_aff_sub(a, b);
      break;
    case isl_ast_expr_op_max:
      a = isl_pw_aff_max(a, b);
      break;
    case isl_ast_expr_op_min:
      a = isl_pw_aff_min(a, b);
      break;
    default:
      if (isl_pw_aff_is_cst(a) != isl_bool_true &&
          isl_pw_aff_is_cst(b) != isl_bool_true) {
        isl_pw_aff_free(a);
        isl_pw_aff_free(b);
        return std::nullopt;
      }
      a = isl_pw_aff_mul(a, b);
    }
    result = isl::manage(a);
  }
  return result;
}

MaybeSet astCondition(const isl::ast_expr &expr, isl_ctx *ctx) {
  isl_ast_expr_op_type op = astOperation(expr);
  bool isAnd = op == isl_ast_expr_op_and || op == isl_ast_expr_op_and_then;
  if (isAnd) {
    MaybeSet left = astCondition(astOperand(expr, 0), ctx);
    MaybeSet right = astCondition(astOperand(expr, 1), ctx);
    return left && right ? MaybeSet(left->intersect(*right)) : std::nullopt;
  }
  if (op != isl_ast_expr_op_le && op != isl_ast_expr_op_lt &&
      op != isl_ast_expr_op_ge && op != isl_ast_expr_op_gt &&
      op != isl_ast_expr_op_eq)
    return std::nullopt;
  MaybeValue left = astValue(astOperand(expr, 0), ctx);
  MaybeValue right = astValue(astOperand(expr, 1), ctx);
  if (!left || !right)
    return std::nullopt;
  isl_pw_aff *a = left->release(), *b = right->release();
  isl_set *set = op == isl_ast_expr_op_le   ? isl_pw_aff_le_set(a, b)
                 : op == isl_ast_expr_op_lt ? isl_pw_aff_lt_set(a, b)
                 : op == isl_ast_expr_op_ge ? isl_pw_aff_ge_set(a, b)
                 : op == isl_ast_expr_op_gt ? isl_pw_aff_gt_set(a, b)
                                            : isl_pw_aff_eq_set(a, b);
  return isl::manage(isl_set_params(set));
}

} // namespace clopt
