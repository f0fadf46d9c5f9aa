//===- Prices.cpp - what a recipe gains, step by step ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every recipe is carried out as if a user had given it, and the text that
// comes of it is priced like the author's: what a step is worth does not depend
// on what proposed it.
//
// Tested by test/unit/PricesTest.cpp, test/lit/cli/explain.test.
//
//===----------------------------------------------------------------------===//

#include "Driver/Prices.h"

#include "Driver/RecipeNeighbours.h"
#include "Driver/Remarks.h"
#include "Driver/Tampering.h"
#include "Driver/TimeBudget.h"
#include "Frontend/clang/ClangParser.h"
#include "Planning/cost/KernelPrice.h"
#include "Support/Suggest.h"
#include "Transform/Apply.h"
#include "Validation/LaunchSketch.h"

#include <llvm/ADT/StringRef.h>

namespace clopt {

namespace {

class PriceLister {
public:
  PriceLister(const std::string &file, const std::string &text,
              const Options &userOptions, const DeviceProfile &device)
      : path(file), source(text), options(userOptions), profile(device) {
    options.explain.reset();
    options.makePlan = options.dumpTree = options.dumpAst = false;
    options.validate = ValidateMode::Off;
    options.recipe.reset();
  }

  PriceList list(const TranslationUnit &unit, const Function &kernel,
                 const std::string &recipe);

private:
  std::optional<SmallLaunch> launchFor(const TranslationUnit &unit,
                                       const Function &kernel);
  PriceReport price(const TranslationUnit &unit, const Function &kernel) const;
  PriceReport price(const std::string &label, const std::vector<Step> &steps);

  const std::string &path, &source;
  Options options;
  const DeviceProfile &profile;
  std::string name; ///< of the kernel
  SmallLaunch launch;
};

} // namespace

/// Steps of the runs of one text: some tenths of a second.
static constexpr uint64_t stepsPerPrice = 4000000;
/// Recipes around the chosen one that are priced.
static constexpr size_t mostNeighbours = 12;

std::optional<SmallLaunch> PriceLister::launchFor(const TranslationUnit &unit,
                                                  const Function &kernel) {
  Options unlimited = options;
  unlimited.timeBudget = 0;
  TimeBudget time(unit, unlimited);
  time.begin(kernel.name);
  std::unique_ptr<KernelModel> model = time.build(unit, kernel);
  time.limitToShare(*model);
  std::optional<SmallLaunch> result;
  try {
    std::optional<TransformedKernel> start = startTransforming(*model);
    if (!start) {
      start.emplace();
      start->model = model.get();
    }
    const unsigned rank = std::max(1u, model->ndrange.launchRank());
    const int64_t side = rank == 1 ? 256 : rank == 2 ? 16 : 8;
    result = sketchLargeLaunch(
        *start, {side, rank > 1 ? side : 1, rank > 2 ? int64_t(4) : 1});
  } catch (const isl::exception &) {
  }
  time.finish();
  return result;
}

PriceReport PriceLister::price(const TranslationUnit &unit,
                               const Function &kernel) const {
  PriceReport report;
  std::optional<RunCosts> costs =
      countCosts(unit, kernel, launch, profile, stepsPerPrice, report.problem);
  if (!costs)
    return report;
  report.problem.clear();
  const KernelPrice price = priceOf(*costs, profile);
  report.nanoseconds = price.nanoseconds;
  for (const PriceTerm &term : price.terms)
    report.terms.emplace_back(term.name, term.nanoseconds);
  return report;
}

PriceReport PriceLister::price(const std::string &label,
                               const std::vector<Step> &steps) {
  PriceReport report;
  options.recipe = "kernel " + name + "\n" + printSteps(steps);
  const Result result = optimizeTampered(path, source, options, nullptr);
  const auto own = std::find_if(
      result.kernels.begin(), result.kernels.end(),
      [&](const KernelReport &kernel) { return kernel.name == name; });
  if (!result.ok || own == result.kernels.end() || !own->changed) {
    report.problem = "no text comes of it";
    for (const Remark &remark : result.remarks)
      if (remark.kind == RemarkKind::Missed && remark.function == name)
        report.problem = remark.message;
  } else {
    ParseResult parsed = parseOpenCL(path, result.output, options.buildFlags);
    if (parsed.unit)
      for (const auto &function : parsed.unit->functions)
        if (function->isKernel && function->name == name)
          report = price(*parsed.unit, *function);
  }
  report.label = label;
  return report;
}

static std::string lineOf(const Step &step) {
  return llvm::StringRef(printSteps({step})).trim().str();
}

PriceList PriceLister::list(const TranslationUnit &unit, const Function &kernel,
                            const std::string &recipe) {
  PriceList result;
  name = kernel.name;
  std::optional<SmallLaunch> found = launchFor(unit, kernel);
  if (!found) {
    result.problem = "the kernel tells too little of its launches";
    return result;
  }
  launch = *found;
  result.launch = launch.text();
  result.steps.push_back(price(unit, kernel));
  result.steps.back().label = "as written";
  RecipeError error;
  std::optional<Recipe> parsed = parseRecipe(recipe, error);
  const KernelRecipe *own = parsed ? parsed->find(name) : nullptr;
  if (!own)
    return result;
  std::vector<Step> taken;
  for (const Step &step : own->steps) {
    taken.push_back(step);
    result.steps.push_back(price(lineOf(step), taken));
  }
  options.recipe = "kernel " + name + "\n" + printSteps(own->steps);
  const RecipeNeighbours around = listNeighbours(path, source, options);
  for (const KernelNeighbours &neighbours : around.kernels)
    for (const Neighbour &one : neighbours.found.others)
      if (result.others.size() < mostNeighbours)
        result.others.push_back(price(one.change, one.steps));
  return result;
}

void addPrices(const std::string &path, const std::string &source,
               const Options &options, Result &result) {
  llvm::Expected<DeviceProfile> profile = loadProfile(options.target);
  if (!profile) {
    llvm::consumeError(profile.takeError());
    return;
  }
  ParseResult parsed = parseOpenCL(path, source, options.buildFlags);
  if (!parsed.unit)
    return;
  bool isKnown = options.explain->empty();
  for (KernelReport &report : result.kernels) {
    if (!options.explain->empty() && *options.explain != report.name)
      continue;
    isKnown = true;
    for (const auto &function : parsed.unit->functions)
      if (function->isKernel && function->body && function->name == report.name)
        report.prices = PriceLister(path, source, options, *profile)
                            .list(*parsed.unit, *function, result.recipe);
  }
  if (isKnown)
    return;
  std::vector<std::string> names;
  for (const KernelReport &report : result.kernels)
    names.push_back(report.name);
  result.diagnostics.push_back(plainError("no kernel '" + *options.explain +
                                          "' in '" + path + "'" +
                                          didYouMean(*options.explain, names)));
  result.ok = false;
}

} // namespace clopt
