//===- RowPlannerTest.cpp - plans for work-items with a row each ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/RowPlanner.h"
#include "KernelTesting.h"

using namespace clopt;

static std::string planOf(const std::string &body, bool hasLocalMemory = true) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n" + body));
  DeviceProfile profile;
  profile.localMemoryIsReal = hasLocalMemory;
  std::optional<Plan> plan = planRows(tested.kernel, profile, AliasMode::Check);
  return plan ? printSteps(plan->steps) : "";
}

static const char *const scan = "float t = 0;\nfor (int k = 0; k < m; k++) {\n"
                                "  t += s[i * m + k];\n  r[i * m + k] = t; }";

TEST(RowPlannerTest, RowsOfWorkItemsGoThroughRegisters) {
  EXPECT_EQ(planOf(scan), "tile       k:32\nstage      r private\n"
                          "stage      s private\nrequire    k:32\n");
}

TEST(RowPlannerTest, RowsThatTheCacheHasForOthersAreTwoTilesLong) {
  EXPECT_EQ(planOf("int j = get_global_id(1);\nfloat t = 0;\n"
                   "for (int k = 0; k < m; k++)\n"
                   "  t += s[i * m + k] * a[j * m + k];\nr[j * n + i] = t;"),
            "tile       k:32\nstage      s private\nrequire    k:64\n");
}

TEST(RowPlannerTest, DevicesWithoutLocalMemoryHaveCaches) {
  EXPECT_EQ(planOf(scan, false), "");
}

TEST(RowPlannerTest, MoreRowsHaveShorterTiles) {
  EXPECT_EQ(planOf("for (int k = 0; k < m; k++)\n"
                   "  r[i * m + k] = s[i * m + k] * a[i * m + k];"),
            "tile       k:16\nstage      a private\n"
            "stage      r private\nstage      s private\nrequire    k:16\n");
}

TEST(RowPlannerTest, CoalescedAccessesStay) {
  EXPECT_EQ(planOf("float t = 0;\nfor (int k = 0; k < m; k++)\n"
                   "  t += s[k * n + i];\nr[i] = t;"),
            "");
  EXPECT_EQ(planOf("float t = 0;\nfor (int k = 0; k < m; k++)\n"
                   "  t += s[i + k];\nr[i] = t;"),
            "");
}

TEST(RowPlannerTest, ShortLoopsStay) {
  EXPECT_EQ(planOf("float t = 0;\nfor (int k = 0; k < 16; k++)\n"
                   "  t += s[i * 16 + k];\nr[i] = t;"),
            "");
}

TEST(RowPlannerTest, StretchesBeginWhereTheIdSays) {
  EXPECT_EQ(planOf("float t = 0;\nint first = i * 64;\n"
                   "for (int k = first; k < min(first + 64, n); k++)\n"
                   "  t += s[k];\nr[i] = t;"),
            "tile       k:16\nstage      s private\nrequire    group=32\n");
  EXPECT_EQ(planOf("float t = 0;\nfor (int k = i; k < i + 64; k++)\n"
                   "  t += s[k];\nr[i] = t;"),
            "");
}

TEST(RowPlannerTest, AllRowsOrNone) {
  EXPECT_EQ(planOf("for (int k = 0; k < m; k++)\n"
                   "  r[i * m + k] += r[i * m + k + 40] * s[i * m + k];"),
            "");
}

TEST(RowPlannerTest, RowsMayBeUpdated) {
  EXPECT_EQ(planOf("for (int k = 0; k < m; k++)\n"
                   "  r[i * m + k] += s[i * m + k];"),
            "tile       k:32\nstage      r private\nstage      s "
            "private\nrequire    k:32\n");
  // One cell comes from the tile before: 33 would be too many.
  EXPECT_EQ(planOf("for (int k = 1; k < m; k++)\n"
                   "  r[i * m + k] += r[i * m + k - 1];"),
            "tile       k:16\nstage      r private\nrequire    k:16\n");
}

TEST(RowPlannerTest, SumsInMemoryAreKeptInRegisters) {
  EXPECT_EQ(planOf("for (int k = 0; k < m; k++) r[i] += s[i * m + k];"),
            "privatize  r\ntile       k:32\nstage      s private\n"
            "require    k:32\n");
}

TEST(RowPlannerTest, KernelsWithLocalMemoryShareTheirRows) {
  EXPECT_EQ(planOf("__local float l[64];\nfloat t = 0;\n"
                   "for (int k = 0; k < m; k++) t += s[i * m + k];\n"
                   "l[get_local_id(0)] = t;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
                   "r[i] = l[0];"),
            "");
}

TEST(RowPlannerTest, EveryLoopHasItsTiles) {
  EXPECT_EQ(
      planOf("float t = 0;\nfor (int k = 0; k < m; k++) t += s[i * m + k];\n"
             "for (int l = 0; l < m; l++) r[i * m + l] = s[i * m + l] / t;"),
      "tile       k:32\nstage      s private\nrequire    k:32\n"
      "tile       l:32\nstage      r private\nstage      s private\n"
      "require    l:32\n");
}
