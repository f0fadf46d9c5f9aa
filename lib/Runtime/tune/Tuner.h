//===- Tuner.h - the search for the fastest recipe -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Begins with what the planner does and tries recipes around it: each is made
// and validated by clopt, compared with the original and timed beside it, in
// processes with a time limit. docs/tune.md describes it. Tested by
// test/lit/tune.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_TUNE_TUNER_H
#define CLOPT_RUNTIME_TUNE_TUNER_H

#include "Runtime/Verify.h"
#include "Runtime/tune/TuneResults.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace clopt::runtime {

struct TuneOptions {
  /// Of one kernel file; isPlanned: with the plan that clopt writes.
  VerifyOptions run;
  std::string strategy = "local";
  double budgetSeconds = 0;      ///< of the search; 0: no limit
  std::size_t maxVariants = 100; ///< with times or without, per kernel
  double variantSeconds = 60;    ///< of each process
  /// Recipes for which the model predicts more than so many times the clocks of
  /// the planner's are not run; 0: all are.
  double pruneFactor = 4;
  std::string resultsFile;              ///< T4; read first when it is there
  std::vector<std::string> importFiles; ///< caches of kernel_tuner
  std::string exportFile;               ///< one of these
  std::string databaseFile;
  /// Asked before each variant; true ends the search.
  std::function<bool()> isStopped = [] { return false; };
};

/// What came of the search for one kernel.
struct TuneSummary {
  TuneRecord record; ///< what was measured, and what it is of
  Steps planned;     ///< the planner's recipe
  /// The fastest one, measured again with the planner's; nothing when no recipe
  /// was valid, or the search was stopped before.
  std::optional<TuneResult> best, plannedResult;
  std::size_t pruned = 0; ///< not run, by the model
  std::size_t alike = 0;  ///< made a text that was known already
  std::size_t reread = 0; ///< taken from the file of results
  bool isStopped = false;
};

class TuneObserver {
public:
  virtual ~TuneObserver() = default;
  virtual void kernelBegins(const TuneSubject &) {}
  /// Before something that takes a while: the number of variants so far.
  virtual void activity(const std::string &what, std::size_t done) = 0;
  virtual void variantDone(const TuneResult &result,
                           const std::string &change) = 0;
  virtual void kernelDone(const TuneSummary &summary) = 0;
};

/// Groups worth trying in so many dimensions: powers of two with 32 to 1024
/// work-items, never wider in the second dimension. None in no dimension.
std::vector<std::vector<std::int64_t>> usualGroups(std::size_t dimensions);

/// Every kernel of the specifications by itself, in its largest launch. Throws
/// Error when something goes wrong that is no fault of one variant.
void tune(const TuneOptions &options, TuneObserver &observer);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_TUNE_TUNER_H
