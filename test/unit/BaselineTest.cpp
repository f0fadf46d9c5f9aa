//===- BaselineTest.cpp - tests of baselines ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/Baseline.h"
#include "ReportSamples.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

/// A run with this many findings of the same kind, on lines of their own.
RunReport repeated(unsigned count) {
  RunReport run = samples::run();
  auto &accesses = run.files[0].result.kernels[0].accesses;
  accesses.assign(count, samples::stridedAccess());
  for (unsigned i = 0; i < count; ++i)
    accesses[i].location.line += i;
  return run;
}

std::string baselineOf(const RunReport &run) {
  return printBaseline(collectFindings(run));
}

unsigned newFindings(const RunReport &run, const std::string &baseline) {
  llvm::Expected<Baseline> parsed = parseBaseline(baseline, "base.json");
  EXPECT_TRUE(bool(parsed)) << baseline;
  std::vector<Finding> findings = collectFindings(run);
  applyBaseline(*parsed, findings);
  return countFindings(run, findings).found;
}

std::string errorOf(const std::string &text) {
  return llvm::toString(parseBaseline(text, "base.json").takeError());
}

} // namespace

TEST(Baseline, allowsWhatItWasMadeOf) {
  RunReport run = repeated(2);
  EXPECT_EQ(newFindings(run, baselineOf(run)), 0u);
}

TEST(Baseline, countsPerFingerprint) {
  EXPECT_EQ(newFindings(repeated(3), baselineOf(repeated(2))), 1u);
  EXPECT_EQ(newFindings(repeated(1), baselineOf(repeated(2))), 0u);
}

TEST(Baseline, movedLinesAreTheSame) {
  RunReport moved = repeated(1);
  moved.files[0].result.kernels[0].accesses[0].location.line = 77;
  EXPECT_EQ(newFindings(moved, baselineOf(repeated(1))), 0u);
}

TEST(Baseline, anotherArrayIsNew) {
  RunReport changed = repeated(1);
  changed.files[0].result.kernels[0].accesses[0].array = "c";
  EXPECT_EQ(newFindings(changed, baselineOf(repeated(1))), 1u);
}

TEST(Baseline, suppressedFindingsAreLeftOut) {
  RunReport run = repeated(1);
  run.files[0].result.kernels[0].accesses[0].suppressed = true;
  std::string baseline = baselineOf(run);
  EXPECT_EQ(baseline.find("fingerprint"), std::string::npos);
  EXPECT_EQ(newFindings(repeated(1), baseline), 1u);
}

TEST(Baseline, text) {
  EXPECT_EQ(baselineOf(repeated(2)),
            "{\n"
            "  \"kind\": \"clopt-baseline\",\n"
            "  \"version\": 1,\n"
            "  \"findings\": [\n"
            "    {\n"
            "      \"fingerprint\": \"" +
                fingerprint(samples::stridedAccess()) +
                "\",\n"
                "      \"count\": 2,\n"
                "      \"kernel\": \"copy\",\n"
                "      \"access\": \"a[2 * i]\",\n"
                "      \"rule\": \"clopt-unvectorized-stride\"\n"
                "    }\n"
                "  ]\n"
                "}\n");
}

TEST(Baseline, malformed) {
  EXPECT_EQ(errorOf("{").rfind("base.json: not a baseline: ", 0), 0u);
  EXPECT_NE(errorOf("[]").find("\"kind\""), std::string::npos);
  EXPECT_NE(errorOf(R"({"kind": "clopt-baseline", "version": 2})")
                .find("\"version\" is not 1"),
            std::string::npos);
  EXPECT_NE(errorOf(R"({"kind": "clopt-baseline", "version": 1})")
                .find("\"findings\" is missing"),
            std::string::npos);
  EXPECT_NE(errorOf(R"({"kind": "clopt-baseline", "version": 1,
                        "findings": [{"fingerprint": "x", "count": 0}]})")
                .find("\"count\""),
            std::string::npos);
}
