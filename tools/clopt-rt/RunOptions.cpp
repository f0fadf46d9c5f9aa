//===- RunOptions.cpp - options that several commands have ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunOptions.h"

#include "Runtime/Error.h"
#include "Runtime/JsonDocument.h"
#include "Runtime/TextFiles.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace clopt::runtime {

namespace {

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

std::pair<std::string, std::string> splitSize(const std::string &text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    throw Error("expected name=value, not '" + text + "'");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void addSizeOptions(CommandLine &line, VerifyOptions &options) {
  line.option("size", "NAME=VALUE,...", "run with these sizes only",
              [&options](const std::string &text) {
                for (const std::string &part : split(text, ',')) {
                  const auto [name, value] = splitSize(part);
                  options.sizes[name] = {
                      parseNumber(value, "size '" + name + "'", 0)};
                }
              });
  line.option("sizes", "NAME=V1,V2,...", "sweep these values of one size",
              [&options](const std::string &text) {
                const auto [name, list] = splitSize(text);
                options.sizes[name].clear();
                for (const std::string &value : split(list, ','))
                  options.sizes[name].push_back(
                      parseNumber(value, "size '" + name + "'", 0));
              });
  line.option(
      "first-range", "", "run with the first NDRange only",
      [&options](const std::string &) { options.onlyFirstRange = true; });
  line.option("max-work-items", "N", "leave larger launches out",
              [&options](const std::string &text) {
                options.maxWorkItems = static_cast<std::size_t>(
                    parseNumber(text, "--max-work-items", 0));
              });
}

void addCloptOptions(CommandLine &line, VerifyOptions &options) {
  line.option(
      "clopt", "PATH",
      "the clopt to run (default: beside clopt-rt, or in PATH)",
      [&options](const std::string &text) { options.cloptPath = text; });
  line.option("target", "NAME", "the device that clopt optimizes for",
              [&options](const std::string &text) {
                options.cloptArguments.push_back("--target=" + text);
              });
  line.option("clopt-arg", "ARG", "an argument for clopt; may be repeated",
              [&options](const std::string &text) {
                options.cloptArguments.push_back(text);
              });
}

void addOptimizedOptions(CommandLine &line, VerifyOptions &options) {
  line.option(
      "optimized", "FILE",
      "compare with this file instead of running clopt; may be repeated",
      [&options](const std::string &text) {
        options.optimizedFiles.push_back(text);
      });
  line.option("plan", "FILE", "use this launch plan of the --optimized file",
              [&options](const std::string &text) { options.planFile = text; });
  line.option("planned", "", "use the launch plan that clopt writes",
              [&options](const std::string &) { options.isPlanned = true; });
}

void addGuardOptions(CommandLine &line, VerifyOptions &options) {
  line.option("guard", "BYTES",
              "guard band on each side of a buffer (default 4096)",
              [&options](const std::string &text) {
                options.guardBytes =
                    static_cast<std::size_t>(parseNumber(text, "--guard", 0));
              });
  line.option(
      "compare-options", "FLAGS",
      "added to the flags when comparing (default -cl-opt-disable)",
      [&options](const std::string &text) { options.compareFlags = text; });
}

void addUlpOption(CommandLine &line, VerifyOptions &options) {
  line.option("ulp", "N", "accept differences up to N units in the last place",
              [&options](const std::string &text) {
                options.toleratedUlp =
                    static_cast<std::uint64_t>(parseNumber(text, "--ulp", 0));
              });
}

void addRelativeOption(CommandLine &line, VerifyOptions &options) {
  line.option("rtol", "X",
              "accept relative differences up to X (default: half of the "
              "digits where the flags let sums be reordered)",
              [&options](const std::string &text) {
                char *end = nullptr;
                const double value = std::strtod(text.c_str(), &end);
                if (text.empty() || *end != '\0' || !(value >= 0))
                  throw Error("'" + text +
                              "' is no relative tolerance for --rtol");
                options.toleratedRelative = value;
              });
}

void addRunOptions(CommandLine &line, VerifyOptions &options) {
  line.option("seed", "N", "of the random inputs (default 1)",
              [&options](const std::string &text) {
                options.seed =
                    static_cast<std::uint64_t>(parseNumber(text, "--seed", 0));
              });
  line.option("repeat", "N", "runs behind each time, a median (default 5)",
              [&options](const std::string &text) {
                options.repeat =
                    static_cast<unsigned>(parseNumber(text, "--repeat", 1));
              });
}

} // namespace

void addDeviceOptions(CommandLine &line, std::string &platform,
                      std::string &device) {
  line.option("platform", "NAME|N",
              "OpenCL platform, by number or a part of its name",
              [&platform](const std::string &text) { platform = text; });
  line.option("device", "NAME|N", "device of the platform",
              [&device](const std::string &text) { device = text; });
}

void addKernelOptions(CommandLine &line, VerifyOptions &options) {
  line.option("launch", "FILE",
              "launch specification, - is standard input; may be repeated "
              "(default: what 'clopt skeleton' writes)",
              [&options](const std::string &text) {
                options.specFiles.push_back(text);
              });
  line.option(
      "kernel", "NAME", "this kernel of the specifications only",
      [&options](const std::string &text) { options.onlyKernel = text; });
  addCloptOptions(line, options);
  line.option("project-flag", "FLAG",
              "a flag of clBuildProgram before those of the specification; may "
              "be repeated (default: those of .clopt.yaml)",
              [&options](const std::string &text) {
                options.projectFlags.push_back(text);
              });
  line.positional([&options](const std::string &word) {
    if (!options.kernelFile.empty())
      throw Error("there is one kernel file too many: '" + word + "'");
    options.kernelFile = word;
  });
}

void addFileOptions(CommandLine &line, VerifyOptions &options) {
  addKernelOptions(line, options);
  addOptimizedOptions(line, options);
}

void addLaunchOptions(CommandLine &line, VerifyOptions &options) {
  addSizeOptions(line, options);
  addDeviceOptions(line, options.platform, options.device);
  addRunOptions(line, options);
}

void addCompareOptions(CommandLine &line, VerifyOptions &options) {
  addGuardOptions(line, options);
  addUlpOption(line, options);
  addRelativeOption(line, options);
  line.option(
      "no-entry", "", "do not ask which launches run the new body",
      [&options](const std::string &) { options.countEntries = false; });
}

void addReportOptions(CommandLine &line, std::string &format,
                      std::string &jsonFile) {
  line.option("format", "text|json", "of what is printed (default text)",
              [&format](const std::string &text) {
                if (text != "text" && text != "json")
                  throw Error("--format is text or json, not '" + text + "'");
                format = text;
              });
  line.option("json", "FILE", "write the results as JSON",
              [&jsonFile](const std::string &text) { jsonFile = text; });
}

void checkFiles(const VerifyOptions &options) {
  if (options.kernelFile.empty())
    throw Error("no kernel file given");
  if (options.specFiles.empty()) {
    readFile(options.kernelFile); // one that cannot be read is the reason
    throw Error("no launch specification given; use --launch=SPEC.json");
  }
  if (!options.planFile.empty() && options.optimizedFiles.empty())
    throw Error("--plan needs the file that it is for: --optimized=FILE");
  if (!options.planFile.empty() && options.optimizedFiles.size() > 1)
    throw Error("--plan is for one file; --optimized is given " +
                std::to_string(options.optimizedFiles.size()) + " times");
  if (options.isPlanned && !options.optimizedFiles.empty())
    throw Error("--planned runs clopt; with --optimized give --plan=FILE");
}

void giveReport(const std::string &format, const std::string &jsonFile,
                const Json &report) {
  if (format == "json")
    std::printf("%s\n", report.dump(2).c_str());
  if (!jsonFile.empty())
    writeReport(jsonFile, report);
}

void writeReport(const std::string &path, const Json &report) {
  writeFile(path, report.dump(2) + "\n");
}

} // namespace clopt::runtime
