//===- CommandLine.cpp - the options of clopt -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/cli and test/lit/errors.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "Arguments.h"
#include "InputFiles.h"
#include "OptionTable.h"
#include "Support/Files.h"
#include "Support/Refusals.h"
#include "Support/StepTable.h"
#include "Support/Suggest.h"
#include "Support/Version.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Regex.h>
#include <llvm/Support/StringSaver.h>
#include <llvm/Support/Threading.h>
#include <llvm/Support/raw_ostream.h>

using namespace clopt;
using llvm::StringRef;

static const char *const runtimeCommands[] = {
    "verify", "bench", "compare", "ladder", "tune", "probe", "run"};

bool clopt::isRuntimeCommand(const std::string &name) {
  return llvm::is_contained(runtimeCommands, name);
}

std::vector<std::string> clopt::commandNames() {
  std::vector<std::string> names = {"optimize", "check", "skeleton", "help"};
  llvm::append_range(names, runtimeCommands);
  return names;
}

llvm::Expected<std::vector<const char *>>
clopt::expandHelp(std::vector<const char *> arguments) {
  if (arguments.size() < 2 || StringRef(arguments[1]) != "help")
    return std::move(arguments);
  if (arguments.size() > 3)
    return usageError("'clopt help' takes one command, rule id or step");
  if (arguments.size() == 2)
    return std::vector<const char *>{arguments[0], "--help"};
  const std::string topic = arguments[2];
  std::vector<std::string> topics = commandNames();
  if (llvm::is_contained(topics, topic))
    return std::vector<const char *>{arguments[0], arguments[2], "--help"};
  if (findRule(topic))
    return std::vector<const char *>{arguments[0], "check", "--explain-check",
                                     arguments[2]};
  llvm::append_range(topics, allRuleIds());
  llvm::append_range(topics, stepNames());
  return usageError("no command, rule or step is named '" + topic + "'" +
                    didYouMean(topic, topics));
}

llvm::Error clopt::usageError(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

bool clopt::hasColors(ColorMode mode, bool isTerminal) {
  return mode == ColorMode::Always || (mode == ColorMode::Auto && isTerminal);
}

static void printVersion(llvm::raw_ostream &stream) {
  stream << "clopt " << versionString() << "\n  LLVM " << llvmVersionString()
         << "\n  " << islVersionString() << "\n  PPL " << pplVersionString()
         << "\n";
}

namespace {

/// Turns the values of llvm::cl into a CommandLine, one group at a time.
class Reader {
public:
  /// `isWritten`: the command stands on the command line.
  Reader(const Arguments &scanned, Command command, bool isWritten)
      : arguments(scanned), hasCommand(isWritten) {
    line.isCheck = command == Command::Check;
    line.isSkeleton = command == Command::Skeleton;
  }

  llvm::Expected<CommandLine> read() {
    line.kernel = option::kernel;
    line.given = arguments.names;
    line.inputs.assign(option::inputs.begin(), option::inputs.end());
    line.listDevices = option::listDevices;
    line.isVerbose = option::verbose;
    using Step = llvm::Error (Reader::*)();
    for (Step step :
         {&Reader::readOptions, &Reader::readMessages, &Reader::readOutputs,
          &Reader::readCheck, &Reader::checkMeasurements, &Reader::checkCommand,
          &Reader::checkInputs, &Reader::checkDependencies})
      if (llvm::Error error = (this->*step)())
        return error;
    return std::move(line);
  }

private:
  bool given(const char *name) const { return arguments.names.count(name); }

  llvm::Error readOptions() {
    Options &options = line.options;
    options.buildFlags = arguments.buildFlags;
    options.target = option::target;
    options.analyzeOnly = line.isCheck;
    if (llvm::Error error =
            parseAliasMode(option::alias, "--alias").moveInto(options.alias))
      return error;
    if (llvm::Error error = parseValidateMode(option::validate, "--validate")
                                .moveInto(options.validate))
      return error;
    if (given("config-file"))
      line.configFile = option::configFile;
    if (line.configFile && line.configFile->empty())
      return usageError("option '--config-file' needs a file name");
    line.buildFolder = option::buildFolder;
    if (given("p") && line.buildFolder.empty())
      return usageError("option '-p' needs a folder");
    line.dumpConfig = option::dumpConfig;
    line.verifyConfig = option::verifyConfig;
    if (given("local-size"))
      if (llvm::Error error = parseLocalSize(option::localSize, "--local-size")
                                  .moveInto(options.localSize))
        return error;
    if (given("plan-group"))
      if (llvm::Error error = readPlanGroup())
        return error;
    if (given("operation-budget") &&
        StringRef(option::operationBudget)
            .getAsInteger(10, options.operationBudget))
      return usageError("'--operation-budget' needs a number, not '" +
                        option::operationBudget + "'");
    if (given("time-budget") &&
        (StringRef(option::timeBudget).getAsDouble(options.timeBudget) ||
         !(options.timeBudget >= 0)))
      return usageError("'--time-budget' needs a number of seconds, not '" +
                        option::timeBudget + "'");
    return readJobs();
  }

  /// As many files at a time as the machine has processors for.
  llvm::Error readJobs() {
    line.jobs = llvm::hardware_concurrency().compute_thread_count();
    if (given("jobs") &&
        (StringRef(option::jobs).getAsInteger(10, line.jobs) || !line.jobs))
      return usageError("'--jobs' needs a number of processes, not '" +
                        option::jobs + "'");
    return llvm::Error::success();
  }

  /// "64", "16,16" or "8,8,4"; missing sizes are 1.
  template <size_t Count>
  llvm::Error readSizes(const char *name, const std::string &text,
                        const char *what, std::array<unsigned, Count> &sizes) {
    llvm::SmallVector<StringRef, Count> parts;
    StringRef(text).split(parts, ',');
    sizes.fill(1);
    bool isGood = parts.size() <= Count;
    for (size_t i = 0; isGood && i < parts.size(); ++i)
      isGood = !parts[i].trim().getAsInteger(10, sizes[i]) && sizes[i] > 0;
    if (isGood)
      return llvm::Error::success();
    return usageError("'--" + std::string(name) + "' needs one to " + what +
                      ", not '" + text + "'");
  }

  llvm::Error readPlanGroup() {
    std::array<unsigned, 2> size = {};
    if (llvm::Error error =
            readSizes("plan-group", option::planGroup,
                      "two positive numbers with a comma, as in 64,4", size))
      return error;
    if (uint64_t(size[0]) * size[1] > 1024)
      return usageError("'--plan-group' is of at most 1024 work-items");
    line.options.planGroups[""] = size;
    return llvm::Error::success();
  }

  llvm::Error readRegex(const char *name, const std::string &value,
                        std::optional<std::string> &target) {
    if (!given(name))
      return llvm::Error::success();
    std::string reason;
    if (!llvm::Regex(value).isValid(reason))
      return usageError("'-" + std::string(name) + "=" + value +
                        "' is not a regular expression: " + reason);
    target = value;
    return llvm::Error::success();
  }

  llvm::Error readColor() {
    const std::string &mode = option::color;
    if (mode == "always")
      line.color = ColorMode::Always;
    else if (mode == "never")
      line.color = ColorMode::Never;
    else if (mode != "auto")
      return usageError("'--color' is auto, always or never, not '" + mode +
                        "'" + didYouMean(mode, {"auto", "always", "never"}));
    return llvm::Error::success();
  }

  llvm::Error readMessages() {
    if (llvm::Error error = readColor())
      return error;
    std::optional<std::string> recordPasses;
    if (llvm::Error error = readRegex("Rpass", option::passed, line.passed))
      return error;
    if (llvm::Error error =
            readRegex("Rpass-missed", option::missed, line.missed))
      return error;
    if (llvm::Error error =
            readRegex("Rpass-analysis", option::analysis, line.analysis))
      return error;
    if (llvm::Error error = readRegex("foptimization-record-passes",
                                      option::recordPasses, recordPasses))
      return error;
    line.recordPasses = recordPasses.value_or("");
    line.recordFile = option::recordFile;
    line.reportFile = option::report;
    StringRef suffix = llvm::sys::path::extension(line.reportFile);
    line.isHtmlReport =
        suffix.equals_insensitive(".html") || suffix.equals_insensitive(".htm");
    line.sarifFile = option::sarif;
    line.measurementsFile = option::measurements;

    // A file or a filter of records is a wish for records, as in clang.
    std::string format = option::saveRecord;
    if (!given("fsave-optimization-record") && line.recordFile.empty() &&
        line.recordPasses.empty())
      return llvm::Error::success();
    if (format.empty() || format == "yaml")
      line.record = RecordFormat::Yaml;
    else if (format == "bitstream")
      line.record = RecordFormat::Bitstream;
    else
      return usageError(
          "'-fsave-optimization-record' is yaml or bitstream, not '" + format +
          "'" + didYouMean(format, {"yaml", "bitstream"}));
    return llvm::Error::success();
  }

  llvm::Error readOutputs() {
    if (given("o"))
      line.output = option::output;
    line.inPlace = option::inPlace;
    line.dryRun = option::dryRun;
    line.diff = option::diff;
    line.options.dumpModel = option::dumpModel;
    line.options.dumpPlacement = option::dumpPlacement;
    if (given("explain"))
      line.options.explain = option::explain;
    line.options.dumpTree = option::dumpTree;
    line.options.dumpAst = option::dumpAst;
    line.options.printAfterAll = option::printAfterAll;
    for (const std::string &step : option::printAfter) {
      if (!findStep(step))
        return usageError("'--print-after' knows no step named '" + step + "'" +
                          didYouMean(step, stepNames()));
      line.options.printAfter.push_back(step);
    }
    line.options.verifyEach = option::verifyEach;
    line.options.skipRefused = option::skipRefused;
    line.options.everyLaunch = option::everyLaunch;
    line.recipeFile = option::recipe;
    line.reproducerFolder = option::reproducer;
    line.emitRecipeFile = option::emitRecipe;
    line.neighboursFile = option::emitNeighbours;
    line.batchFile = option::batch;
    line.emitBatchFile = option::emitBatch;
    if (line.batchFile.empty() != line.emitBatchFile.empty())
      return usageError("'--batch' and '--emit-batch' need each other");
    line.tuningDatabaseFile = option::tuningDatabase;
    if (!line.neighboursFile.empty() && line.recipeFile.empty())
      return usageError("'--emit-neighbours' needs '--recipe'");
    if (!line.tuningDatabaseFile.empty() && !line.recipeFile.empty())
      return usageError("'--tuning-db' and '--recipe' exclude each other");
    line.planFile = option::plan;
    line.launcherFile = option::emitLauncher;
    line.options.makePlan =
        !line.planFile.empty() || !line.launcherFile.empty();
    line.inlineIncludes = option::inlineIncludes;
    if (line.inlineIncludes && line.options.makePlan)
      return usageError("'--inline-includes' and a launch plan exclude each "
                        "other: a plan is for the texts with their headers");
    line.writeDependencies = option::writeDependencies;
    line.phonyDependencies = option::phonyDependencies;
    line.dependencyFile = option::dependencyFile;
    line.dependencyTarget = option::dependencyTarget;
    if (line.inPlace && given("o"))
      return usageError("'-i' and '-o' exclude each other");
    if (line.dryRun && (line.inPlace || line.output))
      return usageError("'--dry-run' writes no source: leave out '" +
                        std::string(line.inPlace ? "-i" : "-o") + "'");
    if (line.output && line.output->empty())
      return usageError("option '-o' needs a file name");
    const bool isFolder =
        line.output &&
        (StringRef(*line.output).ends_with("/") ||
         (line.inputs.size() > 1 && llvm::sys::fs::is_directory(*line.output)));
    if (isFolder) {
      line.outputFolder = line.output;
      line.output.reset();
    }
    return llvm::Error::success();
  }

  llvm::Error readCheck() {
    for (const std::string &value : option::errorOn) {
      llvm::Expected<ErrorThreshold> threshold =
          parseErrorThreshold(value, "--error-on");
      if (!threshold)
        return threshold.takeError();
      line.errorOn.push_back(std::move(*threshold));
    }
    line.baselineFile = option::baseline;
    line.writeBaselineFile = option::writeBaseline;
    llvm::Expected<CheckSelection> checks =
        CheckSelection::parse(option::checks);
    if (!checks)
      return usageError("'--checks': " + llvm::toString(checks.takeError()));
    line.checks = std::move(*checks);
    line.checkPatterns = option::checks;
    line.listChecks = option::listChecks;
    line.isQuiet = option::quiet;
    line.explainCheck = option::explainCheck;
    if (!line.explainCheck.empty() && !findRule(line.explainCheck))
      return usageError("'--explain-check' knows no rule named '" +
                        line.explainCheck + "'" +
                        didYouMean(line.explainCheck, allRuleIds()));
    line.updateBaseline = option::updateBaseline;
    if (line.updateBaseline && !line.writeBaselineFile.empty())
      return usageError(
          "'--update-baseline' and '--write-baseline' exclude each other");
    if (llvm::Error error = readFormat())
      return error;
    if (llvm::Error error = readFixes())
      return error;
    StringRef code = option::errorExitCode;
    if (given("error-exit-code") &&
        (code.getAsInteger(10, line.errorExitCode) || line.errorExitCode < 0 ||
         line.errorExitCode > 255))
      return usageError(
          "'--error-exit-code' needs a number from 0 to 255, not '" +
          code.str() + "'");
    return llvm::Error::success();
  }

  llvm::Error readFixes() {
    line.writesFixes = option::fix;
    if (!given("fix") && !given("fixes"))
      return llvm::Error::success();
    const std::vector<FixKind> all = {FixKind::Const, FixKind::LocalSize,
                                      FixKind::Restrict};
    std::vector<std::string> names;
    for (FixKind kind : all)
      names.push_back(fixName(kind));
    for (const std::string &name : option::fixes) {
      auto found = llvm::find(names, name);
      if (name.empty())
        continue;
      if (found == names.end())
        return usageError(
            "'--fixes' knows const, local-size and restrict, not '" + name +
            "'" + didYouMean(name, names));
      line.fixes.push_back(all[static_cast<size_t>(found - names.begin())]);
    }
    // What is proved.
    if (line.fixes.empty())
      line.fixes = {FixKind::Const, FixKind::LocalSize};
    return llvm::Error::success();
  }

  /// Reports are the outputs of other options, on standard output.
  llvm::Error readFormat() {
    const std::string &format = option::format;
    const std::vector<std::string> formats = {"text", "gcc",   "github",
                                              "json", "sarif", "html"};
    if (format == "json" || format == "html" || format == "sarif") {
      const bool isSarif = format == "sarif";
      std::string &file = isSarif ? line.sarifFile : line.reportFile;
      if (!file.empty())
        return usageError("'--format=" + format + "' and '--" +
                          (isSarif ? "sarif" : "report") +
                          "' exclude each other");
      file = "-";
      line.isHtmlReport = format == "html";
      line.format = FindingFormat::None;
      return llvm::Error::success();
    }
    llvm::Expected<FindingFormat> form = parseFindingFormat(format, "--format");
    if (form) {
      line.format = *form;
      return llvm::Error::success();
    }
    llvm::consumeError(form.takeError());
    return usageError(
        "'--format' is text, gcc, github, json, sarif or html, not '" + format +
        "'" + didYouMean(format, formats));
  }

  llvm::Error checkMeasurements() {
    if (line.measurementsFile.empty() || line.isHtmlReport)
      return llvm::Error::success();
    return usageError("'--measurements' needs '--report=FILE.html'");
  }

  /// `clopt chekc a.cl` means a command, not a file.
  llvm::Error checkCommand() {
    if (hasCommand || line.inputs.empty() ||
        llvm::sys::fs::exists(line.inputs.front()))
      return llvm::Error::success();
    const std::string &word = line.inputs.front();
    if (std::optional<std::string> command = suggest(word, commandNames()))
      return usageError("unknown command '" + word + "'; did you mean '" +
                        *command + "'?");
    if (word == "-" || StringRef(word).find_first_of("./") != StringRef::npos)
      return llvm::Error::success();
    return usageError("'" + word +
                      "' is neither a file nor a command; try 'clopt help'");
  }

  llvm::Error checkInputs() {
    if (line.listDevices || !line.explainCheck.empty())
      return llvm::Error::success();
    const bool isQuestion =
        line.listChecks || line.dumpConfig || line.verifyConfig;
    if (line.inputs.empty() && isQuestion)
      return llvm::Error::success();
    if (line.inputs.empty())
      return usageError(std::string("no input files; try 'clopt ") +
                        (line.isCheck      ? "check "
                         : line.isSkeleton ? "skeleton "
                                           : "") +
                        "--help'");
    if (line.isCheck)
      if (llvm::Error error = expandFolders(line.inputs))
        return error;
    if (isQuestion)
      return llvm::Error::success();
    if (line.writesFixes && llvm::is_contained(line.inputs, "-"))
      return usageError("'--fix' cannot replace standard input");
    if (line.inPlace && llvm::is_contained(line.inputs, "-"))
      return usageError("'-i' cannot replace standard input");
    if (line.outputFolder && llvm::is_contained(line.inputs, "-"))
      return usageError(
          "standard input has no name in a folder: '-o' needs a file name");
    if (llvm::count(line.inputs, "-") > 1)
      return usageError("standard input is given twice");
    if (line.isCheck || line.inputs.size() == 1)
      return llvm::Error::success();
    if (line.isSkeleton)
      return usageError("'clopt skeleton' takes one input file");
    if (line.output)
      return usageError("'-o' needs a folder for several input files: '" +
                        *line.output + "/'");
    if (!line.inPlace && !line.outputFolder && !line.dryRun && !line.diff &&
        !line.isDump())
      return usageError("several input files need '-o FOLDER/', '-i', "
                        "'--diff', '--dry-run' or 'clopt check'");
    for (const char *name : {"recipe", "emit-recipe", "emit-neighbours",
                             "batch", "plan", "emit-launcher", "MD"})
      if (given(name))
        return usageError("'-" + std::string(name[0] == 'M' ? "" : "-") + name +
                          "' takes one input file");
    return llvm::Error::success();
  }

  llvm::Error checkDependencies() {
    if (!line.writeDependencies) {
      for (const char *name : {"MF", "MT", "MP"})
        if (given(name))
          return usageError("'-" + std::string(name) + "' needs '-MD'");
      return llvm::Error::success();
    }
    // Without an output there is no name to derive theirs from.
    std::string output = line.output.value_or("-");
    if (line.outputFolder)
      output = *line.outputFolder +
               llvm::sys::path::filename(line.inputs.front()).str();
    if (line.inPlace)
      output = line.inputs.front();
    if (line.dependencyTarget.empty())
      line.dependencyTarget = output;
    if (line.dependencyFile.empty() && output != "-")
      line.dependencyFile = output + ".d";
    if (line.dependencyFile.empty() || line.dependencyTarget == "-")
      return usageError("'-MD' needs '-o', or '-MF' and '-MT'");
    return llvm::Error::success();
  }

  const Arguments &arguments;
  bool hasCommand;
  CommandLine line;
};

} // namespace

llvm::Expected<CommandLine> clopt::parseCommandLine(int argc,
                                                    const char **argv) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *, 32> words(argv, argv + argc);
  llvm::cl::ExpandResponseFiles(saver, llvm::cl::TokenizeGNUCommandLine, words);
  StringRef name = words.size() > 1 ? words[1] : "";
  std::optional<Command> given =
      llvm::StringSwitch<std::optional<Command>>(name)
          .Case("optimize", Command::Optimize)
          .Case("check", Command::Check)
          .Case("skeleton", Command::Skeleton)
          .Default(std::nullopt);
  const Command command = given.value_or(Command::Optimize);
  const bool isCheck = command == Command::Check;
  const bool isSkeleton = command == Command::Skeleton;
  if (given)
    words.erase(words.begin() + 1);

  llvm::Expected<Arguments> arguments = scanArguments(words, command);
  if (!arguments)
    return arguments.takeError();
  // An option of several commands is listed once.
  for (auto &entry : llvm::cl::getRegisteredOptions()) {
    auto &categories = entry.getValue()->Categories;
    if (categories.size() > 1)
      llvm::erase_if(categories, [&](const llvm::cl::OptionCategory *category) {
        return (category == &option::skeletonCategory) != isSkeleton;
      });
  }
  llvm::cl::OptionCategory *own =
      isCheck ? &option::checkCategory : &option::outputCategory;
  if (isSkeleton)
    llvm::cl::HideUnrelatedOptions(option::skeletonCategory);
  else
    llvm::cl::HideUnrelatedOptions(
        {&option::commonCategory, &option::messageCategory, own});
  llvm::cl::SetVersionPrinter(printVersion);
  if (isCheck)
    arguments->forParser.front() = "clopt check";
  if (isSkeleton)
    arguments->forParser.front() = "clopt skeleton";
  std::string mistakes;
  llvm::raw_string_ostream stream(mistakes);
  if (!llvm::cl::ParseCommandLineOptions(
          static_cast<int>(arguments->forParser.size()),
          arguments->forParser.data(),
          isCheck      ? option::checkOverview
          : isSkeleton ? option::skeletonOverview
                       : option::overview,
          &stream)) {
    StringRef message = StringRef(stream.str()).split('\n').first;
    message.consume_front("clopt: ");
    return usageError(message.str());
  }
  return Reader(*arguments, command, given.has_value()).read();
}
