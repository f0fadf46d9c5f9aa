//===- ConstantTableTest.cpp - private tables in constant memory ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/ConstantTables.h"
#include "Transform/Steps.h"

#include "KernelTesting.h"

#include <llvm/Support/Error.h>

using namespace clopt;

static std::string withTable(const std::string &table,
                             const std::string &body) {
  return "float last(const float *t) { return t[3]; }\n"
         "__kernel void f(__global const float *restrict a,\n"
         "                __global float *restrict y, int n) {\n  " +
         table + "\n  int i = get_global_id(0);\n  float s = 0;\n  " + body +
         "\n  y[i] = s;\n}\n";
}

static const char *const four = "const float w[4] = {0.1f, -0.2f, 1, 2 * 3};";
static const char *const walk =
    "for (int k = 0; k < n; k++) s += a[i + k] * w[k & 3];";

static Refusal refusedIn(const std::string &table, const std::string &body,
                         const std::string &rule, const std::string &part) {
  return expectRefused(withTable(table, body), "stage w constant", rule, part);
}

TEST(ConstantTableTest, F11TablesThatAreOnlyRead) {
  for (const char *table :
       {four, "float w[4] = {0.1f, 0.2f};", "const int w[4] = {1, -2, 3, 4};",
        "double w[2][2] = {{1.0, 2.0}, {3.0, 4.0}};"}) {
    const bool hasRows = std::string(table).find("][") != std::string::npos;
    expectTaken(withTable(table, hasRows ? "for (int k = 0; k < n; k++) "
                                           "s += w[k & 1][n & 1];"
                                         : walk),
                "stage w constant");
  }
}

TEST(ConstantTableTest, F11TablesOfVectors) {
  expectTaken(
      "__kernel void f(__global const float *a, __global float4 *r,\n"
      "                int n) {\n"
      "  const float4 w[2] = {(float4)(1, 2, 3, 4), (float4)(5, 6, 7, 8)};\n"
      "  int i = get_global_id(0);\n"
      "  float4 s = (float4)(0);\n"
      "  for (int k = 0; k < n; k++)\n"
      "    s += a[i + k] * w[k % 2] + w[1].x;\n"
      "  r[i] = s; }",
      "stage w constant");
}

TEST(ConstantTableTest, TablesThatChange) {
  refusedIn("float w[20] = {1, 2, 3, 4};", std::string("w[n & 3] = 0; ") + walk,
            "clopt-dependence", "is written");
  refusedIn("float w[4] = {1, 2, 3, 4};", std::string("w[n & 3] = 0; ") + walk,
            "clopt-not-profitable", "not initialized with constants");
  refusedIn("float w[4]; w[0] = 1;", walk, "clopt-not-profitable",
            "not initialized with constants");
  refusedIn("float w[4] = {a[0], 2, 3, 4};", walk, "clopt-not-profitable",
            "not initialized with constants");
  refusedIn("float w[4] = {n, 2, 3, 4};", walk, "clopt-not-profitable",
            "not initialized with constants");
}

TEST(ConstantTableTest, PointersAreToOtherMemory) {
  refusedIn(four, std::string("s = vload2(n & 1, w).x; ") + walk,
            "clopt-opaque-code", "'w' is used as a whole");
  // What is called is part of the kernel.
  expectTaken(withTable(four, std::string("s = last(w); ") + walk),
              "stage w constant");
  refusedIn(four, std::string("const float *p = w; s = p[1]; ") + walk,
            "clopt-opaque-code", "'w' is used as a whole");
  refusedIn(four, std::string("const float *p = &w[n & 3]; s = *p; ") + walk,
            "clopt-opaque-code", "the address of a cell of 'w' is taken");
}

TEST(ConstantTableTest, WorkItemsReadTheSameCell) {
  refusedIn(four, "s = w[i & 3];", "clopt-not-profitable", "different cells");
  refusedIn(four, "s = w[(int)a[i] & 3];", "clopt-not-profitable",
            "different cells");
}

TEST(ConstantTableTest, LargeTables) {
  refusedIn("float w[1025] = {1.0f};",
            "for (int k = 0; k < 1025; k++) s += w[k];", "clopt-not-profitable",
            "4096 bytes");
}

TEST(ConstantTableTest, BuffersNeedThePlan) {
  expectRefused(withTable(four, walk), "stage a constant", "",
                "is for the plan");
}

static std::string chosen(const std::string &table, const std::string &body,
                          const std::string &device) {
  TestedKernel tested(withTable(table, body));
  return printSteps(
      tableSteps(tested.kernel, llvm::cantFail(loadProfile(device))));
}

TEST(ConstantTableTest, F11LoopsThatStay) {
  const char *table = "stage      w constant\n";
  EXPECT_EQ(chosen(four, walk, "generic-gpu"), table);
  // Written out by the compiler: constants in the code.
  EXPECT_EQ(chosen(four, "for (int k = 0; k < 4; k++) s += a[i + k] * w[k];",
                   "generic-gpu"),
            "");
  // Private memory of a CPU is its cache.
  EXPECT_EQ(chosen(four, walk, "cpu"), "");
}
