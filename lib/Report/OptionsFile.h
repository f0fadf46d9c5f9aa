//===- OptionsFile.h - the file .clopt.yaml --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that belong to a folder of kernels stand in a file there, as those
// of clang-tidy do. docs/configuration.md describes it.
//
// LLVM's YAML parser is walked by hand: its traits stop at the first mistake,
// and point at whole mappings where a value in them is wrong.
//
// Tested by test/unit/OptionsFileTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_OPTIONSFILE_H
#define CLOPT_REPORT_OPTIONSFILE_H

#include "Report/OptionValues.h"
#include "clopt/Result.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// What is for the files that match a pattern.
struct FileFlags {
  std::string pattern; ///< well formed
  std::vector<std::string> flags;
  std::vector<std::string> launches; ///< launch specifications
};

/// What a configuration says. Paths in it begin at its folder and stand here
/// so that they can be opened.
struct OptionsFile {
  std::string path; ///< of the file
  std::optional<std::string> target;
  std::vector<std::string> flags;
  std::vector<FileFlags> files;
  std::optional<AliasMode> alias;
  std::optional<ValidateMode> validate;
  std::optional<std::array<unsigned, 3>> localSize;
  std::optional<FindingFormat> format;
  std::optional<bool> isQuiet;
  std::optional<std::string> checks; ///< patterns of CheckSelection
  std::optional<std::string> baseline;
  std::vector<ErrorThreshold> errorOn;
  std::string errorOnFile; ///< the file that has them, this or one above
  bool inheritsParent = false;
  /// What it inherits; its values stand above, its flags are asked for.
  std::shared_ptr<const OptionsFile> parent;

  /// The flags of clBuildProgram for a source: those of all files, then those
  /// of the patterns that match it. A pattern without a slash is compared with
  /// the name of the file, one with a slash with its path from the folder of
  /// the configuration.
  std::vector<std::string> flagsOf(const std::string &source) const;

  /// Launch specifications of the patterns that match a source; those of the
  /// parent when none does.
  std::vector<std::string> launchesOf(const std::string &source) const;

  /// Takes over what `above` says and this one does not. Patterns of checks
  /// come behind those above.
  void inherit(const OptionsFile &above);

private:
  std::vector<const FileFlags *> matching(const std::string &source) const;
};

struct OptionsFileText {
  OptionsFile value;
  std::vector<Diagnostic> errors; ///< in the order of their places
};

/// Reads the text of the file `path`. Unknown keys and wrong values are errors.
OptionsFileText parseOptionsFile(const std::string &text,
                                 const std::string &path);

/// The configuration as text that parseOptionsFile reads.
std::string printOptionsFile(const OptionsFile &configuration);

/// The file .clopt.yaml that is nearest to a source or folder, there or above;
/// empty when there is none. A source without a folder is in the working one.
std::string findOptionsFile(const std::string &source);

/// The nearest one in a folder above that of the configuration `file`.
std::string findParentOptionsFile(const std::string &file);

} // namespace clopt

#endif // CLOPT_REPORT_OPTIONSFILE_H
