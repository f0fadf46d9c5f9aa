//===- TuneStrategy.h - which recipe is tried next -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways through the recipes around the one that a search begins with. A strategy
// proposes a candidate and is told what came of it; it neither makes nor runs
// anything. The same seed and the same answers give the same candidates.
//
//   random        walks of one to three changes away from the beginning
//   local         all neighbours of the best one, those first of which the
//                 model expects most; a better one becomes the next centre
//   evolutionary  the best ones are changed and crossed, in a steady state:
//                 parents win tournaments of two
//
// Tested by test/unit/RuntimeTuneStrategyTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_TUNE_TUNESTRATEGY_H
#define CLOPT_RUNTIME_TUNE_TUNESTRATEGY_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clopt::runtime {

/// The steps of one kernel, each as a line of a recipe.
using Steps = std::vector<std::string>;

/// "privatize C; coarsen i:4"; empty for the author's text.
std::string joinSteps(const Steps &steps);
Steps splitSteps(const std::string &text);

struct Candidate {
  Steps steps;
  std::string change;           ///< against where it was found, for people
  std::optional<double> clocks; ///< predicted for one work-item
};

/// Legal recipes around another.
struct CandidateNeighbours {
  Candidate centre; ///< without the steps that are refused
  std::vector<Candidate> others;
};

class CandidateSource {
public:
  virtual ~CandidateSource() = default;
  /// Kept by the source: asking again costs nothing.
  virtual const CandidateNeighbours &neighbours(const Steps &steps) = 0;
};

class TuneStrategy {
public:
  virtual ~TuneStrategy() = default;
  /// A candidate that was neither proposed nor told of before; nothing when
  /// none is found.
  virtual std::optional<Candidate> next() = 0;
  /// The time of these steps as a part of the original's; nothing when they
  /// are not valid or were not run. What is told before the first next() is
  /// where the search begins.
  virtual void tell(const Steps &steps, std::optional<double> time) = 0;
};

/// "random", "local", "evolutionary".
const std::vector<std::string> &strategyNames();
/// The source is kept by reference. Throws Error for an unknown name.
std::unique_ptr<TuneStrategy> makeStrategy(const std::string &name,
                                           std::uint64_t seed,
                                           CandidateSource &source);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_TUNE_TUNESTRATEGY_H
