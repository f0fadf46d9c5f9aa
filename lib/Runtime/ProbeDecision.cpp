//===- ProbeDecision.cpp - from measurements to a profile -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ProbeDecision.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace clopt::runtime {

namespace {

/// Times whose ratio is below this are taken to be alike.
constexpr double clearly = 1.25;

std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// Three digits are more than the spread leaves.
double rounded(double value) {
  if (value <= 0)
    return value;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  const double result = std::round(value / unit) * unit;
  // Written without the noise of the multiplication.
  return std::stod(shortNumber(result));
}

Json clocks(double value) {
  const double whole = std::max(1.0, std::round(value));
  return static_cast<std::int64_t>(whole);
}

class ProfileDecider {
public:
  explicit ProfileDecider(const ProbeData &measured)
      : data(measured), device(measured.device) {}

  ProbeDecision decide() {
    result.profile["base"] = builtinProfileFor(device.identity);
    result.profile["name"] = profileNameOf(device.identity);
    result.profile["description"] =
        device.identity.name + ", as measured through " + device.platform;
    decideRequests();
    decideBanks();
    decideLimits();
    decideFlow();
    decideVectors();
    decideBandwidth();
    decideLatency();
    checkPlausible();
    for (const DecidedKey &one : result.keys)
      result.profile[one.key] = one.value;
    return std::move(result);
  }

private:
  void decided(const std::string &key, Json value, const std::string &reason) {
    result.keys.push_back({key, std::move(value), reason});
  }
  void warn(const std::string &text) { result.warnings.push_back(text); }

  /// What two measurements may differ by and be alike: a tenth, and what their
  /// runs differ by.
  static double slack(double spread, double other) {
    return 1.1 + 2 * (spread + other);
  }

  static double largest(const ProbeSeries &series) {
    double value = 0;
    for (const ProbePoint &point : series)
      value = std::max(value, point.value);
    return value;
  }
  static double smallest(const ProbeSeries &series) {
    double value = series.empty() ? 0 : series.front().value;
    for (const ProbePoint &point : series)
      value = std::min(value, point.value);
    return value;
  }

  /// The number of points in front for which `holds`, if it holds for no other
  /// one; else none.
  template <typename Predicate>
  static std::size_t stepIn(const ProbeSeries &series, const Predicate &holds) {
    const auto end = std::find_if_not(series.begin(), series.end(), holds);
    return std::none_of(end, series.end(), holds)
               ? static_cast<std::size_t>(end - series.begin())
               : 0;
  }

  //===-- Requests to global memory ---------------------------------------===//

  void decideRequests() {
    // The first distance at which the second access of a pair waits as long as
    // the first: what lies there was not brought along.
    const ProbeSeries pairs = data.series("pair", "offset");
    std::int64_t segment = 0;
    const std::size_t near = stepIn(pairs, [&](const ProbePoint &pair) {
      return pair.value < clearly * smallest(pairs);
    });
    if (near != 0 && near != pairs.size())
      segment = pairs[near].at;
    if (segment > 4)
      decided("segmentBytes", segment,
              "an access " + std::to_string(segment) +
                  " bytes behind another one waits anew");
    if (device.lineBytes)
      decided("lineBytes", std::max(segment, std::int64_t(device.lineBytes)),
              "the driver says so");
    // Runs of work-items as long as a request no longer share one.
    const ProbeSeries runs = data.series("divergence", "width");
    if (runs.size() < 2)
      return;
    const double together = runs.back().value;
    const bool costs = runs.front().value > clearly * together;
    if (costs && runs.size() > 2)
      for (const ProbePoint &run : runs)
        if (run.value < clearly * together) {
          decided("lanes", run.at,
                  "runs of so many work-items take different paths without "
                  "waiting for each other");
          break;
        }
    // A processor runs work-items one by one, or as lanes of vectors where it
    // can: there a share of a loop is no cost of divergence.
    if (costs || !device.identity.isProcessor)
      decided("divergenceCosts", costs,
              "neighbours on different paths take " +
                  shortNumber(runs.front().value / together) +
                  " times as long");
  }

  //===-- Local memory ----------------------------------------------------===//

  void decideBanks() {
    const std::optional<double> local =
        data.value("chase", {{"memory", "local"}});
    const std::optional<double> cached =
        data.value("chase", {{"memory", "global"}});
    const bool isReal = device.localIsDedicated && !device.identity.isProcessor;
    if (local && cached) {
      decided("localMemoryIsReal", isReal && *local < clearly * *cached,
              !isReal
                  ? "the driver says that it is ordinary memory"
                  : "an access to it takes " + shortNumber(*local / *cached) +
                        " of one to the nearest cache");
      if (isReal && *local >= clearly * *cached)
        warn("local memory is slower than the nearest cache");
    }
    if (!isReal)
      return;
    const ProbeSeries strides =
        data.series("bank-stride", "words", {{"kind", "even"}});
    if (strides.size() < 3 || strides.front().value <= 0)
      return;
    const double best = strides.front().value;
    const double worst = largest(strides);
    if (worst < 2 * clearly * best)
      return; // no conflicts, or too few to count banks by
    // Words of 4 bytes that are still one bank's, and all banks.
    std::int64_t free = 1, all = 0;
    for (const ProbePoint &stride : strides) {
      if (stride.value < clearly * best)
        free = std::max(free, stride.at);
      if (!all && stride.value * clearly > worst)
        all = stride.at;
    }
    decided("bankBytes", 4 * free,
            "accesses " + std::to_string(2 * free) +
                " words apart are the first that wait for each other");
    decided("banks", all / free,
            "accesses " + std::to_string(all) +
                " words apart wait for each other longest");
    // The banks repeat after 64 words, whatever their number and width.
    const ProbeSeries apart = data.series("bank-lanes", "apart");
    if (apart.empty())
      return;
    const double alone = smallest(apart);
    for (const ProbePoint &one : apart)
      if (one.value < clearly * alone) {
        decided("bankLaneGroup", one.at,
                "work-items so far apart do not wait for each other's bank");
        break;
      }
  }

  //===-- Sizes -----------------------------------------------------------===//

  void decideLimits() {
    constexpr std::uint64_t most = 0x7fffffff; // of a profile's counts
    const auto told = [&](const char *key, std::uint64_t value) {
      if (value)
        decided(key, std::min(value, most), "the driver says so");
    };
    told("maxGroupSize", device.maxGroupSize);
    told("computeUnits", device.computeUnits);
    if (device.localIsDedicated && !device.identity.isProcessor)
      told("localMemoryBytes", device.localBytes);
    // More than that is ordinary memory on many devices.
    if (device.constantBytes < 65536)
      told("constantBytes", device.constantBytes);
    decideRegisters();
    if (device.identity.isProcessor)
      return; // one work-item keeps a processor busy
    const ProbeSeries items = data.series("items", "perUnit");
    if (items.size() < 4)
      return;
    for (const ProbePoint &point : items)
      if (point.value * 1.1 > largest(items)) {
        decided("itemsPerComputeUnit", point.at,
                "so many reach " +
                    shortNumber(100 * point.value / largest(items)) +
                    " % of the best bandwidth");
        break;
      }
  }

  /// Where values no longer fit in registers, each operation takes longer.
  /// That is the whole of a processor's registers; a GPU's work-items run in
  /// smaller numbers long before.
  void decideRegisters() {
    if (!device.identity.isProcessor)
      return;
    const ProbeSeries live = data.series("live", "values");
    if (live.size() < 4)
      return;
    // All up to some number about as fast, all beyond it slower: else it is
    // not the registers that make the difference.
    const double best = largest(live);
    const std::size_t fit = stepIn(live, [&](const ProbePoint &point) {
      return point.value * 1.5 > best;
    });
    if (fit != 0 && fit != live.size())
      decided("registersPerWorkItem", live[fit - 1].at,
              "more live values take longer for each");
  }

  //===-- Control flow and arithmetic -------------------------------------===//

  void decideFlow() {
    const auto items = data.sample("spread", {{"where", "items"}});
    const auto groups = data.sample("spread", {{"where", "groups"}});
    if (items && groups &&
        std::max(items->value, groups->value) >
            slack(items->spread, groups->spread) *
                std::min(items->value, groups->value))
      decided("spreadWorkItems", items->value < groups->value,
              "few work-items in each group take " +
                  shortNumber(items->value / groups->value) +
                  " of the time of few groups");
    const auto mul = throughput("integer-mul");
    const auto mul24 = throughput("integer-mul24");
    if (mul && mul24)
      decided("multiply24IsFast", *mul24 > 1.5 * *mul,
              "mul24 is " + shortNumber(*mul24 / *mul) +
                  " times as fast as a multiplication");
    const auto mad = throughput("mad");
    const auto mad4 = throughput("mad4");
    if (!mad || !mad4)
      return;
    const bool pays = *mad4 > 1.5 * *mad;
    // Compilers for processors join work-items: vectors inside of one gain
    // nothing in a kernel as simple as this, and much in others.
    if (pays || !device.identity.isProcessor)
      decided("vectorizeComputation", pays,
              "float4 does " + shortNumber(*mad4 / *mad) +
                  " times the operations of float");
  }

  std::optional<double> throughput(const char *operation) const {
    const auto value = data.value("throughput", {{"operation", operation}});
    return value && *value > 0 ? value : std::nullopt;
  }

  //===-- Vectors and bandwidth -------------------------------------------===//

  void decideVectors() {
    const std::optional<ProbeSample> shifted =
        data.sample("copy-shifted", {}, {{"elementBytes", 4}, {"width", 4}});
    const std::optional<ProbeSample> aligned =
        data.sample("copy", {}, {{"elementBytes", 4}, {"width", 4}});
    if (shifted && aligned && shifted->value > 0)
      decided("unalignedIsCheap",
              shifted->value * slack(shifted->spread, aligned->spread) >
                  aligned->value,
              "a float4 off its alignment moves " +
                  shortNumber(shifted->value / aligned->value) +
                  " of what an aligned one does");
    // Compilers for processors join work-items: there the width of a copy says
    // nothing about that of arithmetic.
    if (device.identity.isProcessor)
      return;
    // Of components of 4 bytes, those of most kernels.
    const ProbeSeries widths =
        data.series("copy", "width", {}, {{"elementBytes", 4}});
    if (widths.size() < 2 || largest(widths) < 1.1 * smallest(widths))
      return;
    for (const ProbePoint &width : widths)
      if (width.value * 1.02 > largest(widths)) {
        decided("preferredVectorBytes", 4 * width.at,
                "the narrowest copy within 2 % of the fastest one");
        break;
      }
  }

  void decideBandwidth() {
    Json table = Json::object();
    for (std::int64_t bytes : {1, 2, 4, 8})
      for (const ProbePoint &point :
           data.series("copy", "width", {}, {{"elementBytes", bytes}}))
        if (point.value > 0)
          table[std::to_string(bytes)][std::to_string(point.at)] =
              rounded(point.value);
    if (!table.empty())
      decided("bandwidth", table, "copies, one element per work-item");
  }

  //===-- Latencies -------------------------------------------------------===//

  /// Bytes that the nearest cache holds: up to there a chain takes as long as
  /// in the smallest array.
  std::int64_t nearestCache(const ProbeSeries &chain) const {
    std::int64_t bytes = chain.front().at;
    for (const ProbePoint &point : chain) {
      if (point.value > clearly * chain.front().value)
        break;
      bytes = point.at;
    }
    return bytes;
  }

  void decideLatency() {
    const ProbeSeries chain =
        data.series("chase", "bytes", {{"memory", "global"}});
    const auto alu = data.value("latency", {{"operation", "add"}});
    const auto constant = data.value("chase", {{"memory", "constant"}});
    const auto local = data.value("chase", {{"memory", "local"}});
    if (chain.size() < 3 || !alu || !constant || !local)
      return;
    // Relations count more than clocks, so a driver that tells none does no
    // harm.
    const double scale = device.clockMHz ? double(device.clockMHz) / 1000 : 1;
    const std::int64_t cache = nearestCache(chain);
    // Beyond the nearest cache, but not beyond the others: what a kernel
    // works on mostly fits there.
    const ProbePoint *global = &chain.back();
    for (const ProbePoint &point : chain)
      if (point.at >= std::max<std::int64_t>(4 << 20, 4 * cache)) {
        global = &point;
        break;
      }
    const double cached = chain.front().value;
    const double far = std::max(global->value, cached);
    const auto image =
        data.value("chase", {{"memory", "image"}}, {{"bytes", 4 << 20}});
    Json latency;
    latency["global"] = clocks(far * scale);
    if (far > clearly * cached)
      latency["cached"] = clocks(cached * scale);
    latency["constant"] = clocks(*constant * scale);
    // An image that is hardly faster is not worth its copy.
    const bool isAlike = !image || (*image < far && *image * clearly > far);
    latency["image"] = clocks((isAlike ? far : *image) * scale);
    latency["local"] = clocks(*local * scale);
    latency["alu"] = clocks(*alu * scale);
    decided("latency", latency,
            "chains at " + shortNumber(scale * 1000) + " MHz; global is " +
                std::to_string(global->at / 1024) +
                " KiB, the nearest cache holds " +
                std::to_string(cache / 1024) + " KiB");
  }

  //===-- What no device does ---------------------------------------------===//

  void checkPlausible() {
    for (const char *memory : {"global", "constant", "local", "image"})
      checkGrowing(data.series("chase", "bytes", {{"memory", memory}}),
                   std::string("a chain in ") + memory + " memory", "bytes");
    checkGrowing(data.series("pair", "offset"), "a pair of accesses",
                 "bytes apart");
    checkGrowing(
        data.series("gather", "stepBytes", {{"pattern", "contiguous"}}),
        "a strided read", "bytes apart");
    for (std::int64_t bytes : {1, 2, 4, 8}) {
      const ProbeSeries widths =
          data.series("copy", "width", {}, {{"elementBytes", bytes}});
      for (std::size_t i = 1; i < widths.size(); ++i)
        // Wider than 16 bytes an access is several.
        if (bytes * widths[i].at <= 16 &&
            widths[i].value * slack(widths[i].spread, widths[i - 1].spread) <
                widths[i - 1].value)
          warn("a copy of " + std::to_string(bytes) + "-byte elements by " +
               std::to_string(widths[i].at) + " moves less (" +
               shortNumber(widths[i].value) + " GB/s) than one by " +
               std::to_string(widths[i - 1].at) + " (" +
               shortNumber(widths[i - 1].value) + ")");
    }
    for (const ProbeMeasurement &one : data.measurements)
      if (one.sample.spread > 0.25 && one.test != "transfer" &&
          one.test != "memory" && one.test != "launch" && one.test != "empty")
        ++restless;
    if (restless * 5 > data.measurements.size())
      warn(std::to_string(restless) + " of " +
           std::to_string(data.measurements.size()) +
           " measurements vary by more than a quarter: the machine is busy");
  }

  void checkGrowing(const ProbeSeries &series, const std::string &what,
                    const std::string &unit) {
    for (std::size_t i = 1; i < series.size(); ++i)
      if (series[i].value * slack(series[i].spread, series[i - 1].spread) <
          series[i - 1].value)
        warn(what + " is faster at " + std::to_string(series[i].at) + " " +
             unit + " (" + shortNumber(series[i].value) + " ns) than at " +
             std::to_string(series[i - 1].at) + " (" +
             shortNumber(series[i - 1].value) + ")");
  }

  const ProbeData &data;
  const ProbedDevice &device;
  ProbeDecision result;
  std::size_t restless = 0;
};

} // namespace

ProbeDecision decideProfile(const ProbeData &data) {
  return ProfileDecider(data).decide();
}

} // namespace clopt::runtime
