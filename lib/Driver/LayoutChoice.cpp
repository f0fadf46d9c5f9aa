//===- LayoutChoice.cpp - the planner's own converted buffers -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LayoutChoiceTest.cpp, test/lit/layout.
//
//===----------------------------------------------------------------------===//

#include "Driver/LayoutChoice.h"

#include "Driver/Remarks.h"
#include "Frontend/ClangParser.h"
#include "Frontend/ModelBuilder.h"
#include "Planning/LayoutPlanner.h"
#include "Transform/Apply.h"

#include <isl/ctx.h>

#include <algorithm>

namespace clopt {

namespace {

/// A kernel that steps can be applied to, with what it lives on.
struct Startable {
  std::unique_ptr<KernelModel> model;
  std::optional<TransformedKernel> start;
};

class LayoutChooser {
public:
  LayoutChooser(const TranslationUnit &parsed,
                const DeviceProfile &deviceProfile, const Options &how)
      : unit(parsed), profile(deviceProfile), options(how) {}

  void run(const Function &function, LayoutVariants &variants) {
    Startable own = begin(unit, function);
    if (!own.start || untouchableReason(*own.model))
      return;
    std::vector<LayoutProposal> all = proposeLayouts(*own.start, profile);
    if (all.empty())
      return;
    std::optional<double> before = predict(*own.start);
    if (!before)
      return;
    std::vector<std::vector<LayoutProposal>> sets = {all};
    for (const LayoutProposal &one : all)
      if (all.size() > 1)
        sets.push_back({one});
    for (const std::vector<LayoutProposal> &set : sets)
      if (tryLayouts(own, set, *before, variants))
        return;
  }

private:
  Startable begin(const TranslationUnit &file, const Function &function) const {
    ModelOptions modelOptions;
    modelOptions.localSize = options.localSize;
    modelOptions.operationBudget = options.operationBudget;
    Startable result;
    result.model = buildModel(file, function, modelOptions);
    limit(*result.model);
    result.start = startTransforming(*result.model);
    if (result.start)
      result.start->operationsPerStep = options.operationBudget / 8;
    return result;
  }

  void limit(const KernelModel &model) const {
    isl_ctx *context = model.context.get();
    isl_ctx_reset_error(context);
    isl_ctx_reset_operations(context);
    isl_ctx_set_max_operations(context, options.operationBudget);
  }

  std::optional<double> predict(const TransformedKernel &start) const {
    limit(*start.model);
    Plan plan = choosePlan(start, profile, options.alias);
    limit(*start.model);
    return predictClocks(start, plan, profile, options.alias);
  }

  /// The clocks of the kernel on the copies, planned like any other.
  std::optional<double> predictRelaid(const Startable &own,
                                      const KernelRecipe &recipe) const {
    LayoutVariants trial(unit, options);
    LayoutProblem problem;
    limit(*own.model);
    if (!trial.add(*own.model, recipe, problem) || trial.isEmpty())
      return std::nullopt;
    ParseResult parsed =
        parseOpenCL(unit.path, trial.extendedText(), options.buildFlags);
    if (!parsed.unit)
      return std::nullopt;
    for (const auto &function : parsed.unit->functions)
      if (trial.find(function->name)) {
        Startable relaid = begin(*parsed.unit, *function);
        return relaid.start && !untouchableReason(*relaid.model)
                   ? predict(*relaid.start)
                   : std::nullopt;
      }
    return std::nullopt;
  }

  bool tryLayouts(const Startable &own, const std::vector<LayoutProposal> &set,
                  double before, LayoutVariants &variants) const {
    KernelRecipe recipe;
    recipe.kernel = own.model->function->name;
    recipe.forPlan = true;
    for (const LayoutProposal &proposal : set)
      recipe.steps.push_back(proposal.step);
    std::optional<double> after = predictRelaid(own, recipe);
    if (!after)
      return false;
    std::optional<LayoutAdvice> advice =
        judgeLayouts(*own.start, set, before, *after, profile);
    LayoutProblem problem;
    limit(*own.model);
    if (!advice || !variants.add(*own.model, recipe, problem))
      return false;
    variants.leaveToPlanner(conditionsOf(*advice, variants.all().back()));
    return true;
  }

  static std::vector<PlanCondition> conditionsOf(const LayoutAdvice &advice,
                                                 const LayoutVariant &variant) {
    std::vector<PlanCondition> result;
    std::string uses;
    for (unsigned dim : advice.dims)
      uses += (uses.empty() ? "" : " * ") + std::string("get_global_size(") +
              std::to_string(dim) + ")";
    if (advice.leastUses > 1)
      result.push_back({uses + " >= " + std::to_string(advice.leastUses),
                        "the copies are used often enough", true});
    if (advice.leastBytes > 0)
      for (const PlanBuffer &buffer : variant.relaid.changes.buffers)
        result.push_back(
            {buffer.bytes + " >= " + std::to_string(advice.leastBytes),
             "the array does not stay in a cache", true});
    return result;
  }

  const TranslationUnit &unit;
  const DeviceProfile &profile;
  const Options &options;
};

} // namespace

void chooseLayouts(const TranslationUnit &unit, const DeviceProfile &profile,
                   const Options &options, LayoutVariants &variants) {
  for (const auto &function : unit.functions) {
    auto isOwn = [&](const LayoutVariant &variant) {
      return variant.kernel == function->name;
    };
    if (!function->isKernel ||
        std::any_of(variants.all().begin(), variants.all().end(), isOwn))
      continue;
    try {
      LayoutChooser(unit, profile, options).run(*function, variants);
    } catch (const isl::exception &) {
      // Beyond the budget: the kernel goes without.
    }
  }
}

} // namespace clopt
