//===- VerifyCommand.cpp - clopt-rt verify --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options to VerifyOptions, results to the exit code and the JSON report.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "CrashMessage.h"
#include "RunOptions.h"
#include "VerifyPrinter.h"

#include "Runtime/LaunchComparison.h"
#include "Runtime/Verify.h"

#include <cstdio>

namespace clopt::runtime {

namespace {

struct Settings {
  VerifyOptions verify;
  std::string jsonFile;
  bool verbose = false;
  bool help = false;
};

CommandLine makeCommandLine(Settings &settings) {
  VerifyOptions &options = settings.verify;
  CommandLine line;
  addFileOptions(line, options);
  addLaunchOptions(line, options);
  addCompareOptions(line, options);
  line.option(
      "json", "FILE", "write the results as JSON",
      [&settings](const std::string &text) { settings.jsonFile = text; });
  line.option("v", "", "print every launch, the device and what clopt says",
              [&settings](const std::string &) { settings.verbose = true; });
  line.option("help", "", "print this",
              [&settings](const std::string &) { settings.help = true; });
  return line;
}

} // namespace

int runVerify(const std::vector<std::string> &words) {
  Settings settings;
  CommandLine line = makeCommandLine(settings);
  line.parse(words);
  if (settings.help) {
    std::printf("usage: clopt verify KERNEL.cl [--launch=SPEC.json] [options] "
                "[-- flags of clBuildProgram]\n\n%s",
                line.help().c_str());
    return 0;
  }
  checkFiles(settings.verify);
  settings.verify.buildFlags = line.rest();
  std::vector<std::string> flags = settings.verify.projectFlags;
  flags.insert(flags.end(), settings.verify.buildFlags.begin(),
               settings.verify.buildFlags.end());
  const Tolerance tolerance = toleranceFor(settings.verify, flags);
  VerifyPrinter printer(settings.verbose, tolerance.ulp != 0 ||
                                              tolerance.relative != 0 ||
                                              tolerance.isReassociated);
  installCrashMessage();
  verify(settings.verify, printer);
  printer.printSummary();
  if (!settings.jsonFile.empty())
    writeReport(settings.jsonFile, printer.report());
  return !printer.allGood() ? 1 : printer.allEntered() ? 0 : 3;
}

} // namespace clopt::runtime
