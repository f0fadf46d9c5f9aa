//===- TreePrinterTest.cpp - a kernel's new order as text -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

using namespace clopt;

static const char *const sums =
    "__kernel void f(__global const float *restrict a,"
    " __global float *restrict r, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  for (int k = 0; k < n; k++)\n"
    "    r[i] += a[i * n + k];\n"
    "}";

TEST(TreePrinterTest, ShowsTheOrderOfTheProgram) {
  TestedKernel tested(sums);
  EXPECT_EQ(printTree(tested.kernel), "schedule of f\n"
                                      "  work w0 (i)\n"
                                      "    S0: int i = get_global_id(0);\n"
                                      "    loop k\n"
                                      "      S1: r[i] += a[i * n + k];\n");
}

TEST(TreePrinterTest, ShowsWhatStepsSayInBrackets) {
  TestedKernel tested(sums);
  ASSERT_EQ(tested
                .apply("privatize r\ncoarsen i:2 stride\nunroll k:4\n"
                       "require k:8 items=64")
                .message,
            "");
  std::string text = printTree(tested.kernel);
  for (const char *part :
       {"work w0 (i) [points 2, strided]\n",
        "    load registers of r [cells 1]", "    loop k [unroll 4]\n",
        "    store registers of r [cells 1]",
        "  requires iterations of k >= 8\n", "  requires work-items >= 64\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
}

TEST(TreePrinterTest, SectionsStandInTheirLoops) {
  TestedKernel tested(sums);
  ASSERT_EQ(tested.apply("tile i:16 k:8\nstage a pad=1").message, "");
  std::string text = printTree(tested.kernel);
  EXPECT_NE(text.find("    loop k [tile 8]\n      section of a[ids0][8] "
                      "[local, copied in, pad 1]\n"),
            std::string::npos)
      << text;
}
