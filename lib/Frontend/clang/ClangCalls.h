//===- ClangCalls.h - what helpers do, and helpers put in place -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works on converted functions only. For use inside Frontend only.
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_CLANGCALLS_H
#define CLOPT_FRONTEND_CLANGCALLS_H

#include "Model/Expr.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clopt {

/// What a call of a converted function may do.
CallEffect effectOfBody(const Function &function);

/// Sets Variable::addressTaken of the function's own variables.
void markAddressTaken(Function &function);

/// A body that is one expression after set-once local variables.
struct InlineBody {
  std::vector<std::pair<const Variable *, ExprRef>> locals;
  ExprRef result; ///< null when the function has no such body
  /// `result` is an assignment, a store or a barrier and no value: it may only
  /// replace a call that is a statement.
  bool isStatement = false;
  /// Names that the locals, the result and the conversions of arguments depend
  /// on, but for those of the function's own variables.
  std::set<std::string> names;
};

InlineBody findInlineBody(const Function &function);

/// What compilers may make of the text around a call (`FP_CONTRACT`, on by
/// default): one operation of a product and the sum that takes it in. The call
/// itself keeps a product on one side from a sum on the other.
enum class Fusion {
  Free,  ///< the flags allow it anywhere
  Kept,  ///< no product of an argument may come beside a sum of the body
  AsTerm ///< nor a product that the body returns: a sum takes in the call
};

/// The value of a call as an expression over the arguments, whose conversions
/// to the parameters' types they already carry; null when the result would be
/// large, an argument has effects, or where `needsVariables` is set: an
/// argument would be repeated that is costly, or `fusion` forbids the result.
ExprRef inlineCall(const Function &function, const InlineBody &body,
                   const std::vector<ExprRef> &arguments,
                   const SourceRange &callRange, Fusion fusion,
                   bool &needsVariables);

/// A floating-point product, or one with another sign, that a sum could take
/// in.
bool isFusable(const Expr &expr);
/// A floating-point sum or difference, also one that is assigned.
bool isFusingSum(const Expr &expr);

/// A conversion that nothing at another place would repeat, as an explicit one.
/// One from a named address space to the generic one is not wanted there.
ExprRef makeExplicit(const ExprRef &expr);

/// *&x is x, and the base of a subscript may be an array: arguments that were
/// passed by address end here.
ExprRef withoutAddress(const std::shared_ptr<Expr> &expr);

} // namespace clopt

#endif // CLOPT_FRONTEND_CLANGCALLS_H
