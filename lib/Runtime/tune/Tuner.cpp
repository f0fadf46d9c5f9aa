//===- Tuner.cpp - the search for the fastest recipe ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/tune.
//
//===----------------------------------------------------------------------===//

#include "Runtime/tune/Tuner.h"

#include "Runtime/CloptCommand.h"
#include "Runtime/SourceTokens.h"
#include "Runtime/SpecFiles.h"
#include "Runtime/TextFiles.h"
#include "Runtime/tune/TuningStore.h"
#include "Runtime/tune/VariantMaker.h"
#include "Runtime/tune/VariantRunner.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>

namespace clopt::runtime {

namespace {

using Clock = std::chrono::steady_clock;

/// So many of the fastest are measured again at the end: the lowest of many
/// times is low by luck as well.
constexpr std::size_t finalists = 3;
constexpr unsigned finalRepeat = 15;

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// The text without comments and blanks.
std::string essenceOf(const std::string &source) {
  std::string result;
  for (const SourceToken &token : tokenize(source))
    if (token.kind != SourceToken::Kind::Comment)
      result += std::string(token.text) + "\n";
  return result;
}

std::int64_t workItemsAt(const KernelSpec &spec, const SizePoint &point) {
  return static_cast<std::int64_t>(bindRanges(spec, point).front().workItems());
}

/// The point of the largest launch within the limit; the last of several. The
/// first point where all are larger.
SizePoint largestPoint(const KernelSpec &spec, const VerifyOptions &options) {
  const std::vector<SizePoint> points = spec.sizePoints(options.sizes);
  const auto limit = static_cast<std::int64_t>(options.maxWorkItems);
  SizePoint best = points.front();
  std::int64_t most = -1;
  for (const SizePoint &point : points) {
    const std::int64_t items = workItemsAt(spec, point);
    if (items < most || (limit != 0 && items > limit))
      continue;
    most = items;
    best = point;
  }
  return best;
}

/// Whether the flags are the same at all points: one text is compared at all.
bool hasOneText(const KernelSpec &spec, const VerifyOptions &options) {
  std::set<std::vector<std::string>> all;
  for (const SizePoint &point : spec.sizePoints(options.sizes))
    all.insert(flagsAt(spec, point, options));
  return all.size() == 1;
}

class KernelTuner {
public:
  KernelTuner(const TuneOptions &what, const KernelSpec &kernel,
              TuneObserver &listener, Clock::time_point end)
      : options(what), spec(kernel), observer(listener), deadline(end),
        point(largestPoint(kernel, what.run)),
        limit(static_cast<std::int64_t>(what.variantSeconds * 1000)),
        maker(what.run, kernel.kernelName, flagsAt(kernel, point, what.run),
              limit),
        runner(what.run, kernel, point, limit),
        strategy(makeStrategy(what.strategy, what.run.seed, maker)) {}

  void run() {
    TuneSubject &subject = summary.record.subject;
    subject.sizes = point;
    subject.workItems = workItemsAt(spec, point);
    summary.planned = maker.plan(subject);
    beginWithPlanned();
    for (const Candidate &candidate : recommended())
      if (!isOver())
        attempt(candidate);
    while (!isOver()) {
      std::optional<Candidate> candidate = strategy->next();
      if (!candidate)
        break;
      attempt(*candidate);
    }
    if (options.run.isPlanned)
      tryGroups();
    if (!options.isStopped())
      decide();
    summary.isStopped = options.isStopped();
    finish();
  }

private:
  bool isOver() const {
    return options.isStopped() || Clock::now() >= deadline ||
           summary.record.results.size() >= options.maxVariants;
  }

  /// Its process also tells which device this is.
  void beginWithPlanned() {
    Candidate planned;
    planned.steps = summary.planned;
    planned.change = "the planner's choice";
    TuneResult result = measured(planned.steps);
    if (options.isStopped())
      return;
    TuneSubject &subject = summary.record.subject;
    subject.platform = runner.platform();
    subject.device = runner.device();
    subject.driver = runner.driver();
    if (subject.device.empty())
      throw Error("the planner's recipe cannot be run: " + result.message);
    observer.kernelBegins(subject);
    readResults();
    if (known.count(result.name()) == 0)
      add(result, planned.change);
    plannedClocks = maker.neighbours(planned.steps).centre.clocks;
    // The search begins there.
    strategy->tell(planned.steps, timeOf(result));
    for (const TuneResult &other : summary.record.results)
      strategy->tell(other.steps, timeOf(other));
  }

  static std::optional<double> timeOf(const TuneResult &result) {
    if (!result.isCorrect())
      return std::nullopt;
    return result.relative();
  }

  /// What an earlier run wrote into the file of results.
  void readResults() {
    if (options.resultsFile.empty() ||
        !std::filesystem::exists(options.resultsFile))
      return;
    const JsonDocument document = JsonDocument::load(options.resultsFile);
    TuneRecord record = fromT4(document);
    if (!(record.subject == summary.record.subject))
      throw document.error("/metadata",
                           "these results are of something else: another "
                           "source, kernel, device, size or set of flags");
    for (const TuneResult &result : record.results)
      known[result.name()] = result;
    summary.record.results = std::move(record.results);
    summary.reread = summary.record.results.size();
  }

  /// What the database and other caches say is fast.
  std::vector<Candidate> recommended() {
    std::vector<Candidate> result;
    const auto take = [&](const Steps &steps, const std::string &from) {
      Candidate candidate;
      candidate.steps = steps;
      candidate.change = "from " + from;
      result.push_back(candidate);
    };
    if (!options.databaseFile.empty())
      if (const std::optional<Steps> steps =
              findStored(options.databaseFile, summary.record.subject))
        take(*steps, "the database");
    for (const std::string &file : options.importFiles)
      for (const Steps &steps : fromKernelTunerCache(file, readFile(file)))
        take(steps, file);
    return result;
  }

  /// Unless it was measured, or the model says that it is not worth it.
  void attempt(const Candidate &candidate) {
    TuneResult result;
    result.steps = candidate.steps;
    if (known.count(result.name()) != 0)
      return;
    if (isPruned(candidate)) {
      ++summary.pruned;
      strategy->tell(candidate.steps, std::nullopt);
      return;
    }
    strategy->tell(candidate.steps, tried(result, candidate.change));
  }

  /// Makes and runs it, unless its text was run already. The time, if it has
  /// one.
  std::optional<double> tried(TuneResult &result, const std::string &change) {
    observer.activity(change, summary.record.results.size());
    const MadeVariant made = maker.make(result);
    if (const TuneResult *same = sameText(made)) {
      ++summary.alike;
      return timeOf(*same);
    }
    if (!made.text.empty())
      runner.run(made, result, options.run.repeat, false);
    // A signal to all processes of the terminal ends the variant, too.
    if (options.isStopped())
      return std::nullopt;
    remember(made, result);
    add(result, change);
    return timeOf(result);
  }

  bool isPruned(const Candidate &candidate) const {
    return options.pruneFactor > 0 && candidate.clocks && plannedClocks &&
           *candidate.clocks > options.pruneFactor * *plannedClocks;
  }

  TuneResult measured(const Steps &steps) {
    observer.activity("the planner's choice", 0);
    TuneResult result;
    result.steps = steps;
    const MadeVariant made = maker.make(result);
    if (options.isStopped())
      return result;
    if (made.text.empty())
      throw Error("the planner's recipe cannot be followed: " + result.message);
    runner.run(made, result, options.run.repeat, false);
    remember(made, result);
    return result;
  }

  const TuneResult *sameText(const MadeVariant &made) const {
    if (made.text.empty())
      return nullptr;
    const auto found = texts.find(essenceOf(readFile(made.text)));
    return found == texts.end() ? nullptr : &found->second;
  }

  void remember(const MadeVariant &made, const TuneResult &result) {
    if (!made.text.empty())
      texts[essenceOf(readFile(made.text))] = result;
  }

  /// It is kept at once: whatever ends the search, it is there.
  void add(TuneResult result, const std::string &change) {
    result.timestamp = now();
    known[result.name()] = result;
    summary.record.results.push_back(result);
    if (!options.resultsFile.empty())
      replaceFile(options.resultsFile, toT4(summary.record).dump(2) + "\n");
    observer.variantDone(result, change);
  }

  /// Where the fastest recipe runs in an NDRange of the plan's own: the usual
  /// groups. Where the kernel fixes its groups all texts are the same.
  void tryGroups() {
    const std::vector<TuneResult> valid = fastestFirst(summary.record);
    if (valid.empty() || options.isStopped())
      return;
    TuneResult best = valid.front();
    const MadeVariant made = maker.make(best);
    if (made.plan.empty())
      return;
    const std::size_t dimensions =
        dimensionsIn(made.plan, spec.kernelName, best.variant);
    for (const std::vector<std::int64_t> &group : usualGroups(dimensions)) {
      if (options.isStopped() || Clock::now() >= deadline)
        return;
      TuneResult result;
      result.steps = best.steps;
      result.group = group;
      if (known.count(result.name()) == 0)
        tried(result, result.name());
    }
  }

  /// The fastest ones and the planner's once more, with more runs and at all
  /// points of the sizes.
  void decide() {
    const std::vector<TuneResult> valid = fastestFirst(summary.record);
    std::vector<TuneResult> again;
    for (const TuneResult &result : valid) {
      const bool isPlanned =
          result.steps == summary.planned && result.group.empty();
      if (again.size() >= finalists && !isPlanned)
        continue;
      if (options.isStopped())
        return;
      observer.activity("once more: " + result.name(),
                        summary.record.results.size());
      TuneResult repeated = measuredAgain(result);
      if (isPlanned)
        summary.plannedResult = repeated;
      if (repeated.isCorrect())
        again.push_back(std::move(repeated));
    }
    if (options.isStopped())
      return;
    for (const TuneResult &result : again)
      if (!summary.best || result.relative() < summary.best->relative())
        summary.best = result;
    keepOriginalIfFastest();
  }

  TuneResult measuredAgain(const TuneResult &before) {
    TuneResult result;
    result.steps = before.steps;
    result.group = before.group;
    const MadeVariant made = maker.make(result);
    if (!made.text.empty())
      runner.run(made, result, std::max(options.run.repeat, finalRepeat),
                 hasOneText(spec, options.run));
    result.timestamp = now();
    return result;
  }

  /// Every recipe may be a loss.
  void keepOriginalIfFastest() {
    if (!summary.best || summary.best->relative() <= 1)
      return;
    summary.best->steps.clear();
    summary.best->group.clear();
    summary.best->ms = summary.best->originalMs;
    summary.best->runs.clear();
  }

  void finish() {
    if (summary.best && !options.databaseFile.empty())
      store(options.databaseFile, summary.record.subject, *summary.best);
    if (!options.exportFile.empty())
      replaceFile(options.exportFile,
                  toKernelTunerCache(summary.record).dump(2) + "\n");
    observer.kernelDone(summary);
  }

  const TuneOptions &options;
  const KernelSpec &spec;
  TuneObserver &observer;
  const Clock::time_point deadline;
  const SizePoint point;
  const std::chrono::milliseconds limit;
  VariantMaker maker;
  VariantRunner runner;
  std::unique_ptr<TuneStrategy> strategy;
  TuneSummary summary;
  std::map<std::string, TuneResult> known, texts; ///< by recipe; by text
  std::optional<double> plannedClocks;
};

/// One specification of each kernel.
std::vector<KernelSpec> kernelsOf(const VerifyOptions &options) {
  std::vector<KernelSpec> result;
  std::set<std::string> seen;
  for (KernelSpec &spec : loadSpecs(options))
    if (seen.insert(spec.kernelName).second)
      result.push_back(std::move(spec));
  return result;
}

Clock::time_point deadlineOf(double seconds) {
  if (seconds <= 0)
    return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(seconds));
}

} // namespace

std::vector<std::vector<std::int64_t>> usualGroups(std::size_t dimensions) {
  std::vector<std::vector<std::int64_t>> groups;
  for (std::int64_t items = 32; dimensions != 0 && items <= 1024; items *= 2)
    for (std::int64_t first = items; first * first >= items; first /= 2) {
      groups.push_back({first, items / first});
      if (dimensions == 1)
        break;
    }
  return groups;
}

void tune(const TuneOptions &options, TuneObserver &observer) {
  const TemporaryFolder folder;
  TuneOptions own = options;
  keepStandardInput(own.run.specFiles, folder.file("standard-input.json"));
  const std::vector<KernelSpec> kernels = kernelsOf(own.run);
  if (kernels.size() > 1 &&
      !(own.resultsFile.empty() && own.exportFile.empty() &&
        own.importFiles.empty()))
    throw Error("a file of results is of one kernel: use --kernel=NAME");
  for (const KernelSpec &spec : kernels) {
    if (own.isStopped())
      break;
    KernelTuner(
        own, spec, observer,
        deadlineOf(own.budgetSeconds / static_cast<double>(kernels.size())))
        .run();
  }
}

} // namespace clopt::runtime
