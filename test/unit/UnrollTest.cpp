//===- UnrollTest.cpp - several copies of a loop body ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

using namespace clopt;

static std::string loopOf(const std::string &head) {
  return kernelOf("for (" + head + ") r[k] = s[k];");
}

/// F21.
TEST(UnrollTest, CountsAreKept) {
  TestedKernel tested(loopOf("int k = 0; k < n; k++"));
  ASSERT_EQ(tested.apply("unroll k:4").message, "");
  EXPECT_EQ(findLoop(tested.kernel.tree, tested.loop("k"))->unroll, 4u);
  ASSERT_EQ(tested.apply("unroll k:2").message, "");
  EXPECT_EQ(findLoop(tested.kernel.tree, tested.loop("k"))->unroll, 8u);
}

TEST(UnrollTest, ACompleteUnrollingNeedsAConstantTripCount) {
  TestedKernel tested(loopOf("int k = 0; k < 5; k++"));
  ASSERT_EQ(tested.apply("unroll k").message, "");
  EXPECT_EQ(findLoop(tested.kernel.tree, tested.loop("k"))->unroll, 0u);
  Refusal refusal = expectRefused(loopOf("int k = 0; k < n; k++"), "unroll k",
                                  "clopt-not-profitable",
                                  "the number of iterations is not constant");
  EXPECT_EQ(refusal.hint, "give a number of copies");
}

TEST(UnrollTest, TheTripCountIsExact) {
  expectTaken(loopOf("int k = 0; k < 64; k++"), "unroll k");
  expectRefused(loopOf("int k = 0; k < 65; k++"), "unroll k",
                "clopt-not-profitable", "too many iterations");
  expectTaken(loopOf("int k = 0; k < 128; k += 2"), "unroll k");
  expectRefused(loopOf("int k = 0; k < 129; k += 2"), "unroll k",
                "clopt-not-profitable", "too many iterations");
  expectTaken(loopOf("int k = 63; k >= 0; k--"), "unroll k");
  expectTaken(loopOf("int k = n; k < n + 3; k++"), "unroll k");
}

TEST(UnrollTest, AWindowAroundAnOuterIteratorIsConstant) {
  expectTaken(kernelOf("for (int j = 1; j < n; j++)\n"
                       "  for (int k = j - 1; k <= j + 1; k++) r[j] += s[k];"),
              "unroll k");
}

TEST(UnrollTest, Refusals) {
  expectRefused(loopOf("int k = 0; k < n; k++"), "unroll k:65",
                "clopt-step-value", "at most 64 copies");
  // 2^32 copies are not none.
  for (const char *steps : {"unroll k:33", "unroll k:67108864"})
    expectRefused(loopOf("int k = 0; k < n; k++"),
                  std::string("unroll k:64\n") + steps, "clopt-step-value",
                  "at most 64 copies");
  expectRefused(loopOf("int k = 0; k < n; k++"), "unroll q:2", "",
                "no loop or work-item dimension 'q'");
  expectRefused(kernelOf("r[get_global_id(0)] = 1;"), "unroll w0:2", "",
                "'w0' is a work-item dimension, not a loop");
}
