//===- RoundsTest.cpp - several iterations of a strided loop at a time ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmissionTesting.h"

using namespace clopt;

/// A sum over every n-th element.
static std::string
sum(const std::string &body = "x += a[i];",
    const std::string &head = "uint i = get_global_id(0); i < (uint)n; i += "
                              "get_global_size(0)",
    const std::string &before = "") {
  return kernelOf(before + "float x = 0;\nfor (" + head + ") {\n" + body +
                  "\n}\nr[get_global_id(0)] = x;");
}

TEST(RoundsTest, SumsAreTaken) {
  expectTaken(sum(), "rounds i:4");
  expectTaken(sum(), "rounds i:16 together");
  expectTaken(sum("x = fmax(x, a[i] * b[i]);"), "rounds i:2");
  expectTaken(sum("if (a[i] > x) x = a[i];"), "rounds i:4 together");
  expectTaken(sum(), "rounds i:8 together\nrequire i:32 group=16");
}

TEST(RoundsTest, OthersAreNot) {
  expectRefused(sum(), "rounds i:1", "clopt-step-value",
                "2 to 16 iterations are taken at a time");
  expectRefused(sum(), "rounds i:17", "clopt-step-value",
                "2 to 16 iterations are taken at a time");
}

TEST(RoundsTest, BarriersNeedTheWholeGroup) {
  expectRefused(sum("x += a[i];",
                    "uint i = get_global_id(0); i < (uint)n; i += "
                    "get_global_size(0)",
                    "if (get_global_id(0) > 7) return;"),
                "rounds i:4 together", "clopt-barrier",
                "not all work-items of a group may come to the loop");
  expectRefused(sum("x += a[i];",
                    "uint i = 2 * get_global_id(0); i < (uint)n; i += "
                    "get_global_size(0)"),
                "rounds i:4 together", "clopt-barrier",
                "work-items of a group run the loop differently often");
  expectRefused(sum("x += a[i];",
                    "uint i = get_global_id(0); i < t; i += "
                    "get_global_size(0)",
                    "uint t = p[get_global_id(0)];"),
                "rounds i:4 together", "clopt-barrier",
                "work-items of a group run the loop differently often");
}

TEST(RoundsTest, LaunchesAreAskedFirst) {
  expectRefused(sum(), "rounds i:4\nrequire j:3", "", "no loop");
  expectRefused(sum("x += a[i];",
                    "uint i = get_global_id(0); i < t; i += "
                    "get_global_size(0)",
                    "uint t = p[0];"),
                "rounds i:4\nrequire i:32", "clopt-non-affine-control",
                "how often the loop runs is not known before it does");
}

/// Only loads of what the loop does not write come first.
TEST(RoundsTest, WhatIsWrittenIsLoadedInPlace) {
  auto body = [](const std::string &loop, const std::string &restricts) {
    return emittedBody(
        "__kernel void f(__global const float *" + restricts +
            " a, __global float *" + restricts +
            " r, __local float *t, int n) {\n"
            "  const int l = get_local_id(0);\n"
            "  for (int i = l; i < n; i += get_local_size(0)) {\n" +
            loop + "\n  }\n  r[l] = t[l]; }",
        "rounds i:2");
  };
  const std::string sum = body("t[l] += a[i];", "");
  EXPECT_TRUE(has(sum, "t[l] += a_at1;")) << sum;
  EXPECT_FALSE(has(sum, "t_at")) << sum;
  // Perhaps the same memory.
  EXPECT_FALSE(has(body("r[i] = a[i];", ""), "a_at"));
  EXPECT_TRUE(has(body("r[i] = a[i];", "restrict"), "a_at1 = a[i + i_step];"));
  EXPECT_FALSE(has(body("r[i + n] = r[i];", "restrict"), "r_at"));
}

/// Nor a load whose place lies in memory that is written, or where a pointer in
/// memory says.
TEST(RoundsTest, PlacesInMemoryThatIsWrittenAreReadInPlace) {
  auto body = [](const std::string &loop) {
    return emittedBody(
        "typedef struct { __global float *p; int n; } S;\n"
        "__kernel void f(__global const float *restrict x, __global int "
        "*restrict y,\n  __global S *restrict q, __global const float *a, int "
        "n) {\n  float s = 0;\n"
        "  for (int i = get_local_id(0); i < n; i += get_local_size(0)) {\n" +
            loop + "\n  }\n  y[n] = (int)s; }",
        "rounds i:2");
  };
  const std::string next = " y[i + get_local_size(0)] = 3;";
  EXPECT_FALSE(has(body("s += x[y[i]];" + next), "x_at"));
  EXPECT_FALSE(has(body("const int t = y[i]; s += x[t];" + next), "x_at"));
  EXPECT_TRUE(has(body("const int t = y[i]; s += x[t];"), "x_at1 = x[y_at1]"));
  EXPECT_TRUE(has(body("s += q[i].n + x[i];"), "q_at1 = q[i + i_step].n"));
  EXPECT_FALSE(has(body("s += q->p[i];"), "q_at1 = q->p[i"));
}

/// Addresses through variables of the iteration, unless it changes them.
TEST(RoundsTest, AddressesGoThroughVariables) {
  const std::string direct = emittedBody(
      sum("const uint b = i / 4u; const float v = a[b * 4u + 1u]; x += v;"),
      "rounds i:2");
  EXPECT_TRUE(has(direct, "a[(i + i_step) / 4u * 4u + 1u]")) << direct;
  const std::string changed = emittedBody(
      sum("uint b = i / 4u; b += (uint)x; x += a[b];"), "rounds i:2");
  EXPECT_FALSE(has(changed, "a_at")) << changed;
}
