//===- RequireTest.cpp - launches that the new code is for ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/ranges/TripCount.h"
#include "KernelTesting.h"

#include <isl/set.h>

using namespace clopt;

static std::string summing(const std::string &loop) {
  return "__kernel void f(__global float *a, __global const int *p, int n,\n"
         "                int m) {\n"
         "  int i = get_global_id(0);\n  float sum = 0;\n  " +
         loop + "\n    sum += a[k];\n  a[i] = sum; }";
}

/// The condition under which the loop runs `count` times; empty: not known.
static std::string conditionOf(const std::string &loop, int64_t count) {
  TestedKernel tested(summing(loop));
  std::optional<isl::set> enough =
      runsAtLeast(*tested.model, tested.loop("k"), count);
  if (!enough)
    return "";
  char *text = isl_set_to_str(
      isl::manage(isl_set_gist_params(enough->copy(),
                                      tested.model->paramContext.copy()))
          .get());
  std::string result = text;
  free(text);
  return result.substr(result.find("->") + 3);
}

TEST(RequireTest, IterationsAreCountedBetweenTheEnds) {
  EXPECT_EQ(conditionOf("for (int k = 0; k < n; k++)", 32), "{  : n >= 32 }");
  EXPECT_EQ(conditionOf("for (int k = 3; k <= n; k++)", 8), "{  : n >= 10 }");
  EXPECT_EQ(conditionOf("for (int k = m; k < n; k++)", 8),
            "{  : m <= -8 + n }");
  // 0, 4, 8: the third begins below n.
  EXPECT_EQ(conditionOf("for (int k = 0; k < n; k += 4)", 3), "{  : n >= 9 }");
  EXPECT_EQ(conditionOf("for (int k = n; k > 2; k--)", 5), "{  : n >= 7 }");
}

TEST(RequireTest, ConstantsAreKnown) {
  EXPECT_EQ(conditionOf("for (int k = 0; k < 10; k++)", 10), "{  :  }");
  EXPECT_EQ(conditionOf("for (int k = 0; k < 10; k++)", 11), "{  : false }");
}

TEST(RequireTest, BoundsOfWorkItemsCountForTheLaunch) {
  // Some work-item has so many iterations: [0, i) for i < gs0 + go0.
  std::string text = conditionOf("for (int k = 0; k < i; k++)", 8);
  EXPECT_NE(text.find("gs0"), std::string::npos) << text;
}

TEST(RequireTest, DataDoNotCount) {
  TestedKernel tested(summing("for (int k = 0; k < n; k++)"));
  EXPECT_EQ(tested.apply("require k:32").message, "");
  expectRefused(summing("for (int k = 0; k < 10; k++)"), "require k:11",
                "clopt-not-profitable", "never runs so often");
  expectTaken(summing("for (int k = 0; k < 10; k++)"), "require k:10");
}

TEST(RequireTest, TheLargestNumberHolds) {
  TestedKernel tested(summing("for (int k = 0; k < n; k++)"));
  ASSERT_EQ(tested.apply("require k:32\nrequire k:16 items=4096").message, "");
  EXPECT_EQ(tested.kernel.minIterations.at(tested.loop("k")), 32u);
  EXPECT_EQ(tested.kernel.minWorkItems, 4096u);
  ASSERT_EQ(tested.apply("require group=128").message, "");
  EXPECT_EQ(tested.kernel.minGroupSize, 128u);
}

TEST(RequireTest, LoopsAndNumbersAreNamed) {
  const std::string source = summing("for (int k = 0; k < n; k++)");
  expectRefused(source, "require i:32", "",
                "'i' is a work-item dimension, not a loop");
  expectRefused(source, "require k", "", "needs a number");
  expectRefused(source, "require k:4 size=3", "", "no parameter 'size'");
}
