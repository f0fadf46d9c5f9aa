//===- Recipe.h - ordered, replayable optimization steps --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recipe says what is done to each kernel, one step per line:
//
//   kernel mm
//   privatize  C
//   coarsen    i:4
//   vectorize  j:8
//   unroll     k:2
//
// The planner, a tuner and a person write the same text; docs/recipes.md has
// the grammar.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RECIPE_H
#define CLOPT_RECIPE_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clopt {

/// `name:count` of a step: a loop or work dimension and its factor.
struct StepTarget {
  std::string name;
  std::optional<int64_t> count;
};

/// One change of an array's layout: "transpose", "skew:1", "matrix:0,1,1,0".
struct LayoutChange {
  std::string name;
  std::vector<int64_t> numbers;
};

/// One line of a recipe.
struct Step {
  std::string name; ///< "vectorize"
  std::vector<StepTarget> targets;
  std::vector<LayoutChange> changes; ///< of layout, in order
  std::vector<std::string> flags;    ///< words after the targets: "stride"
  std::vector<std::pair<std::string, int64_t>> parameters; ///< "load=4"
  unsigned line = 0;   ///< in the recipe, from 1; 0 when made by the planner
  unsigned column = 0; ///< of the step's name

  bool hasFlag(const std::string &flag) const;
  std::optional<int64_t> parameter(const std::string &key) const;
};

struct KernelRecipe {
  std::string kernel;
  std::vector<Step> steps;
  unsigned line = 0;
  /// `kernel NAME plan`: of a further kernel that the launch plan uses.
  bool forPlan = false;
};

struct Recipe {
  std::vector<KernelRecipe> kernels;
  const KernelRecipe *find(const std::string &kernel) const;
  /// The recipe of the kernel's form for the plan, or null.
  const KernelRecipe *findForPlan(const std::string &kernel) const;
};

/// A place in a recipe and what is wrong there.
struct RecipeError {
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
};

/// Parses recipe text. Steps before the first `kernel` line belong to every
/// kernel of the file and are stored under the empty name. On failure the
/// result is empty and `error` is set.
std::optional<Recipe> parseRecipe(const std::string &text, RecipeError &error);

/// Canonical text; parseRecipe(printRecipe(r)) gives r again.
std::string printRecipe(const Recipe &recipe);
std::string printSteps(const std::vector<Step> &steps);

} // namespace clopt

#endif // CLOPT_RECIPE_H
