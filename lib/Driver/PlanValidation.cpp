//===- PlanValidation.cpp - variants of a plan, beside the original -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variants of a launch plan are run symbolically before it leaves, with
// their conversions. One that differs is left out, with its text, a warning and
// what is needed to repeat it. With --verify-each it is an error.
//
// Tested by test/unit/PlanValidationTest.cpp, test/lit/validate/plan.test.
//
//===----------------------------------------------------------------------===//

#include "Driver/PipelineImpl.h"

#include "Driver/Remarks.h"
#include "Validation/Launches.h"
#include "Validation/PlanReadBack.h"

#include <llvm/ADT/STLExtras.h>

namespace clopt {

/// For full validation, some seconds for each variant.
static constexpr uint64_t fullVariantSteps = 60000000;

static size_t ownVariants(const PlanKernel &kernel) {
  return static_cast<size_t>(
      llvm::count_if(kernel.variants, [&](const PlanVariant &variant) {
        return isOwnVariant(kernel, variant);
      }));
}

/// The variants share the work with the kernels that are validated before.
void Pipeline::addPlanToValidation() {
  for (const PlanKernel &kernel : plan.withAdvice().kernels) {
    auto model = models.find(kernel.name);
    const auto relaid =
        llvm::count_if(layouts.all(), [&](const LayoutVariant &v) {
          return v.kernel == kernel.name;
        });
    const size_t variants = ownVariants(kernel) + static_cast<size_t>(relaid);
    if (model != models.end() && variants > 0)
      time.addPlanToValidation(*model->second->function, variants);
  }
}

void Pipeline::validatePlan() {
  if (!emitted)
    return;
  for (const Written &entry : written)
    for (const auto &function : emitted->functions)
      if (function->name == entry.model->function->name &&
          layouts.find(function->name) && hasOwnBody(function->name) &&
          !entry.advice.empty())
        admitSmallLaunches(*function, entry.advice.front());
  const CompiledPlan compiled(plan.withAdvice());
  for (const PlanKernel &kernel : compiled.plan().kernels) {
    for (const VariantReadBack &found : validatePlan(compiled, kernel)) {
      report(kernel, found);
      auto isThis = [&](const PlanVariant &variant) {
        return variant.name == found.name;
      };
      if (found.wrong)
        leaveOut(kernel, *llvm::find_if(kernel.variants, isThis), *found.wrong);
      else if (!found.isEntered)
        leaveOut(kernel, found);
    }
  }
  cutUnusedKernels();
}

std::vector<VariantReadBack>
Pipeline::validatePlan(const CompiledPlan &compiled, const PlanKernel &kernel) {
  auto model = models.find(kernel.name);
  const uint64_t variants = ownVariants(kernel);
  if (model == models.end() || variants == 0)
    return {};
  std::vector<SmallLaunch> launches;
  auto add = [&](const TransformedKernel &transformed) {
    time.beginPlan(kernel.name, *transformed.model, UINT64_MAX);
    try {
      std::vector<SmallLaunch> more = chooseLaunches(transformed);
      llvm::append_range(launches, more);
    } catch (const isl::exception &) {
      // Launches of others remain.
    }
    time.chargePlan(kernel.name, *transformed.model, 0);
  };
  for (const Written &entry : written) {
    const std::string &name = entry.model->function->name;
    const LayoutVariant *variant = layouts.find(name);
    if ((variant ? variant->kernel : name) == kernel.name)
      add(entry.kernel);
  }
  if (auto own = ownRanges.find(kernel.name); own != ownRanges.end())
    add(own->second);
  std::vector<VariantReadBack> found;
  uint64_t steps = 0;
  time.beginPlan(kernel.name, *model->second, UINT64_MAX);
  try {
    if (launches.empty())
      if (auto start = startTransforming(*model->second))
        add(*start);
    llvm::stable_sort(launches, [](const SmallLaunch &a, const SmallLaunch &b) {
      return a.work() < b.work();
    });
    const uint64_t most = isFull() ? fullVariantSteps : defaultVariantSteps;
    const uint64_t allowed =
        time.beginPlan(kernel.name, *model->second, variants * most);
    found = readBackPlan(compiled, *model->second, unit, *emitted, launches,
                         allowed / variants);
  } catch (const isl::exception &) {
    // The model exceeds its budget.
  }
  for (const VariantReadBack &variant : found)
    steps += variant.steps;
  time.chargePlan(kernel.name, *model->second, steps);
  if (time.isPlanSpent(kernel.name))
    addPlanTimeRemark(*model->second);
  time.finishPlan(kernel.name);
  return found;
}

/// Variants that were run for fewer launches stay.
void Pipeline::addPlanTimeRemark(const KernelModel &model) {
  result.remarks.push_back(missedRemark(
      model, "plan",
      refuse("clopt-time-budget",
             "the share of the kernel in the file's time is used up before "
             "the variants of its launch plan were run for all launches",
             "raise --time-budget", model.function->range)));
}

void Pipeline::report(const PlanKernel &kernel, const VariantReadBack &found) {
  VariantValidation variant;
  variant.name = found.name;
  variant.isLeftOut = found.wrong || !found.isEntered;
  variant.launches = found.compared;
  variant.branches = static_cast<unsigned>(found.branches);
  variant.reached = static_cast<unsigned>(found.reached);
  variant.missed = found.missed;
  variant.skipped.assign(found.skipped.begin(), found.skipped.end());
  for (KernelReport &report : result.kernels) {
    if (report.name != kernel.name)
      continue;
    if (!report.validation)
      report.validation.emplace();
    report.validation->variants.push_back(variant);
  }
  if (!variant.isLeftOut)
    addValidationRemark(*models.at(kernel.name), "variant '" + found.name + "'",
                        found);
}

/// A variant that nobody has run.
void Pipeline::leaveOut(const PlanKernel &kernel,
                        const VariantReadBack &notRun) {
  result.remarks.push_back(missedRemark(
      *models.at(kernel.name), "plan",
      refuseUnrun("variant '" + notRun.name + "' of the launch plan", notRun)));
  plan.remove(kernel.name, notRun.name);
}

void Pipeline::leaveOut(const PlanKernel &kernel, const PlanVariant &variant,
                        const RunFault &wrong) {
  const std::string what = "variant '" + variant.name + "' of kernel '" +
                           kernel.name + "' is wrong, " + wrong.what;
  Diagnostic diagnostic;
  diagnostic.location = wrong.range;
  if (options.verifyEach) {
    diagnostic.message = "internal error: " + what;
    result.diagnostics.push_back(diagnostic);
    isBroken = true;
    return;
  }
  diagnostic.level = Diagnostic::Level::Warning;
  diagnostic.message = "the launch plan goes without a variant: " + what +
                       "; this is a defect of clopt";
  result.diagnostics.push_back(diagnostic);
  result.remarks.push_back(
      missedRemark(*models.at(kernel.name), "plan",
                   refuse("clopt-validation", "variant '" + variant.name +
                                                  "' was found to be wrong")));
  std::vector<KernelRecipe> recipes;
  for (const KernelRecipe &recipe : taken.kernels)
    if (recipe.kernel == kernel.name)
      recipes.push_back(recipe);
  reproduce(kernel.name, recipes, what);
  plan.remove(kernel.name, variant.name);
}

/// Takes the kernels out of the text that no variant launches any more.
void Pipeline::cutUnusedKernels() {
  const std::set<std::string> used = plan.kernelNames();
  auto isUnused = [&](const Edit &edit) {
    return !edit.planned.empty() && !used.count(edit.planned);
  };
  llvm::erase_if(edits, isUnused);
  std::vector<Edit> cuts;
  for (const LayoutVariant &variant : layouts.all()) {
    const auto [begin, end] = layouts.placeOf(variant);
    auto isInside = [&, first = begin, last = end](const Edit &edit) {
      return edit.begin > first && edit.end <= last;
    };
    auto isPlanned = [&](const Edit &edit) {
      return isInside(edit) && !edit.planned.empty();
    };
    if (used.count(variant.relaid.name) || llvm::any_of(edits, isPlanned))
      continue;
    llvm::erase_if(edits, isInside);
    cuts.push_back({begin, end, "", variant.relaid.name, "", 0});
    auto isItsRecipe = [&](const KernelRecipe &recipe) {
      return recipe.forPlan && recipe.kernel == variant.kernel;
    };
    llvm::erase_if(taken.kernels, isItsRecipe);
  }
  if (!cuts.empty() && cuts.size() == layouts.all().size())
    cuts.back().text = layouts.originalEnd();
  llvm::append_range(edits, cuts);
  sortEdits();
}

} // namespace clopt
