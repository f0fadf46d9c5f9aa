//===- LaunchComparison.h - what two kernels made of buffers ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLaunchComparisonTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_LAUNCHCOMPARISON_H
#define CLOPT_RUNTIME_LAUNCHCOMPARISON_H

#include "Runtime/Execution.h"
#include "Runtime/Verify.h"

#include <functional>
#include <optional>

namespace clopt::runtime {

/// Launches a kernel on fresh buffers. Throws OpenCLError.
using KernelRun = std::function<Outcome()>;

/// Judges one launch of the original and the optimized kernel. What the
/// original does wrong itself is no fault of the other.
class LaunchComparison {
public:
  /// The launch is kept by reference.
  LaunchComparison(const Launch &what, const Tolerance &accepted)
      : launch(what), tolerance(accepted) {}

  /// Runs both, the original only when `expected` has nothing yet, or when it
  /// has to be asked whether it does the same in the place where the buffers
  /// lie now. What is found is added to `result`.
  void compare(const KernelRun &original, const KernelRun &optimized,
               std::optional<Outcome> &expected, LaunchResult &result) const;

private:
  bool changesNothing(const Outcome &outcome) const;
  void judge(const Outcome &expected, const Outcome &actual,
             LaunchResult &result) const;
  void judgeAccesses(const Outcome &expected, const Outcome &actual,
                     LaunchResult &result) const;
  void checkStable(const Outcome &first, const Outcome &second,
                   LaunchResult &result) const;

  const Launch &launch;
  const Tolerance tolerance;
};

/// What the options accept for a program built with these flags.
Tolerance toleranceFor(const VerifyOptions &options,
                       const std::vector<std::string> &flags);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_LAUNCHCOMPARISON_H
