//===- RuntimeVariantRunnerTest.cpp - texts compared and timed ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/tune/VariantMaker.h"
#include "Runtime/tune/VariantRunner.h"

#include <gtest/gtest.h>

using namespace clopt::runtime;

namespace {

Json entry(int n, const std::string &status) {
  return {{"kernel", "f"},
          {"sizes", {{"n", n}}},
          {"launches", Json::array({{{"ndRange", "global 4, local NULL"},
                                     {"status", status}}})},
          {"originalMs", 8.0},
          {"optimizedMs", 2.0},
          {"runsMs", {2.0, 3.0}},
          {"newBodyTimed", true}};
}

TuneResult readBack(const std::vector<Json> &entries) {
  TuneResult result;
  result.steps = {"unroll k:4"};
  Json report;
  report["results"] = entries;
  readVerifyReport(report, "f", {{"n", 64}}, result);
  return result;
}

TEST(RuntimeVariantRunnerTest, TimesAreThoseOfThePoint) {
  Json other = entry(7, "equal");
  other["optimizedMs"] = 1.0;
  const TuneResult result = readBack({other, entry(64, "within tolerance")});
  EXPECT_TRUE(result.isCorrect()) << result.message;
  EXPECT_DOUBLE_EQ(result.ms, 2);
  EXPECT_DOUBLE_EQ(result.originalMs, 8);
  EXPECT_EQ(result.runs, (std::vector<double>{2, 3}));
}

TEST(RuntimeVariantRunnerTest, AFaultAnywhereCounts) {
  EXPECT_EQ(readBack({entry(7, "differs"), entry(64, "equal")}).invalidity,
            Invalidity::Correctness);
  EXPECT_EQ(readBack({entry(64, "guard band overwritten")}).invalidity,
            Invalidity::Correctness);
  EXPECT_EQ(readBack({entry(64, "failed")}).invalidity, Invalidity::Runtime);
  EXPECT_EQ(readBack({entry(64, "differs")}).message,
            "global 4, local NULL: differs");
}

TEST(RuntimeVariantRunnerTest, TimesOfTheOriginalBodySayNothing) {
  Json original = entry(64, "equal");
  original["newBodyTimed"] = false;
  EXPECT_EQ(readBack({original}).invalidity, Invalidity::Constraints);
}

TEST(RuntimeVariantRunnerTest, WithoutTimesThereIsNoResult) {
  Json none = entry(64, "skipped");
  none.erase("originalMs");
  EXPECT_EQ(readBack({none}).invalidity, Invalidity::Runtime);
  EXPECT_EQ(readBack({entry(7, "equal")}).invalidity, Invalidity::Runtime);
  EXPECT_EQ(readBack({}).invalidity, Invalidity::Runtime);
}

TEST(RuntimeVariantRunnerTest, TheFirstErrorIsTold) {
  ProcessResult process;
  process.exitCode = 1;
  process.output = "[1/2] building\nclopt-rt: error: clBuildProgram failed\n"
                   "a.cl:1:1: error: more\n";
  EXPECT_EQ(complaintOf(process), "clBuildProgram failed");
  process.output = "nothing of use\n";
  EXPECT_EQ(complaintOf(process), "exit code 1");
}

} // namespace
