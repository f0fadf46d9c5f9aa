//===- MapNestTest.cpp - when nests become blocks of pairs ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/MapNest.h"

#include "KernelTesting.h"
#include "Target/DeviceProfile.h"

using namespace clopt;

static std::string planOf(const std::string &body,
                          const std::string &target = "generic-gpu") {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n" + body));
  llvm::Expected<DeviceProfile> profile = loadProfile(target);
  EXPECT_TRUE(static_cast<bool>(profile));
  std::optional<Plan> plan =
      planMappedNest(tested.kernel, *profile, AliasMode::Check);
  return plan ? printSteps(plan->steps) : "";
}

/// The planned steps of a nest whose sums are `sum += ...` over k.
static std::string planOfSums(const std::string &outer, const std::string &sum,
                              const std::string &target = "generic-gpu") {
  return planOf("for (" + outer + ") {\n  float t = 0;\n" +
                    "  for (int k = 0; k < n; k++) t += " + sum +
                    ";\n  r[i * n + j] = t; }",
                target);
}

static const std::string required =
    "require    k:4\nrequire    items=256 group=32\n";

TEST(MapNestTest, PairsOfATriangleShareOperands) {
  for (const char *outer : {"int j = i; j < n; j++", "int j = 0; j < i; j++",
                            "int j = i; j >= 0; j--"})
    EXPECT_EQ(planOfSums(outer, "s[k * n + i] * s[k * n + j]"),
              "map        j\ncoarsen    i:8\n" + required)
        << outer;
}

TEST(MapNestTest, SumsInMemoryGoToRegisters) {
  EXPECT_EQ(planOf("for (int j = i; j < n; j++)\n"
                   "  for (int k = 0; k < n; k++)\n"
                   "    r[i * n + j] += s[k * n + i] * s[k * n + j];"),
            "privatize  r\nmap        j\ncoarsen    i:8\n" + required);
}

TEST(MapNestTest, LanesRunWhereCellsLieSideBySide) {
  EXPECT_EQ(planOfSums("int j = 0; j < n; j++", "s[i * n + k] * a[k * n + j]"),
            "map        j\ncoarsen    i:8\n" + required);
  EXPECT_EQ(planOfSums("int j = 0; j < n; j++", "s[j * n + k] * a[k * n + i]"),
            "map        j slow\ncoarsen    j:8\n" + required);
}

TEST(MapNestTest, RowsOnBothSidesAreLeftAlone) {
  EXPECT_EQ(planOfSums("int j = 0; j < n; j++", "s[i * n + k] * a[j * n + k]"),
            "");
}

TEST(MapNestTest, ManySumsMakeSmallBlocks) {
  EXPECT_EQ(planOf("for (int j = 0; j < n; j++) {\n"
                   "  float t = 0, u = 0;\n"
                   "  for (int k = 0; k < n; k++) {\n"
                   "    float d = s[k * n + i] - a[k * n + j];\n"
                   "    t += d * d; u += d; }\n"
                   "  r[i * n + j] = t * u; }"),
            "map        j\ncoarsen    i:4\nrequire    k:8\n"
            "require    items=256 group=32\n");
}

TEST(MapNestTest, OperandsOfOneSideGainNothing) {
  EXPECT_EQ(planOfSums("int j = 0; j < n; j++", "s[k * n + i] * 2"), "");
  EXPECT_EQ(planOfSums("int j = 0; j < n; j++", "s[(j * n + k) * n + i]"), "");
}

TEST(MapNestTest, ShortSumsStay) {
  EXPECT_EQ(planOf("for (int j = i; j < n; j++) {\n  float t = 0;\n"
                   "  for (int k = 0; k < 3; k++)\n"
                   "    t += s[k * n + i] * a[k * n + j];\n"
                   "  r[i * n + j] = t; }"),
            "");
}

TEST(MapNestTest, ValuesOfTheIterationBeforeKeepTheLoop) {
  EXPECT_EQ(planOf("float least = 0;\nfor (int j = i; j < n; j++) {\n"
                   "  float t = 0;\n"
                   "  for (int k = 0; k < n; k++)\n"
                   "    t += s[k * n + i] * a[k * n + j];\n"
                   "  least = fmin(least, t); }\n r[i] = least;"),
            "");
}

TEST(MapNestTest, OtherDevicesStay) {
  EXPECT_EQ(
      planOfSums("int j = i; j < n; j++", "s[k * n + i] * s[k * n + j]", "cpu"),
      "");
}
