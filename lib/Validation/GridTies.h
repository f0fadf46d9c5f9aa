//===- GridTies.h - which argument is the size of the launch ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `if (i < n)` says that the launch has n work-items or more, `a[i * n + j]`
// that it has no more than n. A kernel may say neither.
//
// Tested by test/unit/LaunchSkeletonTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_GRIDTIES_H
#define CLOPT_VALIDATION_GRIDTIES_H

#include "Model/KernelModel.h"

#include <array>

namespace clopt {

struct GridTie {
  /// What the launch's size is, a sum of parameters of the model.
  Polynomial size;
  /// The launch may be larger: what is beyond accesses no buffer.
  bool isGuarded = false;
  bool isGuess = false; ///< any other size would do
};

/// By dimension of the launch; nothing where no argument has to do with it.
/// `local`: the group, where the kernel has been told to depend on it. May
/// throw isl::exception.
std::array<std::optional<GridTie>, 3>
findGridTies(const KernelModel &model, const std::array<int64_t, 3> &local);

} // namespace clopt

#endif // CLOPT_VALIDATION_GRIDTIES_H
