//===- TunedRecipesTest.cpp - optimizing with recorded recipes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/TunedRecipes.h"

#include "Support/Sha256.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

const std::string source =
    "__kernel void f(__global const float *restrict a,\n"
    "                __global float *restrict b, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  for (int k = 0; k < n; k++) b[k * n + i] = a[k * n + i];\n"
    "}\n"
    "__kernel void g(__global const float *restrict a,\n"
    "                __global float *restrict b, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  for (int k = 0; k < n; k++) b[k * n + i] = 2 * a[k * n + i];\n"
    "}\n";

TuningRecord recordOf(const std::string &kernel,
                      const std::vector<std::string> &steps) {
  TuningRecord record;
  record.source = sha256Hex(source);
  record.kernel = kernel;
  record.target = "cpu";
  record.device = "the device";
  record.steps = steps;
  record.originalMs = 4;
  record.ms = 1;
  return record;
}

Result optimized(const std::vector<TuningRecord> &records) {
  Options options;
  options.target = "cpu";
  return optimizeTuned("test.cl", source, options, records);
}

const Remark *tuningRemark(const Result &result, const std::string &kernel) {
  for (const Remark &remark : result.remarks)
    if (remark.pass == "tuning" && remark.function == kernel)
      return &remark;
  return nullptr;
}

std::string recipeOf(const Result &result, const std::string &kernel) {
  for (const KernelReport &report : result.kernels)
    if (report.name == kernel)
      return report.recipe;
  return "no such kernel";
}

/// The local sizes of the plan's own NDRange.
std::vector<std::string> ownGroup(const Result &result,
                                  const std::string &kernel) {
  if (const PlanKernel *plan = result.plan.find(kernel))
    for (const PlanVariant &variant : plan->variants)
      if (variant.name == "own NDRange")
        return variant.launch.local;
  return {"no such variant"};
}

TEST(TunedRecipesTest, TheRecordTakesThePlannersPlace) {
  const Result result = optimized({recordOf("f", {"unroll k:2"})});
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(recipeOf(result, "f"), "unroll     k:2\n");
  const Remark *remark = tuningRemark(result, "f");
  ASSERT_TRUE(remark);
  EXPECT_EQ(remark->kind, RemarkKind::Passed);
  EXPECT_EQ(remark->message, "the recorded recipe is taken: 1.0000 ms, the "
                             "original 4.0000 ms on the device");
  EXPECT_EQ(remark->location.line, 1u);
}

TEST(TunedRecipesTest, OtherKernelsKeepThePlannersChoice) {
  const Result result = optimized({recordOf("f", {"unroll k:2"})});
  const Result planned = optimized({});
  EXPECT_EQ(recipeOf(result, "g"), recipeOf(planned, "g"));
  EXPECT_FALSE(tuningRemark(result, "g"));
}

TEST(TunedRecipesTest, WithoutStepsTheAuthorsTextIsKept) {
  const Result result = optimized({recordOf("f", {})});
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(recipeOf(result, "f"), "");
  const Remark *remark = tuningRemark(result, "f");
  ASSERT_TRUE(remark);
  EXPECT_EQ(remark->message.rfind("the author's text is kept", 0), 0u);
}

TEST(TunedRecipesTest, RecordsThatDoNotHoldAreDropped) {
  const Result planned = optimized({});
  for (const std::vector<std::string> &steps :
       std::vector<std::vector<std::string>>{{"unroll q:2"},
                                             {"no-such-step k"},
                                             {"kernel g", "unroll k:2"},
                                             {"unroll k:2", "unroll q:2"}}) {
    const Result result = optimized({recordOf("f", steps)});
    ASSERT_TRUE(result.ok);
    EXPECT_EQ(result.output, planned.output);
    const Remark *remark = tuningRemark(result, "f");
    ASSERT_TRUE(remark);
    EXPECT_EQ(remark->kind, RemarkKind::Missed);
    EXPECT_EQ(remark->ruleId, "clopt-tuning");
  }
}

TEST(TunedRecipesTest, OneRecordThatDoesNotHoldHarmsNoOther) {
  const Result result =
      optimized({recordOf("f", {"unroll q:2"}), recordOf("g", {"unroll k:2"})});
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(recipeOf(result, "g"), "unroll     k:2\n");
  EXPECT_EQ(tuningRemark(result, "g")->kind, RemarkKind::Passed);
  EXPECT_EQ(tuningRemark(result, "f")->kind, RemarkKind::Missed);
}

TEST(TunedRecipesTest, F26TheGroupOfAPlanIsTheRecorded) {
  Options options;
  options.target = "cpu";
  options.makePlan = true;
  TuningRecord record = recordOf("f", {"coarsen i:4"});
  record.form = "plan";
  record.group = {32, 1};
  const Result result = optimizeTuned("test.cl", source, options, {record});
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(ownGroup(result, "f"), std::vector<std::string>{"32"});
  // Other kernels keep clopt's groups.
  EXPECT_EQ(ownGroup(result, "g"), std::vector<std::string>{"256"});
  // Without a plan it is another form.
  EXPECT_FALSE(tuningRemark(optimized({record}), "f"));
}

TEST(TunedRecipesTest, RecordsOfOtherSourcesAreNotLookedAt) {
  TuningRecord record = recordOf("f", {"unroll k:2"});
  record.source = sha256Hex("other");
  const Result result = optimized({record});
  EXPECT_EQ(result.output, optimized({}).output);
  EXPECT_FALSE(tuningRemark(result, "f"));
}

} // namespace
