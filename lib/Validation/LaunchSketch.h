//===- LaunchSketch.h - launches for a device, from the kernel --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a launch specification of a kernel alone: launches like those that the
// kernel is validated with, but larger, with buffers for all that they access.
// Small ones run symbolically before they are proposed.
//
// Tested by test/unit/LaunchSkeletonTest.cpp, test/run/check_skeleton.py.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_LAUNCHSKETCH_H
#define CLOPT_VALIDATION_LAUNCHSKETCH_H

#include "Model/TransformedKernel.h"
#include "Validation/KernelRun.h"
#include "clopt/LaunchSkeleton.h"

namespace clopt {

/// `kernel`: as the author wrote it, without steps. May throw isl::exception.
LaunchSkeleton sketchLaunch(const TransformedKernel &kernel);

/// A launch as large as those that devices are made for, of groups that the
/// kernel is made for, or of `usual` ones. Nothing where the kernel tells too
/// little. May throw isl::exception.
std::optional<SmallLaunch>
sketchLargeLaunch(const TransformedKernel &kernel,
                  const std::array<int64_t, 3> &usual);

} // namespace clopt

#endif // CLOPT_VALIDATION_LAUNCHSKETCH_H
