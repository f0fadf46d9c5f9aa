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
  line.flag("first-range", "run with the first NDRange only",
            options.onlyFirstRange);
  line.number("max-work-items", "N", "leave larger launches out",
              options.maxWorkItems);
}

void addCloptOptions(CommandLine &line, VerifyOptions &options) {
  line.option("clopt", "PATH",
              "the clopt to run (default: beside clopt-rt, or in PATH)",
              options.cloptPath);
  line.option("target", "NAME", "the device that clopt optimizes for",
              [&options](const std::string &text) {
                options.cloptArguments.push_back("--target=" + text);
              });
  line.option("clopt-arg", "ARG", "an argument for clopt; may be repeated",
              options.cloptArguments);
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

} // namespace

void addDeviceOptions(CommandLine &line, std::string &platform,
                      std::string &device) {
  line.option("platform", "NAME|N",
              "OpenCL platform, by number or a part of its name", platform);
  line.option("device", "NAME|N", "device of the platform", device);
}

void addKernelOptions(CommandLine &line, VerifyOptions &options) {
  line.option("launch", "FILE",
              "launch specification, - is standard input; may be repeated "
              "(default: what 'clopt skeleton' writes)",
              options.specFiles);
  line.option("launch-name", "NAME",
              "what messages call the one on standard input (default <stdin>)",
              options.inputName);
  line.option("kernel", "NAME", "this kernel of the specifications only",
              options.onlyKernel);
  addCloptOptions(line, options);
  line.option("project-flag", "FLAG",
              "a flag of clBuildProgram before those of the specification; may "
              "be repeated (default: those of .clopt.yaml)",
              options.projectFlags);
  line.takeBuildFlags();
  line.positional([&options](const std::string &word) {
    if (!options.kernelFile.empty())
      throw Error("there is one kernel file too many: '" + word + "'");
    options.kernelFile = word;
  });
}

void addFileOptions(CommandLine &line, VerifyOptions &options) {
  addKernelOptions(line, options);
  line.option("optimized", "FILE",
              "compare with this file instead of running clopt; may be "
              "repeated",
              options.optimizedFiles);
  line.option("plan", "FILE", "use this launch plan of the --optimized file",
              options.planFile);
  line.flag("planned", "use the launch plan that clopt writes",
            options.isPlanned);
}

void addLaunchOptions(CommandLine &line, VerifyOptions &options) {
  addSizeOptions(line, options);
  addDeviceOptions(line, options.platform, options.device);
  line.number("seed", "N", "of the random inputs (default 1)", options.seed);
  line.number("repeat", "N", "runs behind each time, a median (default 5)",
              options.repeat, 1);
}

void addCompareOptions(CommandLine &line, VerifyOptions &options) {
  line.number("guard", "BYTES",
              "guard band on each side of a buffer (default 4096)",
              options.guardBytes);
  line.option("compare-options", "FLAGS",
              "added to the flags when comparing (default -cl-opt-disable)",
              options.compareFlags);
  line.number("ulp", "N", "accept differences up to N units in the last place",
              options.toleratedUlp);
  addRelativeOption(line, options);
  line.flag("no-entry", "do not ask which launches run the new body",
            options.countEntries, false);
}

void addReportOptions(CommandLine &line, ReportSettings &report) {
  line.option("format", "text|json", "of what is printed (default text)",
              [&report](const std::string &text) {
                if (text != "text" && text != "json")
                  throw Error("--format is text or json, not '" + text + "'");
                report.isText = text == "text";
              });
  line.option("json", "FILE", "write the results as JSON", report.file);
}

void checkFiles(const VerifyOptions &options) {
  if (options.kernelFile.empty())
    throw Error("no kernel file given");
  if (options.kernelFile == "-")
    throw Error("standard input is no kernel file here: it is read more than "
                "once; write the kernel to a file");
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

void ReportSettings::give(const Json &report) const {
  if (!isText)
    std::printf("%s\n", report.dump(2).c_str());
  if (!file.empty())
    writeReport(file, report);
}

void writeReport(const std::string &path, const Json &report) {
  writeFile(path, report.dump(2) + "\n");
}

} // namespace clopt::runtime
