//===- Settings.h - what holds for each input -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each input has the configuration that is nearest to it, and the flags that
// the build system compiles it with; options of the command line win.
//
// Tested by test/lit/cli/configuration.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_CLOPT_SETTINGS_H
#define CLOPT_TOOLS_CLOPT_SETTINGS_H

#include "CommandLine.h"
#include "Report/CompileCommands.h"
#include "Report/OptionsFile.h"
#include "Support/SourceTexts.h"

#include <map>
#include <string>
#include <vector>

namespace clopt {

/// What holds for one input.
struct Settings {
  Options options;
  CheckSelection checks;
  FindingFormat format = FindingFormat::Text;
  bool isQuiet = false;
  std::vector<std::string> launches; ///< launch specifications
  std::string baselineFile;
  std::vector<ErrorThreshold> errorOn;
  /// Inputs with the same one are counted together; empty where the command
  /// line says how many findings are allowed.
  std::string errorOnFrom;
  std::string limitFrom;          ///< what says so, for messages
  std::string configurationFile;  ///< empty where there is none
  std::string checkPatterns;      ///< what `checks` was made of
  std::vector<std::string> files; ///< that all of this was read from
  /// The build system knows the file.
  bool hasCommand = false;
  /// Flags of the build system that clBuildProgram does not have.
  std::vector<std::string> droppedFlags;
};

class SettingsReader {
public:
  /// Reads what the build folder has; before all else.
  llvm::Error readCommands();

  /// Texts of configurations go to `sources`, for messages about them.
  SettingsReader(const CommandLine &commandLine, SourceTexts &sources)
      : line(commandLine), texts(sources) {}

  /// The settings for an input; "" and "-" are in the working folder. What is
  /// wrong with a configuration is kept.
  Settings settingsFor(const std::string &input);

  /// What is wrong with the configurations that were looked at.
  const std::vector<Diagnostic> &errors() const { return found; }

private:
  const OptionsFile &read(const std::string &path);
  void inherit(OptionsFile &configuration);
  Settings merge(const OptionsFile &configuration,
                 const std::string &input) const;

  const CommandLine &line;
  CompileCommands commands;
  SourceTexts &texts;
  std::map<std::string, OptionsFile> known; ///< by path
  std::vector<Diagnostic> found;
};

/// The settings of an input in the form of a configuration.
std::string printSettings(const Settings &settings, const std::string &input);

} // namespace clopt

#endif // CLOPT_TOOLS_CLOPT_SETTINGS_H
