//===- OuterLoop.h - one more loop around a loop ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cutting the iterations of a loop into pieces is one more loop around it, over
// the pieces, with a coordinate of its own. What a piece is is said by the
// step: tiles of nested loops, the iterations that are peeled off and the
// others. While the pieces are in the order of the iterations, nothing changes
// its order.
//
// Tested by test/unit/TileNestTest.cpp and PeelTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_OUTERLOOP_H
#define CLOPT_TRANSFORM_OUTERLOOP_H

#include "Transform/Steps.h"

#include <functional>
#include <string>
#include <vector>

namespace clopt {

struct OuterLoop {
  std::string suffix; ///< of its name, behind that of the loop
  Polynomial first;
  int64_t step = 1;
  /// The first iteration of the loop within a piece, which its symbol names.
  std::function<Polynomial(KernelModel &, SymbolId)> innerFirst;
  /// { S[..., piece, k, ...] : iteration k is in the piece }
  std::function<isl::set(const KernelModel &, const isl::space &,
                         const std::vector<SymbolId> &, SymbolId)>
      where;
};

/// Why there can be no loop around this one.
StepResult checkOuterLoop(const TransformedKernel &kernel, unsigned loop);

/// Gives the kernel a model with the loop; its index.
unsigned addOuterLoop(TransformedKernel &kernel, unsigned loop,
                      const OuterLoop &added);

/// { S[coordinates...] : poly >= 0 }; the polynomial is affine.
isl::set whereAtLeastZero(const KernelModel &model, const isl::space &space,
                          const std::vector<SymbolId> &coordinates,
                          const Polynomial &poly);

} // namespace clopt

#endif // CLOPT_TRANSFORM_OUTERLOOP_H
