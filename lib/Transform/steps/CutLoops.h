//===- CutLoops.h - loops that the author has cut ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ForwardTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_CUTLOOPS_H
#define CLOPT_TRANSFORM_CUTLOOPS_H

#include "Model/KernelModel.h"

namespace clopt {

/// The kernel with one loop for each two that count one number together:
///
///   for (int t = 0; t < n; t++)
///     for (int k = 0; k < 16; k++)
///       s += a[16 * t + k];
///
///   for (int k = 0; k < 16L * n; k++)
///     s += a[k];
///
/// Where a condition holds in the first iterations, or the last, the others get
/// a loop of their own. Null where there are none.
std::shared_ptr<Function> withLoopsJoined(const KernelModel &model);

} // namespace clopt

#endif // CLOPT_TRANSFORM_CUTLOOPS_H
