//===- StencilPlannerTest.cpp - tiles with halos in local memory ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/StencilPlanner.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

/// The plan as a recipe; empty: none.
std::string planOf(const std::string &source,
                   const std::string &target = "amd-cypress") {
  TestedKernel tested(source);
  DeviceProfile profile = llvm::cantFail(loadProfile(target));
  std::optional<Plan> plan =
      planStencils(tested.kernel, profile, AliasMode::Check);
  if (!plan)
    return "";
  return printSteps(plan->steps);
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// The mean of 3 x 3 cells, `border` cells away from the borders.
std::string meanOf(const std::string &type, const std::string &row = "y + j",
                   const std::string &column = "x + i",
                   const std::string &border = "1") {
  return "#define B " + border + "\n__kernel void f(__global const " + type +
         " *a, __global " + type +
         " *b, int w, int h) {\n"
         "  int x = get_global_id(0), y = get_global_id(1);\n"
         "  if (x < B || y < B || x >= w - B || y >= h - B) return;\n  " +
         type + " s = (" + type +
         ")(0);\n"
         "  for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++)\n"
         "    s += a[(" +
         row + ") * w + " + column + "];\n  b[y * w + x] = s; }\n";
}

} // namespace

/// F12. Of cells of every width, on a device whose buffers have no cache.
TEST(StencilPlannerTest, F12NeighboursShareATile) {
  for (const char *type : {"float", "float4", "uchar4"}) {
    const std::string plan = planOf(meanOf(type));
    EXPECT_TRUE(has(plan, "tile       x:16\n")) << type << plan;
    EXPECT_TRUE(has(plan, "tile       y:16\n")) << type << plan;
    EXPECT_TRUE(has(plan, "stage      a")) << type << plan;
    EXPECT_TRUE(has(plan, "unroll     j\n")) << type << plan;
    EXPECT_FALSE(has(plan, "stage      b")) << type << plan;
  }
}

TEST(StencilPlannerTest, F12BordersAreResolvedBefore) {
  const std::string plan = planOf(
      meanOf("float", "clamp(y + j, 0, h - 1)", "clamp(x + i, 0, w - 1)", "0"));
  EXPECT_LT(plan.find("select     a\n"), plan.find("stage      a")) << plan;
  EXPECT_TRUE(has(plan, "stage      a")) << plan;
}

TEST(StencilPlannerTest, CachesServeNeighbours) {
  for (const char *target : {"generic-gpu", "nvidia-hopper", "cpu"})
    EXPECT_EQ(planOf(meanOf("float4"), target), "") << target;
}

TEST(StencilPlannerTest, BytesAreReadInVectors) {
  EXPECT_EQ(planOf(meanOf("uchar")), "");
}

TEST(StencilPlannerTest, WhatNobodySharesStays) {
  EXPECT_EQ(planOf("__kernel void f(__global const float *a,\n"
                   "                __global float *b, int w) {\n"
                   "  int x = get_global_id(0), y = get_global_id(1);\n"
                   "  b[y * w + x] = a[y * w + x]; }\n"),
            "");
  EXPECT_EQ(planOf("__kernel void f(__global float *a, int w) {\n"
                   "  int x = get_global_id(0), y = get_global_id(1);\n"
                   "  a[y * w + x] += a[y * w + x + 1]; }\n"),
            "");
}
