//===- JsonReportTest.cpp - tests of clopt's own report -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/JsonReport.h"

#include "Report/JsonText.h"
#include "ReportSamples.h"

#include <gtest/gtest.h>
#include <llvm/Support/JSON.h>

using namespace clopt;

namespace {

llvm::json::Value reportOf(const RunReport &run) {
  return llvm::cantFail(
      llvm::json::parse(printJsonReport(run, collectFindings(run))));
}

/// The value at a path of keys and indices, "inputs.0.path".
const llvm::json::Value *find(const llvm::json::Value &root,
                              llvm::StringRef path) {
  const llvm::json::Value *value = &root;
  llvm::SmallVector<llvm::StringRef, 8> keys;
  path.split(keys, '.');
  for (llvm::StringRef key : keys) {
    size_t index = 0;
    if (!key.getAsInteger(10, index))
      value = &(*value->getAsArray())[index];
    else
      value = value->getAsObject()->get(key);
    if (!value)
      return nullptr;
  }
  return value;
}

std::string textAt(const llvm::json::Value &root, llvm::StringRef path) {
  const llvm::json::Value *value = find(root, path);
  return value && value->getAsString() ? value->getAsString()->str() : "?";
}

int64_t numberAt(const llvm::json::Value &root, llvm::StringRef path) {
  const llvm::json::Value *value = find(root, path);
  return value && value->getAsInteger() ? *value->getAsInteger() : -1;
}

} // namespace

TEST(JsonReport, namesItsInputsAndItself) {
  llvm::json::Value report = reportOf(samples::run());
  EXPECT_EQ(textAt(report, "schema"), "report.schema.json");
  EXPECT_EQ(textAt(report, "schema_version"), reportSchemaVersion);
  EXPECT_EQ(textAt(report, "mode"), "optimize");
  EXPECT_EQ(textAt(report, "inputs.0.path"), "dir/copy.cl");
  EXPECT_EQ(textAt(report, "inputs.0.sha256").size(), 64u);
  EXPECT_EQ(textAt(report, "inputs.0.sha256"),
            textAt(report, "inputs.0.output.sha256"));
  EXPECT_EQ(textAt(report, "inputs.0.output.path"), "out.cl");
  EXPECT_EQ(find(report, "inputs.0.output.changed")->getAsBoolean(), false);
  EXPECT_EQ(textAt(report, "inputs.0.dependencies.1"), "dir/size.h");
}

TEST(JsonReport, accesses) {
  llvm::json::Value report = reportOf(samples::run());
  std::string access = "inputs.0.kernels.0.accesses.0.";
  EXPECT_EQ(textAt(report, access + "array"), "a");
  EXPECT_EQ(textAt(report, access + "kind"), "write");
  EXPECT_EQ(textAt(report, access + "pattern"), "stride 2");
  EXPECT_EQ(numberAt(report, access + "transactions"), 8);
  EXPECT_EQ(numberAt(report, access + "ideal_transactions"), 4);
  EXPECT_EQ(numberAt(report, access + "location.line"), 3);
  EXPECT_EQ(numberAt(report, access + "location.end_column"), 11);
  EXPECT_EQ(textAt(report, access + "finding.rule"),
            "clopt-unvectorized-stride");
  EXPECT_EQ(find(report, "inputs.0.kernels.0.accesses.1.finding"), nullptr);
}

TEST(JsonReport, arrays) {
  RunReport run = samples::run();
  EXPECT_EQ(find(reportOf(run), "inputs.0.kernels.0.arrays"), nullptr);
  ArrayReport array;
  array.array = "a";
  array.chosen = "constant";
  array.dropIn = "global";
  array.clocks = 90;
  array.chosenClocks = 40;
  array.memories = {{"constant", true, true, 36, 40, ""},
                    {"global", true, false, 0, 90, "would take longer"}};
  run.files[0].result.kernels[0].arrays.push_back(array);
  llvm::json::Value report = reportOf(run);
  std::string path = "inputs.0.kernels.0.arrays.0.";
  EXPECT_EQ(textAt(report, path + "memory"), "constant");
  EXPECT_EQ(textAt(report, path + "drop_in_memory"), "global");
  EXPECT_EQ(numberAt(report, path + "chosen_clocks"), 40);
  EXPECT_EQ(numberAt(report, path + "memories.0.bytes"), 36);
  EXPECT_EQ(find(report, path + "memories.0.reason"), nullptr);
  EXPECT_EQ(textAt(report, path + "memories.1.reason"), "would take longer");
}

TEST(JsonReport, remarks) {
  llvm::json::Value report = reportOf(samples::run());
  EXPECT_EQ(textAt(report, "inputs.0.remarks.1.kind"), "missed");
  EXPECT_EQ(textAt(report, "inputs.0.remarks.1.name"), "MayAlias");
  EXPECT_EQ(textAt(report, "inputs.0.remarks.1.pass"), "clopt-vectorize");
  EXPECT_EQ(textAt(report, "inputs.0.remarks.1.hint"), "add 'restrict' to 'a'");
  EXPECT_EQ(textAt(report, "inputs.0.remarks.1.args.Second"), "b");
  EXPECT_EQ(find(report, "inputs.0.remarks.2.hint"), nullptr);
}

TEST(JsonReport, summary) {
  RunReport run = samples::run();
  run.options.localSize = {16, 8, 1};
  llvm::json::Value report = reportOf(run);
  EXPECT_EQ(numberAt(report, "summary.kernels"), 1);
  EXPECT_EQ(numberAt(report, "summary.changed_kernels"), 0);
  EXPECT_EQ(numberAt(report, "summary.accesses"), 2);
  EXPECT_EQ(numberAt(report, "summary.findings"), 1);
  EXPECT_EQ(numberAt(report, "summary.suppressed_findings"), 0);
  EXPECT_EQ(numberAt(report, "options.local_size.1"), 8);
}

TEST(JsonReport, isTheSameEveryTime) {
  RunReport run = samples::run();
  EXPECT_EQ(printJsonReport(run, collectFindings(run)),
            printJsonReport(run, collectFindings(run)));
}

TEST(JsonReport, anyBytesAreWritten) {
  RunReport run = samples::run();
  run.files[0].path = "caf\xe9.cl";
  EXPECT_EQ(textAt(reportOf(run), "inputs.0.path"), "caf\xef\xbf\xbd.cl");
  EXPECT_EQ(jsonText("\xc3\xa9").getAsString()->str(), "\xc3\xa9");
}
