//===- KernelTesting.h - kernels from text, for tests of steps --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses OpenCL C, builds the model of one kernel and starts its
// transformation, so that a test of a step is the kernel, the step and what
// comes of it.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_UNIT_KERNELTESTING_H
#define CLOPT_TEST_UNIT_KERNELTESTING_H

#include "Frontend/clang/ClangParser.h"
#include "Frontend/model/ModelBuilder.h"
#include "Transform/Apply.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace clopt {

/// The first kernel of a source, ready for steps.
struct TestedKernel {
  ParseResult parsed;
  std::unique_ptr<KernelModel> model;
  TransformedKernel kernel;

  explicit TestedKernel(const std::string &source,
                        const std::vector<std::string> &flags = {},
                        const ModelOptions &options = {})
      : parsed(parseOpenCL("test.cl", source, flags)) {
    if (!parsed.unit) {
      ADD_FAILURE() << (parsed.diagnostics.empty()
                            ? "no translation unit"
                            : parsed.diagnostics.front().message);
      std::abort();
    }
    for (const auto &function : parsed.unit->functions)
      if (function->isKernel && !model)
        model = buildModel(*parsed.unit, *function, options);
    if (std::optional<TransformedKernel> started = startTransforming(*model))
      kernel = std::move(*started);
  }

  bool isStarted() const { return kernel.model != nullptr; }

  /// Applies the steps, one per line; the first refusal, if any. Its message
  /// is empty when all were taken.
  Refusal apply(const std::string &steps, AliasMode alias = AliasMode::Check) {
    RecipeError error;
    std::optional<Recipe> recipe = parseRecipe(steps, error);
    if (!recipe)
      return {"", "malformed recipe: " + error.message, "", {}};
    for (const KernelRecipe &part : recipe->kernels)
      for (const Step &step : part.steps)
        if (StepResult refusal = applyStep(kernel, step, alias))
          return *refusal;
    return {};
  }

  unsigned array(const std::string &name) const {
    return model->findArray(name).value();
  }
  unsigned loop(const std::string &name) const {
    return model->findLoop(name).value();
  }
};

/// A kernel over buffers a and b that may overlap, r and s that may not, with
/// sizes n and m.
inline std::string kernelOf(const std::string &body) {
  return "__kernel void f(__global float *a, __global float *b,\n"
         "  __global float *restrict r, __global float *restrict s,\n"
         "  __global int *p, int n, int m) {\n" +
         body + "\n}\n";
}

/// The steps are taken.
inline void expectTaken(const std::string &source, const std::string &steps,
                        AliasMode alias = AliasMode::Check) {
  TestedKernel tested(source);
  ASSERT_TRUE(tested.isStarted()) << source;
  Refusal refusal = tested.apply(steps, alias);
  EXPECT_EQ(refusal.message, "") << source << steps;
}

/// The last step is refused under this rule with a message that has `part`.
inline Refusal expectRefused(const std::string &source,
                             const std::string &steps, const std::string &rule,
                             const std::string &part,
                             AliasMode alias = AliasMode::Check) {
  TestedKernel tested(source);
  EXPECT_TRUE(tested.isStarted()) << source;
  if (!tested.isStarted())
    return {};
  Refusal refusal = tested.apply(steps, alias);
  EXPECT_EQ(refusal.ruleId, rule) << source << steps << refusal.message;
  EXPECT_NE(refusal.message.find(part), std::string::npos)
      << source << steps << "was: " << refusal.message;
  return refusal;
}

} // namespace clopt

#endif // CLOPT_TEST_UNIT_KERNELTESTING_H
