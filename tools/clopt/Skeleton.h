//===- Skeleton.h - clopt skeleton ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch specifications from kernels alone: written to a file, or handed to the
// commands that need one and were given none.
//
// Tested by test/lit/cli/skeleton.test and delegate.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_CLOPT_SKELETON_H
#define CLOPT_TOOLS_CLOPT_SKELETON_H

#include "CommandLine.h"

namespace clopt {

/// The exit code of the process.
int runSkeleton(const CommandLine &line);

/// Completes arguments of `clopt verify`, `bench`, `compare` and `ladder` by
/// what the configuration of the kernel file says: its flags and, without
/// `--launch`, its launch specifications. Where there are none, what the
/// kernel suggests is put on standard input. Returns the same arguments where
/// no file can be read. Fails when nothing can be derived.
llvm::Expected<std::vector<std::string>> completeArguments(int argc,
                                                           const char **argv);

} // namespace clopt

#endif // CLOPT_TOOLS_CLOPT_SKELETON_H
