//===- InitialCellsTest.cpp - lists of initial values ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/InitialCells.h"

#include "FormTesting.h"

using namespace clopt;

/// What the front end hands on of a kernel with these statements.
static std::string formOf(const std::string &statements) {
  return lastStatementOf(
      "__kernel void f(__global float *r, __global const float *a, int n) {\n"
      "  int x = get_global_id(0);\n{ " +
      statements + " }\n}\n");
}

TEST(InitialCellsTest, CellsAreSetOneByOne) {
  EXPECT_EQ(formOf("float v[2] = {a[x], 1.0f}; r[x] = v[n];"),
            "{ float v[2]; v[0] = a[x]; v[1] = 1.0f; r[x] = v[n]; }");
  // Those that change.
  EXPECT_EQ(formOf("uint h[2] = {3, 4}; h[n] += x; r[x] = h[0];"),
            "{ uint h[2]; h[0] = 3; h[1] = 4; h[n] += x; r[x] = h[0]; }");
  // What is left out is zero; beside others in a declaration; rows.
  EXPECT_EQ(formOf("int k = 1, v[3] = {n}, q = 2; r[x] = v[k] + q;"),
            "{ int k = 1; int v[3]; v[0] = n; v[1] = 0; v[2] = 0; int q = 2; "
            "r[x] = v[k] + q; }");
  EXPECT_EQ(formOf("int v[2][2] = {{n, 1}, {x}}; r[x] = v[n][0];"),
            "{ int v[2][2]; v[0][0] = n; v[0][1] = 1; v[1][0] = x; "
            "v[1][1] = 0; r[x] = v[n][0]; }");
}

TEST(InitialCellsTest, OthersAreLists) {
  for (const std::string &kept :
       {// tables, long lists, constants by their type
        "float w[3] = {1.0f, 2.0f, 1.0f}; r[x] = w[n];",
        "int v[17] = {n}; r[x] = v[n];",
        "const int v[2] = {n, x}; r[x] = v[n];",
        // structs, and what has its address taken
        "struct P { int u; } v[1] = {{n}}; r[x] = v[0].u;",
        "int v[2] = {n, x}; int (*p)[2] = &v; r[x] = (*p)[0];"})
    EXPECT_NE(formOf(kept).find("= {"), std::string::npos) << kept;
}
