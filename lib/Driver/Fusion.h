//===- Fusion.h - neighbouring launches as one ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in the same NDRange become one, whose work-items do one after the
// other what was theirs in each:
//
//   scale(x, t);                 __kernel void scale_add(x, t, y) {
//   add(t, y);              ->     { t_value = x[i] * 2; }
//                                  { y[i] += t_value; }
//                                }
//
// and launches that repeat become a loop in the kernel. That is legal where no
// work-item needs, or overwrites what is needed, of another one in another of
// the launches; in a work-group a barrier orders them. isl decides it for the
// numbers of the request, on the model of the kernel that calls the others. A
// buffer that nothing else reads becomes a variable where each work-item uses
// one cell of it, and sets that first. After M. Fang's thesis, 2017, 5.4 and
// 6.4, which did the same by hand; K. Kennedy, K. S. McKinley: Maximizing loop
// parallelism and improving data locality via loop fusion and distribution,
// 1993.
//
// Tested by test/unit/FusionTest.cpp, test/lit/sequence,
// test/run/check_sequence.py.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_DRIVER_FUSION_H
#define CLOPT_DRIVER_FUSION_H

#include "Driver/LaunchNumbers.h"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clopt {

/// What one launch gives for an argument of its kernel.
struct FusedArgument {
  std::string buffer; ///< its name; every name is memory of its own
  /// An integer: first + t * step in repetition t.
  std::optional<int64_t> first;
  int64_t step = 0;
  std::string value; ///< of other scalars: what tells them apart
};

struct FusedPart {
  std::string kernel;
  std::vector<FusedArgument> arguments; ///< of all its parameters, in order
};

/// The parts one behind the other, `count` times over. The scalars of
/// LaunchNumbers are those of the arguments.
struct FusionRequest : LaunchNumbers {
  /// All repetitions in one launch; otherwise one launch for each.
  bool isLoop = false;
  std::vector<FusedPart> parts;
  /// Buffers that nothing but these launches reads, each repetition what it has
  /// written itself.
  std::vector<std::string> temporaries;
};

struct FusionAnswer : LaunchAnswer {
  std::string kernel; ///< the new kernel's name
  std::string text;   ///< of the file, with the new kernel
  /// The new kernel's arguments: those of parts, by index.
  std::vector<std::pair<unsigned, unsigned>> arguments;
  std::vector<std::string> removed; ///< buffers that are variables now
  /// Temporaries that stay: why.
  std::vector<std::string> notes;
};

/// Never throws.
FusionAnswer makeFusion(const std::string &path, const std::string &source,
                        const FusionRequest &request, const Options &options);

/// True for JSON with "parts".
bool isFusionRequest(const std::string &text);

/// A request as JSON: {"parts": [{"kernel", "arguments": [{"buffer"} or
/// {"first", "step"} or {"value"}]}], "count", "loop", "global", "local",
/// "offset", "temporaries"}.
llvm::Expected<FusionRequest> parseFusionRequest(const std::string &text);

/// As JSON: {"kernel", "arguments": [[part, index]], "removed", "notes",
/// "text"}, or {"problem"}.
std::string printFusion(const FusionAnswer &answer);

} // namespace clopt

#endif // CLOPT_DRIVER_FUSION_H
