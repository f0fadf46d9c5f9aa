//===- VectorBuiltinsTest.cpp - built-in functions over vectors -----------===//
//-----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/VectorBuiltins.h"

#include "KernelTesting.h"

using namespace clopt;

/// The vector form, with four lanes, of the one call in `r[0] = <call>`.
static std::string vectorOf(const std::string &call, bool unsafeMath = false) {
  TestedKernel tested(
      "__kernel void f(__global float *r, float x, float y, int n,\n"
      "  uchar c, float4 v) {\n  r[0] = " +
      call + ";\n}");
  ExprRef expr = tested.model->statements[0].stmt->expr->operands[1];
  while (expr->kind == ExprKind::Cast)
    expr = expr->operands[0];
  EXPECT_EQ(expr->kind, ExprKind::Call) << call;
  return vectorBuiltin(*expr, 4, unsafeMath).value_or("");
}

TEST(VectorBuiltinsTest, ExactFunctionsKeepTheirName) {
  EXPECT_EQ(vectorOf("fabs(x)"), "fabs");
  EXPECT_EQ(vectorOf("fmax(x, y)"), "fmax");
  EXPECT_EQ(vectorOf("clamp(x, 0.0f, y)"), "clamp");
  EXPECT_EQ(vectorOf("fma(x, y, x)"), "fma");
  EXPECT_EQ(vectorOf("mad24(n, n, n)"), "mad24");
  EXPECT_EQ(vectorOf("bitselect(n, n, n)"), "bitselect");
  EXPECT_EQ(vectorOf("bitselect(x, y, x)"), "bitselect");
}

TEST(VectorBuiltinsTest, FunctionsWithAnErrorBoundNeedPermission) {
  for (const char *call : {"exp(x)", "native_sin(x)", "pow(x, y)"}) {
    EXPECT_EQ(vectorOf(call), "") << call;
    EXPECT_NE(vectorOf(call, true), "") << call;
  }
}

TEST(VectorBuiltinsTest, ConversionsNameTheirWidth) {
  EXPECT_EQ(vectorOf("convert_float(c)"), "convert_float4");
  EXPECT_EQ(vectorOf("convert_uchar_sat(n)"), "convert_uchar4_sat");
  EXPECT_EQ(vectorOf("convert_int_rte(x)"), "convert_int4_rte");
  EXPECT_EQ(vectorOf("as_int(x)"), "as_int4");
}

TEST(VectorBuiltinsTest, RelationsAreMadePerLane) {
  // Their scalar form gives 1, their vector form -1.
  for (const char *call : {"isnan(x)", "isless(x, y)", "signbit(x)"})
    EXPECT_EQ(vectorOf(call, true), "") << call;
  EXPECT_EQ(vectorOf("select(x, y, n)", true), "");
}

TEST(VectorBuiltinsTest, VectorsHaveNoWiderForm) {
  EXPECT_EQ(vectorOf("dot(v, v)", true), "");
  EXPECT_EQ(vectorOf("length(v)", true), "");
}
