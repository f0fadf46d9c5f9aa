//===- LayoutVariants.cpp - kernels on converted buffers ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLayoutTest.cpp, test/lit/layout.
//
//===----------------------------------------------------------------------===//

#include "Driver/LayoutVariants.h"

#include "Driver/Remarks.h"
#include "Emit/frame/ConfigurationText.h"
#include "Transform/Apply.h"
#include "Transform/steps/Layout.h"

namespace clopt {

LayoutVariants::LayoutVariants(const TranslationUnit &parsed,
                               const Options &how)
    : unit(parsed), options(how),
      taken(parsed.usedNames.begin(), parsed.usedNames.end()) {
  for (const auto &function : unit.functions) {
    taken.insert(function->name);
    for (const auto &variable : function->variables)
      taken.insert(variable->name);
  }
}

std::string LayoutVariants::fresh(const std::string &name) {
  std::string candidate = name;
  for (unsigned number = 2; !taken.insert(candidate).second; ++number)
    candidate = name + std::to_string(number);
  return candidate;
}

/// The steps before the first one of another kind.
static size_t leadingLayouts(const KernelRecipe &recipe) {
  auto needsHost = [](const Step &step) {
    return (step.name == "layout" &&
            (step.hasFlag("buffer") || step.hasFlag("image"))) ||
           (step.name == "stage" && step.hasFlag("constant"));
  };
  size_t count = 0;
  while (count < recipe.steps.size() && needsHost(recipe.steps[count]))
    ++count;
  return count;
}

bool LayoutVariants::isFor(const KernelRecipe &recipe) {
  return leadingLayouts(recipe) > 0;
}

/// The longest vectors, or tiles, that leave no rest.
static constexpr int64_t largestPad = 256;

static StepResult requestsOf(const KernelModel &model, const Step &step,
                             std::vector<CopyRequest> &requests) {
  for (const StepTarget &target : step.targets) {
    std::optional<unsigned> array = model.findArray(target.name);
    if (!array)
      return refuse("", "kernel '" + model.function->name + "' has no array '" +
                            target.name + "'");
    unsigned rank = model.arrays[*array].rank;
    if (step.hasFlag("constant")) {
      requests.push_back({*array, DataSpace(rank), false, 0, true, 0});
      continue;
    }
    if (step.hasFlag("image")) {
      int64_t width = step.parameter("width").value_or(0);
      bool isWrong = step.parameter("width") && width < 1;
      if (isWrong || !step.changes.empty())
        return refuse("", "an image has the cells in their order, in rows of "
                          "at least one");
      requests.push_back({*array, DataSpace(rank), true, width, false, 0});
      continue;
    }
    std::optional<DataSpace> space = dataSpaceOf(step.changes, rank);
    if (!space)
      return refuse("", "'" + target.name + "' has " + std::to_string(rank) +
                            " dimensions, which is not what the layout is for");
    const int64_t pad = step.parameter("pad").value_or(0);
    if (step.parameter("pad") && (pad < 2 || pad > largestPad))
      return refuse("", "rows are padded to a multiple of 2 to " +
                            std::to_string(largestPad));
    requests.push_back({*array, std::move(*space), false, 0, false, pad});
  }
  return std::nullopt;
}

bool LayoutVariants::add(const KernelModel &model, const KernelRecipe &recipe,
                         LayoutProblem &problem) {
  size_t count = leadingLayouts(recipe);
  if (count == 0)
    return true;
  problem.kernel = model.function->name;
  problem.step = recipe.steps.front();
  std::vector<CopyRequest> requests;
  for (size_t at = 0; at < count; ++at)
    if (StepResult refusal = requestsOf(model, recipe.steps[at], requests)) {
      problem.step = recipe.steps[at];
      problem.refusal = *refusal;
      return false;
    }
  std::optional<Refusal> reason = untouchableReason(model);
  std::optional<TransformedKernel> start = startTransforming(model);
  if (!reason && !start)
    reason = unmodelledReason(model);
  if (!reason && !model.ndrange.mapped.empty())
    reason = refuse("clopt-grid-stride",
                    "a loop goes on in steps of the launch's size");
  if (reason) {
    problem.refusal = *reason;
    return false;
  }
  RelayoutOptions how;
  how.alias = options.alias;
  how.fresh = [this](const std::string &name) { return fresh(name); };
  LoweringError error;
  std::optional<RelaidKernel> relaid;
  try {
    relaid = relayKernel(*start, requests, how, error);
  } catch (const isl::exception &) {
    error = {"clopt-budget", "the layout exceeded the budget",
             "raise --operation-budget"};
  }
  if (!relaid) {
    problem.refusal =
        refuse(error.ruleId, error.message, error.hint, model.function->range);
    return false;
  }
  std::string changed =
      changedName(unit, relaid->text, static_cast<int64_t>(unit.text.size()));
  if (!changed.empty()) {
    problem.refusal =
        refuse("clopt-macro-name",
               "'" + changed + "' means something else in this program", "",
               model.function->range);
    return false;
  }
  LayoutVariant variant;
  variant.kernel = model.function->name;
  variant.layouts.assign(recipe.steps.begin(),
                         recipe.steps.begin() + static_cast<long>(count));
  variant.rest = recipe;
  variant.rest.kernel = relaid->name;
  variant.rest.forPlan = false;
  variant.rest.steps.erase(variant.rest.steps.begin(),
                           variant.rest.steps.begin() +
                               static_cast<long>(count));
  variant.hasRest = true;
  conversions.insert(relaid->conversions.begin(), relaid->conversions.end());
  variant.relaid = std::move(*relaid);
  variants.push_back(std::move(variant));
  return true;
}

bool LayoutVariants::addPlanned(const KernelModel &model,
                                const KernelRecipe &recipe,
                                LayoutProblem &problem) {
  const size_t before = variants.size();
  if (!add(model, recipe, problem))
    return false;
  if (variants.size() > before)
    variants.back().hasRest = false;
  return true;
}

void LayoutVariants::leaveToPlanner(
    const std::vector<PlanCondition> &conditions) {
  LayoutVariant &variant = variants.back();
  variant.hasRest = false;
  std::vector<PlanCondition> &all = variant.relaid.changes.conditions;
  all.insert(all.end(), conditions.begin(), conditions.end());
}

void LayoutVariants::tamper(const Tamper &change) {
  for (LayoutVariant &variant : variants)
    variant.relaid.text = change(variant.relaid.text);
}

/// Without the ends of lines at the end.
size_t LayoutVariants::keptSize() const {
  return unit.text.find_last_not_of('\n') + 1;
}

std::pair<int64_t, int64_t>
LayoutVariants::placeOf(const LayoutVariant &variant) const {
  size_t begin = keptSize();
  for (const LayoutVariant &other : variants) {
    if (&other == &variant)
      break;
    begin += other.relaid.text.size();
  }
  return {static_cast<int64_t>(begin),
          static_cast<int64_t>(begin + variant.relaid.text.size())};
}

std::string LayoutVariants::extendedText() const {
  std::string text = unit.text.substr(0, keptSize());
  for (const LayoutVariant &variant : variants)
    text += variant.relaid.text;
  return text;
}

const LayoutVariant *LayoutVariants::find(const std::string &kernel) const {
  for (const LayoutVariant &variant : variants)
    if (variant.relaid.name == kernel)
      return &variant;
  return nullptr;
}

} // namespace clopt
