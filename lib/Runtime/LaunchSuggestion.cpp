//===- LaunchSuggestion.cpp - a launch that takes the new body ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conditions are C: the device knows best what they mean. The probe does
// nothing but look at them, so a launch of it costs little.
//
//===----------------------------------------------------------------------===//

#include "Runtime/LaunchSuggestion.h"

#include "Runtime/Execution.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace clopt::runtime {

namespace {

using GroupShape = std::array<std::size_t, 3>;
using SizeOverrides = std::map<std::string, std::vector<std::int64_t>>;

/// Of a launch, and of a size: what launches of one dimension may need.
constexpr std::size_t maxTriedItems = std::size_t(1) << 22;
constexpr std::uint64_t maxBufferBytes = std::uint64_t(64) << 20;
constexpr std::chrono::seconds maxSearchTime{5};

/// Sizes with values of their own; others are expressions over them.
std::vector<std::string> freeSizes(const KernelSpec &spec) {
  std::vector<std::string> result;
  if (!spec.points.empty()) {
    for (const auto &[name, value] : spec.points[0])
      result.push_back(name);
    return result;
  }
  for (const SizeSpec &size : spec.sizes)
    if (std::all_of(size.values.begin(), size.values.end(),
                    [](const LocatedExpression &value) {
                      return value.value.names().empty();
                    }))
      result.push_back(size.name);
  return result;
}

std::vector<GroupShape> usualGroups(unsigned dimensions) {
  if (dimensions == 1)
    return {{64, 1, 1}, {128, 1, 1}, {256, 1, 1}, {32, 1, 1}};
  if (dimensions == 2)
    return {{8, 8, 1}, {16, 16, 1}, {16, 8, 1}, {32, 8, 1}, {64, 1, 1}};
  return {{4, 4, 4}, {8, 8, 1}, {8, 8, 4}, {64, 1, 1}};
}

NDRange withGroup(NDRange range, const GroupShape &group) {
  range.local = group;
  for (unsigned d = 0; d < range.dimensions; ++d)
    range.global[d] = (range.global[d] + group[d] - 1) / group[d] * group[d];
  return range;
}

/// A launch that enters the new body.
struct Found {
  SizeOverrides sizes;             // those that differ from what was compared
  std::optional<GroupShape> group; // if the specification has another
  unsigned dimensions;

  std::string written() const {
    std::string text;
    for (const auto &[name, values] : sizes)
      text += (text.empty() ? "--size=" : ",") + name + "=" +
              std::to_string(values[0]);
    if (!group)
      return text;
    text += text.empty() ? "" : " and ";
    for (unsigned d = 0; d < dimensions; ++d)
      text += std::string(d == 0 ? "\"LocalSize\": {" : ", ") + "\"" +
              "XYZ"[d] + "\": " + std::to_string((*group)[d]);
    return text + "}";
  }
};

class LaunchSearch {
public:
  LaunchSearch(const KernelSpec &kernel, const VerifyOptions &how,
               const Device &where, const ProbeSource &source)
      : spec(kernel), options(how), device(where), probe(source) {}

  std::string run() {
    // Other sizes would be other programs.
    if (std::any_of(spec.options.begin(), spec.options.end(),
                    [](const std::string &option) {
                      return option.find("${") != std::string::npos;
                    }))
      return {};
    const std::vector<std::string> names = freeSizes(spec);
    std::optional<Found> found = tryPoint({});
    for (std::int64_t value = 16;
         !found && value <= std::int64_t(maxTriedItems) && !names.empty() &&
         Clock::now() < deadline;
         value *= 2) {
      SizeOverrides sizes;
      for (const std::string &name : names)
        sizes[name] = {value};
      found = tryPoint(sizes);
    }
    if (!found)
      return {};
    for (const std::string &name : names)
      reduce(name, *found);
    return found->written();
  }

private:
  using Clock = std::chrono::steady_clock;

  /// A size stays as it was when kernels were compared, or else becomes as
  /// small as the conditions let it be.
  void reduce(const std::string &name, Found &found) {
    if (found.sizes.count(name) == 0)
      return;
    const auto accept = [&](const SizeOverrides &sizes) {
      std::optional<Found> other = tryPoint(sizes);
      // A group is one thing more to say.
      if (!other || (other->group && !found.group))
        return false;
      found = std::move(*other);
      return true;
    };
    SizeOverrides sizes = found.sizes;
    sizes.erase(name);
    if (accept(sizes))
      return;
    for (std::int64_t value = found.sizes.at(name)[0] / 2; value >= 1;
         value /= 2) {
      sizes[name] = {value};
      if (!accept(sizes))
        return;
    }
  }

  /// The last point of those that were compared, usually the largest, with
  /// other sizes.
  std::optional<Found> tryPoint(const SizeOverrides &sizes) {
    try {
      SizeOverrides all = sizes;
      all.insert(options.sizes.begin(), options.sizes.end());
      Launch launch =
          bindLaunch(spec, spec.sizePoints(all).back(), options.seed,
                     {std::min(device.maxAllocation(), maxBufferBytes),
                      device.localMemory()});
      if (options.onlyFirstRange)
        launch.ranges.resize(1);
      const KernelHandle kernel =
          probe(launchFlags(options, spec, launch.bindings));
      if (!kernel)
        return std::nullopt;
      Execution execution(device, launch, BufferPlacement{});
      for (const NDRange &range : launch.ranges)
        if (enters(execution, kernel, range))
          return Found{sizes, std::nullopt, range.dimensions};
      for (const GroupShape &group :
           groups(kernel, launch.ranges[0].dimensions))
        if (enters(execution, kernel, withGroup(launch.ranges[0], group)))
          return Found{sizes, group, launch.ranges[0].dimensions};
    } catch (const Error &) {
      // The specification or the device has no such launch.
    }
    return std::nullopt;
  }

  std::vector<GroupShape> groups(const KernelHandle &kernel,
                                 unsigned dimensions) const {
    const auto required = groupInfo<GroupShape>(
        kernel.get(), device.id(), CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
    return required[0] != 0 ? std::vector<GroupShape>{required}
                            : usualGroups(dimensions);
  }

  bool enters(Execution &execution, const KernelHandle &kernel,
              const NDRange &range) const {
    try {
      return range.workItems() <= maxTriedItems && Clock::now() < deadline &&
             range.groupItems() <= execution.maxGroup(kernel) &&
             execution.probeEntry(kernel, range) == 1;
    } catch (const OpenCLError &) {
      return false;
    }
  }

  const KernelSpec &spec;
  const VerifyOptions &options;
  const Device &device;
  const ProbeSource &probe;
  const Clock::time_point deadline = Clock::now() + maxSearchTime;
};

} // namespace

std::string suggestLaunch(const KernelSpec &spec, const VerifyOptions &options,
                          const Device &device, const ProbeSource &probe) {
  return LaunchSearch(spec, options, device, probe).run();
}

} // namespace clopt::runtime
