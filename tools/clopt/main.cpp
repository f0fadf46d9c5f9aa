//===- main.cpp - the program clopt ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   clopt [optimize] [options] file.cl [-- <flags of clBuildProgram>]
//   clopt check [options] file.cl...
//   clopt skeleton [options] file.cl
//   clopt run [options] application [arguments]
//   clopt verify|bench|compare|ladder|tune|probe ...
//   clopt help [command|rule-id|--json]
//
// Tested by test/lit/cli.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Delegate.h"
#include "HelpTable.h"
#include "Session.h"
#include "Skeleton.h"
#include "Support/Refusals.h"
#include "Target/DeviceProfile.h"

#include <llvm/Support/Process.h>
#include <llvm/Support/raw_ostream.h>

using namespace clopt;

static int fail(llvm::Error error, int exitCode = 1) {
  MessageStyle style;
  style.color = llvm::sys::Process::StandardErrHasColors();
  llvm::errs() << renderError(llvm::toString(std::move(error)), style);
  return exitCode;
}

/// Of arguments that are wrong otherwise.
static bool asksForDiff(int argc, const char **argv) {
  for (int i = 1; i < argc && llvm::StringRef(argv[i]) != "--"; ++i)
    if (llvm::StringRef(argv[i]).ltrim('-') == "diff" && argv[i][0] == '-')
      return true;
  return false;
}

static int listDevices() {
  for (const std::string &name : builtinProfileNames()) {
    llvm::Expected<DeviceProfile> profile = loadProfile(name);
    if (!profile)
      return fail(profile.takeError());
    llvm::outs() << name << "  " << profile->description << "\n";
  }
  return 0;
}

static int explain(const Rule &rule) {
  llvm::outs() << rule.id << ": " << rule.summary << "\n\n"
               << rule.help << "\n";
  return 0;
}

int main(int argc, const char **argv) {
  if (argc == 3 && llvm::StringRef(argv[1]) == "help" &&
      llvm::StringRef(argv[2]) == "--json") {
    llvm::Expected<std::string> table = printHelpTable();
    if (!table)
      return fail(table.takeError());
    llvm::outs() << *table;
    return 0;
  }
  if (argc == 3 && llvm::StringRef(argv[1]) == "help")
    if (const std::optional<std::string> text = helpTopic(argv[2])) {
      llvm::outs() << *text;
      return 0;
    }
  llvm::Expected<std::vector<const char *>> words =
      expandHelp(std::vector<const char *>(argv, argv + argc));
  if (!words)
    return fail(words.takeError());
  argc = static_cast<int>(words->size());
  argv = words->data();
  if (argc > 1 && isRuntimeCommand(argv[1])) {
    llvm::Expected<std::vector<std::string>> all =
        completeArguments(argc, argv);
    return fail(all ? runRuntimeCommand(*all) : all.takeError());
  }
  llvm::Expected<CommandLine> line = parseCommandLine(argc, argv);
  if (!line)
    return asksForDiff(argc, argv) ? fail(line.takeError(), troubleOfDiff)
                                   : fail(line.takeError());
  if (line->listDevices)
    return listDevices();
  if (!line->explainCheck.empty())
    return explain(*findRule(line->explainCheck));
  if (line->isSkeleton)
    return runSkeleton(*line);
  const bool isQuestion =
      line->listChecks || line->dumpConfig || line->verifyConfig;
  Session session(std::move(*line));
  return isQuestion ? session.answerQuestion() : session.run();
}
