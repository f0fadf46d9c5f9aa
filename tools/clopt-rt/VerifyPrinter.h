//===- VerifyPrinter.h - what a user sees of `verify` ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_VERIFYPRINTER_H
#define CLOPT_TOOLS_VERIFYPRINTER_H

#include "Runtime/JsonDocument.h"
#include "Runtime/Verify.h"

#include <chrono>
#include <cstddef>
#include <set>
#include <string>

namespace clopt::runtime {

/// What came out of one launch, in a line.
std::string describeLaunch(const LaunchResult &launch);

/// Prints a line per kernel and point of the sizes to standard output, progress
/// to standard error, and keeps everything for the JSON report.
class VerifyPrinter : public VerifyObserver {
public:
  /// `tolerates`: results may be within a tolerance instead of equal.
  VerifyPrinter(bool isVerbose, bool tolerates);
  ~VerifyPrinter() override;

  void deviceChosen(const Device &device) override;
  void pointsPlanned(const std::vector<PlannedPoint> &points) override;
  void fileBegins(const std::string &file) override;
  void activity(const std::string &what, std::size_t done,
                std::size_t total) override;
  void cloptSaid(const std::string &output) override;
  void entriesUnknown(const std::string &what, const std::string &log) override;
  void pointDone(const PointResult &result) override;
  void kernelDone(const KernelCoverage &coverage) override;

  /// The last line, once everything ran.
  void printSummary();

  bool allGood() const { return badLaunches == 0; }
  /// False if a kernel has a new body that no launch says anything about.
  bool allEntered() const { return missed == 0; }

  /// The results as docs/launch-spec.md describes them.
  const Json &report() const { return json; }

private:
  void clearProgress();
  void printLaunch(const LaunchResult &launch, const std::string &kernel);
  void printTimes(const Times &times, const LaunchResult &timed);
  void printMeans();

  using Clock = std::chrono::steady_clock;

  const bool verbose;
  const bool terminal;
  bool progressShown = false;
  std::string file; // that is compared; empty if there is one only
  Clock::time_point lastProgress;
  std::size_t launches = 0;
  std::size_t badLaunches = 0;
  std::size_t skipped = 0;
  std::size_t notComparable = 0;
  std::size_t tolerated = 0;
  std::size_t known = 0, entered = 0; // launches, of kernels with new bodies
  std::size_t missed = 0;             // such kernels without a launch
  std::set<std::string> noted;
  /// Of the columns.
  std::size_t kernelWidth = 12, pointWidth = 16;
  const std::size_t statusWidth;

  /// The geometric mean of ratios.
  struct Mean {
    double logarithms = 0;
    std::size_t count = 0;
    void add(double ratio);
    double value() const;
  };
  Mean mean, shortMean; // the second is of launches that are too short
  Json json;
};

} // namespace clopt::runtime

#endif // CLOPT_TOOLS_VERIFYPRINTER_H
