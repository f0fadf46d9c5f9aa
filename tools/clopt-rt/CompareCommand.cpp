//===- CompareCommand.cpp - clopt-rt compare ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table for each kernel and point of its sizes, with a line for each recipe.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "CrashMessage.h"
#include "DeviceReport.h"
#include "RunOptions.h"

#include "Runtime/RecipeComparison.h"

#include <algorithm>
#include <cstdio>

namespace clopt::runtime {

namespace {

struct CompareSettings {
  RecipeComparisonOptions comparison;
  ReportSettings report;
};

class ComparisonPrinter : public DeviceReport<RecipeComparisonObserver> {
public:
  explicit ComparisonPrinter(bool printsText) : DeviceReport(printsText) {
    json["platform"] = nullptr; // when no recipe could be run
    json["device"] = nullptr;
    json["comparisons"] = Json::array();
  }

  void comparisonDone(const RecipeComparison &comparison) override {
    for (const RecipeResult &result : comparison.results)
      good &= isGood(result.status);
    if (isText)
      print(comparison);
    Json entry;
    entry["kernel"] = comparison.kernel;
    entry["sizes"] = pointJson(comparison.point);
    if (comparison.range)
      entry["ndRange"] = comparison.range->str();
    entry["recipes"] = Json::array();
    for (const RecipeResult &result : comparison.results)
      entry["recipes"].push_back(toJson(result));
    if (const std::optional<std::size_t> best = comparison.best())
      entry["fastest"] = comparison.results[*best].recipe;
    entry["sameStepsInAnotherOrder"] = comparison.isReordered;
    json["comparisons"].push_back(std::move(entry));
    std::fflush(stdout);
  }

  bool good = true;

private:
  static void print(const RecipeComparison &comparison) {
    std::string name = comparison.kernel + pointText(comparison.point);
    if (comparison.range)
      name += ", " + comparison.range->str();
    std::size_t width = 10;
    const Times *first = nullptr;
    for (const RecipeResult &result : comparison.results) {
      width = std::max(width, result.recipe.size());
      if (result.times && !first)
        first = &*result.times;
    }
    const int columns = static_cast<int>(width);
    std::printf("%s\n  %-*s %12s %9s\n", name.c_str(), columns, "recipe", "ms",
                "speed-up");
    if (first)
      std::printf("  %-*s %12.4f\n", columns, "original", first->original);
    const std::optional<std::size_t> best = comparison.best();
    for (std::size_t i = 0; i < comparison.results.size(); ++i)
      print(comparison.results[i], columns, best == i);
    for (const RecipeResult &result : comparison.results)
      for (const std::string &step : result.ownSteps)
        std::printf("  not in all: %s (%s)\n", step.c_str(),
                    result.recipe.c_str());
    if (comparison.isReordered)
      std::printf("  the same steps in another order\n");
  }

  static void print(const RecipeResult &result, int columns, bool isBest) {
    std::printf("  %-*s ", columns, result.recipe.c_str());
    if (result.times)
      std::printf("%12.4f %8.2fx  %s%s%s\n", result.times->optimized,
                  result.times->ratio(), statusName(result.status),
                  noteOf(*result.times), isBest ? ", fastest" : "");
    else
      std::printf("%12s %9s  %s\n", "-", "-", statusName(result.status));
    if (!result.message.empty())
      std::printf("    %s\n", result.message.c_str());
  }

  static const char *noteOf(const Times &times) {
    if (times.entered == false)
      return ", the original body ran";
    return times.isShort() ? ", too short to tell" : "";
  }

  static Json toJson(const RecipeResult &result) {
    Json entry;
    entry["recipe"] = result.recipe;
    entry["status"] = statusName(result.status);
    if (!result.message.empty())
      entry["message"] = result.message;
    if (result.times) {
      entry["originalMs"] = result.times->original;
      entry["ms"] = result.times->optimized;
      entry["ratio"] = result.times->ratio();
      if (result.times->entered)
        entry["entered"] = *result.times->entered;
    }
    entry["stepsNotInAll"] = result.ownSteps;
    return entry;
  }
};

CommandLine makeCompareLine(CompareSettings &settings) {
  CommandLine line(
      "compare KERNEL.cl A.recipe B.recipe... [--launch=SPEC.json] "
      "[options] [-- flags of clBuildProgram]");
  VerifyOptions &run = settings.comparison.run;
  addKernelOptions(line, run);
  addLaunchOptions(line, run);
  addCompareOptions(line, run);
  line.positional([&](const std::string &word) {
    if (run.kernelFile.empty())
      run.kernelFile = word;
    else
      settings.comparison.recipeFiles.push_back(word);
  });
  addReportOptions(line, settings.report);
  return line;
}

int runCompare(CompareSettings &settings, const CommandLine &line) {
  checkFiles(settings.comparison.run);
  if (settings.comparison.recipeFiles.size() < 2)
    throw Error("compare takes a kernel file and at least two recipes; "
                "'clopt KERNEL.cl --emit-recipe=FILE' writes one");
  settings.comparison.run.buildFlags = line.rest();
  installCrashMessage();
  ComparisonPrinter printer(settings.report.isText);
  compareRecipes(settings.comparison, printer);
  settings.report.give(printer.json);
  return printer.good ? 0 : 1;
}

} // namespace

const Command compareCommand = makeCommand<makeCompareLine, runCompare>(
    "compare", "compare and time kernels under several recipes");

} // namespace clopt::runtime
