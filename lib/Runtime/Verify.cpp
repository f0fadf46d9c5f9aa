//===- Verify.cpp - original and optimized kernels side by side -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For every kernel, every point of its sizes and every NDRange: both kernels
// start from the same bytes, and all buffers, read-only ones too, must end up
// the same. A difference is followed by a second run of the original, because a
// kernel whose own result varies proves nothing. Tested by test/run.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Verify.h"

#include "Runtime/ArgumentTypes.h"
#include "Runtime/Execution.h"
#include "Runtime/JsonDocument.h"
#include "Runtime/LaunchComparison.h"
#include "Runtime/LaunchSuggestion.h"
#include "Runtime/ProgramCache.h"
#include "Runtime/SpecFiles.h"

#include <algorithm>

namespace clopt::runtime {

namespace {

/// Compares one optimized file, or what clopt makes, with the original.
class Verifier {
public:
  Verifier(const VerifyOptions &what, const std::string &optimizedFile,
           const std::vector<KernelSpec> &kernels, const std::string &source,
           const Device &where, VerifyObserver &listener)
      : options(what), observer(listener), specs(kernels), device(where),
        programs(device, what, optimizedFile, source, listener) {
    for (const KernelSpec &spec : specs)
      total += spec.sizePoints(options.sizes).size();
  }

  void run() {
    for (const KernelSpec &spec : specs) {
      workItemLimit = options.maxWorkItems;
      const std::vector<SizePoint> points = spec.sizePoints(options.sizes);
      std::size_t launched = 0;
      for (const SizePoint &point : points) {
        launched += verifyPoint(spec, point);
        ++done;
      }
      if (launched != 0)
        continue;
      // Every kernel is launched at least once, whatever the limit.
      workItemLimit = minWorkItems(spec, points[0]);
      verifyPoint(spec, points[0]);
    }
    reportCoverage();
  }

private:
  void checkArguments(const KernelSpec &spec, const KernelPair &pair) const {
    const auto countOf = [](const KernelHandle &kernel) {
      return askCL<cl_uint>("clGetKernelInfo", clGetKernelInfo, kernel.get(),
                            CL_KERNEL_NUM_ARGS);
    };
    const cl_uint original = countOf(pair.original);
    const cl_uint optimized = countOf(pair.optimized);
    if (original != optimized)
      throw Error("the optimized kernel '" + spec.kernelName + "' takes " +
                  std::to_string(optimized) + " arguments, the original " +
                  std::to_string(original));
    if (original != spec.arguments.size())
      throw SpecMismatch("kernel '" + spec.kernelName + "' takes " +
                             std::to_string(original) +
                             " arguments, but 'Arguments' has " +
                             std::to_string(spec.arguments.size()),
                         spec.file, spec.where);
    checkArgumentTypes(spec, pair.original);
  }

  bool tooLarge(const NDRange &range) const {
    return workItemLimit != 0 && range.workItems() > workItemLimit;
  }

  std::size_t minWorkItems(const KernelSpec &spec,
                           const SizePoint &point) const {
    std::size_t fewest = ~std::size_t(0);
    for (const NDRange &range : bindRanges(spec, point))
      fewest = std::min(fewest, range.workItems());
    return fewest;
  }

  /// The number of launches that were not left out.
  std::size_t verifyPoint(const KernelSpec &spec, const SizePoint &point) {
    std::vector<NDRange> ranges = bindRanges(spec, point);
    if (options.onlyFirstRange)
      ranges.resize(1);
    if (std::all_of(ranges.begin(), ranges.end(),
                    [this](const NDRange &range) { return tooLarge(range); }))
      return 0;
    const Launch launch =
        bindLaunch(spec, point, options.seed,
                   {device.maxAllocation(), device.localMemory()});
    PointResult result;
    result.kernel = spec.kernelName;
    result.specFile = spec.file;
    result.point = point;
    const std::string where =
        "kernel '" + spec.kernelName + "'" + pointText(point);
    observer.activity(where + ", building", done, total);
    const std::vector<std::string> flags =
        launchFlags(options, spec, launch.bindings);
    const KernelPair pair =
        programs.kernels(spec.kernelName, flags, BuildPurpose::CompareValues);
    checkArguments(spec, pair);
    Execution execution(device, launch, ordinary());
    for (const NDRange &range : ranges)
      if (!tooLarge(range))
        compareRange({execution, launch, pair, flags, where}, range, result);
    if (options.countEntries)
      countEntries(spec, flags, result);
    if (options.takeTimes && result.good() && !tooLarge(launch.ranges[0]) &&
        isCompared(result.launches[0].status))
      takeTimes({execution, launch, pair, flags, where}, spec, result);
    observer.pointDone(result);
    return result.launches.size();
  }

  /// One point of the sizes, ready to be launched.
  struct Site {
    Execution &execution;
    const Launch &launch;
    const KernelPair &pair;
    const std::vector<std::string> &flags;
    const std::string &where;
  };

  /// With a plan there is one result for every variant that could be used; what
  /// only says that a variant pays is not asked.
  void compareRange(const Site &site, const NDRange &range,
                    PointResult &result) {
    std::vector<std::string> variants;
    LaunchResult failed;
    failed.range = range;
    try {
      if (programs.isPlanned())
        variants = site.execution.variants(
            executorOf(site), planOf(site, result.kernel), range, true);
    } catch (const OpenCLError &error) {
      failed.status = LaunchStatus::Failed;
      failed.message = error.what();
      result.launches.push_back(std::move(failed));
      return;
    }
    // The original follows the others; alone it shows that the plan leads to
    // it.
    if (variants.size() > 1)
      variants.pop_back();
    if (variants.empty())
      variants.emplace_back();
    for (const std::string &variant : variants)
      result.launches.push_back(
          compareLaunch(site, range, variant, result.kernel));
  }

  PlanExecutor &executorOf(const Site &site) {
    return programs.executor(site.flags, BuildPurpose::CompareValues);
  }

  const PlanKernel &planOf(const Site &site, const std::string &kernel) {
    return findPlan(executorOf(site), kernel);
  }

  static const PlanKernel &findPlan(const PlanExecutor &executor,
                                    const std::string &kernel) {
    const PlanKernel *plan = executor.plan().plan().find(kernel);
    if (!plan)
      throw Error("the launch plan has no kernel '" + kernel + "'");
    return *plan;
  }

  LaunchResult compareLaunch(const Site &site, const NDRange &range,
                             const std::string &variant,
                             const std::string &kernel) {
    LaunchResult result;
    result.range = range;
    result.variant = variant;
    if (range.groupItems() > site.execution.maxGroup(site.pair.original)) {
      result.status = LaunchStatus::Skipped;
      result.message = "the device has no groups of " +
                       std::to_string(range.groupItems()) + " work-items";
      return result;
    }
    const std::string what = site.where + ", " + range.str();
    const KernelRun original = [&] {
      observer.activity(what + ", original kernel", done, total);
      return site.execution.run(site.pair.original, range);
    };
    const KernelRun optimized = [&] {
      observer.activity(what + ", optimized kernel", done, total);
      return variant.empty()
                 ? site.execution.run(site.pair.optimized, range)
                 : site.execution.run(executorOf(site), planOf(site, kernel),
                                      range, {variant, true});
    };
    const LaunchComparison comparison(site.launch,
                                      toleranceFor(options, site.flags));
    std::optional<Outcome> expected;
    for (const BufferPlacement &placement : placements(site)) {
      site.execution.place(placement);
      const bool isFirst = !expected;
      comparison.compare(original, optimized, expected, result);
      if (isFirst && options.countEntries &&
          result.status != LaunchStatus::Failed)
        probeEntry(site, kernel, result);
      if (!isGood(result.status))
        break;
    }
    return result;
  }

  /// With a plan, a variant of its own is the new body; the drop-in kernel has
  /// its conditions inside.
  void probeEntry(const Site &site, const std::string &kernel,
                  LaunchResult &result) {
    if (!result.variant.empty())
      for (const PlanVariant &candidate : planOf(site, kernel).variants)
        if (candidate.name == result.variant &&
            (candidate.launch.program == PlanProgram::Original ||
             candidate.launch.kernel != kernel)) {
          result.entered = candidate.launch.program == PlanProgram::Optimized;
          return;
        }
    const KernelHandle probe = programs.probe(kernel, site.flags);
    if (!probe)
      return;
    const cl_uint found = site.execution.probeEntry(probe, result.range);
    result.entered = found == 1;
    const KernelEntry entry = programs.entry(kernel, site.flags);
    if (found >= 2 && found - 2 < entry.conditions.size())
      result.missing = entry.conditions[found - 2];
  }

  void countEntries(const KernelSpec &spec,
                    const std::vector<std::string> &flags,
                    const PointResult &result) {
    const KernelEntry entry = programs.entry(spec.kernelName, flags);
    KernelCoverage &known = coverage[spec.kernelName];
    known.kernel = spec.kernelName;
    known.isChanged |= entry.body == KernelEntry::Body::New;
    for (const LaunchResult &launch : result.launches) {
      known.launches += launch.entered.has_value();
      const bool isEntered = launch.entered.value_or(false);
      known.entered += isEntered;
      known.compared += isEntered && isCompared(launch.status);
      known.changesNothing &= launch.changesNothing;
      if (!launch.missing.empty())
        addOnce(known.missing, launch.missing);
    }
  }

  /// Once for each kernel, in the order of the specifications.
  void reportCoverage() {
    for (const KernelSpec &spec : specs) {
      const auto known = coverage.find(spec.kernelName);
      if (known == coverage.end())
        continue;
      KernelCoverage result = std::move(known->second);
      coverage.erase(known);
      if (result.isMissed() && result.entered == 0) {
        observer.activity("kernel '" + spec.kernelName +
                              "', looking for launches of its new body",
                          done, total);
        result.suggestion =
            suggestLaunch(spec, options, device, [this, &spec](const auto &f) {
              return programs.probe(spec.kernelName, f);
            });
      }
      observer.kernelDone(result);
    }
  }

  /// Where the buffers lie in each run. What a plan makes of its own buffers
  /// may depend on who made them, so those are also run in ordinary ones.
  std::vector<BufferPlacement> placements(const Site &site) {
    const bool isProtected = device.isProcessor() && options.guardBytes != 0;
    std::vector<BufferPlacement> result;
    if (!isProtected || programs.isPlanned())
      result.push_back(ordinary());
    if (!isProtected)
      return result;
    result.push_back({BufferPlacement::Kind::FlushBegin});
    BufferPlacement end{BufferPlacement::Kind::FlushEnd};
    end.alignment = programs.expectedAlignment(site.flags);
    result.push_back(end);
    return result;
  }

  BufferPlacement ordinary() const {
    return {BufferPlacement::Kind::Bands, options.guardBytes};
  }

  PlanTimes timePlan(const Site &site, const std::string &kernel,
                     const NDRange &range) {
    PlanExecutor &executor =
        programs.executor(site.flags, BuildPurpose::TakeTimes);
    return site.execution.time(executor, findPlan(executor, kernel), range, {});
  }

  /// Whether times are those of a new body.
  std::optional<bool> isOfNewBody(const Site &site, const std::string &kernel,
                                  const LaunchResult &launch,
                                  const std::string &variant) {
    if (!options.countEntries)
      return std::nullopt;
    LaunchResult timed = launch;
    if (launch.variant != variant) {
      timed.variant = variant;
      timed.entered.reset();
      probeEntry(site, kernel, timed);
    }
    if (!timed.entered &&
        programs.entry(kernel, site.flags).body == KernelEntry::Body::Unchanged)
      return false;
    return timed.entered;
  }

  void takeTimes(const Site &site, const KernelSpec &spec,
                 PointResult &result) {
    observer.activity(site.where + ", taking times", done, total);
    site.execution.place(ordinary());
    const KernelPair pair =
        programs.kernels(spec.kernelName, site.flags, BuildPurpose::TakeTimes);
    LaunchResult &launch = result.launches[0];
    std::string variant;
    std::vector<double> original;
    std::vector<double> optimized;
    try {
      // One after the other, so that a busy machine slows both down. The first
      // warms up.
      for (unsigned i = 0; i <= options.repeat; ++i) {
        original.push_back(site.execution.time(pair.original, launch.range));
        if (!programs.isPlanned()) {
          optimized.push_back(
              site.execution.time(pair.optimized, launch.range));
          continue;
        }
        const PlanTimes times = timePlan(site, spec.kernelName, launch.range);
        optimized.push_back(times.kernel + times.conversion);
        variant = times.variant;
      }
    } catch (const OpenCLError &error) {
      launch.status = LaunchStatus::Failed;
      launch.message = std::string("while taking times: ") + error.what();
      return;
    }
    original.erase(original.begin());
    optimized.erase(optimized.begin());
    result.times = Times{median(original), median(optimized),
                         isOfNewBody(site, spec.kernelName, launch, variant),
                         optimized, variant};
  }

  const VerifyOptions &options;
  VerifyObserver &observer;
  const std::vector<KernelSpec> &specs;
  const Device &device;
  ProgramCache programs;
  std::map<std::string, KernelCoverage> coverage; // by kernel
  std::size_t workItemLimit = 0;                  // 0: none
  std::size_t done = 0;
  std::size_t total = 0;
};

} // namespace

std::vector<std::string> launchFlags(const VerifyOptions &options,
                                     const KernelSpec &spec,
                                     const Bindings &bindings) {
  return allFlags(options, bindOptions(spec, bindings));
}

std::vector<std::string> allFlags(const VerifyOptions &options,
                                  const std::vector<std::string> &own) {
  std::vector<std::string> flags = options.projectFlags;
  flags.insert(flags.end(), own.begin(), own.end());
  flags.insert(flags.end(), options.buildFlags.begin(),
               options.buildFlags.end());
  return flags;
}

void addOnce(std::vector<std::string> &texts, const std::string &text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end())
    texts.push_back(text);
}

bool isGood(LaunchStatus status) {
  return status == LaunchStatus::Equal ||
         status == LaunchStatus::WithinTolerance || !isCompared(status);
}

bool isCompared(LaunchStatus status) {
  return status != LaunchStatus::NotComparable &&
         status != LaunchStatus::Skipped;
}

const char *statusName(LaunchStatus status) {
  // In the order of LaunchStatus.
  static constexpr const char *names[] = {"equal",
                                          "within tolerance",
                                          "differs",
                                          "guard band overwritten",
                                          "access outside of a buffer",
                                          "not comparable",
                                          "skipped",
                                          "failed"};
  return names[static_cast<std::size_t>(status)];
}

bool PointResult::good() const {
  return std::all_of(
      launches.begin(), launches.end(),
      [](const LaunchResult &launch) { return isGood(launch.status); });
}

LaunchResult PointResult::summary() const {
  LaunchResult result;
  for (const LaunchResult &launch : launches)
    if (result.status == LaunchStatus::Equal || !isGood(launch.status)) {
      result = launch;
      if (!isGood(launch.status))
        break;
    }
  return result;
}

void verify(const VerifyOptions &options, VerifyObserver &observer) {
  // The files come first: what is wrong with them is said without a device.
  const std::vector<KernelSpec> specs = loadSpecs(options);
  const std::string source = readFile(options.kernelFile);
  const Device device = Device::select(options.platform, options.device);
  observer.deviceChosen(device);
  std::vector<PlannedPoint> planned;
  for (const KernelSpec &spec : specs)
    for (const SizePoint &point : spec.sizePoints(options.sizes))
      planned.push_back({spec.kernelName, point});
  observer.pointsPlanned(planned);
  // One context for all: what a driver loads for it is most of a short run.
  for (const std::string &file : options.optimizedFiles) {
    if (options.optimizedFiles.size() > 1)
      observer.fileBegins(file);
    Verifier(options, file, specs, source, device, observer).run();
  }
  if (options.optimizedFiles.empty())
    Verifier(options, "", specs, source, device, observer).run();
}

} // namespace clopt::runtime
