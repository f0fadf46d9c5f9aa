//===- RecipeRuns.cpp - runs of one kernel file under recipes -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/RecipeRuns.h"

#include "Runtime/ArgumentTypes.h"
#include "Runtime/Error.h"
#include "Runtime/JsonDocument.h"

#include <fstream>
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

void writeTemporary(const std::string &path, const std::string &text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream)
    throw Error("cannot write '" + path + "'");
}

/// Collects what verify() says of the points; the rest goes on to the caller.
class PointCollector : public VerifyObserver {
public:
  explicit PointCollector(VerifyObserver &listener) : outer(listener) {}

  void deviceChosen(const std::string &platform,
                    const std::string &device) override {
    outer.deviceChosen(platform, device);
  }
  void activity(const std::string &what, std::size_t done,
                std::size_t total) override {
    outer.activity(what, done, total);
  }
  void cloptSaid(const std::string &output) override {
    outer.cloptSaid(output);
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
  for (std::string &file : options.specFiles) {
    // Every run reads it again.
    if (file == "-") {
      const std::string text = JsonDocument::load(file).root().dump();
      file = folder.file("standard-input.json");
      writeTemporary(file, text);
    }
    for (KernelSpec &spec : readLaunchSpec(JsonDocument::load(file)))
      kernels.push_back(std::move(spec));
  }
}

std::string RecipeRuns::recipeText(const std::string &recipeFile) const {
  if (!recipeFile.empty())
    return readFile(recipeFile);
  const std::string file = folder.file("all.recipe");
  std::vector<std::string> command{
      options.cloptPath.empty() ? findSibling("clopt") : options.cloptPath,
      options.kernelFile, "-o", folder.file("all.cl"), "--emit-recipe=" + file};
  command.insert(command.end(), options.cloptArguments.begin(),
                 options.cloptArguments.end());
  command.emplace_back("--");
  // The options of the first launch; the steps are the same for all.
  const std::vector<SizePoint> points =
      kernels.front().sizePoints(options.sizes);
  for (const std::string &flag :
       launchFlags(options, kernels.front(),
                   bindNames(kernels.front(), points.front())))
    command.push_back(flag);
  const ProcessResult result = runProcess(command);
  if (!result.succeeded())
    throw Error("'" + command[0] + "' failed with " + result.status() +
                " on '" + options.kernelFile + "'\n" + result.output);
  return readFile(file);
}

std::string RecipeRuns::write(const std::string &recipe) const {
  std::string file = folder.file("run.recipe");
  writeTemporary(file, recipe);
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
