//===- Ladder.h - what each step of a recipe gains -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a recipe are added one at a time. Each rung is compared with the
// original and timed beside it, as verify() does, so that what is shown is the
// gain or the loss of one step after those before it. docs/ladder.md describes
// it. Tested by test/unit/RuntimeLadderTest.cpp and test/lit/cli/ladder.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_LADDER_H
#define CLOPT_RUNTIME_LADDER_H

#include "Runtime/RecipeRuns.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt::runtime {

/// The recipe of the first `count` steps for `kernel` alone.
std::string recipePrefix(const std::string &kernel,
                         const std::vector<std::string> &steps,
                         std::size_t count);

/// One step more than the rung before it.
struct Rung {
  std::string step; ///< as in the recipe
  LaunchStatus status = LaunchStatus::Equal;
  std::string message;        ///< about every status but Equal
  std::optional<Times> times; ///< none: not good, or not timed
  double gain = 0;            ///< over the rung before; 0: unknown
};

struct LadderResult {
  std::string kernel;
  SizePoint point;
  NDRange range;
  std::vector<Rung> rungs; ///< none: the recipe has no step for it
};

/// Fills the gains from the times.
void computeGains(std::vector<Rung> &rungs);

struct LadderOptions {
  VerifyOptions run;      ///< of one kernel file, without plan
  std::string recipeFile; ///< empty: what clopt does on its own
};

class LadderObserver : public VerifyObserver {
public:
  void pointDone(const PointResult &) override {}
  /// For every kernel of the specifications and each point of its sizes.
  virtual void ladderDone(const LadderResult &result) = 0;
};

/// Throws Error when something goes wrong that is no fault of one rung.
void climbLadder(const LadderOptions &options, LadderObserver &observer);

/// A bar for each rung and one for the original.
std::string ladderChart(const std::vector<LadderResult> &results);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_LADDER_H
