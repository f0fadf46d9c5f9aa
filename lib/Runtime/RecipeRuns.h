//===- RecipeRuns.h - runs of one kernel file under recipes ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ladder and the comparison of recipes share: recipes as steps, and
// verify() with one of them after the other.
//
// Tested by test/unit/RuntimeLadderTest.cpp, RuntimeRecipeComparisonTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_RECIPERUNS_H
#define CLOPT_RUNTIME_RECIPERUNS_H

#include "Runtime/Launch.h"
#include "Runtime/Process.h"
#include "Runtime/Verify.h"

#include <string>
#include <vector>

namespace clopt::runtime {

/// The steps of one kernel, in their order.
struct KernelSteps {
  std::string kernel; ///< empty: of all kernels without steps of their own
  std::vector<std::string> steps;
};

/// The steps of each kernel; comments and kernels of a plan are left out.
std::vector<KernelSteps> splitRecipe(const std::string &text);

/// Those for one kernel.
std::vector<std::string> stepsFor(const std::vector<KernelSteps> &recipe,
                                  const std::string &kernel);

/// Runs the kernels of launch specifications under one recipe after the other.
class RecipeRuns {
public:
  /// The observer hears of all but the points. Throws Error.
  RecipeRuns(const VerifyOptions &what, VerifyObserver &listener);

  /// The kernel specifications, in their order.
  const std::vector<KernelSpec> &specs() const { return kernels; }

  /// The recipe of the file, or, without one, what clopt writes down of its own
  /// choice.
  std::string recipeText(const std::string &recipeFile) const;

  /// A file with this recipe, until the next one is written.
  std::string write(const std::string &recipe) const;

  /// verify() with the recipe of the file, of all kernels or of one. Throws
  /// SpecMismatch and Error as verify() does.
  std::vector<PointResult> run(const std::string &recipeFile,
                               const std::string &onlyKernel);

private:
  VerifyOptions options;
  VerifyObserver &observer;
  const TemporaryFolder folder;
  std::vector<KernelSpec> kernels;
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_RECIPERUNS_H
