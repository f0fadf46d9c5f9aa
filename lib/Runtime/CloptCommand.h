//===- CloptCommand.h - having a kernel file optimized ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Process.h says why clopt is a process of its own. Tested by test/run and
// test/lit/cli/ladder.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_CLOPTCOMMAND_H
#define CLOPT_RUNTIME_CLOPTCOMMAND_H

#include "Runtime/LaunchSpec.h"
#include "Runtime/Process.h"
#include "Runtime/Verify.h"

#include <string>
#include <vector>

namespace clopt::runtime {

/// The command that has options.kernelFile optimized with these arguments, the
/// user's behind them, and these flags of clBuildProgram.
std::vector<std::string> cloptCommand(const VerifyOptions &options,
                                      const std::vector<std::string> &arguments,
                                      const std::vector<std::string> &flags);

/// Runs it. Throws Error, with its output, if it fails.
ProcessResult runClopt(const VerifyOptions &options,
                       const std::vector<std::string> &arguments,
                       const std::vector<std::string> &flags);

/// The flags of clBuildProgram at one point: the specification's and the
/// user's.
std::vector<std::string> flagsAt(const KernelSpec &spec, const SizePoint &point,
                                 const VerifyOptions &options);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_CLOPTCOMMAND_H
