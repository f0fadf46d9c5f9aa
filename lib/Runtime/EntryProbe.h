//===- EntryProbe.h - which launches take a kernel's new body --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clopt writes a new body in front of the author's, behind a condition on the
// launch. A comparison in which no launch meets that condition compares the
// author's text with itself. What is run here is a third text besides the two
// that are compared: of each kernel it keeps what decides, and a store in place
// of the rest. Tested by test/unit/RuntimeEntryProbeTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_ENTRYPROBE_H
#define CLOPT_RUNTIME_ENTRYPROBE_H

#include <map>
#include <string>
#include <vector>

namespace clopt::runtime {

/// What became of a kernel.
struct KernelEntry {
  enum class Body {
    Unchanged, ///< the author's text
    New,       ///< by clopt; for all launches, or for those of `conditions`
    Unknown    ///< another text, not in clopt's form
  };
  Body body = Body::Unknown;
  /// All must hold, in their order, as in the text; none: all launches. Those
  /// of the first version, where there are several.
  std::vector<std::string> conditions;
  /// The name of the argument that the probe adds. No other definition in the
  /// text has it, so it tells which one a kernel is whose name a macro makes.
  std::string mark;
};

struct EntryProbe {
  /// Each kernel with one more argument, the last one: a `__global uint *` that
  /// becomes 1 if a new body is entered, and 2 + i if the first condition
  /// that does not hold is the one with index i. Empty if nothing can be told.
  std::string source;
  /// Those of `optimized`, as their names are written there: "k", "NAME(k)".
  std::map<std::string, KernelEntry> kernels;
  std::vector<KernelEntry> definitions; ///< all of them, in order
};

EntryProbe makeEntryProbe(const std::string &original,
                          const std::string &optimized);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_ENTRYPROBE_H
