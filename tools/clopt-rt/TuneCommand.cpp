//===- TuneCommand.cpp - clopt-rt tune ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of the fastest recipes that were found, and a line that moves on
// terminals meanwhile.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"
#include "RunOptions.h"

#include "Runtime/Error.h"
#include "Runtime/tune/Tuner.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

namespace clopt::runtime {

namespace {

struct TuneSettings {
  TuneOptions tune;
  std::size_t top = 10;
};

volatile std::sig_atomic_t wasInterrupted = 0;

extern "C" void cloptInterrupt(int) { wasInterrupted = 1; }

/// The first signal ends the search, a second one the process.
void installInterrupt() {
  struct sigaction action = {};
  action.sa_handler = cloptInterrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

class TunePrinter : public TuneObserver {
public:
  explicit TunePrinter(const TuneSettings &what)
      : settings(what), isTerminal(isatty(STDERR_FILENO) != 0) {}
  ~TunePrinter() override { clear(); }

  void kernelBegins(const TuneSubject &subject) override {
    clear();
    best = 0;
    std::printf("# %s, %s, target %s\n%s%s\n", subject.platform.c_str(),
                subject.device.c_str(), subject.target.c_str(),
                subject.kernel.c_str(), pointText(subject.sizes).c_str());
    std::fflush(stdout);
  }

  void activity(const std::string &what, std::size_t done) override {
    if (!isTerminal)
      return;
    clear();
    std::fprintf(stderr, "[%zu/%zu]", done + 1, settings.tune.maxVariants);
    if (best > 0)
      std::fprintf(stderr, " best %.2fx", best);
    std::fprintf(stderr, ", %.60s", what.c_str());
    std::fflush(stderr);
    isShown = true;
  }

  void variantDone(const TuneResult &result, const std::string &) override {
    if (result.isCorrect())
      best = std::max(best, 1 / result.relative());
  }

  void kernelDone(const TuneSummary &summary) override {
    clear();
    printTable(summary);
    printCounts(summary);
    if (summary.best)
      printDecision(summary);
    else if (summary.isStopped)
      std::printf("  interrupted: nothing is decided\n");
    good &= summary.best.has_value() || summary.isStopped;
    std::fflush(stdout);
  }

  bool good = true;

private:
  void clear() {
    if (isShown)
      std::fputs("\r\033[K", stderr);
    isShown = false;
  }

  /// The fastest ones, and the planner's wherever it stands.
  void printTable(const TuneSummary &summary) const {
    const std::vector<TuneResult> valid = fastestFirst(summary.record);
    std::printf("  %4s %12s %10s  %s\n", "rank", "ms", "gain", "recipe");
    for (std::size_t i = 0; i < valid.size(); ++i) {
      const bool isPlanned =
          valid[i].steps == summary.planned && valid[i].group.empty();
      if (i >= settings.top && !isPlanned)
        continue;
      std::printf("  %4zu %12.4f %9.2fx  %s%s\n", i + 1, valid[i].ms,
                  1 / valid[i].relative(), valid[i].name().c_str(),
                  isPlanned ? "  (planner)" : "");
    }
  }

  static void printCounts(const TuneSummary &summary) {
    std::string text =
        std::to_string(summary.record.results.size()) + " variants";
    const auto add = [&text](std::size_t count, const std::string &what) {
      if (count != 0)
        text += ", " + std::to_string(count) + " " + what;
    };
    for (const Invalidity kind :
         {Invalidity::Constraints, Invalidity::Compile, Invalidity::Runtime,
          Invalidity::Correctness, Invalidity::Timeout})
      add(static_cast<std::size_t>(std::count_if(
              summary.record.results.begin(), summary.record.results.end(),
              [kind](const TuneResult &result) {
                return result.invalidity == kind;
              })),
          std::string("invalid by ") + invalidityName(kind));
    add(summary.reread, "from the file of results");
    add(summary.pruned, "left out by the model");
    add(summary.alike, "with a text that was known");
    std::printf("  %s\n", text.c_str());
  }

  static void printDecision(const TuneSummary &summary) {
    const TuneResult &best = *summary.best;
    std::printf("  best: %s\n    %.4f ms, the original %.4f ms (%.2fx)",
                best.name().c_str(), best.ms, best.originalMs,
                1 / best.relative());
    if (summary.plannedResult && summary.plannedResult->isCorrect())
      std::printf("; the planner's choice %.2fx",
                  1 / summary.plannedResult->relative());
    std::printf("%s\n",
                best.originalMs < Times::shortest ? "; too short to tell" : "");
  }

  const TuneSettings &settings;
  const bool isTerminal;
  bool isShown = false;
  double best = 0;
};

double parseSeconds(const std::string &text, const std::string &what) {
  char *end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= 0) || value > 1e9)
    throw Error("'" + text + "' is no number for " + what);
  return value;
}

void addSearchOptions(CommandLine &line, TuneSettings &settings) {
  TuneOptions &tune = settings.tune;
  line.option("strategy", "random|local|evolutionary",
              "how recipes are looked for (default local)",
              [&](const std::string &text) {
                const std::vector<std::string> &names = strategyNames();
                if (std::find(names.begin(), names.end(), text) == names.end())
                  throw Error("--strategy is random, local or evolutionary, "
                              "not '" +
                              text + "'");
                tune.strategy = text;
              });
  const auto seconds = [&line](const char *name, const char *metavar,
                               const char *help, double &to) {
    line.option(name, metavar, help, [&to, name](const std::string &text) {
      to = parseSeconds(text, std::string("--") + name);
    });
  };
  seconds("budget", "SECONDS", "end the search then (default: no limit)",
          tune.budgetSeconds);
  line.number("max-variants", "N", "end the search then (default 100)",
              tune.maxVariants, 1);
  seconds("time-limit", "SECONDS",
          "of making, and of running a variant (default 60)",
          tune.variantSeconds);
  seconds("prune", "FACTOR",
          "leave out what is predicted to take so many times the clocks of "
          "the planner's recipe (default 4; 0 leaves out nothing)",
          tune.pruneFactor);
}

void addTuneFileOptions(CommandLine &line, TuneSettings &settings) {
  TuneOptions &tune = settings.tune;
  line.option("results", "FILE",
              "write all results (T4); what is there already is not run again",
              tune.resultsFile);
  line.option("tuning-db", "FILE",
              "put the best recipe into this database, for 'clopt --tuning-db'",
              tune.databaseFile);
  line.option("import", "FILE",
              "try the recipes of this cache of kernel_tuner first; may be "
              "repeated",
              tune.importFiles);
  line.option("export", "FILE", "write the results as such a cache",
              tune.exportFile);
  line.number("top", "N", "lines of the table (default 10)", settings.top, 1);
}

CommandLine makeTuneLine(TuneSettings &settings) {
  CommandLine line("tune KERNEL.cl [--launch=SPEC.json] [options] [-- flags "
                   "of clBuildProgram]");
  addKernelOptions(line, settings.tune.run);
  addLaunchOptions(line, settings.tune.run);
  addCompareOptions(line, settings.tune.run);
  line.flag("planned",
            "with the launch plan that clopt writes, and groups for it",
            settings.tune.run.isPlanned);
  addSearchOptions(line, settings);
  addTuneFileOptions(line, settings);
  return line;
}

int runTune(TuneSettings &settings, const CommandLine &line) {
  checkFiles(settings.tune.run);
  settings.tune.run.buildFlags = line.rest();
  settings.tune.isStopped = [] { return wasInterrupted != 0; };
  installInterrupt();
  TunePrinter printer(settings);
  try {
    tune(settings.tune, printer);
  } catch (const Error &) {
    // The signal has ended a process whose answer is needed.
    if (wasInterrupted == 0)
      throw;
  }
  return wasInterrupted != 0 ? 130 : printer.good ? 0 : 1;
}

} // namespace

const Command tuneCommand = makeCommand<makeTuneLine, runTune>(
    "tune", "search for the recipe that is fastest on a device", false);

} // namespace clopt::runtime
