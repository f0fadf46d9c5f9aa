//===- ReductionAccumulatorsTest.cpp - one result per lane ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmissionTesting.h"

#include "Emit/frame/KernelWriter.h"
#include "Transform/verify/VerifySteps.h"

using namespace clopt;

static const char *const permission = "-cl-unsafe-math-optimizations";

static std::string sumOf(const std::string &type, const std::string &init,
                         const std::string &update) {
  return "__kernel void f(__global const " + type + " *restrict r, __global " +
         type + " *restrict s, int n) {\n" + type + " x = " + init +
         ";\nfor (int k = 0; k < n; k++)\n  " + update + "\ns[0] = x;\n}\n";
}

/// The emitted body after the steps; empty when a step was refused.
static std::string bodyOf(const std::string &source, const std::string &steps,
                          const std::vector<std::string> &flags = {}) {
  TestedKernel tested(source, flags);
  Refusal refusal = tested.apply(steps);
  EXPECT_EQ(refusal.message, "") << source;
  if (!refusal.message.empty())
    return "";
  EXPECT_FALSE(verifyOrder(tested.kernel, AliasMode::Check));
  return emittedBody(tested);
}

static void expectPart(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos)
      << part << " is not in " << text;
}

TEST(ReductionAccumulatorsTest, FloatsNeedThePermission) {
  const std::string source = sumOf("float", "0.0f", "x += r[k];");
  TestedKernel tested(source);
  Refusal refusal = tested.apply("vectorize k:4");
  EXPECT_EQ(refusal.ruleId, "clopt-reassociation");
  EXPECT_EQ(refusal.hint, "pass -cl-unsafe-math-optimizations");
  std::string text = bodyOf(source, "vectorize k:4", {permission});
  expectPart(text, "float4 x_v = (float4)(0.0f);");
  expectPart(text, "x_v += vload4(0, &r[k]);");
  expectPart(text, "x = x + ((x_v.s0 + x_v.s1) + (x_v.s2 + x_v.s3));");
}

TEST(ReductionAccumulatorsTest, EveryOperationHasItsBeginning) {
  expectPart(
      bodyOf(sumOf("double", "1", "x *= r[k];"), "vectorize k:2", {permission}),
      "double2 x_v = (double2)(1.0);");
  std::string text = bodyOf(sumOf("uint", "7", "x ^= r[k];"), "vectorize k:2");
  expectPart(text, "uint2 x_v = (uint2)(0);");
  expectPart(text, "x = x ^ (x_v.s0 ^ x_v.s1);");
  text = bodyOf(sumOf("float", "r[0]", "x = fmax(x, r[k]);"), "vectorize k:2",
                {permission});
  expectPart(text, "float2 x_v = (float2)(x);");
  expectPart(text, "x = fmax(x, fmax(x_v.s0, x_v.s1));");
  text = bodyOf(sumOf("int", "r[0]", "x = min(r[k], x);"), "vectorize k:2");
  expectPart(text, "x = min(x, min(x_v.s0, x_v.s1));");
  expectPart(bodyOf(sumOf("uint", "r[0]", "x &= r[k];"), "vectorize k:2"),
             "uint2 x_v = (uint2)(x);");
}

TEST(ReductionAccumulatorsTest, SignedSumsWrap) {
  std::string text = bodyOf(sumOf("int", "0", "x += r[k];"), "vectorize k:2");
  expectPart(text,
             "x_v = as_int2(as_uint2(x_v) + as_uint2(vload2(0, &r[k])));");
  expectPart(text, "x = (int)((uint)x + ((uint)x_v.s0 + (uint)x_v.s1));");
  text = bodyOf(sumOf("int", "0", "x = x - r[k];"), "vectorize k:2");
  expectPart(text,
             "x_v = as_int2(as_uint2(x_v) - as_uint2(vload2(0, &r[k])));");
}

TEST(ReductionAccumulatorsTest, WhatIsTheSameForAllLanesIsAddedByEach) {
  expectPart(bodyOf(sumOf("uint", "0", "x += (uint)n;"), "vectorize k:4"),
             "uint4 x_v = (uint4)(0);");
}

TEST(ReductionAccumulatorsTest, MadAddsToItsLastOperand) {
  expectPart(bodyOf(sumOf("float", "0", "x = mad(r[k], r[k], x);"),
                    "vectorize k:2", {permission}),
             "x_v = mad(vload2(0, &r[k]), vload2(0, &r[k]), x_v);");
  TestedKernel tested(sumOf("float", "0", "x = mad(x, r[k], r[k]);"),
                      {permission});
  EXPECT_EQ(tested.apply("vectorize k:2").ruleId, "clopt-reassociation");
}

TEST(ReductionAccumulatorsTest, RegistersAreCombinedToo) {
  const std::string source =
      "__kernel void f(__global const float *r, __global float *s, int n) {\n"
      "int i = get_global_id(0);\n"
      "for (int k = 0; k < n; k++) s[i] += r[i * n + k];\n}\n";
  TestedKernel tested(source, {permission});
  Refusal refusal = tested.apply("vectorize k:4");
  EXPECT_EQ(refusal.hint, "") << refusal.message;
  std::string text = bodyOf(source, "privatize s\nvectorize k:4", {permission});
  expectPart(text, "float4 s_cell_v = (float4)(0.0f);");
  expectPart(text, "s_cell = s_cell + ((s_cell_v.s0 + s_cell_v.s1) + "
                   "(s_cell_v.s2 + s_cell_v.s3));");
}

TEST(ReductionAccumulatorsTest, PointsHaveTheirOwn) {
  const std::string source =
      "__kernel void f(__global const float *restrict r,\n"
      "  __global float *restrict s, int n) {\n"
      "int i = get_global_id(0);\nfloat x = 0;\n"
      "for (int k = 0; k < n; k++) x += r[i * n + k];\ns[i] = x;\n}\n";
  std::string text = bodyOf(source, "coarsen i:2\nvectorize k:4", {permission});
  expectPart(text, "float4 x_0_v = (float4)(0.0f);");
  expectPart(text, "x_1 = x_1 + ((x_1_v.s0 + x_1_v.s1)");
}

TEST(ReductionAccumulatorsTest, OtherUsesInTheLoopForbidIt) {
  for (const char *update :
       {"{ x += r[k]; s[k] = x; }", "{ x += r[k]; if (k == 3) x = 0; }",
        "x = r[k] - x;", "{ x += r[k]; x *= 2; }"}) {
    TestedKernel tested(sumOf("float", "0", update), {permission});
    EXPECT_EQ(tested.apply("vectorize k:4").message,
              "the value of 'x' goes from one iteration to the next")
        << update;
  }
  // Rounded to an integer each time, the sum depends on the order.
  TestedKernel tested(sumOf("int", "0", "x += r[k] * 0.5f;"), {permission});
  EXPECT_EQ(tested.apply("vectorize k:4").ruleId, "clopt-dependence");
}

TEST(ReductionAccumulatorsTest, TheSecondCheckWantsThePermissionToo) {
  TestedKernel tested(sumOf("float", "0", "x += r[k];"));
  findLoop(tested.kernel.tree, tested.loop("k"))->lanes = 4;
  unsigned array = tested.array("x");
  tested.kernel.partials.push_back(
      {tested.loop("k"), 1, array, ReductionOp::Sum});
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  ASSERT_TRUE(wrong);
  expectPart(wrong->message, "a value of 'x' leaves its lane");
}
