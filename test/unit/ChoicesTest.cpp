//===- ChoicesTest.cpp - conditional assignments as values ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/Choices.h"

#include "FormTesting.h"

using namespace clopt;

/// What the front end hands on of a kernel with these statements.
static std::string formOf(const std::string &statements) {
  return lastStatementOf(
      "__kernel void f(__global float *r, __global const float *a, int n) {\n"
      "  float v[4], m = 0, t, o; int x = get_global_id(0), k = 0;\n{ " +
      statements + " }\n}\n");
}

TEST(ChoicesTest, CellsThatChangePlaces) {
  EXPECT_EQ(formOf("if (v[0] > v[1]) { float u = v[0]; v[0] = v[1]; v[1] = u; "
                   "}"),
            "{ { float v_before = v[0]; float v_before = v[1]; float u = v[0]; "
            "v[0] = v_before > v_before ? v[1] : v[0]; "
            "v[1] = v_before > v_before ? u : v[1]; } }");
  // A variable of the kernel that holds one of them on the way.
  EXPECT_EQ(formOf("if (v[0] > v[1]) { t = v[0]; v[0] = v[1]; v[1] = t; }"),
            "{ { float v_before = v[0]; float v_before = v[1]; t = v[0]; "
            "v[0] = v_before > v_before ? v[1] : v[0]; "
            "v[1] = v_before > v_before ? t : v[1]; } }");
}

TEST(ChoicesTest, VariablesBesideCells) {
  EXPECT_EQ(formOf("if (m > v[x]) { o = v[x]; v[x] = m; m = o; }"),
            "{ { float m_before = m; float v_before = v[x]; o = v[x]; "
            "v[x] = m_before > v_before ? m : v[x]; "
            "m = m_before > v_before ? o : m; } }");
}

TEST(ChoicesTest, OthersAreConditions) {
  for (const std::string &kept :
       {// variables, memory, and cells that may not be there
        "if (m > a[x]) { m = a[x]; k = x; }", "if (m > a[x]) { r[x] = m; }",
        "if (m > 0) { v[x] = m; }",
        // what is loaded on one side only
        "if (v[0] > v[1]) { v[0] = a[x]; }",
        // what may fail
        "if (v[0] > v[1]) { int q = n / x; v[0] = q; }",
        "if (v[0] > v[1]) { t = n / x; v[0] = t; }",
        // which cell it is
        "if (v[k] > m) { k = 1; v[k] = m; }",
        // more than assignments
        "if (v[0] > v[1]) { v[0] += v[1]; }",
        "if (v[0] > v[1]) { for (k = 0; k < n; k++) v[0] = v[1]; }",
        "if (v[0] > v[1]) { v[0] = v[1]; } else { v[1] = v[0]; }",
        "if (v[0] > v[1]) { v[0] = v[1]; return; }",
        // ids and arguments
        "if (x > n) { v[0] = v[1]; }"})
    EXPECT_NE(formOf(kept).find("if ("), std::string::npos) << kept;
}

// The value that a variable has on one side only is its own.
TEST(ChoicesTest, VariablesThatOthersRead) {
  EXPECT_EQ(formOf("if (v[0] > v[1]) { t = v[0]; v[0] = v[1]; v[1] = t; } "
                   "m = t;"),
            "{ { float v_before = v[0]; float v_before = v[1]; "
            "t = v_before > v_before ? v[0] : t; "
            "v[0] = v_before > v_before ? v[1] : v[0]; "
            "v[1] = v_before > v_before ? t : v[1]; } m = t; }");
}
