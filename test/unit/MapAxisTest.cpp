//===- MapAxisTest.cpp - when a loop becomes a dimension ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/MapAxis.h"

#include "KernelTesting.h"
#include "Target/DeviceProfile.h"

using namespace clopt;

static std::string planOf(const std::string &body,
                          const std::string &target = "generic-gpu") {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n" + body));
  llvm::Expected<DeviceProfile> profile = loadProfile(target);
  EXPECT_TRUE(static_cast<bool>(profile));
  std::optional<Plan> plan =
      planMappedLoop(tested.kernel, *profile, AliasMode::Check);
  return plan ? printSteps(plan->steps) : "";
}

TEST(MapAxisTest, RowsOfTheirOwnAreWalkedTogether) {
  EXPECT_EQ(
      planOf("for (int k = 1; k < n; k++)\n"
             "  r[i * n + k] = s[i * n + k] - s[i * n + k - 1];"),
      "map        k\nvectorize  k:2\ncoarsen    i:4\nrequire    items=256\n");
}

TEST(MapAxisTest, OverwrittenCellsGoToRegistersFirst) {
  EXPECT_EQ(planOf("for (int k = 0; k < n; k++) {\n"
                   "  r[i] = s[i * n + k]; a[i * n + k] = r[i] * 2; }"),
            "privatize  r\nmap        k\nvectorize  k:2\ncoarsen    "
            "i:4\nrequire    items=256\n");
}

TEST(MapAxisTest, CoalescedAccessesStay) {
  EXPECT_EQ(planOf("for (int k = 0; k < n; k++) r[k * n + i] = s[k * n + i];"),
            "");
}

TEST(MapAxisTest, SumsStay) {
  EXPECT_EQ(planOf("for (int k = 0; k < n; k++) r[i] += s[i * n + k];"), "");
}

TEST(MapAxisTest, OtherDevicesStay) {
  EXPECT_EQ(
      planOf("for (int k = 0; k < n; k++) r[i * n + k] = s[i * n + k];", "cpu"),
      "");
}
