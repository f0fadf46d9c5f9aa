//===- ResultTransferTest.cpp - results between processes -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/ResultTransfer.h"

#include "ReportSamples.h"

#include <gtest/gtest.h>

using namespace clopt;

static ProcessedFile sample() {
  ProcessedFile file;
  file.path = "dir/copy.cl";
  file.source = std::string("a\0b\n", 4);
  file.outputPath = "-";
  file.result.ok = true;
  KernelReport kernel;
  kernel.name = "copy";
  kernel.accesses = {samples::stridedAccess(), samples::forwardAccess()};
  kernel.accesses[0].request = {2, 4, 32, 0, {0, -8}};
  kernel.memoryClocks = 7;
  kernel.orderAfter = "after";
  kernel.validation.emplace();
  kernel.validation->skipped = {"too large", ""};
  kernel.validation->variants.emplace_back().name = "wide";
  file.result.kernels.push_back(kernel);
  Remark remark;
  remark.kind = RemarkKind::Missed;
  remark.args = {{"Stride", "2"}};
  remark.location = samples::range(3, 3, 8);
  file.result.remarks.push_back(remark);
  file.result.diagnostics.emplace_back().rendered = "dir/copy.cl:1:1: error\n";
  file.result.reproducers.push_back({"copy", {{"run.sh", "clopt\n"}}});
  return file;
}

TEST(ResultTransferTest, EverythingArrives) {
  std::string bytes = packFile(sample());
  std::optional<ProcessedFile> file = unpackFile(bytes);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(packFile(*file), bytes);
  EXPECT_EQ(file->source, sample().source);
  EXPECT_EQ(file->outputPath, "-");
  ASSERT_EQ(file->result.kernels.size(), 1u);
  const KernelReport &kernel = file->result.kernels[0];
  ASSERT_EQ(kernel.accesses.size(), 2u);
  EXPECT_EQ(kernel.accesses[0].hint, samples::stridedAccess().hint);
  ASSERT_TRUE(kernel.accesses[0].request.has_value());
  EXPECT_EQ(kernel.accesses[0].request->addresses[1], -8);
  EXPECT_FALSE(kernel.accesses[1].request.has_value());
  EXPECT_EQ(kernel.memoryClocks, 7);
  EXPECT_EQ(kernel.orderAfter, "after");
  ASSERT_TRUE(kernel.validation.has_value());
  EXPECT_EQ(kernel.validation->variants[0].name, "wide");
  EXPECT_EQ(file->result.remarks[0].args[0].second, "2");
  EXPECT_EQ(file->result.remarks[0].location.endColumn, 11u);
  EXPECT_EQ(file->result.reproducers[0].files[0].text, "clopt\n");
}

TEST(ResultTransferTest, MissingBytesAreNoticed) {
  std::string bytes = packFile(sample());
  for (size_t size = 0; size < bytes.size(); ++size)
    ASSERT_FALSE(unpackFile(llvm::StringRef(bytes).take_front(size)));
  EXPECT_FALSE(unpackFile(bytes + '\0'));
}
