//===- CompileCommands.h - flags that a build system knows ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build systems write how they compile each file into compile_commands.json;
// the CMake function clopt_optimize_kernels does so for kernels. Clang's
// reader of such files is not used: it guesses entries for files without one,
// and a kernel with the macros of another is another kernel.
//
// Tested by test/unit/CompileCommandsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_COMPILECOMMANDS_H
#define CLOPT_REPORT_COMPILECOMMANDS_H

#include <llvm/Support/Error.h>

#include <map>
#include <string>
#include <vector>

namespace clopt {

/// How one file is compiled.
struct CompileCommand {
  std::vector<std::string> flags;   ///< those that clBuildProgram has
  std::vector<std::string> dropped; ///< others
};

class CompileCommands {
public:
  /// Reads clopt_compile_commands.json and compile_commands.json of a build
  /// folder. Fails when there is neither, or on a mistake in one.
  static llvm::Expected<CompileCommands> read(const std::string &folder);

  /// Adds the entries of a text; the first one of a file counts. `name` stands
  /// in error messages.
  llvm::Error add(const std::string &text, const std::string &name);

  /// The entry of a source, or null.
  const CompileCommand *find(const std::string &source) const;

  /// The files that `read` has found, by the folder's name.
  const std::vector<std::string> &files() const { return found; }

private:
  std::vector<std::string> found;
  std::map<std::string, CompileCommand> commands; ///< by absolute path
};

} // namespace clopt

#endif // CLOPT_REPORT_COMPILECOMMANDS_H
