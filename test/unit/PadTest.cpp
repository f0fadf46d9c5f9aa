//===- PadTest.cpp - local arrays with gaps -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"
#include "Transform/Steps.h"

using namespace clopt;

static std::string withTile(const std::string &declaration,
                            const std::string &body) {
  return "int first(__local const int *t) { return t[0]; }\n"
         "__kernel __attribute__((reqd_work_group_size(32, 1, 1)))\n"
         "void f(__global int *a, __local int *p, volatile __global int *v) {\n"
         "  " +
         declaration + "\n  int l = get_local_id(0);\n" + body + "\n}\n";
}

static Refusal refusedIn(const std::string &declaration,
                         const std::string &body, const std::string &rule,
                         const std::string &part,
                         const std::string &steps = "pad t:1") {
  return expectRefused(withTile(declaration, body), steps, rule, part);
}

TEST(PadTest, RowsBecomeLonger) {
  TestedKernel tested(
      withTile("__local int t[32][32];", "t[l][0] = l; a[l] = t[0][l];"));
  ASSERT_EQ(tested.apply("pad t:1").message, "");
  ASSERT_EQ(tested.kernel.paddings.size(), 1u);
  EXPECT_EQ(tested.kernel.paddings[0].every, 0);
  EXPECT_EQ(tested.kernel.paddings[0].count, 1);
  EXPECT_EQ(declaredLocalBytes(tested.kernel), 32u * 33u * 4u);
}

TEST(PadTest, LinesGetGaps) {
  TestedKernel tested(
      withTile("__local int t[100];", "t[2 * l] = l; a[l] = t[l];"));
  ASSERT_EQ(tested.apply("pad t:2 every=16").message, "");
  EXPECT_EQ(tested.kernel.paddings[0].every, 16);
  // The last index, 99, becomes 99 + 6 * 2.
  EXPECT_EQ(declaredLocalBytes(tested.kernel), (100u + 6u * 2u) * 4u);
}

TEST(PadTest, AnySubscriptWillDo) {
  for (const char *body :
       {"t[a[l] & 31] = l;", "t[(l * l) & 31] = l; a[l] = t[l];",
        "for (int s = 1; s < 32; s *= 2) t[s] += l;",
        "atomic_add(&t[a[l] & 31], 1);", "while (t[l] < 4) t[l] += t[l + 1];"})
    expectTaken(withTile("__local int t[64];", body), "pad t:1");
}

TEST(PadTest, PointersIntoTheArray) {
  refusedIn("__local int t[32];", "__local int *q = t; q[l] = l;",
            "clopt-opaque-code", "as a whole");
  refusedIn("__local int t[32];", "__local int *q = &t[l]; *q = l;",
            "clopt-opaque-code", "address of a cell");
  refusedIn("__local int t[32];", "*(t + l) = l;", "clopt-opaque-code",
            "as a whole");
  refusedIn("__local int t[32];", "vstore4((int4)(l), l, t);",
            "clopt-opaque-code", "as a whole");
  refusedIn("__local int t[8][8];",
            "t[0][l] = 1; __local int *r = t[1]; *r = l;", "clopt-opaque-code",
            "as a whole");
}

TEST(PadTest, SizesOfObjects) {
  // The number that the author's text had.
  expectTaken(withTile("__local int t[32];", "t[l] = sizeof(t);"), "pad t:1");
}

TEST(PadTest, SubscriptsAreEvaluatedTwice) {
  refusedIn("__local int t[32];", "int i = l; t[i = i + 1] = l;",
            "clopt-opaque-code", "side effects");
  refusedIn("__local int t[32];", "t[atomic_inc(p)] = l;", "clopt-opaque-code",
            "side effects");
  refusedIn("__local int t[32];", "t[v[l] & 31] = l;", "clopt-opaque-code",
            "side effects");
  // Rows need no second evaluation.
  expectTaken(
      withTile("__local int t[8][32];", "int i = l; t[0][i = i + 1] = l;"),
      "pad t:1");
}

TEST(PadTest, OnlyTheKernelsOwnArrays) {
  refusedIn("", "p[l] = l;", "clopt-not-profitable", "declares itself",
            "pad p:1");
  refusedIn("", "a[l] = l;", "clopt-not-profitable", "declares itself",
            "pad a:1");
}

TEST(PadTest, PaddingsAddUp) {
  TestedKernel tested(withTile("__local int t[32];", "t[l] = l;"));
  ASSERT_EQ(tested.apply("pad t:1\npad t:2").message, "");
  ASSERT_EQ(tested.kernel.paddings.size(), 1u);
  EXPECT_EQ(tested.kernel.paddings[0].count, 3);
  refusedIn("__local int t[32];", "t[l] = l;", "clopt-not-profitable",
            "'t' has gaps after every 32 cells", "pad t:1\npad t:1 every=16");
  refusedIn("__local int t[32];", "t[l] = l;", "", "1 to 64",
            "pad t:60\npad t:5");
}

TEST(PadTest, LanesAndMergedGroupsHaveGapsToo) {
  std::string source =
      withTile("__local int t[64];", "for (int k = 0; k < 16; k++) t[k] = k;\n"
                                     "a[get_group_id(0)] = t[l];");
  for (const char *other : {"vectorize k:4", "coarsen g0:2"}) {
    expectTaken(source, std::string("pad t:1\n") + other);
    expectTaken(source, other + std::string("\npad t:1"));
  }
  // Of each of the groups.
  refusedIn("__local int t[4096];", "t[l] = get_group_id(0); a[l] = t[31 - l];",
            "clopt-not-profitable", "no longer fit", "coarsen g0:2\npad t:1");
}

TEST(PadTest, WhatEveryDeviceHasIsNotExceeded) {
  refusedIn("__local int t[8192];", "t[l] = l;", "clopt-not-profitable",
            "no longer fit");
}

TEST(PadTest, NumbersThatMakeNoSense) {
  refusedIn("__local int t[32];", "t[l] = l;", "", "from 1 to 4096",
            "pad t:1 every=5000");
  refusedIn("__local int t[32];", "t[l] = l;", "", "1 to 64", "pad t:65");
}
