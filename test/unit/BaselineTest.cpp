//===- BaselineTest.cpp - tests of baselines ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/Baseline.h"
#include "ReportSamples.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

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
  return printBaseline("base.json", collectFindings(run));
}

unsigned newFindings(const RunReport &run, const std::string &baseline) {
  llvm::Expected<Baseline> parsed = parseBaseline(baseline, "base.json");
  EXPECT_TRUE(bool(parsed)) << baseline;
  std::vector<Finding> findings = collectFindings(run);
  applyBaseline(*parsed, findings);
  return countFindings(run, findings).found;
}

bool anyRule(const std::string &) { return true; }

/// What is gone when the files of `run` were checked against a baseline.
unsigned goneIn(const RunReport &run, const std::string &baseline,
                llvm::function_ref<bool(const std::string &)> isWanted) {
  Baseline parsed = llvm::cantFail(parseBaseline(baseline, "base.json"));
  std::vector<Finding> findings = collectFindings(run);
  applyBaseline(parsed, findings);
  for (const ProcessedFile &file : run.files)
    coverBaseline(parsed, file, isWanted);
  return countGone(parsed);
}

/// A folder with the file of samples::run(), as the working folder.
class BaselineFiles : public testing::Test {
protected:
  void SetUp() override {
    before = std::filesystem::current_path();
    folder = testing::TempDir() + "clopt-baseline-" + std::to_string(getpid());
    std::filesystem::create_directories(folder / "dir");
    std::filesystem::current_path(folder);
    std::ofstream("dir/copy.cl") << samples::source;
  }
  void TearDown() override {
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
  }
  std::filesystem::path before, folder;
};

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
                "      \"file\": \"dir/copy.cl\",\n"
                "      \"kernel\": \"copy\",\n"
                "      \"access\": \"a[2 * i]\",\n"
                "      \"rule\": \"clopt-unvectorized-stride\"\n"
                "    }\n"
                "  ]\n"
                "}\n");
}

TEST_F(BaselineFiles, aCheckOfAnotherFileLeavesThemAlone) {
  const std::string baseline = baselineOf(repeated(2));
  RunReport other = repeated(0);
  EXPECT_EQ(goneIn(other, baseline, anyRule), 2u);
  EXPECT_EQ(goneIn(repeated(1), baseline, anyRule), 1u);
  other.files[0].path = "dir/other.cl";
  EXPECT_EQ(goneIn(other, baseline, anyRule), 0u);
  // However the file is written.
  other.files[0].path = (folder / "dir/../dir/copy.cl").string();
  EXPECT_EQ(goneIn(other, baseline, anyRule), 2u);
  // A file that is no more has no findings.
  other.files[0].path = "dir/other.cl";
  std::filesystem::remove("dir/copy.cl");
  EXPECT_EQ(goneIn(other, baseline, anyRule), 2u);
}

TEST_F(BaselineFiles, soDoesACheckForOtherRules) {
  EXPECT_EQ(goneIn(repeated(0), baselineOf(repeated(2)),
                   [](const std::string &id) { return id == "clopt-race"; }),
            0u);
}

TEST_F(BaselineFiles, soDoesAKernelThatWasNotAnalysed) {
  RunReport run = repeated(0);
  run.files[0].result.remarks = {samples::unanalyzed()};
  EXPECT_EQ(goneIn(run, baselineOf(repeated(2)), anyRule), 0u);
}

TEST_F(BaselineFiles, withoutTheirNamesKernelsCount) {
  std::string baseline = baselineOf(repeated(2));
  const std::string name = "      \"file\": \"dir/copy.cl\",\n";
  baseline.erase(baseline.find(name), name.size());
  RunReport other = repeated(0);
  EXPECT_EQ(goneIn(other, baseline, anyRule), 2u);
  other.files[0].result.kernels[0].name = "another";
  EXPECT_EQ(goneIn(other, baseline, anyRule), 0u);
}

TEST_F(BaselineFiles, whatWasNotLookedForIsWrittenAgain) {
  const std::string text = baselineOf(repeated(2));
  Baseline before = llvm::cantFail(parseBaseline(text, "base.json"));
  EXPECT_EQ(printBaseline("base.json", {}, &before), text);
  RunReport run = repeated(1);
  coverBaseline(before, run.files[0], anyRule);
  EXPECT_EQ(printBaseline("base.json", collectFindings(run), &before),
            baselineOf(run));
}

TEST_F(BaselineFiles, namesBeginAtTheBaseline) {
  const RunReport run = repeated(1);
  EXPECT_NE(printBaseline("dir/base.json", collectFindings(run))
                .find("\"file\": \"copy.cl\""),
            std::string::npos);
  EXPECT_NE(printBaseline((folder / "base.json").string(), collectFindings(run))
                .find("\"file\": \"dir/copy.cl\""),
            std::string::npos);
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
