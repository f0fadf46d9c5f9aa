//===- main.cpp - clopt-rt, the OpenCL side of clopt ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the subcommand and turns errors into messages and exit codes: 0 all
// well, 2 a specification that does not fit its kernel, 1 anything else, but
// for what a subcommand says itself.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "Runtime/ArgumentTypes.h"
#include "Runtime/Error.h"
#include "Support/Config.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

using namespace clopt::runtime;

namespace {

const Command *const commands[] = {
    &verifyCommand, &benchCommand, &compareCommand, &ladderCommand,
    &tuneCommand,   &probeCommand, &nativeCommand,  &applicationCommand};

void printUsage(std::FILE *to) {
  std::fputs("usage: clopt-rt <command> [options]\n\ncommands:\n", to);
  for (const Command *command : commands)
    std::fprintf(to, "  %-10s%s\n", command->name, command->summary);
  std::fputs("\n'clopt-rt <command> --help' lists the options of a command.\n",
             to);
}

/// The commands that clopt has of this program, with their options.
void printHelpTable() {
  Json table = Json::array();
  for (const Command *command : commands) {
    if (command->describe == nullptr)
      continue;
    Json entry = command->describe().helpTable();
    entry["name"] = command->name;
    entry["summary"] = command->summary;
    table.push_back(std::move(entry));
  }
  std::puts(table.dump().c_str());
}

int dispatch(const std::vector<std::string> &words) {
  if (words.empty()) {
    printUsage(stderr);
    return 1;
  }
  if (words == std::vector<std::string>{"help", "--json"}) {
    printHelpTable();
    return 0;
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    printUsage(stdout);
    return 0;
  }
  if (words[0] == "--version") {
    std::puts("clopt-rt version " CLOPT_VERSION_STRING);
    return 0;
  }
  for (const Command *command : commands)
    if (words[0] == command->name)
      return command->run(
          std::vector<std::string>(words.begin() + 1, words.end()));
  throw Error("unknown command '" + words[0] + "' (try 'clopt-rt --help')");
}

bool runsKernels(int argc, char **argv) {
  for (const Command *command : commands)
    if (argc > 1 && std::strcmp(argv[1], command->name) == 0)
      return command->runsKernels;
  return false;
}

/// Unoptimized kernels keep every temporary on the stack of an OpenCL thread.
/// The size of those stacks is read when a process starts, so a larger limit
/// takes a new start.
void enlargeStacks(char **argv) {
  constexpr rlim_t wanted = 256ul << 20;
  constexpr const char *mark = "CLOPT_RT_STACK";
  rlimit limit;
  if (std::getenv(mark) || getrlimit(RLIMIT_STACK, &limit) != 0 ||
      limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= wanted)
    return;
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  if (setrlimit(RLIMIT_STACK, &limit) != 0 || setenv(mark, "1", 1) != 0)
    return;
  execv("/proc/self/exe", argv); // Without it, things go on as they were.
}

} // namespace

int main(int argc, char **argv) {
  if (runsKernels(argc, argv))
    enlargeStacks(argv);
  try {
    return dispatch(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const SpecMismatch &error) {
    std::fprintf(stderr, "%s\n", error.str("clopt-rt").c_str());
    return 2;
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.str("clopt-rt").c_str());
  } catch (const std::exception &error) {
    std::fprintf(stderr, "clopt-rt: error: %s\n", error.what());
  }
  return 1;
}
