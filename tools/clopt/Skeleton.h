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

/// For `clopt verify` and `clopt bench` without `--launch`: puts a
/// specification on standard input and returns arguments that say so. Returns
/// the same arguments where there is one, or no file that could be read.
/// Fails when nothing can be derived.
llvm::Expected<std::vector<std::string>> addSkeleton(int argc,
                                                     const char **argv);

} // namespace clopt

#endif // CLOPT_TOOLS_CLOPT_SKELETON_H
