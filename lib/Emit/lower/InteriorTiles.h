//===- InteriorTiles.h - the fast version away from borders -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel as the tiles of the fast version see it: atoms that take one
// branch there are replaced by it, conditional expressions by their operand,
// and statements that no such tile executes are gone.
//
// Tested by test/unit/InteriorTilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_INTERIORTILES_H
#define CLOPT_EMIT_INTERIORTILES_H

#include "Model/TransformedKernel.h"

namespace clopt {

class InteriorKernel {
public:
  /// `dead`: keys of the statements and copies that no such tile executes.
  InteriorKernel(const TransformedKernel &kernel, const std::set<int> &dead);
  InteriorKernel(const InteriorKernel &) = delete;
  InteriorKernel &operator=(const InteriorKernel &) = delete;

  const TransformedKernel &kernel() const { return resolved; }

private:
  std::optional<KernelModel> model;
  TransformedKernel resolved;
};

} // namespace clopt

#endif // CLOPT_EMIT_INTERIORTILES_H
