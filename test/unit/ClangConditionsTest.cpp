//===- ClangConditionsTest.cpp - what a kernel's text depends on ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangParser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

using namespace clopt;

namespace {

using Texts = std::vector<std::string>;

const std::string head = "__kernel void k(__global float *a, int n) {\n";

/// The configuration of the kernel `k`.
Configuration configuration(const std::string &source, const Texts &flags = {},
                            const std::string &path = "test.cl") {
  ParseResult parsed = parseOpenCL(path, source, flags);
  for (const Diagnostic &diagnostic : parsed.diagnostics)
    EXPECT_NE(diagnostic.level, Diagnostic::Level::Error)
        << diagnostic.rendered;
  if (parsed.unit)
    for (const auto &function : parsed.unit->functions)
      if (function->name == "k")
        return function->configuration;
  ADD_FAILURE() << "no kernel k in\n" << source;
  return {};
}

Texts conditions(const std::string &source, const Texts &flags = {}) {
  Configuration found = configuration(source, flags);
  EXPECT_EQ(found.problem, "");
  return found.conditions;
}

using Macros = std::vector<std::pair<std::string, std::string>>;

/// The macros that are compared as integers.
Macros numbers(const std::string &source, const Texts &flags = {}) {
  Configuration found = configuration(source, flags);
  EXPECT_EQ(found.problem, "");
  return found.numbers;
}

/// `use` in a kernel behind `before`.
std::string withUse(const std::string &use, const std::string &before) {
  return before + head + "a[0] = " + use + ";\n}\n";
}

} // namespace

//===-- Conditions in and around the text ---------------------------------===//

TEST(ClangConditions, DirectivesOfTheFileAreKnown) {
  ParseResult parsed =
      parseOpenCL("test.cl",
                  "#ifdef A\n# if B\n#endif\n #else\n#endif\n" + head +
                      "  // #if\n#pragma unroll\n  for (;;) break;\n}\n",
                  {});
  ASSERT_TRUE(parsed.unit);
  using Kind = Directive::Kind;
  std::vector<Kind> kinds;
  for (const Directive &directive : parsed.unit->directives) {
    EXPECT_EQ(parsed.unit->text.at(static_cast<size_t>(directive.at)), '#');
    kinds.push_back(directive.kind);
  }
  EXPECT_EQ(kinds, (std::vector<Kind>{Kind::If, Kind::If, Kind::EndIf,
                                      Kind::Other, Kind::EndIf, Kind::Other}));
}

TEST(ClangConditions, InTheBody) {
  const std::string body =
      head + "#ifdef ABS\n a[0] = 1;\n#else\n a[0] = 2;\n#endif\n}\n";
  EXPECT_EQ(conditions(body), Texts({"!defined(ABS)"}));
  EXPECT_EQ(conditions(body, {"-DABS"}), Texts({"defined(ABS)"}));
}

TEST(ClangConditions, EveryConditionUpToTheOneThatHolds) {
  const std::string body = head + "#if A == 1\n#elif B == 1 || C\n a[0] = 1;\n"
                                  "#elif D\n#endif\n}\n";
  EXPECT_EQ(conditions(body, {"-DB=1"}), Texts({"!(A == 1)", "(B == 1 || C)"}));
  EXPECT_EQ(conditions(body, {"-DA=1"}), Texts({"(A == 1)"}));
  EXPECT_EQ(conditions(body), Texts({"!(A == 1)", "!(B == 1 || C)", "!(D)"}));
}

TEST(ClangConditions, InTheHead) {
  EXPECT_EQ(conditions("__kernel void k(__global float *a\n#ifdef MORE\n, int "
                       "n\n#endif\n) { a[0] = 1; }\n"),
            Texts({"!defined(MORE)"}));
}

TEST(ClangConditions, AroundTheKernelNeedNothing) {
  EXPECT_EQ(conditions("#ifndef OFF\n" + head + "a[0] = 1;\n}\n#endif\n"),
            Texts());
}

TEST(ClangConditions, ElsewhereNeedNothing) {
  EXPECT_EQ(conditions("#ifdef OTHER\nfloat other(float x) { return x; }\n"
                       "#endif\n" +
                       head + "a[0] = 1;\n}\n"),
            Texts());
}

TEST(ClangConditions, CommentsAreNoPartOfThem) {
  EXPECT_EQ(conditions(head + "#if A /* b */ && \\\n C // d\n#endif\n}\n"),
            Texts({"!(A && C)"}));
}

//===-- What the text names -----------------------------------------------===//

TEST(ClangConditions, OfHelpersThatAreCalled) {
  const std::string helpers =
      "#ifdef WIDE\nfloat inner(float x) { return x; }\n#else\nfloat "
      "inner(float x) { return -x; }\n#endif\n"
      "float outer(float x) { return inner(x); }\n";
  EXPECT_EQ(conditions(withUse("outer(1)", helpers)),
            Texts({"!defined(WIDE)"}));
  EXPECT_EQ(conditions(withUse("1", helpers)), Texts());
}

TEST(ClangConditions, OfTypesAndConstants) {
  EXPECT_EQ(
      conditions(withUse("(real)1", "#ifdef D\ntypedef double real;\n"
                                    "#else\ntypedef float real;\n#endif\n")),
      Texts({"!defined(D)"}));
  EXPECT_EQ(conditions(withUse("c", "#if V > 2\n__constant int c = 1;\n#else\n"
                                    "__constant int c = 2;\n#endif\n")),
            Texts({"!(V > 2)"}));
  EXPECT_EQ(conditions(withUse("FIRST", "enum {\n#ifdef E\nOTHER,\n#endif\n"
                                        "FIRST };\n")),
            Texts({"!defined(E)"}));
}

TEST(ClangConditions, OfMacros) {
  EXPECT_EQ(conditions(withUse("OP(1)", "#ifdef ABS\n#define OP(x) fabs(x)\n"
                                        "#else\n#define OP(x) (x)\n#endif\n")),
            Texts({"!defined(ABS)"}));
  // Two steps away.
  EXPECT_EQ(conditions(withUse("TWICE(1)", "#ifdef ABS\n#define OP(x) fabs(x)\n"
                                           "#else\n#define OP(x) (x)\n#endif\n"
                                           "#define TWICE(x) OP(OP(x))\n")),
            Texts({"!defined(ABS)"}));
}

TEST(ClangConditions, OfTextThatWasLeftOut) {
  // The other definition stands in no branch that was read.
  EXPECT_EQ(conditions(withUse("OP(1)", "#define OP(x) (x)\n#ifdef ABS\n"
                                        "#undef OP\n#define OP(x) fabs(x)\n"
                                        "#endif\n")),
            Texts({"!defined(ABS)"}));
  // As does a function that would hide a builtin.
  EXPECT_EQ(conditions(withUse("fast(1.0f)",
                               "float fast(float x);\n#ifdef OWN\nfloat "
                               "fast(float x) { return x; }\n#endif\n")),
            Texts({"!defined(OWN)"}));
  // Words inside of functions declare nothing.
  EXPECT_EQ(conditions(withUse("fabs(1.0f)",
                               "#ifdef OWN\nfloat f(float x) { return fabs(x); "
                               "}\n#endif\n")),
            Texts());
}

TEST(ClangConditions, PragmasAreNoText) {
  EXPECT_EQ(conditions("#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION "
                       "cl_khr_fp64 : enable\n#endif\n" +
                       head + "a[0] = 1;\n}\n"),
            Texts());
}

TEST(ClangConditions, MacrosOfTheCompiler) {
  const std::string text =
      head + "#if __OPENCL_VERSION__ >= 110\n a[0] = 1;\n#endif\n}\n";
  EXPECT_EQ(conditions(text), Texts({"(__OPENCL_VERSION__ >= 110)"}));
  EXPECT_EQ(conditions(text, {"-D__OPENCL_VERSION__=100"}),
            Texts({"!(__OPENCL_VERSION__ >= 110)"}));
  const std::string later =
      head + "#if __OPENCL_VERSION__ >= 200\n a[0] = 1;\n#endif\n}\n";
  EXPECT_EQ(conditions(later), Texts({"!(__OPENCL_VERSION__ >= 200)"}));
  EXPECT_EQ(conditions(later, {"-cl-std=CL3.0"}),
            Texts({"(__OPENCL_VERSION__ >= 200)"}));
}

//===-- Conditions of the file itself -------------------------------------===//

TEST(ClangConditions, OnMacrosOfTheFileNeedNothing) {
  EXPECT_EQ(conditions("#define FAST 1\n" + head +
                       "#if FAST\n a[0] = 1;\n#endif\n#if 0\n#endif\n}\n"),
            Texts());
  // Unless flags decide about these.
  EXPECT_EQ(conditions("#ifdef SLOW\n#define FAST 0\n#else\n#define FAST "
                       "1\n#endif\n" +
                       head + "#if FAST\n a[0] = 1;\n#endif\n}\n"),
            Texts({"!defined(SLOW)", "(FAST)"}));
}

TEST(ClangConditions, GuardsOfHeadersNeedNothing) {
  std::string path = ::testing::TempDir() + "clopt_conditions.h";
  std::ofstream(path) << "// A header.\n#ifndef CLOPT_H\n#define CLOPT_H\n"
                         "float twice(float x) {\n#ifdef ABS\n  x = fabs(x);\n"
                         "#endif\n  return 2 * x;\n}\n#endif // CLOPT_H\n";
  const std::string source = "#include \"" + path + "\"\n#include \"" + path +
                             "\"\n" + head + "a[0] = twice(a[1]);\n}\n";
  EXPECT_EQ(conditions(source), Texts({"!defined(ABS)"}));
  std::remove(path.c_str());
}

//===-- Macros that are compared ------------------------------------------===//

TEST(ClangConditions, NumbersOfTheCommandLine) {
  const std::string text = withUse("TS", "");
  Configuration found = configuration(text, {"-DTS=16"});
  EXPECT_EQ(found.conditions, Texts());
  EXPECT_EQ(found.numbers, Macros({{"TS", "16"}}));
  EXPECT_EQ(found.values, Macros({{"TS", "16"}}));
  found = configuration(text, {"-DTS=(2 * 8)"});
  EXPECT_EQ(found.numbers, Macros({{"TS", "(2 * 8)"}}));
  EXPECT_EQ(found.values, Macros());
  EXPECT_EQ(numbers(text, {"-DTS=-3"}), Macros({{"TS", "-3"}}));
  EXPECT_EQ(conditions(text, {"-DTS=0"}), Texts({"defined(TS)"}));
  EXPECT_EQ(numbers(withUse("1", ""), {"-DTS=16"}), Macros());
  // One that another one is made of.
  EXPECT_EQ(numbers(text, {"-DTS=W", "-DW=4"}),
            Macros({{"TS", "W"}, {"W", "4"}}));
}

TEST(ClangConditions, DefaultsThatFlagsReplace) {
  const std::string text = withUse("TS", "#ifndef TS\n#define TS 16\n#endif\n");
  EXPECT_EQ(numbers(text), Macros({{"TS", "16"}}));
  EXPECT_EQ(numbers(text, {"-DTS=32"}), Macros({{"TS", "32"}}));
  EXPECT_EQ(numbers(withUse("1", "#ifndef TS\n#define TS 16\n#endif\n")),
            Macros());
}

// Operators beside the macro take a part of it, and no value tells.
TEST(ClangConditions, ExpressionsWithoutParentheses) {
  for (const char *value :
       {"8 + 8", "1 ? 64 : 128", "(1) + (2)", "- 1 + 2", "W"})
    EXPECT_NE(configuration(withUse("2 * TS", ""),
                            {std::string("-DTS=") + value, "-DW=32|64"})
                  .problem,
              "")
        << value;
  EXPECT_NE(configuration(withUse("TS", ""), {"-DTS=0.5f+0.5f"}).problem, "");
}

TEST(ClangConditions, WhatNoDirectiveCanCompare) {
  EXPECT_NE(configuration(withUse("F(1)", ""), {"-DF(x)=x + 1"}).problem, "");
  EXPECT_NE(configuration(withUse("E", ""), {"-DE=2 + n"}).problem, "");
}

TEST(ClangConditions, MacrosThatChangeOnTheWay) {
  // Behind the #undef nothing tells whether there was one.
  EXPECT_NE(configuration(withUse("f(1)", "#ifdef A\nfloat f(float x) { return "
                                          "x; }\n#else\nfloat f(float x) { "
                                          "return 1; }\n#endif\n#undef A\n"))
                .problem,
            "");
  EXPECT_NE(configuration(withUse("f(1)", "float f(float x) { return x + N; }\n"
                                          "#undef N\n#define N 3\n"),
                          {"-DN=2"})
                .problem,
            "");
}

//===-- Names of the language ---------------------------------------------===//

TEST(ClangConditions, ChangedNames) {
  const std::string source =
      "#define get_global_size(d) 7\n#undef min\n#define own 3\n"
      "#ifdef A\n#define barrier(x)\n#endif\n"
      "#define int long\n" +
      head + "a[0] = 1;\n}\n#define max 1\n";
  ParseResult parsed = parseOpenCL("test.cl", source, {"-Dfloat=double"});
  ASSERT_TRUE(parsed.unit);
  Texts names;
  for (const auto &[name, at] : parsed.unit->changedNames) {
    names.push_back(name);
    EXPECT_EQ(at == -1, name == "float");
  }
  EXPECT_EQ(names, Texts({"barrier", "float", "get_global_size", "int", "max",
                          "min"}));
}
