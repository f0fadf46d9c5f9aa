//===- LanePlanesTest.cpp - vectors that lanes hold by component ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/LanePlanes.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

/// Names of the vectors that are held by component over neighbouring ids.
std::string planesOf(const std::string &body) {
  TestedKernel tested("__kernel void f(__global float4 *restrict a,\n"
                      "                __global const float4 *restrict b,\n"
                      "                __global const float *restrict w,\n"
                      "                int n) {\n"
                      "  int i = get_global_id(0);\n" +
                      body + "\n}");
  const KernelModel &model = *tested.kernel.model;
  const LaneAxis axis{*model.symbols.find(SymbolKind::GlobalId, 0), 1, 4};
  const Divergence divergence(tested.kernel, tested.kernel.tree, axis, 0);
  std::set<std::string> names;
  for (const Variable *variable : planeVariables(tested.kernel, divergence))
    names.insert(variable->name);
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : " ") + name;
  return text;
}

TEST(LanePlanesTest, WhatIsComputedByComponent) {
  EXPECT_EQ(planesOf("float4 v = b[i]; v += v.wzyx * w[0]; a[i] = v;"), "v");
  EXPECT_EQ(planesOf("float4 v = (float4)(0.0f), u = -b[i] / 2.0f;\n"
                     "for (int k = 0; k < n; k++) v = fmax(v, u * w[k]);\n"
                     "a[i] = v + u;"),
            "u v");
  EXPECT_EQ(planesOf("float4 v = b[i]; v.xy = v.zw; a[i] = v;"), "v");
  EXPECT_EQ(planesOf("float4 v = (float4)(w[i], 1.0f, b[i].xy); a[i] = v;"),
            "v");
}

TEST(LanePlanesTest, ComponentsAreSetUnderConditions) {
  EXPECT_EQ(planesOf("float4 v = b[i]; if (w[i] > 0.0f) v.x = w[i];\n"
                     "a[i] = v;"),
            "v");
  EXPECT_EQ(planesOf("float4 v = b[i]; if (w[i] > 0.0f) v = b[0];\n"
                     "a[i] = v;"),
            "v");
  EXPECT_EQ(planesOf("float4 v = b[i];\n"
                     "if (w[i] > 0.0f) { float4 u = v.yzwx; v += u; }\n"
                     "a[i] = v;"),
            "u v");
  // Lanes load one by one here.
  EXPECT_EQ(planesOf("float4 v = b[i]; if (w[i] > 0.0f) v = b[i + 1];\n"
                     "a[i] = v;"),
            "");
}

TEST(LanePlanesTest, WhatNeedsTheWholeVector) {
  EXPECT_EQ(planesOf("float4 v = normalize(b[i]); a[i] = v;"), "");
  EXPECT_EQ(planesOf("float4 v = b[i];\n"
                     "if (w[i] > 0.0f) v.xy = v.zw; a[i] = v;"),
            "");
  EXPECT_EQ(planesOf("float4 v = b[i]; float4 *p = &v; a[i] = *p;"), "");
  EXPECT_EQ(planesOf("float4 v = b[i]; v[n & 3] = w[i]; a[i] = v;"), "");
  EXPECT_EQ(planesOf("float4 v = b[i]; v[1] = w[i]; a[i] = v;"), "");
  EXPECT_EQ(planesOf("int4 v = b[i] > b[0]; a[i] = convert_float4(v);"), "");
}

/// Sums and products of one expression may be rounded once.
TEST(LanePlanesTest, ProductsThatAreRoundedByThemselves) {
  EXPECT_EQ(planesOf("float4 v = b[i]; v += v * w[i]; a[i] = v;"), "v");
  EXPECT_EQ(planesOf("float4 v = b[i]; v += (b[i] * w[i]).wzyx; a[i] = v;"),
            "");
  EXPECT_EQ(planesOf("float4 v = b[i];\n"
                     "v = v - (float4)(w[i] * w[0], 1.0f, v.xy); a[i] = v;"),
            "");
  EXPECT_EQ(planesOf("float4 v = b[i]; v += w[i] * w[0]; a[i] = v;"), "");
  EXPECT_EQ(planesOf("float4 v = b[i];\n"
                     "v = (float4)(w[i] * w[0], 1.0f, v.xy); a[i] = v;"),
            "v");
}

TEST(LanePlanesTest, WhatIsOneForAllLanes) {
  EXPECT_EQ(planesOf("float4 v = b[0]; a[i] = v * w[i];"), "");
}

} // namespace
