//===- HelpTable.h - what --help says, as data ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From this table come the manual pages and the completion of shells
// (tools/scripts/manual.py).
//
// Tested by test/lit/cli/help-json.test and help.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_CLOPT_HELPTABLE_H
#define CLOPT_TOOLS_CLOPT_HELPTABLE_H

#include <llvm/Support/Error.h>

#include <optional>
#include <string>

namespace clopt {

/// All commands with their options, as `clopt help --json` prints them
/// (docs/cli.md). Fails when clopt-rt does not say what its commands are.
llvm::Expected<std::string> printHelpTable();

/// What `clopt help topic` prints of itself and of steps; nothing for commands
/// and rules, which have an option that does.
std::optional<std::string> helpTopic(const std::string &topic);

} // namespace clopt

#endif // CLOPT_TOOLS_CLOPT_HELPTABLE_H
