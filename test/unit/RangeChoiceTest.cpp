//===- RangeChoiceTest.cpp - when an NDRange of its own pays --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/RangeChoice.h"

#include "KernelTesting.h"

#include <cstdlib>

using namespace clopt;

namespace {

/// The condition of an own NDRange with groups of 64 x 4; "always", if none.
std::string adviceFor(const std::string &body, const std::string &steps,
                      const std::string &device = "nvidia-hopper") {
  TestedKernel tested("__kernel void f(__global const float *restrict s,\n"
                      "                __global float *restrict r, int n) {\n"
                      "  int i = get_global_id(0), j = get_global_id(1);\n" +
                      body + " }\n");
  EXPECT_EQ(tested.apply(steps).message, "");
  llvm::Expected<DeviceProfile> profile = loadProfile(device);
  if (!profile)
    std::abort();
  PlanVariant variant;
  variant.launch.local = {"64", "4"};
  std::optional<PlanCondition> condition =
      ownRangePays(tested.kernel, variant, *profile);
  EXPECT_TRUE(!condition || condition->isAdvice);
  return condition ? condition->expression : "always";
}

const char *const longLoop =
    "for (int k = 0; k < n; k++) r[j * n + i] += s[j * n + k];";

} // namespace

TEST(RangeChoiceTest, KernelsThatEndSoonAlwaysGain) {
  EXPECT_EQ(adviceFor("r[j * n + i] = s[j * n + i];", "coarsen j:4"), "always");
  EXPECT_EQ(adviceFor("for (int k = 0; k < 16; k++)\n"
                      "  r[j * n + i] += s[j * n + k];",
                      "coarsen j:4"),
            "always");
}

TEST(RangeChoiceTest, LongKernelsGainByLargerGroups) {
  const std::string smaller = "get_local_size(0) * get_local_size(1) < 256";
  EXPECT_EQ(adviceFor(longLoop, "coarsen j:4"), smaller);
  EXPECT_EQ(adviceFor("for (int k = 0; k < 64; k++)\n"
                      "  for (int l = 0; l < 64; l++)\n"
                      "    r[j * n + i] += s[j * n + k * l];",
                      "coarsen j:4"),
            smaller);
}

TEST(RangeChoiceTest, DevicesThatRunWorkItemsInTurnAlwaysGain) {
  EXPECT_EQ(adviceFor(longLoop, "coarsen j:4", "cpu"), "always");
}
