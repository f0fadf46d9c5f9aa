//===- RecipeComparison.h - recipes side by side ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same kernels under several recipes: each is compared with the original
// and timed beside it, as verify() does, so that ratios of recipes do not
// depend on how busy the machine was with either. docs/compare.md describes
// it. Tested by test/unit/RuntimeRecipeComparisonTest.cpp and
// test/lit/cli/compare.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_RECIPECOMPARISON_H
#define CLOPT_RUNTIME_RECIPECOMPARISON_H

#include "Runtime/RecipeRuns.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt::runtime {

struct RecipeComparisonOptions {
  VerifyOptions run; ///< of one kernel file, without plan
  std::vector<std::string> recipeFiles;
};

/// One kernel at one point of its sizes under one recipe.
struct RecipeResult {
  std::string recipe; ///< the file
  LaunchStatus status = LaunchStatus::Equal;
  std::string message;        ///< about every status but Equal
  std::optional<Times> times; ///< none: not good, or not timed
  /// Steps for the kernel that not all recipes have, in their order.
  std::vector<std::string> ownSteps;
};

struct RecipeComparison {
  std::string kernel;
  SizePoint point;
  std::optional<NDRange> range;      ///< none: nothing was launched
  std::vector<RecipeResult> results; ///< in the order of the recipes
  /// All have the same steps for the kernel, but not in the same order.
  bool isReordered = false;

  /// The index of the recipe that gains most; nothing without times.
  std::optional<std::size_t> best() const;
};

/// What each of these lists of steps has that not all of them have. A step that
/// stands twice in one and once in another is its second time.
std::vector<std::vector<std::string>>
ownSteps(const std::vector<std::vector<std::string>> &recipes);

class RecipeComparisonObserver : public VerifyObserver {
public:
  void pointDone(const PointResult &) override {}
  /// For every kernel of the specifications and each point of its sizes.
  virtual void comparisonDone(const RecipeComparison &comparison) = 0;
};

/// Throws Error when something goes wrong that is no fault of one recipe.
void compareRecipes(const RecipeComparisonOptions &options,
                    RecipeComparisonObserver &observer);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_RECIPECOMPARISON_H
