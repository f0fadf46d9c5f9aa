//===- StatementPrinterTest.cpp - statements for lanes and points ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Through whole kernels: the line of the fast version is compared.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/KernelWriter.h"

#include "KernelTesting.h"

using namespace clopt;

/// Body of the kernel `float / int` with lanes along i; blanks are one.
static std::string vectorBody(const std::string &body,
                              const std::string &steps = "vectorize i:4",
                              const std::vector<std::string> &flags = {}) {
  TestedKernel tested(
      "__kernel void f(__global float *restrict r,\n"
      "  __global float *restrict s, __global int *restrict p,\n"
      "  __global uchar *restrict c, float q, int n) {\n"
      "  int i = get_global_id(0);\n" +
          body + "\n}",
      flags);
  EXPECT_EQ(tested.apply(steps).message, "") << body;
  LoweringError error;
  std::optional<EmittedKernel> emitted =
      emitKernel(tested.kernel, EmitOptions(), error);
  EXPECT_TRUE(emitted) << error.message;
  std::string text;
  for (char letter : emitted ? emitted->body : "") {
    bool blank = letter == ' ' || letter == '\n';
    if (!blank || (!text.empty() && text.back() != ' '))
      text += blank ? ' ' : letter;
  }
  return text;
}

#define EXPECT_HAS(text, part)                                                 \
  do {                                                                         \
    std::string whole = (text);                                                \
    EXPECT_NE(whole.find(part), std::string::npos) << whole;                   \
  } while (false)

TEST(StatementPrinterTest, ContiguousAccessesAreVectors) {
  EXPECT_HAS(vectorBody("r[i] = s[i + 1] * q;"),
             "vstore4(vload4(0, &s[i0 + 1]) * q, 0, &r[i0]);");
}

TEST(StatementPrinterTest, UniformValuesStayScalar) {
  EXPECT_HAS(vectorBody("r[i] = s[n] + s[i];"),
             "vstore4(s[n] + vload4(0, &s[i0]), 0, &r[i0]);");
}

/// Compilers look for `a * b + c` in the text, to round it once.
TEST(StatementPrinterTest, ProductsInSumsStayProducts) {
  EXPECT_HAS(vectorBody("r[i] = s[i] + q * s[n];"),
             "vload4(0, &s[i0]) + q * (float4)(s[n])");
  EXPECT_HAS(vectorBody("r[i] = q * q - s[i];"), "q * (float4)(q) - vload4(");
  EXPECT_HAS(vectorBody("float x = s[i]; x += q * s[n]; r[i] = x;"),
             "x += q * (float4)(s[n]);");
  EXPECT_HAS(vectorBody("float x = s[i]; x -= (q + 1) * q; r[i] = x;"),
             "x -= (q + 1) * (float4)(q);");
}

TEST(StatementPrinterTest, OtherSharedTermsStayScalar) {
  EXPECT_HAS(vectorBody("p[i] = p[i] + n * n;"), "vload4(0, &p[i0]) + (n * n)");
  EXPECT_HAS(vectorBody("r[i] = s[i] + q / s[n];"), " + q / s[n]");
  EXPECT_HAS(vectorBody("r[i] = s[i] + (float)(n * n);"), "(n * n)");
}

TEST(StatementPrinterTest, GathersNameEveryLane) {
  EXPECT_HAS(vectorBody("r[i] = s[p[i]];"), "s[");
  EXPECT_HAS(vectorBody("r[i] = s[i * n];"),
             "(float4)(s[i0 * n], s[(i0 + 1) * n], s[(i0 + 2) * n], "
             "s[(i0 + 3) * n])");
}

TEST(StatementPrinterTest, ReversedLoadsArePermuted) {
  EXPECT_HAS(vectorBody("r[i] = s[n - i];", "vectorize i:4\nlayout s"),
             ".s3210");
}

TEST(StatementPrinterTest, StridedLoadsAreWide) {
  std::string text = vectorBody("r[i] = s[2 * i];", "vectorize i:4\nlayout s");
  EXPECT_HAS(text, ".s02");
  EXPECT_HAS(text, ".s13");
}

TEST(StatementPrinterTest, LoadsMayBeNarrowerThanTheVector) {
  EXPECT_HAS(vectorBody("r[i] = s[i];", "vectorize i:8 load=4"),
             "(float8)(vload4(0, &s[i0]), vload4(0, &s[i0] + 4))");
}

TEST(StatementPrinterTest, ConversionsAreExplicit) {
  EXPECT_HAS(vectorBody("r[i] = c[i];"), "convert_float4(");
}

TEST(StatementPrinterTest, PrivateVariablesBecomeVectors) {
  EXPECT_HAS(vectorBody("float x = s[i]; x = x * x; r[i] = x;"), "float4 x");
}

TEST(StatementPrinterTest, SumsKeepTheirOrder) {
  std::string text = vectorBody("float x = 0; for (int k = 0; k < n; k++)\n"
                                "  x += s[k * n + i];\nr[i] = x;");
  EXPECT_HAS(text, "x += vload4(0, &s[k * n + i0]);");
}

TEST(StatementPrinterTest, InfinityIsAConstantByItsName) {
  std::string text =
      vectorBody("float x = -INFINITY; for (int k = 0; k < n; k++)\n"
                 "  x = fmax(x, s[k * n + i]);\nr[i] = x;");
  EXPECT_HAS(text, "float4 x = (float4)(-INFINITY);");
  EXPECT_HAS(text, "x = fmax(x, vload4(0, &s[k * n + i0]));");
  EXPECT_HAS(vectorBody("r[i] = i > n ? INFINITY : s[i];"), "INFINITY");
  EXPECT_HAS(vectorBody("r[i] = i > n ? HUGE_VALF : s[i];"), "HUGE_VALF");
}

TEST(StatementPrinterTest, ConditionsOnDataBecomeSelections) {
  // Both stores of the author's program remain: the cell is written anyway.
  std::string text = vectorBody("float x = s[i]; if (x < 0) x = 0; r[i] = x;");
  EXPECT_HAS(text, "vstore4(x, 0, &r[i0]);");
  EXPECT_HAS(text, "x < ");
}

TEST(StatementPrinterTest, LoopsThatAllLanesRunAlikeRunOnce) {
  const std::string text =
      vectorBody("float x = 0; int t = 0;\n"
                 "for (int k = p[0]; k < p[1]; k++) {\n"
                 "  float w = s[k];\n  if (w < 0) continue;\n"
                 "  float v = s[p[k] * n + i];\n"
                 "  if (v > q) x += w * v; else { t += 2; x -= 1; }\n}\n"
                 "r[i] = x + t;");
  EXPECT_HAS(text, "for (int k = p[0]; k < p[1]; k++) {");
  EXPECT_HAS(text, "float w = s[k]; if (w < 0) { continue; }");
  // Neighbours of a place that only data knows.
  EXPECT_HAS(text, "v = vload4(0, &s[p[k] * n + i0]);");
  EXPECT_HAS(text, "= v > q;");
  EXPECT_HAS(text, "x = select(x, x + w * v, ");
  // `t` is set where lanes disagree: each has its own.
  EXPECT_HAS(text, "t = select(t, t + 2, ");
}

TEST(StatementPrinterTest, MemoryIsWrittenByEveryLane) {
  const std::string text =
      vectorBody("float x = 0;\nfor (int k = 0; k < c[0]; k++) {\n"
                 "  x += s[k * n + i]; p[k] = k; }\nr[i] = x;");
  size_t count = 0;
  for (size_t at = text.find("p[k] = k"); at < text.find("} else {");
       at = text.find("p[k] = k", at + 1))
    ++count;
  EXPECT_EQ(count, 4u) << text;
}

TEST(StatementPrinterTest, LoopsThatLanesEndApartRunForEach) {
  const std::string text =
      vectorBody("float x = 0;\n"
                 "for (int k = p[i]; k < p[i + 1]; k++) x += s[k];\nr[i] = x;");
  EXPECT_HAS(text, "for (int k = p[i0 + 3]; k < p[i0 + 4]; k++) x.s3 += s[k];");
}

TEST(StatementPrinterTest, SumsThatMayWrapAreNoNeighbours) {
  auto loads = [](const std::string &index) {
    return vectorBody("float x = 0;\nfor (int k = p[0]; k < p[1]; k++)\n"
                      "  x += s[" +
                      index + "];\nr[i] = x;");
  };
  EXPECT_HAS(loads("i + p[k]"), "vload4(0, &s[i0 + p[k]])");
  EXPECT_HAS(loads("(size_t)i + p[k]"), "vload4(0, &s[");
  EXPECT_HAS(loads("(uint)i + (uint)p[k]"), "(float4)(s[");
  EXPECT_HAS(loads("2 * i + p[k]"), "(float4)(s[");
  EXPECT_HAS(loads("p[k] - i"), "(float4)(s[");
}

TEST(StatementPrinterTest, FunctionsWithAnErrorBoundRunPerLane) {
  std::string strict = vectorBody("r[i] = exp(s[i]);");
  EXPECT_HAS(strict, "exp(s[i0 + 3])");
  EXPECT_HAS(vectorBody("r[i] = exp(s[i]);", "vectorize i:4",
                        {"-cl-fast-relaxed-math"}),
             "vstore4(exp(vload4(0, &s[i0])), 0, &r[i0]);");
}

TEST(StatementPrinterTest, PointsHaveVariablesOfTheirOwn) {
  std::string text = vectorBody("float x = s[i]; r[i] = x * x;", "coarsen i:2");
  EXPECT_HAS(text, "= s[i0];");
  EXPECT_HAS(text, "= s[i0 + 1];");
}
