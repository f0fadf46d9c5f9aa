//===- ProbeData.cpp - what a probe measured, as data ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ProbeData.h"

#include <algorithm>

namespace clopt::runtime {

namespace {

template <typename Map> bool containsAll(const Map &all, const Map &wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto &entry) {
    const auto found = all.find(entry.first);
    return found != all.end() && found->second == entry.second;
  });
}

bool isLike(const ProbeMeasurement &one, const std::string &test,
            const std::map<std::string, std::string> &variant,
            const std::map<std::string, std::int64_t> &numbers) {
  return one.test == test && containsAll(one.variant, variant) &&
         containsAll(one.numbers, numbers);
}

/// The one list of the device's fields, for writing and for reading.
template <typename Device, typename Visitor>
void visitDevice(Device &device, Visitor &&visit) {
  visit("vendor", device.identity.vendor);
  visit("name", device.identity.name);
  visit("isProcessor", device.identity.isProcessor);
  visit("platform", device.platform);
  visit("driver", device.driver);
  visit("clockMHz", device.clockMHz);
  visit("computeUnits", device.computeUnits);
  visit("maxGroupSize", device.maxGroupSize);
  visit("lineBytes", device.lineBytes);
  visit("localBytes", device.localBytes);
  visit("localIsDedicated", device.localIsDedicated);
  visit("constantBytes", device.constantBytes);
}

constexpr const char *probeSchema = "clopt-probe-1";

ProbeMeasurement readMeasurement(const Json &entry) {
  ProbeMeasurement one;
  one.test = entry.at("test").get<std::string>();
  one.unit = entry.at("unit").get<std::string>();
  one.sample.value = entry.at("median").get<double>();
  one.sample.spread = entry.at("spread").get<double>();
  for (const auto &[key, value] : entry.items())
    if (key == "test" || key == "unit" || key == "median" || key == "spread")
      continue;
    else if (value.is_string())
      one.variant[key] = value.get<std::string>();
    else
      one.numbers[key] = value.get<std::int64_t>();
  return one;
}

} // namespace

ProbeSample summarize(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  ProbeSample sample;
  sample.value = values[values.size() / 2];
  if (sample.value > 0)
    sample.spread =
        (values[last - last / 4] - values[last / 4]) / 2 / sample.value;
  return sample;
}

ProbeSeries
ProbeData::series(const std::string &test, const std::string &along,
                  const std::map<std::string, std::string> &variant,
                  const std::map<std::string, std::int64_t> &numbers) const {
  ProbeSeries points;
  for (const ProbeMeasurement &one : measurements) {
    const auto at = one.numbers.find(along);
    if (at != one.numbers.end() && isLike(one, test, variant, numbers))
      points.push_back({at->second, one.sample.value, one.sample.spread});
  }
  std::stable_sort(
      points.begin(), points.end(),
      [](const ProbePoint &a, const ProbePoint &b) { return a.at < b.at; });
  return points;
}

std::optional<ProbeSample>
ProbeData::sample(const std::string &test,
                  const std::map<std::string, std::string> &variant,
                  const std::map<std::string, std::int64_t> &numbers) const {
  for (const ProbeMeasurement &one : measurements)
    if (isLike(one, test, variant, numbers))
      return one.sample;
  return std::nullopt;
}

std::optional<double>
ProbeData::value(const std::string &test,
                 const std::map<std::string, std::string> &variant,
                 const std::map<std::string, std::int64_t> &numbers) const {
  const std::optional<ProbeSample> found = sample(test, variant, numbers);
  return found ? std::optional(found->value) : std::nullopt;
}

Json ProbeData::toJson() const {
  Json json;
  json["schema"] = probeSchema;
  visitDevice(device, [&](const char *key, const auto &value) {
    json["device"][key] = value;
  });
  json["measurements"] = Json::array();
  for (const ProbeMeasurement &one : measurements) {
    Json entry;
    entry["test"] = one.test;
    for (const auto &[key, value] : one.variant)
      entry[key] = value;
    for (const auto &[key, value] : one.numbers)
      entry[key] = value;
    entry["unit"] = one.unit;
    entry["median"] = one.sample.value;
    entry["spread"] = one.sample.spread;
    json["measurements"].push_back(std::move(entry));
  }
  return json;
}

ProbeData ProbeData::fromJson(const JsonDocument &document) {
  const Json &root = document.root();
  if (!root.is_object() || root.value("schema", "") != probeSchema)
    throw document.error("", "this is no raw data of 'clopt probe'");
  ProbeData data;
  std::string place = "/device";
  try {
    const Json &device = root.at("device");
    visitDevice(data.device, [&](const char *key, auto &value) {
      device.at(key).get_to(value);
    });
    std::size_t index = 0;
    for (const Json &entry : root.at("measurements")) {
      place = "/measurements/" + std::to_string(index++);
      data.measurements.push_back(readMeasurement(entry));
    }
  } catch (const Json::exception &) {
    throw document.error(place, "something is missing here, or is of the "
                                "wrong kind");
  }
  return data;
}

} // namespace clopt::runtime
