//===- MeasurementsTest.cpp - tests of what clopt bench measured ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/Measurements.h"

#include <gtest/gtest.h>

using namespace clopt;

static const char *const benchText = R"json({
  "platform": "P", "device": "D", "copyGBs": 12.5,
  "results": [{"kernel": "f", "sizes": {"n": 4, "m": 2},
    "ndRange": "global 4, local NULL", "variant": "same launch",
    "footprintBytes": 1000, "rooflineMs": 0.5,
    "original": {"kernelMs": 4, "conversionMs": 0, "transferMs": 1,
                 "totalMs": 5, "ofRoofline": 0.1},
    "optimized": {"kernelMs": 1, "conversionMs": 0.5, "transferMs": 1,
                  "totalMs": 2.5, "ofRoofline": 0.3}}]})json";

static std::string problemOf(const std::string &text) {
  llvm::Expected<Measurements> parsed = parseMeasurements(text, "b.json");
  return parsed ? "" : llvm::toString(parsed.takeError());
}

TEST(Measurements, areRead) {
  Measurements read = llvm::cantFail(parseMeasurements(benchText, "b.json"));
  EXPECT_EQ(read.device, "D");
  EXPECT_EQ(read.copyGigabytes, 12.5);
  ASSERT_EQ(read.launches.size(), 1u);
  EXPECT_EQ(read.launches[0].sizes, "m=2 n=4");
  EXPECT_EQ(read.launches[0].original.device(), 4);
  EXPECT_EQ(read.launches[0].optimized.device(), 1.5);
  EXPECT_EQ(read.launches[0].bytes, 1000);
}

TEST(Measurements, whatIsNoneIsAnError) {
  EXPECT_NE(problemOf("{").find("'b.json' has no measurements"),
            std::string::npos);
  EXPECT_NE(problemOf("[]").find("expected object"), std::string::npos);
  EXPECT_NE(problemOf("{\"platform\": \"P\"}").find("missing value"),
            std::string::npos);
  std::string wrong = benchText;
  wrong.replace(wrong.find("1000"), 4, "null");
  EXPECT_NE(problemOf(wrong).find("footprintBytes"), std::string::npos);
}
