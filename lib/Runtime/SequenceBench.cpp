//===- SequenceBench.cpp - a sequence of launches, run and timed ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/SequenceBench.h"

#include "Runtime/JsonDocument.h"
#include "Runtime/LaunchComparison.h"
#include "Runtime/ProgramCache.h"
#include "Runtime/SequenceBatches.h"
#include "Runtime/SvgPage.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>

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
  /// By text, kernel and flags; an empty text is the author's.
  using Kernels =
      std::map<std::tuple<std::string, std::string, std::vector<std::string>>,
               KernelPair>;

  /// One way to run the sequence.
  struct Way {
    std::string name;
    const std::vector<BoundCall> *calls;
    const std::vector<std::string> *texts; // null: the author's
    bool isOptimized = false;
  };

  void benchPoint(const SizePoint &point) {
    const BoundSequence sequence =
        bindSequence(spec, point, options.seed, {device.maxAllocation()});
    const BatchedSequence batched = batchSequence(options, spec, sequence);
    std::vector<Way> ways = {{"original", &sequence.calls, nullptr, false},
                             {"optimized", &sequence.calls, nullptr, true}};
    if (batched.hasBatch)
      ways.push_back({"batched", &batched.calls, &batched.texts, false});
    SequenceResult result;
    result.point = point;
    result.notes = batched.notes;
    for (const Way &way : ways) {
      result.runs.emplace_back();
      result.runs.back().name = way.name;
      result.runs.back().launches = way.calls->size();
    }
    compareValues(sequence, ways, result.runs);
    takeTimes(sequence, ways, result.runs);
    observer.sequenceDone(result);
  }

  KernelPair makeKernels(const std::string &text, const std::string &kernel,
                         const std::vector<std::string> &flags,
                         BuildPurpose purpose) {
    if (text.empty())
      return programs.kernels(kernel, flags, purpose);
    KernelPair pair;
    pair.original = makeKernel(
        programs.build(text, flags, purpose, "'" + kernel + "'"), kernel);
    return pair;
  }

  std::vector<Call> prepare(const Way &way, Kernels &kernels,
                            BuildPurpose purpose) {
    std::vector<Call> calls;
    for (std::size_t i = 0; i < way.calls->size(); ++i) {
      const BoundCall &call = (*way.calls)[i];
      const std::string text = way.texts ? (*way.texts)[i] : "";
      const std::vector<std::string> flags = callFlags(options, call);
      auto found = kernels.find({text, call.kernel, flags});
      if (found == kernels.end())
        found = kernels
                    .emplace(std::tuple(text, call.kernel, flags),
                             makeKernels(text, call.kernel, flags, purpose))
                    .first;
      const KernelPair &pair = found->second;
      calls.push_back({way.isOptimized ? &pair.optimized : &pair.original,
                       call.arguments, call.range});
    }
    return calls;
  }

  void compareValues(const BoundSequence &sequence,
                     const std::vector<Way> &ways,
                     std::vector<SequenceRun> &runs) {
    BufferPlacement placement;
    placement.guardBytes = options.guardBytes;
    Execution execution(device, sequence.memory, placement);
    Kernels kernels;
    std::vector<std::vector<Call>> calls;
    for (const Way &way : ways)
      calls.push_back(prepare(way, kernels, BuildPurpose::CompareValues));
    const auto run = [&](std::size_t k) {
      execution.restore();
      execution.launchAll(calls[k]);
      return execution.readBack();
    };
    std::optional<Outcome> expected;
    const LaunchComparison comparison(
        sequence.memory,
        toleranceFor(options, callFlags(options, sequence.calls.front())));
    for (std::size_t k = 1; k < ways.size(); ++k)
      comparison.compare([&] { return run(0); }, [&, k] { return run(k); },
                         expected, runs[k].values);
  }

  /// In turn, so that a busy machine slows both down.
  void takeTimes(const BoundSequence &sequence, const std::vector<Way> &ways,
                 std::vector<SequenceRun> &runs) {
    Kernels kernels;
    Execution execution(device, sequence.memory, BufferPlacement{});
    std::vector<std::vector<double>> host(runs.size()), own(runs.size());
    std::vector<std::vector<Call>> calls;
    for (const Way &way : ways)
      calls.push_back(prepare(way, kernels, BuildPurpose::TakeTimes));
    for (unsigned i = 0; i <= options.repeat; ++i)
      for (std::size_t k = 0; k < runs.size(); ++k) {
        const double ms =
            timeOnce(execution, *ways[k].calls, calls[k], runs[k]);
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
  double timeOnce(Execution &execution, const std::vector<BoundCall> &named,
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
      run.timeline.push_back({named[i].kernel, calls[i].range,
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
