//===- Fixes.h - what the head of a kernel could say ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Qualifiers and attributes that a kernel could have and that help compilers,
// clopt among them: docs/fixes.md says which, and what proves each.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FIXES_H
#define CLOPT_FIXES_H

#include "clopt/Options.h"
#include "clopt/Remark.h"
#include "clopt/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clopt {

enum class FixKind {
  Const,     ///< of the cells behind a pointer that are only read
  LocalSize, ///< reqd_work_group_size, where no other size has a meaning
  Restrict   ///< of a pointer: a promise of the user
};

/// The names of a fix on the command line: "const", "local-size", "restrict".
const char *fixName(FixKind kind);

/// Text that is put in front of a byte of the file.
struct Insertion {
  int64_t at = 0;
  std::string text;
  bool operator==(const Insertion &other) const {
    return at == other.at && text == other.text;
  }
  bool operator<(const Insertion &other) const {
    return at != other.at ? at < other.at : text < other.text;
  }
};

struct Fix {
  FixKind kind = FixKind::Const;
  std::string function;
  std::string parameter; ///< empty: it is about the function
  SourceRange location;
  /// What makes it; none: it is refused.
  std::vector<Insertion> insertions;
  std::string message; ///< what it adds and why, or why it is refused
  bool isRefused() const { return insertions.empty(); }
};

struct FixResult {
  bool ok = false;  ///< the file has no errors, before and after
  std::string text; ///< with all fixes
  std::vector<Fix> fixes;
  std::vector<Diagnostic> diagnostics; ///< errors and warnings of the file
};

/// Adds what is found to the text of a file. Where the result has an error or
/// a warning that the file did not have, nothing is added, and all fixes are
/// refused. Of the options `buildFlags` and the budgets matter. Never throws,
/// never prints.
FixResult fixSource(const std::string &path, const std::string &source,
                    const std::vector<FixKind> &kinds, const Options &options);

} // namespace clopt

#endif // CLOPT_FIXES_H
