//===- GroupLoops.h - loops that a group takes together ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-items share the iterations of a loop (split-reduction), or take several
// of them at a time (rounds). Like the role of a loop (StripMine.h) this is
// asked for where the loop is: a step sees the kernel without it, and what the
// step leaves is asked for it again. So these steps are legal before another
// one where they are legal after it.
//
// Tested by test/unit/GroupLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_GROUPLOOPS_H
#define CLOPT_TRANSFORM_GROUPLOOPS_H

#include "Transform/Steps.h"

namespace clopt {

class GroupLoops {
public:
  /// Takes them from the kernel.
  explicit GroupLoops(TransformedKernel &kernel);

  /// Asks for all of them: refused where one of the steps is.
  StepResult giveBack(TransformedKernel &kernel, AliasMode alias) const;

private:
  struct SharedLoop {
    CooperativeReduction request;
    /// A statement of the loop, and how many loops are around that.
    unsigned statement = 0, depth = 0;
  };
  static std::optional<CooperativeReduction>
  requestIn(const TransformedKernel &kernel, const SharedLoop &shared);

  std::vector<SharedLoop> shared;
  std::vector<BatchedStrideLoop> rounds;
};

} // namespace clopt

#endif // CLOPT_TRANSFORM_GROUPLOOPS_H
