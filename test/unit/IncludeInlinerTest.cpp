//===- IncludeInlinerTest.cpp - headers in the place of #include ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/IncludeInliner.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace clopt;
namespace fs = std::filesystem;

namespace {

class IncludeInliner : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern =
        (fs::temp_directory_path() / "clopt-inline-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  void put(const std::string &name, const std::string &text) const {
    fs::create_directories(fs::path(folder + "/" + name).parent_path());
    std::ofstream(folder + "/" + name, std::ios::binary) << text;
  }

  /// The result; "error" and the first message when there is none.
  std::string inlined(const std::string &source,
                      std::vector<std::string> flags = {}) const {
    std::vector<Diagnostic> diagnostics;
    const std::optional<std::string> text =
        inlineIncludes(folder + "/k.cl", source, flags, diagnostics);
    if (text)
      return *text;
    return "error: " + (diagnostics.empty() ? "" : diagnostics.front().message);
  }

  std::string folder;
};

TEST_F(IncludeInliner, textsWithoutDirectivesStay) {
  const std::string text = "#define N 4\n\n__kernel void k() {}"; // no newline
  EXPECT_EQ(inlined(text), text);
}

TEST_F(IncludeInliner, headersOfHeaders) {
  put("a.h", "#include \"sub/b.h\"\n#define A B\n");
  put("sub/b.h", "#include <c.h>\n#define B C"); // ends within a line
  put("include/c.h", "#define C 3\n");
  EXPECT_EQ(inlined("// one\n#include \"a.h\"\nint f() { return A; }\n",
                    {"-I" + folder + "/include"}),
            "// one\n// #include \"a.h\"\n// #include \"sub/b.h\"\n"
            "// #include <c.h>\n#define C 3\n#define B C\n#define A B\n"
            "int f() { return A; }\n");
}

// Guards, and what is included for its macros.
TEST_F(IncludeInliner, whatIsReadTwice) {
  put("guard.h", "#ifndef G\n#define G\nint f();\n#endif\n");
  EXPECT_EQ(inlined("#include \"guard.h\"\n#include \"guard.h\"\n"),
            "// #include \"guard.h\"\n#ifndef G\n#define G\nint f();\n#endif\n"
            "// #include \"guard.h\"\n");
  put("type.h", "T add(T a);\n");
  EXPECT_EQ(inlined("#define T int\n#include \"type.h\"\n#undef T\n"
                    "#define T float\n#include \"type.h\"\n"),
            "#define T int\n// #include \"type.h\"\nT add(T a);\n#undef T\n"
            "#define T float\n// #include \"type.h\"\nT add(T a);\n");
}

TEST_F(IncludeInliner, pragmaOnce) {
  put("once.h", "\xEF\xBB\xBF#pragma once\n#  pragma unroll\nint f();\n");
  EXPECT_EQ(inlined("#include \"once.h\"\n#include \"once.h\"\nint g();\n"),
            "// #include \"once.h\"\n\n#  pragma unroll\nint f();\n"
            "// #include \"once.h\"\nint g();\n");
}

// The driver decides about conditions; what it must not reach fails there.
TEST_F(IncludeInliner, conditionsStay) {
  put("a.h", "int a();\n");
  EXPECT_EQ(inlined("#if X > 1\n#include \"a.h\"\n#else\n#include \"no.h\"\n"
                    "#endif\n",
                    {"-DX=2"}),
            "#if X > 1\n// #include \"a.h\"\nint a();\n#else\n"
            "#include \"no.h\"\n#endif\n");
}

TEST_F(IncludeInliner, restsOfLines) {
  put("a.h", "int a();\n");
  put("g.h", "#pragma once\n");
  EXPECT_EQ(inlined("  #include \"a.h\" // why\nint b();\n"),
            "  // #include \"a.h\"\nint a();\n // why\nint b();\n");
  EXPECT_EQ(inlined("#include \"g.h\"\n#include \"g.h\" /* over\ntwo */\n"),
            "// #include \"g.h\"\n\n// #include \"g.h\"\n /* over\ntwo */\n");
}

TEST_F(IncludeInliner, namesFromMacros) {
  put("a.h", "int a();\n");
  EXPECT_EQ(inlined("#define H \"a.h\"\n#include H\nint b();\n"),
            "#define H \"a.h\"\n// #include \"a.h\"\nint a();\nint b();\n");
}

TEST_F(IncludeInliner, missingHeader) {
  EXPECT_EQ(inlined("#include \"none.h\"\n"), "error: 'none.h' file not found");
}

} // namespace
