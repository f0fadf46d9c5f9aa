//===- VariantRunner.cpp - texts compared and timed -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/tune and test/unit/RuntimeVariantRunnerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/tune/VariantRunner.h"

#include "Runtime/ArgumentTypes.h"

#include <cstdio>
#include <filesystem>

namespace clopt::runtime {

namespace {

/// A variant that is run everywhere gets the time limit so many times.
constexpr int mostLaunches = 10;

bool isAt(const Json &result, const SizePoint &point) {
  for (const auto &[name, value] : point)
    if (!result.at("sizes").contains(name) ||
        result.at("sizes").at(name) != value)
      return false;
  return true;
}

void fail(TuneResult &result, Invalidity why, const std::string &message) {
  result.invalidity = why;
  result.message = message;
}

/// False when a launch is at fault.
bool readLaunches(const Json &entry, TuneResult &result) {
  if (!entry.contains("launches"))
    return true;
  for (const Json &launch : entry.at("launches")) {
    const std::string status = launch.at("status").get<std::string>();
    if (status == "equal" || status == "within tolerance" ||
        status == "skipped")
      continue;
    std::string message = launch.at("ndRange").get<std::string>() + ": " +
                          launch.value("message", status);
    fail(result,
         status == "failed" ? Invalidity::Runtime : Invalidity::Correctness,
         message);
    return false;
  }
  return true;
}

void readTimes(const Json &entry, TuneResult &result) {
  if (!entry.contains("originalMs")) {
    fail(result, Invalidity::Runtime, "no times were taken");
    return;
  }
  result.originalMs = entry.at("originalMs").get<double>();
  result.ms = entry.at("optimizedMs").get<double>();
  result.runs = entry.at("runsMs").get<std::vector<double>>();
  result.variant = entry.value("timedVariant", std::string());
  if (!result.steps.empty() && !entry.value("newBodyTimed", true))
    fail(result, Invalidity::Constraints,
         "the launch does not meet the conditions of the new text");
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

} // namespace

void readVerifyReport(const Json &report, const std::string &kernel,
                      const SizePoint &point, TuneResult &result) {
  const Json *timed = nullptr;
  for (const Json &entry : report.at("results")) {
    if (entry.at("kernel") != kernel)
      continue;
    if (!readLaunches(entry, result))
      return;
    if (!timed && isAt(entry, point))
      timed = &entry;
  }
  if (timed)
    readTimes(*timed, result);
  else
    fail(result, Invalidity::Runtime, "no times were taken");
}

VariantRunner::VariantRunner(const VerifyOptions &what,
                             const KernelSpec &kernel, const SizePoint &where,
                             std::chrono::milliseconds limit)
    : options(what), spec(kernel), point(where), timeLimit(limit) {}

std::vector<std::string> VariantRunner::command(const MadeVariant &made,
                                                const std::string &report,
                                                unsigned repeat,
                                                bool everywhere) const {
  std::vector<std::string> words{
      findSibling("clopt-rt"),
      "verify",
      options.kernelFile,
      "--launch=" + spec.file,
      "--kernel=" + spec.kernelName,
      "--optimized=" + made.text,
      "--json=" + report,
      "--repeat=" + std::to_string(repeat),
      "--seed=" + std::to_string(options.seed),
      "--guard=" + std::to_string(options.guardBytes),
      "--ulp=" + std::to_string(options.toleratedUlp),
      "--compare-options=" + options.compareFlags};
  if (!made.plan.empty())
    words.push_back("--plan=" + made.plan);
  if (options.toleratedRelative)
    words.push_back("--rtol=" + number(*options.toleratedRelative));
  if (!options.platform.empty())
    words.push_back("--platform=" + options.platform);
  if (!options.device.empty())
    words.push_back("--device=" + options.device);
  if (everywhere && options.maxWorkItems != 0)
    words.push_back("--max-work-items=" + std::to_string(options.maxWorkItems));
  if (!options.countEntries)
    words.emplace_back("--no-entry");
  if (!everywhere) {
    words.emplace_back("--first-range");
    for (const auto &[name, value] : point)
      words.push_back("--size=" + name + "=" + std::to_string(value));
  }
  for (const auto &[name, values] : options.sizes) {
    std::string list;
    for (std::int64_t value : values)
      list += (list.empty() ? "" : ",") + std::to_string(value);
    if (everywhere)
      words.push_back("--sizes=" + name + "=" + list);
  }
  words.emplace_back("--");
  words.insert(words.end(), options.buildFlags.begin(),
               options.buildFlags.end());
  return words;
}

void VariantRunner::run(const MadeVariant &made, TuneResult &result,
                        unsigned repeat, bool everywhere) {
  const std::string report = folder.file("verify.json");
  std::filesystem::remove(report);
  ProcessSettings settings;
  settings.timeLimit = everywhere ? mostLaunches * timeLimit : timeLimit;
  const ProcessResult process =
      runProcess(command(made, report, repeat, everywhere), settings);
  result.runSeconds = process.seconds;
  if (!process.timedOut && process.exitCode == 2)
    throw SpecMismatch(complaintOf(process), spec.file, spec.where);
  if (process.timedOut)
    return fail(result, Invalidity::Timeout, process.status());
  if (!std::filesystem::exists(report)) {
    const std::string complaint = complaintOf(process);
    const bool isBuild = complaint.find("clBuildProgram") != std::string::npos;
    return fail(result, isBuild ? Invalidity::Compile : Invalidity::Runtime,
                complaint);
  }
  const Json json = JsonDocument::load(report).root();
  platformName = json.value("platform", std::string());
  deviceName = json.value("device", std::string());
  driverVersion = json.value("driver", std::string());
  readVerifyReport(json, spec.kernelName, point, result);
}

} // namespace clopt::runtime
