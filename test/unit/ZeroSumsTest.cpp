//===- ZeroSumsTest.cpp - iterations that add nothing ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RelayoutTest.cpp has what becomes of the loops.
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/ZeroSums.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

/// The rule of an iteration in which a is +0 and b is -0; empty: it adds
/// nothing.
std::string ruleOf(const std::string &type, const std::string &before,
                   const std::string &body,
                   const std::vector<std::string> &flags = {}) {
  TestedKernel tested(
      "__kernel void f(__global const " + type + " *a, __global const " + type +
          " *b, __global " + type + " *c, int n) {\n  " + before +
          "\n  for (int k = 0; k < n; k++) { " + body + " }\n}\n",
      flags);
  const KernelModel &model = *tested.model;
  const ZeroCells cells = [&](const Expr &expr) -> std::optional<bool> {
    auto read = model.reads.find(&expr);
    if (read == model.reads.end())
      return std::nullopt;
    const std::string &name =
        model.arrays[model.accesses[read->second].array].name;
    if (name != "a" && name != "b")
      return std::nullopt;
    return name == "b";
  };
  auto problem = checkZeroIteration(
      model, model.loops[tested.loop("k")].stmt->body, cells);
  return problem ? problem->ruleId : "";
}

const std::string reassociation = "clopt-reassociation";
const std::string other = "clopt-not-profitable";

/// F10.
TEST(ZeroSumsTest, MinusZeroNeverChangesASum) {
  for (const std::string &sum : std::vector<std::string>{
           "c[0] += a[k] * b[k];", "c[0] = fma(a[k], b[k], c[0]);",
           "c[0] = c[0] - b[k] * b[k];", "c[0] -= a[k];", "c[0] += b[k];",
           "c[0] += a[k] * 3 * b[k];", "c[0] += a[k] * -3;"})
    EXPECT_EQ(ruleOf("float", "", sum), "") << sum;
}

TEST(ZeroSumsTest, PlusZeroNeedsSumsThatAreNotMinusZero) {
  EXPECT_EQ(ruleOf("float", "", "c[0] += a[k];"), reassociation);
  EXPECT_EQ(
      ruleOf("float", "", "c[0] += a[k];", {"-cl-unsafe-math-optimizations"}),
      "");
  EXPECT_EQ(ruleOf("float", "float s = 0;", "s += a[k] * a[k];"), "");
  EXPECT_EQ(ruleOf("float", "float s = 1.5f;", "s = a[k] + s;"), "");
  EXPECT_EQ(ruleOf("float", "float s = -0.0f;", "s += a[k];"), reassociation);
  EXPECT_EQ(ruleOf("float", "float s = c[1];", "s += a[k];"), reassociation);
  EXPECT_EQ(ruleOf("float", "float s = 0; s *= -1;", "s += a[k];"),
            reassociation);
  // One rounding: products that vanish leave their sign.
  EXPECT_EQ(ruleOf("float", "float s = 0;", "s = fma(a[k], a[k], s);"),
            reassociation);
}

/// F10.
TEST(ZeroSumsTest, OtherFactorsMayBeInfinite) {
  EXPECT_EQ(ruleOf("float", "", "c[0] += a[k] * b[k] * c[1];"), reassociation);
  EXPECT_EQ(ruleOf("float", "", "c[0] += a[k] * n;"), reassociation);
  EXPECT_EQ(ruleOf("float", "", "c[0] += a[k] * b[k] * 1e30f;"), reassociation)
      << "only small literals are looked at";
}

TEST(ZeroSumsTest, IntegersNeedOneFactor) {
  for (const std::string &sum : std::vector<std::string>{
           "c[0] += a[k] * c[1];", "c[0] -= (a[k] & n) << 3;", "c[0] ^= b[k];",
           "c[0] |= a[k] | b[k];", "c[0] = mad24(a[k], n, c[0]);",
           "int t = a[k]; int u = t * n; c[0] += u;"})
    EXPECT_EQ(ruleOf("int", "", sum), "") << sum;
  EXPECT_EQ(ruleOf("int", "", "c[0] += a[k] + n;"), reassociation);
  EXPECT_EQ(ruleOf("uchar", "", "c[0] += a[k] * n;"), "");
}

TEST(ZeroSumsTest, WhatIsNoSum) {
  EXPECT_EQ(ruleOf("float", "", "c[0] *= a[k];"), other);
  EXPECT_EQ(ruleOf("float", "", "c[0] = a[k];"), other);
  EXPECT_EQ(ruleOf("float", "", "c[0] = a[k] - c[0];"), other);
  EXPECT_EQ(ruleOf("int", "", "c[0] &= a[k];"), other);
  EXPECT_EQ(ruleOf("int", "", "c[0] += a[k] / b[k];"), other) << "traps";
  EXPECT_EQ(ruleOf("int", "", "if (n > 3) c[0] += a[k];"), other);
  // Integers lose what a sum of floats rounds.
  EXPECT_EQ(ruleOf("int", "", "c[0] += a[k] * 0.5f;"), other);
}

} // namespace
