//===- RecipeNeighbours.cpp - what a tuner may try next -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RecipeNeighboursTest.cpp, test/lit/cli/neighbours.test.
//
//===----------------------------------------------------------------------===//

#include "Driver/RecipeNeighbours.h"

#include "Driver/Remarks.h"
#include "Driver/TimeBudget.h"
#include "Frontend/clang/ClangParser.h"
#include "Report/JsonText.h"
#include "Transform/Apply.h"

#include <llvm/ADT/StringRef.h>

namespace clopt {

static KernelNeighbours neighboursOf(const KernelModel &model,
                                     const std::vector<Step> &steps,
                                     const DeviceProfile &profile,
                                     const Options &options,
                                     uint64_t operationsPerStep) {
  KernelNeighbours result;
  result.kernel = model.function->name;
  std::optional<Refusal> reason = untouchableReason(model);
  std::optional<TransformedKernel> start = startTransforming(model);
  if (!reason && !start)
    reason = unmodelledReason(model);
  if (!reason)
    reason = shareLoops(*start, options.alias);
  if (reason) {
    result.problem = reason->message;
    return result;
  }
  start->operationsPerStep = operationsPerStep;
  result.found = findNeighbours(*start, steps, profile, options.alias);
  return result;
}

static void listKernels(const TranslationUnit &unit, const Recipe &recipe,
                        const DeviceProfile &profile, Options options,
                        RecipeNeighbours &result) {
  options.timeBudget = 0; // each step has a bound of its own
  TimeBudget time(unit, options);
  for (const auto &function : unit.functions) {
    const KernelRecipe *own = recipe.find(function->name);
    if (!function->isKernel || !own)
      continue;
    time.begin(function->name);
    std::unique_ptr<KernelModel> model = time.build(unit, *function);
    time.limitToShare(*model);
    try {
      result.kernels.push_back(neighboursOf(*model, own->steps, profile,
                                            options,
                                            time.operationsPerStep(*function)));
    } catch (const isl::exception &) {
      result.kernels.push_back(
          {function->name, {}, "the analysis exceeded its budget"});
    }
    time.finish();
  }
}

RecipeNeighbours listNeighbours(const std::string &path,
                                const std::string &source,
                                const Options &options) {
  RecipeNeighbours result;
  llvm::Expected<DeviceProfile> profile = loadProfile(options.target);
  if (!profile) {
    result.diagnostics.push_back(
        plainError(llvm::toString(profile.takeError())));
    return result;
  }
  RecipeError error;
  std::optional<Recipe> recipe =
      parseRecipe(options.recipe.value_or(""), error);
  if (!recipe) {
    result.diagnostics.push_back(errorInRecipe(error, options));
    return result;
  }
  ParseResult parsed = parseOpenCL(path, source, options.buildFlags);
  result.diagnostics = std::move(parsed.diagnostics);
  if (!parsed.unit)
    return result;
  listKernels(*parsed.unit, *recipe, *profile, options, result);
  result.ok = true;
  return result;
}

static void printCandidate(llvm::json::OStream &json, const Neighbour &one) {
  json.attributeArray("steps", [&] {
    for (const Step &step : one.steps)
      json.value(jsonText(llvm::StringRef(printSteps({step})).trim().str()));
  });
  if (one.clocks)
    json.attribute("clocks", *one.clocks);
}

std::string printNeighbours(const RecipeNeighbours &all) {
  auto printKernel = [](llvm::json::OStream &json,
                        const KernelNeighbours &kernel) {
    json.attribute("kernel", jsonText(kernel.kernel));
    if (!kernel.problem.empty()) {
      json.attribute("problem", jsonText(kernel.problem));
      return;
    }
    printCandidate(json, kernel.found.centre);
    jsonObjects(json, "neighbours", kernel.found.others,
                [&](const Neighbour &one) {
                  json.attribute("change", jsonText(one.change));
                  printCandidate(json, one);
                });
  };
  return printJson([&](llvm::json::OStream &json) {
    jsonObjects(
        json, "kernels", all.kernels,
        [&](const KernelNeighbours &kernel) { printKernel(json, kernel); });
  });
}

} // namespace clopt
