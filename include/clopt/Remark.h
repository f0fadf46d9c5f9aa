//===- Remark.h - what clopt says about a kernel ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A remark is data: the library collects remarks, the caller decides how they
// are shown (clang-style text, optimization record, JSON, SARIF).
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REMARK_H
#define CLOPT_REMARK_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace clopt {

/// A range of source text. Lines and columns count from 1; `endColumn` is one
/// past the last character. `begin` and `end` are byte offsets into the main
/// file, or -1 when the text does not stand there as such (another file, or
/// the middle of a macro expansion).
struct SourceRange {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  unsigned endLine = 0;
  unsigned endColumn = 0;
  int64_t begin = -1;
  int64_t end = -1;

  /// True when the range can be replaced in the main file.
  bool isEditable() const { return begin >= 0 && end >= begin; }
  bool isValid() const { return line != 0; }
};

/// The three kinds of clang's remarks: something was done, something was not
/// done, and a fact that explains either.
enum class RemarkKind { Passed, Missed, Analysis };

/// One remark about one place in one kernel.
struct Remark {
  RemarkKind kind = RemarkKind::Analysis;
  /// Name of the pass or step, "vectorize"; shown as [clopt-vectorize].
  std::string pass;
  /// Stable rule id, "clopt-unvectorized-stride"; documented in docs/rules/.
  std::string ruleId;
  /// Name of the kernel.
  std::string function;
  SourceRange location;
  /// Lower case, no full stop, in OpenCL's words.
  std::string message;
  /// What would help, or empty.
  std::string hint;
  /// Key and value pairs for optimization records ("Stride", "2").
  std::vector<std::pair<std::string, std::string>> args;
  /// True when a comment in the source (`// clopt: off(rule-id)`) silences it.
  bool suppressed = false;
};

} // namespace clopt

#endif // CLOPT_REMARK_H
