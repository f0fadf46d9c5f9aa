//===- StageConvertedTest.cpp - sections of converted cells ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When local memory holds what cells are converted to, and the text of that.
//
//===----------------------------------------------------------------------===//

#include "EmissionTesting.h"
#include "Planning/search/GroupPlanner.h"

using namespace clopt;

/// A kernel over pixels x and floats r with one sum over x[k] per work-item.
static std::string sumOf(const std::string &term,
                         const std::string &element = "uchar") {
  return "__kernel void f(__global const " + element +
         " *restrict x,\n  __global float *restrict r, int n, int m) {\n"
         "  int i = get_global_id(0), j = get_global_id(1);\n"
         "  float t = 0;\n  for (int k = 0; k < m; k++) t += " +
         term + ";\n  r[j * n + i] = t; }";
}

static const char *const steps = "tile i:16 j:16\ntile k:16\nstage x converted";

TEST(StageConvertedTest, CellsAreWhatTheyAreConvertedTo) {
  TestedKernel tested(sumOf("x[i * m + k] * 0.5f"));
  ASSERT_EQ(tested.apply(steps).message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  EXPECT_EQ(tested.kernel.tiles[0].stored, ScalarKind::Float);
  EXPECT_EQ(localBytes(tested.kernel), 16 * 16 * 4);
  std::string text = emittedBody(sumOf("x[i * m + k] * 0.5f"), steps);
  EXPECT_TRUE(has(text, "__local float x_tile[TILE_I][TILE_K]")) << text;
  EXPECT_TRUE(has(text, "convert_float4(*(__global const uchar4 *)&x_from["))
      << text;
  EXPECT_TRUE(has(text, "t += x_tile[i_local][k - k0] * 0.5f;")) << text;
}

TEST(StageConvertedTest, NothingIsLeftOfAChainOfConversions) {
  for (const char *term : {"(float)x[i * m + k]", "(float)(int)x[i * m + k]",
                           "(float)(ushort)x[i * m + k]"}) {
    std::string text = emittedBody(sumOf(term), steps);
    EXPECT_TRUE(has(text, "t += x_tile[i_local][k - k0];")) << term << text;
  }
}

TEST(StageConvertedTest, EveryUseIsConvertedToOneType) {
  const char *const message = "is not converted to one floating type";
  for (const char *term :
       {"(float)(char)x[i * m + k]", "x[i * m + k] + 1",
        "x[i * m + k] * 0.5f + (x[i * m + k] & 1)",
        "x[i * m + k] * 0.5f * (float)((double)x[i * m + k] / 3)"})
    expectRefused(sumOf(term), steps, "clopt-not-profitable", message);
  expectRefused(sumOf("x[i * m + k]", "float"), steps, "clopt-not-profitable",
                message);
}

TEST(StageConvertedTest, MembersStayInTheirCells) {
  expectRefused("typedef struct { int m; } Cell;\n"
                "__kernel void f(__global const Cell *x, __global float *r) {\n"
                "  int i = get_global_id(0);\n"
                "  r[i] = x[i].m * 0.5f; }",
                "tile i:16\nstage x converted", "clopt-not-profitable",
                "is not converted to one floating type");
}

TEST(StageConvertedTest, WhatIsWrittenStaysAsItIs) {
  expectRefused("__kernel void f(__global uchar *restrict x, int n, int m) {\n"
                "  int i = get_global_id(0), j = get_global_id(1);\n"
                "  x[i * m + j] = 1; }",
                "tile i:16 j:16\nstage x converted", "clopt-not-profitable",
                "is not converted to one floating type");
}

TEST(StageConvertedTest, VectorsAreLoadedBeforeTheyAreConverted) {
  const std::string source = sumOf("x[k * n + i] * 0.5f");
  expectRefused(source,
                "vectorize i:4\ntile i:16 j:16\ntile k:16\nstage x converted",
                "clopt-dependence", "before they are converted");
  expectRefused(source, std::string(steps) + "\nvectorize k:4",
                "clopt-dependence",
                "'x' is staged for the tiles of the loop 'k'");
}

TEST(StageConvertedTest, RegistersHoldCellsAsTheyAre) {
  expectRefused(sumOf("x[i * m + k] * 0.5f"),
                "tile k:16\nstage x private converted", "clopt-not-profitable",
                "as they are in memory");
}

TEST(StageConvertedTest, PlansConvertNarrowElements) {
  DeviceProfile profile;
  auto planOf = [&](const std::string &source) {
    TestedKernel tested(source);
    std::optional<Plan> plan =
        planGroups(tested.kernel, profile, AliasMode::Check);
    return plan ? printSteps(plan->steps) : "";
  };
  const std::string dot = "(x[i * m + k] - 0.5f) * (x[j * m + k] - 0.5f)";
  EXPECT_TRUE(has(planOf(sumOf(dot)), "stage      x converted pad=4"));
  EXPECT_TRUE(has(planOf(sumOf(dot)), ":2 stride\n"));
  // The longest tile that fits, whole passes of it.
  EXPECT_TRUE(has(planOf(sumOf(dot)), "tile       k:224\n"));
  EXPECT_TRUE(has(planOf(sumOf(dot)), "unroll     k:32\n"));
  // Integers of four bytes are converted at the same rate as they are loaded.
  EXPECT_FALSE(has(planOf(sumOf(dot, "int")), "converted"));
  EXPECT_TRUE(has(planOf(sumOf(dot, "int")), "stage      x"));
  // What stays an integer is staged as it is, in blocks of 4 x 4.
  const std::string integers = planOf(sumOf("x[i * m + k] * x[j * m + k]"));
  EXPECT_FALSE(has(integers, "converted")) << integers;
  EXPECT_TRUE(has(integers, ":4\n")) << integers;
}
