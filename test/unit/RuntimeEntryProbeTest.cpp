//===- RuntimeEntryProbeTest.cpp - which launches take the new body -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/EntryProbe.h"

#include <gtest/gtest.h>

namespace clopt::runtime {

namespace {

using Body = KernelEntry::Body;

constexpr const char *author = R"(__kernel void k(__global float *a, int n) {
    if (n > 3) { a[0] = 1; return; }
    a[1] = 2;
}
)";

/// `text` without white space.
std::string dense(const std::string &text) {
  std::string result;
  for (char c : text)
    if (c != ' ' && c != '\n')
      result += c;
  return result;
}

TEST(RuntimeEntryProbeTest, KeepsTheConditionsAlone) {
  const EntryProbe probe = makeEntryProbe(author, R"(
__kernel void k(__global float *a, int n) {
    // Optimized by clopt:
    // - something
    const int end = n + 1; // {
    if (n >= 16 && (n < 9 || end > 5) &&
        get_local_size(0) == 8) {
        for (int i = 0; i < n; i++) { a[i] = 3; }
        return;
    }
    if (n > 3) { a[0] = 1; return; }
    a[1] = 2;
}
)");
  ASSERT_EQ(probe.kernels.count("k"), 1u);
  const KernelEntry &entry = probe.kernels.at("k");
  EXPECT_EQ(entry.body, Body::New);
  EXPECT_EQ(entry.conditions,
            (std::vector<std::string>{"n >= 16", "(n < 9 || end > 5)",
                                      "get_local_size(0) == 8"}));
  EXPECT_EQ(dense(probe.source),
            dense(R"(__kernel void k(__global float *a, int n,
                                     __global uint *clopt_rt_entered) {
    // Optimized by clopt:
    // - something
    const int end = n + 1; // {
    if (n >= 16) {
    if ((n < 9 || end > 5)) {
    if (get_local_size(0) == 8) {
    *clopt_rt_entered = 1u;
    } else { *clopt_rt_entered = 4u; }
    } else { *clopt_rt_entered = 3u; }
    } else { *clopt_rt_entered = 2u; }
    })"));
}

TEST(RuntimeEntryProbeTest, WithoutConditionsEveryLaunchEnters) {
  const EntryProbe probe = makeEntryProbe(author, R"(
__kernel void k(__global float *a, int n) {
    // Optimized by clopt:
    const int x = 1;
    if (x > n)
        return;
    if (x > n) { return; }
    if (x == n) { a[0] = 1; }
}
)");
  EXPECT_TRUE(probe.kernels.at("k").conditions.empty());
  EXPECT_EQ(dense(probe.source), dense(R"(__kernel void k(__global float *a,
      int n, __global uint *clopt_rt_entered) { *clopt_rt_entered = 1u; })"));
}

TEST(RuntimeEntryProbeTest, OtherOperatorsAreOneCondition) {
  const EntryProbe probe = makeEntryProbe(author, R"(
__kernel void k(__global float *a, int n) {
    // Optimized by clopt:
    if (n > 1 && n < 5 || n == 7) { a[0] = 1; return; }
}
)");
  EXPECT_EQ(probe.kernels.at("k").conditions,
            (std::vector<std::string>{"n > 1 && n < 5 || n == 7"}));
}

TEST(RuntimeEntryProbeTest, DirectivesStay) {
  const EntryProbe probe = makeEntryProbe(author, R"(
#define N 4
__kernel void k(__global float *a, int n) {
#if N == 4
    // Optimized by clopt:
    if (n > 1) {
        #pragma unroll 2
        for (;;) { a[0] = 1; }
        return;
    }
#else
    a[1] = 2;
#endif
}
)");
  EXPECT_EQ(dense(probe.source), dense(R"(
#define N 4
__kernel void k(__global float *a, int n, __global uint *clopt_rt_entered) {
#if N == 4
    // Optimized by clopt:
    if (n > 1) { *clopt_rt_entered = 1u; } else { *clopt_rt_entered = 2u; }
#else
#endif
})"));
}

TEST(RuntimeEntryProbeTest, WhatBecameOfEachKernel) {
  const std::string same = "kernel __attribute__((reqd_work_group_size(8, 1, "
                           "1))) void same(void) { /* a */ ; }\n";
  const EntryProbe probe = makeEntryProbe(
      author + same + "__kernel void other() {}\n",
      "__kernel void k(__global float *a, int n);\n" + std::string(author) +
          "kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n"
          "void same(void) { /* b */ ; }\n__kernel void other() { ; }\n");
  EXPECT_EQ(probe.kernels.at("k").body, Body::Unchanged);
  EXPECT_EQ(probe.kernels.at("same").body, Body::Unchanged);
  EXPECT_EQ(probe.kernels.at("other").body, Body::Unknown);
  const std::string text = dense(probe.source);
  for (const char *part :
       {"k(__globalfloat*a,intn,__globaluint*clopt_rt_entered);",
        "voidsame(__globaluint*clopt_rt_entered){}",
        "voidother(__globaluint*clopt_rt_entered){}"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(RuntimeEntryProbeTest, NothingToTell) {
  EXPECT_TRUE(makeEntryProbe("", "").source.empty());
  EXPECT_TRUE(makeEntryProbe("", "float kernel_x; // __kernel").source.empty());
  EXPECT_TRUE(makeEntryProbe("", "__kernel void k(").source.empty());
  EXPECT_TRUE(makeEntryProbe("", "__kernel void k() {").source.empty());
  EXPECT_TRUE(makeEntryProbe("", "__kernel").source.empty());
  EXPECT_TRUE(makeEntryProbe("", "__kernel void k(int clopt_rt_entered) {}")
                  .source.empty());
}

} // namespace

} // namespace clopt::runtime
