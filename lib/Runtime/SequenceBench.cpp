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
#include "Runtime/SequenceCopies.h"
#include "Runtime/SequenceFusion.h"
#include "Runtime/SvgPage.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>

namespace clopt::runtime {

namespace {

/// Launches of a sequence whose copies overlap.
constexpr std::size_t mostOverlapped = 64;

class SequenceBencher {
public:
  SequenceBencher(const VerifyOptions &what, SequenceObserver &listener,
                  const CopySettings &how)
      : options(what), observer(listener), copies(how),
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
    const MergedSequence *texts; // null: the author's
    bool isOptimized = false;
  };

  void benchPoint(const SizePoint &point) {
    const BoundSequence sequence =
        bindSequence(spec, point, options.seed,
                     {device.maxAllocation(), device.localMemory()});
    const MergedSequence batched = batchSequence(options, spec, sequence);
    const MergedSequence fused = fuseSequence(options, spec, sequence, batched);
    std::vector<Way> ways = {{"original", &sequence.calls, nullptr, false},
                             {"optimized", &sequence.calls, nullptr, true}};
    if (batched.isChanged)
      ways.push_back({"batched", &batched.calls, &batched, false});
    if (fused.isChanged)
      ways.push_back({"fused", &fused.calls, &fused, false});
    SequenceResult result;
    result.point = point;
    result.notes = batched.notes;
    result.notes.insert(result.notes.end(), fused.notes.begin(),
                        fused.notes.end());
    for (const Way &way : ways) {
      result.runs.emplace_back();
      result.runs.back().name = way.name;
      result.runs.back().launches = way.calls->size();
    }
    compareValues(sequence, ways, result.runs);
    takeTimes(sequence, ways, result.runs);
    if (copies.areTimed)
      overlap(sequence, ways[1], result);
    observer.sequenceDone(result);
  }

  bool isTemporary(const LaunchBuffer &buffer) const {
    return std::find(spec.temporaries.begin(), spec.temporaries.end(),
                     buffer.name) != spec.temporaries.end();
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
      const std::string text =
          way.texts ? way.texts->texts[way.texts->textOf[i]] : "";
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
      return withoutTemporaries(execution.readBack(), sequence);
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

  //===-- With copies -----------------------------------------------------===//

  /// Adds the runs of the optimized kernels with copies, on one queue and on
  /// several.
  void overlap(const BoundSequence &sequence, const Way &way,
               SequenceResult &result) {
    if (sequence.calls.size() > mostOverlapped) {
      result.notes.push_back("copies do not overlap: more than " +
                             std::to_string(mostOverlapped) + " launches");
      return;
    }
    const std::vector<PartedCall> parts = findParts(options, spec, sequence);
    std::vector<bool> isWanted;
    for (const LaunchBuffer &buffer : sequence.memory.buffers)
      isWanted.push_back(!isTemporary(buffer));
    std::vector<std::vector<CopyCommand>> plans = {
        planCopies(parts, std::vector<Cut>(parts.size()), isWanted)};
    result.runs.resize(result.runs.size() + 2);
    SequenceRun *runs = &result.runs[result.runs.size() - 2];
    runs[0].name = "one queue";
    runs[1].name = "overlapped";
    {
      Kernels kernels;
      Execution execution(device, sequence.memory, BufferPlacement{});
      CopyRunner runner(device, sequence.memory, execution);
      const std::vector<Call> calls =
          prepare(way, kernels, BuildPurpose::TakeTimes);
      const CopyCosts costs =
          measureCosts(runner, plans[0], calls, sequence, runs[0]);
      const std::vector<Cut> cuts = copies.parts
                                        ? cutAll(parts, copies.parts)
                                        : chooseCuts(parts, isWanted, costs);
      plans.push_back(planCopies(parts, cuts, isWanted));
      noteCuts(sequence, parts, cuts, result.notes);
      std::vector<double> host[2], own[2];
      for (unsigned i = 0; i <= options.repeat; ++i)
        for (std::size_t k = 0; k < 2; ++k) {
          const double ms =
              timeCopies(runner, plans[k], calls, k == 0, sequence, runs[k]);
          if (i == 0) {
            runs[k].firstMs = k == 0 ? runs[k].firstMs : ms;
            continue;
          }
          host[k].push_back(ms);
          own[k].push_back(runs[k].kernelMs);
        }
      for (std::size_t k = 0; k < 2; ++k) {
        runs[k].hostMs = median(host[k]);
        runs[k].kernelMs = median(own[k]);
      }
    }
    compareCopies(sequence, way, plans, runs);
  }

  void compareCopies(const BoundSequence &sequence, const Way &way,
                     const std::vector<std::vector<CopyCommand>> &plans,
                     SequenceRun *runs) {
    BufferPlacement placement;
    placement.guardBytes = options.guardBytes;
    Kernels kernels;
    Execution execution(device, sequence.memory, placement);
    CopyRunner runner(device, sequence.memory, execution);
    const Way author = {"original", way.calls, nullptr, false};
    const std::vector<Call> original =
        prepare(author, kernels, BuildPurpose::CompareValues);
    const std::vector<Call> calls =
        prepare(way, kernels, BuildPurpose::CompareValues);
    const LaunchComparison comparison(
        sequence.memory,
        toleranceFor(options, callFlags(options, sequence.calls.front())));
    std::optional<Outcome> expected;
    std::vector<EventHandle> events;
    for (std::size_t k = 0; k < plans.size(); ++k)
      comparison.compare(
          [&] {
            execution.restore();
            execution.launchAll(original);
            return withoutTemporaries(execution.readBack(), sequence);
          },
          [&, k] {
            runner.run(plans[k], calls, k == 0, events);
            return withoutTemporaries(runner.outcome(), sequence);
          },
          expected, runs[k].values);
  }

  void noteCuts(const BoundSequence &sequence,
                const std::vector<PartedCall> &parts,
                const std::vector<Cut> &cuts, std::vector<std::string> &notes) {
    for (std::size_t k = 0; k < cuts.size(); ++k) {
      std::string note = "'" + sequence.calls[k].kernel + "' runs ";
      if (!parts[k].problem.empty())
        note += "whole: " + parts[k].problem;
      else if (cuts[k].dimensions.empty())
        note += "whole: parts would take longer";
      else
        note += "in " + std::to_string(cuts[k].parts) + " bands of dimension " +
                std::to_string(cuts[k].dimensions.front()) +
                (cuts[k].dimensions.size() > 1
                     ? " and " + std::to_string(cuts[k].dimensions.back())
                     : "");
      addOnce(notes, note);
    }
  }

  /// What copies and launches cost when nothing runs beside them.
  CopyCosts measureCosts(CopyRunner &runner,
                         const std::vector<CopyCommand> &plan,
                         const std::vector<Call> &calls,
                         const BoundSequence &sequence, SequenceRun &run) {
    run.firstMs = timeCopies(runner, plan, calls, true, sequence, run);
    const double ms = timeCopies(runner, plan, calls, true, sequence, run);
    CopyCosts costs;
    costs.calls.resize(calls.size());
    double bytes[2] = {0, 0}, times[2] = {0, 0}, busy = 0;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      const double own = (run.timeline[i].end - run.timeline[i].begin) / 1000;
      busy += own;
      if (plan[i].kind == CopyCommand::Kind::Launch) {
        costs.calls[plan[i].call] += own;
        continue;
      }
      const std::size_t k = plan[i].kind == CopyCommand::Kind::Read ? 1 : 0;
      times[k] += own;
      bytes[k] +=
          static_cast<double>(plan[i].bytes.second - plan[i].bytes.first);
    }
    costs.writeByte = bytes[0] > 0 ? times[0] / bytes[0] : 0;
    costs.readByte = bytes[1] > 0 ? times[1] / bytes[1] : 0;
    costs.command =
        std::max(0.002, (ms - busy) / static_cast<double>(plan.size()));
    return costs;
  }

  double timeCopies(CopyRunner &runner, const std::vector<CopyCommand> &plan,
                    const std::vector<Call> &calls, bool isOneQueue,
                    const BoundSequence &sequence, SequenceRun &run) {
    std::vector<EventHandle> events;
    const double ms = runner.run(plan, calls, isOneQueue, events);
    run.kernelMs = 0;
    run.launches = 0;
    run.timeline.clear();
    cl_ulong first = ~cl_ulong(0);
    for (const EventHandle &event : events)
      first =
          std::min(first, eventTime(event.get(), CL_PROFILING_COMMAND_START));
    for (std::size_t i = 0; i < plan.size(); ++i) {
      const auto since = [&](cl_profiling_info what) {
        return static_cast<double>(eventTime(events[i].get(), what) - first) /
               1000;
      };
      const std::string &buffer = sequence.memory.buffers[plan[i].buffer].name;
      TimelineEvent event;
      event.kind = plan[i].kind;
      event.begin = since(CL_PROFILING_COMMAND_START);
      event.end = since(CL_PROFILING_COMMAND_END);
      if (event.kind == CopyCommand::Kind::Launch) {
        event.kernel = sequence.calls[plan[i].call].kernel;
        event.range = plan[i].range;
        run.kernelMs += (event.end - event.begin) / 1000;
        ++run.launches;
      } else {
        event.kernel =
            (event.kind == CopyCommand::Kind::Write ? "write " : "read ") +
            buffer;
      }
      run.timeline.push_back(std::move(event));
    }
    return ms;
  }

  Outcome withoutTemporaries(Outcome outcome,
                             const BoundSequence &sequence) const {
    for (std::size_t i = 0; i < outcome.buffers.size(); ++i)
      if (isTemporary(sequence.memory.buffers[i]))
        outcome.buffers[i].clear();
    return outcome;
  }

  /// Milliseconds of the host; the device's own and the timeline go to `run`.
  double timeOnce(Execution &execution, const std::vector<BoundCall> &named,
                  const std::vector<Call> &calls, SequenceRun &run) {
    execution.restore();
    device.finish();
    const Stopwatch watch;
    const std::vector<EventHandle> events = execution.launchAll(calls);
    const double ms = watch.milliseconds();
    run.kernelMs = 0;
    run.timeline.clear();
    const cl_ulong first =
        eventTime(events.front().get(), CL_PROFILING_COMMAND_START);
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto since = [&](cl_profiling_info what) {
        return static_cast<double>(eventTime(events[i].get(), what) - first) /
               1000;
      };
      run.kernelMs += eventMilliseconds(events[i].get());
      run.timeline.push_back(
          {named[i].kernel, calls[i].range, CopyCommand::Kind::Launch,
           since(CL_PROFILING_COMMAND_START), since(CL_PROFILING_COMMAND_END)});
    }
    return ms;
  }

  const VerifyOptions &options;
  SequenceObserver &observer;
  const CopySettings copies;
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

void benchSequence(const VerifyOptions &options, SequenceObserver &observer,
                   const CopySettings &copies) {
  SequenceBencher(options, observer, copies).run();
}

//===-- The timeline ------------------------------------------------------===//

/// Launches, then copies where there are any.
static std::vector<CopyCommand::Kind> rowsOf(const SequenceRun &run) {
  std::vector<CopyCommand::Kind> rows;
  for (const CopyCommand::Kind kind :
       {CopyCommand::Kind::Launch, CopyCommand::Kind::Write,
        CopyCommand::Kind::Read})
    if (kind == CopyCommand::Kind::Launch ||
        std::any_of(
            run.timeline.begin(), run.timeline.end(),
            [&](const TimelineEvent &event) { return event.kind == kind; }))
      rows.push_back(kind);
  return rows;
}

static std::string rowName(CopyCommand::Kind kind) {
  return kind == CopyCommand::Kind::Launch  ? "launches"
         : kind == CopyCommand::Kind::Write ? "writes"
                                            : "reads";
}

std::string timelineChart(const std::vector<SequenceResult> &results) {
  SvgPage page(1000);
  constexpr int begin = 110, most = 760;
  static constexpr const char *colours[] = {"#4f81bd", "#9bbb59", "#c0504d",
                                            "#8064a2", "#f79646", "#4bacc6"};
  std::map<std::string, std::size_t> kernels; // in order of appearance
  for (const SequenceResult &result : results) {
    page.text(0, "sequence" + pointText(result.point), "font-weight=\"bold\"");
    page.nextRow();
    double longest = 0;
    for (const SequenceRun &run : result.runs)
      for (const TimelineEvent &event : run.timeline)
        longest = std::max(longest, event.end);
    const double scale = longest > 0 ? most / longest : 0;
    for (const SequenceRun &run : result.runs) {
      double end = 0;
      for (const TimelineEvent &event : run.timeline)
        end = std::max(end, event.end);
      page.text(begin + most + 8,
                std::to_string(static_cast<long long>(end)) + " us", "");
      page.text(8, run.name, "");
      for (const CopyCommand::Kind kind : rowsOf(run)) {
        if (kind != rowsOf(run).front())
          page.text(16, rowName(kind), "");
        for (const TimelineEvent &event : run.timeline) {
          if (event.kind != kind)
            continue;
          const std::size_t kernel =
              kernels.emplace(event.kernel, kernels.size()).first->second;
          page.bar(begin + event.begin * scale,
                   std::max(0.2, (event.end - event.begin) * scale),
                   colours[kernel % std::size(colours)],
                   event.kernel + (kind == CopyCommand::Kind::Launch
                                       ? ", " + event.range.str()
                                       : ""));
        }
        page.nextRow();
      }
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
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::size_t thread = 0;
    for (std::size_t k = 0; k < results[i].runs.size(); ++k) {
      const SequenceRun &run = results[i].runs[k];
      for (const CopyCommand::Kind kind : rowsOf(run)) {
        const bool isLaunch = kind == CopyCommand::Kind::Launch;
        events.push_back(
            {{"name", "thread_name"},
             {"ph", "M"},
             {"pid", i},
             {"tid", thread},
             {"args",
              {{"name", run.name + (isLaunch ? "" : ", " + rowName(kind))}}}});
        for (const TimelineEvent &event : run.timeline)
          if (event.kind == kind)
            events.push_back(
                {{"name", event.kernel},
                 {"cat", isLaunch ? "kernel" : "copy"},
                 {"ph", "X"},
                 {"ts", event.begin},
                 {"dur", event.end - event.begin},
                 {"pid", i},
                 {"tid", thread},
                 {"args", isLaunch ? Json{{"ndRange", event.range.str()}}
                                   : Json::object()}});
        ++thread;
      }
    }
  }
  return events.dump() + "\n";
}

} // namespace clopt::runtime
