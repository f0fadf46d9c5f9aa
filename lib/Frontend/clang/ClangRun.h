//===- ClangRun.h - one run of Clang's front end ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use inside Frontend only.
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_CLANGRUN_H
#define CLOPT_FRONTEND_CLANGRUN_H

#include "Frontend/clang/ClangFlags.h"
#include "clopt/Result.h"

#include <string>
#include <vector>

namespace clang {
class FrontendAction;
}

namespace clopt {

/// What is left of a run.
struct ClangRun {
  bool isGood = false;                   ///< without errors
  std::vector<Diagnostic> diagnostics;   ///< in the order clang gave them
  std::vector<std::string> dependencies; ///< files read, main file first
};

/// Has `action` look at `source`, which messages and `#include "..."` know as
/// `path`. Never prints; the action runs on a thread with a large stack.
ClangRun runClang(const std::string &path, const std::string &source,
                  const TranslatedFlags &flags, clang::FrontendAction &action);

} // namespace clopt

#endif // CLOPT_FRONTEND_CLANGRUN_H
