//===- Execution.h - launches a kernel and reads what it did ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_EXECUTION_H
#define CLOPT_RUNTIME_EXECUTION_H

#include "Runtime/GuardedBuffer.h"
#include "Runtime/Launch.h"
#include "Runtime/PlanExecutor.h"
#include "Runtime/memory/HostedBuffer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace clopt::runtime {

/// The state of all buffers after a launch, in the order of Launch::buffers.
struct Outcome {
  std::vector<std::vector<std::uint8_t>> buffers;
  std::vector<std::optional<GuardDamage>> damage;
  std::vector<std::vector<OutsideAccess>> outside; ///< protected pages
};

/// The device's own times of a launch plan's commands, in milliseconds.
struct PlanTimes {
  double kernel = 0;
  double conversion = 0; ///< images included
  std::string variant;
};

/// One launch of several that share the buffers of an Execution.
struct Call {
  const KernelHandle *kernel;
  std::vector<LaunchArgument> arguments; ///< no samplers
  NDRange range;
};

/// The value in the middle; there is one.
/// One launch with all that its buffers need, in milliseconds of the host.
struct MemoryTimes {
  double make = 0;     ///< buffers made and released
  double transfer = 0; ///< written ahead, read back
  double kernel = 0;   ///< from the launch to its end
  double total() const { return make + transfer + kernel; }
};

double median(std::vector<double> values);

/// The device side of one Launch. Original and optimized kernel use the same
/// buffers one after the other, so that both see the same addresses and
/// alignment.
class Execution {
public:
  Execution(const Device &where, const Launch &what,
            const BufferPlacement &placement);

  /// Makes the buffers anew, in other places.
  void place(const BufferPlacement &placement);

  /// Restores the buffers, launches and waits. Throws OpenCLError.
  Outcome run(const KernelHandle &kernel, const NDRange &range);

  /// Restores the buffers, launches, and gives the device's own time in
  /// milliseconds.
  double time(const KernelHandle &kernel, const NDRange &range);

  /// The same through a launch plan.
  Outcome run(PlanExecutor &executor, const PlanKernel &kernel,
              const NDRange &range, const VariantChoice &choice);
  PlanTimes time(PlanExecutor &executor, const PlanKernel &kernel,
                 const NDRange &range, const VariantChoice &choice);
  /// The variants that could be used.
  std::vector<std::string> variants(PlanExecutor &executor,
                                    const PlanKernel &kernel,
                                    const NDRange &range, bool ignoreAdvice);

  /// Milliseconds to write all buffers, and to read those back for which
  /// `isRead` says so.
  double timeTransfers(const std::vector<bool> &isRead);

  /// Makes the buffers in memory of these kinds (one per buffer of the launch;
  /// images stay images), writes them, launches, reads those back for which
  /// `isRead` says so, and releases them. `outcome` gets the state of all.
  MemoryTimes time(const KernelHandle &kernel, const NDRange &range,
                   const std::vector<MemoryMode> &modes,
                   const std::vector<bool> &isRead, Outcome &outcome);

  /// What a kernel of an EntryProbe stores in this launch.
  cl_uint probeEntry(const KernelHandle &probe, const NDRange &range);

  /// Gives the buffers their first contents.
  void restore();

  /// Launches all in order without waiting in between, on the buffers as they
  /// are, and waits for the last. One event for each call.
  std::vector<EventHandle> launchAll(const std::vector<Call> &calls);

  /// One of them, on any queue, when the events have ended.
  EventHandle enqueue(cl_command_queue queue, const Call &call,
                      const std::vector<cl_event> &waits = {});

  /// Gives the buffers contents that no launch begins with.
  void spoil();

  /// The whole buffer of that index.
  cl_mem memory(std::size_t buffer) { return buffers[buffer]->argument(0); }

  /// The state of all buffers now.
  Outcome readBack();

  /// The largest work-group that this kernel can have on the device.
  std::size_t maxGroup(const KernelHandle &kernel) const;

private:
  void setArguments(const KernelHandle &kernel,
                    const std::vector<LaunchArgument> &arguments);
  EventHandle enqueueKernel(cl_command_queue queue, const KernelHandle &kernel,
                            const NDRange &range,
                            const std::vector<cl_event> &waits = {});
  EventHandle launchKernel(const KernelHandle &kernel, const NDRange &range);
  std::vector<std::uint8_t> handleOf(const LaunchArgument &argument,
                                     std::size_t index);
  std::vector<GivenArgument> planArguments();

  const Device &device;
  const Launch &launch;
  std::vector<std::unique_ptr<DeviceMemory>> buffers;
  std::vector<SamplerHandle> samplers; ///< by argument, empty where it is none
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_EXECUTION_H
