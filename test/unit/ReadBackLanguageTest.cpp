//===- ReadBackLanguageTest.cpp - forms that symbolic runs know -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every form stands in two texts that mean the same, and beside it one that
// does not.
//
//===----------------------------------------------------------------------===//

#include "Validation/ReadBack.h"

#include "Frontend/clang/ClangParser.h"

#include <gtest/gtest.h>

using namespace clopt;

namespace {

/// What differs between the last kernels of two texts, "" for nothing, "?..."
/// for not compared.
std::string difference(const std::string &original,
                       const std::string &emitted) {
  const std::vector<std::string> flags = {"-cl-std=CL2.0"};
  ParseResult first = parseOpenCL("a.cl", original, flags);
  ParseResult second = parseOpenCL("b.cl", emitted, flags);
  EXPECT_TRUE(first.unit && second.unit) << original << emitted;
  if (!first.unit || !second.unit)
    return "not parsed";
  SmallLaunch launch;
  launch.global[0] = 16;
  launch.local[0] = 4;
  launch.integers["n"] = 20;
  RunNotes notes;
  std::optional<RunFault> wrong = compareRuns(
      *first.unit, *first.unit->functions.back(), *second.unit,
      *second.unit->functions.back(), launch, 4000000, nullptr, notes);
  return wrong ? wrong->what : notes.skipped.empty() ? "" : "?" + notes.skipped;
}

/// Kernels over buffers of floats, ints and bytes, with i as the id.
std::string kernel(const std::string &body, const std::string &before = "") {
  return "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" + before +
         "__kernel void f(__global float *a, __global const float *b,\n"
         "                __global int *p, __global uchar *c,\n"
         "                __global const half *h, float x, int n) {\n"
         "  int i = get_global_id(0);\n" +
         body + "\n}\n";
}

std::string bodies(const std::string &original, const std::string &emitted) {
  return difference(kernel(original), kernel(emitted));
}

void expectPart(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << "was: " << text;
}

/// Two texts that agree, and one that does not.
void expectKnown(const std::string &original, const std::string &same,
                 const std::string &other, const std::string &before = "") {
  EXPECT_EQ(difference(kernel(original, before), kernel(same, before)), "");
  std::string wrong =
      difference(kernel(original, before), kernel(other, before));
  EXPECT_NE(wrong, "") << other;
  EXPECT_NE(wrong[0], '?') << wrong;
}

TEST(ReadBackLanguageTest, ValuesOfAssignmentsToComponents) {
  expectKnown("float t; if ((t = b[i] * 2)) a[i] = t; p[i] = (t = x) > 0;",
              "float2 t; if ((t.s1 = b[i] * 2)) a[i] = t.s1; "
              "p[i] = (t.s0 = x) > 0;",
              "float2 t; if ((t.s1 = b[i] * 2)) a[i] = t.s0; "
              "p[i] = (t.s0 = x) > 0;");
}

/// What lies between fields is nobody's value.
TEST(ReadBackLanguageTest, CopiesOfStructs) {
  const std::string type = "typedef struct { int m; uchar c; } S;\n";
  const std::string s = "__global S *s = (__global S *)p;\n";
  expectKnown(s + "s[i + 32] = s[i];",
              s + "S own[2]; own[1] = s[i]; own[0] = own[1]; s[i + 32] = "
                  "own[0];",
              s + "S own[2]; own[1] = s[i]; own[0] = s[0]; s[i + 32] = "
                  "own[0];",
              type);
}

TEST(ReadBackLanguageTest, PointersToOtherTypes) {
  expectKnown("c[4 * i] = 1; c[4 * i + 1] = 2; c[4 * i + 2] = 3; "
              "c[4 * i + 3] = 4;",
              "*(__global uint *)&c[4 * i] = 0x04030201;",
              "*(__global uint *)&c[4 * i] = 0x01020304;");
  expectKnown("a[i] = b[i];",
              "((__global int *)a)[i] = ((__global const int *)b)[i];",
              "((__global int *)a)[i] = ((__global const int *)b)[i + 1];");
  expectKnown("for (int k = 0; k < 4; k++) c[16 + 4 * i + k] = k;",
              "*(__global uchar4 *)(c + 16 + 4 * i) = (uchar4)(0, 1, 2, 3);",
              "*(__global uchar4 *)(c + 16 + 4 * i) = (uchar4)(0, 1, 3, 2);");
  expectKnown("a[i] = as_float(p[i] + 1065353216);",
              "p += i; int bits = *p + 1065353216; a[i] = *(float *)&bits;",
              "a[i] = as_float(p[i] + 1065353217);");
}

TEST(ReadBackLanguageTest, PartsOfWideReadsLieWithinTheBuffer) {
  expectPart(bodies("if (i < 15) p[i] = c[i + 1];",
                    "if (i < 15) p[i] = ((*(__global uint *)&c[i & ~3]) , "
                    "c[i + 1]);"),
             "c[0] is read, outside of what the original accesses");
}

TEST(ReadBackLanguageTest, BitsAndLanesOfOtherSizes) {
  expectKnown("p[i] = as_int(b[i]);", "float t = b[i]; p[i] = as_int(t);",
              "p[i] = as_int(b[i + 1]);");
  expectKnown("uchar4 v = as_uchar4(i * 77); c[i] = v.y;",
              "c[i] = (i * 77) >> 8;", "c[i] = (i * 77) >> 16;");
  expectKnown("a[i] = as_float(as_int(b[i]));", "a[i] = b[i];",
              "a[i] = b[i] + 0.0f;");
}

TEST(ReadBackLanguageTest, AddressesOfVariables) {
  expectKnown("float t = b[i]; float *q = &t; *q += x; a[i] = t;",
              "float t = b[i]; t += x; a[i] = t;",
              "float t = b[i]; float *q = &t; a[i] = *q;");
  const std::string helper = "void swap(float *u, float *v) {\n"
                             "  float t = *u; *u = *v; *v = t; }\n"
                             "void half_of(float v, float *to) {\n"
                             "  float *w = &v; *w *= 0.5f; *to = v; }\n";
  expectKnown("float s = b[i], t = x; swap(&s, &t); a[i] = s - t;",
              "a[i] = x - b[i];", "a[i] = b[i] - x;", helper);
  expectKnown("float s; half_of(b[i], &s); a[i] = s;", "a[i] = b[i] * 0.5f;",
              "a[i] = b[i];", helper);
}

TEST(ReadBackLanguageTest, PointersOfPointersAndTheirOrder) {
  expectKnown("__global float *rows[2] = {a, a + 16}; rows[i & 1][i] = x;",
              "__global float *q = i & 1 ? a + 16 : a; q[i] = x;",
              "__global float *q = i & 1 ? a : a + 16; q[i] = x;");
  expectKnown("__global float *e = a + i; int k = 0; "
              "for (__global float *q = a; q < e; q++) k++; p[i] = k;",
              "p[i] = (a + i) - a;", "p[i] = (a + i) - a + 1;");
}

TEST(ReadBackLanguageTest, StructsByValue) {
  const std::string types =
      "typedef struct { float u; int k[2]; float2 w; } S;\n"
      "S make(float u, int k) { S s = {u, {k, k + 1}, (float2)(u, 1)};\n"
      "  return s; }\n"
      "float sum(S s) { s.u += s.k[1]; return s.u + s.w.y; }\n";
  expectKnown("S s = make(b[i], i); a[i] = sum(s); p[i] = s.k[0];",
              "a[i] = b[i] + (float)(i + 1) + 1; p[i] = i;",
              "a[i] = b[i] + (float)(i + 2) + 1; p[i] = i;", types);
  expectKnown("S s = i > 3 ? make(x, 1) : make(b[i], 2); S t = s; t.u = 0; "
              "a[i] = s.u; p[i] = t.k[1];",
              "a[i] = i > 3 ? x : b[i]; p[i] = i > 3 ? 2 : 3;",
              "a[i] = i > 3 ? x : 0; p[i] = i > 3 ? 2 : 3;", types);
}

TEST(ReadBackLanguageTest, Initializers) {
  expectKnown("float t[4] = {x, b[i]}; a[i] = t[i & 3];",
              "a[i] = (i & 3) == 0 ? x : (i & 3) == 1 ? b[i] : 0.0f;",
              "a[i] = (i & 3) == 0 ? x : (i & 3) == 1 ? b[i] : 1.0f;");
  expectKnown("int t[2][2] = {{1, 2}, {i}}; p[i] = t[i & 1][(i >> 1) & 1];",
              "p[i] = i & 1 ? (i & 2 ? 0 : i) : (i & 2 ? 2 : 1);",
              "p[i] = i & 1 ? (i & 2 ? 1 : i) : (i & 2 ? 2 : 1);");
}

TEST(ReadBackLanguageTest, ConstantsOfTheFile) {
  const std::string table = "__constant float w[4] = {0.5f, 0.25f, 2};\n"
                            "__constant int2 k[2] = {(int2)(1, 2), 5};\n";
  EXPECT_EQ(difference(kernel("float w[4] = {0.5f, 0.25f, 2}; "
                              "a[i] = w[i & 3]; p[i] = i & 1 ? 5 : 2;"),
                       kernel("a[i] = w[i & 3]; p[i] = k[i & 1].y;", table)),
            "");
  expectPart(difference(kernel("a[i] = i & 1 ? 0.25f : 0.5f;"),
                        kernel("a[i] = w[1 - (i & 1)];", table)),
             "a[0] becomes 0.25, not 0.5");
  expectPart(difference(kernel("a[i] = 0.5f;"), kernel("a[i] = w[i];", table)),
             "an access outside of 'w'");
}

TEST(ReadBackLanguageTest, Halves) {
  expectKnown("a[i] = vload_half(i, h);", "a[i] = h[i];", "a[i] = h[i + 1];");
  expectKnown("a[i] = vload_half4(i, h).z;", "a[i] = vload_half(4 * i + 2, h);",
              "a[i] = vload_half(4 * i + 3, h);");
}

TEST(ReadBackLanguageTest, SecondResults) {
  expectKnown("float s; a[i] = fract(b[i], &s) + s;",
              "float s, t = fract(b[i], &s); a[i] = t + s;",
              "float s, t = fract(b[i], &s); a[i] = t + t;");
  expectKnown("int e; a[i] = frexp(b[i], &e); p[i] = e;",
              "int e; float t = frexp(b[i], &e); p[i] = e; a[i] = t;",
              "int e; a[i] = frexp(b[i], &e); p[i] = e + 1;");
}

TEST(ReadBackLanguageTest, SwizzlesThatAreSetAtOnce) {
  expectKnown("float4 v = vload4(i & 3, b); v.xy = v.yx; a[i] = v.x - v.y;",
              "float4 v = vload4(i & 3, b); a[i] = v.y - v.x;",
              "float4 v = vload4(i & 3, b); a[i] = v.y - v.y;");
  expectKnown("int4 v = (int4)(i, 1, 2, 3); v = v.wzyx; v.s02 += v.odd; "
              "p[i] = v.x * 100 + v.z;",
              "p[i] = 500 + 1 + i;", "p[i] = 500 + 2 + i;");
}

TEST(ReadBackLanguageTest, AsynchronousCopies) {
  auto copied = [](const std::string &wait, const std::string &first) {
    return kernel("__local float t[4]; int l = get_local_id(0);\n"
                  "event_t e = async_work_group_copy(t, b + " +
                  first + ", 4, 0);\n" + wait + "\na[i] = t[3 - l];");
  };
  const std::string meant = kernel("a[i] = b[i / 4 * 4 + 3 - i % 4];");
  const std::string wait = "wait_group_events(1, &e);";
  EXPECT_EQ(difference(meant, copied(wait, "i - l")), "");
  expectPart(difference(meant, copied(wait, "0")), "becomes");
  expectPart(difference(meant, copied("", "i - l")), "without a barrier");
}

TEST(ReadBackLanguageTest, Images) {
  auto image = [](const std::string &body) {
    return "__constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE;\n"
           "__kernel void f(read_only image2d_t u, write_only image2d_t v) {\n"
           "  int i = get_global_id(0);\n" +
           body + "\n}\n";
  };
  const std::string original = image(
      "write_imagef(v, (int2)(i, 2), read_imagef(u, s, (int2)(2, i)).yxzw);");
  EXPECT_EQ(difference(original,
                       image("float4 t = read_imagef(u, s, (int2)(2, i)); "
                             "t = t.yxzw; write_imagef(v, (int2)(i, 2), t);")),
            "");
  expectPart(difference(original, image("write_imagef(v, (int2)(i, 2), "
                                        "read_imagef(u, s, (int2)(i, 2))"
                                        ".yxzw);")),
             "becomes");
  EXPECT_NE(difference(original, image("write_imagef(v, (int2)(2, i), "
                                       "read_imagef(u, s, (int2)(2, i))"
                                       ".yxzw);")),
            "");
}

TEST(ReadBackLanguageTest, BarriersInCalledFunctions) {
  const std::string helper =
      "float last(__local float *t, float v) {\n"
      "  t[get_local_id(0)] = v; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  return t[3]; }\n";
  expectKnown("a[i] = b[i | 3] + b[i];",
              "__local float t[4]; a[i] = last(t, b[i]) + b[i];",
              "__local float t[4]; a[i] = last(t, b[i]) + b[0];", helper);
}

TEST(ReadBackLanguageTest, DivisionByZeroHasNoMeaning) {
  expectPart(bodies("p[i] = 7 / i;", "p[i] = 7 / i;"), "?a division by zero");
  expectPart(
      bodies("p[i] = i ? 7 / i : 0;", "int q = 7 / i; p[i] = i ? q : 0;"),
      "a division by zero (line");
}

TEST(ReadBackLanguageTest, PointersThatPointNowhere) {
  expectPart(bodies("p[i] = 1;", "__global int *q = 0; *q = 1; p[i] = 1;"),
             "an access through a pointer that points nowhere");
}

TEST(ReadBackLanguageTest, AddressesThatMakeNoSense) {
  expectPart(bodies("a[i] = x;", "a[(long)i << 58] = x; a[i] = x;"),
             "an access through a pointer that points nowhere");
  // Past all that an address can be.
  expectPart(bodies("a[i] = x;", "a[i] = x; a[((long)1 << 62) - 1 - i] = x;"),
             "a[-16] is written, and the original does not");
}

TEST(ReadBackLanguageTest, OnlyWhatIsMadeOfWhatIsNeverSetMayDiffer) {
  // Other cells of the same launch.
  expectPart(bodies("__local int t[4]; p[i] = t[0]; a[i] = x;",
                    "__local int t[4]; p[i] = t[0]; a[i] = 2 * x;"),
             "a[0] becomes");
  expectPart(bodies("int t[2]; t[0] = i; p[2 * i] = t[1]; p[2 * i + 1] = t[0];",
                    "p[2 * i] = i; p[2 * i + 1] = i + 1;"),
             "p[1] becomes 1, not 0");
  // Through copies, vectors and atomic operations.
  const std::string copies =
      "int2 s, t; s.x = i; t = s; __local int sum[1];\n"
      "if (i % 4 == 0) sum[0] = 0; barrier(CLK_LOCAL_MEM_FENCE);\n"
      "atomic_add(sum, t.x); barrier(CLK_LOCAL_MEM_FENCE);\n";
  expectPart(bodies(copies + "a[i] = t.y; p[i] = sum[0];",
                    copies + "a[i] = 1; p[i] = sum[0] + 1;"),
             "p[0] becomes");
  EXPECT_EQ(bodies(copies + "a[i] = t.y; p[i] = sum[0];",
                   copies + "a[i] = 1; p[i] = sum[0];"),
            "?results that depend on what is never set");
  // Bits that do not depend on it.
  expectPart(bodies("int t; p[i] = t & 6 & 1;", "p[i] = 1;"),
             "p[0] becomes 1, not 0");
  expectPart(bodies("int t; p[i] = i > 20 && t > 0;", "p[i] = 1;"),
             "p[0] becomes 1, not 0");
  // What decides on the way, and where memory is accessed.
  for (const char *way :
       {"int t; if (t > 5) p[i] = 1; a[i] = x;",
        "int t; p[i] = b[t & 3]; a[i] = x;", "int t; p[i + (t & 1)] = 1;",
        "int t; for (int k = 0; k < (t & 3); k++) p[i] = 1;"})
    EXPECT_EQ(bodies(way, "a[i] = 2 * x;"),
              "?results that depend on what is never set")
        << way;
}

TEST(ReadBackLanguageTest, LargeInitializersEndARun) {
  const std::string large = "float t[20000] = {1}; a[i] = t[i];";
  EXPECT_EQ(bodies(large, large), "?an initializer");
}

TEST(ReadBackLanguageTest, WhatIsNeverSetMustNotMatter) {
  // In the result only.
  expectPart(bodies("a[i] = x;", "float t; if (i > 2) t = x; a[i] = t;"),
             "a[0] becomes unset(");
  expectPart(bodies("p[i] = 1;", "int t[2]; t[0] = 1; p[i] = t[i & 1];"),
             "p[1] becomes");
  expectPart(bodies("p[i] = 1;", "__local int t[4]; p[i] = t[0];"),
             "p[0] becomes");
  // In the original, too.
  expectPart(bodies("float t; a[i] = t;", "float t; a[i] = t;"),
             "?results that depend on what is never set");
  // Where half of all values have the same result, too.
  for (int cell = 0; cell < 16; ++cell) {
    const std::string half =
        "__local uchar t[16]; p[i] = t[" + std::to_string(cell) + "] & 1;";
    std::string found = bodies(half, half);
    EXPECT_TRUE(found.empty() || found[0] == '?') << cell << ": " << found;
  }
  // Where few values have another result.
  EXPECT_EQ(bodies("__local int t[4]; p[i] = max(1022, t[i & 3] & 1023);",
                   "p[i] = i + 2000;"),
            "?results that depend on what is never set");
  // Nobody looks at it.
  EXPECT_EQ(bodies("float t; if (i > 2) t = x; a[i] = i > 2 ? t : 0;",
                   "a[i] = i > 2 ? x : 0;"),
            "");
}

TEST(ReadBackLanguageTest, AtomicLoopsEnd) {
  const std::string loop =
      "volatile __global int *q = p + 16; int old = *q, seen;\n"
      "do { seen = old; old = atomic_cmpxchg(q, seen, seen + i); }\n"
      "while (old != seen);";
  EXPECT_EQ(bodies(loop, loop), "");
  const std::string alone =
      "int old = p[16 + i], seen;\n"
      "do { seen = old; old = atomic_cmpxchg(p + 16 + i, seen, seen + i); }\n"
      "while (old != seen);";
  EXPECT_EQ(bodies(alone, alone), "");
  EXPECT_EQ(bodies("atomic_max(&p[0], i);", "if (i == 15) "
                                            "atomic_max(&p[0], i);"),
            "");
}

TEST(ReadBackLanguageTest, FunctionsThatAreOnlyKnownToBeSome) {
  expectKnown("p[i] = mul_hi(i * 99999999, 77777) + upsample((short)i, "
              "(ushort)3);",
              "int t = mul_hi(i * 99999999, 77777); "
              "p[i] = t + (i << 16 | 3);",
              "p[i] = mul_hi(i * 99999999, 77777) + 3;");
  expectKnown("p[i] = ilogb(b[i]);", "float t = b[i]; p[i] = ilogb(t);",
              "p[i] = ilogb(b[i]) + 1;");
}

} // namespace
