//===- SharedRowsTest.cpp - several work-items for a row ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/SharedRows.h"
#include "KernelTesting.h"

using namespace clopt;

static std::string stepsOf(const std::string &body, bool hasLocalMemory = true,
                           const std::vector<std::string> &flags = {}) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n" + body), flags);
  DeviceProfile profile;
  profile.localMemoryIsReal = hasLocalMemory;
  return printSteps(
      stepsForSharedRows(tested.kernel, profile, AliasMode::Check));
}

static const std::string scan = "int t = 0;\nfor (int k = 0; k < m; k++) {\n"
                                "  t += p[i * m + k];\n  r[i * m + k] = t; }";

TEST(SharedRowsTest, F33RowsOfIntegersAreScanned) {
  EXPECT_EQ(stepsOf(scan), "split-reduction k:32\nrequire    k:128\n");
  EXPECT_EQ(stepsOf(scan, false), "");
}

TEST(SharedRowsTest, FractionsNeedPermission) {
  const std::string sums = "r[i] = 0;\nfor (int k = 0; k < m; k++)\n"
                           "  r[i] += s[i * m + k];";
  EXPECT_EQ(stepsOf(sums), "");
  EXPECT_EQ(stepsOf(sums, true, {"-cl-unsafe-math-optimizations"}),
            "privatize  r\nsplit-reduction k:32\nrequire    k:128\n");
}

TEST(SharedRowsTest, AllLoopsOrNone) {
  const std::string both = "int t = 0, u = 1;\nfor (int k = 0; k < m; k++)\n"
                           "  t += p[i * m + k];\n"
                           "for (int l = 0; l < m; l++)\n";
  EXPECT_EQ(stepsOf(both + "  r[i * m + l] = t;"),
            "split-reduction k:32\nrequire    k:128\n"
            "split-reduction l:32\nrequire    l:128\n");
  EXPECT_EQ(stepsOf(both + "  u = u * 3 + p[i * m + l];\nr[i] = t + u;"), "");
  // Such a loop stays with one of them.
  EXPECT_EQ(stepsOf("int t = 0;\nfor (int k = 0; k < m; k++)\n"
                    "  t += p[i * m + k];\nfor (int l = 0; l < 3; l++)\n"
                    "  r[i * 3 + l] = t;"),
            "split-reduction k:32\nrequire    k:128\n");
}

TEST(SharedRowsTest, LanesByTheKnownLength) {
  auto sums = [](const std::string &length) {
    return stepsOf("int t = 0;\nfor (int k = 0; k < " + length +
                   "; k++)\n  t += p[i * 4096 + k];\nr[i] = t;");
  };
  EXPECT_EQ(sums("4096"), "split-reduction k:128\n");
  EXPECT_EQ(sums("256"), "split-reduction k:64\n");
  EXPECT_EQ(sums("128"), "split-reduction k:32\n");
  EXPECT_EQ(sums("127"), "");
}

TEST(SharedRowsTest, ColumnsAreCoalescedAlready) {
  EXPECT_EQ(stepsOf("int t = 0;\nfor (int k = 0; k < m; k++)\n"
                    "  t += p[k * n + i];\nr[i] = t;"),
            "");
}

TEST(SharedRowsTest, WhatOthersNeedAsWellIsForTiles) {
  const std::string product =
      "int j = get_global_id(1);\nint t = 0;\nfor (int k = 0; k < m; k++)\n";
  EXPECT_EQ(stepsOf(product + "  t += p[i * m + k] * p[j * m + k];\n"
                              "r[j * n + i] = t;"),
            "");
  // A row for each of them; weights that all of them read.
  EXPECT_EQ(stepsOf(product + "  t += p[(j * n + i) * m + k] * p[k];\n"
                              "r[j * n + i] = t;"),
            "split-reduction k:32\nrequire    k:128\n");
  // Neighbours write side by side.
  EXPECT_EQ(stepsOf("for (int k = 0; k < m; k++)\n"
                    "  r[k * n + i] = s[i * m + k];"),
            "");
}

TEST(SharedRowsTest, LengthsThatAreDataStay) {
  EXPECT_EQ(stepsOf("int t = 0;\nfor (int k = p[i]; k < p[i + 1]; k++)\n"
                    "  t += p[k];\nr[i] = t;"),
            "");
}
