//===- StripMine.h - one loop as two, and how a loop runs -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop runs its iterations in tiles, as lanes of vectors and in copies: what
// a node of the tree says of it is its role. One node has one level of tiles,
// or lanes and copies of them. More than that are more loops: strip-mining
// makes a loop over tiles of its own, which leaves the order of the iterations
// and the role of the loop as they were.
//
// What moves a loop takes its role, and gives it again where the loop then is:
// each part of it is asked for as if it were asked for there.
//
// Tested by test/unit/StripMineTest.cpp and TileNestTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_STRIPMINE_H
#define CLOPT_TRANSFORM_STRIPMINE_H

#include "Transform/Steps.h"

namespace clopt {

/// Makes `loop` one over `count` iterations at most, and a loop over these
/// tiles around it; `tiles` becomes its index.
StepResult stripMine(TransformedKernel &kernel, unsigned loop, unsigned count,
                     unsigned &tiles);

/// How the iterations of a loop run; see ScheduleNode.
struct LoopRole {
  unsigned tile = 0, lanes = 1, unroll = 1;
  bool isPlain() const { return !tile && lanes == 1 && unroll == 1; }
};

/// Lets the loop run one iteration after the other; what it did before.
LoopRole takeRole(TransformedKernel &kernel, unsigned loop);

/// Asks for all of it: refused where one of the steps is.
StepResult giveRole(TransformedKernel &kernel, unsigned loop,
                    const LoopRole &role, AliasMode alias);

/// The roles of loops that are about to be moved, and of the one that runs as
/// vectors: what moves in its body may be what its lanes rely on.
class LoopRoles {
public:
  /// Takes them.
  LoopRoles(TransformedKernel &kernel, std::vector<unsigned> loops);
  StepResult giveBack(TransformedKernel &kernel, AliasMode alias) const;
  /// The second loop is part of the first one, which does what either did.
  void join(unsigned first, unsigned second);

private:
  std::vector<std::pair<unsigned, LoopRole>> roles;
};

} // namespace clopt

#endif // CLOPT_TRANSFORM_STRIPMINE_H
