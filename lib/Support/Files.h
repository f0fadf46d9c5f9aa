//===- Files.h - reading source files, writing outputs whole ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An output file is either the complete new text or untouched: the text goes
// to a temporary file beside it, which then takes its name. Error messages are
// in the form "path: reason", lower case, ready to stand behind "error: ".
//
// Tested by test/unit/FilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_SUPPORT_FILES_H
#define CLOPT_SUPPORT_FILES_H

#include <llvm/Support/Error.h>

#include <string>

namespace clopt {

/// The contents of a text file; "-" is standard input. Fails when the file is
/// missing, a directory, unreadable, or holds NUL bytes.
llvm::Expected<std::string> readTextFile(const std::string &path);

/// Says why `path` could not be written, without creating or changing
/// anything: it is a directory, its folder does not exist, or permissions
/// forbid it. "-" is always writable.
llvm::Error checkWritable(const std::string &path);

/// Replaces the contents of `path` in one step; on failure the old contents
/// are still there. A symbolic link is followed, permissions are kept. Devices
/// and pipes are written directly. "-" is standard output.
llvm::Error writeFileAtomically(const std::string &path,
                                const std::string &text);

/// True when both name the same existing file, however they are spelt.
bool isSameFile(const std::string &left, const std::string &right);

} // namespace clopt

#endif // CLOPT_SUPPORT_FILES_H
