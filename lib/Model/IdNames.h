//===- IdNames.h - variables that name a dimension -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `int x = get_global_id(0) + 1;` names dimension 0 as well as
// `int x = get_global_id(0);` does: recipes and new variables may use it.
//
// Tested by test/unit/ApplyTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_IDNAMES_H
#define CLOPT_MODEL_IDNAMES_H

#include "Model/KernelModel.h"

#include <set>

namespace clopt {

/// The first integer variable that is set once, where it is declared, to the
/// id of the dimension plus a constant other than 0; null when there is none.
const Variable *shiftedIdVariable(const KernelModel &model, unsigned dim);

/// Variables that heads of loops set and change, which are no accesses.
std::set<const Variable *> loopVariables(const KernelModel &model);

} // namespace clopt

#endif // CLOPT_MODEL_IDNAMES_H
