//===- LoopOrderTest.cpp - which of two nested loops is the inner one -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/LoopOrder.h"

#include "KernelTesting.h"

using namespace clopt;

static std::string orderFor(const std::string &body, bool isCpu = true) {
  TestedKernel tested(kernelOf("int w = get_global_id(0);\n" + body));
  DeviceProfile profile;
  profile.spreadWorkItems = isCpu;
  profile.lineBytes = 64;
  return printSteps(orderLoops(tested.kernel, profile, AliasMode::Check));
}

TEST(LoopOrderTest, RowsAreWalkedAlong) {
  const std::string columns = "for (int i = 0; i < n; i++)\n"
                              "  for (int j = 0; j < n; j++)\n"
                              "    r[w * n + i] += s[j * n + i];";
  EXPECT_EQ(orderFor(columns), "interchange i j\n");
  EXPECT_EQ(orderFor(columns, false), "");
}

TEST(LoopOrderTest, WhatIsInOrderStays) {
  EXPECT_EQ(orderFor("for (int i = 0; i < n; i++)\n"
                     "  for (int j = 0; j < n; j++)\n"
                     "    r[w * n + i] += s[i * n + j];"),
            "");
  // As many lines one way as the other.
  EXPECT_EQ(orderFor("for (int i = 0; i < n; i++)\n"
                     "  for (int j = 0; j < n; j++)\n"
                     "    r[i * n + j] = s[j * n + i];"),
            "");
}

TEST(LoopOrderTest, ShortLoopsKeepTheirLines) {
  EXPECT_EQ(orderFor("for (int i = 0; i < n; i++)\n"
                     "  for (int j = 0; j < 8; j++)\n"
                     "    r[w * n + i] += s[j * n + i];"),
            "");
}

TEST(LoopOrderTest, LanesAlongWorkItemsAreBetter) {
  EXPECT_EQ(orderFor("for (int i = 0; i < n; i++)\n"
                     "  for (int j = 0; j < n; j++)\n"
                     "    r[i * n + w] += s[j * n + i];"),
            "");
}

TEST(LoopOrderTest, OnlyWhatIsLegal) {
  EXPECT_EQ(orderFor("for (int i = 1; i < n; i++)\n"
                     "  for (int j = 0; j < n - 1; j++)\n"
                     "    r[j * n + i] = r[(j + 1) * n + i - 1];"),
            "");
}

static std::string blocksFor(const std::string &inner,
                             const std::string &lanes = "i",
                             bool isCpu = true) {
  TestedKernel tested(kernelOf("int w = get_global_id(0);\n"
                               "for (int i = 0; i < n; i++)\n"
                               "  for (int j = 0; j < n; j++)\n    " +
                               inner));
  DeviceProfile profile;
  profile.spreadWorkItems = isCpu;
  profile.lineBytes = 64;
  Step vectorize;
  vectorize.name = "vectorize";
  vectorize.targets = {{lanes, 8}};
  return printSteps(
      blockNests(tested.kernel, {vectorize}, profile, AliasMode::Check));
}

TEST(LoopOrderTest, TransposesAreBlocked) {
  const std::string transpose =
      "r[(w * n + j) * n + i] = s[(w * n + i) * n + j];";
  EXPECT_EQ(blocksFor(transpose), "tile       i:32 j:16\n");
  EXPECT_EQ(blocksFor(transpose, "j"), ""); // stores would be scattered
  EXPECT_EQ(blocksFor(transpose, "i", false), "");
  EXPECT_EQ(blocksFor("r[(w * n + i) * n + j] = s[(w * n + j) * n + i];"), "");
  EXPECT_EQ(blocksFor("r[(w * n + j) * n + i] = s[(w * n + j) * n + i];"), "");
}
