//===- Delegate.h - commands that another program carries out ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that has loaded libLLVM cannot load an OpenCL driver that brings
// another libLLVM along. So the OpenCL side is a program of its own, clopt-rt,
// which stands beside clopt and is started as git starts its commands.
//
// Tested by test/lit/cli/delegate.test and native.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_CLOPT_DELEGATE_H
#define CLOPT_TOOLS_CLOPT_DELEGATE_H

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace clopt {

/// Replaces this process by `clopt-rt words[1] words[2] ...`. Only returns when
/// that fails.
llvm::Error runRuntimeCommand(const std::vector<std::string> &words);

/// What '--target=native' means on this machine: the name of a built-in profile
/// or the path of one. clopt-rt looks for the device.
llvm::Expected<std::string> nativeTarget();

/// The commands of clopt-rt and their options, as JSON.
llvm::Expected<std::string> runtimeHelpTable();

} // namespace clopt

#endif // CLOPT_TOOLS_CLOPT_DELEGATE_H
