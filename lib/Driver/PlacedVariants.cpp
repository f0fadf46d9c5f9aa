//===- PlacedVariants.cpp - memories that the host sets up ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/PipelineTest.cpp, test/lit/planner/images.test.
//
//===----------------------------------------------------------------------===//

#include "Driver/PlacedVariants.h"

#include "Driver/Remarks.h"
#include "Planning/cost/Placement.h"
#include "Transform/Apply.h"

namespace clopt {

/// A step for every array that is best in an image or in constant memory.
static std::vector<Step> hostSteps(const KernelModel &model,
                                   const DeviceProfile &profile,
                                   const Options &options,
                                   const TimeBudget &time) {
  std::vector<Step> steps;
  std::optional<TransformedKernel> kernel = startTransforming(model);
  if (!kernel || untouchableReason(model) || !model.ndrange.mapped.empty())
    return steps;
  kernel->operationsPerStep = time.operationsPerStep(*model.function);
  Placement placement = placeArrays(*kernel, profile, options.alias);
  for (const ArrayPlacement &array : placement.arrays) {
    const MemoryChoice &choice = array.in(array.chosen);
    if (!choice.needsHost)
      continue;
    bool isImage = array.chosen == MemoryKind::Image;
    Step step;
    step.name = isImage ? "layout" : "stage";
    step.targets.push_back({array.name, std::nullopt});
    step.flags.push_back(memoryName(array.chosen));
    steps.push_back(std::move(step));
  }
  return steps;
}

/// The steps that can be taken beside those before them.
static KernelRecipe possibleSteps(const KernelModel &model,
                                  const std::vector<Step> &steps,
                                  const LayoutVariants &variants,
                                  Result &result) {
  KernelRecipe recipe;
  recipe.kernel = model.function->name;
  recipe.forPlan = true;
  for (const Step &step : steps) {
    LayoutVariants trial = variants;
    KernelRecipe longer = recipe;
    longer.steps.push_back(step);
    LayoutProblem problem;
    if (trial.add(model, longer, problem))
      recipe.steps.push_back(step);
    else
      result.remarks.push_back(missedRemark(model, step.name, problem.refusal));
  }
  return recipe;
}

void addPlacedVariants(const TranslationUnit &unit,
                       const DeviceProfile &profile, const Options &options,
                       TimeBudget &time, LayoutVariants &variants,
                       Result &result) {
  for (const auto &function : unit.functions) {
    if (!function->isKernel)
      continue;
    time.begin(function->name);
    std::unique_ptr<KernelModel> model = time.build(unit, *function);
    try {
      time.limitToShare(*model);
      std::vector<Step> steps = hostSteps(*model, profile, options, time);
      time.limitToShare(*model);
      KernelRecipe recipe = possibleSteps(*model, steps, variants, result);
      LayoutProblem problem;
      if (!recipe.steps.empty())
        variants.addPlanned(*model, recipe, problem);
    } catch (const isl::exception &) {
      // The kernel stays without; its own remark says that it is too large.
    }
    time.charge(*model);
  }
}

} // namespace clopt
