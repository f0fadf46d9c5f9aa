//===- TuningDatabaseTest.cpp - the recipes that a tuner found ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/TuningDatabase.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

std::string entry(const std::string &kernel, int sizeClass, double ms) {
  return "{\"source\": \"abc\", \"flags\": [\"-DN=4\"], \"kernel\": \"" +
         kernel +
         "\", \"target\": \"cpu\", \"platform\": \"P\", \"device\": \"D\", "
         "\"driver\": \"1\", \"size_class\": " +
         std::to_string(sizeClass) +
         ", \"form\": \"drop-in\", \"recipe\": [\"unroll k:4\"], "
         "\"original_ms\": 8, \"ms\": " +
         std::to_string(ms) + "}";
}

std::string database(const std::string &entries) {
  return "{\"schema_version\": \"1.0.0\", \"entries\": [" + entries + "]}";
}

std::vector<TuningRecord> parsed(const std::string &text) {
  llvm::Expected<std::vector<TuningRecord>> records =
      parseTuningDatabase(text, "db.json");
  if (records)
    return *records;
  ADD_FAILURE() << llvm::toString(records.takeError());
  return {};
}

std::string errorOf(const std::string &text) {
  llvm::Expected<std::vector<TuningRecord>> records =
      parseTuningDatabase(text, "db.json");
  return records ? "" : llvm::toString(records.takeError());
}

TEST(TuningDatabaseTest, EntriesAreRead) {
  const std::vector<TuningRecord> records = parsed(database(entry("f", 3, 2)));
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].kernel, "f");
  EXPECT_EQ(records[0].steps, std::vector<std::string>{"unroll k:4"});
  EXPECT_EQ(records[0].sizeClass, 3);
  EXPECT_DOUBLE_EQ(records[0].originalMs, 8);
}

TEST(TuningDatabaseTest, WhatIsNoDatabaseIsSaid) {
  EXPECT_NE(errorOf("{").find("'db.json' is no tuning database"),
            std::string::npos);
  EXPECT_NE(errorOf("[]").find("'schema_version' is not 1.x"),
            std::string::npos);
  EXPECT_NE(errorOf("{\"schema_version\": \"2.0.0\", \"entries\": []}")
                .find("'schema_version' is not 1.x"),
            std::string::npos);
  EXPECT_NE(errorOf(database("{\"source\": 3}")).find("source"),
            std::string::npos);
}

TEST(TuningDatabaseTest, SourceFlagsAndTargetHaveToBeTheSame) {
  const std::vector<TuningRecord> all = parsed(database(entry("f", 3, 2)));
  const std::vector<std::string> flags{"-DN=4"};
  EXPECT_EQ(selectRecords(all, "abc", flags, "cpu", "drop-in").size(), 1u);
  EXPECT_TRUE(selectRecords(all, "abd", flags, "cpu", "drop-in").empty());
  EXPECT_TRUE(selectRecords(all, "abc", {}, "cpu", "drop-in").empty());
  EXPECT_TRUE(selectRecords(all, "abc", flags, "cpu", "plan").empty());
  EXPECT_TRUE(
      selectRecords(all, "abc", flags, "generic-gpu", "drop-in").empty());
}

TEST(TuningDatabaseTest, TheLargestLaunchThenTheLargestGainCounts) {
  const std::vector<TuningRecord> all =
      parsed(database(entry("f", 3, 1) + "," + entry("f", 9, 4) + "," +
                      entry("f", 9, 2) + "," + entry("g", 1, 5)));
  const std::vector<TuningRecord> best =
      selectRecords(all, "abc", {"-DN=4"}, "cpu", "drop-in");
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0].kernel, "f");
  EXPECT_EQ(best[0].sizeClass, 9);
  EXPECT_DOUBLE_EQ(best[0].ms, 2);
  EXPECT_EQ(best[1].kernel, "g");
}

} // namespace
