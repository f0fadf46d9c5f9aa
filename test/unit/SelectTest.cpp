//===- SelectTest.cpp - which branches the fast version takes -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Selections.h"
#include "KernelTesting.h"

using namespace clopt;

static std::string stencil(const std::string &index) {
  return kernelOf("int x = get_global_id(0);\nif (x >= n) return;\n"
                  "float t = 0;\nfor (int i = -1; i <= 1; i++) {\n"
                  "  t += a[" +
                  index + "]; }\nr[x] = t;");
}

/// The offset of the only read of `a` away from the borders.
static std::string resolvedOffset(const std::string &source,
                                  const std::string &steps) {
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(steps).message, "") << source;
  KernelModel resolved = resolveModel(*tested.model, tested.kernel.selections);
  for (const Access &access : resolved.accesses)
    if (access.array == tested.array("a") && access.offset)
      return access.offset->str(
          [&](SymbolId id) { return resolved.symbols.name(id); });
  return "";
}

/// F20.
TEST(SelectTest, TheInnerBranchIsTaken) {
  for (const char *index :
       {"min(max(x + i, 0), n - 1)", "clamp(x + i, 0, n - 1)",
        "x + i < 0 ? 0 : x + i >= n ? n - 1 : x + i",
        "x + i < 0 ? x + i + n : x + i >= n ? x + i - n : x + i",
        "x + i < 0 ? -x - i : x + i >= n ? 2 * n - 2 - x - i : x + i",
        "min(n - 1, max(0, x + i))"})
    EXPECT_EQ(resolvedOffset(stencil(index), "select a"), "w0 + i") << index;
}

TEST(SelectTest, VariablesNameTheirChoices) {
  std::string source = kernelOf("int x = get_global_id(0);\n"
                                "int left = x > 0 ? x - 1 : 0;\n"
                                "int right = x < n - 1 ? x + 1 : n - 1;\n"
                                "r[x] = a[left] + b[right];");
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply("select left").message, "");
  EXPECT_EQ(tested.kernel.selections.size(), 1u);
  ASSERT_EQ(tested.apply("select right").message, "");
  EXPECT_EQ(tested.kernel.selections.size(), 2u);
}

TEST(SelectTest, TheLargerSideIsTaken) {
  // The branch for one work-item, and the one for all others.
  EXPECT_EQ(resolvedOffset(kernelOf("int x = get_global_id(0);\n"
                                    "r[x] = a[x == n - 1 ? 0 : x + 1];"),
                           "select a"),
            "w0 + 1");
  EXPECT_EQ(resolvedOffset(kernelOf("int x = get_global_id(0);\n"
                                    "r[x] = a[x < 3 ? 7 : x];"),
                           "select a"),
            "w0");
}

TEST(SelectTest, UnguardedEndsAreTheOtherBranch) {
  EXPECT_EQ(resolvedOffset(kernelOf("int x = get_global_id(0);\n"
                                    "r[x] = a[min(x + 1, n - 1)];"),
                           "select a"),
            "w0 + 1");
  EXPECT_EQ(resolvedOffset(kernelOf("int x = get_global_id(0);\n"
                                    "r[x] = a[max(x - m, 0)];"),
                           "select a"),
            "w0 - m");
}

/// F20.
TEST(SelectTest, GuardedLoadsAreChoices) {
  TestedKernel tested(kernelOf("int x = get_global_id(0);\n"
                               "r[x] = x > 0 ? a[x - 1] : 0.0f;"));
  ASSERT_EQ(tested.apply("select a").message, "");
  KernelModel resolved = resolveModel(*tested.model, tested.kernel.selections);
  EXPECT_EQ(findReplacements(*tested.model, resolved, tested.kernel.selections)
                .size(),
            1u);
}

TEST(SelectTest, ThereIsAFastVersionWithoutMergedWorkItems) {
  TestedKernel tested(stencil("max(x + i, 0)"));
  EXPECT_FALSE(tested.kernel.hasFastTiles());
  ASSERT_EQ(tested.apply("select a").message, "");
  EXPECT_TRUE(tested.kernel.hasFastTiles());
  EXPECT_FALSE(tested.kernel.isVirtual());
}

TEST(SelectTest, RefusedWithoutChoices) {
  expectRefused(stencil("x"), "select a", "clopt-not-profitable", "choice");
  expectRefused(stencil("x"), "select q", "", "no array or variable 'q'");
  expectRefused(stencil("p[x] > 0 ? x : 0"), "select a", "clopt-not-profitable",
                "choice");
}

TEST(SelectTest, RefusedWhenIterationsDiffer) {
  expectRefused(kernelOf("int x = get_global_id(0);\n"
                         "float t = 0;\nfor (int k = 0; k < 8; k++)\n"
                         "  t += a[k < 4 ? k : 2 * k];\nr[x] = t;"),
                "select a", "clopt-lane-control", "alike");
}
