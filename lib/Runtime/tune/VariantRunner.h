//===- VariantRunner.h - texts compared and timed --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a variant beside the original in a process of its own, 'clopt-rt
// verify', which a crash or a hang ends without harm to the search. Tested by
// test/lit/tune and test/unit/RuntimeVariantRunnerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_TUNE_VARIANTRUNNER_H
#define CLOPT_RUNTIME_TUNE_VARIANTRUNNER_H

#include "Runtime/JsonDocument.h"
#include "Runtime/LaunchSpec.h"
#include "Runtime/Process.h"
#include "Runtime/Verify.h"
#include "Runtime/tune/TuneResults.h"
#include "Runtime/tune/VariantMaker.h"

#include <chrono>
#include <string>
#include <vector>

namespace clopt::runtime {

class VariantRunner {
public:
  /// Times are those of `where`, a point of the specification's sizes.
  VariantRunner(const VerifyOptions &what, const KernelSpec &kernel,
                const SizePoint &where, std::chrono::milliseconds limit);

  /// Compares and times the text with the first NDRange; the result
  /// gets times, or why there are none. `everywhere`: compared at all points of
  /// the sizes, with all NDRanges.
  void run(const MadeVariant &made, TuneResult &result, unsigned repeat,
           bool everywhere);

  /// Of the last run that got so far.
  const std::string &platform() const { return platformName; }
  const std::string &device() const { return deviceName; }
  const std::string &driver() const { return driverVersion; }

private:
  std::vector<std::string> command(const MadeVariant &made,
                                   const std::string &report, unsigned repeat,
                                   bool everywhere) const;

  const VerifyOptions &options;
  const KernelSpec &spec;
  const SizePoint point;
  const std::chrono::milliseconds timeLimit;
  const TemporaryFolder folder;
  std::string platformName, deviceName, driverVersion;
};

/// Reads what 'clopt-rt verify --json' wrote about the kernel: a fault of any
/// launch, and the times at the point.
void readVerifyReport(const Json &report, const std::string &kernel,
                      const SizePoint &point, TuneResult &result);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_TUNE_VARIANTRUNNER_H
