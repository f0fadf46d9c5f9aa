//===- TextFiles.h - writing files -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading is readFile() of JsonDocument.h. Tested by
// test/unit/RuntimeTextFilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_TEXTFILES_H
#define CLOPT_RUNTIME_TEXTFILES_H

#include <string>

namespace clopt::runtime {

/// Throws Error if it cannot be written.
void writeFile(const std::string &path, const std::string &text);

/// In one step: others see the old text or the new one, also when the process
/// is killed.
void replaceFile(const std::string &path, const std::string &text);

/// While it lives, no other FileLock of the file does, in any process. A file
/// of the same name with ".lock" behind it stays.
class FileLock {
public:
  /// Waits. Throws Error when the lock file cannot be made.
  explicit FileLock(const std::string &path);
  ~FileLock();
  FileLock(const FileLock &) = delete;
  FileLock &operator=(const FileLock &) = delete;

private:
  int descriptor;
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_TEXTFILES_H
