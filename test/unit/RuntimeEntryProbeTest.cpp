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
                                     __global uint *clopt_rt_entered0) {
    // Optimized by clopt:
    // - something
    const int end = n + 1; // {
    if (n >= 16) {
    if ((n < 9 || end > 5)) {
    if (get_local_size(0) == 8) {
    *clopt_rt_entered0 = 1u;
    } else { *clopt_rt_entered0 = 4u; }
    } else { *clopt_rt_entered0 = 3u; }
    } else { *clopt_rt_entered0 = 2u; }
    })"));
}

TEST(RuntimeEntryProbeTest, FurtherVersionsAreEntered) {
  const EntryProbe probe = makeEntryProbe(author, R"(
__kernel void k(__global float *a, int n) {
    // Optimized by clopt:
    if (n >= 16) {
        a[0] = 3;
        return;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // Optimized by clopt for other launches:
    const int end = n + 1;
    if (end < 9 && n > 2) {
        a[0] = 4;
        return;
    }
    if (n > 3) { a[0] = 1; return; }
    a[1] = 2;
}
)");
  EXPECT_EQ(probe.kernels.at("k").conditions,
            std::vector<std::string>{"n >= 16"});
  EXPECT_EQ(dense(probe.source),
            dense(R"(__kernel void k(__global float *a, int n,
                                     __global uint *clopt_rt_entered0) {
    // Optimized by clopt:
    if (n >= 16) {
    *clopt_rt_entered0 = 1u;
    } else { *clopt_rt_entered0 = 2u; }
    // Optimized by clopt for other launches:
    const int end = n + 1;
    if (end < 9 && n > 2) {
    *clopt_rt_entered0 = 1u;
    }
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
      int n, __global uint *clopt_rt_entered0) { *clopt_rt_entered0 = 1u; })"));
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
__kernel void k(__global float *a, int n, __global uint *clopt_rt_entered0) {
#if N == 4
    // Optimized by clopt:
    if (n > 1) { *clopt_rt_entered0 = 1u; } else { *clopt_rt_entered0 = 2u; }
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
       {"k(__globalfloat*a,intn,__globaluint*clopt_rt_entered0);",
        "voidsame(__globaluint*clopt_rt_entered1){}",
        "voidother(__globaluint*clopt_rt_entered2){}"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(RuntimeEntryProbeTest, NamesThatMacrosMake) {
  const std::string begin = "#define NAME(x, type) x##_##type\n";
  const std::string body =
      "__kernel void NAME(k, float)(__global float *a, int n)\n"
      "{ if (n > 3) a[0] = 1; }\n";
  const EntryProbe probe =
      makeEntryProbe(begin + body + body, begin + body + R"(
__kernel void NAME(k, int) /* */ (__global int *a)
{
    // Optimized by clopt:
    if (a[0] > 1) { a[0] = 1; return; }
}
__kernel __attribute__((vec_type_hint(int)))
void __attribute__((reqd_work_group_size(8, 1, 1))) NAME(none, )(void) {}
)");
  // The name that the text has. The device knows the others.
  EXPECT_EQ(probe.kernels.at("NAME(k,int)").body, Body::New);
  EXPECT_EQ(probe.kernels.at("NAME(k,int)").conditions,
            std::vector<std::string>{"a[0] > 1"});
  EXPECT_EQ(probe.kernels.at("NAME(none,)").body, Body::Unknown);
  ASSERT_EQ(probe.definitions.size(), 3u);
  EXPECT_EQ(probe.definitions[1].mark, "clopt_rt_entered1");
  EXPECT_EQ(probe.definitions[1].body, Body::New);
  const std::string text = dense(probe.source);
  for (const char *part :
       {"NAME(k,float)(__globalfloat*a,intn,__globaluint*clopt_rt_entered0){}",
        "NAME(k,int)/**/(__globalint*a,__globaluint*clopt_rt_entered1){",
        "if(a[0]>1){*clopt_rt_entered1=1u;}else{*clopt_rt_entered1=2u;}",
        "NAME(none,)(__globaluint*clopt_rt_entered2){}"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

// One definition in the text may be several kernels, or none, but each has a
// mark of its own.
TEST(RuntimeEntryProbeTest, OneNameForSeveralKernels) {
  const std::string plain = "__kernel void NAME(k)(int n) { n++; }\n";
  const EntryProbe probe = makeEntryProbe(
      plain + plain, "#define NAME(x) x##1\n" + plain +
                         "#undef NAME\n#define NAME(x) x##2\n"
                         "__kernel void NAME(k)(int n) {\n"
                         "// Optimized by clopt:\n if (n > 1) { n++; return; }"
                         "\n}\n");
  ASSERT_EQ(probe.definitions.size(), 2u);
  EXPECT_NE(probe.definitions[0].body, Body::New);
  EXPECT_EQ(probe.definitions[1].body, Body::New);
  EXPECT_NE(probe.definitions[0].mark, probe.definitions[1].mark);
}

TEST(RuntimeEntryProbeTest, NothingToTell) {
  EXPECT_TRUE(makeEntryProbe("", "").source.empty());
  EXPECT_TRUE(makeEntryProbe("", "float kernel_x; // __kernel").source.empty());
  EXPECT_TRUE(makeEntryProbe("", "__kernel void k(").source.empty());
  EXPECT_TRUE(makeEntryProbe("", "__kernel void k() {").source.empty());
  EXPECT_TRUE(makeEntryProbe("", "__kernel").source.empty());
  for (const char *cut : {"__kernel void NAME(k)(", "__kernel void NAME(k",
                          "__kernel void __attribute__((packed",
                          "__kernel void", "__kernel void __attribute__"})
    EXPECT_TRUE(makeEntryProbe("", cut).source.empty()) << cut;
  EXPECT_TRUE(makeEntryProbe("", "__kernel void k(int clopt_rt_entered) {}")
                  .source.empty());
}

} // namespace

} // namespace clopt::runtime
