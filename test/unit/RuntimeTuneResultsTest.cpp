//===- RuntimeTuneResultsTest.cpp - what came of each recipe --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/tune/TuneResults.h"

#include <gtest/gtest.h>

using namespace clopt::runtime;

namespace {

TuneRecord example() {
  TuneRecord record;
  TuneSubject &subject = record.subject;
  subject.source = "abc";
  subject.flags = {"-DN=4"};
  subject.kernel = "mm";
  subject.target = "cpu";
  subject.platform = "P";
  subject.device = "D";
  subject.driver = "3.1";
  subject.sizes = {{"n", 64}, {"m", 3}};
  subject.workItems = 4097;
  TuneResult good;
  good.steps = {"privatize C", "unroll k:4"};
  good.originalMs = 8;
  good.ms = 2;
  good.runs = {2, 3, 1};
  good.makeSeconds = 0.5;
  good.runSeconds = 1.5;
  good.timestamp = "2026-01-01T00:00:00Z";
  TuneResult wrong = good;
  wrong.steps = {"unroll k:8"};
  wrong.invalidity = Invalidity::Correctness;
  wrong.message = "3 of 4 differ";
  TuneResult grouped = good;
  grouped.group = {64, 4};
  grouped.variant = "own NDRange";
  record.results = {good, wrong, grouped};
  return record;
}

std::string errorOf(const Json &json) {
  try {
    fromT4(JsonDocument("results.json", json.dump(2)));
  } catch (const Error &error) {
    return error.str("clopt-rt");
  }
  return "";
}

TEST(RuntimeTuneResultsTest, T4HasConfigurationTimesAndInvalidity) {
  const Json json = toT4(example());
  EXPECT_EQ(json.at("schema_version"), "1.0.0");
  const Json &good = json.at("results").at(0);
  EXPECT_EQ(good.at("configuration").at("recipe"), "privatize C; unroll k:4");
  EXPECT_EQ(good.at("invalidity"), "correct");
  EXPECT_EQ(good.at("correctness"), 1);
  EXPECT_EQ(good.at("objectives"), Json::array({"time"}));
  EXPECT_EQ(good.at("measurements").at(0),
            (Json{{"name", "time"}, {"value", 2.0}, {"unit", "ms"}}));
  EXPECT_EQ(good.at("times").at("runtimes"), (std::vector<double>{2, 3, 1}));
  const Json &wrong = json.at("results").at(1);
  EXPECT_EQ(wrong.at("invalidity"), "correctness");
  EXPECT_EQ(wrong.at("correctness"), 0);
  EXPECT_TRUE(wrong.at("measurements").empty());
}

TEST(RuntimeTuneResultsTest, T4ThereAndBack) {
  const TuneRecord before = example();
  const TuneRecord after =
      fromT4(JsonDocument("results.json", toT4(before).dump()));
  EXPECT_TRUE(before.subject == after.subject);
  EXPECT_EQ(toT4(before), toT4(after));
  EXPECT_EQ(after.results.at(1).invalidity, Invalidity::Correctness);
  EXPECT_EQ(after.results.at(1).message, "3 of 4 differ");
  EXPECT_EQ(after.results.at(2).variant, "own NDRange");
  EXPECT_EQ(after.results.at(2).name(), "privatize C; unroll k:4; group 64x4");
}

TEST(RuntimeTuneResultsTest, EitherNameOfTheCompilationTimeIsRead) {
  for (const char *name : {"compilation", "compilation_time"}) {
    Json json = toT4(example());
    json["results"][0]["times"].erase(name);
    const TuneRecord record = fromT4(JsonDocument("r.json", json.dump()));
    EXPECT_DOUBLE_EQ(record.results.at(0).makeSeconds, 0.5) << name;
  }
}

TEST(RuntimeTuneResultsTest, MistakesAreToldWithTheirPlaces) {
  Json json = toT4(example());
  json["metadata"].erase("kernel");
  EXPECT_EQ(errorOf(json), "results.json:3:15: error: 'kernel' is missing");
  json = toT4(example());
  json["results"][0]["times"]["runtimes"] = "fast";
  EXPECT_NE(errorOf(json).find("expected a list of numbers"),
            std::string::npos);
  EXPECT_NE(errorOf(Json::array()).find("is missing"), std::string::npos);
}

TEST(RuntimeTuneResultsTest, LaunchesOfAboutTheSameSizeAreOneClass) {
  TuneSubject subject;
  for (const auto &[items, expected] :
       {std::pair(0, 0), std::pair(1, 0), std::pair(2, 1), std::pair(1023, 9),
        std::pair(1024, 10), std::pair(2047, 10)}) {
    subject.workItems = items;
    EXPECT_EQ(subject.sizeClass(), expected) << items;
  }
}

TEST(RuntimeTuneResultsTest, CachesOfKernelTuner) {
  const Json json = toKernelTunerCache(example());
  EXPECT_EQ(json.at("device_name"), "D");
  EXPECT_EQ(json.at("kernel_name"), "mm");
  EXPECT_EQ(json.at("problem_size"), "64, 3");
  EXPECT_EQ(json.at("tune_params_keys"), Json::array({"recipe"}));
  const Json &good = json.at("cache").at("privatize C; unroll k:4");
  EXPECT_EQ(good.at("time"), 2.0);
  EXPECT_EQ(good.at("compile_time"), 500.0);
  EXPECT_EQ(json.at("cache").at("unroll k:8").at("time"),
            "RuntimeFailedConfig");
}

TEST(RuntimeTuneResultsTest, CachesAreReadFastestFirst) {
  TuneRecord record = example();
  TuneResult faster = record.results.at(0);
  faster.steps = {"coarsen i:4"};
  faster.ms = 1;
  record.results.push_back(faster);
  const std::string text = toKernelTunerCache(record).dump();
  const std::vector<Steps> all = fromKernelTunerCache("c.json", text);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0], Steps{"coarsen i:4"});
  EXPECT_EQ(all[1], (Steps{"privatize C", "unroll k:4"}));
}

TEST(RuntimeTuneResultsTest, CachesOfARunningTunerAreRead) {
  const std::string open =
      "{\"tune_params_keys\": [\"recipe\"],\n\"cache\": {\n"
      "\"unroll k:4\": {\"time\": 2.5},\n";
  EXPECT_EQ(fromKernelTunerCache("c.json", open).size(), 1u);
}

TEST(RuntimeTuneResultsTest, CachesWithOtherParametersAreErrors) {
  try {
    fromKernelTunerCache("c.json", "{\"tune_params_keys\": [\"block_size_x\"], "
                                   "\"cache\": {}}");
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.str("clopt-rt"),
              "c.json:1:22: error: the only parameter has to be 'recipe'");
  }
}

} // namespace
