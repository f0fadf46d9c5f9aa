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
