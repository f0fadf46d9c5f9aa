//===- SequenceBatches.h - launches of one shape, as one -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `clopt --batch` makes of the runs of a sequence. Tested by
// test/run/check_sequence.py.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_SEQUENCEBATCHES_H
#define CLOPT_RUNTIME_SEQUENCEBATCHES_H

#include "Runtime/ProgramCache.h"
#include "Runtime/Sequence.h"

#include <string>
#include <vector>

namespace clopt::runtime {

/// A sequence with fewer launches that does the same.
struct BatchedSequence {
  std::vector<BoundCall> calls;
  /// By call: the text that has its kernel; empty: the author's.
  std::vector<std::string> texts;
  std::vector<std::string> notes; ///< why runs stay as they are
  bool hasBatch = false;
};

/// Asks clopt for a kernel for each run of two launches or more. Throws
/// Error.
BatchedSequence batchSequence(const VerifyOptions &options,
                              const SequenceSpec &spec,
                              const BoundSequence &sequence);

/// All flags of clBuildProgram for a call.
std::vector<std::string> callFlags(const VerifyOptions &options,
                                   const BoundCall &call);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_SEQUENCEBATCHES_H
