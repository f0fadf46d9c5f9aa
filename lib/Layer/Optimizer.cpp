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
#include <fstream>
#include <sstream>

#include <sys/stat.h>

namespace clopt::layer {

namespace {

using State = Optimized::State;

bool readFile(const std::string &path, std::string &text) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  text = content.str();
  return static_cast<bool>(file);
}

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

/// The state, the kept kernels or the message, and the text.
std::string asText(const Optimized &result) {
  switch (result.state) {
  case State::Failed:
    return "failed\n" + result.message + "\n";
  case State::Unchanged:
    return "unchanged\n\n";
  case State::Changed:
    break;
  }
  std::string text = "changed\n";
  for (const std::string &name : result.kept)
    text += name + " ";
  return text + "\n" + result.text;
}

Optimized fromText(const std::string &text) {
  std::istringstream lines(text);
  std::string state, second;
  std::getline(lines, state);
  std::getline(lines, second);
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
  result.text = text.substr(state.size() + second.size() + 2);
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
                   const std::string &target, const Settings &settings) {
  const runtime::TemporaryFolder folder;
  const std::string input = folder.file("program.cl");
  const std::string output = folder.file("optimized.cl");
  Optimized result;
  if (!(std::ofstream(input, std::ios::binary) << source << std::flush)) {
    result.message = "cannot write '" + input + "'";
    return result;
  }
  // Configurations are for files of a project.
  std::vector<std::string> command = {
      settings.program,         input, "-o", output, "--target=" + target,
      "--config-file=/dev/null"};
  command.insert(command.end(), settings.options.begin(),
                 settings.options.end());
  command.emplace_back("--");
  command.insert(command.end(), flags.begin(), flags.end());
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
  if (result.state == State::Unchanged)
    result.text.clear();
  else
    result.kept = keptKernels(source, result.text);
  return result;
}

} // namespace

Optimized optimize(const std::string &source,
                   const std::vector<std::string> &flags,
                   const std::string &target, const Settings &settings) {
  try {
    std::vector<std::string> parts = {
        identityOf(settings.program), target, contentOf(target), source,
        std::to_string(settings.timeLimit.count())};
    // How many there are of each separates the flags from the options.
    parts.push_back(std::to_string(flags.size()));
    parts.insert(parts.end(), flags.begin(), flags.end());
    parts.insert(parts.end(), settings.options.begin(), settings.options.end());
    const std::string key = cacheKey(parts);
    const TextCache cache(settings.cacheFolder, settings.cacheBytes);
    if (const std::optional<std::string> known = cache.find(key))
      return fromText(*known);
    Optimized result = runClopt(source, flags, target, settings);
    if (result.isFinal)
      cache.store(key, asText(result));
    return result;
  } catch (const std::exception &error) {
    // Such as a program that is not there. It may be there the next time.
    Optimized result;
    result.message = error.what();
    return result;
  }
}

} // namespace clopt::layer
