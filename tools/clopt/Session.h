//===- Session.h - one run over the input files -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the inputs, has them optimized or checked, shows what is to be said
// and writes the outputs when all went well.
//
// Tested by test/lit.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_CLOPT_SESSION_H
#define CLOPT_TOOLS_CLOPT_SESSION_H

#include "CommandLine.h"
#include "OutputFiles.h"
#include "Report/Baseline.h"
#include "Report/Findings.h"
#include "Report/ReportInput.h"
#include "Report/TuningDatabase.h"
#include "Settings.h"
#include "Support/Diagnostics.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

class Session {
public:
  explicit Session(CommandLine commandLine);

  /// The exit code of the process.
  int run();
  /// Answers --dump-config, --verify-config or --list-checks.
  int answerQuestion();

private:
  /// The exit code but for that of --diff.
  int runAll();
  /// Puts the text with fixes in the place of what was checked.
  void addFixes(ProcessedFile &file, const Options &options) const;
  bool printsFixes() const { return !line.fixes.empty() && !line.writesFixes; }
  /// What holds for each input. False when a configuration is wrong.
  bool readSettings();
  /// Nothing but findings and errors is printed.
  bool isQuiet() const;
  int verifyConfigurations();
  llvm::Error announceOutputs();
  /// Recipe, measurements and tuning database.
  llvm::Error readInputs();
  /// Puts what was found on this machine in the place of the target 'native'.
  llvm::Error findNativeTarget();
  int writeNeighbours();
  int writeBatch();
  int writeAnswer(
      const std::string &file,
      llvm::function_ref<std::optional<std::string>(
          const std::string &, const std::string &, std::vector<Diagnostic> &)>
          make);
  /// Reads a file and has it optimized or checked. Shows nothing.
  ProcessedFile work(size_t input) const;
  /// Several files are worked on side by side, and concluded in their order.
  bool processAll();
  /// Shows what is to be said of a file. False when it failed.
  bool conclude(ProcessedFile file);
  void showDiagnostics(const ProcessedFile &file);
  void showRemarks(const ProcessedFile &file);
  /// Says where the flags of a file are from.
  void narrateFlags(const ProcessedFile &file, const Settings &own) const;
  void narrate(const ProcessedFile &file) const;

  /// The files that decide the outputs of the only input.
  std::vector<std::string> dependencies() const;
  /// Collects the texts of all outputs.
  void collectPlan();
  llvm::Error collectOutputs();
  void collectSource(const ProcessedFile &file);
  llvm::Error collectRecords();
  llvm::Error writeReproducer(const Reproducer &reproducer);
  llvm::Error readBaselines();
  /// The findings in files that have this baseline.
  std::vector<Finding> findingsUnder(const std::string &baselineFile) const;
  /// Prints the findings of a file that was checked.
  llvm::raw_ostream &findingStream() const;
  void showFindings(const ProcessedFile &file);
  /// And its kernels whose analysis was given up.
  void showUnanalyzed(const ProcessedFile &file);
  void concludeCheck();
  int exitCodeOfFindings();
  /// Findings or kernels that a limit of these settings counts.
  size_t countOf(const std::string &what, const Settings &one) const;
  /// Shows an error when there are more findings than are allowed.
  bool keepsLimits(const Settings &one);

  /// Where the source of an input goes; empty when it is not written.
  std::string sourceOutput(const std::string &input) const;
  /// Where the records of an input go when no file was named.
  std::string recordOutput(const std::string &input) const;
  /// Shows an error; a message that begins with a place is shown there.
  int fail(const std::string &message);

  CommandLine line;
  std::vector<TuningRecord> tuned; ///< of all files
  std::vector<Settings> settings;  ///< of each input
  MessageStyle outStyle, errorStyle;
  SourceTexts sources;
  OutputFiles outputs;
  RunReport report;
  size_t concluded = 0; ///< input files
  std::vector<Finding> findings;
  std::vector<size_t> inputOf; ///< of each finding
  /// Kernels whose analysis was given up: the input, the rule that says so.
  std::vector<std::pair<size_t, std::string>> unanalyzed;
  std::map<std::string, Baseline> baselines; ///< what is left of them, by file
};

} // namespace clopt

#endif // CLOPT_TOOLS_CLOPT_SESSION_H
