//===- SequenceBench.h - a sequence of launches, run and timed -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the launches of a sequence with the author's kernels and with clopt's,
// compares all buffers at the end, and takes times. Tested by
// test/unit/RuntimeSequenceTest.cpp and test/run/check_sequence.py.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_SEQUENCEBENCH_H
#define CLOPT_RUNTIME_SEQUENCEBENCH_H

#include "Runtime/SequenceOverlap.h"
#include "Runtime/Verify.h"

#include <string>
#include <vector>

namespace clopt::runtime {

/// When a launch ran, in microseconds since the first one began.
struct TimelineEvent {
  std::string kernel; ///< or "write x", "read x"
  NDRange range;
  CopyCommand::Kind kind = CopyCommand::Kind::Launch;
  double begin = 0;
  double end = 0;
};

/// One way to run the sequence.
struct SequenceRun {
  std::string name; ///< "original", "optimized", "batched", "fused"; "one
                    ///< queue" and "overlapped" with copies
  std::size_t launches = 0;
  double firstMs = 0;  ///< host's time of the first run after the build
  double hostMs = 0;   ///< median: from the first call until all has ended
  double kernelMs = 0; ///< the device's own, all launches together
  LaunchResult values; ///< compared with the original's, at the end
  std::vector<TimelineEvent> timeline; ///< of the last run
};

struct SequenceResult {
  SizePoint point;
  std::vector<SequenceRun> runs;  ///< the original is the first
  std::vector<std::string> notes; ///< why launches were not merged

  bool good() const;
};

class SequenceObserver : public VerifyObserver {
public:
  void pointDone(const PointResult &) override {}
  virtual void sequenceDone(const SequenceResult &result) = 0;
};

/// Copies of the sequence's buffers.
struct CopySettings {
  bool areTimed = false; ///< one after the other, and beside the launches
  std::size_t parts = 0; ///< into which launches are cut; 0: by the model
};

/// Runs the sequence that is the only one of VerifyOptions::specFiles, at every
/// point of its sizes. Throws Error.
void benchSequence(const VerifyOptions &options, SequenceObserver &observer,
                   const CopySettings &copies = {});

/// The timelines as a picture, a row for each run, and as events of Chrome's
/// trace format, a process for each point and a thread for each run.
std::string timelineChart(const std::vector<SequenceResult> &results);
std::string timelineTrace(const std::vector<SequenceResult> &results);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_SEQUENCEBENCH_H
