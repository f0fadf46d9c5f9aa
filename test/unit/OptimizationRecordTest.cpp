//===- OptimizationRecordTest.cpp - tests of optimization records ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/OptimizationRecord.h"
#include "ReportSamples.h"

#include <gtest/gtest.h>
#include <llvm/Remarks/Remark.h>
#include <llvm/Remarks/RemarkParser.h>

using namespace clopt;

namespace {

std::string print(const std::vector<Remark> &remarks, RecordFormat format) {
  llvm::Expected<std::string> text = printOptimizationRecord(remarks, format);
  EXPECT_TRUE(bool(text));
  return *text;
}

/// LLVM's parser of YAML leaves quotes doubled.
std::string withoutDoubledQuotes(std::string text) {
  for (size_t at = 0; (at = text.find("''", at)) != std::string::npos; ++at)
    text.erase(at, 1);
  return text;
}

/// What LLVM's own parser reads back, one line per remark.
std::vector<std::string> readBack(const std::string &text,
                                  llvm::remarks::Format format) {
  std::vector<std::string> lines;
  auto parser =
      llvm::cantFail(llvm::remarks::createRemarkParserFromMeta(format, text));
  while (true) {
    auto remark = parser->next();
    if (!remark) {
      llvm::consumeError(remark.takeError());
      return lines;
    }
    const llvm::remarks::Remark &found = **remark;
    std::string line = llvm::remarks::typeToStr(found.RemarkType).str() + " " +
                       found.PassName.str() + " " + found.RemarkName.str() +
                       " " + found.FunctionName.str();
    if (found.Loc)
      line += " " + found.Loc->SourceFilePath.str() + ":" +
              std::to_string(found.Loc->SourceLine);
    lines.push_back(line + ": " + withoutDoubledQuotes(found.getArgsAsMsg()));
  }
}

const std::vector<std::string> expected = {
    "Passed clopt-vectorize Vectorize copy dir/copy.cl:2: 4 work-items run as "
    "one vector",
    "Missed clopt-vectorize MayAlias copy dir/copy.cl:2: 'a' may overlap 'b'; "
    "add 'restrict' to 'a'",
    "Analysis clopt-vectorize AccessPattern copy dir/copy.cl:2: 'b' is read "
    "forward"};

} // namespace

TEST(OptimizationRecord, yamlText) {
  EXPECT_EQ(print({samples::remark(RemarkKind::Missed)}, RecordFormat::Yaml),
            "--- !Missed\n"
            "Pass:            clopt-vectorize\n"
            "Name:            MayAlias\n"
            "DebugLoc:        { File: 'dir/copy.cl', Line: 2, Column: 3 }\n"
            "Function:        copy\n"
            "Args:\n"
            "  - String:          ''''\n"
            "  - First:           a\n"
            "  - String:          ''' may overlap '''\n"
            "  - Second:          b\n"
            "  - String:          ''''\n"
            "  - String:          '; '\n"
            "  - Hint:            'add ''restrict'' to ''a'''\n"
            "...\n");
}

TEST(OptimizationRecord, yamlIsReadBack) {
  std::string text =
      print(samples::run().files[0].result.remarks, RecordFormat::Yaml);
  EXPECT_EQ(readBack(text, llvm::remarks::Format::YAML), expected);
}

TEST(OptimizationRecord, bitstreamIsReadBack) {
  std::string text =
      print(samples::run().files[0].result.remarks, RecordFormat::Bitstream);
  EXPECT_EQ(readBack(text, llvm::remarks::Format::Bitstream), expected);
}

TEST(OptimizationRecord, argumentsThatTheMessageDoesNotQuote) {
  Remark remark = samples::remark(RemarkKind::Passed);
  remark.args = {{"Lanes", "4"}, {"Bytes", "16"}};
  std::string text = print({remark}, RecordFormat::Yaml);
  EXPECT_EQ(readBack(text, llvm::remarks::Format::YAML).front(),
            "Passed clopt-vectorize Vectorize copy dir/copy.cl:2: 4 work-items "
            "run as one vector; Bytes 16");
}

TEST(OptimizationRecord, suppressedRemarksAreLeftOut) {
  Remark remark = samples::remark(RemarkKind::Missed);
  remark.suppressed = true;
  EXPECT_EQ(print({remark}, RecordFormat::Yaml), "");
}

TEST(OptimizationRecord, emptyBitstreamIsRecognised) {
  std::string text = print({}, RecordFormat::Bitstream);
  EXPECT_EQ(text.substr(0, 4), "RMRK");
  EXPECT_TRUE(readBack(text, llvm::remarks::Format::Bitstream).empty());
}

TEST(OptimizationRecord, aRemarkWithoutAPlace) {
  Remark remark;
  remark.message = "whole file";
  std::string text = print({remark}, RecordFormat::Yaml);
  EXPECT_EQ(readBack(text, llvm::remarks::Format::YAML).front(),
            "Analysis clopt-optimize Optimize <file>: whole file");
}
