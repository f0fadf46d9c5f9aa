//===- CoarsenTest.cpp - which work-items may be merged -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

#include "Analysis/access/Divergence.h"

using namespace clopt;

static const char *const plain =
    "__kernel void f(__global float *a, int n) {\n"
    "  int i = get_global_id(1), j = get_global_id(0);\n"
    "  a[i * n + j] += 1; }";

TEST(CoarsenTest, BlocksAndStridesArePoints) {
  TestedKernel tested(plain);
  ASSERT_EQ(tested.apply("coarsen i:4\ncoarsen j:2 stride").message, "");
  EXPECT_EQ(tested.kernel.work[1].points, 4u);
  EXPECT_FALSE(tested.kernel.work[1].strided);
  EXPECT_EQ(tested.kernel.work[0].points, 2u);
  EXPECT_TRUE(tested.kernel.work[0].strided);
  EXPECT_TRUE(tested.kernel.isVirtual());
}

TEST(CoarsenTest, PointsAndLanesMultiply) {
  TestedKernel tested(plain);
  ASSERT_EQ(tested.apply("vectorize j:8\ncoarsen j:2").message, "");
  EXPECT_EQ(tested.kernel.work[0].total(), 16u);
}

TEST(CoarsenTest, AliasingDoesNotMatter) {
  expectTaken(kernelOf("int i = get_global_id(0); a[i] = b[i] + b[i + 1];"),
              "coarsen i:4", AliasMode::Strict);
}

TEST(CoarsenTest, CountsHaveLimits) {
  expectTaken(plain, "coarsen i:64");
  expectRefused(plain, "coarsen i:1", "clopt-step-value", "2 to 64");
  expectRefused(plain, "coarsen i:65", "clopt-step-value", "2 to 64");
  expectRefused(plain, "coarsen i:16 j:8", "clopt-step-value", "2 to 64");
  expectRefused(plain, "coarsen i", "", "'coarsen' needs a number: 'i:4'");
}

TEST(CoarsenTest, CountsOfOneDimensionMultiply) {
  TestedKernel tested(plain);
  ASSERT_EQ(tested
                .apply("coarsen i:2\ncoarsen j:3 stride\ncoarsen i:2\n"
                       "coarsen j:2 stride")
                .message,
            "");
  EXPECT_EQ(tested.kernel.work[1].points, 4u);
  EXPECT_EQ(tested.kernel.work[0].points, 6u);
  expectRefused(plain, "coarsen i:2\ncoarsen i:2 stride", "clopt-group-shape",
                "side by side");
  expectRefused(plain, "coarsen i:2 stride\ncoarsen i:2", "clopt-group-shape",
                "a pass over the range apart");
  expectRefused(plain, "coarsen i:16\ncoarsen i:8", "clopt-step-value",
                "2 to 64");
}

TEST(CoarsenTest, LoopsAreNotWorkItems) {
  expectRefused(kernelOf("for (int k = 0; k < n; k++) r[k] = 1;"),
                "coarsen k:2", "", "'k' is a loop, not a work-item dimension");
}

static std::string groupKernel(const std::string &declarations,
                               const std::string &body) {
  return "__kernel __attribute__((reqd_work_group_size(16, 1, 1)))\n"
         "void f(__global float *a, __local float *given) {\n"
         "  int l = get_local_id(0), i = get_global_id(0);\n  " +
         declarations + "\n  " + body + "}";
}

TEST(CoarsenTest, GroupsWithTilesAreMerged) {
  const std::string source = groupKernel(
      "__local float t[16];",
      "t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[15 - l];");
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply("coarsen g0:4").message, "");
  EXPECT_TRUE(tested.kernel.mergesGroups());
  EXPECT_EQ(tested.kernel.work[0].points, 4u);
  ASSERT_EQ(variedLocals(tested.kernel).size(), 1u);
  EXPECT_EQ(variedLocals(tested.kernel)[0].first->name, "t");
}

TEST(CoarsenTest, WhatGroupsFillAlikeIsShared) {
  TestedKernel tested(groupKernel(
      "__local float t[16];",
      "t[l] = a[l]; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[15 - l];"));
  ASSERT_EQ(tested.apply("coarsen g0:2").message, "");
  EXPECT_TRUE(variedLocals(tested.kernel).empty());
}

TEST(CoarsenTest, MergedGroupsNeedTheirLocalMemory) {
  const char *const use =
      "t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[15 - l];";
  expectRefused(groupKernel("__local float t[3000];", use), "coarsen g0:4",
                "clopt-local-memory", "need 48000 bytes");
  expectTaken(groupKernel("__local float t[2000];", use), "coarsen g0:4");
  expectRefused(groupKernel("__local float t[16]; __local float *p = t;",
                            "p[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); "
                            "a[i] = p[15 - l];"),
                "coarsen g0:2", "clopt-group-shape", "'p' points to local");
}

TEST(CoarsenTest, ArraysOfTheHostAreCopied) {
  const std::string wait = " barrier(CLK_LOCAL_MEM_FENCE); ";
  const std::string source =
      groupKernel("", "given[l] = a[i];" + wait + "a[i] = given[15 - l];");
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply("coarsen g0:4").message, "");
  ASSERT_EQ(variedLocals(tested.kernel).size(), 1u);
  EXPECT_EQ(variedLocals(tested.kernel)[0].first->name, "given");
  // Cells that are reached count, also those of the host's own.
  expectTaken(groupKernel("", "given[l * 256] = a[i];" + wait +
                                  "a[i] = given[256 * (15 - l)];"),
              "coarsen g0:2");
  expectRefused(groupKernel("", "given[l * 256] = a[i];" + wait +
                                    "a[i] = given[256 * (15 - l)];"),
                "coarsen g0:4", "clopt-local-memory", "need 61456 bytes");
  // How many it needs is not known, or who writes them.
  for (const char *const use :
       {"given[l * get_num_groups(0)] = a[i];", "given[(int)a[l]] = a[i];",
        "given[l - 1] = a[i];", "*(given + l) = a[i];",
        "vstore2((float2)(1, a[i]), l, given);"})
    expectRefused(groupKernel("", use + wait + "a[i] = given[15 - l];"),
                  "coarsen g0:2", "clopt-group-shape",
                  "the host makes room for one 'given'");
  expectRefused(
      groupKernel("", "given += l; *given = a[i];" + wait + "a[i] = given[0];"),
      "coarsen g0:2", "clopt-group-shape", "points to local");
}

TEST(CoarsenTest, GroupsAreMergedInBlocks) {
  const std::string source = groupKernel("", "a[i] = l;");
  expectRefused(source, "coarsen g0:2 stride", "clopt-group-shape",
                "merged in blocks");
  expectTaken(source, "coarsen g0:2\ncoarsen g0:2");
  expectRefused("__kernel void f(__global float *a) {\n"
                "  __local float t[16]; t[get_local_id(0)] = 0;\n"
                "  a[get_global_id(1) * 9 + get_local_id(0)] = 1; }",
                "coarsen w1:2", "clopt-group-shape",
                "no ids within its groups along dimension 1");
}
