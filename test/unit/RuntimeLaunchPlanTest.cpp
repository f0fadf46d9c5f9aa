//===- RuntimeLaunchPlanTest.cpp - launch plans as JSON -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clopt/LaunchPlan.h"

#include <gtest/gtest.h>

using namespace clopt;

static PlanArgument valueArgument(const std::string &value) {
  PlanArgument argument;
  argument.kind = PlanArgument::Kind::Value;
  argument.value = value;
  argument.type = "int";
  return argument;
}

static PlanArgument namedArgument(PlanArgument::Kind kind,
                                  const std::string &name) {
  PlanArgument argument;
  argument.kind = kind;
  argument.name = name;
  return argument;
}

/// A plan that has everything a plan can have.
static LaunchPlan fullPlan() {
  LaunchPlan plan;
  plan.toolVersion = "0.1.0";
  plan.target = "cpu";
  plan.original = {"k.cl", std::string(64, 'a')};
  plan.optimized = {"o.cl", ""};
  plan.buildFlags = {"-DSIZE=4"};
  PlanKernel kernel;
  kernel.name = "k";
  kernel.parameters = {
      {"a", PlanParameter::Kind::Buffer, "float", 4, true, true},
      {"n", PlanParameter::Kind::Scalar, "int", 4, true, true},
      {"l", PlanParameter::Kind::Local, "int", 4, true, true}};
  PlanVariant variant;
  variant.name = "converted";
  variant.definitions = {{"twice", "n * 2"}};
  variant.conditions = {{"twice > SIZE", "there is enough", true}};
  variant.buffers = {{"a_t", "a", "n * twice"}};
  PlanConversion conversion;
  conversion.source = "a";
  conversion.destination = "a_t";
  conversion.launch.kernel = "turn";
  conversion.launch.global = {"n", "twice"};
  conversion.launch.local = {"8", "8"};
  conversion.launch.offset = {"0", "1"};
  conversion.launch.arguments = {
      namedArgument(PlanArgument::Kind::Parameter, "a"),
      namedArgument(PlanArgument::Kind::Buffer, "a_t"), valueArgument("n")};
  variant.before = {conversion};
  variant.images = {
      {"a_i", "a_t", "min(n, 1024)", "1", "n * 4", "CL_R", "CL_FLOAT"}};
  variant.launch.kernel = "k_plan";
  variant.launch.global = {"n"};
  PlanArgument local;
  local.kind = PlanArgument::Kind::Local;
  local.value = "64";
  variant.launch.arguments = {namedArgument(PlanArgument::Kind::Image, "a_i"),
                              local};
  variant.after = {conversion};
  PlanVariant original;
  original.name = "original";
  original.launch.program = PlanProgram::Original;
  original.launch.kernel = "k";
  original.launch.sameRange = true;
  kernel.variants = {variant, original};
  plan.kernels = {kernel};
  return plan;
}

static std::string problemOf(const std::string &text) {
  LaunchPlan plan;
  LaunchPlanError error;
  return parseLaunchPlan(text, plan, error) ? "" : error.message;
}

/// The message about the full plan with some text replaced.
static std::string problemAfter(const std::string &from,
                                const std::string &to) {
  std::string text = printLaunchPlan(fullPlan());
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return problemOf(text.replace(at, from.size(), to));
}

TEST(RuntimeLaunchPlanTest, ReadsWhatItWrites) {
  std::string text = printLaunchPlan(fullPlan());
  LaunchPlan plan;
  LaunchPlanError error;
  ASSERT_TRUE(parseLaunchPlan(text, plan, error)) << error.message;
  EXPECT_EQ(printLaunchPlan(plan), text);
  ASSERT_NE(plan.find("k"), nullptr);
  EXPECT_EQ(plan.find("other"), nullptr);
  const PlanVariant &variant = plan.find("k")->variants.front();
  EXPECT_EQ(variant.before.front().launch.offset.size(), 2u);
  EXPECT_EQ(variant.images.front().rowBytes, "n * 4");
  EXPECT_TRUE(plan.find("k")->variants.back().launch.sameRange);
}

TEST(RuntimeLaunchPlanTest, FindsNamesThatMeanNothing) {
  EXPECT_EQ(problemAfter("n * 2\"", "m * 2\""),
            "/kernels/0/variants/0/definitions/0/value: 'm' in \"m * 2\" is "
            "not known");
  EXPECT_NE(problemAfter("\"source\": \"a\"", "\"source\": \"b\""), "");
  EXPECT_NE(problemAfter("\"image\": \"a_i\"", "\"image\": \"a_t\""), "");
  EXPECT_NE(problemAfter("\"buffer\": \"a_t\"", "\"buffer\": \"x\""), "");
  EXPECT_NE(problemAfter("\"parameter\": \"a\"", "\"parameter\": \"z\""), "");
}

TEST(RuntimeLaunchPlanTest, FindsWrongForms) {
  EXPECT_EQ(problemAfter("twice > SIZE", "twice > > SIZE"),
            "/kernels/0/variants/0/conditions/0/expression: expected a value, "
            "not '>' at byte 8 of \"twice > > SIZE\"");
  EXPECT_NE(problemAfter("\"1.0.0\"", "\"2.0.0\""), "");
  EXPECT_NE(problemAfter("\"1.0.0\"", "1"), "");
  EXPECT_NE(problemAfter("\"value\": \"n\",\n                    \"type\": "
                         "\"int\"",
                         "\"value\": \"n\", \"type\": \"real\""),
            "");
  EXPECT_NE(problemAfter("\"same_range\": true", "\"same_range\": false"), "");
  EXPECT_NE(problemAfter("\"kind\": \"buffer\"", "\"kind\": \"bufer\""), "");
  EXPECT_EQ(problemAfter("\"CL_R\"", "\"CL_X\""),
            "/kernels/0/variants/0/images/0/channel_order: expected one of "
            "CL_R, CL_RG, CL_RGBA");
  EXPECT_NE(problemAfter("\"CL_FLOAT\"", "\"CL_DOUBLE\""), "");
  // The last variant must always apply.
  LaunchPlan plan = fullPlan();
  plan.kernels.front().variants.pop_back();
  EXPECT_NE(problemOf(printLaunchPlan(plan)), "");
}

TEST(RuntimeLaunchPlanTest, NamesAreThereOnce) {
  LaunchPlan plan = fullPlan();
  plan.kernels.push_back(plan.kernels.front());
  EXPECT_EQ(problemOf(printLaunchPlan(plan)),
            "/kernels/1/name: there is a kernel 'k' already");
  plan = fullPlan();
  plan.kernels.front().parameters.push_back(
      plan.kernels.front().parameters.front());
  EXPECT_NE(problemOf(printLaunchPlan(plan)).find("is taken"),
            std::string::npos);
}

TEST(RuntimeLaunchPlanTest, PointsAtWhatIsNoJson) {
  LaunchPlan plan;
  LaunchPlanError error;
  EXPECT_FALSE(parseLaunchPlan("{\n  \"a\": ,\n}", plan, error));
  EXPECT_EQ(error.line, 2u);
  EXPECT_EQ(error.column, 8u);
  for (const char *text : {"", "[]", "1", "{}", "null", "\"\\ud800\""})
    EXPECT_NE(problemOf(text), "") << text;
}
