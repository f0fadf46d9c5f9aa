//===- PlannedKernelTest.cpp - kernels for NDRanges of their own ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/KernelWriter.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

struct Planned {
  TestedKernel tested;
  std::optional<EmittedKernel> result;
  LoweringError error;
  Planned(const std::string &source, const std::string &steps,
          unsigned computeUnits = 1)
      : tested(source) {
    EXPECT_EQ(tested.apply(steps, AliasMode::Check).message, "");
    EmitOptions options;
    options.withPlan = true;
    options.computeUnits = computeUnits;
    options.takenNames = {"f_plan"};
    result = emitKernel(tested.kernel, options, error);
  }
  const PlannedKernel *planned() const {
    return result && result->planned ? &*result->planned : nullptr;
  }
  bool has(const std::string &text) const {
    return planned() && planned()->text.find(text) != std::string::npos;
  }
  bool asks(const std::string &expression) const {
    for (const PlanCondition &condition : planned()->variant.conditions)
      if (condition.expression.find(expression) != std::string::npos)
        return true;
    return false;
  }
};

} // namespace

using Texts = std::vector<std::string>;

static const char *const rows =
    "__kernel void f(__global const float *restrict s, /* , ) */\n"
    "                __global float *restrict r, int n)\n"
    "{ int i = get_global_id(0);\n"
    "  if (i < n) r[i] = s[i] + get_global_size(0); }\n";

TEST(PlannedKernelTest, TakesTheLaunchAsArguments) {
  Planned merged(rows, "coarsen i:4");
  ASSERT_NE(merged.planned(), nullptr);
  EXPECT_TRUE(
      merged.has("f_plan_x(__global const float *restrict s, /* , ) */"));
  EXPECT_TRUE(merged.has("reqd_work_group_size(256, 1, 1)"));
  EXPECT_TRUE(merged.has("ulong global_size_x"));
  EXPECT_FALSE(merged.has("get_global_size"));
  EXPECT_FALSE(merged.has("get_num_groups"));
  const PlanLaunch &launch = merged.planned()->variant.launch;
  EXPECT_EQ(launch.kernel, "f_plan_x");
  EXPECT_EQ(launch.global,
            Texts({"roundup((get_global_size(0) + 3) / 4, 256)"}));
  EXPECT_EQ(launch.local, Texts({"256"}));
  ASSERT_EQ(launch.arguments.size(), 5u);
  EXPECT_EQ(launch.arguments[2].name, "n");
  EXPECT_EQ(launch.arguments[3].value, "get_global_size(0)");
  EXPECT_EQ(launch.arguments[4].value, "get_global_offset(0)");
}

/// Also in bounds, in offsets, and in constants ahead of the text.
TEST(PlannedKernelTest, TakesArgumentsWhereverTheLaunchIsAskedFor) {
  Planned bound("__kernel void f(__global float *r, int n) {\n"
                "  int i = get_global_id(0);\n"
                "  for (int k = 0; k < get_global_size(1); k++)\n"
                "    r[i + k * get_global_size(0)] *= 2;\n"
                "  if (i < n) r[i] += 1; }\n",
                "coarsen i:4");
  ASSERT_NE(bound.planned(), nullptr);
  EXPECT_TRUE(bound.has("ulong global_size_x"));
  EXPECT_TRUE(bound.has("ulong global_size_y"));
  EXPECT_FALSE(bound.has("ulong global_size_z"));
  EXPECT_FALSE(bound.has("get_global_size"));
  EXPECT_NE(bound.result->body.find("get_global_size(1)"), std::string::npos);
  EXPECT_EQ(bound.result->body.find("global_size_x"), std::string::npos);
  Planned ends("__kernel void f(__global const float *restrict s,\n"
               "                __global float *restrict r) {\n"
               "  int i = get_global_id(0), n = get_global_size(0);\n"
               "  for (int k = 0; k < get_global_size(2); k++)\n"
               "    r[i * 8 + k] = s[i * 8 + k]; }\n",
               "map k");
  ASSERT_NE(ends.planned(), nullptr);
  EXPECT_TRUE(ends.has("ulong global_size_z"));
  EXPECT_FALSE(ends.has("get_global_size"));
  EXPECT_NE(
      ends.planned()->variant.definitions[1].value.find("get_global_size(2)"),
      std::string::npos);
}

/// What of the launch a plan does not hand on.
TEST(PlannedKernelTest, KernelsThatAskForMoreHaveNone) {
  Planned groups("__kernel void f(__global float *r) {\n"
                 "  int i = get_global_id(0);\n"
                 "  r[i] += get_num_groups(0); }\n",
                 "coarsen i:4");
  EXPECT_EQ(groups.planned(), nullptr);
}

static const char *const product =
    "__kernel void f(__global const float *a, __global const float *b,\n"
    "                __global float *c, int n) {\n"
    "  int j = get_global_id(0), i = get_global_id(1);\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];\n"
    "  c[i * n + j] = sum; }\n";

TEST(PlannedKernelTest, LaunchesOneGroupForEveryTile) {
  Planned tiled(product, "coarsen i:2 j:2\ntile i:32 j:16 k:8\nstage a local",
                10);
  ASSERT_NE(tiled.planned(), nullptr);
  const PlanLaunch &launch = tiled.planned()->variant.launch;
  EXPECT_EQ(launch.global, Texts({"((get_global_size(0) + 15) / 16) * 128",
                                  "(get_global_size(1) + 31) / 32"}));
  EXPECT_EQ(launch.local, Texts({"128", "1"}));
  EXPECT_TRUE(tiled.asks(">= 10"));
  EXPECT_TRUE(tiled.has("get_group_id(0) * 16"));
  EXPECT_TRUE(tiled.has("get_group_id(1) * 32"));
  EXPECT_FALSE(tiled.has("get_num_groups"));
}

/// Devices promise to start groups of 256, and any number does along the
/// adaptive dimension.
TEST(PlannedKernelTest, GroupsAreOfASizeThatStarts) {
  Planned tiled(product, "tile j:1024 k:8\nstage b local");
  ASSERT_NE(tiled.planned(), nullptr);
  const PlanLaunch &launch = tiled.planned()->variant.launch;
  EXPECT_EQ(launch.local, Texts({"256", "1"}));
  EXPECT_EQ(launch.global[0], "((get_global_size(0) + 255) / 256) * 256");
  EXPECT_TRUE(tiled.has("reqd_work_group_size(256, 1, 1)"));
}

/// Built-in functions do not ask for the launch.
TEST(PlannedKernelTest, BuiltinFunctionsMayBeCalled) {
  Planned merged("__kernel void f(__global float *r) {\n"
                 "  int i = get_global_id(0); r[i] = rsqrt(r[i]); }\n",
                 "coarsen i:4");
  EXPECT_NE(merged.planned(), nullptr);
}

TEST(PlannedKernelTest, ConditionsOfTheGuardAreTheHosts) {
  Planned tiled(product, "coarsen i:2 j:2");
  ASSERT_NE(tiled.planned(), nullptr);
  EXPECT_TRUE(tiled.asks("get_global_size(2) == 1"));
  EXPECT_TRUE(tiled.asks("j_end <= 2147480000"));
  EXPECT_FALSE(tiled.asks("get_local_size"));
  EXPECT_FALSE(tiled.has("get_global_size(2)"));
  EXPECT_FALSE(tiled.result->sameLaunch.conditions.empty());
}

TEST(PlannedKernelTest, LoopsThatAreDimensionsHaveWorkItems) {
  Planned mapped("__kernel void f(__global const float *restrict s,\n"
                 "                __global float *restrict r, int n) {\n"
                 "  int i = get_global_id(0);\n"
                 "  for (int k = 1; k < n - 2; k++)\n"
                 "    r[i * n + k] = s[i * n + k]; }\n",
                 "map k");
  ASSERT_NE(mapped.planned(), nullptr);
  const PlanVariant &variant = mapped.planned()->variant;
  ASSERT_EQ(variant.definitions.size() >= 2, true);
  EXPECT_EQ(variant.definitions[0].name, "k_first");
  EXPECT_EQ(variant.launch.global,
            Texts({"roundup(max(k_end - k_first, 0l), 64)",
                   "roundup(get_global_size(0), 4)"}));
}

TEST(PlannedKernelTest, KernelsThatKeepTheirLaunchHaveNone) {
  Planned alone(rows, "vectorize i:4");
  EXPECT_NE(alone.planned(), nullptr);
  Planned loop("__kernel void f(__global float *r, int n) {\n"
               "  int i = get_global_id(0);\n"
               "  for (int k = 0; k < n; k++) r[i] += k; }\n",
               "privatize r");
  EXPECT_EQ(loop.planned(), nullptr);
}

/// Functions that ask for the launch are inlined or not modelled.
TEST(PlannedKernelTest, FunctionsSeeTheLaunchOfTheApplication) {
  const std::string kernel = "__kernel void f(__global float *r) {\n"
                             "  int i = get_global_id(0);\n"
                             "  r[i] = change(r[i]); }\n";
  Planned inlined("float change(float x) { return x * get_global_size(0); }\n" +
                      kernel,
                  "coarsen i:2");
  ASSERT_NE(inlined.planned(), nullptr);
  EXPECT_TRUE(inlined.has("r[i0] * global_size_x"));
  Planned called("float change(float x) { float y = x; y *= 2; return y; }\n" +
                     kernel,
                 "coarsen i:2");
  ASSERT_NE(called.planned(), nullptr);
  EXPECT_TRUE(called.has("change(r[i0])"));
  TestedKernel asking("float change(float x) { float y = x;\n"
                      "  for (int i = 0; i < 9; ++i) {\n"
                      "    y *= get_global_size(0);\n"
                      "    if (y > 9) return 9; }\n"
                      "  return y; }\n" +
                      kernel);
  EXPECT_NE(asking.apply("coarsen i:2").message, "");
}
