//===- ModelCastsTest.cpp - bytes that are elements -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelTesting.h"

using namespace clopt;

namespace {

struct Built : BuiltModel {
  using BuiltModel::BuiltModel;

  const Array &array(const std::string &name) const {
    return model->arrays[*model->findArray(name)];
  }
  /// "float[w1][w0]": what the array is one of, and how it is accessed.
  std::string form(const std::string &name) const {
    return typeText(array(name).elementType) + subscripts(name);
  }
  bool assumes(const std::string &text) const {
    return std::any_of(
        model->assumptions.begin(), model->assumptions.end(),
        [&](const Assumption &assumption) { return assumption.text == text; });
  }
};

/// A kernel of rows `step` bytes apart that reads `in` and writes `out`.
std::string kernel(const std::string &body) {
  return "__kernel void f(__global uchar *out, __global uchar *in, int step, "
         "int offset, int n) { int x = get_global_id(0), y = "
         "get_global_id(1);" +
         body + "}";
}

} // namespace

TEST(ModelCastsTest, RowsOfBytesAreRowsOfElements) {
  Built built(kernel("*(__global float *)(out + y * step + x * 4) = 1;"));
  EXPECT_EQ(built.form("out"), "float[w1][w0]");
  EXPECT_EQ(built.array("out").elementBytes, 4u);
  EXPECT_TRUE(built.array("out").isCast);
  EXPECT_TRUE(built.assumes("step % 4 == 0"));
  // The same with a pointer between, and with where the rows begin.
  Built pointer(kernel("__global short *row = (__global short *)(out + offset "
                       "+ y * step); row[x + 3] = row[x];"));
  EXPECT_EQ(pointer.form("out"), "short[w1][w0] [w1][w0 + 3]");
  EXPECT_TRUE(pointer.assumes("step % 2 == 0"));
  EXPECT_TRUE(pointer.assumes("offset % 2 == 0"));
  EXPECT_EQ(pointer.text(pointer.array("out").origin), "offset_div2");
}

TEST(ModelCastsTest, MultiplesAskNothingOfTheLaunch) {
  Built built(
      kernel("__global int *p = (__global int *)in; p[y * n + x] = 1;"));
  EXPECT_EQ(built.form("in"), "int[w1][w0]");
  EXPECT_FALSE(built.assumes("n % 4 == 0"));
}

TEST(ModelCastsTest, VectorsAndTheirComponents) {
  Built built(kernel("__global uchar4 *p = (__global uchar4 *)in + y * n;"
                     "p[x].x = p[x].w;"));
  EXPECT_EQ(built.form("in"), "uchar4[w1][w0] [w1][w0]");
}

TEST(ModelCastsTest, PointersOfTheArrayCountItsCells) {
  Built built(kernel("__global uchar *p = in + y * step;"
                     "*(__global int *)(p + 4 * x) = 0; out[x] = 0;"));
  EXPECT_EQ(built.form("in"), "int[w1][w0]");
  ASSERT_FALSE(built->pointers.empty());
  for (const auto &[expr, pointer] : built->pointers)
    if (built->arrays[pointer.array].name == "in") {
      const std::string offset = built.text(pointer.offset);
      EXPECT_TRUE(offset == "step_div4*w1" || offset == "w1*step_div4" ||
                  offset.find("w0") != std::string::npos || offset == "0")
          << offset;
    }
}

TEST(ModelCastsTest, ElementsMayBeCountedInBytes) {
  Built built("__kernel void f(__global float *a, ulong offset, ulong nb1) {"
              "  a = (__global float *)((__global char *)a + offset);"
              "  int x = get_global_id(0), y = get_global_id(1);"
              "  __global float *row = (__global float *)((__global char *)a + "
              "    y * nb1);"
              "  row[x] = 0; }");
  EXPECT_EQ(built.form("a"), "float[w1][w0]");
  EXPECT_EQ(built.array("a").elementBytes, 4u);
  EXPECT_FALSE(built.array("a").isCast);
  EXPECT_TRUE(built.assumes("offset % 4 == 0"));
  EXPECT_TRUE(built.assumes("nb1 % 4 == 0"));
}

TEST(ModelCastsTest, OthersStayBytes) {
  for (const char *body :
       {// several types, bytes as well
        "*(__global float *)(in + x * 4) = in[y];",
        "*(__global float *)(in + x * 4) = *(__global int *)(in + y * 4);",
        "*(__global float *)(in + x * 4) = *(__global short *)(in + y * 2);",
        // no multiples, whatever the arguments are
        "*(__global float *)(in + x) = 1;",
        "*(__global float *)(in + x * 4 + 2) = 1;",
        "*(__global float *)(in + x * 6) = 1;",
        // an id that is multiplied by what is not known to be one
        "*(__global float *)(in + x * y) = 1;",
        // pointers for vloadn need not be aligned
        "vstore4((float4)(1), x, (__global float *)in);",
        // addresses of data
        "*(__global float *)(in + out[x] * 4) = 1;",
        // atomic operations
        "atomic_inc((__global int *)(in + x * 4));"}) {
    Built built(kernel(body));
    EXPECT_FALSE(built.array("in").isCast) << body;
    EXPECT_EQ(built.array("in").elementBytes, 1u) << body;
  }
}

TEST(ModelCastsTest, OwnArraysKeepTheirTypes) {
  Built built(kernel("__local uchar t[64]; __global float *p = (__global float "
                     "*)in; *(__local float *)(t + 4 * get_local_id(0)) = p[x];"
                     "p[x] = *(__local float *)(t + 4 * get_local_id(0));"));
  EXPECT_FALSE(built.array("t").isCast);
  EXPECT_TRUE(built.array("in").isCast);
}
