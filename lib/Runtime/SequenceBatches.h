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

#include "Runtime/JsonDocument.h"
#include "Runtime/Process.h"
#include "Runtime/ProgramCache.h"
#include "Runtime/Sequence.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace clopt::runtime {

/// A sequence with fewer launches that does the same.
struct MergedSequence {
  std::vector<BoundCall> calls;
  /// By call: which of `texts` has its kernel; 0: the author's.
  std::vector<std::size_t> textOf;
  std::vector<std::string> texts = {""};
  std::vector<std::string> notes; ///< why launches stay as they are
  bool isChanged = false;

  /// The index of the text, which is added where it is not there.
  std::size_t addText(const std::string &text);
};

/// Asks clopt for a kernel for each run of two launches or more. Throws
/// Error.
MergedSequence batchSequence(const VerifyOptions &options,
                             const SequenceSpec &spec,
                             const BoundSequence &sequence);

/// What `clopt --batch` answers, once for each question.
class MergeQuestions {
public:
  explicit MergeQuestions(const VerifyOptions &what) : options(what) {}
  /// The call says with which flags its kernel is built. Throws Error.
  Json ask(const Json &question, const BoundCall &call);

private:
  const VerifyOptions &options;
  const TemporaryFolder folder;
  std::map<std::pair<std::string, std::vector<std::string>>, Json> known;
};

/// {"global", "local", "offset"}
Json rangeRequest(const NDRange &range);

/// All flags of clBuildProgram for a call.
std::vector<std::string> callFlags(const VerifyOptions &options,
                                   const BoundCall &call);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_SEQUENCEBATCHES_H
