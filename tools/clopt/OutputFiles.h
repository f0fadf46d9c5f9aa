//===- OutputFiles.h - all outputs of a run, written at its end -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run that fails leaves every file as it was. So outputs are announced first
// (and refused when they cannot be written, before any work is done), then
// collected, and written when everything has succeeded.
//
// Tested by test/lit/errors.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_CLOPT_OUTPUTFILES_H
#define CLOPT_TOOLS_CLOPT_OUTPUTFILES_H

#include <llvm/Support/Error.h>

#include <string>
#include <utility>
#include <vector>

namespace clopt {

class OutputFiles {
public:
  /// Fails when the file cannot be written or two outputs have the same name.
  llvm::Error announce(const std::string &path);

  void add(const std::string &path, std::string text);

  /// True when some output goes to standard output.
  bool usesStandardOutput() const;

  /// Writes everything that was added, in order; stops at the first failure.
  llvm::Error write() const;

private:
  std::vector<std::string> announced;
  std::vector<std::pair<std::string, std::string>> texts;
};

} // namespace clopt

#endif // CLOPT_TOOLS_CLOPT_OUTPUTFILES_H
