//===- PlanDraftTest.cpp - the launch plan while it is made ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/PlanDraft.h"

#include "clopt/Clopt.h"

#include <gtest/gtest.h>

using namespace clopt;

static PlanDraft draftOf(const std::vector<std::string> &flags = {}) {
  Options options;
  options.buildFlags = flags;
  PlanDraft draft(options);
  PlanKernel kernel;
  kernel.name = "f";
  kernel.parameters = {
      {"n", PlanParameter::Kind::Scalar, "int", 4, true, true}};
  draft.addKernel(kernel);
  return draft;
}

static PlanVariant variantWith(const std::string &condition) {
  PlanVariant variant;
  variant.name = "own NDRange";
  variant.conditions = {{condition, "", false}};
  variant.launch.kernel = "f_plan";
  variant.launch.global = {"n"};
  return variant;
}

TEST(PlanDraftTest, EveryKernelEndsWithItsOriginal) {
  PlanDraft draft = draftOf();
  EXPECT_TRUE(draft.addOwnRange("f", variantWith("n > 4")));
  draft.addSameLaunch("f", variantWith("n > 2"));
  LaunchPlan plan = draft.finish("a", "b");
  const auto &variants = plan.kernels.front().variants;
  ASSERT_EQ(variants.size(), 3u);
  EXPECT_EQ(variants[0].launch.kernel, "f_plan");
  EXPECT_EQ(variants[1].conditions.size(), 1u);
  EXPECT_EQ(variants[2].launch.program, PlanProgram::Original);
  EXPECT_EQ(variants[2].launch.arguments.size(), 1u);
  EXPECT_EQ(plan.original.sha256.size(), 64u);
  EXPECT_NE(plan.original.sha256, plan.optimized.sha256);
}

TEST(PlanDraftTest, WhatTheHostCannotReadIsLeftToTheKernel) {
  PlanDraft draft = draftOf();
  EXPECT_FALSE(draft.addOwnRange("f", variantWith("SIZE == 4")));
  draft.addSameLaunch("f", variantWith("SIZE == 4"));
  LaunchPlan plan = draft.finish("a", "b");
  ASSERT_EQ(plan.kernels.front().variants.size(), 2u);
  EXPECT_TRUE(plan.kernels.front().variants[0].conditions.empty());
  PlanDraft known = draftOf({"-DSIZE=4"});
  EXPECT_TRUE(known.addOwnRange("f", variantWith("SIZE == 4")));
}

TEST(PlanDraftTest, VariantsCanBeTakenBack) {
  PlanDraft draft = draftOf();
  EXPECT_TRUE(draft.addOwnRange("f", variantWith("n > 4")));
  EXPECT_EQ(draft.kernelNames().count("f_plan"), 1u);
  draft.removeLaunchesOf("f_plan");
  EXPECT_EQ(draft.finish("a", "b").kernels.front().variants.size(), 1u);
}

/// The conversions and the kernel may call different things by one name.
TEST(PlanDraftTest, NamesWithTwoValuesBecomeTwo) {
  PlanDraft draft = draftOf();
  PlanKernel relaidKernel = {"f_layout", {}, {}};
  relaidKernel.parameters = {
      {"n", PlanParameter::Kind::Scalar, "int", 4, true, true}};
  draft.addKernel(relaidKernel);
  PlanVariant variant = variantWith("n_end > n && n_ending");
  variant.definitions = {{"n_end", "n + 1"}, {"n_ending", "n_end > 2"}};
  variant.launch.global = {"n_end * 2"};
  EXPECT_TRUE(draft.addOwnRange("f_layout", variant));
  RelaidKernel relaid;
  relaid.name = "f_layout";
  relaid.changes.definitions = {{"n_end", "n + 3"}};
  relaid.changes.conditions = {{"n_end >= 0", "", false}};
  draft.adopt("f", relaid);
  const LaunchPlan plan = draft.finish("a", "b");
  ASSERT_EQ(plan.kernels.size(), 1u);
  const PlanVariant &made = plan.kernels[0].variants[0];
  ASSERT_EQ(made.definitions.size(), 3u);
  EXPECT_EQ(made.definitions[0].value, "n + 3");
  EXPECT_EQ(made.definitions[1].name, "n_end_2");
  EXPECT_EQ(made.definitions[1].value, "n + 1");
  EXPECT_EQ(made.definitions[2].value, "n_end_2 > 2");
  EXPECT_EQ(made.conditions[0].expression, "n_end >= 0");
  EXPECT_EQ(made.conditions[1].expression, "n_end_2 > n && n_ending");
  EXPECT_EQ(made.launch.global[0], "n_end_2 * 2");
}

TEST(PlanDraftTest, PlansAreMadeWhenAskedFor) {
  const std::string source = "__kernel void f(__global float *r, int n) {\n"
                             "  int i = get_global_id(0);\n"
                             "  for (int k = 0; k < n; k++) r[i] += k; }\n";
  Options options;
  options.recipe = "kernel f\ncoarsen i:4\n";
  Result without = optimize("f.cl", source, options);
  EXPECT_TRUE(without.plan.kernels.empty());
  EXPECT_EQ(without.output.find("f_plan"), std::string::npos);
  options.makePlan = true;
  Result with = optimize("f.cl", source, options);
  ASSERT_NE(with.plan.find("f"), nullptr);
  EXPECT_EQ(with.plan.find("f")->variants.size(), 3u);
  EXPECT_NE(with.output.find("__kernel void f_plan("), std::string::npos);
}
