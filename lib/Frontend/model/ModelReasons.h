//===- ModelReasons.h - why a value is not known ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a note says of an expression whose value the model has not, or not in a
// form that isl can take: the innermost part that is to blame, and what helps.
//
// Tested by test/unit/ModelReasonsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_MODELREASONS_H
#define CLOPT_FRONTEND_MODELREASONS_H

#include "Model/KernelModel.h"

#include <string>

namespace clopt {

struct Reason {
  std::string why;  ///< "'col[k]' is read from memory"; empty when not known
  std::string hint; ///< empty when there is nothing better to say
};

/// Why the expression has no value that is affine in coordinates.
Reason whyUnknown(const KernelModel &model, const ExprRef &expr);
/// Why a statement under a condition, or a loop, is kept whole.
Reason whyKept(const KernelModel &model, const Stmt &stmt);
/// Why the address of an access is none: of its subscript, pointer, arguments.
Reason whyNotAffine(const KernelModel &model, const Expr &access);

} // namespace clopt

#endif // CLOPT_FRONTEND_MODELREASONS_H
