//===- RunCosts.h - what a kernel asks of a device --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts what some groups of a launch do, however the text came about: requests
// and what of them caches hold, turns of local memory, operations, the way that
// one group takes alone. Values are computed only where they decide conditions
// or addresses. Times are made of this in lib/Planning/cost/KernelPrice.h.
//
// Tested by test/unit/RunCostsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_RUNCOSTS_H
#define CLOPT_VALIDATION_RUNCOSTS_H

#include "Target/DeviceProfile.h"
#include "Validation/KernelRun.h"

namespace clopt {

/// Sums over the groups that were counted. Operations are those of `lanes`
/// work-items together, as the device issues them.
struct RunCosts {
  int64_t launched = 0; ///< groups of the launch
  int64_t seen = 0;     ///< of these, those that ran
  int64_t busy = 0;     ///< of these, those that accessed memory
  int64_t counted = 0;  ///< of these, those that ran to their end
  int64_t items = 1;    ///< work-items of a group
  double operations = 0, doubles = 0, specials = 0, integers = 0;
  double branches = 0; ///< iterations and conditions
  /// Instructions of the groups that accessed no memory.
  double idleControl = 0;
  double accesses = 0; ///< instructions that access global or local memory
  double lines = 0;    ///< cache lines that requests are made of
  double localTurns = 0;
  double missedBytes = 0; ///< not in the cache of the compute unit
  double newBytes = 0;    ///< not touched by any group before
  double alone = 0;       ///< clocks of a group that has the device for itself
  double barriers = 0;
  int64_t localBytes = 0;   ///< of a group
  int64_t privateBytes = 0; ///< of a work-item: arrays and variables
  /// Bytes from the first to the last that was touched, of all buffers.
  double extent = 0;
};

/// Runs groups of the launch, chosen all over it: to their ends until `budget`
/// steps are spent, at least two of them, and more to see whether they do
/// anything. Nothing, with the reason in
/// `why`, where the kernel cannot be run.
std::optional<RunCosts> countCosts(const TranslationUnit &unit,
                                   const Function &kernel,
                                   const SmallLaunch &launch,
                                   const DeviceProfile &profile,
                                   uint64_t budget, std::string &why);

} // namespace clopt

#endif // CLOPT_VALIDATION_RUNCOSTS_H
