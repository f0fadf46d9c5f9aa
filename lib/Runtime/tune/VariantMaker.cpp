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

} // namespace

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

VariantMaker::Answer
VariantMaker::ask(const std::vector<std::string> &arguments) const {
  const auto begin = std::chrono::steady_clock::now();
  ProcessSettings settings;
  settings.timeLimit = timeLimit;
  Answer answer;
  answer.process =
      runProcess(cloptCommand(options, arguments, flags), settings);
  answer.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  return answer;
}

std::string VariantMaker::writeRecipe(const Steps &steps) const {
  std::string text = "kernel " + kernel + "\n";
  for (const std::string &step : steps)
    text += step + "\n";
  std::string file = folder.file("variant.recipe");
  writeFile(file, text);
  return file;
}

Steps VariantMaker::plan(TuneSubject &subject) {
  const std::string file = folder.file("plan.json");
  runClopt(options, {"-o", folder.file("plan.cl"), "--report=" + file}, flags);
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
  const Answer answer =
      ask({"--recipe=" + writeRecipe(steps), "--emit-neighbours=" + file});
  if (!answer.process.succeeded())
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

std::string VariantMaker::make(TuneResult &result) {
  const std::string text = folder.file("variant.cl");
  const std::string file = folder.file("variant.json");
  const Answer answer =
      ask({"-o", text, "--recipe=" + writeRecipe(result.steps),
           "--report=" + file});
  result.makeSeconds = answer.seconds;
  if (!answer.process.succeeded()) {
    result.invalidity = answer.process.timedOut ? Invalidity::Timeout
                        : answer.process.signal ? Invalidity::Compile
                                                : Invalidity::Constraints;
    result.message = complaintOf(answer.process);
    return "";
  }
  const Json report = JsonDocument::load(file).root();
  const Json *own = kernelIn(report, kernel);
  if (result.steps.empty() || (own && own->at("changed").get<bool>()))
    return text;
  result.invalidity = Invalidity::Constraints;
  result.message = "the new text was not written";
  return "";
}

} // namespace clopt::runtime
