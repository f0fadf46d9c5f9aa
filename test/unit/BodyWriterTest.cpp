//===- BodyWriterTest.cpp - loops, conditions and declarations ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriter.h"

#include "EmissionTesting.h"

#include <algorithm>

using namespace clopt;

static size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(BodyWriterTest, LoopsReadAsTheAuthorWouldWriteThem) {
  std::string text = emittedBody(
      kernelOf("for (int k = 0; k < n; k++) r[k] = s[k];"), "unroll k:2");
  EXPECT_NE(text.find("for (int k = 0; k + 1 < n; k += 2)"), std::string::npos)
      << text;
  EXPECT_NE(text.find("r[k + 1] = s[k + 1];"), std::string::npos) << text;
}

TEST(BodyWriterTest, DownwardLoopsStayDownward) {
  std::string text = emittedBody(
      kernelOf("for (int k = n; k > 0; k--) r[k] = s[k];"), "unroll k:2");
  EXPECT_NE(text.find("k -= 2"), std::string::npos) << text;
  EXPECT_NE(text.find("r[k - 1] = s[k - 1];"), std::string::npos) << text;
}

TEST(BodyWriterTest, VariablesAreDeclaredWhereAllUsesAre) {
  std::string text =
      emittedBody(kernelOf("float x; for (int k = 0; k < 4; k++) {\n"
                           "  x = s[k]; r[k] = x * x; }"),
                  "unroll k:2");
  // Once, inside or outside the loop, and not twice in one scope.
  EXPECT_GE(count(text, "float x"), 1u) << text;
  EXPECT_LE(count(text, "float x"), 2u) << text;
}

TEST(BodyWriterTest, WhatALoopIsAroundStaysWithItsFirstValue) {
  std::string text = emittedBody(
      kernelOf("int kept = 1, gone = 2;\n"
               "for (int k = 0; k < n; k++) kept += (int)s[k] + kept;\n"
               "for (int j = 0; j < n; j++) { r[j] = s[j]; gone += j; }"),
      "tile k:8");
  text.resize(text.find("return;"));
  EXPECT_EQ(count(text, "int kept = 1;"), 1u) << text;
  EXPECT_EQ(count(text, "kept += (int)s[k] + kept;"), 2u) << text;
  EXPECT_EQ(count(text, "gone"), 0u) << text;
}

TEST(BodyWriterTest, NothingIsDeclaredAheadOfAnElse) {
  std::string text = emittedBody(kernelOf("int i = get_global_id(0);\n"
                                          "float q;\n"
                                          "if (n <= 2) q = -1;\n"
                                          "else {\n"
                                          "  float t = 0;\n"
                                          "  for (int k = 2; k < n; k++)\n"
                                          "    t += s[k];\n"
                                          "  q = t; }\n"
                                          "r[i] = q;"),
                                 "unroll k:2");
  const size_t at = text.find("else");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_LT(text.find("float q, t;"), at) << text;
}

TEST(BodyWriterTest, RegistersAreDeclaredOnce) {
  std::string text = emittedBody(kernelOf("int i = get_global_id(0);\n"
                                          "for (int k = 0; k < n; k++)\n"
                                          "  for (int d = 0; d < 3; d++)\n"
                                          "    r[3 * i + d] += s[3 * k + d];"),
                                 "privatize r\nunroll d");
  EXPECT_EQ(count(text, "float r_cells[3];"), 1u) << text;
  EXPECT_EQ(count(text, "r_cells[1] += "), 1u) << text;
}

TEST(BodyWriterTest, RegistersWithAVariableIndexCannotBeWritten) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n"
                               "for (int k = 0; k < n; k++)\n"
                               "  for (int d = 0; d < 3; d++)\n"
                               "    r[3 * i + d] += s[3 * k + d];"));
  ASSERT_EQ(tested.apply("privatize r").message, "");
  LoweringError error;
  std::optional<EmittedKernel> emitted =
      emitKernel(tested.kernel, EmitOptions(), error);
  // Either an array in memory of the work-item, or a refusal: never wrong text.
  if (emitted)
    EXPECT_NE(emitted->body.find("r_cells[d]"), std::string::npos)
        << emitted->body;
  else
    EXPECT_EQ(error.ruleId, "clopt-opaque-code");
}

TEST(BodyWriterTest, ParametersOfSixtyFourBitsAreWide) {
  TestedKernel tested("__kernel void f(__global float *r, long n, uint m) {\n"
                      "  for (int k = 0; k < n; k++) r[k] = m; }");
  AstNames names = parameterNames(*tested.model, false);
  EXPECT_EQ(names.wideTerms.size(), 1u);
}

TEST(BodyWriterTest, WhatHasNoBarrierIsDoneByActiveWorkItems) {
  std::string text =
      emittedBody(kernelOf("int i = get_global_id(0);\nfloat t = 0;\n"
                           "for (int k = 0; k < n; k++) t += s[k];\nr[i] = t;"),
                  "tile i:16\ntile k:4\nstage s");
  // Before the loop, the tile's iterations, those of a tile that is cut, the
  // store; and the general version for those that are not wholly inside.
  EXPECT_EQ(count(text, "if (inside)"), 4u) << text;
  EXPECT_EQ(count(text, "if (rest "), 1u) << text;
  size_t loop = text.find("for (int k0 ="),
         barrier = text.find("barrier(", loop),
         active = text.find("if (inside)", loop);
  ASSERT_NE(loop, std::string::npos);
  ASSERT_NE(barrier, std::string::npos);
  ASSERT_NE(active, std::string::npos);
  EXPECT_LT(barrier, active) << text;
  // The variable lives across the barriers.
  EXPECT_LT(text.find("float t"), text.find("if (inside)")) << text;
  // Barriers are for everybody: none in the general version.
  EXPECT_EQ(text.find("barrier(", text.find("if (rest ")),
            text.rfind("barrier("))
      << text;
}
