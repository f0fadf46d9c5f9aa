//===- SequenceBench.cpp - a sequence of launches, run and timed ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/SequenceBench.h"

#include "Runtime/JsonDocument.h"
#include "Runtime/LaunchComparison.h"
#include "Runtime/ProgramCache.h"
#include "Runtime/Sequence.h"
#include "Runtime/SvgPage.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace clopt::runtime {

namespace {

cl_ulong profiled(const EventHandle &event, cl_profiling_info what) {
  cl_ulong value = 0;
  checkCL(
      clGetEventProfilingInfo(event.get(), what, sizeof value, &value, nullptr),
      "clGetEventProfilingInfo");
  return value;
}

class SequenceBencher {
public:
  SequenceBencher(const VerifyOptions &what, SequenceObserver &listener)
      : options(what), observer(listener),
        spec(readSequence(JsonDocument::load(what.specFiles.at(0)))),
        source(readFile(what.kernelFile)),
        device(Device::select(what.platform, what.device)),
        programs(device, what,
                 what.optimizedFiles.empty() ? std::string()
                                             : what.optimizedFiles.front(),
                 source, listener) {
    observer.deviceChosen(device);
  }

  void run() {
    const std::vector<SizePoint> points =
        spec.kernels.front().sizePoints(options.sizes);
    for (std::size_t i = 0; i < points.size(); ++i) {
      observer.activity("sequence", i, points.size());
      benchPoint(points[i]);
    }
  }

private:
  /// A kernel built with some flags, before and after optimization.
  using Kernels =
      std::map<std::pair<std::string, std::vector<std::string>>, KernelPair>;

  void benchPoint(const SizePoint &point) {
    const BoundSequence sequence =
        bindSequence(spec, point, options.seed, {device.maxAllocation()});
    Kernels compared, timed;
    const std::vector<Call> before =
        prepare(sequence, compared, BuildPurpose::CompareValues, false);
    const std::vector<Call> after =
        prepare(sequence, compared, BuildPurpose::CompareValues, true);
    SequenceResult result;
    result.point = point;
    result.runs = {newRun("original", before), newRun("optimized", after)};
    compareValues(sequence, before, after, result.runs[1].values);
    takeTimes(sequence, timed, result.runs);
    observer.sequenceDone(result);
  }

  static SequenceRun newRun(const char *name, const std::vector<Call> &calls) {
    SequenceRun run;
    run.name = name;
    run.launches = calls.size();
    return run;
  }

  std::vector<std::string> flagsOf(const BoundCall &call) const {
    std::vector<std::string> flags = options.projectFlags;
    flags.insert(flags.end(), call.options.begin(), call.options.end());
    flags.insert(flags.end(), options.buildFlags.begin(),
                 options.buildFlags.end());
    return flags;
  }

  std::vector<Call> prepare(const BoundSequence &sequence, Kernels &kernels,
                            BuildPurpose purpose, bool isOptimized) {
    std::vector<Call> calls;
    for (const BoundCall &call : sequence.calls) {
      const std::vector<std::string> flags = flagsOf(call);
      auto found = kernels.find({call.kernel, flags});
      if (found == kernels.end())
        found = kernels
                    .emplace(std::pair(call.kernel, flags),
                             programs.kernels(call.kernel, flags, purpose))
                    .first;
      const KernelPair &pair = found->second;
      calls.push_back({isOptimized ? &pair.optimized : &pair.original,
                       call.arguments, call.range});
    }
    return calls;
  }

  void compareValues(const BoundSequence &sequence,
                     const std::vector<Call> &before,
                     const std::vector<Call> &after, LaunchResult &result) {
    BufferPlacement placement;
    placement.guardBytes = options.guardBytes;
    Execution execution(device, sequence.memory, placement);
    const auto run = [&](const std::vector<Call> &calls) {
      execution.restore();
      execution.launchAll(calls);
      return execution.readBack();
    };
    std::optional<Outcome> expected;
    LaunchComparison(sequence.memory,
                     toleranceFor(options, flagsOf(sequence.calls.front())))
        .compare([&] { return run(before); }, [&] { return run(after); },
                 expected, result);
  }

  /// In turn, so that a busy machine slows both down.
  void takeTimes(const BoundSequence &sequence, Kernels &kernels,
                 std::vector<SequenceRun> &runs) {
    Execution execution(device, sequence.memory, BufferPlacement{});
    std::vector<std::vector<double>> host(runs.size()), own(runs.size());
    std::vector<std::vector<Call>> calls;
    for (std::size_t k = 0; k < runs.size(); ++k)
      calls.push_back(
          prepare(sequence, kernels, BuildPurpose::TakeTimes, k != 0));
    for (unsigned i = 0; i <= options.repeat; ++i)
      for (std::size_t k = 0; k < runs.size(); ++k) {
        const double ms = timeOnce(execution, sequence, calls[k], runs[k]);
        if (i == 0) {
          runs[k].firstMs = ms; // warms up
          continue;
        }
        host[k].push_back(ms);
        own[k].push_back(runs[k].kernelMs);
      }
    for (std::size_t k = 0; k < runs.size(); ++k) {
      runs[k].hostMs = median(host[k]);
      runs[k].kernelMs = median(own[k]);
    }
  }

  /// Milliseconds of the host; the device's own and the timeline go to `run`.
  double timeOnce(Execution &execution, const BoundSequence &sequence,
                  const std::vector<Call> &calls, SequenceRun &run) {
    using Clock = std::chrono::steady_clock;
    execution.restore();
    device.finish();
    const Clock::time_point start = Clock::now();
    const std::vector<EventHandle> events = execution.launchAll(calls);
    const double ms =
        std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    run.kernelMs = 0;
    run.timeline.clear();
    const cl_ulong first = profiled(events.front(), CL_PROFILING_COMMAND_START);
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto since = [&](cl_profiling_info what) {
        return static_cast<double>(profiled(events[i], what) - first) / 1000;
      };
      run.kernelMs += eventMilliseconds(events[i].get());
      run.timeline.push_back({sequence.calls[i].kernel, calls[i].range,
                              since(CL_PROFILING_COMMAND_START),
                              since(CL_PROFILING_COMMAND_END)});
    }
    return ms;
  }

  const VerifyOptions &options;
  SequenceObserver &observer;
  const SequenceSpec spec;
  const std::string source;
  const Device device;
  ProgramCache programs;
};

} // namespace

bool SequenceResult::good() const {
  return std::all_of(runs.begin(), runs.end(), [](const SequenceRun &run) {
    return isGood(run.values.status);
  });
}

void benchSequence(const VerifyOptions &options, SequenceObserver &observer) {
  SequenceBencher(options, observer).run();
}

//===-- The timeline ------------------------------------------------------===//

static std::string titleOf(const SequenceResult &result) {
  std::string title = "sequence";
  for (const auto &[name, value] : result.point)
    title += " " + name + "=" + std::to_string(value);
  return title;
}

std::string timelineChart(const std::vector<SequenceResult> &results) {
  SvgPage page(1000);
  constexpr int begin = 110, most = 760;
  static constexpr const char *colours[] = {"#4f81bd", "#9bbb59", "#c0504d",
                                            "#8064a2", "#f79646", "#4bacc6"};
  std::map<std::string, std::size_t> kernels; // in order of appearance
  for (const SequenceResult &result : results) {
    page.text(0, titleOf(result), "font-weight=\"bold\"");
    page.nextRow();
    double longest = 0;
    for (const SequenceRun &run : result.runs)
      for (const TimelineEvent &event : run.timeline)
        longest = std::max(longest, event.end);
    const double scale = longest > 0 ? most / longest : 0;
    for (const SequenceRun &run : result.runs) {
      page.text(8, run.name, "");
      for (const TimelineEvent &event : run.timeline) {
        const std::size_t kernel =
            kernels.emplace(event.kernel, kernels.size()).first->second;
        page.bar(begin + event.begin * scale,
                 std::max(0.2, (event.end - event.begin) * scale),
                 colours[kernel % std::size(colours)],
                 event.kernel + ", " + event.range.str());
      }
      page.text(begin + most + 8,
                std::to_string(static_cast<long long>(
                    run.timeline.empty() ? 0 : run.timeline.back().end)) +
                    " us",
                "");
      page.nextRow();
    }
  }
  for (const auto &[name, index] : kernels) {
    page.bar(begin, 16, colours[index % std::size(colours)], name);
    page.text(begin + 24, name, "");
    page.nextRow();
  }
  return page.str();
}

std::string timelineTrace(const std::vector<SequenceResult> &results) {
  Json events = Json::array();
  for (std::size_t i = 0; i < results.size(); ++i)
    for (std::size_t k = 0; k < results[i].runs.size(); ++k) {
      const SequenceRun &run = results[i].runs[k];
      events.push_back({{"name", "thread_name"},
                        {"ph", "M"},
                        {"pid", i},
                        {"tid", k},
                        {"args", {{"name", run.name}}}});
      for (const TimelineEvent &event : run.timeline)
        events.push_back({{"name", event.kernel},
                          {"cat", "kernel"},
                          {"ph", "X"},
                          {"ts", event.begin},
                          {"dur", event.end - event.begin},
                          {"pid", i},
                          {"tid", k},
                          {"args", {{"ndRange", event.range.str()}}}});
    }
  return events.dump() + "\n";
}

} // namespace clopt::runtime
