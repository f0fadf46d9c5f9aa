//===- GuardsTest.cpp - run-time conditions of optimized code -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/KernelWriter.h"

#include "KernelTesting.h"

#include <algorithm>

using namespace clopt;

namespace {

struct Emitted {
  TestedKernel tested;
  std::optional<EmittedKernel> result;
  LoweringError error;
  Emitted(const std::string &source, const std::string &steps,
          const std::vector<std::string> &flags = {},
          AliasMode alias = AliasMode::Check)
      : tested(source, flags) {
    EXPECT_EQ(tested.apply(steps, alias).message, "");
    result = emitKernel(tested.kernel, EmitOptions(), error);
  }
  bool asks(const std::string &reason) const {
    return result && std::count(result->guards.begin(), result->guards.end(),
                                reason) == 1;
  }
  bool has(const std::string &text) const {
    return result && result->body.find(text) != std::string::npos;
  }
};

} // namespace

static std::string row(const std::string &body) {
  return kernelOf("int i = get_global_id(0);\n" + body);
}

TEST(GuardsTest, LoopsThatAreDimensionsAskForTheRankOfTheLaunch) {
  Emitted mapped(row("for (int k = 0; k < n; k++) r[i * n + k] = 1;"), "map k");
  EXPECT_TRUE(mapped.asks("the NDRange has 1 dimension"));
  EXPECT_TRUE(mapped.has("get_global_size(1) * get_global_size(2) == 1"));
  // Where all layers of a launch do the same, they still do.
  Emitted merged(row("r[i] = 1;"), "coarsen i:2");
  EXPECT_FALSE(merged.asks("the NDRange has 1 dimension"));
  Emitted alone(row("for (int k = 0; k < n; k++) r[i] += s[k];"),
                "privatize r");
  EXPECT_FALSE(alone.asks("the NDRange has 1 dimension"));
}

TEST(GuardsTest, SmallerLastGroupsAreCheckedWhereTheyExist) {
  const std::string source = row("r[i] = 1;");
  Emitted modern(source, "coarsen i:2", {"-cl-std=CL2.0"});
  EXPECT_TRUE(modern.asks("all work-groups have the same size"));
  EXPECT_TRUE(modern.has("get_enqueued_local_size(0)"));
  Emitted old(source, "coarsen i:2", {"-cl-std=CL1.2"});
  EXPECT_FALSE(old.has("get_enqueued_local_size"));
}

TEST(GuardsTest, FootprintsAreCompared) {
  Emitted emitted(kernelOf("for (int k = 0; k < n; k++) a[k + 2] = b[m + k];"),
                  "vectorize k:4");
  EXPECT_TRUE(emitted.asks("'a' and 'b' do not overlap"));
  EXPECT_TRUE(emitted.has("a_end <= b_begin || b_end <= (size_t)a"))
      << emitted.result->body;
}

/// Ends are counted in cells, which are less than what pointers point to.
TEST(GuardsTest, FootprintsOfSmallerCellsAreAddressesOfCells) {
  Emitted emitted(
      "__kernel void f(__global const float4 *a, __global float *r, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  __global const float *x = (__global const float *)(a + i * n);\n"
      "  float s = 0;\n  for (int k = 0; k < n; k++) s += x[4 * k + 1];\n"
      "  r[i] = s; }",
      "coarsen i:2");
  EXPECT_TRUE(emitted.has("(size_t)((__global const uint *)a +"))
      << emitted.result->body;
}

TEST(GuardsTest, NothingIsComparedWhatIsPromisedOrRestrict) {
  Emitted promised(kernelOf("for (int k = 0; k < n; k++) a[k] = b[k];"),
                   "vectorize k:4", {}, AliasMode::None);
  EXPECT_FALSE(promised.asks("'a' and 'b' do not overlap"));
  Emitted unique(kernelOf("for (int k = 0; k < n; k++) r[k] = s[k];"),
                 "vectorize k:4");
  ASSERT_TRUE(unique.result);
  EXPECT_TRUE(unique.result->guards.empty());
}

TEST(GuardsTest, AFootprintThatTheLaunchDoesNotBoundIsRefused) {
  // The rows of b are counted by a variable of the program's own.
  Emitted emitted(
      row("float x = 0;\nfor (int k = 0; k < n; k++) { a[i] = x; x += b[k]; }"),
      "privatize a");
  EXPECT_TRUE(emitted.result) << emitted.error.message;
  EXPECT_TRUE(emitted.asks("'a' and 'b' do not overlap"));
}

TEST(GuardsTest, MacrosOfTheCommandLineAreFixed) {
  Emitted emitted("__kernel void f(__global float *restrict r) {\n"
                  "  for (int k = 0; k < N; k++) r[k] = 1; }",
                  "unroll k", {"-D", "N=8"});
  EXPECT_TRUE(emitted.asks("macro N is 8"));
  EXPECT_TRUE(emitted.has("clopt_is(N, 8)"));
}

TEST(GuardsTest, UnsignedLongsFitIntoALong) {
  Emitted emitted("__kernel void f(__global float *a, ulong m, uint n) {\n"
                  "int i = get_global_id(0);\n"
                  "if (i < m) for (int l = 0; l < n; l++) a[l * m + i] = 1;}",
                  "coarsen i:4");
  EXPECT_TRUE(emitted.asks("'m' fits into a long"));
  EXPECT_TRUE(emitted.has("(long)m >= 0")) << emitted.result->body;
  EXPECT_FALSE(emitted.has("(long)n >= 0")) << emitted.result->body;
}

TEST(GuardsTest, ProductsAreCheckedInSixtyFourBits) {
  Emitted emitted("__kernel void f(__global float *a, uint n, uint m) {\n"
                  "uint i = get_global_id(0);\n"
                  "if (i < n) for (uint l = 0; l < m; l++) a[l * n + i] = 1;}",
                  "coarsen i:4");
  EXPECT_TRUE(emitted.asks("n*l + get_global_id(0) <= 4294967295"));
  EXPECT_TRUE(emitted.has("(ulong)n * m <= 4294967296"))
      << emitted.result->body;
}

TEST(GuardsTest, ChunkedLoopsStayClearOfTheEndOfInt) {
  Emitted chunks(kernelOf("for (int k = 0; k < n; k++) r[k] = s[k];"),
                 "vectorize k:4");
  EXPECT_TRUE(chunks.has("n <= 2147480001")) << chunks.result->body;
  Emitted bounded(kernelOf("for (int k = 0; k < 64; k++) r[k] = s[k];"),
                  "vectorize k:4");
  EXPECT_FALSE(bounded.has("2147480001")) << bounded.result->body;
}

TEST(GuardsTest, DownwardLoopsStayClearOfTheLeastInt) {
  Emitted down(kernelOf("for (int k = m; k > n; k--) r[k] = s[k];"),
               "unroll k:4");
  EXPECT_TRUE(down.has("n >= -2147480001")) << down.result->body;
  EXPECT_FALSE(down.has("n <= 2147480001")) << down.result->body;
}

TEST(GuardsTest, WhatIsKnownIsNotAskedAgain) {
  Emitted emitted(row("for (int k = 0; k < n; k++) r[i] += a[k];"),
                  "coarsen i:4\nunroll k:4\nrequire k:16 items=4096");
  ASSERT_TRUE(emitted.result);
  const std::string &body = emitted.result->body;
  EXPECT_TRUE(emitted.has("if (n >= 16 &&\n"
                          "        get_global_size(0) >= 4096 &&"))
      << body;
  EXPECT_FALSE(emitted.has("n >= -")) << body;
  size_t end = body.find("i_end <= ");
  EXPECT_TRUE(end == std::string::npos ||
              body.find("i_end <= ", end + 1) == std::string::npos)
      << body;
}

TEST(GuardsTest, LargeTilesNeedMoreRoom) {
  Emitted tiles(kernelOf("for (int k = 0; k < n; k++) r[k] = s[k];"),
                "tile k:4096");
  EXPECT_TRUE(tiles.has("n <= 2147475456")) << tiles.result->body;
}

TEST(GuardsTest, ArgumentsInSumsStayClearOfTheEndsOfInt) {
  Emitted first(kernelOf("for (int k = m; k < n; k++) r[k] = s[k];"),
                "unroll k:4");
  EXPECT_TRUE(first.has("m <= 1073741823")) << first.result->body;
  EXPECT_TRUE(first.has("k + 3 < n")) << first.result->body;
  // Nothing is added where the loop stays as it was.
  Emitted plain(row("for (int k = m; k < n; k++) r[k] = a[i];"), "hoist a", {},
                AliasMode::None);
  EXPECT_FALSE(plain.has("2147480000")) << plain.result->body;
}

TEST(GuardsTest, UnsignedArgumentsFitTheIntsOfTheOutput) {
  Emitted emitted("__kernel void f(__global float *a, uint n) {\n"
                  "int i = get_global_id(0); if (i < n) a[i] = 1;}",
                  "coarsen i:4");
  EXPECT_TRUE(emitted.has("(long)n <= 2147483647")) << emitted.result->body;
}

// min(w, x_end) <= columns is a union for isl; two of them are no product of
// unions in the text.
TEST(GuardsTest, AlternativesAreAskedOneByOne) {
  Emitted emitted(
      "__kernel void f(__global const float *a, __global float *r, int w,\n"
      "                int h, int columns, int rows) {\n"
      "int x = get_global_id(0); int y = get_global_id(1);\n"
      "int z = get_global_id(2); if (x >= w || y >= h) return;\n"
      "r[(z * columns + x) * rows + y] = a[(z * rows + y) * columns + x];}",
      "tile x:16\ntile y:16\nstage a");
  const std::string &body = emitted.result->body;
  EXPECT_TRUE(emitted.has("(w <= columns || x_end <= columns)")) << body;
  EXPECT_TRUE(emitted.has("(h <= rows || y_end <= rows)")) << body;
  EXPECT_FALSE(emitted.has("columns < w")) << body;
  size_t first = body.find("x_end <= columns");
  EXPECT_EQ(body.find("x_end <= columns", first + 1), std::string::npos)
      << body;
}
