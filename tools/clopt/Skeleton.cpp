//===- Skeleton.cpp - clopt skeleton --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/cli/skeleton.test and delegate.test.
//
//===----------------------------------------------------------------------===//

#include "Skeleton.h"

#include "OutputFiles.h"
#include "Report/LaunchSpecText.h"
#include "Settings.h"
#include "Support/BuildFlags.h"
#include "Support/Diagnostics.h"
#include "Support/Files.h"
#include "Support/SourceTexts.h"
#include "Support/Suggest.h"
#include "clopt/Clopt.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdio>

#include <unistd.h>

using namespace clopt;
using llvm::StringRef;

namespace {

/// What a file gave, with all messages about it shown.
struct Sketched {
  std::string text; ///< empty when no kernel can be described
  std::string problem;
};

} // namespace

static MessageStyle errorStyle(ColorMode mode = ColorMode::Auto) {
  MessageStyle style;
  style.color = hasColors(mode, llvm::sys::Process::StandardErrHasColors());
  return style;
}

static llvm::Expected<Sketched> sketchFile(const std::string &path,
                                           const std::string &kernel,
                                           const Options &options,
                                           const MessageStyle &style) {
  llvm::Expected<std::string> source = readTextFile(path);
  if (!source)
    return source.takeError();
  const std::string name = path == "-" ? "<stdin>" : path;
  const Result result = sketchLaunches(name, *source, kernel, options);
  Sketched sketched;
  SourceTexts sources;
  sources.add(name, *source);
  for (const Diagnostic &diagnostic : result.diagnostics)
    llvm::errs() << renderDiagnostic(diagnostic, sources, style);
  if (!result.ok)
    return sketched;
  bool isAny = false;
  for (const LaunchSkeleton &skeleton : result.skeletons) {
    isAny |= skeleton.problem.empty();
    if (!skeleton.problem.empty())
      llvm::errs() << renderMessage(MessageKind::Warning, SourceRange(),
                                    "kernel '" + skeleton.kernel +
                                        "' is left out: " + skeleton.problem,
                                    skeleton.ruleId, sources, style);
  }
  if (isAny)
    sketched.text = printLaunchSpec(result.skeletons, name, options.buildFlags);
  else if (!result.skeletons.empty())
    sketched.problem = "no launch can be described";
  else if (!kernel.empty())
    sketched.problem = "no kernel '" + kernel + "' in '" + name + "'";
  else
    sketched.problem = "no kernels in '" + name + "'";
  return sketched;
}

/// What holds for the file; mistakes in its configuration are shown.
static llvm::Expected<Settings> settingsOf(const std::string &file,
                                           const CommandLine &line) {
  SourceTexts sources;
  SettingsReader reader(line, sources);
  Settings settings = reader.settingsFor(file);
  for (const Diagnostic &error : reader.errors())
    llvm::errs() << renderDiagnostic(error, sources, errorStyle(line.color));
  if (reader.errors().empty())
    return settings;
  return usageError("the configuration of '" + file + "' has errors");
}

int clopt::runSkeleton(const CommandLine &line) {
  const MessageStyle style = errorStyle(line.color);
  auto fail = [&](const std::string &message) {
    llvm::errs() << renderError(message, style);
    return 1;
  };
  std::string target = line.output.value_or("-");
  if (line.outputFolder) {
    if (std::error_code error =
            llvm::sys::fs::create_directories(*line.outputFolder))
      return fail("cannot create the folder '" + *line.outputFolder +
                  "': " + error.message());
    llvm::SmallString<128> path(*line.outputFolder);
    llvm::sys::path::append(path,
                            llvm::sys::path::filename(line.inputs.front()));
    llvm::sys::path::replace_extension(path, "launch.json");
    target = path.str().str();
  }
  OutputFiles outputs;
  if (llvm::Error error = outputs.announce(target))
    return fail(llvm::toString(std::move(error)));
  if (isSameFile(target, line.inputs.front()))
    return fail("'" + target + "' is an input file; it would be overwritten");
  llvm::Expected<Settings> settings = settingsOf(line.inputs.front(), line);
  if (!settings)
    return fail(llvm::toString(settings.takeError()));
  llvm::Expected<Sketched> sketched =
      sketchFile(line.inputs.front(), line.kernel, settings->options, style);
  if (!sketched)
    return fail(llvm::toString(sketched.takeError()));
  if (!sketched->problem.empty())
    return fail(sketched->problem);
  if (sketched->text.empty())
    return 1;
  outputs.add(target, sketched->text);
  if (llvm::Error error = outputs.write())
    return fail(llvm::toString(std::move(error)));
  return 0;
}

//===-- Without --launch --------------------------------------------------===//

namespace {

/// What matters here of the arguments of clopt-rt.
struct RuntimeArguments {
  std::string file;
  bool hasSpec = false;
  bool isOther = false;   ///< it asks for help, or is wrong
  bool hasTarget = false; ///< or a text that is optimized already
  std::optional<std::string> configFile; ///< of clopt
  std::vector<std::string> buildFlags;
};

} // namespace

static RuntimeArguments lookThrough(int argc, const char **argv) {
  // Options of clopt-rt without a value.
  static const char *const flags[] = {
      "planned", "no-entry", "no-time", "first-range", "quick", "install", "v"};
  RuntimeArguments found;
  for (int i = 2; i < argc; ++i) {
    StringRef word = argv[i];
    if (word == "--") {
      found.buildFlags.insert(found.buildFlags.end(), argv + i + 1,
                              argv + argc);
      break;
    }
    if (word.starts_with("-D") || word.starts_with("-I") ||
        word.starts_with("-cl-")) {
      found.buildFlags.push_back(word.str());
      if (word.size() == 2 && i + 1 < argc)
        found.buildFlags.back() += argv[++i];
      continue;
    }
    if (!word.starts_with("-")) {
      // `clopt compare` takes recipes behind it; else there is one too many.
      if (found.file.empty())
        found.file = word.str();
      else
        found.isOther |= StringRef(argv[1]) != "compare";
      continue;
    }
    const StringRef name = word.ltrim('-').split('=').first;
    found.hasSpec |= name == "launch" || name == "sequence";
    found.hasTarget |=
        name == "target" || name == "optimized" || word.contains("=--target=");
    found.isOther |= name == "help" || name == "h";
    if (name == "clopt-arg" && word.contains("=--config-file="))
      found.configFile = word.split("=--config-file=").second.str();
    bool isFlag = word.contains('=');
    for (const char *flag : flags)
      isFlag |= name == flag;
    i += !isFlag;
  }
  return found;
}

/// Standard input becomes the text.
static llvm::Error putOnInput(const std::string &text) {
  std::FILE *file = std::tmpfile(); // nobody has to remove it
  const bool isWritten =
      file && std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
      std::fflush(file) == 0 && lseek(fileno(file), 0, SEEK_SET) == 0 &&
      dup2(fileno(file), STDIN_FILENO) == STDIN_FILENO;
  return isWritten ? llvm::Error::success()
                   : usageError("cannot hand on a launch specification");
}

llvm::Expected<std::vector<std::string>>
clopt::completeArguments(int argc, const char **argv) {
  std::vector<std::string> words(argv, argv + argc);
  const RuntimeArguments arguments = lookThrough(argc, argv);
  // `clopt run` takes an application.
  if (words[1] == "run" || arguments.isOther || arguments.file.empty() ||
      !llvm::sys::fs::is_regular_file(arguments.file))
    return words;
  CommandLine line;
  line.configFile = arguments.configFile;
  llvm::Expected<Settings> settings = settingsOf(arguments.file, line);
  if (!settings)
    return settings.takeError();
  // A verdict does not depend on it, a time does.
  if (words[1] != "verify" && !arguments.hasTarget &&
      settings->options.target == Options().target)
    llvm::errs() << "clopt: note: no --target: optimized for '"
                 << settings->options.target
                 << "'; --target=native is the device of this machine\n";
  auto add = [&](const std::string &word) {
    words.insert(words.begin() + 2, word);
  };
  if (arguments.hasSpec || !settings->launches.empty()) {
    for (const std::string &flag : llvm::reverse(settings->options.buildFlags))
      add("--project-flag=" + flag);
    if (!arguments.hasSpec)
      for (const std::string &launch : llvm::reverse(settings->launches))
        add("--launch=" + launch);
    return words;
  }
  // The specification has the flags.
  Options options;
  options.buildFlags =
      joinBuildFlags(settings->options.buildFlags, arguments.buildFlags);
  llvm::Expected<Sketched> sketched =
      sketchFile(arguments.file, "", options, errorStyle());
  if (!sketched)
    return sketched.takeError();
  if (sketched->text.empty())
    return usageError(sketched->problem.empty()
                          ? "'" + arguments.file + "' has errors"
                          : sketched->problem + "; use --launch=SPEC.json");
  if (llvm::Error error = putOnInput(sketched->text))
    return std::move(error);
  llvm::errs() << "clopt: note: no --launch: sizes and data are derived from "
                  "the kernel; 'clopt skeleton' writes them\n";
  add("--launch-name=skeleton of '" +
      llvm::sys::path::filename(arguments.file).str() + "'");
  add("--launch=-");
  return words;
}
