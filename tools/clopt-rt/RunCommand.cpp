//===- RunCommand.cpp - clopt-rt run --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Becomes the application, with the layer before OpenCL (docs/layer.md). Only
// the environment is prepared here: this process makes no calls of OpenCL.
//
// Tested by test/lit/cli/run.test and test/layer.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"

#include "Runtime/Error.h"
#include "Runtime/Process.h"
#include "Support/Config.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include <unistd.h>

namespace clopt::runtime {

namespace {

namespace fs = std::filesystem;

struct RunSettings {
  std::string target, traceFile, recordFolder, logFile, options;
  bool withoutCache = false;
  bool withPlans = false;
  bool isVerbose = false;
};

CommandLine makeLine(RunSettings &settings) {
  CommandLine line("run [options] [--] APPLICATION [arguments]");
  line.option("target", "NAME",
              "device to optimize for: a name or a file, as clopt takes it "
              "(default: what suits the device of each program)",
              settings.target);
  line.option("trace", "FILE",
              "write when each kernel ran, in Chrome's trace format",
              settings.traceFile);
  line.option("record", "DIR",
              "write each distinct launch as a specification for clopt verify",
              settings.recordFolder);
  line.option("log", "FILE", "append what became of each program",
              settings.logFile);
  line.option(
      "clopt-arg", "OPTION", "another option for clopt; may be repeated",
      [&](const std::string &text) {
        settings.options += (settings.options.empty() ? "" : " ") + text;
      });
  line.flag("plans",
            "let launches have other NDRanges and converted copies of "
            "buffers",
            settings.withPlans);
  line.flag("no-cache", "optimize what has been optimized before",
            settings.withoutCache);
  line.flag("v", "say on standard error what became of each program",
            settings.isVerbose);
  line.stopAtPositional();
  return line;
}

void set(const char *name, const std::string &value) {
  if (!value.empty() && setenv(name, value.c_str(), 1) != 0)
    throw Error(std::string("cannot set the variable ") + name + ": " +
                std::strerror(errno));
}

/// The application may change its folder.
std::string absolutePath(const std::string &path) {
  return path.empty() ? "" : fs::absolute(path).string();
}

/// As clopt takes it: a path has a slash or this ending.
bool isFile(const std::string &target) {
  const std::string ending = ".json";
  return target.find('/') != std::string::npos ||
         (target.size() > ending.size() &&
          target.compare(target.size() - ending.size(), ending.size(),
                         ending) == 0);
}

std::string findLayer() {
  std::error_code code;
  const fs::path self = fs::read_symlink("/proc/self/exe", code);
  const fs::path layer =
      (self.parent_path() / CLOPT_RELATIVE_LAYER).lexically_normal();
  if (code || access(layer.c_str(), R_OK) != 0)
    throw Error("the layer is missing: '" + layer.string() +
                "'; 'cmake --build build' makes it (docs/cmake.md)");
  // The loader cuts its list there.
  if (layer.string().find(':') != std::string::npos)
    throw Error("a layer cannot lie below a folder with a colon: '" +
                layer.string() + "'");
  return layer.string();
}

void setEnvironment(const RunSettings &settings) {
  // Behind others: the last one is nearest to the application.
  const std::string layer = findLayer();
  const char *others = std::getenv("OPENCL_LAYERS");
  const std::string before =
      others != nullptr && *others != '\0' ? others + std::string(":") : "";
  // An application that is run by another one has it already.
  if ((":" + before).find(":" + layer + ":") == std::string::npos)
    set("OPENCL_LAYERS", before + layer);
  set("CLOPT_LAYER_CLOPT", findSibling("clopt"));
  set("CLOPT_LAYER_TARGET", isFile(settings.target)
                                ? absolutePath(settings.target)
                                : settings.target);
  set("CLOPT_LAYER_TRACE", absolutePath(settings.traceFile));
  set("CLOPT_LAYER_RECORD", absolutePath(settings.recordFolder));
  set("CLOPT_LAYER_LOG", absolutePath(settings.logFile));
  set("CLOPT_LAYER_OPTIONS", settings.options);
  set("CLOPT_LAYER_PLANS", settings.withPlans ? "1" : "");
  set("CLOPT_DISABLE_CACHE", settings.withoutCache ? "1" : "");
  set("CLOPT_LAYER_VERBOSE", settings.isVerbose ? "1" : "");
}

/// The layer is silent about what clopt does not take: an application does not
/// wait for errors of others.
void checkOptions(const RunSettings &settings) {
  if (settings.target.empty() && settings.options.empty())
    return;
  std::vector<std::string> command = {findSibling("clopt"), "--dry-run",
                                      "/dev/null"};
  if (!settings.target.empty())
    command.push_back("--target=" + settings.target);
  std::istringstream words(settings.options);
  for (std::string word; words >> word;)
    command.push_back(word);
  const ProcessResult ended = runProcess(command, {});
  if (ended.succeeded())
    return;
  const std::string mark = "error: ";
  const std::size_t at = ended.output.find(mark);
  if (at == std::string::npos)
    throw Error("clopt: " + ended.status());
  const std::size_t begin = at + mark.size();
  throw Error(
      ended.output.substr(begin, ended.output.find('\n', begin) - begin));
}

/// A trace begins anew; it is an empty one if nothing is launched.
void beginTrace(const std::string &path) {
  if (path.empty())
    return;
  std::FILE *file = std::fopen(path.c_str(), "w");
  if (file == nullptr)
    throw Error("cannot write '" + path + "': " + std::strerror(errno));
  std::fputs("[\n]\n", file);
  std::fclose(file);
}

int runApplication(RunSettings &settings, const CommandLine &line) {
  if (line.rest().empty())
    throw Error("no application (try 'clopt run --help')");
  checkOptions(settings);
  beginTrace(settings.traceFile);
  setEnvironment(settings);
  std::vector<char *> arguments;
  for (const std::string &word : line.rest())
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  // What a shell answers then.
  const int reason = errno;
  std::fprintf(stderr, "clopt-rt: error: cannot start '%s': %s\n", arguments[0],
               std::strerror(reason));
  return reason == ENOENT ? 127 : 126;
}

} // namespace

const Command applicationCommand = makeCommand<makeLine, runApplication>(
    "run", "run an application with its kernels optimized", false);

} // namespace clopt::runtime
