//===- VectorizeTest.cpp - which lanes are allowed, and which not ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

using namespace clopt;

static std::string along(const std::string &statement,
                         const std::string &head = "int k = 20; k < n; k++") {
  return kernelOf("for (" + head + ") {\n" + statement + "\n}");
}

//===-- Dependences of a sequential loop ----------------------------------===//

TEST(VectorizeTest, AFlowDependenceAllowsItsDistance) {
  const std::string distance8 = along("r[k] = r[k - 8] + 1;");
  expectTaken(distance8, "vectorize k:2");
  expectTaken(distance8, "vectorize k:8");
  expectRefused(distance8, "vectorize k:16", "clopt-dependence",
                "the value written to 'r' at line 5 is read in a later "
                "iteration at line 5");
  expectTaken(along("r[k] = r[k - 2] + 1;"), "vectorize k:2");
  expectRefused(along("r[k] = r[k - 1] + 1;"), "vectorize k:2",
                "clopt-dependence", "is read in a later iteration");
}

TEST(VectorizeTest, DistanceCountsIterationsNotElements) {
  // Step 2: the read is four iterations behind.
  const std::string head = "int k = 20; k < n; k += 2";
  expectTaken(along("r[k] = r[k - 8] + 1;", head), "vectorize k:4");
  expectRefused(along("r[k] = r[k - 8] + 1;", head), "vectorize k:8",
                "clopt-dependence", "'r'");
  // An odd distance is never met.
  expectTaken(along("r[k] = r[k - 1] + 1;", head), "vectorize k:16");
}

TEST(VectorizeTest, DownwardLoopsSeeDependencesTheOtherWayRound) {
  const std::string head = "int k = n - 20; k >= 0; k--";
  expectRefused(along("r[k] = r[k + 1] + 1;", head), "vectorize k:4",
                "clopt-dependence", "is read in a later iteration");
  expectTaken(along("r[k] = r[k - 1] + 1;", head), "vectorize k:4");
}

TEST(VectorizeTest, AnAntiDependenceIsKeptByStatementOrder) {
  expectTaken(along("r[k] = r[k + 1] + 1;"), "vectorize k:16");
  expectTaken(along("s[k] = r[k + 1];\nr[k] = 0;"), "vectorize k:4");
  expectRefused(along("r[k] = 0;\ns[k] = r[k + 1];"), "vectorize k:4",
                "clopt-dependence",
                "the value read from 'r' at line 6 is overwritten in a later "
                "iteration at line 5");
}

TEST(VectorizeTest, AFlowDependenceBetweenStatementsIsKeptByTheirOrder) {
  expectTaken(along("r[k] = 1;\ns[k] = r[k - 1];"), "vectorize k:4");
  expectRefused(along("s[k] = r[k - 1];\nr[k] = 1;"), "vectorize k:4",
                "clopt-dependence", "'r'");
}

TEST(VectorizeTest, AnOutputDependenceForbidsLanes) {
  expectRefused(along("r[0] = k;"), "vectorize k:4", "clopt-dependence",
                "'r' at line 5 is written again in a later iteration");
  expectTaken(along("r[k] = 0;\nr[k] = 1;"), "vectorize k:4");
  expectTaken(along("r[k] = 0;\nr[k - 1] = 1;"), "vectorize k:4");
  expectRefused(along("r[k - 1] = 1;\nr[k] = 0;"), "vectorize k:4",
                "clopt-dependence", "is written again");
}

TEST(VectorizeTest, TheRangeOfARefusalIsTheLaterReference) {
  Refusal refusal = expectRefused(along("s[k] = r[k - 1];\nr[k] = 1;"),
                                  "vectorize k:4", "clopt-dependence", "'r'");
  EXPECT_EQ(refusal.range.line, 5u);
}

TEST(VectorizeTest, UnknownSubscriptsOfAWrittenArrayForbidLanes) {
  expectRefused(along("r[p[k]] = 1;"), "vectorize k:4", "clopt-dependence",
                "'r'");
  expectTaken(along("r[k] = s[p[k]];"), "vectorize k:4", AliasMode::None);
}

//===-- Private values ----------------------------------------------------===//

TEST(VectorizeTest, AnAccumulationNeedsReassociation) {
  expectRefused(kernelOf("float x = 0; for (int k = 0; k < n; k++) x += s[k];\n"
                         "r[0] = x;"),
                "vectorize k:4", "clopt-reassociation",
                "the value of 'x' goes from one iteration to the next");
}

TEST(VectorizeTest, AnIntegerAccumulationIsADependence) {
  expectRefused(kernelOf("int x = 0; for (int k = 0; k < n; k++)\n"
                         "{ x += p[k]; r[k] = x; }"),
                "vectorize k:4", "clopt-dependence", "the value of 'x'");
  // A sum that nothing looks at before the end is one per lane.
  expectTaken(
      kernelOf("int x = 0; for (int k = 0; k < n; k++) x += p[k]; r[0] = x;"),
      "vectorize k:4");
}

TEST(VectorizeTest, AnAccumulationInRegistersIsOneToo) {
  expectRefused(kernelOf("int i = get_global_id(0);\n"
                         "for (int k = 0; k < n; k++) r[i] += s[k];"),
                "privatize r\nvectorize k:4", "clopt-reassociation",
                "the value of 'r' goes from one iteration");
}

/// Four cells of r in registers, which the loop k uses one by one.
static const char *const fourCells =
    "int i = get_global_id(0);\n"
    "for (int t = 0; t < 3; t++)\n"
    "  for (int k_1 = 0; k_1 < 4; k_1++) r[4 * i + k_1] += s[t];\n";

TEST(VectorizeTest, LanesCannotReadRegistersOfDifferentNames) {
  std::string source =
      kernelOf(fourCells + std::string("for (int k = 0; k < 4; k++)\n"
                                       "  a[4 * i + k] = r[4 * i + k];"));
  expectRefused(source, "privatize r\nvectorize k:4", "clopt-dependence",
                "lanes use different cells of 'r'");
  expectTaken(source, "vectorize k:4");
}

TEST(VectorizeTest, LanesCannotWriteRegistersOfDifferentNames) {
  std::string source =
      kernelOf(fourCells + std::string("for (int k = 0; k < 4; k++)\n"
                                       "  r[4 * i + k] = s[k];"));
  expectRefused(source, "privatize r\nvectorize k:4", "clopt-dependence",
                "not every iteration sets all cells of 'r'");
}

TEST(VectorizeTest, RegistersAreCheckedAfterLanesToo) {
  expectRefused(kernelOf("int i = get_global_id(0); r[4 * i] = s[i];\n"
                         "for (int k = 0; k < 4; k++)\n"
                         "  a[4 * i + k] = r[4 * i + k];"),
                "vectorize k:4\nprivatize r", "clopt-dependence",
                "lanes use different cells of 'r'");
}

TEST(VectorizeTest, TheLastLaneMustHaveAllRegisters) {
  expectRefused(kernelOf("int i = get_global_id(0); r[2 * i] = s[i];\n"
                         "for (int k = 0; k < n; k++) r[2 * i + 1] = s[k];"),
                "privatize r\nvectorize k:4", "clopt-dependence",
                "not every iteration sets all cells of 'r'");
  expectRefused(kernelOf("int i = get_global_id(0);\n"
                         "for (int k = 0; k < n; k++) {\n"
                         "  if (k < 4) r[i] = s[k]; a[k] = s[k]; }"),
                "privatize r\nvectorize k:4", "clopt-dependence",
                "not every iteration sets all cells of 'r'");
  expectTaken(kernelOf("int i = get_global_id(0);\n"
                       "for (int k = 0; k < n; k++) {\n"
                       "  r[2 * i] = s[k]; r[2 * i + 1] = s[k + 1]; }"),
              "privatize r\nvectorize k:4");
}

TEST(VectorizeTest, AValueFromBeforeTheLoopIsNotInTheLanes) {
  expectRefused(kernelOf("float x = s[0]; for (int k = 0; k < n; k++) {\n"
                         "  if (k >= 4) x = s[k];\n"
                         "  if (k < 4) r[k] = x; else r[k] = x * 2; }"),
                "vectorize k:4", "clopt-dependence",
                "'x' is set before the loop and in it");
}

TEST(VectorizeTest, ValuesOfOneIterationAreFree) {
  expectTaken(along("float x = s[k]; x = x * 2; r[k] = x;"), "vectorize k:8");
}

TEST(VectorizeTest, AValueUsedAfterTheLoopForbidsLanes) {
  expectRefused(
      kernelOf("float x = 0; for (int k = 0; k < n; k++) { x = s[k]; r[k] = x;"
               " } r[n] = x;"),
      "vectorize k:4", "clopt-dependence",
      "'x' is used after the loop that writes it");
}

TEST(VectorizeTest, AStatementTakesItsLanesInOrder) {
  // { y = ..., S } with a value that goes from one S to the next.
  auto with = [](const std::string &statement, const std::string &after = "") {
    return kernelOf("int i = get_global_id(0);\n"
                    "float x = 0; int h = 0; float t[4] = {0, 0, 0, 0};\n"
                    "for (int k = 0; k < n; k++) {\n"
                    "  float y = s[k] * s[k + 1];\n  " +
                    statement + "\n" + after + "}\nr[i] = x + h + t[1];");
  };
  auto inOrder = [](const std::string &source, const std::string &steps) {
    TestedKernel tested(source);
    EXPECT_EQ(tested.apply(steps).message, "") << source;
    return tested.kernel.orderedStatements.size();
  };
  EXPECT_EQ(inOrder(with("x += y;"), "vectorize k:4"), 1u);
  EXPECT_EQ(inOrder(with("x = fmin(x, y);", "h = k;"), "vectorize k:4"), 2u);
  EXPECT_EQ(inOrder(with("if (y < x) { x = y; h = k; }"), "vectorize k:4"), 1u);
  EXPECT_EQ(inOrder(with("if (y < x) a[h++] = y;"), "vectorize k:4"), 1u);
  EXPECT_EQ(inOrder(with("t[k & 3] += y;"), "vectorize k:4"), 1u);
  EXPECT_EQ(inOrder(with("r[i] = r[i] * 2 + y;"), "vectorize k:4"), 1u);
  EXPECT_EQ(inOrder(with("r[i] = r[i] * 2 + y;"), "privatize r\nvectorize k:4"),
            1u);
  // Taken back with the lanes.
  EXPECT_EQ(inOrder(with("x += y;"), "vectorize k:2\nvectorize k:2"), 1u);
  // Another statement sees what is between two lanes.
  for (const char *after : {"r[k] = x;", "x = x * 2;", "if (k > 2) h += x;"})
    expectRefused(with("x += y;", after), "vectorize k:4",
                  "clopt-reassociation",
                  "the value of 'x' goes from one iteration to the next");
  // Iterations of a loop inside come between two lanes.
  expectRefused(with("for (int l = 0; l < n; l++) x += y * b[l];"),
                "vectorize k:4", "clopt-reassociation",
                "the value of 'x' goes from one iteration to the next");
  EXPECT_EQ(inOrder(with("for (int l = 0; l < n; l++) a[l] += y * b[l];"),
                    "vectorize k:4"),
            1u);
  expectRefused(with("for (int l = 0; l < n; l++) a[l + k] += y * b[l];"),
                "vectorize k:4", "clopt-dependence", "'a'");
}

TEST(VectorizeTest, StatementsInOrderAloneMakeNoVectors) {
  expectRefused(kernelOf("float x = 0; for (int k = 0; k < n; k++)\n"
                         "  if (s[k] < x) x = s[k];\nr[0] = x;"),
                "vectorize k:4", "clopt-reassociation",
                "the value of 'x' goes from one iteration to the next");
}

TEST(VectorizeTest, AVariableWhoseAddressIsTakenIsNotShared) {
  expectRefused(kernelOf("float x = 0; for (int k = 0; k < n; k++) {\n"
                         "  float y = s[k] * 2;\n"
                         "  r[k] = fract(y, &x); }\nr[0] = x;"),
                "vectorize k:4", "clopt-reassociation", "'x'");
}

//===-- Arrays that may overlap -------------------------------------------===//

TEST(VectorizeTest, AliasDecidesWhatMayBeAssumed) {
  const std::string copy = along("a[k] = b[k];");
  expectTaken(copy, "vectorize k:4", AliasMode::Check);
  expectTaken(copy, "vectorize k:4", AliasMode::None);
  Refusal refusal = expectRefused(copy, "vectorize k:4", "clopt-may-alias",
                                  "'a' and 'b' may overlap", AliasMode::Strict);
  EXPECT_EQ(refusal.hint, "add `restrict` to `a`");
  expectTaken(along("r[k] = s[k];"), "vectorize k:4", AliasMode::Strict);
}

TEST(VectorizeTest, OnlyCheckedPairsAreRecorded) {
  TestedKernel checked(along("a[k] = b[k] + r[k];"));
  EXPECT_EQ(checked.apply("vectorize k:4").message, "");
  std::set<std::pair<unsigned, unsigned>> pair = {
      std::minmax(checked.array("a"), checked.array("b"))};
  EXPECT_EQ(checked.kernel.disjointArrays, pair);
  TestedKernel promised(along("a[k] = b[k] + r[k];"));
  EXPECT_EQ(promised.apply("vectorize k:4", AliasMode::None).message, "");
  EXPECT_TRUE(promised.kernel.disjointArrays.empty());
}

TEST(VectorizeTest, AFootprintThatDependsOnDataCannotBeChecked) {
  expectRefused(along("a[k] = b[p[k]];"), "vectorize k:4",
                "clopt-unguardable-footprint",
                "the cells of 'b' are not known before the kernel runs");
}

//===-- Work-items --------------------------------------------------------===//

TEST(VectorizeTest, WorkItemsNeedNoDependenceTest) {
  // A kernel in which this were a conflict would have a data race.
  TestedKernel tested(
      kernelOf("int i = get_global_id(0); a[i] = a[i - 1] + b[i];"));
  EXPECT_EQ(tested.apply("vectorize i:8", AliasMode::Strict).message, "");
  EXPECT_EQ(tested.kernel.work[0].lanes, 8u);
  EXPECT_TRUE(tested.kernel.disjointArrays.empty());
}

/// F07.
TEST(VectorizeTest, WidthsAreThoseOfOpenCL) {
  const std::string copy = along("r[k] = s[k];");
  for (int width : {2, 4, 8, 16})
    expectTaken(copy, "vectorize k:" + std::to_string(width));
  for (int width : {1, 3, 5, 6, 32})
    expectRefused(copy, "vectorize k:" + std::to_string(width),
                  "clopt-step-value", "2, 4, 8 and 16");
  expectRefused(copy, "vectorize k", "", "needs a number");
}

TEST(VectorizeTest, ThereIsOneVectorAxis) {
  const std::string both =
      kernelOf("int i = get_global_id(0);\n"
               "for (int k = 0; k < n; k++) r[i * n + k] = s[k];");
  expectRefused(both, "vectorize i:4\nvectorize k:4", "clopt-not-profitable",
                "has its lanes along one axis, dimension 0");
  expectRefused(both, "vectorize k:4\nvectorize i:4", "clopt-not-profitable",
                "has its lanes along one axis, the loop 'k'");
  TestedKernel tested(both);
  ASSERT_EQ(tested.apply("vectorize k:2\nvectorize k:4").message, "");
  EXPECT_EQ(findLoop(tested.kernel.tree, tested.loop("k"))->lanes, 8u);
  expectRefused(both, "vectorize k:8\nvectorize k:4", "clopt-step-value",
                "2, 4, 8 and 16");
}

TEST(VectorizeTest, VectorsAndStructsAreNotWidened) {
  expectRefused("__kernel void f(__global float4 *a) {\n"
                "  int i = get_global_id(0); a[i] = a[i] * 2.0f; }",
                "vectorize i:4", "clopt-not-profitable",
                "the elements of 'a' are vectors or structs");
  expectRefused("typedef struct { float x; int y; } P;\n"
                "__kernel void f(__global P *a, __global P *restrict b) {\n"
                "  int i = get_global_id(0); a[i] = b[i]; }",
                "vectorize i:4", "clopt-not-profitable",
                "are vectors or structs");
}

TEST(VectorizeTest, LoadsThatAreOneForAllLanesNeedNoLanes) {
  const char *const rows =
      "typedef struct { float d[2]; } B;\n"
      "__kernel void f(__global const B *restrict w, __global const float4 "
      "*restrict x,\n  __global float *restrict r, int n, int m) {\n"
      "  int i = get_global_id(0);\n"
      "  for (int c = 0; c < m; c++) {\n    float s = 0;\n"
      "    for (int k = 0; k < n; k++)\n"
      "      s += w[i].d[k % 2] * vload2(k, (__global const float *)x).x + c;\n"
      "    r[c * n + i] = s; } }";
  TestedKernel tested(rows);
  EXPECT_EQ(tested.apply("vectorize c:4").message, "");
}

TEST(VectorizeTest, WhatIsOneForAllLanesStaysAsItIs) {
  auto weights = [](const std::string &first) {
    return "__kernel void f(__global const float *a, __global float *b) {\n"
           "  int i = get_global_id(0);\n"
           "  const float w[2] = {" +
           first +
           ", 0.75f}; float s = 0;\n"
           "  for (int k = 0; k < 2; k++) s += w[k] * a[i + k];\n"
           "  b[i] = s; }";
  };
  TestedKernel tested(weights("0.25f"));
  EXPECT_EQ(tested.apply("vectorize i:4").message, "");
  expectRefused(weights("a[i]"), "vectorize i:4", "clopt-not-profitable",
                "several elements of 'w' are accessed at once");
}

TEST(VectorizeTest, BarriersAndOpaqueCodeForbidLanesOfALoop) {
  expectRefused(along("r[k] = s[k]; barrier(CLK_GLOBAL_MEM_FENCE);"),
                "vectorize k:4", "clopt-ordered-effect",
                "barrier or code that must keep its order");
  expectRefused(along("atomic_inc(p); r[k] = 1;"), "vectorize k:4",
                "clopt-ordered-effect", "must keep its order");
}

TEST(VectorizeTest, VolatileAccessesForbidLanesOfALoop) {
  expectRefused("__kernel void f(__global volatile float *a, int n) {\n"
                "  for (int k = 0; k < n; k++) a[k] = 1; }",
                "vectorize k:4", "clopt-ordered-effect", "must keep its order");
}

TEST(VectorizeTest, ARefusedStepLeavesTheKernelAsItWas) {
  TestedKernel tested(along("a[k] = b[k] + b[p[k]];"));
  EXPECT_EQ(tested.apply("vectorize k:4").message,
            "'a' and 'b' may overlap, and the cells of 'b' are not known "
            "before the kernel runs");
  EXPECT_EQ(findLoop(tested.kernel.tree, tested.loop("k"))->lanes, 1u);
  EXPECT_TRUE(tested.kernel.disjointArrays.empty());
}

/// F07.
TEST(VectorizeTest, LoadWidthIsSeparate) {
  TestedKernel tested(along("r[k] = s[k];"));
  EXPECT_EQ(tested.apply("vectorize k:8 load=4").message, "");
  EXPECT_EQ(tested.kernel.loadLanes, 4u);
  EXPECT_EQ(findLoop(tested.kernel.tree, tested.loop("k"))->lanes, 8u);
  expectRefused(along("r[k] = s[k];"), "vectorize k:8 load=3", "",
                "'load' must be 1, 2, 4, 8 or 16");
  expectRefused(along("r[k] = s[k];"), "vectorize k:8 width=4", "",
                "has no parameter 'width'");
}

static std::string rowsOfGroups(const std::string &loop) {
  return kernelOf("__local float t[64];\n"
                  "int l = get_local_id(0), g = get_group_id(0);\n"
                  "float sum = 0;\n" +
                  loop +
                  " sum += r[g * n + j];\n"
                  "t[l] = sum; barrier(CLK_LOCAL_MEM_FENCE);\n"
                  "a[g * 64 + l] = t[63 - l];");
}

TEST(VectorizeTest, LoopsFromIdsWithinGroupsAreStatements) {
  TestedKernel tested(rowsOfGroups("for (int j = l; j < n; j += 64)"));
  ASSERT_TRUE(tested.isStarted());
  EXPECT_EQ(loopsBelow(tested.kernel.tree).size(), 1u);
  EXPECT_EQ(tested.apply("vectorize w0:8").message, "");
  EXPECT_TRUE(loopsBelow(tested.kernel.tree).empty());
  EXPECT_TRUE(tested.kernel.hasGroupLanes());
  EXPECT_TRUE(tested.kernel.keepsGroups());
  EXPECT_FALSE(tested.kernel.mergesGroups());
  // Loops that begin alike stay what they are.
  TestedKernel alike(rowsOfGroups("for (int j = 0; j < n; j++)"));
  EXPECT_EQ(alike.apply("vectorize w0:8").message, "");
  EXPECT_EQ(loopsBelow(alike.kernel.tree).size(), 1u);
}

TEST(VectorizeTest, StepsBeforeLanesOfGroupsAreRefused) {
  expectRefused(rowsOfGroups("for (int j = l; j < n; j += 64)"),
                "unroll j:2\nprivatize a\nvectorize w0:8", "clopt-dependence",
                "other steps have changed the kernel");
}
