//===- Pipeline.cpp - the whole order of optimizing a file ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   source -> TranslationUnit -> per kernel: KernelModel -> accesses, plan ->
//   steps -> new body -> edits of the source
//
// A kernel that cannot be changed for any reason keeps its text; the reason
// becomes a remark. Only a bad input or a bad recipe is an error.
//
// Tested by test/unit/PipelineTest.cpp, test/lit/cli, test/lit/check.
//
//===----------------------------------------------------------------------===//

#include "Driver/PipelineImpl.h"

#include "Driver/CallMutex.h"
#include "Driver/LayoutChoice.h"
#include "Driver/LayoutVariants.h"
#include "Driver/PlacedVariants.h"
#include "Driver/PlanDraft.h"
#include "Driver/Prices.h"
#include "Driver/Remarks.h"

#include "Analysis/access/AccessSummary.h"
#include "Emit/frame/KernelWriter.h"
#include "Frontend/clang/ClangParser.h"
#include "Frontend/clang/Format.h"
#include "Frontend/model/FlatIds.h"
#include "Planning/cost/LoopWork.h"
#include "Planning/cost/Placement.h"
#include "Planning/cost/RangeChoice.h"
#include "Planning/search/OtherLaunches.h"
#include "Support/Refusals.h"
#include "Support/Suggest.h"
#include "Target/DeviceProfile.h"
#include "Transform/Apply.h"
#include "Transform/verify/VerifySteps.h"
#include "clopt/Clopt.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace clopt {

bool Pipeline::recipeError(unsigned line, unsigned column,
                           const std::string &message) {
  Diagnostic diagnostic;
  diagnostic.location.file = options.recipeName;
  diagnostic.location.line = line;
  diagnostic.location.column = column;
  diagnostic.message = message;
  result.diagnostics.push_back(diagnostic);
  return false;
}

/// Takes a step; full validation looks at the outcome. What it finds is an
/// error of clopt, not of the recipe.
StepResult Pipeline::take(TransformedKernel &kernel, const Step &step) {
  StepResult refusal = applyStep(kernel, step, options.alias);
  const bool isChecked =
      options.verifyEach || options.validate == ValidateMode::Full;
  if (refusal || !isChecked)
    return refusal;
  time.limit(*kernel.model);
  StepResult wrong;
  bool isKnown = true;
  try {
    wrong = verifyOrder(kernel, options.alias);
  } catch (const isl::exception &) {
    wrong = refuse("clopt-budget", "the second check exceeded its budget");
    isKnown = false;
  }
  time.limitToShare(*kernel.model);
  if (!isKnown)
    return wrong;
  if (wrong && options.verifyEach)
    internalError(kernel, "step '" + step.name + "'", *wrong);
  else if (wrong)
    keepText(*kernel.model,
             "step '" + step.name + "' is wrong, " + wrong->message);
  return wrong;
}

void Pipeline::keepText(const KernelModel &model, const std::string &what,
                        const SourceRange &place) {
  Diagnostic warning;
  warning.level = Diagnostic::Level::Warning;
  warning.location = place.line ? place : model.function->range;
  warning.message = "kernel '" + model.function->name +
                    "' keeps its text: " + what + "; this is a defect of clopt";
  result.diagnostics.push_back(warning);
  isDefective = true;
}

void Pipeline::internalError(const TransformedKernel &kernel,
                             const std::string &what, const Refusal &wrong) {
  Diagnostic diagnostic;
  diagnostic.location =
      wrong.range.line ? wrong.range : kernel.model->function->range;
  diagnostic.message = "internal error: " + what + ": " + wrong.message;
  result.diagnostics.push_back(diagnostic);
  isBroken = true;
}

/// Why a recipe cannot be followed.
static std::string refusedStep(const Step &step, const std::string &kernel,
                               const Refusal &refusal) {
  return "step '" + step.name + "' is refused in kernel '" + kernel +
         "': " + refusal.message +
         (refusal.ruleId.empty() ? "" : " [" + refusal.ruleId + "]");
}

bool Pipeline::followRecipe(TransformedKernel &kernel,
                            const KernelRecipe &recipe,
                            std::vector<Step> &steps) {
  for (const Step &step : recipe.steps) {
    StepResult refusal = take(kernel, step);
    if (refusal && isBroken)
      return false;
    if (isDefective) {
      steps.clear();
      return true;
    }
    if (!refusal) {
      steps.push_back(step);
      dumpAfter(kernel, steps, false);
    } else if (options.skipRefused) {
      result.remarks.push_back(
          missedRemark(*kernel.model, step.name, *refusal));
    } else {
      return recipeError(
          step.line, step.column,
          refusedStep(step, kernel.model->function->name, *refusal));
    }
  }
  return true;
}

/// The groups of the kernel's own NDRange that the caller wants.
static std::optional<std::array<unsigned, 2>>
planGroupOf(const Options &options, const std::string &kernel) {
  for (const std::string &name : {kernel, std::string()})
    if (auto found = options.planGroups.find(name);
        found != options.planGroups.end())
      return found->second;
  return std::nullopt;
}

EmitOptions Pipeline::emitOptions(const std::string &kernel,
                                  bool isPlanned) const {
  const LayoutVariant *variant = layouts.find(kernel);
  EmitOptions how;
  how.spreadWorkItems = profile.spreadWorkItems;
  how.computeUnits = profile.computeUnits;
  how.itemsPerComputeUnit = profile.itemsPerComputeUnit;
  how.format = formatStatements;
  how.withPlan = options.makePlan;
  how.planGroup = planGroupOf(options, variant ? variant->kernel : kernel);
  how.often = isPlanned;
  how.everyLaunch = options.everyLaunch;
  how.takenNames = plan.kernelNames();
  return how;
}

bool Pipeline::emit(TransformedKernel &kernel, const std::vector<Step> &steps,
                    KernelReport &report, LoweringError &error, bool isPlanned,
                    unsigned parts) {
  const Function &function = *kernel.model->function;
  addComments(kernel, steps);
  std::optional<EmittedKernel> emitted;
  time.limit(*kernel.model, parts);
  try {
    emitted = emitKernel(kernel, emitOptions(function.name, isPlanned), error);
  } catch (const isl::exception &) {
    error = spentLimit(*kernel.model);
  }
  time.limitToShare(*kernel.model);
  if (!emitted) {
    dumpFailure(kernel, error);
    return false;
  }
  dumpFinal(kernel, isPlanned);
  report.orderAfter = printTree(kernel);
  if (tamper)
    emitted->body = tamper(emitted->body);
  edits.push_back({function.bodyRange.begin, function.bodyRange.end,
                   emitted->body, function.name, "", 0});
  if (options.makePlan)
    addToPlan(kernel, *emitted);
  report.changed = true;
  report.recipe = printSteps(steps);
  report.guards = emitted->guards;
  if (validates())
    written.push_back({nullptr, kernel, steps, emitted->advice});
  if (const LayoutVariant *variant = layouts.find(function.name)) {
    note(*variant, steps);
    return true;
  }
  taken.kernels.push_back({function.name, steps, 0, false});
  llvm::append_range(result.remarks, passedRemarks(kernel, steps));
  return true;
}

void Pipeline::addToPlan(const TransformedKernel &kernel,
                         const EmittedKernel &emitted) {
  const Function &function = *kernel.model->function;
  plan.addSameLaunch(function.name, emitted.sameLaunch);
  if (emitted.planned)
    addOwnRange(kernel, *emitted.planned);
}

/// False where what the plan would say cannot be read.
bool Pipeline::addOwnRange(const TransformedKernel &kernel,
                           const PlannedKernel &planned) {
  const Function &function = *kernel.model->function;
  PlanVariant variant = planned.variant;
  if (auto advice = ownRangePays(kernel, variant, profile))
    variant.conditions.push_back(*advice);
  if (!plan.addOwnRange(function.name, variant))
    return false;
  edits.push_back({function.bodyRange.end, function.bodyRange.end,
                   "\n\n" + (tamper ? tamper(planned.text) : planned.text),
                   function.name, variant.launch.kernel,
                   variant.launch.arguments.size()});
  return true;
}

/// Without the steps that are refused.
static TransformedKernel afterSteps(const TransformedKernel &start,
                                    const std::vector<Step> &steps,
                                    AliasMode alias) {
  TransformedKernel kernel = start;
  for (const Step &step : steps)
    applyStep(kernel, step, alias);
  return kernel;
}

bool Pipeline::optimizeKernel(const KernelModel &model, const Recipe *recipe,
                              KernelReport &report) {
  const Function &function = *model.function;
  const KernelRecipe *own = recipe ? recipe->find(function.name) : nullptr;
  if (recipe && (!own || own->steps.empty()))
    return true;
  std::optional<Refusal> reason = untouchableReason(model);
  std::optional<TransformedKernel> kernel = startTransforming(model);
  if (!reason && !kernel)
    reason = unmodelledReason(model);
  if (!reason)
    reason = shareLoops(*kernel, options.alias);
  if (reason) {
    if (own && !own->kernel.empty() && !options.skipRefused)
      return recipeError(own->line, 1, reason->message);
    result.remarks.push_back(missedRemark(model, "kernel", *reason));
    return true;
  }
  LoweringError error;
  kernel->operationsPerStep = time.operationsPerStep(function);
  if (own) {
    std::vector<Step> steps;
    if (!followRecipe(*kernel, *own, steps))
      return false;
    if (steps.empty() || emit(*kernel, steps, report, error, false))
      return true;
    if (options.skipRefused) {
      result.remarks.push_back(missedRemark(
          model, steps.back().name,
          refuse(error.ruleId, error.message, error.hint, function.range)));
      return true;
    }
    return recipeError(own->steps.back().line, own->steps.back().column,
                       "cannot write kernel '" + function.name +
                           "': " + error.message + " [" + error.ruleId + "]");
  }
  emitPlan(*kernel, report);
  return !isBroken;
}

/// True when it pays to find ids among the dimensions of a flat launch. On GPUs
/// columns without lanes and without local memory gain less than that takes
/// (of patches, four rows at a time: 0.76 on an H200), squares more.
static bool gainsFromDimensions(const TransformedKernel &kernel,
                                const DeviceProfile &profile) {
  const bool hasLanes = llvm::any_of(
      kernel.work, [](const WorkDimension &work) { return work.lanes > 1; });
  const bool isSquare = llvm::count_if(kernel.work, [](const auto &work) {
                          return work.total() > 1;
                        }) > 1;
  return kernel.isGrouped() || hasLanes || isSquare ||
         (profile.spreadWorkItems && kernel.isTiled());
}

/// Carries out the first plan that can be written.
void Pipeline::emitPlan(const TransformedKernel &start, KernelReport &report) {
  bool isCharged = false;
  auto carryOut = [&](const Proposal &proposal) {
    const Plan &plan = proposal.plan;
    // Made by a step in front of the plans.
    if (!proposal.before.empty() && !std::exchange(isCharged, true))
      time.chargeEarlier(*proposal.kernel.model);
    isOneDimension =
        start.model->ndrange.isFlat() &&
        !gainsFromDimensions(
            afterSteps(proposal.kernel, plan.steps, options.alias), profile);
    if (isOneDimension)
      return true;
    for (const auto *all : {&proposal.missed, &plan.missed})
      for (const MissedStep &missed : *all)
        result.remarks.push_back(
            missedRemark(*start.model, missed.step.name, missed.refusal));
    // What was not analysed is no reason.
    if (proposal.isEmpty() && !isPartlyKnown)
      result.remarks.push_back(missedRemark(
          *start.model, "planner", idleReason(start, report, options.target)));
    return emitPlan(proposal, report);
  };
  forEachProposal(start, profile, options.alias, carryOut);
}

/// True when the list names the step, or the step with one of its flags.
static bool names(const std::vector<std::string> &list, const Step &step) {
  return std::any_of(list.begin(), list.end(), [&](const std::string &entry) {
    return entry == step.name ||
           std::any_of(step.flags.begin(), step.flags.end(),
                       [&](const std::string &flag) {
                         return entry == step.name + " " + flag;
                       });
  });
}

/// With a version of its own for launches that the guard refuses, where there
/// is one.
bool Pipeline::emitBoth(const TransformedKernel &first,
                        const std::vector<Step> &steps,
                        const std::vector<Step> &others, KernelReport &report,
                        unsigned parts) {
  TransformedKernel kernel = first;
  std::vector<Step> all = steps;
  for (const Step &step : others) {
    if (options.everyLaunch && step.name == "require")
      continue;
    if (take(kernel, step))
      return isDefective;
    all.push_back(step);
    dumpAfter(kernel, all, true);
  }
  LoweringError error;
  return all.size() > steps.size() &&
         emit(kernel, all, report, error, true, parts);
}

/// A version more is written in this part of the time that is left, so that
/// there is enough for the first one alone.
static constexpr unsigned partsForVersions = 2;

/// Carries out the plan; what cannot be written is tried again without the
/// steps of each of the lists, unless nothing is left that pays for a guard.
bool Pipeline::emitPlan(const Proposal &proposal, KernelReport &report) {
  std::set<std::string> tried;
  for (const std::vector<std::string> &without : proposal.dropped) {
    TransformedKernel kernel = proposal.kernel;
    std::vector<Step> steps = proposal.before;
    bool isNew = !steps.empty();
    if (isNew)
      dumpAfter(kernel, steps, true);
    const Step *before = nullptr; // the last one that is no requirement
    for (const Step &step : proposal.plan.steps) {
      bool isRequirement = step.name == "require";
      // What lanes require right behind them goes with them.
      bool isForLanes = isRequirement && before &&
                        before->name == "vectorize" && names(without, *before);
      if (!isRequirement)
        before = &step;
      // Where compilers make lanes of work-items, loops keep them from it;
      // cheaper subscripts came with what could not be written.
      bool isAlone = step.name == "select" ||
                     (step.name == "unroll" && !profile.spreadWorkItems) ||
                     (step.name == "strength" && !without.empty());
      bool drop = (options.everyLaunch && isRequirement) || isForLanes ||
                  names(without, step);
      if (drop || take(kernel, step))
        continue;
      steps.push_back(step);
      dumpAfter(kernel, steps, true);
      isNew |= !isRequirement && !isAlone;
    }
    if (isDefective)
      return true;
    if (!isNew || !tried.insert(printSteps(steps)).second)
      continue;
    LoweringError error;
    const bool isPart = !proposal.otherwise.empty();
    if (isPart) {
      if (emitBoth(kernel, steps, proposal.otherwise, report, 1))
        return true;
      continue;
    }
    time.charge(*kernel.model);
    if (time.isAmple() &&
        emitBoth(kernel, steps, stepsForOtherLaunches(kernel, steps, profile),
                 report, partsForVersions))
      return true;
    if (emit(kernel, steps, report, error, true))
      return true;
    result.remarks.push_back(
        missedRemark(*kernel.model, steps.back().name,
                     refuse(error.ruleId, error.message, error.hint,
                            kernel.model->function->range)));
  }
  return false;
}

/// isl reports a spent budget as such, or as a value that is missing.
void Pipeline::addBudgetRemark(const KernelModel &model) {
  time.charge(model);
  if (time.isSpent())
    return; // the kernel gets a remark about that
  result.remarks.push_back(
      missedRemark(model, "kernel",
                   refuse("clopt-budget", "the analysis exceeded its budget",
                          "raise --operation-budget", model.function->range)));
}

/// Which of the two limits ended the writing of a kernel.
LoweringError Pipeline::spentLimit(const KernelModel &model) {
  time.charge(model);
  if (time.isSpent())
    return {"clopt-time-budget",
            "writing the kernel exceeded its share of the file's time",
            "raise --time-budget"};
  return {"clopt-budget", "writing the kernel exceeded the budget",
          "raise --operation-budget"};
}

void Pipeline::addTimeRemark(const KernelModel &model) {
  result.remarks.push_back(missedRemark(
      model, "kernel",
      refuse("clopt-time-budget",
             "the share of the kernel in the file's time is used up",
             "raise --time-budget", model.function->range)));
}

/// What people want to know of the kernel as it was. It does not count: what is
/// written is the same without.
void Pipeline::explainKernel(const KernelModel &model, KernelReport &report) {
  if (options.analyzeOnly || untouchableReason(model))
    return;
  time.withoutCharge(model, [&] {
    try {
      std::optional<TransformedKernel> kernel = startTransforming(model);
      if (!kernel)
        return;
      report.orderBefore = printTree(*kernel);
      const LoopWork work = workIn(*kernel, profile);
      report.arithmeticClocks = std::llround(work.arithmetic);
      report.memoryClocks = std::llround(work.memory);
    } catch (const isl::exception &) {
      // What is not known by now stays so.
    }
  });
}

/// Which memory suits each array, whatever will be done about it.
void Pipeline::placeKernel(const KernelModel &model, KernelReport &report) {
  if (options.analyzeOnly && !options.dumpPlacement)
    return;
  std::optional<TransformedKernel> kernel = startTransforming(model);
  if (!kernel || untouchableReason(model))
    return;
  kernel->operationsPerStep = time.operationsPerStep(*model.function);
  Placement placement = placeArrays(*kernel, profile, options.alias);
  report.arrays = reportPlacement(placement);
  for (const ArrayReport &array : report.arrays)
    if (array.chosen != "global" && array.clocks > 0)
      result.remarks.push_back(placementRemark(model, array));
}

/// Dimensions of a flat launch that nothing gains from are not worth what it
/// takes to find an id among them.
bool Pipeline::runKernel(Function &function, const Recipe *recipe) {
  const Outcome before = outcome();
  const KernelRecipe *own = recipe ? recipe->find(function.name) : nullptr;
  if (function.flat && own) {
    joinFlatIds(function);
    if (!isForLaunch(function, *own))
      splitFlatIds(function);
  }
  const bool ok = runForm(function, recipe);
  if (!isOneDimension)
    return ok;
  restore(before);
  joinFlatIds(function);
  return runForm(function, recipe);
}

/// True for recipes that are for the launch as it is, and name its id.
bool Pipeline::isForLaunch(const Function &function,
                           const KernelRecipe &recipe) {
  try {
    const std::unique_ptr<KernelModel> model = time.build(unit, function);
    std::optional<TransformedKernel> kernel = startTransforming(*model);
    return kernel && llvm::none_of(recipe.steps, [&](const Step &step) {
             return applyStep(*kernel, step, options.alias).has_value();
           });
  } catch (const isl::exception &) {
    return false;
  }
}

Pipeline::Outcome Pipeline::outcome() const {
  return {result.kernels.size(), result.remarks.size(), result.modelDump,
          result.treeDump, result.astDump};
}

void Pipeline::restore(const Outcome &before) {
  result.kernels.resize(before.kernels);
  result.remarks.resize(before.remarks);
  result.modelDump = before.model;
  result.treeDump = before.tree;
  result.astDump = before.ast;
}

/// What is said of a kernel that a check has no accesses of.
void Pipeline::addUnanalyzedRemark(const KernelModel &model) {
  const Refusal reason = unmodelledReason(model);
  if (isAboutBudget(reason.ruleId) && !ownOutputReason(model))
    result.remarks.push_back(missedRemark(model, "kernel", reason));
}

bool Pipeline::runForm(const Function &function, const Recipe *recipe) {
  isDefective = isOneDimension = isPartlyKnown = false;
  KernelReport report;
  report.name = function.name;
  report.location = function.range;
  std::shared_ptr<KernelModel> model = time.build(unit, function);
  isOneDimension = function.flat && !model->ndrange.isFlat();
  if (isOneDimension)
    return true;
  addNotes(*model, result);
  if (options.dumpModel)
    result.modelDump += printModel(*model);
  if (options.makePlan)
    plan.addKernel(describeKernel(*model));
  bool ok = true;
  time.limit(*model);
  try {
    // A check has nothing to say to the author of such a text; it was said of
    // the original.
    const std::optional<Refusal> own = ownOutputReason(*model);
    if (options.analyzeOnly && own)
      result.remarks.push_back(missedRemark(*model, "kernel", *own));
    else
      report.accesses = reportAccesses(*model, profile);
  } catch (const isl::exception &) {
    isPartlyKnown = true;
    addBudgetRemark(*model);
  }
  time.limitToShare(*model);
  explainKernel(*model, report);
  try {
    placeKernel(*model, report);
  } catch (const isl::exception &) {
    addBudgetRemark(*model);
  }
  time.limitToShare(*model);
  try {
    if (options.analyzeOnly)
      addUnanalyzedRemark(*model);
    else
      ok = optimizeKernel(*model, recipe, report);
  } catch (const isl::exception &) {
    addBudgetRemark(*model);
  }
  time.limitToShare(*model);
  try {
    if (ok && options.makePlan && !options.analyzeOnly && !isDefective &&
        !isOneDimension)
      ok = addSharedVariant(*model, recipe);
  } catch (const isl::exception &) {
    addBudgetRemark(*model);
  }
  if (!report.changed)
    dumpUnchanged(*model);
  time.charge(*model);
  const bool isDone = report.changed || (options.analyzeOnly && !isPartlyKnown);
  if (time.isSpent() && !isDone && !model->isUntouchable)
    addTimeRemark(*model);
  if (!written.empty() && !written.back().model)
    written.back().model = model;
  if (options.makePlan && validates() && !layouts.find(function.name))
    models[function.name] = model;
  result.kernels.push_back(std::move(report));
  return ok;
}

/// Writes down what was done to the kernel of a variant.
void Pipeline::note(const LayoutVariant &variant,
                    const std::vector<Step> &steps) {
  KernelRecipe recipe;
  recipe.kernel = variant.kernel;
  recipe.forPlan = true;
  recipe.steps = variant.layouts;
  recipe.steps.insert(recipe.steps.end(), steps.begin(), steps.end());
  auto isSame = [&](const KernelRecipe &other) {
    return other.forPlan && other.kernel == variant.kernel;
  };
  auto known = std::find_if(taken.kernels.begin(), taken.kernels.end(), isSame);
  if (known == taken.kernels.end())
    taken.kernels.push_back(std::move(recipe));
  else
    *known = std::move(recipe);
}

/// A kernel on converted buffers is optimized like the author's. It is part of
/// the plan and of no report.
bool Pipeline::runVariant(Function &function, const LayoutVariant &variant) {
  note(variant, {});
  const Outcome before = outcome();
  Recipe rest;
  rest.kernels = {variant.rest};
  bool ok = runKernel(function, variant.hasRest ? &rest : nullptr);
  restore(before);
  return ok;
}

bool Pipeline::run(const Recipe *recipe) {
  std::vector<std::string> names;
  for (const auto &function : unit.functions)
    if (function->isKernel)
      names.push_back(function->name);
  if (recipe)
    for (const KernelRecipe &entry : recipe->kernels)
      if (!entry.kernel.empty() &&
          std::find(names.begin(), names.end(), entry.kernel) == names.end())
        return recipeError(entry.line, 8,
                           "no kernel '" + entry.kernel + "' in '" + unit.path +
                               "'" + didYouMean(entry.kernel, names));
  std::vector<Function *> kernels;
  for (const auto &function : unit.functions)
    if (function->isKernel && !layouts.isConversion(function->name))
      kernels.push_back(function.get());
  auto ownName = [&](const Function &kernel) {
    const LayoutVariant *variant = layouts.find(kernel.name);
    return variant ? variant->kernel : kernel.name;
  };
  for (size_t at = 0; at < kernels.size(); ++at) {
    const std::string name = ownName(*kernels[at]);
    const LayoutVariant *variant = layouts.find(kernels[at]->name);
    time.begin(name);
    if (variant ? !runVariant(*kernels[at], *variant)
                : !runKernel(*kernels[at], recipe))
      return false;
    auto isForm = [&](const Function *other) {
      return ownName(*other) == name;
    };
    if (std::none_of(kernels.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                     kernels.end(), isForm))
      time.finish();
  }
  if (options.makePlan && validates())
    addPlanToValidation();
  applyEdits();
  if (isBroken)
    return false;
  for (const LayoutVariant &variant : layouts.all())
    plan.adopt(variant.kernel, variant.relaid);
  if (options.makePlan && validates())
    validatePlan();
  if (isBroken)
    return false;
  result.output = applied(edits);
  if (options.makePlan)
    result.plan = plan.finish(layouts.original(), result.output);
  result.recipe = printRecipe(taken);
  return true;
}

/// The kernels on converted buffers that the recipe asks for.
static bool makeLayoutVariants(const TranslationUnit &unit,
                               const Recipe &recipe, const Options &options,
                               TimeBudget &time, LayoutVariants &variants,
                               Result &result) {
  for (const KernelRecipe &entry : recipe.kernels)
    for (const auto &function : unit.functions) {
      if (!entry.forPlan || !function->isKernel ||
          function->name != entry.kernel)
        continue;
      time.begin(function->name);
      std::unique_ptr<KernelModel> model = time.build(unit, *function);
      LayoutProblem problem;
      if (variants.add(*model, entry, problem))
        continue;
      if (options.skipRefused) {
        result.remarks.push_back(
            missedRemark(*model, problem.step.name, problem.refusal));
        continue;
      }
      Diagnostic diagnostic;
      diagnostic.location.file = options.recipeName;
      diagnostic.location.line = problem.step.line;
      diagnostic.location.column = problem.step.column;
      diagnostic.message =
          refusedStep(problem.step, entry.kernel, problem.refusal);
      result.diagnostics.push_back(diagnostic);
      return false;
    }
  return true;
}

/// What the options promise about launches, against what a kernel requires.
static bool checkLocalSize(const TranslationUnit &unit, const Options &options,
                           Result &result) {
  auto words = [](const auto &sizes) {
    return std::to_string(sizes[0]) + "," + std::to_string(sizes[1]) + "," +
           std::to_string(sizes[2]);
  };
  for (const auto &function : unit.functions) {
    const auto &required = function->requiredLocalSize;
    if (!options.localSize || !function->isKernel || required[0] == 0 ||
        std::equal(std::begin(required), std::end(required),
                   options.localSize->begin()))
      continue;
    Diagnostic diagnostic = plainError(
        "kernel '" + function->name +
        "' has the attribute reqd_work_group_size(" + words(required) +
        "), but '--local-size' promises " + words(*options.localSize));
    diagnostic.location = function->range;
    result.diagnostics.push_back(std::move(diagnostic));
  }
  return result.diagnostics.empty() ||
         result.diagnostics.back().level != Diagnostic::Level::Error;
}

Result optimize(const std::string &path, const std::string &source,
                const Options &options) {
  const std::lock_guard<std::mutex> lock(callMutex());
  Result result = optimizeTampered(path, source, options, nullptr);
  if (result.ok && options.explain)
    addPrices(path, source, options, result);
  return result;
}

Result optimizeTampered(const std::string &path, const std::string &source,
                        const Options &options, const Tamper &tamper) {
  Result result;
  llvm::Expected<DeviceProfile> profile = loadProfile(options.target);
  if (!profile) {
    result.diagnostics.push_back(
        plainError(llvm::toString(profile.takeError())));
    return result;
  }
  std::optional<Recipe> recipe;
  if (options.recipe) {
    RecipeError error;
    recipe = parseRecipe(*options.recipe, error);
    if (!recipe) {
      result.diagnostics.push_back(errorInRecipe(error, options));
      return result;
    }
  }
  ParseResult parsed = parseOpenCL(path, source, options.buildFlags);
  result.diagnostics = std::move(parsed.diagnostics);
  if (!parsed.unit || !checkLocalSize(*parsed.unit, options, result))
    return result;
  // A plan has an NDRange of its own, along the dimensions of the launch.
  if (!options.makePlan)
    for (const auto &function : parsed.unit->functions)
      splitFlatIds(*function);
  result.dependencies = parsed.unit->dependencies;
  result.output = source;
  TimeBudget time(*parsed.unit, options);
  LayoutVariants layouts(*parsed.unit, options);
  if (options.makePlan && recipe &&
      !makeLayoutVariants(*parsed.unit, *recipe, options, time, layouts,
                          result)) {
    result.output.clear();
    return result;
  }
  if (options.makePlan && !recipe)
    addPlacedVariants(*parsed.unit, *profile, options, time, layouts, result);
  if (options.makePlan && !recipe && !options.analyzeOnly)
    chooseLayouts(*parsed.unit, *profile, options, time, layouts);
  if (tamper)
    layouts.tamper(tamper);
  ParseResult extended;
  if (!layouts.isEmpty()) {
    extended = parseOpenCL(path, layouts.extendedText(), options.buildFlags);
    if (!extended.unit && !recipe) {
      layouts.clear(); // nobody asked for them
    } else if (!extended.unit) {
      result.diagnostics.push_back(plainError(
          "internal error: the kernels of other layouts do not compile"));
      result.output.clear();
      return result;
    }
  }
  Pipeline pipeline(options, *profile,
                    layouts.isEmpty() ? *parsed.unit : *extended.unit, layouts,
                    time, tamper, result);
  result.ok = pipeline.run(recipe ? &*recipe : nullptr);
  if (!result.ok)
    result.output.clear();
  return result;
}

} // namespace clopt
