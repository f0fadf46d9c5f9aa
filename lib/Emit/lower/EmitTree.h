//===- EmitTree.h - the code to write as stable text ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_EMITTREE_H
#define CLOPT_EMIT_EMITTREE_H

#include "Emit/lower/Lowering.h"

#include <string>

namespace clopt {

/// Both versions, one line for a node.
std::string printEmitTree(const TransformedKernel &kernel,
                          const LoweredKernel &lowered);
/// The same, lowered for it; empty and `error` where that fails.
std::string printEmitTree(const TransformedKernel &kernel, bool often,
                          LoweringError &error);

} // namespace clopt

#endif // CLOPT_EMIT_EMITTREE_H
