//===- IncludeInliner.h - puts headers in the place of #include -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/IncludeInlinerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_INCLUDEINLINER_H
#define CLOPT_FRONTEND_INCLUDEINLINER_H

#include "clopt/Result.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// `source` with the text of each header that it includes in the place of the
/// directive, and of those that they include. Everything else stays as it is:
/// macros, and `#if` as well. A directive that these flags do not reach stays,
/// and so does `-include` of the flags. Where a header is not read again, as
/// with `#pragma once` or guards, a comment takes its place. `path` is what
/// `#include "..."` is relative to. Nothing when there are errors, which are
/// appended to `diagnostics`.
std::optional<std::string>
inlineIncludes(const std::string &path, const std::string &source,
               const std::vector<std::string> &buildFlags,
               std::vector<Diagnostic> &diagnostics);

} // namespace clopt

#endif // CLOPT_FRONTEND_INCLUDEINLINER_H
