//===- ClangBuiltins.h - what the builtins of OpenCL C do -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_CLANGBUILTINS_H
#define CLOPT_FRONTEND_CLANGBUILTINS_H

#include "Model/Expr.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace clopt {

struct BuiltinInfo {
  CallEffect effect = CallEffect::Opaque;
  /// With arguments of N components, each component of the result depends on
  /// that component of the arguments alone, in the way the scalar overload of
  /// the same name computes it. False for relations (true is 1 for scalars and
  /// -1 in vectors) and for convert_T, whose name holds the type.
  bool isElementwise = false;
  CallFamily family = CallFamily::None;
  std::string suffix; ///< of the family Convert: "_sat_rte"
};

/// What the builtin function called `name` does; unknown ones may do anything.
BuiltinInfo builtinInfo(llvm::StringRef name);

/// The query that a work-item function answers, if it is one.
std::optional<WorkItemQuery> workItemQuery(llvm::StringRef name);
/// False for get_work_dim and the linear ids.
bool takesDimension(WorkItemQuery query);

} // namespace clopt

#endif // CLOPT_FRONTEND_CLANGBUILTINS_H
