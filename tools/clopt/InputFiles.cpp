//===- InputFiles.cpp - folders and patterns as files ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/check/folders.test.
//
//===----------------------------------------------------------------------===//

#include "InputFiles.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/GlobPattern.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <functional>
#include <set>

using namespace clopt;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static llvm::Error failed(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// All files below the folder that are wanted, by name.
static llvm::Expected<std::vector<std::string>>
filesBelow(const std::string &folder,
           const std::function<bool(llvm::StringRef)> &isWanted) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    llvm::StringRef name = path::filename(entry->path());
    if (entry->type() == fs::file_type::directory_file) {
      if (name.starts_with("."))
        entry.no_push();
    } else if (isWanted(entry->path())) {
      // Files of the working folder go by their names alone.
      llvm::StringRef file = entry->path();
      if (folder == ".")
        file.consume_front("./");
      files.push_back(file.str());
    }
  }
  if (error)
    return failed(folder + ": " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

static llvm::Expected<std::vector<std::string>>
filesOf(const std::string &input) {
  if (fs::is_directory(input)) {
    auto files = filesBelow(input, [](llvm::StringRef name) {
      return path::extension(name) == ".cl";
    });
    if (files && files->empty())
      return failed(input + ": no files *.cl in this folder");
    return files;
  }
  const size_t star = input.find_first_of("*?[{");
  if (star == std::string::npos || fs::exists(input))
    return std::vector<std::string>{input};
  llvm::Expected<llvm::GlobPattern> glob =
      llvm::GlobPattern::create(input, /*MaxSubPatterns=*/1024);
  if (!glob)
    return failed(input + ": " + llvm::toString(glob.takeError()));
  const size_t slash = input.rfind('/', star);
  const bool isHere = slash == std::string::npos;
  const std::string folder = isHere ? "." : input.substr(0, slash + 1);
  auto files = filesBelow(folder, [&](llvm::StringRef name) {
    if (isHere)
      name.consume_front("./");
    return glob->match(name);
  });
  if (files && files->empty())
    return failed(input + ": no such files");
  return files;
}

llvm::Error clopt::expandFolders(std::vector<std::string> &inputs) {
  std::vector<std::string> result;
  std::set<std::string> known;
  for (const std::string &input : inputs) {
    llvm::Expected<std::vector<std::string>> files = filesOf(input);
    if (!files)
      return files.takeError();
    for (std::string &file : *files)
      if (known.insert(file).second || file == "-")
        result.push_back(std::move(file));
  }
  inputs = std::move(result);
  return llvm::Error::success();
}
