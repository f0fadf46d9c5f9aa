//===- LayoutChoice.cpp - the planner's own converted buffers -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LayoutChoiceTest.cpp, test/lit/layout.
//
//===----------------------------------------------------------------------===//

#include "Driver/LayoutChoice.h"

#include "Driver/Remarks.h"
#include "Frontend/clang/ClangParser.h"
#include "Planning/search/LayoutPlanner.h"
#include "Planning/search/Proposals.h"
#include "Transform/Apply.h"

#include <algorithm>

namespace clopt {

namespace {

/// A kernel that steps can be applied to, with what it lives on.
struct Startable {
  explicit Startable(TimeBudget &budget) : time(budget) {}
  Startable(const Startable &) = delete;
  Startable &operator=(const Startable &) = delete;
  ~Startable() { time.charge(*model); }

  TimeBudget &time;
  std::unique_ptr<KernelModel> model;
  std::optional<TransformedKernel> start;
};

class LayoutChooser {
public:
  LayoutChooser(const TranslationUnit &parsed,
                const DeviceProfile &deviceProfile, const Options &how,
                TimeBudget &budget)
      : unit(parsed), profile(deviceProfile), options(how), time(budget) {}

  void run(const Function &function, LayoutVariants &variants) {
    Startable own(time);
    begin(unit, function, own);
    if (!own.start || untouchableReason(*own.model))
      return;
    std::vector<LayoutProposal> all = proposeLayouts(*own.start, profile);
    if (all.empty() && !profile.spreadWorkItems)
      return;
    std::optional<Prediction> before = predict(*own.start);
    if (!before)
      return;
    std::vector<std::vector<LayoutProposal>> sets;
    if (!all.empty())
      sets.push_back(all);
    for (const LayoutProposal &one : all)
      if (all.size() > 1)
        sets.push_back({one});
    sets.push_back({});
    std::optional<Candidate> best;
    for (const std::vector<LayoutProposal> &set : sets) {
      if (best)
        break;
      std::optional<Prediction> after =
          set.empty() ? before : predictRelaid(own, recipeOf(own, set));
      if (!after)
        continue;
      if (!set.empty())
        best = judge(own, set, *before, *after, clearGain);
      if (std::optional<Candidate> padded = tryZeros(own, set, *before, *after))
        best = std::move(padded);
    }
    if (best)
      take(own, *best, variants);
  }

private:
  struct Prediction {
    double clocks = 0;
    std::string loop; ///< whose iterations run as vectors
    int64_t lanes = 1;
  };

  /// Layouts that pay.
  struct Candidate {
    std::vector<LayoutProposal> layouts;
    LayoutAdvice advice;
  };

  void begin(const TranslationUnit &file, const Function &function,
             Startable &result) const {
    result.model = time.build(file, function);
    time.limitToShare(*result.model);
    result.start = startTransforming(*result.model);
    if (!result.model->ndrange.mapped.empty())
      result.start = std::nullopt;
    if (result.start)
      result.start->operationsPerStep = time.operationsPerStep(function);
  }

  std::optional<Prediction> predict(const TransformedKernel &start) const {
    time.limitToShare(*start.model);
    Plan plan = firstPlan(start, profile, options.alias);
    time.limitToShare(*start.model);
    std::optional<double> clocks =
        predictClocks(start, plan, profile, options.alias);
    if (!clocks)
      return std::nullopt;
    Prediction result;
    result.clocks = *clocks;
    for (const Step &step : plan.steps)
      for (const StepTarget &target : step.targets)
        if (step.name == "vectorize" && target.count &&
            start.model->findLoop(target.name)) {
          result.loop = target.name;
          result.lanes = *target.count;
        }
    return result;
  }

  /// The clocks of the kernel on the copies, planned like any other.
  std::optional<Prediction> predictRelaid(const Startable &own,
                                          const KernelRecipe &recipe) const {
    LayoutVariants trial(unit, options);
    LayoutProblem problem;
    time.limitToShare(*own.model);
    if (!trial.add(*own.model, recipe, problem) || trial.isEmpty())
      return std::nullopt;
    ParseResult parsed =
        parseOpenCL(unit.path, trial.extendedText(), options.buildFlags);
    if (!parsed.unit)
      return std::nullopt;
    for (const auto &function : parsed.unit->functions)
      if (trial.find(function->name)) {
        Startable relaid(time);
        begin(*parsed.unit, *function, relaid);
        return relaid.start && !untouchableReason(*relaid.model)
                   ? predict(*relaid.start)
                   : std::nullopt;
      }
    return std::nullopt;
  }

  static KernelRecipe recipeOf(const Startable &own,
                               const std::vector<LayoutProposal> &set) {
    KernelRecipe recipe;
    recipe.kernel = own.model->function->name;
    recipe.forPlan = true;
    for (const LayoutProposal &proposal : set)
      recipe.steps.push_back(proposal.step);
    return recipe;
  }

  std::optional<Candidate> judge(const Startable &own,
                                 const std::vector<LayoutProposal> &set,
                                 const Prediction &before,
                                 const Prediction &after, double gain) const {
    std::optional<LayoutAdvice> advice = judgeLayouts(
        *own.start, set, before.clocks, after.clocks, profile, gain);
    if (!advice)
      return std::nullopt;
    return Candidate{set, *advice};
  }

  /// The layouts with zeros at the ends of rows, where that saves what vectors
  /// leave over.
  std::optional<Candidate> tryZeros(const Startable &own,
                                    const std::vector<LayoutProposal> &layouts,
                                    const Prediction &before,
                                    const Prediction &unpadded) const {
    std::optional<unsigned> loop = own.model->findLoop(unpadded.loop);
    if (!profile.spreadWorkItems || !loop || unpadded.lanes < 2)
      return std::nullopt;
    std::vector<LayoutProposal> set =
        padRows(*own.start, layouts, *loop, unpadded.lanes);
    if (set.empty())
      return std::nullopt;
    std::optional<Prediction> after = predictRelaid(own, recipeOf(own, set));
    if (!after || after->clocks > zerosGain * unpadded.clocks)
      return std::nullopt;
    return judge(own, set, before, *after,
                 layouts.empty() ? zerosGain : clearGain);
  }

  void take(const Startable &own, const Candidate &candidate,
            LayoutVariants &variants) const {
    LayoutProblem problem;
    time.limitToShare(*own.model);
    const size_t count = variants.all().size();
    if (variants.add(*own.model, recipeOf(own, candidate.layouts), problem) &&
        variants.all().size() > count)
      variants.leaveToPlanner(
          conditionsOf(candidate.advice, variants.all().back()));
  }

  static std::vector<PlanCondition> conditionsOf(const LayoutAdvice &advice,
                                                 const LayoutVariant &variant) {
    std::vector<PlanCondition> result;
    auto add = [&](const std::string &expression, const std::string &reason) {
      for (const PlanCondition &other : result)
        if (other.expression == expression)
          return;
      result.push_back({expression, reason, true});
    };
    const std::vector<PlanBuffer> &buffers = variant.relaid.changes.buffers;
    for (size_t at = 0; at < advice.needs.size(); ++at) {
      const LayoutNeed &need = advice.needs[at];
      std::string uses;
      for (unsigned dim : need.dims)
        uses += (uses.empty() ? "" : " * ") + std::string("get_global_size(") +
                std::to_string(dim) + ")";
      if (need.minUses > 1)
        add(uses + " >= " + std::to_string(need.minUses),
            "the copies are used often enough");
      if (need.minBytes > 0 && at < buffers.size())
        add(buffers[at].bytes + " >= " + std::to_string(need.minBytes),
            "the array does not stay in a cache");
    }
    return result;
  }

  const TranslationUnit &unit;
  const DeviceProfile &profile;
  const Options &options;
  TimeBudget &time;
};

} // namespace

void chooseLayouts(const TranslationUnit &unit, const DeviceProfile &profile,
                   const Options &options, TimeBudget &time,
                   LayoutVariants &variants) {
  for (const auto &function : unit.functions) {
    auto isOwn = [&](const LayoutVariant &variant) {
      return variant.kernel == function->name;
    };
    if (!function->isKernel ||
        std::any_of(variants.all().begin(), variants.all().end(), isOwn))
      continue;
    time.begin(function->name);
    try {
      LayoutChooser(unit, profile, options, time).run(*function, variants);
    } catch (const isl::exception &) {
      // Beyond the budget: the kernel goes without.
    }
  }
}

} // namespace clopt
