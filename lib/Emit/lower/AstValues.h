//===- AstValues.h - isl's expressions read back as functions ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What isl prints is sometimes more than is needed. To leave something out, its
// expressions are taken for functions of their names, parameters and iterators
// alike, and compared for all values.
//
// Tested by test/unit/RemainderLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_ASTVALUES_H
#define CLOPT_EMIT_ASTVALUES_H

#include <isl/ast_type.h>
#include <isl/cpp.h>

#include <optional>
#include <string>
#include <vector>

namespace clopt {

using MaybeValue = std::optional<isl::pw_aff>; // { [] -> [v] }
using MaybeSet = std::optional<isl::set>;      // { : }

isl::ast_expr astOperand(const isl::ast_expr &expr, int index);
/// The number that a literal is.
int64_t astNumber(const isl::ast_expr &expr);
/// The operation; isl_ast_expr_op_error for names and numbers.
isl_ast_expr_op_type astOperation(const isl::ast_expr &expr);
/// The operands of &&, or the condition itself.
std::vector<isl::ast_expr> astConjuncts(const isl::ast_expr &condition);

/// The value of a parameter or an iterator.
isl::pw_aff astName(isl_ctx *ctx, const std::string &name);
/// The value, with names as parameters; nothing where it is not affine.
MaybeValue astValue(const isl::ast_expr &expr, isl_ctx *ctx);
/// The values of the names for which a conjunction of comparisons holds;
/// nothing for other conditions.
MaybeSet astCondition(const isl::ast_expr &expr, isl_ctx *ctx);

} // namespace clopt

#endif // CLOPT_EMIT_ASTVALUES_H
