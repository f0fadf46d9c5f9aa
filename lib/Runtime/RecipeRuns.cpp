//===- RecipeRuns.cpp - runs of one kernel file under recipes -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/RecipeRuns.h"

#include "Runtime/CloptCommand.h"
#include "Runtime/JsonDocument.h"
#include "Runtime/SpecFiles.h"
#include "Runtime/TextFiles.h"

#include <sstream>

namespace clopt::runtime {

namespace {

/// The words of a line of a recipe, without its comment.
std::vector<std::string> wordsOfStep(const std::string &line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

/// Collects what verify() says of the points; the rest goes on to the caller.
class PointCollector : public VerifyObserver {
public:
  explicit PointCollector(VerifyObserver &listener) : outer(listener) {}

  void deviceChosen(const Device &device) override {
    outer.deviceChosen(device);
  }
  void activity(const std::string &what, std::size_t done,
                std::size_t total) override {
    outer.activity(what, done, total);
  }
  void cloptSaid(const std::string &output) override {
    outer.cloptSaid(output);
  }
  void entriesUnknown(const std::string &what,
                      const std::string &log) override {
    outer.entriesUnknown(what, log);
  }
  void pointDone(const PointResult &result) override {
    points.push_back(result);
  }

  std::vector<PointResult> points;

private:
  VerifyObserver &outer;
};

} // namespace

std::vector<KernelSteps> splitRecipe(const std::string &text) {
  std::vector<KernelSteps> result{KernelSteps()};
  bool isOfPlan = false;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> words = wordsOfStep(line);
    if (words.empty())
      continue;
    if (words[0] == "kernel" && words.size() > 1) {
      isOfPlan = words.size() > 2;
      if (!isOfPlan)
        result.push_back({words[1], {}});
      continue;
    }
    if (isOfPlan)
      continue;
    std::string step;
    for (const std::string &word : words)
      step += (step.empty() ? "" : " ") + word;
    result.back().steps.push_back(step);
  }
  if (result.front().steps.empty())
    result.erase(result.begin());
  return result;
}

std::vector<std::string> stepsFor(const std::vector<KernelSteps> &recipe,
                                  const std::string &kernel) {
  const KernelSteps *common = nullptr;
  for (const KernelSteps &one : recipe)
    if (one.kernel == kernel)
      return one.steps;
    else if (one.kernel.empty())
      common = &one;
  return common ? common->steps : std::vector<std::string>();
}

RecipeRuns::RecipeRuns(const VerifyOptions &what, VerifyObserver &listener)
    : options(what), observer(listener) {
  // Every run reads it again.
  keepStandardInput(options.specFiles, folder.file("standard-input.json"));
  kernels = loadSpecs(options);
}

std::string RecipeRuns::recipeText(const std::string &recipeFile) const {
  if (!recipeFile.empty())
    return readFile(recipeFile);
  const std::string file = folder.file("all.recipe");
  // The options of the first launch; the steps are the same for all.
  const KernelSpec &first = kernels.front();
  runClopt(options, {"-o", folder.file("all.cl"), "--emit-recipe=" + file},
           flagsAt(first, first.sizePoints(options.sizes).front(), options));
  return readFile(file);
}

std::string RecipeRuns::write(const std::string &recipe) const {
  std::string file = folder.file("run.recipe");
  writeFile(file, recipe);
  return file;
}

std::vector<PointResult> RecipeRuns::run(const std::string &recipeFile,
                                         const std::string &onlyKernel) {
  VerifyOptions one = options;
  one.onlyKernel = onlyKernel;
  one.cloptArguments.push_back("--recipe=" + recipeFile);
  PointCollector collector(observer);
  verify(one, collector);
  return std::move(collector.points);
}

} // namespace clopt::runtime
