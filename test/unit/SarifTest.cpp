//===- SarifTest.cpp - tests of results for code scanning -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/Sarif.h"

#include "Report/RepositoryPaths.h"
#include "ReportSamples.h"
#include "Support/Refusals.h"

#include <gtest/gtest.h>
#include <llvm/Support/JSON.h>

#include <filesystem>
#include <fstream>

using namespace clopt;
using llvm::json::Object;

namespace {

struct Log {
  explicit Log(const RunReport &run, bool hasBaseline = false)
      : document(llvm::cantFail(llvm::json::parse(
            printSarif(run, collectFindings(run), hasBaseline)))) {}

  const Object &run() const {
    return *(*document.getAsObject()->getArray("runs"))[0].getAsObject();
  }
  const llvm::json::Array &results() const {
    return *run().getArray("results");
  }
  const Object &result(size_t i) const { return *results()[i].getAsObject(); }
  const Object &region(size_t i) const {
    return *(*result(i).getArray("locations"))[0]
                .getAsObject()
                ->getObject("physicalLocation")
                ->getObject("region");
  }

  llvm::json::Value document;
};

/// No member may be an empty string.
void expectNoEmptyStrings(const llvm::json::Value &value) {
  EXPECT_NE(value.getAsString(), llvm::StringRef(""));
  if (const llvm::json::Array *array = value.getAsArray())
    for (const llvm::json::Value &element : *array)
      expectNoEmptyStrings(element);
  if (const Object *object = value.getAsObject())
    for (const auto &member : *object)
      expectNoEmptyStrings(member.second);
}

} // namespace

TEST(Sarif, findingsAreWarningsMissedRemarksAreNotes) {
  Log log(samples::run());
  ASSERT_EQ(log.results().size(), 2u);
  EXPECT_EQ(log.result(0).getString("ruleId"), "clopt-unvectorized-stride");
  EXPECT_EQ(log.result(0).getString("level"), "warning");
  EXPECT_EQ(log.result(1).getString("ruleId"), "clopt-may-alias");
  EXPECT_EQ(log.result(1).getString("level"), "note");
  EXPECT_EQ(log.result(1).getObject("message")->getString("text"),
            "'a' may overlap 'b'; add 'restrict' to 'a'");
}

TEST(Sarif, regionEndsOnePastTheLastColumn) {
  Log log(samples::run());
  EXPECT_EQ(log.region(0).getInteger("startLine"), 3);
  EXPECT_EQ(log.region(0).getInteger("startColumn"), 3);
  EXPECT_EQ(log.region(0).getInteger("endLine"), 3);
  EXPECT_EQ(log.region(0).getInteger("endColumn"), 11);
}

TEST(Sarif, aPlaceWithoutEndHasOneCharacter) {
  RunReport run = samples::run();
  SourceRange &at = run.files[0].result.kernels[0].accesses[0].location;
  at.endLine = at.endColumn = 0;
  Log log(run);
  EXPECT_EQ(log.region(0).getInteger("endLine"), 3);
  EXPECT_EQ(log.region(0).getInteger("endColumn"), 4);
}

TEST(Sarif, columnsCountUnitsOfUtf16) {
  RunReport run = samples::run();
  // Two bytes and one unit, then four bytes and two units.
  run.files[0].source = "\n\n\xc3\xa9\xf0\x9f\x98\x80 a[2 * i] = 0;\n";
  run.files[0].result.kernels[0].accesses[0].location = samples::range(3, 8, 8);
  Log log(run);
  EXPECT_EQ(log.region(0).getInteger("startColumn"), 5);
  EXPECT_EQ(log.region(0).getInteger("endColumn"), 13);
}

TEST(Sarif, rulesAreComplete) {
  Log log(samples::run());
  const Object &driver = *log.run().getObject("tool")->getObject("driver");
  EXPECT_EQ(driver.getString("name"), "clopt");
  const llvm::json::Array &rules = *driver.getArray("rules");
  ASSERT_EQ(rules.size(), allRules().size());
  for (const llvm::json::Value &value : rules) {
    const Object &rule = *value.getAsObject();
    for (const char *key : {"shortDescription", "fullDescription", "help"})
      EXPECT_TRUE(rule.getObject(key)->getString("text")) << key;
  }
  int64_t index = *log.result(1).getInteger("ruleIndex");
  EXPECT_EQ(rules[index].getAsObject()->getString("id"), "clopt-may-alias");
}

TEST(Sarif, fingerprintsUnderAKeyOfOurOwn) {
  Log log(samples::run());
  const Object &prints = *log.result(0).getObject("partialFingerprints");
  EXPECT_EQ(prints.getString("clopt/access/v1"),
            fingerprint(samples::stridedAccess()));
  EXPECT_EQ(prints.size(), 1u) << "primaryLocationLineHash is the service's";
}

TEST(Sarif, suppressionsAndBaseline) {
  RunReport run = samples::run();
  run.files[0].result.kernels[0].accesses[0].suppressed = true;
  Log log(run, /*hasBaseline=*/true);
  const llvm::json::Array *suppressions =
      log.result(0).getArray("suppressions");
  ASSERT_NE(suppressions, nullptr);
  EXPECT_EQ((*suppressions)[0].getAsObject()->getString("kind"), "inSource");
  EXPECT_EQ(log.result(0).getString("baselineState"), "new");
  EXPECT_EQ(log.result(1).getArray("suppressions"), nullptr);
}

TEST(Sarif, aRemarkThatRepeatsAFindingIsLeftOut) {
  RunReport run = samples::run();
  Remark &missed = run.files[0].result.remarks[1];
  missed.ruleId = "clopt-unvectorized-stride";
  missed.location = samples::stridedAccess().location;
  EXPECT_EQ(Log(run).results().size(), 1u);
}

TEST(Sarif, noEmptyStrings) {
  RunReport run = samples::run();
  run.files[0].result.remarks[1].message.clear();
  run.files[0].result.kernels[0].accesses[0].reason.clear();
  run.files[0].result.kernels[0].accesses[0].kernel.clear();
  expectNoEmptyStrings(Log(run).document);
}

TEST(RepositoryPaths, encoding) {
  EXPECT_EQ(encodeUriPath("a b/c%d#.cl"), "a%20b/c%25d%23.cl");
  EXPECT_EQ(encodeUriPath("\xc3\xa9"), "%C3%A9");
}

TEST(RepositoryPaths, relativeToTheRepository) {
  namespace fs = std::filesystem;
  std::string folder =
      (fs::temp_directory_path() / "clopt-repo-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  fs::create_directories(folder + "/.git");
  fs::create_directories(folder + "/src");
  std::ofstream(folder + "/src/a.cl") << "";
  fs::create_symlink("src/a.cl", folder + "/link.cl");
  EXPECT_EQ(repositoryUri(folder + "/src/../src/a.cl").uri, "src/a.cl");
  EXPECT_EQ(repositoryUri(folder + "/link.cl").uri, "src/a.cl");
  EXPECT_EQ(repositoryUri(folder + "/src/a.cl").workingFolder, "");
  fs::remove_all(folder);
}
