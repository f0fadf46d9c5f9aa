//===- Commands.h - the subcommands of clopt-rt ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_COMMANDS_H
#define CLOPT_TOOLS_COMMANDS_H

#include "CommandLine.h"

#include <string>
#include <vector>

namespace clopt::runtime {

/// A subcommand gets the words behind its name and returns the exit code; it
/// may throw Error.
struct Command {
  const char *name;
  const char *summary;
  int (*run)(const std::vector<std::string> &words);
  /// Its options, which are not to be parsed; null: it is for clopt itself.
  CommandLine (*describe)();
  /// The process itself runs kernels.
  bool runsKernels = true;
};

int runVerify(const std::vector<std::string> &words);
int runBench(const std::vector<std::string> &words);
int runProbe(const std::vector<std::string> &words);
int runCompare(const std::vector<std::string> &words);
int runLadder(const std::vector<std::string> &words);
int runTune(const std::vector<std::string> &words);
int runNativeTarget(const std::vector<std::string> &words);
/// Does not return when the application could be started.
int runApplication(const std::vector<std::string> &words);

CommandLine describeVerify();
CommandLine describeBench();
CommandLine describeCompare();
CommandLine describeProbe();
CommandLine describeLadder();
CommandLine describeTune();
CommandLine describeApplication();

} // namespace clopt::runtime

#endif // CLOPT_TOOLS_COMMANDS_H
