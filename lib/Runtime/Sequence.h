//===- Sequence.h - launches in order, on common buffers -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch specification with a "Sequence": which kernels are launched, in
// which order and how often, with which arguments. Buffers are common to all
// launches. docs/sequence.md describes the format. Tested by
// test/unit/RuntimeSequenceTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_SEQUENCE_H
#define CLOPT_RUNTIME_SEQUENCE_H

#include "Runtime/Launch.h"

#include <string>
#include <vector>

namespace clopt::runtime {

class JsonDocument;

/// A loop over steps, or a launch.
struct SequenceStep {
  std::string counter;     // of a loop; empty: a launch
  LocatedExpression count; // the counter takes 0 .. count-1
  std::vector<SequenceStep> body;
  KernelSpec launch; // with the arguments that the launch gives in place
};

struct SequenceSpec {
  std::vector<KernelSpec> kernels;
  std::vector<SequenceStep> steps;
  /// Buffers whose contents nobody wants at the end.
  std::vector<std::string> temporaries;
};

/// One launch, with numbers.
struct BoundCall {
  std::string kernel;
  std::vector<std::string> options; // of the specification
  std::vector<LaunchArgument> arguments;
  NDRange range;
};

struct BoundSequence {
  Launch memory; // buffers of all launches; its arguments mean nothing
  std::vector<BoundCall> calls;
};

/// Throws Error, with the place, at the first thing that is wrong.
SequenceSpec readSequence(const JsonDocument &document);

/// The launches at one point of the sizes, loops written out. Throws Error.
BoundSequence bindSequence(const SequenceSpec &spec, const SizePoint &point,
                           std::uint64_t seed, const LaunchLimits &limits = {});

/// Launches of one kernel, one behind the other, that differ in scalars only,
/// each of which grows by the same amount every time.
struct CallRun {
  std::size_t first = 0; ///< index into BoundSequence::calls
  std::size_t count = 1;
  /// By argument; 0: it stays. Only integers grow.
  std::vector<std::int64_t> steps;
};

/// How much each argument grows from one call to the next; nothing if the calls
/// differ in more.
std::optional<std::vector<std::int64_t>> stepsBetween(const SequenceSpec &spec,
                                                      const BoundCall &from,
                                                      const BoundCall &to);

bool isSameRange(const NDRange &a, const NDRange &b);

/// The whole sequence as such runs, as long as they can be; many have one
/// launch.
std::vector<CallRun> findRuns(const SequenceSpec &spec,
                              const BoundSequence &sequence);

/// The integer that a scalar argument is; nothing for other arguments.
std::optional<std::int64_t> integerOf(const SequenceSpec &spec,
                                      const BoundCall &call,
                                      std::size_t argument);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_SEQUENCE_H
