//===- SharedVariants.cpp - kernels with more work-items than asked for ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch plan may have a kernel that is made by other steps than the drop-in
// one, for an NDRange of its own: those of `kernel NAME plan` in a recipe, or
// the planner's for rows that several work-items share.
//
// Tested by test/lit/planner/shared-rows.test, test/run/check_plan.py.
//
//===----------------------------------------------------------------------===//

#include "Driver/PipelineImpl.h"

#include "Driver/Remarks.h"
#include "Planning/search/SharedRows.h"

namespace clopt {

bool Pipeline::addSharedVariant(const KernelModel &model,
                                const Recipe *recipe) {
  const Function &function = *model.function;
  const KernelRecipe *own =
      recipe ? recipe->findForPlan(function.name) : nullptr;
  const bool isMade = llvm::any_of(layouts.all(), [&](const LayoutVariant &v) {
    return v.kernel == function.name;
  });
  std::optional<TransformedKernel> kernel = startTransforming(model);
  if (isMade || (recipe && (!own || LayoutVariants::isFor(*own))) || !kernel ||
      untouchableReason(model) || shareLoops(*kernel, options.alias))
    return true;
  kernel->operationsPerStep = time.operationsPerStep(function);
  std::vector<Step> steps;
  if (own) {
    if (!followRecipe(*kernel, *own, steps))
      return false;
  } else {
    for (const Step &step : stepsForSharedRows(*kernel, profile, options.alias))
      if (!(options.everyLaunch && step.name == "require")) {
        if (take(*kernel, step))
          return !isBroken;
        steps.push_back(step);
      }
  }
  if (steps.empty())
    return true;
  dumpAfter(*kernel, steps, !own);
  addComments(*kernel, steps);
  LoweringError error;
  EmitOptions how = emitOptions(function.name, !own);
  how.takenNames = plan.kernelNames();
  std::optional<EmittedKernel> emitted = emitKernel(*kernel, how, error);
  if (emitted && !emitted->planned)
    error = {"clopt-group-shape",
             "what these steps make has no NDRange of its own", ""};
  if (!emitted || !emitted->planned) {
    if (own && !options.skipRefused)
      return recipeError(own->steps.back().line, own->steps.back().column,
                         "cannot write kernel '" + function.name +
                             "' of the plan: " + error.message + " [" +
                             error.ruleId + "]");
    if (own)
      result.remarks.push_back(missedRemark(
          model, steps.back().name,
          refuse(error.ruleId, error.message, error.hint, function.range)));
    return true;
  }
  emitted->planned->variant.name = "own NDRange by other steps";
  if (!addOwnRange(*kernel, *emitted->planned))
    return true;
  taken.kernels.push_back({function.name, steps, 0, true});
  ownRanges.emplace(function.name, *kernel);
  llvm::append_range(result.remarks, passedRemarks(*kernel, steps));
  return true;
}

} // namespace clopt
