//===- EmitTreeTest.cpp - the code to write as text -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/EmitTree.h"

#include "KernelTesting.h"

using namespace clopt;

static std::string codeOf(const char *body, const std::string &steps) {
  TestedKernel tested(kernelOf(body));
  EXPECT_EQ(tested.apply(steps).message, "");
  LoweringError error;
  std::string text = printEmitTree(tested.kernel, false, error);
  EXPECT_EQ(error.message, "");
  return text;
}

TEST(EmitTreeTest, ChunksAndWhatIsLeft) {
  std::string text =
      codeOf("for (int k = 0; k < n; k++) r[k] = 1;", "unroll k:4");
  EXPECT_NE(text.find("c0 < n - 3; += 4 [loop k, unroll 4]\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("< n; += 1 [loop k]\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("full"), std::string::npos) << text;
}

TEST(EmitTreeTest, DownwardLoopsSaySo) {
  std::string text =
      codeOf("for (int k = n; k > 0; k--) r[k] = 1;", "unroll k:2");
  EXPECT_NE(text.find("[loop k, downward"), std::string::npos) << text;
}
