//===- BuildFlags.cpp - flags of clBuildProgram as words ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/BuildFlagsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Support/BuildFlags.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/StringSaver.h>

#include <set>

using llvm::StringRef;

bool clopt::takesNextWord(StringRef flag) {
  return flag == "-D" || flag == "-U" || flag == "-I" || flag == "-include" ||
         flag == "-isystem";
}

/// Whether each part is a flag or the value of the one before.
static bool areFlags(llvm::ArrayRef<const char *> parts) {
  for (size_t i = 0; i < parts.size(); ++i) {
    StringRef part = parts[i];
    if (!part.starts_with("-"))
      return false;
    if (clopt::takesNextWord(part) && ++i == parts.size())
      return false;
  }
  return true;
}

std::vector<std::string>
clopt::splitBuildFlags(const std::vector<std::string> &words) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  std::vector<std::string> flags;
  bool isValue = false; // of the flag before
  for (const std::string &word : words) {
    llvm::SmallVector<const char *, 8> parts;
    if (!isValue)
      llvm::cl::TokenizeGNUCommandLine(word, saver, parts);
    isValue = !isValue && takesNextWord(StringRef(word).trim());
    if (parts.size() > 1 && areFlags(parts))
      flags.insert(flags.end(), parts.begin(), parts.end());
    else
      flags.push_back(word);
  }
  return flags;
}

namespace {

/// One flag with its value.
struct Flag {
  std::vector<std::string> words;
  /// What a later flag of the same subject replaces; empty for other flags.
  std::string subject;
};

} // namespace

static std::vector<Flag> readFlags(const std::vector<std::string> &words) {
  std::vector<Flag> flags;
  for (size_t i = 0; i < words.size(); ++i) {
    Flag flag{{words[i]}, ""};
    StringRef text = StringRef(words[i]).trim();
    if (clopt::takesNextWord(text) && i + 1 < words.size())
      flag.words.push_back(words[++i]);
    if (text.consume_front("-D") || text.consume_front("-U"))
      flag.subject = StringRef(text.empty() ? flag.words.back() : text.str())
                         .split('=')
                         .first.trim()
                         .str();
    else if (text.starts_with("-cl-std="))
      flag.subject = "-cl-std";
    flags.push_back(std::move(flag));
  }
  return flags;
}

std::vector<std::string>
clopt::joinBuildFlags(const std::vector<std::string> &general,
                      const std::vector<std::string> &special) {
  std::set<std::string> replaced;
  for (const Flag &flag : readFlags(special))
    replaced.insert(flag.subject);
  replaced.erase("");
  std::vector<std::string> result;
  for (const Flag &flag : readFlags(general))
    if (!replaced.count(flag.subject))
      result.insert(result.end(), flag.words.begin(), flag.words.end());
  result.insert(result.end(), special.begin(), special.end());
  return result;
}
