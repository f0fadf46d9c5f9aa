//===- PointerFixesTest.cpp - qualifiers that pointers could have ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/PointerFixes.h"

#include <gtest/gtest.h>

#include <set>

using namespace clopt;

namespace {

using Texts = std::vector<std::string>;

PointerFixes fixesOf(const std::string &source, bool withRestrict,
                     const Texts &flags = {}) {
  PointerFixes found = findPointerFixes("test.cl", source, flags, withRestrict);
  EXPECT_TRUE(found.isGood) << source;
  return found;
}

/// The source with all fixes of the kind.
std::string fixed(const std::string &source, FixKind kind,
                  const Texts &flags = {}) {
  std::set<Insertion> all;
  for (const Fix &fix : fixesOf(source, kind == FixKind::Restrict, flags).fixes)
    if (fix.kind == kind)
      all.insert(fix.insertions.begin(), fix.insertions.end());
  std::string text = source;
  for (auto at = all.rbegin(); at != all.rend(); ++at)
    text.insert(static_cast<size_t>(at->at), at->text);
  return text;
}

std::string withConst(const std::string &source, const Texts &flags = {}) {
  return fixed(source, FixKind::Const, flags);
}

/// Why the parameter is refused; "" when it is not.
std::string refusal(const std::string &source, const std::string &parameter,
                    FixKind kind = FixKind::Const, const Texts &flags = {}) {
  for (const Fix &fix : fixesOf(source, kind == FixKind::Restrict, flags).fixes)
    if (fix.parameter == parameter && fix.kind == kind)
      return fix.isRefused() ? fix.message.substr(fix.message.find(": ") + 2)
                             : "";
  return "no such candidate";
}

/// A kernel over buffers a and b.
std::string kernel(const std::string &body, const std::string &before = "") {
  return before +
         "__kernel void k(__global float *a, __global float *b, int n) {\n"
         "  int i = get_global_id(0);\n  " +
         body + "\n}\n";
}

const std::string unfollowed = "it is used in a way that is not followed";

} // namespace

//===-- const -------------------------------------------------------------===//

TEST(PointerFixesTest, WhatIsOnlyReadIsConst) {
  EXPECT_EQ(withConst(kernel("b[i] = a[i];")),
            "__kernel void k(__global const float *a, __global float *b, int "
            "n) {\n  int i = get_global_id(0);\n  b[i] = a[i];\n}\n");
  for (const char *read :
       {"*(a + i)", "*a++", "(&a[i])[1]", "i[a]", "(a + 1)[i] + n",
        "vload4(i, a).x", "(a ? a[0] : 0)", "(n ? a : b)[i]",
        "((__global const int *)a)[i]", "sizeof(*a) + a[0]", "(a - b)",
        "(a == b)", "(n, a)[0]"})
    EXPECT_EQ(refusal(kernel(std::string("b[i] = ") + read + ";"), "a"), "")
        << read;
}

TEST(PointerFixesTest, PartsOfVectorsAndStructures) {
  const std::string before = "typedef struct { float x[2]; int y; } S;\n";
  const auto kernelOf = [&](const std::string &body) {
    return before +
           "__kernel void k(__global S *a, __global float4 *v, "
           "__global float *b) {\n" +
           body + "}\n";
  };
  EXPECT_EQ(refusal(kernelOf("b[0] = a[0].x[1] + a->y + v[0].y;"), "a"), "");
  EXPECT_EQ(refusal(kernelOf("b[0] = a->y + v[0].xy.x + v->w;"), "v"), "");
  EXPECT_EQ(refusal(kernelOf("a[0].x[1] = v[0].x;"), "a"),
            "it is written in line 3");
  EXPECT_EQ(refusal(kernelOf("a->y++; b[0] = 0;"), "a"),
            "it is written in line 3");
  EXPECT_EQ(refusal(kernelOf("v[0].xy = 0;"), "v"), "it is written in line 3");
  EXPECT_EQ(refusal(kernelOf("__global float *p = a->x; p[0] = 1;"), "a"),
            "through 'p' it is written in line 3");
}

TEST(PointerFixesTest, WhatIsWrittenIsNot) {
  for (const char *write : {"a[i] = 0;", "a[i] += b[i];", "a[i]++;", "*a = 1;",
                            "*a++ = 1;", "(a + 1)[i] = 2;", "*(&a[i] + 1) = 3;",
                            "(n ? a : b)[i] = 1;", "(n, a)[0] = 1;"})
    EXPECT_EQ(refusal(kernel(write), "a"), "it is written in line 3") << write;
}

TEST(PointerFixesTest, CastsThatTakeConstAway) {
  const std::string casts = "it is cast to a pointer without const in line 3";
  EXPECT_EQ(refusal(kernel("((__global int *)a)[i] = 1;"), "a"), casts);
  EXPECT_EQ(refusal(kernel("b[i] = ((__global float *)a)[i];"), "a"), casts);
  EXPECT_EQ(refusal(kernel("__global const float *p = a;\n"
                           "((__global float *)p)[i] = 1;"),
                    "a"),
            "through 'p' it is cast to a pointer without const in line 4");
  EXPECT_EQ(
      refusal(kernel("size_t at = (size_t)a; *(__global int *)at = 1;"), "a"),
      "it is cast to a number in line 3");
}

TEST(PointerFixesTest, LocalPointersFollow) {
  EXPECT_EQ(withConst(kernel("__global float *row = a + n * i;\n"
                             "  b[i] = row[0];")),
            "__kernel void k(__global const float *a, __global float *b, int "
            "n) {\n  int i = get_global_id(0);\n"
            "  __global const float *row = a + n * i;\n  b[i] = row[0];\n}\n");
  EXPECT_EQ(refusal(kernel("__global float *p; p = a; p[i] = 1;"), "a"),
            "through 'p' it is written in line 3");
  EXPECT_EQ(refusal(kernel("__global float *p = a, *q = b; q[i] = p[i];"), "a"),
            "through 'p' it is declared together with others");
  EXPECT_EQ(refusal(kernel("__global float *p[2] = {a, b}; p[0][i] = 1;"), "a"),
            unfollowed + " in line 3");
  EXPECT_EQ(refusal(kernel("__global float **p = &a; **p = 1;"), "a"),
            "its own address is taken in line 3");
  EXPECT_EQ(refusal(kernel("({ a; })[i] = 1;"), "a"),
            "the function has text that is not followed in line 1");
}

TEST(PointerFixesTest, HelpersFollow) {
  const std::string reads = "float get(__global float *p) { return *p; }\n";
  EXPECT_EQ(withConst(kernel("b[i] = get(a + i);", reads)),
            "float get(__global const float *p) { return *p; }\n"
            "__kernel void k(__global const float *a, __global float *b, int "
            "n) {\n  int i = get_global_id(0);\n  b[i] = get(a + i);\n}\n");
  // The declaration ahead of it, too.
  const std::string ahead = "float get(__global float *);\n";
  EXPECT_NE(withConst(kernel("b[i] = get(a + i);", ahead + reads))
                .find("float get(__global const float *);"),
            std::string::npos);
  EXPECT_EQ(refusal(kernel("put(a, i);", "void put(__global float *p, int i) "
                                         "{ p[i] = 1; }\n"),
                    "a"),
            "through 'p' it is written in line 1");
  EXPECT_EQ(refusal(kernel("put(a);", "void put(__global float *p);\n"), "a"),
            "it is passed to 'put', whose text is not here in line 4");
  EXPECT_EQ(refusal(kernel("b[i] = *same(a);",
                           "__global float *same(__global float *p) "
                           "{ return p; }\n"),
                    "a"),
            "through 'p' it is returned in line 1");
  const std::string twice =
      "float __attribute__((overloadable)) f(__global float *p)"
      "{ return p[0]; }\n"
      "float __attribute__((overloadable)) f(__global const float *p)"
      "{ return p[1]; }\n";
  EXPECT_EQ(refusal(kernel("b[i] = f(a);", twice), "a"),
            "it is passed to 'f', which is overloaded in line 5");
}

TEST(PointerFixesTest, FunctionsOfTheLanguage) {
  EXPECT_EQ(refusal(kernel("prefetch(a, 4); b[i] = vload2(0, a).x;"), "a"), "");
  EXPECT_EQ(refusal(kernel("vstore4((float4)(0), i, a);"), "a"),
            "it is passed to 'vstore4', which may write it in line 3");
  EXPECT_EQ(refusal(kernel("atomic_xchg(a, 1.0f);"), "a"),
            "it is passed to 'atomic_xchg', which may write it in line 3");
  EXPECT_EQ(refusal(kernel("b[i] = fract(b[i], a);"), "a"),
            "it is passed to 'fract', which may write it in line 3");
}

TEST(PointerFixesTest, DeclarationsThatCannotTakeIt) {
  const auto of = [](const std::string &parameter,
                     const std::string &before = "") {
    return before + "__kernel void k(" + parameter +
           ", __global float *b) { b[0] = a[0]; }\n";
  };
  EXPECT_EQ(refusal(of("P a", "typedef __global float *P;\n"), "a"),
            "its type has a name that hides the pointer");
  EXPECT_EQ(refusal(of("F *a", "#define F __global float\n"), "a"),
            "a macro or another file has its declaration");
  EXPECT_EQ(withConst(of("__global R *a", "#define R float\n")),
            of("__global const R *a", "#define R float\n"));
  EXPECT_EQ(withConst(of("__global R *a"), {"-DR=float"}),
            of("__global const R *a"));
  EXPECT_EQ(withConst(of("__global float a[]")),
            of("__global const float a[]"));
  EXPECT_EQ(withConst(of("float __global *restrict a")),
            of("const float __global *restrict a"));
  EXPECT_EQ(refusal(of("__global const float *a"), "a"), "no such candidate");
}

TEST(PointerFixesTest, OtherFlagsOtherTexts) {
  const std::string other = "with other flags 'k' would have another text";
  EXPECT_EQ(refusal(kernel("b[i] = a[i];\n#ifdef W\na[i] = 1;\n#endif"), "a"),
            other);
  EXPECT_EQ(refusal(kernel("OUT[i] = a[i];"), "a", FixKind::Const, {"-DOUT=b"}),
            other);
  const std::string macro = "#ifdef W\n#define OP(p) p[0] = 1\n#else\n"
                            "#define OP(p) b[0] = p[0]\n#endif\n";
  EXPECT_EQ(refusal(kernel("OP(a);", macro), "a"), other);
  const std::string helper =
      "#ifdef W\nfloat g(__global float *p) { return p[0] = 1; }\n#else\n"
      "float g(__global float *p) { return p[0]; }\n#endif\n";
  EXPECT_EQ(refusal(kernel("b[i] = g(a);", helper), "a"), other);
  EXPECT_EQ(refusal("__kernel void k(__global float *a)\n#ifdef W\n"
                    "{ a[0] = 1; }\n#else\n{ int i = a[0]; }\n#endif\n",
                    "a"),
            other);
  // A number decides nothing.
  EXPECT_EQ(refusal(kernel("b[i] = a[N];"), "a", FixKind::Const, {"-DN=3"}),
            "");
}

TEST(PointerFixesTest, CppHasReferences) {
  EXPECT_TRUE(fixesOf("kernel void k(global float *a) "
                      "{ global float &r = a[0]; r = 1; }\n",
                      true, {"-cl-std=clc++"})
                  .fixes.empty());
}

//===-- restrict ----------------------------------------------------------===//

TEST(PointerFixesTest, RestrictIsForThoseWhoAsk) {
  const std::string source = kernel("b[i] = a[i];");
  for (const Fix &fix : fixesOf(source, false).fixes)
    EXPECT_EQ(fix.kind, FixKind::Const);
  EXPECT_EQ(fixed(source, FixKind::Restrict),
            "__kernel void k(__global float *restrict a, __global float "
            "*restrict b, int n) {\n  int i = get_global_id(0);\n"
            "  b[i] = a[i];\n}\n");
  EXPECT_EQ(fixed("__kernel void k(__global float* a) { a[0] = 1; }\n",
                  FixKind::Restrict),
            "__kernel void k(__global float* restrict a) { a[0] = 1; }\n");
}

TEST(PointerFixesTest, WorkItemsThatExchangeValues) {
  const std::string barrier =
      kernel("b[i] = a[i]; barrier(CLK_GLOBAL_MEM_FENCE); b[0] = b[i + 1];");
  EXPECT_EQ(refusal(barrier, "b", FixKind::Restrict),
            "work-items may exchange values through it in line 3");
  EXPECT_EQ(refusal(barrier, "a", FixKind::Restrict), "");
  EXPECT_EQ(refusal(kernel("f(); b[i] = a[i];",
                           "void f(void) { mem_fence(CLK_GLOBAL_MEM_FENCE); "
                           "}\n"),
                    "b", FixKind::Restrict),
            "work-items may exchange values through it in line 1");
  EXPECT_EQ(refusal(kernel("a = b; a[i] = 1;"), "a", FixKind::Restrict),
            "it is set to another address");
  EXPECT_EQ(refusal(kernel("b += n; b[i] = 1;"), "b", FixKind::Restrict), "");
  EXPECT_EQ(refusal("__kernel void k(__global float a[]) { a[0] = 1; }\n", "a",
                    FixKind::Restrict),
            "its declaration has no '*' in this file");
}

//===-- Heads -------------------------------------------------------------===//

TEST(PointerFixesTest, HeadsOfKernels) {
  const std::string source =
      "#define T 16\n__kernel void k(__global int *a) {\n"
      "__local int t[T][8]; t[0][0] = a[0]; }\n"
      "__kernel __attribute__((reqd_work_group_size(1, 1, 1)))\n"
      "void f(__global int *a) {}\n";
  const PointerFixes found = fixesOf(source, false);
  ASSERT_EQ(found.heads.size(), 1u);
  EXPECT_EQ(found.heads[0].kernel, "k");
  EXPECT_EQ(found.heads[0].attribute,
            static_cast<int64_t>(source.find("void k")));
  EXPECT_EQ(found.heads[0].problem, "");
  EXPECT_EQ(found.heads[0].extents,
            (std::map<uint64_t, std::string>{{16, "T"}, {8, ""}}));
  const auto problem = [](const std::string &text, const Texts &flags = {}) {
    return fixesOf(text, false, flags).heads.at(0).problem;
  };
  EXPECT_EQ(
      problem("__kernel void k(__global int *a) { a[T] = 0; }", {"-DT=4"}),
      "flags decide about its text");
  EXPECT_EQ(problem("#define K __kernel void\nK k(__global int *a) {}"),
            "a macro or another file has its head");
}
