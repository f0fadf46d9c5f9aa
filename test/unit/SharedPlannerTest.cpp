//===- SharedPlannerTest.cpp - when work-items share loops ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/SharedPlanner.h"

#include "KernelTesting.h"

using namespace clopt;

static const std::vector<std::string> anyOrder = {
    "-cl-unsafe-math-optimizations"};

static std::string planned(const std::string &loop, const std::string &target,
                           const std::vector<std::string> &flags = anyOrder) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\nfloat t = 0;\n" +
                               loop + "\nb[i] = t;"),
                      flags);
  std::optional<Plan> plan = planSharedLoops(
      tested.kernel, llvm::cantFail(loadProfile(target)), AliasMode::Check);
  std::string text;
  if (plan)
    for (const Step &step : plan->steps)
      text += step.name + " " + step.targets[0].name + "\n";
  return text;
}

TEST(SharedPlannerTest, RowsOfDataDependentLengthAreShared) {
  const std::string rows = "for (int k = p[i]; k < p[i + 1]; k++)\n"
                           "  t += a[k] * r[p[k]];";
  EXPECT_EQ(planned(rows, "nvidia-hopper"), "split-reduction k\n");
  EXPECT_EQ(planned(rows, "cpu"), "");
  EXPECT_EQ(planned(rows, "nvidia-hopper", {}), "");
}

TEST(SharedPlannerTest, NeighboursThatAreSideBySideStaySo) {
  EXPECT_EQ(planned("for (int k = 0; k < p[i]; k++) t += a[k * n + i];",
                    "nvidia-hopper"),
            "");
}

TEST(SharedPlannerTest, LoopsOfKnownLengthAreForOtherSteps) {
  EXPECT_EQ(planned("for (int k = 0; k < n; k++) t += a[i * n + k];",
                    "nvidia-hopper"),
            "");
}
