//===- InputFiles.h - folders and patterns as files -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/check/folders.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_CLOPT_INPUTFILES_H
#define CLOPT_TOOLS_CLOPT_INPUTFILES_H

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace clopt {

/// Puts the files *.cl below each folder in its place, sorted by name, without
/// those in folders whose name begins with a dot; for a pattern
/// ("kernels/*.cl", where * also stands for folders) the files that match.
/// Fails for a folder or a pattern without any. Each file stays once, where it
/// came first.
llvm::Error expandFolders(std::vector<std::string> &inputs);

} // namespace clopt

#endif // CLOPT_TOOLS_CLOPT_INPUTFILES_H
