//===- Optimizer.cpp - optimized texts from clopt or the cache ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLayerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Layer/Optimizer.h"

#include "Layer/TextCache.h"
#include "Runtime/EntryProbe.h"
#include "Runtime/Process.h"
#include "Support/Config.h"

#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/stat.h>

namespace clopt::layer {

namespace {

using State = Optimized::State;

/// Another build of the same version has another size or time.
std::string identityOf(const std::string &program) {
  struct stat status = {};
  std::ostringstream text;
  text << CLOPT_VERSION_STRING;
  if (stat(program.c_str(), &status) == 0)
    text << ' ' << status.st_size << ' ' << status.st_mtim.tv_sec << '.'
         << status.st_mtim.tv_nsec;
  return text.str();
}

/// A profile of the user is named by its file, whose content may change.
std::string contentOf(const std::string &target) {
  std::string text;
  if (target.find('/') != std::string::npos ||
      target.find(".json") != std::string::npos)
    readFile(target, text);
  return text;
}

/// The state, the kept kernels or the message, the size of the plan, the plan,
/// and the text.
std::string asText(const Optimized &result) {
  if (result.state == State::Failed)
    return "failed\n" + result.message + "\n0\n";
  std::string text =
      result.state == State::Changed ? "changed\n" : "unchanged\n";
  for (const std::string &name : result.kept)
    text += name + " ";
  return text + "\n" + std::to_string(result.plan.size()) + "\n" + result.plan +
         result.text;
}

/// Of what asText has written: the cache gives nothing else.
Optimized fromText(const std::string &text) {
  std::istringstream lines(text);
  std::string state, second, third;
  std::getline(lines, state);
  std::getline(lines, second);
  std::getline(lines, third);
  Optimized result;
  result.isCached = true;
  if (state == "failed") {
    result.message = second;
    return result;
  }
  result.state = state == "changed" ? State::Changed : State::Unchanged;
  std::istringstream names(second);
  for (std::string name; names >> name;)
    result.kept.insert(name);
  const std::size_t begin = state.size() + second.size() + third.size() + 3;
  const std::size_t bytes = std::stoull(third);
  result.plan = text.substr(begin, bytes);
  result.text = text.substr(begin + bytes);
  return result;
}

std::set<std::string> keptKernels(const std::string &source,
                                  const std::string &optimized) {
  std::set<std::string> kept;
  for (const auto &[name, entry] :
       runtime::makeEntryProbe(source, optimized).kernels)
    if (entry.body == runtime::KernelEntry::Body::Unchanged)
      kept.insert(name);
  return kept;
}

/// The first error in what a compiler has said, or its first line.
std::string reasonIn(const std::string &output) {
  std::istringstream lines(output);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error: ") != std::string::npos)
      return line.substr(line.find("error: "));
    if (first.empty())
      first = line;
  }
  return first;
}

Optimized runClopt(const std::string &source,
                   const std::vector<std::string> &flags,
                   const std::string &target, const Settings &settings,
                   const Surroundings &surroundings) {
  const runtime::TemporaryFolder folder;
  const std::string input = folder.file("program.cl");
  const std::string output = folder.file("optimized.cl");
  const std::string plan = folder.file("plan.json");
  Optimized result;
  // Headers have a folder of their own, so that none lies beside the program.
  std::vector<NamedText> written = {{input, source}};
  for (const NamedText &header : surroundings.headers)
    written.push_back({folder.file("headers/" + header.name), header.text});
  for (const NamedText &file : written) {
    std::error_code code;
    std::filesystem::create_directories(
        std::filesystem::path(file.name).parent_path(), code);
    if (!(std::ofstream(file.name, std::ios::binary)
          << file.text << std::flush)) {
      result.message = "cannot write '" + file.name + "'";
      return result;
    }
  }
  // Configurations are for files of a project.
  std::vector<std::string> command = {
      settings.program,         input, "-o", output, "--target=" + target,
      "--config-file=/dev/null"};
  command.insert(command.end(), settings.options.begin(),
                 settings.options.end());
  if (settings.arePlansMade)
    command.push_back("--plan=" + plan);
  command.emplace_back("--");
  if (!surroundings.headers.empty())
    command.push_back("-I" + folder.file("headers"));
  command.insert(command.end(), flags.begin(), flags.end());
  if (surroundings.includes.isWorkingFolderUsed)
    command.emplace_back("-I.");
  runtime::ProcessSettings process;
  process.timeLimit = settings.timeLimit;
  // clopt makes no calls of OpenCL, but what it starts might.
  process.hiddenVariables = {"OPENCL_LAYERS"};
  const runtime::ProcessResult ended = runtime::runProcess(command, process);
  // clopt writes its output at the end and in one step, so where the
  // application has taken the exit status, the file tells.
  const bool isGood = ended.succeeded() || !ended.isEndKnown;
  if (!isGood || !readFile(output, result.text)) {
    // What another program has ended says nothing of the text.
    result.isFinal = ended.signal == 0 || ended.timedOut;
    result.text.clear();
    result.message = "clopt: " + ended.status() + ", " + reasonIn(ended.output);
    return result;
  }
  result.state = result.text == source ? State::Unchanged : State::Changed;
  result.kept = keptKernels(source, result.text);
  if (result.state == State::Unchanged)
    result.text.clear();
  else if (settings.arePlansMade)
    readFile(plan, result.plan);
  return result;
}

} // namespace

Optimized optimize(const std::string &source,
                   const std::vector<std::string> &flags,
                   const std::string &target, const Settings &settings,
                   const Surroundings &surroundings) {
  try {
    std::vector<std::string> parts = {
        "2", // the form of what is kept
        identityOf(settings.program),
        target,
        contentOf(target),
        source,
        std::to_string(settings.timeLimit.count()),
        settings.arePlansMade ? "plan" : ""};
    // How many there are of each separates them from the options.
    parts.push_back(std::to_string(flags.size()));
    parts.insert(parts.end(), flags.begin(), flags.end());
    for (const auto *texts :
         {&surroundings.headers, &surroundings.includes.files}) {
      parts.push_back(std::to_string(texts->size()));
      for (const NamedText &text : *texts)
        parts.insert(parts.end(), {text.name, text.text});
    }
    parts.insert(parts.end(), settings.options.begin(), settings.options.end());
    const std::string key = cacheKey(parts);
    const TextCache cache(settings.cacheFolder, settings.cacheBytes);
    const std::optional<std::string> known = cache.find(key);
    Optimized result =
        known ? fromText(*known)
              : runClopt(source, flags, target, settings, surroundings);
    if (!known && result.isFinal)
      cache.store(key, asText(result));
    if (result.state == State::Failed)
      result.kept = keptKernels(source, source);
    return result;
  } catch (const std::exception &error) {
    // Such as a program that is not there. It may be there the next time.
    Optimized result;
    result.message = error.what();
    return result;
  }
}

} // namespace clopt::layer
