//===- SequenceCopies.h - runs copies and launches -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carries out what SequenceOverlap.h plans: from and to pinned memory, on one
// queue or on one for each kind of command, ordered by events. Tested by
// test/run/check_sequence.py.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_SEQUENCECOPIES_H
#define CLOPT_RUNTIME_SEQUENCECOPIES_H

#include "Runtime/Execution.h"
#include "Runtime/SequenceOverlap.h"

#include <array>
#include <vector>

namespace clopt::runtime {

class CopyRunner {
public:
  /// All are kept by reference. Throws OpenCLError.
  CopyRunner(const Device &where, const Launch &what, Execution &execution);
  ~CopyRunner();
  CopyRunner(const CopyRunner &) = delete;
  CopyRunner &operator=(const CopyRunner &) = delete;

  /// From buffers that hold nothing to the host's memory. Milliseconds from the
  /// first call of the host until all has ended; one event for each command.
  double run(const std::vector<CopyCommand> &commands,
             const std::vector<Call> &calls, bool isOneQueue,
             std::vector<EventHandle> &events);

  /// The host's memory after a run, and the guards of the buffers.
  Outcome outcome();

private:
  EventHandle enqueue(const CopyCommand &command,
                      const std::vector<Call> &calls, cl_command_queue queue,
                      const std::vector<EventHandle> &events);

  /// Memory of the host that the device can reach at any time.
  struct Pinned {
    BufferHandle buffer;
    std::uint8_t *data = nullptr;
  };

  const Device &device;
  const Launch &launch;
  Execution &execution;
  std::vector<Pinned> host;
  std::array<QueueHandle, 3> queues; ///< by kind of command
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_SEQUENCECOPIES_H
