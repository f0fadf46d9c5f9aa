//===- ClangBodies.h - bodies in place of calls -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works on converted functions only. For use inside Frontend only.
//
// Tested by test/unit/ClangBodiesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_CLANGBODIES_H
#define CLOPT_FRONTEND_CLANGBODIES_H

#include "Model/Expr.h"

#include <functional>
#include <set>
#include <string>

namespace clopt {

/// True when the body of the function may stand where it is called.
bool isPlaceable(const Function &callee);

/// Names that the body depends on, but for those of the function's own
/// variables.
std::set<std::string> namesInBody(const Function &function);

/// Puts the bodies of functions in place of their calls, where these hide
/// accesses to memory or barriers. `mayStand` says whether all that a callee
/// names means the same in `caller`.
void placeBodies(Function &caller,
                 const std::function<bool(const Function &callee)> &mayStand);

} // namespace clopt

#endif // CLOPT_FRONTEND_CLANGBODIES_H
