//===- ClangRun.h - runs Clang over a text in memory ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_CLANGRUN_H
#define CLOPT_FRONTEND_CLANGRUN_H

#include "clopt/Result.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <string>
#include <vector>

namespace clang {
class FrontendAction;
} // namespace clang

namespace clopt {

/// Carries out an action of Clang on `source`, which messages and
/// `#include "..."` know as `path`, with arguments of `clang -cc1` but for the
/// input. Appends what Clang says to `diagnostics`, and sets `dependencies`,
/// unless null, to the files that were read. False when there were errors.
bool runClang(const std::string &path, const std::string &source,
              const std::vector<std::string> &arguments,
              clang::FrontendAction &action,
              std::vector<Diagnostic> &diagnostics,
              std::vector<std::string> *dependencies = nullptr);

/// Runs `work` on a thread with a large stack, and waits for it: Clang recurses
/// as deeply as the program is nested, and generated programs are nested
/// deeply.
void onLargeStack(llvm::function_ref<void()> work);

} // namespace clopt

#endif // CLOPT_FRONTEND_CLANGRUN_H
