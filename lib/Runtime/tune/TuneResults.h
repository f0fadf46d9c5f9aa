//===- TuneResults.h - what came of each recipe ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of a search, and their file: the T4 format of the auto-tuning
// community, version 1.0.0, with what they are about in "metadata".
// docs/tune.md describes it. Tested by test/unit/RuntimeTuneResultsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_TUNE_TUNERESULTS_H
#define CLOPT_RUNTIME_TUNE_TUNERESULTS_H

#include "Runtime/JsonDocument.h"
#include "Runtime/LaunchSpec.h"
#include "Runtime/tune/TuneStrategy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clopt::runtime {

/// Why a recipe is of no use, in the words of T4.
enum class Invalidity {
  Correct,     ///< it is
  Constraints, ///< a step is refused, or the launch does not reach the new body
  Compile,     ///< the new text does not build
  Runtime,     ///< the process ended badly
  Correctness, ///< the results are not those of the original
  Timeout      ///< no answer in time
};

/// "correct", "constraints", ...
const char *invalidityName(Invalidity value);

struct TuneResult {
  Steps steps;
  /// Of the plan's own NDRange, along two dimensions; empty: as clopt has it.
  std::vector<std::int64_t> group;
  Invalidity invalidity = Invalidity::Correct;
  std::string message;      ///< about every other one
  double originalMs = 0;    ///< median, beside it
  double ms = 0;            ///< median
  std::vector<double> runs; ///< milliseconds
  double makeSeconds = 0;   ///< clopt
  double runSeconds = 0;    ///< building, comparing and timing
  std::string timestamp;    ///< ISO 8601, UTC
  std::string variant;      ///< of the launch plan, that the times are of

  bool isCorrect() const { return invalidity == Invalidity::Correct; }
  /// The time as a part of the original's, which ran in turn with it.
  double relative() const { return ms / originalMs; }
  /// Recipe and group, for people and as a key.
  std::string name() const;
};

/// What results are of. Those of another subject say nothing of this one.
struct TuneSubject {
  std::string source; ///< SHA-256 of the kernel file
  std::vector<std::string> flags;
  std::string kernel;
  std::string target;
  std::string platform, device, driver;
  SizePoint sizes;
  std::int64_t workItems = 0;
  bool isPlanned = false; ///< with a launch plan

  /// The logarithm, rounded down: launches of one class are alike.
  std::int64_t sizeClass() const;
  /// "drop-in" or "plan".
  const char *form() const { return isPlanned ? "plan" : "drop-in"; }
  bool operator==(const TuneSubject &other) const;
};

struct TuneRecord {
  TuneSubject subject;
  std::vector<TuneResult> results; ///< in the order in which they came
};

/// The valid results, by their times as parts of the original's.
std::vector<TuneResult> fastestFirst(const TuneRecord &record);

/// The file of the results of one kernel.
Json toT4(const TuneRecord &record);
/// Throws Error at the place of what is wrong.
TuneRecord fromT4(const JsonDocument &document);

/// A cache file of kernel_tuner with the recipe as its only parameter; results
/// with groups of their own are left out.
Json toKernelTunerCache(const TuneRecord &record);
/// The recipes of such a file, fastest first, failed ones left out. Throws
/// Error for one with other parameters. kernel_tuner leaves the end of its file
/// open while it runs; that is read as well.
std::vector<Steps> fromKernelTunerCache(const std::string &path,
                                        const std::string &text);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_TUNE_TUNERESULTS_H
