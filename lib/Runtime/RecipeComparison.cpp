//===- RecipeComparison.cpp - recipes side by side ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/RecipeComparison.h"

#include "Runtime/ArgumentTypes.h"
#include "Runtime/Error.h"

#include <algorithm>
#include <map>
#include <set>

namespace clopt::runtime {

namespace {

/// What became of one recipe.
struct Run {
  std::vector<PointResult> points;
  std::string error; ///< why there are none, or empty
};

class Comparer {
public:
  Comparer(const RecipeComparisonOptions &what,
           RecipeComparisonObserver &listener)
      : options(what), observer(listener), runs(what.run, listener) {
    // What is wrong with a file is said before anything runs.
    for (const std::string &file : options.recipeFiles)
      recipes.push_back(splitRecipe(runs.recipeText(file)));
  }

  void run() {
    std::vector<Run> all;
    for (const std::string &file : options.recipeFiles) {
      observer.activity("recipe '" + file + "'", all.size(), recipes.size());
      all.push_back(runOne(file));
    }
    const Run *good = nullptr;
    for (const Run &one : all)
      if (one.error.empty() && !good)
        good = &one;
    if (!good)
      throw Error(all.front().error);
    for (std::size_t i = 0; i < good->points.size(); ++i)
      observer.comparisonDone(compare(good->points[i], i, all));
  }

private:
  /// The one that is wanted, or that all recipes are for; empty: all kernels.
  std::string onlyKernel() const {
    if (!options.run.onlyKernel.empty())
      return options.run.onlyKernel;
    std::set<std::string> kernels;
    for (const std::vector<KernelSteps> &recipe : recipes)
      for (const KernelSteps &section : recipe)
        kernels.insert(section.kernel);
    return kernels.size() == 1 ? *kernels.begin() : "";
  }

  Run runOne(const std::string &file) {
    Run result;
    try {
      result.points = runs.run(file, onlyKernel());
    } catch (const SpecMismatch &) {
      throw;
    } catch (const Error &error) {
      // A step that is refused, a text that does not build.
      result.error = error.what();
    }
    return result;
  }

  RecipeComparison compare(const PointResult &point, std::size_t index,
                           const std::vector<Run> &all) const {
    RecipeComparison comparison;
    comparison.kernel = point.kernel;
    comparison.point = point.point;
    if (!point.launches.empty())
      comparison.range = point.launches.front().range;
    std::vector<std::vector<std::string>> steps;
    for (const std::vector<KernelSteps> &recipe : recipes)
      steps.push_back(stepsFor(recipe, point.kernel));
    const std::vector<std::vector<std::string>> own = ownSteps(steps);
    comparison.isReordered =
        std::all_of(own.begin(), own.end(),
                    [](const auto &list) { return list.empty(); }) &&
        std::any_of(steps.begin(), steps.end(),
                    [&](const auto &list) { return list != steps.front(); });
    for (std::size_t i = 0; i < all.size(); ++i) {
      RecipeResult result;
      result.recipe = options.recipeFiles[i];
      result.ownSteps = own[i];
      if (index < all[i].points.size()) {
        const LaunchResult summary = all[i].points[index].summary();
        result.status = summary.status;
        result.message = summary.message;
        result.times = all[i].points[index].times;
      } else {
        result.status = LaunchStatus::Failed;
        result.message = all[i].error;
      }
      comparison.results.push_back(std::move(result));
    }
    return comparison;
  }

  const RecipeComparisonOptions &options;
  RecipeComparisonObserver &observer;
  RecipeRuns runs;
  std::vector<std::vector<KernelSteps>> recipes;
};

} // namespace

std::vector<std::vector<std::string>>
ownSteps(const std::vector<std::vector<std::string>> &recipes) {
  // How often every recipe has a step at least.
  std::map<std::string, std::size_t> common;
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    std::map<std::string, std::size_t> counts;
    for (const std::string &step : recipes[i])
      ++counts[step];
    if (i == 0)
      common = counts;
    for (auto &[step, count] : common)
      count = std::min(count, counts.count(step) ? counts[step] : 0);
  }
  std::vector<std::vector<std::string>> result;
  for (const std::vector<std::string> &recipe : recipes) {
    std::map<std::string, std::size_t> left = common;
    result.emplace_back();
    for (const std::string &step : recipe)
      if (left[step] != 0)
        --left[step];
      else
        result.back().push_back(step);
  }
  return result;
}

std::optional<std::size_t> RecipeComparison::best() const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].times &&
        (!found || results[i].times->ratio() > results[*found].times->ratio()))
      found = i;
  return found;
}

void compareRecipes(const RecipeComparisonOptions &options,
                    RecipeComparisonObserver &observer) {
  Comparer(options, observer).run();
}

} // namespace clopt::runtime
