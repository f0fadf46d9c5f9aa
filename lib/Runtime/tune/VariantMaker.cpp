//===- VariantMaker.cpp - recipes made into texts -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/tune.
//
//===----------------------------------------------------------------------===//

#include "Runtime/tune/VariantMaker.h"

#include "Runtime/CloptCommand.h"
#include "Runtime/TextFiles.h"
#include "clopt/LaunchPlan.h"

#include <sstream>

namespace clopt::runtime {

namespace {

/// Recipes that clopt prints have columns; here a step has one blank.
std::string oneLine(const std::string &text) {
  std::istringstream stream(text);
  std::string line;
  for (std::string word; stream >> word;)
    line += (line.empty() ? "" : " ") + word;
  return line;
}

Steps stepsOfText(const std::string &recipe) {
  Steps steps;
  std::istringstream stream(recipe);
  for (std::string line; std::getline(stream, line);)
    if (const std::string step = oneLine(line); !step.empty())
      steps.push_back(step);
  return steps;
}

Candidate readCandidate(const Json &json) {
  Candidate candidate;
  for (const Json &step : json.at("steps"))
    candidate.steps.push_back(oneLine(step.get<std::string>()));
  candidate.change = json.value("change", std::string());
  if (json.contains("clocks"))
    candidate.clocks = json.at("clocks").get<double>();
  return candidate;
}

/// The report's entry of a kernel, or null.
const Json *kernelIn(const Json &report, const std::string &name) {
  for (const Json &input : report.at("inputs"))
    for (const Json &kernel : input.at("kernels"))
      if (kernel.at("name") == name)
        return &kernel;
  return nullptr;
}

/// The part of a recipe that is for the kernel's forms in a plan.
std::string planSection(const std::string &recipe, const std::string &kernel) {
  std::istringstream stream(recipe);
  std::string section;
  bool isInside = false;
  for (std::string line; std::getline(stream, line);) {
    const std::string words = oneLine(line);
    if (words.rfind("kernel ", 0) == 0)
      isInside = words == "kernel " + kernel + " plan";
    if (isInside && !words.empty())
      section += words + "\n";
  }
  return section;
}

} // namespace

std::size_t dimensionsIn(const std::string &planFile, const std::string &kernel,
                         const std::string &variant) {
  LaunchPlan plan;
  LaunchPlanError error;
  if (!parseLaunchPlan(readFile(planFile), plan, error))
    throw Error(error.message, planFile, {error.line, error.column});
  if (const PlanKernel *own = plan.find(kernel))
    for (const PlanVariant &one : own->variants)
      if (one.name == variant)
        return one.launch.local.size();
  return 0;
}

std::string complaintOf(const ProcessResult &process) {
  std::istringstream stream(process.output);
  for (std::string line; std::getline(stream, line);)
    if (const std::size_t at = line.find("error: "); at != std::string::npos)
      return line.substr(at + 7);
  return process.status();
}

VariantMaker::VariantMaker(const VerifyOptions &what, std::string kernelName,
                           std::vector<std::string> buildFlags,
                           std::chrono::milliseconds limit)
    : options(what), kernel(std::move(kernelName)),
      flags(std::move(buildFlags)), timeLimit(limit) {}

ProcessResult
VariantMaker::ask(const std::vector<std::string> &arguments) const {
  ProcessSettings settings;
  settings.timeLimit = timeLimit;
  return runProcess(cloptCommand(options, arguments, flags), settings);
}

std::string VariantMaker::writeRecipe(const Steps &steps) const {
  std::string text = "kernel " + kernel + "\n";
  for (const std::string &step : steps)
    text += step + "\n";
  text += planSteps;
  std::string file = folder.file("variant.recipe");
  writeFile(file, text);
  return file;
}

Steps VariantMaker::plan(TuneSubject &subject) {
  const std::string file = folder.file("planner.json");
  const std::string recipe = folder.file("planner.recipe");
  std::vector<std::string> arguments{"-o", folder.file("planner.cl"),
                                     "--report=" + file,
                                     "--emit-recipe=" + recipe};
  if (options.isPlanned)
    arguments.push_back("--plan=" + folder.file("planner.plan.json"));
  runClopt(options, arguments, flags);
  planSteps = planSection(readFile(recipe), kernel);
  subject.isPlanned = options.isPlanned;
  const Json report = JsonDocument::load(file).root();
  subject.kernel = kernel;
  subject.source = report.at("inputs").at(0).at("sha256").get<std::string>();
  subject.target = report.at("options").at("target").get<std::string>();
  subject.flags =
      report.at("options").at("build_flags").get<std::vector<std::string>>();
  // A search does not look for the device again for every recipe.
  for (std::string &argument : options.cloptArguments)
    if (argument == "--target=native")
      argument = "--target=" + subject.target;
  const Json *own = kernelIn(report, kernel);
  if (!own)
    throw Error("no kernel '" + kernel + "' in '" + options.kernelFile + "'");
  return stepsOfText(own->value("recipe", std::string()));
}

const CandidateNeighbours &VariantMaker::neighbours(const Steps &steps) {
  const auto found = known.find(joinSteps(steps));
  if (found != known.end())
    return found->second;
  CandidateNeighbours &result = known[joinSteps(steps)];
  result.centre.steps = steps;
  const std::string file = folder.file("neighbours.json");
  const ProcessResult answer =
      ask({"--recipe=" + writeRecipe(steps), "--emit-neighbours=" + file});
  if (!answer.succeeded())
    return result; // a search goes on elsewhere
  const Json report = JsonDocument::load(file).root();
  for (const Json &one : report.at("kernels")) {
    if (one.at("kernel") != kernel || one.contains("problem"))
      continue;
    result.centre = readCandidate(one);
    for (const Json &other : one.at("neighbours"))
      result.others.push_back(readCandidate(other));
  }
  return result;
}

MadeVariant VariantMaker::make(TuneResult &result) {
  MadeVariant made{folder.file("variant.cl"), ""};
  const std::string file = folder.file("variant.json");
  std::vector<std::string> arguments{"-o", made.text,
                                     "--recipe=" + writeRecipe(result.steps),
                                     "--report=" + file};
  if (options.isPlanned) {
    made.plan = folder.file("variant.plan.json");
    arguments.push_back("--plan=" + made.plan);
  }
  if (result.group.size() == 2)
    arguments.push_back("--plan-group=" + std::to_string(result.group[0]) +
                        "," + std::to_string(result.group[1]));
  const ProcessResult answer = ask(arguments);
  result.makeSeconds = answer.seconds;
  const auto refuse = [&result](Invalidity why, const std::string &message) {
    result.invalidity = why;
    result.message = message;
    return MadeVariant();
  };
  if (!answer.succeeded())
    return refuse(answer.timedOut ? Invalidity::Timeout
                  : answer.signal ? Invalidity::Compile
                                  : Invalidity::Constraints,
                  complaintOf(answer));
  const Json report = JsonDocument::load(file).root();
  const Json *own = kernelIn(report, kernel);
  if (!result.steps.empty() && !(own && own->at("changed").get<bool>()))
    return refuse(Invalidity::Constraints, "the new text was not written");
  return made;
}

} // namespace clopt::runtime
