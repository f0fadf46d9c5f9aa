//===- RelativeLoopsTest.cpp - loops that count from an id ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/RelativeLoops.h"

#include "KernelTesting.h"

#include <llvm/ADT/STLExtras.h>

using namespace clopt;

/// The loops of the model as their heads are, "k: 0 to 3", innermost last, with
/// the subscripts of `s`.
static std::string modelOf(const std::string &body) {
  TestedKernel tested(
      "__kernel void f(__global float *restrict r,\n"
      "  __global const float *restrict s, __global const int *restrict p,\n"
      "  int n, int m, int h, int q) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n" +
      body + "}");
  const KernelModel &model = *tested.model;
  auto print = [&](const Polynomial &poly) {
    return poly.str([&](SymbolId id) { return model.symbols[id].name; });
  };
  std::string result;
  for (const Loop &loop : model.loops)
    result += loop.name + " from " + print(loop.first) + "; ";
  for (const Access &access : model.accesses)
    if (model.arrays[access.array].name == "s" && access.offset)
      result += "s[" + print(*access.offset) + "]";
  return result;
}

TEST(RelativeLoopsTest, Windows) {
  EXPECT_EQ(modelOf("for (int i = x - 2; i <= x + 2; i++) r[x] += s[i];"),
            "i from -2; s[w0 + i]");
  EXPECT_EQ(modelOf("for (int i = x - n; x + n >= i; i += 2) r[x] += s[i];"),
            "i from -n; s[w0 + i]");
  EXPECT_EQ(modelOf("for (int i = x + 2; i > x - 2; --i) r[x] += s[i];"),
            "i from 2; s[w0 + i]");
  EXPECT_EQ(modelOf("for (int i = 4 * x; i < 4 * x + 4; i++) r[x] += s[i];"),
            "i from 0; s[4*w0 + i]");
}

TEST(RelativeLoopsTest, WindowsThatEndAtBorders) {
  EXPECT_EQ(modelOf("for (int i = max(x - 2, 0); i < min(x + 3, n); i++)\n"
                    "  r[x] += s[i];"),
            "i from s0 - w0; s[w0 + i]");
  EXPECT_EQ(modelOf("int b = x - 1, e = x + 1; if (b < 0) b = 0;\n"
                    "if (e >= n) e = n - 1;\n"
                    "for (int i = b; i <= e; i++) r[x] += s[i];"),
            "i from s0 - w0; s[w0 + i]");
  EXPECT_EQ(modelOf("int i, b = x < 2 ? 0 : x - 2;\n"
                    "for (i = b; i < min(x + 3, n); i++) r[x] += s[i];"),
            "i from s0_1 - w0; s[w0 + i]");
}

TEST(RelativeLoopsTest, LongOnes) {
  EXPECT_EQ(
      modelOf("long g = get_global_id(0); for (long i = g - n; i <= g + n;\n"
              "i++) r[x] += s[i];"),
      "i from -n; s[w0 + i]");
}

TEST(RelativeLoopsTest, LoopsWithoutSigns) {
  const std::string id = "uint g = get_global_id(0), u = n; ";
  EXPECT_EQ(modelOf(id + "for (uint i = g; i < g + u; i++) r[x] += s[i];"),
            "i from 0; s[w0 + i]");
  EXPECT_EQ(modelOf(id + "for (uint i = g - u; i <= g + u; i++) r[x] += s[i];"),
            "i from -n; s[w0 + i]");
  EXPECT_EQ(modelOf(id + "for (uint i = g; i > g - u; i--) r[x] += s[i];"),
            "i from 0; s[w0 + i]");
  EXPECT_EQ(
      modelOf("size_t g = get_global_id(0); for (size_t i = g; i < g + 3;\n"
              "i++) r[x] += s[i];"),
      "i from 0; s[w0 + i]");
}

// `x - r` is a large number where x is less than r.
TEST(RelativeLoopsTest, EndsBelowZeroAreAskedFor) {
  TestedKernel tested("__kernel void f(__global float *restrict r,\n"
                      "  __global const float *restrict s, uint n) {\n"
                      "  uint x = get_global_id(0);\n"
                      "  for (uint i = x - n; i < x + n; i++) r[x] += s[i]; }");
  // [go0, n] -> { : go0 >= n }
  const isl::set held(isl::ctx(tested.model->context.get()),
                      "[go0, n] -> { : go0 >= n }");
  const bool isAsked =
      llvm::any_of(tested.model->assumptions, [&](const Assumption &each) {
        return each.condition.is_subset(held);
      });
  EXPECT_TRUE(isAsked);
}

TEST(RelativeLoopsTest, ComponentsOfArguments) {
  TestedKernel tested("__kernel void f(__global float *restrict r,\n"
                      "  __global const float *restrict s, int2 d) {\n"
                      "  int x = get_global_id(0), m = d.y;\n"
                      "  for (int i = x; i < x + m; i++) r[x] += s[i]; }");
  ASSERT_EQ(tested.model->loops.size(), 1u);
  EXPECT_TRUE(tested.model->loops[0].first.isZero());
}

TEST(RelativeLoopsTest, WindowsOfProducts) {
  // The model counts from products itself.
  EXPECT_EQ(modelOf("for (int i = x * h; i < x * h + m; i++) r[x] += s[i];"),
            "i_turn from 0; s[w0*h + i_turn]");
}

TEST(RelativeLoopsTest, OthersCountAsTheyAre) {
  for (const char *loop : {
           "for (int i = x; i < n; i++) r[x] += s[i];",           // to a border
           "for (int i = x; i < 2 * x; i++) r[x] += s[i];",       // further
           "for (int i = x - n; i < y + n; i++) r[x] += s[i];",   // another
                                                                  // id
           "for (int i = p[x]; i < p[x] + 4; i++) r[x] += s[i];", // data
           "for (int i = x; i < x + 4; i++) { r[x] += s[i]; i += n; }",
           "for (int i = x; i < x + 4; i++) if (s[i] > 0) break;",
           "int i; for (i = x; i < x + 4; i++) r[x] += s[i]; r[i] = 0;",
           "size_t g = x; for (size_t i = g - 1; i < g + 3; i++) r[x] += "
           "s[i];", // wraps
           "for (int i = x - (1 << n); i < x + (1 << n); i++) r[x] += s[i];",
           "if (p[x] > 0) for (int i = x; i < x + 4; i++) r[x] += s[i];",
           "int b = x; for (int i = b; i < b + 4; i++) { r[x] += s[i]; "
           "b++; }",
       }) {
    const std::string text =
        "__kernel void f(__global float *restrict r,\n"
        "  __global const float *restrict s, __global const int *restrict p,\n"
        "  int n) { int x = get_global_id(0), y = get_global_id(1);\n" +
        std::string(loop) + "}";
    const ParseResult parsed = parseOpenCL("f.cl", text, {});
    ASSERT_TRUE(parsed.unit);
    Function &kernel = *parsed.unit->functions[0];
    const StmtRef before = kernel.body;
    countLoopsFromIds(kernel);
    EXPECT_EQ(kernel.body, before) << loop;
    // The parser has tried, too.
    bool isRelative = false;
    forEachExpr(kernel.body, [&](const ExprRef &expr) {
      isRelative |= expr->kind == ExprKind::Cast && !expr->implicit;
    });
    EXPECT_FALSE(isRelative) << loop;
  }
}
