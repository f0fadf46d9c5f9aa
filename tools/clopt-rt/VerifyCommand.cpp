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
};

CommandLine makeCommandLine(Settings &settings) {
  VerifyOptions &options = settings.verify;
  CommandLine line("verify KERNEL.cl [--launch=SPEC.json] [options] [-- flags "
                   "of clBuildProgram]");
  addFileOptions(line, options);
  addLaunchOptions(line, options);
  addCompareOptions(line, options);
  line.flag("no-time", "take no times", options.takeTimes, false);
  line.option("json", "FILE", "write the results as JSON", settings.jsonFile);
  line.flag("v", "print every launch, the device and what clopt says",
            settings.verbose);
  return line;
}

int runVerify(Settings &settings, const CommandLine &line) {
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

} // namespace

const Command verifyCommand = makeCommand<makeCommandLine, runVerify>(
    "verify", "run original and optimized kernels and compare all they write");

} // namespace clopt::runtime
