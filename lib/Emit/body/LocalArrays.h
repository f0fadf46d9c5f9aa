//===- LocalArrays.h - the author's own local arrays ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's `__local` arrays have to be declared at its outermost scope, and
// the optimized body and the author's body should share them: two sets would
// double the local memory of a group and so lower the occupancy of both. So
// the declarations move to the top of the new body, in the author's spelling.
//
// Tested by test/unit/LocalArraysTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_LOCALARRAYS_H
#define CLOPT_EMIT_LOCALARRAYS_H

#include "Emit/lower/Lowering.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt {

struct LocalArrays {
  /// One line per declaration of the author, in order, padding applied.
  std::vector<std::string> declarations;
  /// The lines between the braces of the author's body, without the
  /// declarations, and all of them.
  std::string original, whole;
  /// Set when a declaration cannot be moved.
  std::optional<LoweringError> error;
};

LocalArrays hoistLocalArrays(const TransformedKernel &kernel);

/// The declaration of another array like one of the author's; empty when its
/// cells are neither numbers nor vectors, or the host makes room for it and it
/// is not known how much the kernel needs.
std::string declareLikeLocal(const TransformedKernel &kernel,
                             const std::string &name, const Variable &variable);

} // namespace clopt

#endif // CLOPT_EMIT_LOCALARRAYS_H
