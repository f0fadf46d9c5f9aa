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
#include <array>

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
    const double ms = device.copy(from, to, bytes);
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
    if (options.chooseMemory) {
      ProbeData data;
      data.device.identity = device.identity();
      data.measurements = measureMemory(
          device, std::min<std::uint64_t>(copyBytes, device.maxAllocation()),
          options.run.repeat);
      model = fitTransferModel(data);
    }
    for (const KernelSpec &spec : specs)
      for (const SizePoint &point : spec.sizePoints(options.run.sizes)) {
        benchPoint(spec, point);
        ++done;
      }
  }

private:
  void benchPoint(const KernelSpec &spec, const SizePoint &point) {
    const Launch launch =
        bindLaunch(spec, point, options.run.seed,
                   {device.maxAllocation(), device.localMemory()});
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
    if (!options.memory.empty() || options.chooseMemory)
      takeMemory(execution, launch, *plan, pair.original, result);
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

  /// By buffer: whether one of its parameters has the property.
  static std::vector<bool> buffersThat(bool PlanParameter::*property,
                                       const Launch &launch,
                                       const PlanKernel &plan) {
    std::vector<bool> result(launch.buffers.size(), false);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
      if (launch.arguments[i].hasBuffer() && plan.parameters[i].*property)
        result[launch.arguments[i].buffer] = true;
    return result;
  }

  /// The choice of the model for every buffer: all are written once, those
  /// that the kernel writes are read once.
  BenchMemory chooseModes(const Launch &launch,
                          const std::vector<bool> &isWritten,
                          std::vector<MemoryMode> &modes) {
    BenchMemory chosen;
    chosen.name = "chosen";
    for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
      BufferUse use;
      use.bytes = launch.buffers[i].contents.size();
      use.writes = 1;
      use.reads = isWritten[i];
      modes[i] = chooseMode(model, use).value_or(MemoryMode::Device);
      for (const ModePrice &price : priceModes(model, use))
        if (price.mode == modes[i])
          chosen.predictedMs += price.milliseconds;
      if (!launch.buffers[i].image)
        chosen.choice += (chosen.choice.empty() ? "" : ", ") +
                         launch.buffers[i].name + " " +
                         memoryModeName(modes[i]);
    }
    return chosen;
  }

  /// In turn, so that a busy machine slows all down. Throws Error when two
  /// kinds of memory give different results.
  void takeMemory(Execution &execution, const Launch &launch,
                  const PlanKernel &plan, const KernelHandle &kernel,
                  BenchResult &result) {
    const std::vector<bool> isWritten =
        buffersThat(&PlanParameter::isWritten, launch, plan);
    std::vector<std::vector<MemoryMode>> rows;
    for (const MemoryMode mode :
         options.chooseMemory ? memoryModesOf(device) : options.memory) {
      result.memory.push_back({memoryModeName(mode), {}, "", 0});
      rows.emplace_back(launch.buffers.size(), mode);
    }
    if (options.chooseMemory) {
      rows.emplace_back(launch.buffers.size());
      result.memory.push_back(chooseModes(launch, isWritten, rows.back()));
    }
    std::vector<std::array<std::vector<double>, 3>> times(rows.size());
    Outcome first, outcome;
    for (unsigned i = 0; i <= options.run.repeat; ++i)
      for (std::size_t row = 0; row < rows.size(); ++row) {
        const MemoryTimes one =
            execution.time(kernel, result.range, rows[row], isWritten, outcome);
        if (i == 0 && row == 0)
          first = outcome;
        if (outcome.buffers != first.buffers)
          throw Error("kernel '" + result.kernel + "' gives other results in " +
                      result.memory[row].name + " memory than in " +
                      result.memory.front().name);
        if (i == 0)
          continue; // warms up
        times[row][0].push_back(one.make);
        times[row][1].push_back(one.transfer);
        times[row][2].push_back(one.kernel);
      }
    double best = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      MemoryTimes &median = result.memory[row].times;
      median.make = runtime::median(times[row][0]);
      median.transfer = runtime::median(times[row][1]);
      median.kernel = runtime::median(times[row][2]);
      if (options.chooseMemory && row + 1 == rows.size())
        result.regret = best > 0 ? median.total() / best - 1 : 0;
      else if (row == 0 || median.total() < best)
        best = median.total();
    }
  }

  /// The same for both: what the application moves does not change.
  void takeTransfers(Execution &execution, const Launch &launch,
                     const PlanKernel &plan, BenchResult &result) {
    const std::vector<bool> isRead =
        buffersThat(&PlanParameter::isRead, launch, plan);
    const std::vector<bool> isWritten =
        buffersThat(&PlanParameter::isWritten, launch, plan);
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
  TransferModel model; ///< of this device, where the choice is asked for
  std::size_t done = 0;
  std::size_t total = 0;
};

} // namespace

void bench(const BenchOptions &options, BenchObserver &observer) {
  Bencher(options, observer).run();
}

} // namespace clopt::runtime
