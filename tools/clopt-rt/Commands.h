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

/// What a command does: `Make` gives settings their options, `CarryOut` gets
/// those that were given.
template <auto Make, auto CarryOut> struct CommandOf;
template <typename Settings, CommandLine (*Make)(Settings &),
          int (*CarryOut)(Settings &, const CommandLine &)>
struct CommandOf<Make, CarryOut> {
  static CommandLine describe() {
    Settings settings;
    return Make(settings);
  }
  static int run(const std::vector<std::string> &words) {
    Settings settings;
    CommandLine line = Make(settings);
    return line.parse(words) ? CarryOut(settings, line) : 0;
  }
};

template <auto Make, auto CarryOut>
constexpr Command makeCommand(const char *name, const char *summary,
                              bool runsKernels = true) {
  using Of = CommandOf<Make, CarryOut>;
  return {name, summary, Of::run, Of::describe, runsKernels};
}

extern const Command verifyCommand, benchCommand, compareCommand, ladderCommand,
    tuneCommand, probeCommand, nativeCommand, applicationCommand;

} // namespace clopt::runtime

#endif // CLOPT_TOOLS_COMMANDS_H
