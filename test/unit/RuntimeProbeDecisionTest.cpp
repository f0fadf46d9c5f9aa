//===- RuntimeProbeDecisionTest.cpp - from measurements to a profile ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ProbeDecision.h"
#include "Runtime/ProbeReport.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace clopt::runtime;

namespace {

using Points = std::vector<std::pair<std::int64_t, double>>;

class RuntimeProbeDecisionTest : public testing::Test {
protected:
  /// What an H100 gives, as far as the tables of docs/devices.md know it.
  static ProbeData hopper() {
    ProbeData data;
    data.device.identity = {"NVIDIA Corporation", "NVIDIA H100 80GB HBM3",
                            false};
    data.device.platform = "NVIDIA CUDA";
    data.device.clockMHz = 1980;
    data.device.computeUnits = 132;
    data.device.maxGroupSize = 1024;
    data.device.lineBytes = 128;
    data.device.localBytes = 49152;
    data.device.localIsDedicated = true;
    data.device.constantBytes = 65536;
    series(data, "chase", "bytes", {{"memory", "global"}},
           {{4096, 20.3},
            {65536, 20.3},
            {262144, 26},
            {1 << 20, 140},
            {4 << 20, 153},
            {16 << 20, 155},
            {256 << 20, 400}});
    series(data, "chase", "bytes", {{"memory", "constant"}}, {{4096, 20.2}});
    series(data, "chase", "bytes", {{"memory", "local"}}, {{4096, 14.8}});
    series(data, "chase", "bytes", {{"memory", "image"}},
           {{4096, 25}, {4 << 20, 150}});
    series(data, "latency", "unused", {{"operation", "add"}}, {{0, 2.14}});
    series(data, "pair", "offset", {},
           {{4, 87}, {8, 87}, {16, 87}, {32, 150}, {64, 150}, {128, 153}});
    Points strides, apart, widths;
    for (std::int64_t at = 1; at <= 64; at *= 2) {
      strides.push_back({at, double(std::min<std::int64_t>(at, 32))});
      apart.push_back({at, std::max(1.0, 32.0 / double(at))});
    }
    series(data, "bank-stride", "words", {{"kind", "even"}}, strides);
    series(data, "bank-lanes", "apart", {}, apart);
    for (std::int64_t at = 1; at <= 256; at *= 2)
      widths.push_back({at, at < 32 ? 2.0 : 1.0});
    series(data, "divergence", "width", {}, widths);
    series(data, "items", "perUnit", {},
           {{128, 400}, {256, 800}, {512, 1500}, {1024, 2000}, {2048, 2050}});
    copies(data, 1, {{1, 816}, {4, 2427}, {16, 3020}});
    copies(data, 4, {{1, 2431}, {2, 2924}, {4, 3021}, {8, 2953}});
    add(data, "copy-shifted", {}, {{"elementBytes", 4}, {"width", 4}}, 1900);
    for (const auto &[name, value] :
         std::map<std::string, double>{{"mad", 33000},
                                       {"mad4", 33100},
                                       {"integer-mul", 16000},
                                       {"integer-mul24", 8000}})
      add(data, "throughput", {{"operation", name}}, {}, value);
    return data;
  }

  static void add(ProbeData &data, const std::string &test,
                  const std::map<std::string, std::string> &variant,
                  const std::map<std::string, std::int64_t> &numbers,
                  double value, double spread = 0.01) {
    data.measurements.push_back(
        {test, variant, numbers, "ns", {value, spread}});
  }

  static void series(ProbeData &data, const std::string &test,
                     const std::string &along,
                     const std::map<std::string, std::string> &variant,
                     const Points &points) {
    for (const auto &[at, value] : points)
      add(data, test, variant, {{along, at}}, value);
  }

  static void copies(ProbeData &data, std::int64_t bytes,
                     const Points &points) {
    for (const auto &[width, value] : points)
      add(data, "copy", {}, {{"elementBytes", bytes}, {"width", width}}, value);
  }

  /// The measurements without those of `test`.
  static ProbeData without(ProbeData data, const std::string &test) {
    auto &all = data.measurements;
    all.erase(std::remove_if(
                  all.begin(), all.end(),
                  [&](const ProbeMeasurement &m) { return m.test == test; }),
              all.end());
    return data;
  }
};

TEST_F(RuntimeProbeDecisionTest, F42AHopperIsRecognizedByItsNumbers) {
  const ProbeDecision decision = decideProfile(hopper());
  EXPECT_EQ(
      decision.profile.dump(),
      R"({"base":"nvidia-hopper",)"
      R"("name":"nvidia-h100-80gb-hbm3","description":)"
      R"("NVIDIA H100 80GB HBM3, as measured through NVIDIA CUDA",)"
      R"("segmentBytes":32,"lineBytes":128,"lanes":32,"divergenceCosts":true,)"
      R"("localMemoryIsReal":true,"bankBytes":4,"banks":32,"bankLaneGroup":32,)"
      R"("maxGroupSize":1024,"computeUnits":132,"localMemoryBytes":49152,)"
      R"("itemsPerComputeUnit":1024,"multiply24IsFast":false,)"
      R"("vectorizeComputation":false,"unalignedIsCheap":false,)"
      R"("preferredVectorBytes":16,"bandwidth":{"1":{"1":816.0,"4":2430.0,)"
      R"("16":3020.0},"4":{"1":2430.0,"2":2920.0,"4":3020.0,"8":2950.0}},)"
      R"("latency":{"global":303,"cached":40,"constant":40,"image":303,)"
      R"("local":29,"alu":4}})");
  EXPECT_TRUE(decision.warnings.empty());
}

TEST_F(RuntimeProbeDecisionTest, WhatIsNotMeasuredIsLeftOut) {
  ProbeData data;
  data.device.identity = {"Somebody", "Some device", false};
  const ProbeDecision decision = decideProfile(data);
  EXPECT_EQ(decision.profile["base"], "generic-gpu");
  EXPECT_TRUE(decision.keys.empty() ||
              decision.keys.front().key == "constantBytes");
  for (const char *test : {"pair", "divergence", "bank-stride", "copy"}) {
    const Json less = decideProfile(without(hopper(), test)).profile;
    EXPECT_EQ(less.contains("segmentBytes"), test != std::string("pair"));
    EXPECT_EQ(less.contains("lanes"), test != std::string("divergence"));
    EXPECT_EQ(less.contains("banks"), test != std::string("bank-stride"));
    EXPECT_EQ(less.contains("bandwidth"), test != std::string("copy"));
  }
  EXPECT_FALSE(
      decideProfile(without(hopper(), "chase")).profile.contains("latency"));
}

TEST_F(RuntimeProbeDecisionTest, BanksOfOtherShapes) {
  // 32 banks of 8 bytes: neighbours of 4 bytes share one.
  ProbeData wide = without(without(hopper(), "bank-stride"), "bank-lanes");
  for (std::int64_t at = 1; at <= 64; at *= 2)
    add(wide, "bank-stride", {{"kind", "even"}}, {{"words", at}},
        std::max(1.0, double(at) / 2));
  ProbeDecision decision = decideProfile(wide);
  EXPECT_EQ(decision.profile["bankBytes"], 8);
  EXPECT_EQ(decision.profile["banks"], 32);
  EXPECT_FALSE(decision.profile.contains("bankLaneGroup"));
  // Alike at all strides: no banks are seen.
  ProbeData none = without(hopper(), "bank-stride");
  for (std::int64_t at = 1; at <= 64; at *= 2)
    add(none, "bank-stride", {{"kind", "even"}}, {{"words", at}}, 1);
  EXPECT_FALSE(decideProfile(none).profile.contains("banks"));
}

TEST_F(RuntimeProbeDecisionTest, AProcessorHasNoLocalMemory) {
  ProbeData data = hopper();
  data.device.identity = {"Intel", "Xeon", true};
  data.device.localIsDedicated = false;
  const Json profile = decideProfile(data).profile;
  EXPECT_EQ(profile["base"], "cpu");
  EXPECT_EQ(profile["localMemoryIsReal"], false);
  for (const char *key : {"banks", "localMemoryBytes", "itemsPerComputeUnit",
                          "vectorizeComputation"})
    EXPECT_FALSE(profile.contains(key)) << key;
}

TEST_F(RuntimeProbeDecisionTest, RegistersNeedOneClearStep) {
  ProbeData data = hopper();
  data.device.identity = {"Intel", "Xeon", true};
  const auto decided = [&](const Points &points) {
    ProbeData with = data;
    series(with, "live", "values", {}, points);
    return decideProfile(with).profile.value("registersPerWorkItem", 0);
  };
  EXPECT_EQ(decided({{8, 10}, {16, 9}, {32, 10}, {64, 4}, {128, 3}}), 32);
  EXPECT_EQ(decided({{8, 5}, {16, 9}, {32, 10}, {64, 4}, {128, 3}}), 0);
  EXPECT_EQ(decided({{8, 10}, {16, 9}, {32, 4}, {64, 10}, {128, 3}}), 0);
  EXPECT_EQ(decided({{8, 10}, {16, 9}, {32, 10}, {64, 10}, {128, 9}}), 0);
}

TEST_F(RuntimeProbeDecisionTest, FewWorkItemsGoWhereTheyAreFaster) {
  const auto decided = [&](double items, double groups) {
    ProbeData data = hopper();
    add(data, "spread", {{"where", "items"}}, {}, items);
    add(data, "spread", {{"where", "groups"}}, {}, groups);
    return decideProfile(data).profile.value("spreadWorkItems", Json());
  };
  EXPECT_EQ(decided(1, 2), true);
  EXPECT_EQ(decided(2, 1), false);
  EXPECT_EQ(decided(1, 1.05), Json());
  EXPECT_EQ(decided(1, 1.13), Json()); // within the spreads
}

TEST_F(RuntimeProbeDecisionTest, ImagesCountWhenTheyAreClearlyFaster) {
  const auto decided = [&](double image) {
    ProbeData data = hopper();
    for (ProbeMeasurement &one : data.measurements)
      if (one.variant["memory"] == "image")
        one.sample.value = image;
    return decideProfile(data).profile["latency"]["image"].get<int>();
  };
  EXPECT_EQ(decided(152), 303);
  EXPECT_EQ(decided(100), 198);
  EXPECT_EQ(decided(200), 396);
}

TEST_F(RuntimeProbeDecisionTest, F42WhatNoDeviceDoesIsToldOf) {
  ProbeData data = hopper();
  add(data, "chase", {{"memory", "global"}}, {{"bytes", 512 << 20}}, 100);
  copies(data, 2, {{1, 1480}, {2, 900}});
  copies(data, 8, {{2, 3020}, {4, 1000}}); // 32 bytes are several accesses
  EXPECT_EQ(decideProfile(data).warnings,
            (std::vector<std::string>{
                "a chain in global memory is faster at 536870912 bytes (100 "
                "ns) than at 268435456 (400)",
                "a copy of 2-byte elements by 2 moves less (900 GB/s) than one "
                "by 1 (1.48e+03)"}));
  // What the runs themselves differ by is no contradiction.
  ProbeData restless = hopper();
  add(restless, "chase", {{"memory", "global"}}, {{"bytes", 512 << 20}}, 330,
      0.2);
  EXPECT_TRUE(decideProfile(restless).warnings.empty());
  for (ProbeMeasurement &one : restless.measurements)
    one.sample.spread = 0.5;
  ASSERT_EQ(decideProfile(restless).warnings.size(), 1u);
  EXPECT_NE(decideProfile(restless).warnings[0].find("the machine is busy"),
            std::string::npos);
}

TEST_F(RuntimeProbeDecisionTest, RawDataComeBackAsTheyWere) {
  const ProbeData data = hopper();
  const std::string text = data.toJson().dump();
  const ProbeData again = ProbeData::fromJson(JsonDocument("raw.json", text));
  EXPECT_EQ(again.toJson().dump(), text);
  EXPECT_EQ(decideProfile(again).profile, decideProfile(data).profile);
  try {
    ProbeData::fromJson(JsonDocument("raw.json", "{\"a\": 1}"));
    ADD_FAILURE();
  } catch (const Error &error) {
    EXPECT_EQ(error.str("t"),
              "raw.json:1:1: error: this is no raw data of 'clopt probe'");
  }
  Json broken = data.toJson();
  broken["measurements"][1].erase("median");
  try {
    ProbeData::fromJson(JsonDocument("raw.json", broken.dump()));
    ADD_FAILURE();
  } catch (const Error &error) {
    EXPECT_EQ(std::string(error.what()),
              "something is missing here, or is of the wrong kind");
  }
}

TEST_F(RuntimeProbeDecisionTest, TheMiddleAndTheSpread) {
  const ProbeSample sample = summarize({5, 1, 3, 2, 100});
  EXPECT_EQ(sample.value, 3);
  EXPECT_DOUBLE_EQ(sample.spread, 0.5);
  EXPECT_EQ(summarize({7}).value, 7);
  EXPECT_EQ(summarize({7}).spread, 0);
}

TEST_F(RuntimeProbeDecisionTest, TheReportHasOneTableForEachTest) {
  const ProbeData data = hopper();
  const std::string text = probeReport(data, decideProfile(data));
  EXPECT_NE(text.find("| `banks` | `32` | accesses 32 words apart wait for "
                      "each other longest |"),
            std::string::npos);
  EXPECT_NE(text.find("### pair\n\n| offset | ns | spread |\n|---|---|---|\n"
                      "| 4 | 87 | 1.0 % |\n"),
            std::string::npos);
  EXPECT_EQ(text.find("### chase"), text.rfind("### chase"));
  EXPECT_EQ(text.find("Warnings"), std::string::npos);
}

} // namespace
