//===- Settings.cpp - what holds for each input ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/cli/configuration.test.
//
//===----------------------------------------------------------------------===//

#include "Settings.h"

#include "Support/BuildFlags.h"
#include "Support/Files.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

using namespace clopt;

llvm::Error SettingsReader::readCommands() {
  if (line.buildFolder.empty())
    return llvm::Error::success();
  return CompileCommands::read(line.buildFolder).moveInto(commands);
}

const OptionsFile &SettingsReader::read(const std::string &path) {
  auto [entry, isNew] = known.try_emplace(path);
  // Without a file all is left to the command line.
  if (!isNew || path.empty())
    return entry->second;
  entry->second.path = path;
  llvm::Expected<std::string> text = readTextFile(path);
  if (!text) {
    Diagnostic error;
    error.message = llvm::toString(text.takeError());
    found.push_back(std::move(error));
    return entry->second;
  }
  texts.add(path, *text);
  OptionsFileText parsed = parseOptionsFile(*text, path);
  llvm::append_range(found, std::move(parsed.errors));
  OptionsFile own = std::move(parsed.value);
  inherit(own);
  return known[path] = std::move(own);
}

void SettingsReader::inherit(OptionsFile &configuration) {
  if (!configuration.inheritsParent)
    return;
  const std::string above = findParentOptionsFile(configuration.path);
  if (!above.empty())
    configuration.inherit(read(above));
}

Settings SettingsReader::settingsFor(const std::string &input) {
  const std::string place = input == "-" ? "" : input;
  return merge(
      read(line.configFile ? *line.configFile : findOptionsFile(place)), place);
}

Settings SettingsReader::merge(const OptionsFile &configuration,
                               const std::string &input) const {
  Settings settings;
  settings.configurationFile = configuration.path;
  settings.files = commands.files();
  if (!configuration.path.empty())
    settings.files.push_back(configuration.path);
  for (const OptionsFile *above = configuration.parent.get(); above;
       above = above->parent.get())
    settings.files.push_back(above->path);
  settings.options = line.options;
  Options &options = settings.options;
  if (configuration.target && !line.isGiven("target"))
    options.target = *configuration.target;
  if (configuration.alias && !line.isGiven("alias"))
    options.alias = *configuration.alias;
  if (configuration.validate && !line.isGiven("validate"))
    options.validate = *configuration.validate;
  if (configuration.localSize && !line.isGiven("local-size"))
    options.localSize = configuration.localSize;
  settings.format = line.format;
  if (configuration.format && !line.isGiven("format"))
    settings.format = *configuration.format;
  settings.isQuiet = line.isQuiet || configuration.isQuiet.value_or(false);
  settings.launches = configuration.launchesOf(input);
  std::vector<std::string> flags = configuration.flagsOf(input);
  if (const CompileCommand *command = commands.find(input)) {
    flags = joinBuildFlags(flags, command->flags);
    settings.hasCommand = true;
    settings.droppedFlags = command->dropped;
  }
  options.buildFlags = joinBuildFlags(flags, options.buildFlags);

  settings.checks = line.checks;
  settings.checkPatterns = line.checkPatterns;
  // As in clang-tidy, patterns of the command line come behind.
  if (configuration.checks && !configuration.checks->empty()) {
    settings.checkPatterns = *configuration.checks +
                             (line.checkPatterns.empty() ? "" : ",") +
                             line.checkPatterns;
    if (auto all = CheckSelection::parse(settings.checkPatterns))
      settings.checks = std::move(*all);
    else
      llvm::consumeError(all.takeError()); // both parts were read before
  }

  const bool ownBaseline = line.isGiven("baseline");
  settings.baselineFile =
      ownBaseline ? line.baselineFile : configuration.baseline.value_or("");
  settings.errorOn = line.errorOn;
  settings.limitFrom = "'--error-on'";
  if (line.errorOn.empty() && !configuration.errorOn.empty()) {
    settings.errorOn = configuration.errorOn;
    settings.errorOnFrom = configuration.path;
    settings.limitFrom = "'error-on' in '" + configuration.errorOnFile + "'";
  }
  // A baseline is there to be kept, but for when it is written again.
  if (settings.errorOn.empty() && !settings.baselineFile.empty() &&
      !line.updateBaseline) {
    settings.errorOn.push_back({"unvectorized", 0});
    settings.limitFrom = "the baseline '" + settings.baselineFile + "'";
    if (!ownBaseline)
      settings.errorOnFrom = configuration.path;
  }
  return settings;
}

/// Names as they can be opened from any folder.
static std::string absolutePath(llvm::StringRef name) {
  llvm::SmallString<128> path = name;
  if (llvm::sys::fs::make_absolute(path))
    return name.str();
  return path.str().str();
}

static std::vector<std::string>
absoluteFolders(const std::vector<std::string> &flags) {
  std::vector<std::string> result;
  bool isFolder = false;
  for (const std::string &flag : flags) {
    llvm::StringRef text = flag;
    if (isFolder)
      result.push_back(absolutePath(text));
    else if (text.size() > 2 && text.consume_front("-I"))
      result.push_back("-I" + absolutePath(text.trim()));
    else
      result.push_back(flag);
    isFolder = !isFolder && flag == "-I";
  }
  return result;
}

std::string clopt::printSettings(const Settings &settings,
                                 const std::string &input) {
  OptionsFile all;
  const std::string &target = settings.options.target;
  all.target = llvm::sys::fs::exists(target) ? absolutePath(target) : target;
  all.flags = absoluteFolders(settings.options.buildFlags);
  all.alias = settings.options.alias;
  all.validate = settings.options.validate;
  all.localSize = settings.options.localSize;
  if (settings.format != FindingFormat::Text &&
      settings.format != FindingFormat::None)
    all.format = settings.format;
  if (settings.isQuiet)
    all.isQuiet = true;
  if (!settings.checkPatterns.empty())
    all.checks = settings.checkPatterns;
  if (!settings.baselineFile.empty())
    all.baseline = absolutePath(settings.baselineFile);
  all.errorOn = settings.errorOn;
  if (!settings.launches.empty()) {
    FileFlags own;
    own.pattern = llvm::sys::path::filename(input).str();
    for (const std::string &launch : settings.launches)
      own.launches.push_back(absolutePath(launch));
    all.files.push_back(std::move(own));
  }
  return printOptionsFile(all);
}
