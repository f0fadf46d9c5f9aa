//===- RemainderLoopsTest.cpp - where what is left over begins ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That the loops run what they ran is what LoweringTest enumerates.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/RemainderLoops.h"

#include "EmissionTesting.h"

using namespace clopt;

static void expectText(const std::string &body, const std::string &steps,
                       const std::string &part) {
  std::string text = emittedBody(kernelOf(body), steps);
  EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(RemainderLoopsTest, UpwardLoops) {
  expectText("for (int k = 0; k < n; k++) r[k] = s[k];", "unroll k:8",
             "for (int k = n - n % 8; k < n; k++)");
  expectText("for (int k = 3; k < n; k++) r[k] = s[k];", "unroll k:4",
             "for (int k = n - (n - 3) % 4; k < n; k++)");
}

TEST(RemainderLoopsTest, DownwardLoopsNeedNoCondition) {
  expectText("for (int k = n - 1; k >= 0; k--) r[k] = s[k];", "unroll k:8",
             "for (int k = n % 8 - 1; k >= 0; k--)");
  expectText("for (int k = n - 1; k >= 1; k--) r[k] = s[k];", "unroll k:8",
             "for (int k = (n - 1) % 8; k > 0; k--)");
  std::string text = emittedBody(
      kernelOf("for (int k = n - 1; k >= 0; k--) r[k] = s[k];"), "unroll k:4");
  // The guard of the launch is the only one.
  EXPECT_EQ(text.find("if (", text.find("for (")), std::string::npos) << text;
}

TEST(RemainderLoopsTest, WhatIsOtherThanARestIsLeftAlone) {
  // Steps of two: what is left over is not counted in iterations.
  std::string text = emittedBody(
      kernelOf("for (int k = 0; k < n; k += 2) r[k] = s[k];"), "unroll k:4");
  EXPECT_EQ(text.find("% 8"), std::string::npos) << text;
}
