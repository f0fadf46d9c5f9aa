//===- ResultTextsTest.cpp - what is said of a result ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clopt/Clopt.h"

#include <gtest/gtest.h>
#include <llvm/Support/JSON.h>

using namespace clopt;

namespace {

const char *const strided = "__kernel void k(__global float *restrict a) {\n"
                            "  int i = get_global_id(0);\n"
                            "  a[2 * i] = 1.0f;\n"
                            "}\n";

/// An integer of the report's summary, or -1.
int64_t summary(const std::string &report, llvm::StringRef key) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(report);
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError());
    return -1;
  }
  const llvm::json::Object *object = value->getAsObject()->getObject("summary");
  return object ? object->getInteger(key).value_or(-1) : -1;
}

TEST(ResultTexts, messagesHaveTheSource) {
  const Result result = optimize("k.cl", "__kernel void k() { x; }\n", {});
  EXPECT_FALSE(result.ok);
  const std::string text =
      messages("k.cl", "__kernel void k() { x; }\n", result);
  EXPECT_NE(text.find("k.cl:1:21: error: use of undeclared identifier 'x'"),
            std::string::npos)
      << text;
}

TEST(ResultTexts, suppressedRemarksAreLeftOut) {
  Result result = optimize("k.cl", strided, {});
  ASSERT_FALSE(result.remarks.empty());
  EXPECT_NE(messages("k.cl", strided, result), "");
  for (Remark &remark : result.remarks)
    remark.suppressed = true;
  result.diagnostics.clear();
  EXPECT_EQ(messages("k.cl", strided, result), "");
}

TEST(ResultTexts, findingsAreOfAnalyses) {
  Options options;
  Result result = optimize("k.cl", strided, options);
  const std::string optimized = reportJson("k.cl", strided, options, result);
  EXPECT_EQ(summary(optimized, "kernels"), 1);
  EXPECT_EQ(summary(optimized, "findings"), 0);
  options.analyzeOnly = true;
  result = optimize("k.cl", strided, options);
  EXPECT_EQ(summary(reportJson("k.cl", strided, options, result), "findings"),
            1);
}

} // namespace
