//===- LaunchRaces.h - launches in which work-items meet --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-items that write one cell of global memory have no order, so such a
// launch has no result to compare: rows of 512 elements that are written with
// 600 values each. What small launches show may be wrong for large ones.
//
// Tested by test/unit/LaunchSkeletonTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_LAUNCHRACES_H
#define CLOPT_VALIDATION_LAUNCHRACES_H

#include "Model/KernelModel.h"
#include "Validation/KernelRun.h"
#include "Validation/ParametricSet.h"

#include <vector>

namespace clopt {

/// The meetings of accesses in global memory that the model knows exactly,
/// ready for many launches. None where they take too long to compute.
class LaunchRaces {
public:
  explicit LaunchRaces(const KernelModel &model);

  /// Whether two work-items that no barrier orders access a cell in the launch,
  /// and one of them writes it. False where that is not known.
  bool occurIn(const SmallLaunch &launch) const;

private:
  const KernelModel &model;
  std::vector<ParametricSet> meetings; ///< { [w..., i..., w'..., j...] }
};

} // namespace clopt

#endif // CLOPT_VALIDATION_LAUNCHRACES_H
