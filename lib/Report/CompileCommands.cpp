//===- CompileCommands.cpp - flags that a build system knows --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/CompileCommandsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/CompileCommands.h"

#include "Support/BuildFlags.h"
#include "Support/Files.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/StringSaver.h>

using namespace clopt;
using llvm::StringRef;

/// A name as it is seen from a folder, without dots.
static std::string seenFrom(StringRef folder, StringRef name) {
  llvm::SmallString<128> result = name;
  llvm::sys::fs::make_absolute(folder, result);
  (void)llvm::sys::fs::make_absolute(result);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

static llvm::Error badCommands(const std::string &name,
                               const std::string &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 name + ": " + what);
}

/// The flags of clBuildProgram among the words of a compiler's command line.
static CompileCommand sortOut(const std::vector<std::string> &words,
                              StringRef folder) {
  CompileCommand command;
  for (size_t i = 1; i < words.size(); ++i) {
    StringRef word = words[i];
    // Sources and outputs.
    if (!word.starts_with("-") || word == "-" || word == "--")
      continue;
    if (takesNextWord(word)) {
      if (i + 1 == words.size())
        break;
      const std::string &value = words[++i];
      const bool isMacro = word == "-D" || word == "-U";
      command.flags.push_back(word.str());
      command.flags.push_back(isMacro ? value : seenFrom(folder, value));
    } else if (word.starts_with("-I")) {
      command.flags.push_back("-I" + seenFrom(folder, word.drop_front(2)));
    } else if (word.starts_with("-D") || word.starts_with("-U") ||
               word.starts_with("-cl-") || word == "-w" || word == "-Werror") {
      command.flags.push_back(word.str());
    } else {
      command.dropped.push_back(word.str());
    }
  }
  return command;
}

/// The words of "arguments", or of "command", which is one text.
static std::vector<std::string> wordsOf(const llvm::json::Object &entry) {
  std::vector<std::string> words;
  if (const llvm::json::Array *list = entry.getArray("arguments")) {
    for (const llvm::json::Value &word : *list)
      words.push_back(word.getAsString().value_or("").str());
  } else if (std::optional<StringRef> text = entry.getString("command")) {
    llvm::BumpPtrAllocator allocator;
    llvm::StringSaver saver(allocator);
    llvm::SmallVector<const char *, 32> parts;
    llvm::cl::TokenizeGNUCommandLine(*text, saver, parts);
    words.assign(parts.begin(), parts.end());
  }
  return words;
}

llvm::Error CompileCommands::add(const std::string &text,
                                 const std::string &name) {
  llvm::Expected<llvm::json::Value> document = llvm::json::parse(text);
  if (!document)
    return badCommands(name, llvm::toString(document.takeError()));
  const llvm::json::Array *entries = document->getAsArray();
  if (!entries)
    return badCommands(name, "a list of entries is wanted");
  for (const llvm::json::Value &value : *entries) {
    const llvm::json::Object *entry = value.getAsObject();
    auto file = entry ? entry->getString("file") : std::nullopt;
    auto folder = entry ? entry->getString("directory") : std::nullopt;
    if (!file || !folder)
      return badCommands(name, "an entry has no \"file\" or \"directory\"");
    std::vector<std::string> words = wordsOf(*entry);
    if (words.empty())
      return badCommands(name, "the entry of '" + file->str() +
                                   "' has no \"command\" and no \"arguments\"");
    commands.try_emplace(seenFrom(*folder, *file), sortOut(words, *folder));
  }
  return llvm::Error::success();
}

llvm::Expected<CompileCommands>
CompileCommands::read(const std::string &folder) {
  CompileCommands result;
  // What was written for clopt comes first.
  for (const char *name :
       {"clopt_compile_commands.json", "compile_commands.json"}) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    if (!llvm::sys::fs::exists(path))
      continue;
    llvm::Expected<std::string> text = readTextFile(path.str().str());
    if (!text)
      return text.takeError();
    if (llvm::Error error = result.add(*text, path.str().str()))
      return std::move(error);
    result.found.push_back(path.str().str());
  }
  if (result.found.empty())
    return badCommands(folder, "no compile_commands.json in this folder");
  return std::move(result);
}

const CompileCommand *CompileCommands::find(const std::string &source) const {
  auto found = commands.find(seenFrom("", source));
  return found == commands.end() ? nullptr : &found->second;
}
