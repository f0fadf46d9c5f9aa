//===- Delegate.cpp - commands that another program carries out -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/cli/delegate.test and native.test.
//
//===----------------------------------------------------------------------===//

#include "Delegate.h"

#include "Support/Files.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/FileUtilities.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Program.h>

#include <cerrno>
#include <optional>
#include <unistd.h>

/// The path of clopt-rt, for the command `name`.
static llvm::Expected<std::string> findRuntime(const std::string &name) {
  // Any address inside the program serves to find its file.
  std::string self = llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&clopt::runRuntimeCommand));
  llvm::SmallString<256> program = llvm::sys::path::parent_path(self);
  llvm::sys::path::append(program, "clopt-rt");
  if (!llvm::sys::fs::can_execute(program))
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "the command '%s' is part of the program 'clopt-rt', which is missing: "
        "'%s'",
        name.c_str(), program.c_str());
  return program.str().str();
}

llvm::Error clopt::runRuntimeCommand(const std::vector<std::string> &words) {
  llvm::Expected<std::string> program = findRuntime(words[1]);
  if (!program)
    return program.takeError();
  std::vector<char *> arguments = {program->data()};
  for (size_t i = 1; i < words.size(); ++i)
    arguments.push_back(const_cast<char *>(words[i].c_str()));
  arguments.push_back(nullptr);
  execv(program->c_str(), arguments.data());
  std::error_code code(errno, std::generic_category());
  return llvm::createStringError(code, "cannot start '%s': %s",
                                 program->c_str(), code.message().c_str());
}

/// What `clopt-rt words` prints on standard output; when it fails, `failure`
/// and the first line of its error.
static llvm::Expected<std::string>
askRuntime(llvm::ArrayRef<llvm::StringRef> words, const std::string &failure) {
  llvm::Expected<std::string> program = findRuntime(words.front().str());
  if (!program)
    return program.takeError();
  llvm::SmallString<128> answers[2];
  for (llvm::SmallString<128> &answer : answers)
    if (std::error_code code =
            llvm::sys::fs::createTemporaryFile("clopt-answer", "", answer))
      return llvm::createStringError(code, "cannot create a temporary file: " +
                                               code.message());
  const llvm::FileRemover removeFirst(answers[0]), removeSecond(answers[1]);
  const std::optional<llvm::StringRef> redirects[] = {
      llvm::StringRef(""), answers[0].str(), answers[1].str()};
  std::vector<llvm::StringRef> arguments = {*program};
  arguments.insert(arguments.end(), words.begin(), words.end());
  const int status =
      llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt, redirects);
  llvm::Expected<std::string> text =
      clopt::readTextFile(answers[status == 0 ? 0 : 1].str().str());
  if (!text || status == 0)
    return text;
  llvm::StringRef line = llvm::StringRef(*text).trim();
  line.consume_front("clopt-rt: error: ");
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 failure + line.split('\n').first.str());
}

llvm::Expected<std::string> clopt::nativeTarget() {
  llvm::Expected<std::string> answer =
      askRuntime({"native"}, "'--target=native' finds no device: ");
  if (!answer)
    return answer.takeError();
  return llvm::StringRef(*answer).trim().str();
}

llvm::Expected<std::string> clopt::runtimeHelpTable() {
  return askRuntime({"help", "--json"}, "'clopt-rt help': ");
}
