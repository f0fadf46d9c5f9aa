//===- Bench.cpp - where the time of a launch goes ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Bench.h"

#include "Runtime/Execution.h"
#include "Runtime/JsonDocument.h"
#include "Runtime/ProgramCache.h"
#include "Runtime/SpecFiles.h"

#include <algorithm>

namespace clopt::runtime {

namespace {

/// Of each of the two buffers that the copy bandwidth is measured with.
constexpr std::size_t copyBytes = std::size_t(128) << 20;

/// The best of several copies; the first touches the memory.
double measureCopy(const Device &device, unsigned repeat) {
  const std::size_t bytes = static_cast<std::size_t>(
      std::min<std::uint64_t>(copyBytes, device.maxAllocation() / 2));
  const BufferHandle from = makeBuffer(device, bytes);
  const BufferHandle to = makeBuffer(device, bytes);
  double best = 0;
  for (unsigned i = 0; i <= repeat; ++i) {
    cl_event event = nullptr;
    checkCL(clEnqueueCopyBuffer(device.queue(), from.get(), to.get(), 0, 0,
                                bytes, 0, nullptr, &event),
            "clEnqueueCopyBuffer");
    const EventHandle owner(event);
    checkCL(clWaitForEvents(1, &event), "clWaitForEvents");
    const double ms = eventMilliseconds(event);
    if (ms > 0)
      best = std::max(best, 2e-6 * static_cast<double>(bytes) / ms);
  }
  return best;
}

class Bencher {
public:
  Bencher(const BenchOptions &what, BenchObserver &listener)
      : options(what), observer(listener), specs(loadSpecs(what.run)),
        source(readFile(what.run.kernelFile)),
        device(Device::select(what.run.platform, what.run.device)),
        programs(device, what.run,
                 what.run.optimizedFiles.empty()
                     ? std::string()
                     : what.run.optimizedFiles.front(),
                 source, listener) {
    observer.deviceChosen(device);
    for (const KernelSpec &spec : specs)
      total += spec.sizePoints(options.run.sizes).size();
  }

  void run() {
    gigabytes = measureCopy(device, options.run.repeat);
    observer.copyMeasured(gigabytes);
    for (const KernelSpec &spec : specs)
      for (const SizePoint &point : spec.sizePoints(options.run.sizes)) {
        benchPoint(spec, point);
        ++done;
      }
  }

private:
  void benchPoint(const KernelSpec &spec, const SizePoint &point) {
    const Launch launch =
        bindLaunch(spec, point, options.run.seed, {device.maxAllocation()});
    const NDRange &range = launch.ranges[0];
    if (options.run.maxWorkItems != 0 &&
        range.workItems() > options.run.maxWorkItems)
      return;
    observer.activity("kernel '" + spec.kernelName + "'", done, total);
    const std::vector<std::string> flags =
        launchFlags(options.run, spec, launch.bindings);
    const KernelPair pair =
        programs.kernels(spec.kernelName, flags, BuildPurpose::TakeTimes);
    PlanExecutor &executor = programs.executor(flags, BuildPurpose::TakeTimes);
    const PlanKernel *plan = executor.plan().plan().find(spec.kernelName);
    if (!plan || plan->parameters.size() != launch.arguments.size())
      throw Error("the launch plan has no kernel '" + spec.kernelName +
                  "' with " + std::to_string(launch.arguments.size()) +
                  " arguments");
    BenchResult result;
    result.kernel = spec.kernelName;
    result.point = point;
    result.range = range;
    Execution execution(device, launch, BufferPlacement{});
    takeTimes(execution, pair, executor, *plan, result);
    takeTransfers(execution, launch, *plan, result);
    observer.benchDone(result);
  }

  /// One after the other, so that a busy machine slows both down.
  void takeTimes(Execution &execution, const KernelPair &pair,
                 PlanExecutor &executor, const PlanKernel &plan,
                 BenchResult &result) {
    std::vector<double> original, kernel, conversion;
    for (unsigned i = 0; i <= options.run.repeat; ++i) {
      const double before = execution.time(pair.original, result.range);
      const PlanTimes after = execution.time(executor, plan, result.range,
                                             {options.variant, false});
      result.variant = after.variant;
      if (i == 0)
        continue; // warms up
      original.push_back(before);
      kernel.push_back(after.kernel);
      conversion.push_back(after.conversion);
    }
    result.original.kernel = median(original);
    result.optimized.kernel = median(kernel);
    result.optimized.conversion = median(conversion);
  }

  /// The same for both: what the application moves does not change.
  void takeTransfers(Execution &execution, const Launch &launch,
                     const PlanKernel &plan, BenchResult &result) {
    std::vector<bool> isRead(launch.buffers.size(), false);
    std::vector<bool> isWritten(launch.buffers.size(), false);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
      if (!launch.arguments[i].hasBuffer())
        continue;
      const std::size_t buffer = launch.arguments[i].buffer;
      isRead[buffer] = isRead[buffer] || plan.parameters[i].isRead;
      isWritten[buffer] = isWritten[buffer] || plan.parameters[i].isWritten;
    }
    for (std::size_t i = 0; i < launch.buffers.size(); ++i)
      result.footprintBytes +=
          static_cast<double>(launch.buffers[i].contents.size()) *
          (isRead[i] + isWritten[i]);
    if (gigabytes > 0)
      result.rooflineMs = result.footprintBytes / gigabytes * 1e-6;
    std::vector<double> times;
    for (unsigned i = 0; i < options.run.repeat; ++i)
      times.push_back(execution.timeTransfers(isWritten));
    result.original.transfer = result.optimized.transfer = median(times);
  }

  const BenchOptions &options;
  BenchObserver &observer;
  const std::vector<KernelSpec> specs;
  const std::string source;
  const Device device;
  ProgramCache programs;
  double gigabytes = 0;
  std::size_t done = 0;
  std::size_t total = 0;
};

} // namespace

void bench(const BenchOptions &options, BenchObserver &observer) {
  Bencher(options, observer).run();
}

} // namespace clopt::runtime
