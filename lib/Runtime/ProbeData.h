//===- ProbeData.h - what a probe measured, as data ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The raw data of 'clopt probe': what the driver says of the device, and a list
// of measurements, each with the name of its test, the test's parameters and a
// median. What profiles make of it is decided elsewhere (ProbeDecision.h), so
// that recorded data can be judged again. Tested by
// test/unit/RuntimeProbeDecisionTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_PROBEDATA_H
#define CLOPT_RUNTIME_PROBEDATA_H

#include "Runtime/JsonDocument.h"
#include "Runtime/ProfileChoice.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clopt::runtime {

/// What the driver says; nothing is measured.
struct ProbedDevice {
  DeviceIdentity identity;
  std::string platform;
  std::string driver;
  std::uint64_t clockMHz = 0; ///< 0: not told
  std::uint64_t computeUnits = 0;
  std::uint64_t maxGroupSize = 0;
  std::uint64_t lineBytes = 0; ///< 0: no cache
  std::uint64_t localBytes = 0;
  bool localIsDedicated = false; ///< CL_LOCAL
  std::uint64_t constantBytes = 0;
};

/// The middle of several runs.
struct ProbeSample {
  double value = 0;
  /// Half of the distance between the quartiles, as a share of the value.
  double spread = 0;
};

struct ProbeMeasurement {
  std::string test;                            ///< "chase"
  std::map<std::string, std::string> variant;  ///< memory: global
  std::map<std::string, std::int64_t> numbers; ///< bytes: 4096
  std::string unit;                            ///< "ns", "GB/s", "ms"
  ProbeSample sample;
};

/// One measurement of a series: the number that varies, and what came out.
struct ProbePoint {
  std::int64_t at = 0;
  double value = 0;
  double spread = 0;
};
using ProbeSeries = std::vector<ProbePoint>;

struct ProbeData {
  ProbedDevice device;
  std::vector<ProbeMeasurement> measurements;

  /// The measurements of `test` that have all of `variant` and `numbers`,
  /// sorted by the number `along`.
  ProbeSeries
  series(const std::string &test, const std::string &along,
         const std::map<std::string, std::string> &variant = {},
         const std::map<std::string, std::int64_t> &numbers = {}) const;
  /// The first measurement like that.
  std::optional<ProbeSample>
  sample(const std::string &test,
         const std::map<std::string, std::string> &variant = {},
         const std::map<std::string, std::int64_t> &numbers = {}) const;
  std::optional<double>
  value(const std::string &test,
        const std::map<std::string, std::string> &variant = {},
        const std::map<std::string, std::int64_t> &numbers = {}) const;

  Json toJson() const;
  /// Throws Error at what is no such document.
  static ProbeData fromJson(const JsonDocument &document);
};

/// The middle and the spread of `values`; there is one.
ProbeSample summarize(std::vector<double> values);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_PROBEDATA_H
