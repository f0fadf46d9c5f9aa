//===- Session.cpp - one run over the input files -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit.
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "Delegate.h"
#include "Driver/Batch.h"
#include "Driver/Fusion.h"
#include "Driver/RecipeNeighbours.h"
#include "Driver/TileFootprints.h"
#include "Driver/TunedRecipes.h"
#include "Frontend/clang/IncludeInliner.h"
#include "ProgressLine.h"
#include "Report/Depfile.h"
#include "Report/Diff.h"
#include "Report/JsonReport.h"
#include "Report/OptimizationRecord.h"
#include "Report/PlacementTable.h"
#include "Report/PriceTable.h"
#include "Report/ResultTransfer.h"
#include "Report/Sarif.h"
#include "Report/Suppression.h"
#include "Report/html/HtmlReport.h"
#include "Support/Files.h"
#include "Support/Refusals.h"
#include "Support/Remarks.h"
#include "Support/Version.h"
#include "Target/DeviceProfile.h"
#include "Workers.h"
#include "clopt/Clopt.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/Regex.h>
#include <llvm/Support/raw_ostream.h>

#include <set>
#include <tuple>

using namespace clopt;

Session::Session(CommandLine commandLine) : line(std::move(commandLine)) {
  outStyle.color =
      hasColors(line.color, llvm::sys::Process::StandardOutHasColors());
  errorStyle.color =
      hasColors(line.color, llvm::sys::Process::StandardErrHasColors());
  // A dump alone is shown without the time that optimizing takes.
  if (line.isDump() && !line.needsSteps() && !line.output &&
      !line.outputFolder && !line.inPlace && !line.diff &&
      line.emitRecipeFile.empty() && !line.options.makePlan)
    line.options.analyzeOnly = true;
}

/// What a file is called in messages.
static std::string nameOf(const std::string &path) {
  return path == "-" ? "<stdin>" : path;
}

int Session::fail(const std::string &message) {
  // Readers of profiles and baselines say where in their file they stopped.
  static const llvm::Regex placed("^(.+):([0-9]+):([0-9]+): (.*)$");
  llvm::SmallVector<llvm::StringRef, 5> parts;
  SourceRange location;
  if (!placed.match(message, &parts) ||
      parts[2].getAsInteger(10, location.line) ||
      parts[3].getAsInteger(10, location.column)) {
    llvm::errs() << renderError(message, errorStyle);
    return 1;
  }
  location.file = parts[1].str();
  llvm::errs() << renderMessage(MessageKind::Error, location, parts[4].str(),
                                "", sources, errorStyle);
  return 1;
}

bool Session::readSettings() {
  std::vector<std::string> inputs = line.inputs;
  if (inputs.empty())
    inputs.push_back(""); // the working folder
  SettingsReader reader(line, sources);
  if (llvm::Error error = reader.readCommands()) {
    fail(llvm::toString(std::move(error)));
    return false;
  }
  for (const std::string &input : inputs)
    settings.push_back(reader.settingsFor(input));
  for (const Diagnostic &error : reader.errors())
    llvm::errs() << renderDiagnostic(error, sources, errorStyle);
  // Some may be new; when none is known the folder is likely another one.
  if (!line.buildFolder.empty() &&
      llvm::none_of(settings,
                    [](const Settings &one) { return one.hasCommand; }))
    llvm::errs() << renderMessage(
        MessageKind::Warning, SourceRange(),
        "no input has an entry in the build folder '" + line.buildFolder + "'",
        "", sources, errorStyle);
  return reader.errors().empty();
}

int Session::answerQuestion() {
  const bool isGood = readSettings();
  if (line.verifyConfig)
    return isGood ? verifyConfigurations() : 1;
  if (!isGood)
    return 1;
  if (settings.size() > 1)
    return fail("'--dump-config' and '--list-checks' speak of one file");
  if (line.dumpConfig) {
    llvm::outs() << printSettings(
        settings.front(), line.inputs.empty() ? "" : line.inputs.front());
    return 0;
  }
  llvm::outs() << "Enabled checks:\n";
  for (const std::string &id : settings.front().checks.ruleIds())
    llvm::outs() << "    " << id << "\n";
  return 0;
}

int Session::verifyConfigurations() {
  std::set<std::string> files;
  for (const Settings &one : settings)
    files.insert(one.configurationFile);
  for (const std::string &file : files)
    llvm::outs() << (file.empty() ? "no configuration" : file + ": no errors")
                 << "\n";
  return 0;
}

int Session::run() {
  const int code = runAll();
  if (!line.diff)
    return code;
  // As diff does: 0 nothing differs, 1 something does, 2 trouble.
  const bool isChanged = llvm::any_of(report.files, [](const auto &file) {
    return file.source != file.result.output;
  });
  return code != 0 ? troubleOfDiff : isChanged;
}

int Session::runAll() {
  if (llvm::Error error = readInputs())
    return fail(llvm::toString(std::move(error)));
  if (!readSettings())
    return 1;
  if (llvm::Error error = findNativeTarget())
    return fail(llvm::toString(std::move(error)));
  std::set<std::string> targets;
  for (const Settings &one : settings)
    targets.insert(one.options.target);
  for (const std::string &target : targets)
    if (llvm::Expected<DeviceProfile> profile = loadProfile(target); !profile)
      return fail(llvm::toString(profile.takeError()));
  if (!line.neighboursFile.empty())
    return writeNeighbours();
  if (!line.emitBatchFile.empty())
    return writeBatch();
  if (llvm::Error error = announceOutputs())
    return fail(llvm::toString(std::move(error)));
  if (llvm::Error error = readBaselines())
    return fail(llvm::toString(std::move(error)));

  report.options = settings.front().options;
  report.isCheck = line.isCheck;
  if (line.isVerbose)
    llvm::errs() << fullVersionString() << "\n";
  // Findings point to their files.
  report.files.reserve(line.inputs.size());
  bool isGood = processAll();
  // A file with errors hides nothing about the others from a check.
  if (!isGood && !line.isCheck)
    return 1;

  int exitCode = 0;
  if (line.isCheck) {
    concludeCheck();
    exitCode = isGood ? exitCodeOfFindings() : 1;
  }
  if (llvm::Error error = collectOutputs())
    return fail(llvm::toString(std::move(error)));
  // Findings come before what is written to standard output.
  llvm::outs().flush();
  if (llvm::Error error = outputs.write())
    return fail(llvm::toString(std::move(error)));
  return exitCode;
}

bool Session::isQuiet() const {
  return llvm::all_of(settings,
                      [](const Settings &one) { return one.isQuiet; });
}

llvm::Error Session::findNativeTarget() {
  std::string found;
  for (Settings &one : settings) {
    if (one.options.target != "native")
      continue;
    if (found.empty())
      if (llvm::Error error = nativeTarget().moveInto(found))
        return error;
    one.options.target = found;
  }
  return llvm::Error::success();
}

/// What `use` makes of a file, if there is one.
static llvm::Error
readFile(const std::string &file,
         llvm::function_ref<llvm::Error(const std::string &text)> use) {
  if (file.empty())
    return llvm::Error::success();
  llvm::Expected<std::string> text = readTextFile(file);
  return text ? use(*text) : text.takeError();
}

llvm::Error Session::readInputs() {
  if (llvm::Error error =
          readFile(line.recipeFile, [&](const std::string &text) {
            line.options.recipe = text;
            line.options.recipeName = nameOf(line.recipeFile);
            return llvm::Error::success();
          }))
    return error;
  if (llvm::Error error =
          readFile(line.measurementsFile, [&](const std::string &text) {
            return parseMeasurements(text, line.measurementsFile)
                .moveInto(report.measurements);
          }))
    return error;
  return readFile(line.tuningDatabaseFile, [&](const std::string &text) {
    return parseTuningDatabase(text, line.tuningDatabaseFile).moveInto(tuned);
  });
}

/// In place of a run: what `make` says of the only input goes to `file` alone.
/// `make` gets the input's name and text, and adds to the diagnostics; without
/// an answer the input could not be read.
int Session::writeAnswer(
    const std::string &file,
    llvm::function_ref<std::optional<std::string>(
        const std::string &, const std::string &, std::vector<Diagnostic> &)>
        make) {
  const std::string &path = line.inputs.front();
  if (llvm::Error error = outputs.announce(file))
    return fail(llvm::toString(std::move(error)));
  if (isSameFile(file, path))
    return fail("'" + path + "' is an input file; it would be overwritten");
  llvm::Expected<std::string> source = readTextFile(path);
  if (!source)
    return fail(llvm::toString(source.takeError()));
  std::vector<Diagnostic> diagnostics;
  const std::optional<std::string> answer =
      make(nameOf(path), *source, diagnostics);
  sources.add(nameOf(path), *source);
  for (const Diagnostic &diagnostic : diagnostics)
    llvm::errs() << renderDiagnostic(diagnostic, sources, errorStyle);
  if (!answer)
    return 1;
  outputs.add(file, *answer);
  if (llvm::Error error = outputs.write())
    return fail(llvm::toString(std::move(error)));
  return 0;
}

int Session::writeNeighbours() {
  return writeAnswer(
      line.neighboursFile,
      [&](const std::string &path, const std::string &source,
          std::vector<Diagnostic> &diagnostics) -> std::optional<std::string> {
        RecipeNeighbours found =
            listNeighbours(path, source, settings.front().options);
        diagnostics = std::move(found.diagnostics);
        if (!found.ok)
          return std::nullopt;
        return printNeighbours(found);
      });
}

int Session::writeBatch() {
  llvm::Expected<std::string> text = readTextFile(line.batchFile);
  if (!text)
    return fail(llvm::toString(text.takeError()));
  const auto write = [&](auto request, auto make, auto print) {
    if (!request)
      return fail("'" + line.batchFile +
                  "': " + llvm::toString(request.takeError()));
    return writeAnswer(line.emitBatchFile,
                       [&](const std::string &path, const std::string &source,
                           std::vector<Diagnostic> &diagnostics)
                           -> std::optional<std::string> {
                         auto answer = make(path, source, *request,
                                            settings.front().options);
                         diagnostics = std::move(answer.diagnostics);
                         if (!answer.ok)
                           return std::nullopt;
                         return print(answer);
                       });
  };
  if (isFusionRequest(*text))
    return write(parseFusionRequest(*text), makeFusion, printFusion);
  if (isFootprintRequest(*text))
    return write(parseFootprintRequest(*text), findFootprints, printFootprints);
  return write(parseBatchRequest(*text), makeBatch, printBatch);
}

std::string Session::sourceOutput(const std::string &input) const {
  if (line.dryRun || (line.isCheck && !line.writesFixes))
    return "";
  if (line.inPlace || line.writesFixes)
    return input;
  // A diff or a dump on standard output takes the place of the source.
  if (!line.output && !line.outputFolder && (line.diff || line.isDump()))
    return "";
  if (line.outputFolder) {
    llvm::SmallString<128> path(*line.outputFolder);
    llvm::sys::path::append(path, llvm::sys::path::filename(input));
    return path.str().str();
  }
  return line.output.value_or("-");
}

std::string Session::recordOutput(const std::string &input) const {
  std::string base =
      line.outputFolder ? sourceOutput(input) : line.output.value_or("-");
  if (base == "-" || base == "/dev/null")
    base = input == "-" ? "stdin" : input;
  llvm::SmallString<128> path(base);
  bool isYaml = line.record == RecordFormat::Yaml;
  llvm::sys::path::replace_extension(path,
                                     isYaml ? "opt.yaml" : "opt.bitstream");
  return path.str().str();
}

llvm::Error Session::announceOutputs() {
  if (line.outputFolder)
    if (std::error_code error =
            llvm::sys::fs::create_directories(*line.outputFolder))
      return llvm::createStringError(error, "cannot create the folder '" +
                                                *line.outputFolder +
                                                "': " + error.message());
  std::vector<std::string> files;
  if (line.diff || printsFixes() || line.isDump())
    files.push_back("-");
  for (const std::string &input : line.inputs) {
    std::string source = sourceOutput(input);
    if (!source.empty())
      files.push_back(source);
    if (line.record && line.recordFile.empty())
      files.push_back(recordOutput(input));
  }
  std::vector<std::string> others = {
      line.emitRecipeFile, line.planFile,         line.launcherFile,
      line.reportFile,     line.sarifFile,        line.recordFile,
      line.dependencyFile, line.writeBaselineFile};
  if (line.updateBaseline) {
    std::set<std::string> updated;
    for (const Settings &one : settings)
      updated.insert(one.baselineFile);
    llvm::append_range(others, updated);
    if (*updated.rbegin() == "")
      return usageError("'--update-baseline' needs '--baseline', or a baseline "
                        "in the configuration");
  }
  llvm::erase_if(others, [](const std::string &name) { return name.empty(); });
  llvm::append_range(files, others);
  for (const std::string &file : files)
    if (llvm::Error error = outputs.announce(file))
      return error;
  for (const std::string &file : others)
    for (const std::string &input : line.inputs)
      if (isSameFile(file, input))
        return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                       "'" + file +
                                           "' is an input file; it would be "
                                           "overwritten");
  return llvm::Error::success();
}

/// What was said of the headers is known: only errors are new.
static void inlineHeaders(ProcessedFile &file,
                          const std::vector<std::string> &flags) {
  std::vector<Diagnostic> diagnostics;
  std::optional<std::string> text =
      inlineIncludes(nameOf(file.path), file.result.output, flags, diagnostics);
  file.result.ok = text.has_value();
  if (text)
    file.result.output = std::move(*text);
  else
    llvm::append_range(file.result.diagnostics, diagnostics);
}

ProcessedFile Session::work(size_t input) const {
  const std::string &path = line.inputs[input];
  ProcessedFile file;
  file.path = path;
  llvm::Expected<std::string> source = readTextFile(path);
  if (!source) {
    file.readError = llvm::toString(source.takeError());
    return file;
  }
  file.source = std::move(*source);
  file.result =
      optimizeTuned(nameOf(path), file.source, settings[input].options, tuned);
  if (file.result.ok && !line.fixes.empty())
    addFixes(file, settings[input].options);
  sortRemarks(file.result.remarks);
  if (line.inlineIncludes && file.result.ok)
    inlineHeaders(file, settings[input].options.buildFlags);
  return file;
}

void Session::addFixes(ProcessedFile &file, const Options &options) const {
  FixResult fixed =
      fixSource(nameOf(file.path), file.source, line.fixes, options);
  file.result.output = std::move(fixed.text);
  for (const Fix &fix : fixed.fixes) {
    file.fixes += !fix.isRefused();
    if (isQuiet() || (fix.isRefused() && !line.isVerbose))
      continue;
    Diagnostic note;
    note.level = Diagnostic::Level::Note;
    note.location = fix.location;
    note.message = fix.message;
    file.result.diagnostics.push_back(std::move(note));
  }
}

bool Session::processAll() {
  if (line.inputs.size() == 1)
    return conclude(work(0));
  bool isGood = true;
  ProgressLine progress(line.isCheck && !isQuiet());
  WorkerTasks tasks;
  tasks.count = line.inputs.size();
  tasks.jobs = line.jobs;
  tasks.work = [&](size_t i) { return packFile(work(i)); };
  tasks.deliver = [&](size_t i, llvm::Expected<std::string> bytes) {
    ProcessedFile file;
    file.path = line.inputs[i];
    if (!bytes)
      file.readError = file.path + ": " + llvm::toString(bytes.takeError());
    else if (std::optional<ProcessedFile> unpacked = unpackFile(*bytes))
      file = std::move(*unpacked);
    progress.clear();
    isGood &= conclude(std::move(file));
  };
  tasks.progress = [&](size_t done) {
    size_t next = std::min(concluded, tasks.count - 1);
    progress.show(done, tasks.count, line.inputs[next]);
  };
  runWorkers(tasks);
  return isGood;
}

/// What the options decide of a report.
static auto reportedOptions(const Options &options) {
  return std::tie(options.target, options.alias, options.buildFlags);
}

/// Kernels that would be looked at further if there were more time.
static size_t withoutTime(const Result &result) {
  std::set<std::string> kernels;
  for (const Remark &remark : result.remarks)
    if (remark.ruleId == "clopt-time-budget" && !remark.suppressed)
      kernels.insert(remark.function);
  for (const KernelReport &kernel : result.kernels)
    if (kernel.changed)
      kernels.erase(kernel.name);
  return kernels.size();
}

bool Session::conclude(ProcessedFile file) {
  const Settings &own = settings[concluded++];
  if (reportedOptions(own.options) != reportedOptions(report.options))
    file.options = own.options;
  if (!file.readError.empty()) {
    fail(file.readError);
    report.hasUnread = true;
    return false;
  }
  std::string name = nameOf(file.path);
  sources.add(name, file.source);
  applySuppressions(name, sources, file.result);
  auto warn = [&](const std::string &message) {
    Diagnostic warning;
    warning.level = Diagnostic::Level::Warning;
    warning.location.file = name;
    warning.message = message;
    file.result.diagnostics.push_back(std::move(warning));
  };
  if (file.result.ok && file.result.kernels.empty())
    warn(line.isCheck ? "no kernels in this file"
                      : "no kernels in this file; it is passed "
                        "through unchanged");
  if (const size_t left = withoutTime(file.result); left && !line.isCheck)
    warn(std::to_string(left) + " of " +
         std::to_string(file.result.kernels.size()) +
         (left == 1 ? " kernels stays as it was"
                    : " kernels stay as they were") +
         ", because the time for the file is used up; raise --time-budget");
  narrateFlags(file, own);
  file.outputPath = sourceOutput(file.path);
  llvm::errs() << file.result.stepDump;
  showDiagnostics(file);
  if (file.result.ok) {
    showRemarks(file);
    narrate(file);
  }
  report.files.push_back(std::move(file));
  if (line.isCheck)
    showFindings(report.files.back());
  return report.files.back().result.ok;
}

void Session::showDiagnostics(const ProcessedFile &file) {
  const FindingFormat format = settings[concluded - 1].format;
  bool hasError = false;
  for (const Diagnostic &diagnostic : file.result.diagnostics) {
    hasError |= diagnostic.level == Diagnostic::Level::Error;
    if (line.isCheck && format == FindingFormat::GitHub &&
        diagnostic.level != Diagnostic::Level::Note &&
        diagnostic.location.isValid())
      findingStream() << renderDiagnosticForGitHub(diagnostic);
    else
      llvm::errs() << renderDiagnostic(diagnostic, sources, errorStyle);
  }
  // A failure without a word would be the worst of all messages.
  if (!file.result.ok && !hasError)
    fail(file.path + ": could not be optimized");
}

static bool isWanted(const Remark &remark,
                     const std::optional<std::string> &pattern) {
  return pattern && llvm::Regex(*pattern).match(remarkPassName(remark));
}

void Session::showRemarks(const ProcessedFile &file) {
  for (const Remark &remark : file.result.remarks) {
    const std::optional<std::string> &pattern =
        remark.kind == RemarkKind::Passed   ? line.passed
        : remark.kind == RemarkKind::Missed ? line.missed
                                            : line.analysis;
    if (!remark.suppressed && isWanted(remark, pattern))
      llvm::errs() << renderRemark(remark, sources, errorStyle);
  }
}

void Session::narrateFlags(const ProcessedFile &file,
                           const Settings &own) const {
  if (!line.isVerbose || line.buildFolder.empty())
    return;
  llvm::errs() << "clopt: " << file.path << ": ";
  if (!own.hasCommand)
    llvm::errs() << "no entry in '" << line.buildFolder << "'\n";
  else if (own.droppedFlags.empty())
    llvm::errs() << "flags of '" << line.buildFolder << "'\n";
  else
    llvm::errs() << "flags of '" << line.buildFolder << "' without "
                 << llvm::join(own.droppedFlags, " ") << "\n";
}

void Session::narrate(const ProcessedFile &file) const {
  if (!line.isVerbose)
    return;
  for (const KernelReport &kernel : file.result.kernels) {
    llvm::errs() << "clopt: " << file.path << ": kernel '" << kernel.name
                 << "': ";
    if (line.isCheck)
      llvm::errs() << kernel.accesses.size() << " accesses\n";
    else
      llvm::errs() << (kernel.changed ? "optimized" : "unchanged") << "\n";
    for (const std::string &guard : kernel.guards)
      llvm::errs() << "clopt:   when " << guard << "\n";
  }
  if (!file.outputPath.empty())
    llvm::errs() << "clopt: " << file.path << ": writing to "
                 << (file.outputPath == "-" ? "standard output"
                                            : file.outputPath)
                 << "\n";
}

void Session::collectSource(const ProcessedFile &file) {
  // A check goes on behind files with errors, which have no result.
  if (!file.result.ok)
    return;
  const std::string &changed = file.result.output;
  // An unchanged file keeps its time stamp, so nothing is built again.
  bool isUntouched =
      (line.inPlace || line.writesFixes) && changed == file.source;
  if (!file.outputPath.empty() && !isUntouched)
    outputs.add(file.outputPath, changed);
  if (line.diff || printsFixes()) {
    const std::string diff = unifiedDiff(
        file.path, file.path + (line.diff ? " (optimized)" : " (fixed)"),
        file.source, changed);
    outputs.add("-", outStyle.color ? colorDiff(diff) : diff);
  }
  if (line.options.dumpModel)
    outputs.add("-", file.result.modelDump);
  if (line.options.dumpTree)
    outputs.add("-", file.result.treeDump);
  if (line.options.dumpAst)
    outputs.add("-", file.result.astDump);
  if (line.options.dumpPlacement)
    outputs.add("-", renderPlacements(file.result));
  if (line.options.explain)
    outputs.add("-", renderPrices(file.result));
}

llvm::Error Session::collectRecords() {
  if (!line.record)
    return llvm::Error::success();
  const auto write = [&](const std::string &file,
                         const std::vector<Remark> &remarks) -> llvm::Error {
    llvm::Expected<std::string> text =
        printOptimizationRecord(remarks, *line.record);
    if (!text)
      return text.takeError();
    outputs.add(file, std::move(*text));
    return llvm::Error::success();
  };
  std::vector<Remark> all;
  llvm::Regex filter(line.recordPasses);
  for (const ProcessedFile &file : report.files) {
    std::vector<Remark> remarks = file.result.remarks;
    if (!line.recordPasses.empty())
      llvm::erase_if(remarks, [&](const Remark &remark) {
        return !filter.match(remarkPassName(remark));
      });
    if (!line.recordFile.empty())
      llvm::append_range(all, remarks);
    else if (llvm::Error error = write(recordOutput(file.path), remarks))
      return error;
  }
  return line.recordFile.empty() ? llvm::Error::success()
                                 : write(line.recordFile, all);
}

void Session::collectPlan() {
  if (!line.options.makePlan)
    return;
  const ProcessedFile &file = report.files.front();
  LaunchPlan plan = file.result.plan;
  plan.original.name = llvm::sys::path::filename(file.path).str();
  plan.optimized.name = llvm::sys::path::filename(file.outputPath).str();
  if (!line.planFile.empty())
    outputs.add(line.planFile, printLaunchPlan(plan));
  if (!line.launcherFile.empty())
    outputs.add(line.launcherFile,
                printLauncher(
                    plan, llvm::sys::path::filename(line.launcherFile).str()));
}

std::vector<std::string> Session::dependencies() const {
  std::vector<std::string> files = report.files.front().result.dependencies;
  const Settings &own = settings.front();
  llvm::append_range(files, own.files);
  // The profile could be loaded: what is not built in is a file.
  if (const std::string &target = own.options.target;
      builtinProfileText(target).empty())
    files.push_back(target);
  for (const std::string &file :
       {line.recipeFile, line.measurementsFile, line.tuningDatabaseFile})
    if (!file.empty() && file != "-")
      files.push_back(file);
  return files;
}

llvm::Error Session::collectOutputs() {
  for (const ProcessedFile &file : report.files)
    collectSource(file);
  if (!line.emitRecipeFile.empty())
    outputs.add(line.emitRecipeFile, report.files.front().result.recipe);
  collectPlan();
  if (!line.reportFile.empty())
    outputs.add(line.reportFile, line.isHtmlReport
                                     ? printHtmlReport(report, findings)
                                     : printJsonReport(report, findings));
  if (!line.sarifFile.empty())
    outputs.add(line.sarifFile,
                printSarif(report, findings, !baselines.empty()));
  if (!line.writeBaselineFile.empty())
    outputs.add(line.writeBaselineFile,
                printBaseline(line.writeBaselineFile, findings));
  if (line.updateBaseline)
    for (const auto &[file, before] : baselines)
      outputs.add(file, printBaseline(file, findingsUnder(file), &before));
  if (line.writeDependencies) {
    outputs.add(line.dependencyFile,
                printDepfile(line.dependencyTarget, dependencies(),
                             line.phonyDependencies));
  }
  if (!line.reproducerFolder.empty())
    for (const ProcessedFile &file : report.files)
      for (const Reproducer &reproducer : file.result.reproducers)
        if (llvm::Error error = writeReproducer(reproducer))
          return error;
  return collectRecords();
}

/// A folder for each kernel; one of an earlier run is written over.
llvm::Error Session::writeReproducer(const Reproducer &reproducer) {
  for (const Reproducer::File &file : reproducer.files) {
    llvm::SmallString<128> path(line.reproducerFolder);
    llvm::sys::path::append(path, reproducer.kernel, file.name);
    if (std::error_code error = llvm::sys::fs::create_directories(
            llvm::sys::path::parent_path(path)))
      return llvm::createStringError(error, "cannot create the folder of '" +
                                                path.str().str() +
                                                "': " + error.message());
    outputs.add(path.str().str(), file.text);
  }
  llvm::errs() << renderMessage(MessageKind::Note, SourceRange(),
                                "what is needed to repeat it is in '" +
                                    line.reproducerFolder + "/" +
                                    reproducer.kernel + "': run.sh there",
                                "", sources, errorStyle);
  return llvm::Error::success();
}

llvm::Error Session::readBaselines() {
  if (!line.isCheck)
    return llvm::Error::success();
  for (const Settings &one : settings) {
    const std::string &file = one.baselineFile;
    if (file.empty() || baselines.count(file))
      continue;
    // The first one is made of what a configuration names.
    if (line.updateBaseline && !llvm::sys::fs::exists(file)) {
      baselines[file].path = file;
      continue;
    }
    if (llvm::Error error = readFile(file, [&](const std::string &text) {
          return parseBaseline(text, file).moveInto(baselines[file]);
        }))
      return error;
  }
  return llvm::Error::success();
}

std::vector<Finding>
Session::findingsUnder(const std::string &baselineFile) const {
  std::vector<Finding> result;
  for (size_t i = 0; i < findings.size(); ++i)
    if (settings[inputOf[i]].baselineFile == baselineFile)
      result.push_back(findings[i]);
  return result;
}

/// A report on standard output is for a program; people look elsewhere then.
llvm::raw_ostream &Session::findingStream() const {
  return outputs.usesStandardOutput() ? llvm::errs() : llvm::outs();
}

void Session::showFindings(const ProcessedFile &file) {
  const size_t input = concluded - 1;
  const Settings &ours = settings[input];
  std::vector<Finding> own = findingsOf(file.result);
  llvm::erase_if(own, [&](const Finding &finding) {
    return !ours.checks.isSelected(finding.access->ruleId);
  });
  for (Finding &finding : own)
    finding.input = file.path;
  if (!ours.baselineFile.empty()) {
    Baseline &baseline = baselines[ours.baselineFile];
    applyBaseline(baseline, own);
    if (file.result.ok)
      coverBaseline(baseline, file, [&](const std::string &ruleId) {
        return ours.checks.isSelected(ruleId);
      });
  }
  const bool isTaken = outputs.usesStandardOutput();
  llvm::raw_ostream &stream = findingStream();
  for (const Finding &finding : own) {
    if (!finding.isNew())
      continue;
    if (ours.format == FindingFormat::Text)
      stream << renderFinding(finding, sources,
                              isTaken ? errorStyle : outStyle);
    else if (ours.format == FindingFormat::Gcc)
      stream << renderFindingInLine(finding);
    else if (ours.format == FindingFormat::GitHub)
      stream << renderFindingForGitHub(finding);
  }
  inputOf.insert(inputOf.end(), own.size(), input);
  llvm::append_range(findings, std::move(own));
  showUnanalyzed(file);
  stream.flush();
}

void Session::showUnanalyzed(const ProcessedFile &file) {
  const size_t input = concluded - 1;
  const FindingFormat format = settings[input].format;
  const MessageStyle &style =
      outputs.usesStandardOutput() ? errorStyle : outStyle;
  for (const Remark *remark : unanalyzedKernels(file.result)) {
    unanalyzed.push_back({input, remark->ruleId});
    if (format == FindingFormat::Text)
      findingStream() << renderUnanalyzed(*remark, sources, style);
    else if (format == FindingFormat::Gcc)
      findingStream() << renderUnanalyzedInLine(*remark);
    else if (format == FindingFormat::GitHub)
      findingStream() << renderUnanalyzedForGitHub(*remark);
  }
}

void Session::concludeCheck() {
  if (isQuiet() || line.format == FindingFormat::None)
    return;
  const bool isForPeople = llvm::all_of(settings, [](const Settings &one) {
    return one.format == FindingFormat::Text;
  });
  llvm::raw_ostream &stream = isForPeople && !outputs.usesStandardOutput()
                                  ? llvm::outs()
                                  : llvm::errs();
  stream << renderSummary(countFindings(report, findings));
  unsigned fixes = 0;
  for (const ProcessedFile &file : report.files)
    fixes += file.fixes;
  if (!line.fixes.empty())
    stream << fixes << (fixes == 1 ? " fix" : " fixes")
           << (line.writesFixes || !fixes ? "" : "; '--fix' writes them")
           << "\n";
  unsigned gone = 0;
  for (const auto &[file, left] : baselines)
    gone += countGone(left);
  if (gone && !line.updateBaseline)
    stream << gone << (gone == 1 ? " finding" : " findings")
           << " of the baseline " << (gone == 1 ? "is" : "are")
           << " gone; '--update-baseline' takes " << (gone == 1 ? "it" : "them")
           << " out\n";
  stream.flush();
}

int Session::exitCodeOfFindings() {
  // Each configuration speaks of the files that it is for.
  std::set<std::string> counted;
  for (const Settings &one : settings)
    if (counted.insert(one.errorOnFrom).second && !keepsLimits(one))
      return line.errorExitCode;
  return 0;
}

size_t Session::countOf(const std::string &what, const Settings &one) const {
  size_t count = 0;
  for (size_t i = 0; i < findings.size(); ++i)
    count += findings[i].isNew() &&
             settings[inputOf[i]].errorOnFrom == one.errorOnFrom &&
             (what == "unvectorized" || what == findings[i].access->ruleId);
  for (const auto &[input, ruleId] : unanalyzed)
    count += settings[input].errorOnFrom == one.errorOnFrom &&
             (what == "unanalyzed" || what == ruleId);
  return count;
}

bool Session::keepsLimits(const Settings &one) {
  for (const ErrorThreshold &threshold : one.errorOn) {
    const size_t count = countOf(threshold.what, one);
    if (count <= threshold.limit)
      continue;
    const bool isOfKernels =
        threshold.what == "unanalyzed" || isAboutBudget(threshold.what);
    fail(std::to_string(count) + (isOfKernels ? " kernel" : " finding") +
         (count == 1 ? "" : "s") + " of '" + threshold.what + "', at most " +
         std::to_string(threshold.limit) + " allowed by " + one.limitFrom);
    return false;
  }
  return true;
}
