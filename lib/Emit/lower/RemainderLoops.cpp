//===- RemainderLoops.cpp - where the iterations that are left over begin -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is known of the loop but its text: isl's expressions are read back as
// functions, and the two loops are compared for all values.
//
// Tested by test/unit/RemainderLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/RemainderLoops.h"

#include "Emit/lower/AstValues.h"

#include <isl/aff.h>
#include <isl/ast.h>
#include <isl/ast_type.h>
#include <isl/id.h>
#include <isl/set.h>
#include <isl/val.h>

#include <set>
#include <string>

namespace clopt {

static std::string nameOf(const isl::ast_expr &expr) {
  if (isl_ast_expr_get_type(expr.get()) != isl_ast_expr_id)
    return "";
  isl::id id = isl::manage(isl_ast_expr_get_id(expr.get()));
  return isl_id_get_name(id.get());
}

/// Whether the expression is a sum of names and numbers; takes the divisors of
/// divisions in it.
static bool isSum(const isl::ast_expr &expr, std::set<int64_t> &divisors) {
  if (astOperation(expr) == isl_ast_expr_op_error)
    return true;
  isl_ast_expr_op_type op = astOperation(expr);
  if (op == isl_ast_expr_op_fdiv_q || op == isl_ast_expr_op_pdiv_r) {
    isl::val by = isl::manage(isl_ast_expr_get_val(astOperand(expr, 1).get()));
    divisors.insert(isl_val_get_num_si(by.get()));
    return false;
  }
  bool result = op == isl_ast_expr_op_add || op == isl_ast_expr_op_sub ||
                op == isl_ast_expr_op_mul || op == isl_ast_expr_op_minus;
  int count = isl_ast_expr_get_op_n_arg(expr.get());
  for (int i = 0; i < count; ++i)
    result &= isSum(astOperand(expr, i), divisors);
  return result;
}

namespace {

/// A loop in steps of one up to `end`, behind a condition.
struct Rest {
  isl::set known;    ///< { : } values that are possible
  isl::set runs;     ///< { : } the condition
  isl::pw_aff first; ///< as isl has it
  isl::pw_aff end;   ///< one past the last value
};

} // namespace

static isl::set below(const isl::pw_aff &a, const isl::pw_aff &b) {
  return isl::manage(isl_set_params(isl_pw_aff_lt_set(a.copy(), b.copy())));
}

/// True when `end - (end - start) % factor`, as C computes it, begins the same
/// loop.
static bool isSame(const Rest &rest, const isl::pw_aff &start, int64_t factor) {
  isl_ctx *ctx = isl_set_get_ctx(rest.known.get());
  isl_val *by = isl_val_int_from_si(ctx, static_cast<long>(factor));
  isl::pw_aff count =
      isl::manage(isl_pw_aff_sub(rest.end.copy(), start.copy()));
  isl::pw_aff left = isl::manage(isl_pw_aff_mod_val(count.copy(), by));
  isl::pw_aff first = isl::manage(isl_pw_aff_sub(rest.end.copy(), left.copy()));
  // A count below zero: C's remainder is not above zero, and nothing runs.
  isl::set now = below(start, rest.end).intersect(below(first, rest.end));
  isl::set before = below(rest.first, rest.end).intersect(rest.runs);
  now = now.intersect(rest.known);
  before = before.intersect(rest.known);
  if (!now.is_equal(before))
    return false;
  isl::set same = isl::manage(
      isl_set_params(isl_pw_aff_eq_set(first.copy(), rest.first.copy())));
  return now.is_subset(same);
}

/// One past the last value that the condition lets through.
static std::optional<isl::ast_expr> endOf(const EmitNode &loop) {
  const isl::ast_expr &condition = *loop.condition;
  isl_ast_expr_op_type op = astOperation(condition);
  if (op != isl_ast_expr_op_lt && op != isl_ast_expr_op_le)
    return std::nullopt;
  std::set<int64_t> divisors;
  isl::ast_expr end = astOperand(condition, 1);
  if (nameOf(astOperand(condition, 0)) != loop.iterator ||
      !isSum(end, divisors))
    return std::nullopt;
  if (op == isl_ast_expr_op_lt)
    return end;
  isl_ctx *ctx = isl_ast_expr_get_ctx(end.get());
  return isl::manage(
      isl_ast_expr_add(end.copy(), isl_ast_expr_from_val(isl_val_one(ctx))));
}

static bool isOne(const isl::ast_expr &expr) {
  if (isl_ast_expr_get_type(expr.get()) != isl_ast_expr_int)
    return false;
  isl::val value = isl::manage(isl_ast_expr_get_val(expr.get()));
  return isl_val_is_one(value.get()) == isl_bool_true;
}

/// Sets the first value of the loop, and says whether the loop is then the same
/// as it was behind `condition`.
static bool simplify(EmitNode &loop, const isl::set &known,
                     const MaybeSet &condition) {
  isl_ctx *ctx = isl_set_get_ctx(known.get());
  bool isPlain = loop.kind == EmitNode::Kind::For && loop.condition &&
                 loop.lanes <= 1 && loop.unroll <= 1 && !loop.tile &&
                 loop.loopKind == EmitNode::LoopKind::Sequential &&
                 isOne(*loop.increment);
  if (!isPlain || astOperation(*loop.init) != isl_ast_expr_op_max)
    return false;
  std::optional<isl::ast_expr> end = endOf(loop);
  std::set<int64_t> divisors;
  isSum(*loop.init, divisors);
  if (!end || divisors.size() != 1 || *divisors.begin() < 2)
    return false;
  MaybeValue last = astValue(*end, ctx), first = astValue(*loop.init, ctx);
  if (!last || !first)
    return false;
  isl::set all = isl::manage(isl_set_universe(isl_set_get_space(known.get())));
  Rest rest = {known, condition.value_or(all), *first, *last};
  int count = isl_ast_expr_get_op_n_arg(loop.init->get());
  for (int i = 0; i < count; ++i) {
    isl::ast_expr start = astOperand(*loop.init, i);
    std::set<int64_t> unused;
    if (!isSum(start, unused) ||
        !isSame(rest, *astValue(start, ctx), *divisors.begin()))
      continue;
    isl_ast_expr *left =
        isl_ast_expr_pdiv_r(isl_ast_expr_sub(end->copy(), start.release()),
                            isl_ast_expr_from_val(isl_val_int_from_si(
                                ctx, static_cast<long>(*divisors.begin()))));
    loop.init = isl::manage(isl_ast_expr_sub(end->copy(), left));
    return true;
  }
  return false;
}

void simplifyRests(EmitNode &root, const isl::set &context) {
  if (root.kind == EmitNode::Kind::If) {
    isl_ctx *ctx = isl_set_get_ctx(context.get());
    MaybeSet condition = astCondition(*root.condition, ctx);
    if (condition && root.children.size() == 1 &&
        simplify(root.children[0], context, condition)) {
      EmitNode loop = std::move(root.children[0]);
      root = std::move(loop);
    } else if (condition) {
      simplifyRests(root.children[0], context.intersect(*condition));
      for (size_t i = 1; i < root.children.size(); ++i)
        simplifyRests(root.children[i], context);
      return;
    }
  }
  simplify(root, context, std::nullopt);
  for (EmitNode &child : root.children)
    simplifyRests(child, context);
}

} // namespace clopt
