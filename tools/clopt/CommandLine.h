//===- CommandLine.h - the options of clopt ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the arguments of the program into a plain value. Everything that can
// be said about the options alone is checked here, so that the rest of the
// program deals with valid ones; docs/cli.md describes them.
//
// Tested by test/lit/cli and test/lit/errors.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_CLOPT_COMMANDLINE_H
#define CLOPT_TOOLS_CLOPT_COMMANDLINE_H

#include "Report/CheckSelection.h"
#include "Report/OptimizationRecord.h"
#include "Report/OptionValues.h"
#include "clopt/Fixes.h"
#include "clopt/Options.h"

#include <llvm/Support/Error.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// When there are colours.
enum class ColorMode { Auto, Always, Never };

struct CommandLine {
  bool isCheck = false;    ///< `clopt check`
  bool isSkeleton = false; ///< `clopt skeleton`
  bool listDevices = false;
  bool isVerbose = false;
  ColorMode color = ColorMode::Auto;
  unsigned jobs = 1;               ///< files worked on at a time
  std::vector<std::string> inputs; ///< "-" is standard input
  Options options;                 ///< without the text of the recipe
  std::set<std::string> given;     ///< names of options, without dashes
  bool isGiven(const std::string &name) const { return given.count(name); }

  // Configurations. Settings.h says what they add.
  std::optional<std::string> configFile; ///< of all inputs
  std::string buildFolder; ///< has compile_commands.json; or empty
  bool dumpConfig = false;
  bool verifyConfig = false;

  // Where the optimized source goes.
  std::optional<std::string> output; ///< -o; "-" is standard output
  /// Of `-o`, when it names a folder: each file keeps its name there.
  std::optional<std::string> outputFolder;
  bool inPlace = false;
  bool dryRun = false;
  bool diff = false;
  /// Something about the kernels goes to standard output.
  bool isDump() const {
    return options.dumpModel || options.dumpPlacement || options.dumpTree ||
           options.dumpAst || options.explain;
  }
  /// What is to be shown is there after steps only.
  bool needsSteps() const {
    return options.dumpTree || options.dumpAst || options.explain ||
           options.printAfterAll || !options.printAfter.empty();
  }

  // Other files; empty when not asked for.
  std::string recipeFile;
  std::string reproducerFolder;
  std::string emitRecipeFile;
  std::string neighboursFile; ///< then nothing else is written
  std::string batchFile;
  std::string emitBatchFile; ///< then nothing else is written
  std::string tuningDatabaseFile;
  std::string planFile;
  std::string launcherFile;
  std::string reportFile;
  bool isHtmlReport = false;    ///< of that file; otherwise it is JSON
  std::string measurementsFile; ///< for the report in HTML
  std::string sarifFile;
  bool inlineIncludes = false;
  bool writeDependencies = false;
  bool phonyDependencies = false;
  std::string dependencyFile;
  std::string dependencyTarget;

  // Remarks: regular expressions of pass names; nothing shows none.
  std::optional<std::string> passed, missed, analysis;
  std::optional<RecordFormat> record;
  std::string recordFile;
  std::string recordPasses;

  // `clopt check`.
  std::vector<ErrorThreshold> errorOn;
  std::string baselineFile;
  std::string writeBaselineFile;
  bool updateBaseline = false;
  int errorExitCode = 1;
  CheckSelection checks;
  std::string checkPatterns; ///< as they were written
  bool listChecks = false;
  std::string explainCheck; ///< a rule id, or empty
  bool isQuiet = false;
  FindingFormat format = FindingFormat::Text;
  std::vector<FixKind> fixes; ///< to look for
  bool writesFixes = false;   ///< otherwise they are printed

  std::string kernel; ///< of `clopt skeleton`; empty: all
};

/// Whether there are colours where there would be some by default.
bool hasColors(ColorMode mode, bool isTerminal);

/// The exit code after errors where `--diff` is given, as of diff.
constexpr int troubleOfDiff = 2;

/// The commands of clopt that are part of the program clopt-rt.
bool isRuntimeCommand(const std::string &name);

/// An error in how the program was called.
llvm::Error usageError(const std::string &message);

/// `clopt help X` as the arguments that say the same: `X --help` of a command,
/// `check --explain-check X` of a rule. Other arguments come back as they are.
llvm::Expected<std::vector<const char *>>
expandHelp(std::vector<const char *> arguments);

/// Names of all commands, for suggestions.
std::vector<std::string> commandNames();

/// Reads the arguments, the program's name first. `--help` and `--version`
/// print and end the process.
llvm::Expected<CommandLine> parseCommandLine(int argc, const char **argv);

} // namespace clopt

#endif // CLOPT_TOOLS_CLOPT_COMMANDLINE_H
