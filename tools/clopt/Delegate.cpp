//===- Delegate.cpp - commands that another program carries out -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/cli/delegate.test.
//
//===----------------------------------------------------------------------===//

#include "Delegate.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <cerrno>
#include <unistd.h>

llvm::Error clopt::runRuntimeCommand(const std::vector<std::string> &words) {
  // Any address inside the program serves to find its file.
  std::string self = llvm::sys::fs::getMainExecutable(
      words[0].c_str(), reinterpret_cast<void *>(&runRuntimeCommand));
  llvm::SmallString<256> program = llvm::sys::path::parent_path(self);
  llvm::sys::path::append(program, "clopt-rt");
  if (!llvm::sys::fs::can_execute(program))
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "the command '%s' is part of the program 'clopt-rt', which is missing: "
        "'%s'",
        words[1].c_str(), program.c_str());

  std::vector<char *> arguments = {program.data()};
  for (size_t i = 1; i < words.size(); ++i)
    arguments.push_back(const_cast<char *>(words[i].c_str()));
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  std::error_code code(errno, std::generic_category());
  return llvm::createStringError(code, "cannot start '%s': %s", program.c_str(),
                                 code.message().c_str());
}
