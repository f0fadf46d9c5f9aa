//===- ForwardTest.cpp - reads of local memory go to what was copied ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"
#include "Model/ExprPrinter.h"
#include "Transform/verify/VerifySteps.h"

#include <llvm/ADT/STLExtras.h>

using namespace clopt;

/// Over a group of 16, if nothing else says so.
static std::string kernelWith(const std::string &body,
                              const std::string &arguments = "") {
  return "__kernel void f(__global const float *a, __global const int *d,\n"
         "  __global float *o, int n, int m" +
         arguments + ") {\n  int l = get_local_id(0), i = get_global_id(0);\n" +
         body + "\n}\n";
}

static const char *const barrier = "barrier(CLK_LOCAL_MEM_FENCE);\n";

/// The new body, statement by statement, without declarations of ids.
static std::string bodyAfter(const std::string &source,
                             const std::string &steps = "forward t") {
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(steps).message, "") << source;
  if (StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check))
    ADD_FAILURE() << source << wrong->message;
  EXPECT_FALSE(tested.kernel.model->hasBarrier);
  EXPECT_FALSE(tested.kernel.model->usesLocalMemory);
  std::string text;
  for (const std::string &line : printStmt(tested.kernel.model->function->body))
    if (line.find("get_local_id(0);") == std::string::npos &&
        line.find("__local") == std::string::npos)
      text += line + "\n";
  return text;
}

static void expectKept(const std::string &body, const std::string &rule,
                       const std::string &part,
                       const std::string &arguments = "") {
  expectRefused(kernelWith(body, arguments), "forward t", rule, part);
}

static void expectIn(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "lacks " << part;
}

TEST(ForwardTest, CellsOfANeighbour) {
  const std::string text =
      bodyAfter(kernelWith(std::string("__local float t[16];\nt[l] = a[i];\n") +
                           barrier + "o[i] = t[15 - l];"));
  expectIn(text, "o[i] = a[");
  EXPECT_EQ(text.find("barrier"), std::string::npos);
  EXPECT_EQ(text.find("t["), std::string::npos);
}

TEST(ForwardTest, TheSizeOfTheGroupIsAsked) {
  TestedKernel tested(
      kernelWith(std::string("__local float t[16];\nt[l] = a[i];\n") + barrier +
                 "o[i] = t[15 - l];"));
  ASSERT_EQ(tested.apply("forward t").message, "");
  const KernelModel &model = *tested.kernel.model;
  EXPECT_EQ(model.ndrange.localSize[0], 16);
  EXPECT_TRUE(llvm::any_of(model.assumptions, [](const Assumption &one) {
    return one.text == "get_local_size(0) = 16";
  }));
}

TEST(ForwardTest, SizesThatTheHostChooses) {
  // A cell for each work-item, however many there are.
  const std::string text = bodyAfter(
      kernelWith(std::string("for (int k = 0; k < n; k++) {\n"
                             "t[l] = a[k * get_local_size(0) + l];\n") +
                     barrier +
                     "for (int j = 0; j < get_local_size(0); j++)\n"
                     "s += t[j];\n" +
                     barrier + "}\no[i] = s;",
                 ", __local float *t, float s"));
  expectIn(text, "+= a[k * (ulong)get_local_size(0) + j]");
}

TEST(ForwardTest, LoopsThatAGroupSharesOut) {
  const std::string text = bodyAfter(kernelWith(
      std::string("__local float t[100];\n"
                  "for (int k = l; k < 100; k += get_local_size(0))\n"
                  "t[k] = a[k + m];\n") +
      barrier +
      "float s = 0;\nfor (int j = 0; j < 100; j++) s += t[j];\n"
      "o[i] = s;"));
  expectIn(text, "s += a[j + m]");
  EXPECT_EQ(text.find("k"), std::string::npos) << text;
}

TEST(ForwardTest, WhatSuchLoopsDoMustNotDependOnTheWorkItem) {
  expectKept(std::string("__local float t[100];\n"
                         "for (int k = l; k < 100; k += get_local_size(0))\n"
                         "t[k] = a[k + i];\n") +
                 barrier + "o[i] = t[m & 63];",
             "clopt-opaque-code", "set by more than an assignment");
}

TEST(ForwardTest, OneExpressionForTheMiddleAndTheBorders) {
  const std::string text = bodyAfter(kernelWith(
      std::string(
          "__local float t[18];\nt[l + 1] = a[i + 1];\n"
          "if (l == 0) t[0] = a[i];\nif (l == 15) t[17] = a[i + 2];\n") +
      barrier + "o[i] = t[l] + t[l + 2];"));
  EXPECT_EQ(text.find("?"), std::string::npos) << text;
  EXPECT_EQ(text.find("if"), std::string::npos) << text;
}

TEST(ForwardTest, AnExpressionForEachWriter) {
  const std::string text =
      bodyAfter(kernelWith(std::string("__local float t[17];\nt[l] = a[i];\n"
                                       "if (l == 0) t[16] = 0.5f;\n") +
                           barrier + "o[i] = t[l + 1];"));
  expectIn(text, "0.5f");
  expectIn(text, "if (");
}

TEST(ForwardTest, OneExpressionHasTheConditionsOfAll) {
  const std::string text =
      bodyAfter(kernelWith(std::string("__local float t[18];\n"
                                       "t[l + 1] = i < n ? a[i] : 0.0f;\n"
                                       "if (l == 0) t[0] = i > 0 ? a[i - 1] : "
                                       "0.0f;\n"
                                       "if (l == 15) t[17] = i + 1 < n ? a[i + "
                                       "1] : 0.0f;\n") +
                           barrier +
                           "if (i >= n) return;\nfloat s = 0;\n"
                           "for (int k = 0; k < 3; k++) s += t[l + k];\n"
                           "o[i] = s;"));
  expectIn(text, "i + k - 1 < n");
  expectIn(text, "i + k > 0");
  EXPECT_EQ(text.find("get_local_id"), std::string::npos) << text;
}

TEST(ForwardTest, OneExpressionHasTheEndsOfAll) {
  const std::string text = bodyAfter(
      kernelWith(std::string("__local float t[18];\n"
                             "t[l + 1] = a[min(i, n - 1)];\n"
                             "if (l == 0) t[0] = a[max(i - 1, 0)];\n"
                             "if (l == 15) t[17] = a[min(i + 1, n - 1)];\n") +
                 barrier +
                 "if (i >= n) return;\nfloat s = 0;\n"
                 "for (int k = 0; k < 3; k++) s += t[l + k];\no[i] = s;"));
  expectIn(text, "s += a[clamp(i + k - 1, 0, n - 1)]");
  // Another value at the border: the cell chooses.
  const std::string other = bodyAfter(
      kernelWith(std::string("__local float t[17];\n"
                             "t[l + 1] = a[i + 1];\n"
                             "if (l == 0) t[0] = a[max(i - 1, 0)];\n") +
                 barrier + "o[i] = t[l] + t[l + 1];"));
  expectIn(other,
           "a[max((int)get_global_offset(0) + 16 * (int)get_group_id(0)");
}

TEST(ForwardTest, NearestCellsKeepTheEndsTheyReach) {
  const std::string tile = "__local float t[18];\n"
                           "for (int k = l; k < 18; k += 16)\n"
                           "t[k] = a[clamp((int)(get_group_id(0) * 16 + k) - "
                           "1, 0, n - 1)];\n";
  const std::string text = bodyAfter(kernelWith(
      tile + barrier + "if (i < n) o[i] = t[l] + t[l + 1] + t[l + 2];"));
  expectIn(text, "o[i] = a[max(i - 1, 0)] + a[i] + a[min(i + 1, n - 1)]");
  // A work-item behind the end reaches both.
  const std::string all =
      bodyAfter(kernelWith(tile + barrier + "o[i] = t[l + 1];"));
  expectIn(all, "min(i, n - 1)");
}

TEST(ForwardTest, GroupsThatTheArrayAloneTells) {
  // Without a size i < m would be no condition that is known.
  const std::string text = bodyAfter(
      kernelWith(std::string("__local float t[16];\nfloat s = 0;\n"
                             "for (int k = 0; k < n; k += 16) {\n"
                             "if (k + l < n) t[l] = a[k + l];\n") +
                 barrier +
                 "if (i < m)\n"
                 "for (int j = 0; j < 16 && k + j < n; j++) s += t[j] * i;\n" +
                 barrier + "}\nif (i < m) o[i] = s;"));
  expectIn(text, "s += a[k + j] * i");
}

TEST(ForwardTest, PaddingIsCutOff) {
  const std::string text = bodyAfter(
      kernelWith(std::string("__local float t[16];\nfloat s = 0;\n"
                             "for (int k = 0; k < n; k += 16) {\n"
                             "t[l] = k + l < n ? a[k + l] : 0.0f;\n") +
                 barrier + "for (int j = 0; j < 16; j++) s += t[j] * m;\n" +
                 barrier + "}\no[i] = s;"));
  expectIn(text, "s += a[");
  expectIn(text, "s += 0.0f * ");
}

TEST(ForwardTest, VariablesOnTheWayAndConversions) {
  const std::string text = bodyAfter(kernelWith(
      std::string("__local float t[16];\nint v = d[i];\nt[l] = v;\n") +
      barrier + "o[i] = t[15 - l] / 3;"));
  expectIn(text, "(float)d[");
}

TEST(ForwardTest, IdleWorkItemsDoNothing) {
  TestedKernel tested(
      kernelWith(std::string("__local float t[16];\nt[l] = a[l];\n") + barrier +
                 "float s = 0;\nfor (int j = 0; j < 16; j++) s += t[j];\n"
                 "if (i < n) o[i] = s;"));
  ASSERT_EQ(tested.apply("forward t").message, "");
  for (const Statement &statement : tested.kernel.model->statements) {
    const isl::set busy(tested.model->context.get(),
                        "[n] -> { " + statement.name +
                            (statement.loops.empty() ? "[w0]" : "[w0, j]") +
                            " : w0 < n }");
    EXPECT_TRUE(statement.domain.is_subset(busy));
  }
}

TEST(ForwardTest, OtherStepsFollow) {
  expectTaken(kernelWith(std::string("__local float t[16];\nfloat s = 0;\n"
                                     "for (int k = 0; k < n; k++) {\n"
                                     "t[l] = a[k * 16 + l];\n") +
                         barrier +
                         "for (int j = 0; j < 16; j++) s += t[j] * i;\n" +
                         barrier + "}\no[i] = s;"),
              "forward t\nvectorize i:4\ncoarsen i:2");
}

TEST(ForwardTest, WhatIsNotACopyStays) {
  const std::string array = "__local float t[16];\n";
  expectKept(array + "t[l] = a[i] * 0.5f;\n" + barrier + "o[i] = t[15 - l];",
             "clopt-not-profitable", "computed for each read");
  expectKept(array + "t[l] = d[i] > 0 ? a[i] : 0.0f;\n" + barrier +
                 "o[i] = t[15 - l];",
             "clopt-not-profitable", "several cells");
  expectKept(array + "t[l] = a[i];\n" + barrier +
                 "if (l < 8) t[l] += t[l + 8];\n" + barrier + "o[i] = t[0];",
             "clopt-opaque-code", "more than an assignment");
  expectKept(array + "t[l] = a[i];\n" + barrier + "o[i] = t[d[i] & 15];",
             "clopt-non-affine-subscript", "are not known");
  expectKept(array + "t[l] = o[i];\n" + barrier + "o[i] = t[15 - l];",
             "clopt-dependence", "'o' is written, too");
  expectKept(array + "if (d[0] > 3) t[l] = a[i];\n" + barrier +
                 "o[i] = t[15 - l];",
             "clopt-opaque-code", "more than an assignment");
}

TEST(ForwardTest, CellsThatNobodyHasWritten) {
  expectKept(std::string("__local float t[32];\nt[l] = a[i];\n") + barrier +
                 "o[i] = t[l + 1];",
             "clopt-dependence", "known to be written before");
}

TEST(ForwardTest, BarriersThatOrderMore) {
  // The neighbour's store is read behind the barrier.
  expectKept(std::string("__local float t[16];\nt[l] = a[i];\np[i] = l;\n"
                         "barrier(CLK_LOCAL_MEM_FENCE | "
                         "CLK_GLOBAL_MEM_FENCE);\n") +
                 "o[i] = t[15 - l] + p[i - l];",
             "clopt-barrier", "wait for each other",
             ", __global float *restrict p");
  expectKept(std::string("__local float t[16], u[16];\nt[l] = a[i];\n"
                         "u[l] = a[i] * 2;\n") +
                 barrier + "o[i] = t[15 - l] + u[15 - l];",
             "clopt-barrier", "'u' stays in local memory");
}

TEST(ForwardTest, TheCopyOfTheLastIteration) {
  const std::string text = bodyAfter(kernelWith(
      std::string("__local float t[16];\nfloat s = 0;\nt[l] = 0;\n") + barrier +
      "for (int k = 0; k < n; k++) {\ns += t[15 - l];\n" + barrier +
      "t[l] = a[k * 16 + l];\n" + barrier + "}\no[i] = s;"));
  expectIn(text, "if (");
  expectIn(text, "a[(k - 1) * 16");
}

TEST(ForwardTest, AnotherInstanceOfTheReader) {
  // What is read in iteration 1 is what the neighbour computed in iteration 0.
  const std::string text = bodyAfter(kernelWith(
      std::string("__local int t[16];\nint x = 0;\nt[l] = d[i];\n") + barrier +
      "for (int k = 0; k < 2; k++) {\nx = t[15 - l] + 7 * k;\n" + barrier +
      "t[l] = x;\n" + barrier + "}\no[i] = x;"));
  expectIn(text, "d[i] + 7 * 0 :");
}

TEST(ForwardTest, ComponentsOfCells) {
  const std::string text = bodyAfter(
      kernelWith(std::string("__local float4 t[16];\nt[l] = v[i];\n") +
                     barrier + "o[i] = t[15 - l].w;",
                 ", __global const float4 *v"));
  expectIn(text, "o[i] = v[");
  expectIn(text, "].w;");
}

TEST(ForwardTest, StatementsThatNeverRun) {
  const std::string text = bodyAfter(
      kernelWith(std::string("__local float t[16];\nint v = 1;\nt[l] = a[i];\n"
                             "if (v > 3) t[l] = 0;\n") +
                 barrier + "o[i] = t[15 - l];"));
  expectIn(text, "o[i] = a[");
}

TEST(ForwardTest, WhatTheFlowTakesForGrantedIsAsked) {
  // The new body has no use for j, which wraps where the launch is too large.
  TestedKernel tested(kernelWith(
      std::string("__local float t[16];\nint j = l + get_global_size(0);\n"
                  "t[j - (int)get_global_size(0)] = a[i];\n") +
      barrier + "o[i] = t[15 - l];"));
  ASSERT_EQ(tested.apply("forward t").message, "");
  EXPECT_TRUE(llvm::any_of(
      tested.kernel.model->assumptions, [&](const Assumption &one) {
        return one.text.find("get_global_size(0)") != std::string::npos &&
               one.text.find("2147483647") != std::string::npos;
      }));
}

TEST(ForwardTest, BuffersMustNotOverlap) {
  TestedKernel tested(
      kernelWith(std::string("__local float t[16];\nt[l] = a[i];\n") + barrier +
                 "o[i] = t[15 - l];"));
  EXPECT_EQ(tested.apply("forward t", AliasMode::Strict).ruleId,
            "clopt-may-alias");
  ASSERT_EQ(tested.apply("forward t").message, "");
  EXPECT_EQ(tested.kernel.disjointArrays.size(), 1u);
}

TEST(ForwardTest, ItComesFirst) {
  expectRefused(kernelWith(std::string("__local float t[16];\nt[l] = a[i];\n") +
                           barrier + "o[i] = t[15 - l];"),
                "coarsen w0:2\nforward t", "clopt-dependence",
                "other steps have changed the kernel");
}

//===-- Loops that the author has cut -------------------------------------===//

/// A sum over tiles of 16; `tiles` is the head of the outer loop, `base` where
/// its tile begins.
static std::string sumOfTiles(const std::string &tiles, const std::string &base,
                              const std::string &use = "s += t[k];",
                              const std::string &copied = "") {
  const std::string cell = "a[" + base + " + l]";
  return kernelWith("__local float t[16];\nfloat s = 0;\nfor (" + tiles +
                    ") {\nt[l] = " + (copied.empty() ? cell : copied) + ";\n" +
                    barrier + "for (int k = 0; k < 16; k++) " + use + "\n" +
                    barrier + "}\no[i] = s;");
}

static unsigned loopsIn(const std::string &text) {
  unsigned count = 0;
  for (size_t at = text.find("for ("); at != std::string::npos;
       at = text.find("for (", at + 1))
    ++count;
  return count;
}

TEST(ForwardTest, TilesOfALoopAreJoined) {
  std::string text = bodyAfter(sumOfTiles("int q = 0; q < n; q++", "16 * q"));
  EXPECT_EQ(loopsIn(text), 1u) << text;
  expectIn(text, "k < (long)n * 16");
  expectIn(text, "s += a[k]");
  text = bodyAfter(sumOfTiles("int q = 0; q < n; q += 16", "q"));
  EXPECT_EQ(loopsIn(text), 1u) << text;
  expectIn(text, "k < ((long)n + 15) / 16 * 16");
  text = bodyAfter(sumOfTiles("int q = 0; q <= m; q++", "16 * q"));
  expectIn(text, "k < ((long)m + 1) * 16");
}

TEST(ForwardTest, VariablesThatMoveAlongBeginWhereTheyBegan) {
  const std::string text =
      bodyAfter(sumOfTiles("int q = n, p = m; q < n + m; q += 16, p += 32",
                           "p + 2 * l - l", "s += t[k] * d[q + k];"));
  // p moves by 32 and k by 1: not one number.
  EXPECT_EQ(loopsIn(text), 2u) << text;
  const std::string joined = bodyAfter(sumOfTiles(
      "int q = n; q < n + m; q += 16", "q", "s += t[k] * d[q + k];"));
  EXPECT_EQ(loopsIn(joined), 1u) << joined;
  expectIn(joined, "a[n + k] * d[n + k]");
}

TEST(ForwardTest, PaddingGetsALoopOfItsOwn) {
  const std::string text =
      bodyAfter(sumOfTiles("int q = 0; q < (n + 15) / 16; q++", "16 * q",
                           "s += t[k];", "16 * q + l < n ? a[16 * q + l] : 0"));
  EXPECT_EQ(loopsIn(text), 2u) << text;
  expectIn(text, "s += a[k]");
  EXPECT_EQ(text.find('?'), std::string::npos) << text;
}

TEST(ForwardTest, LoopsStayWhereOneCounterIsUsedAlone) {
  const std::string tiles = "int q = 0; q < n; q++";
  for (const char *use :
       {"s += t[k] * d[k];", "s += t[k] * d[q];", "s += t[k] * k;",
        "s += t[k] * d[8 * q + k];", "s += t[k] * d[16 * q + 2 * k];",
        "s += t[k] * (q + 1);"}) {
    const std::string text = bodyAfter(sumOfTiles(tiles, "16 * q", use));
    EXPECT_EQ(loopsIn(text), 2u) << use << text;
  }
  // Other parts of the tile, and other counters.
  std::string text = sumOfTiles(tiles, "16 * q");
  text.replace(text.find("int k = 0"), 9, "int k = 1");
  EXPECT_EQ(loopsIn(bodyAfter(text)), 2u);
  text = sumOfTiles(tiles, "16 * q");
  text.replace(text.find("k < 16"), 6, "k < 8");
  EXPECT_EQ(loopsIn(bodyAfter(text)), 2u);
  text = sumOfTiles("int q = 0; q < n; q++", "16 * q",
                    "{ s += t[k]; if (s > 5) s = 0; }");
  EXPECT_EQ(loopsIn(bodyAfter(text)), 1u);
}

TEST(ForwardTest, LoopsStayWhereTheirHeadsDoMore) {
  // What moves beside them would move in another way.
  const std::string moving =
      "int w = 0;\n__local float t[16];\nfloat s = 0;\n"
      "for (int q = 0; q < n; q++, w += 3) {\nt[l] = a[16 * q + l];\n" +
      std::string(barrier) +
      "for (int k = 0; k < 16; k++, w++) s += t[k] * d[w];\n" + barrier +
      "}\no[i] = s;";
  EXPECT_EQ(loopsIn(bodyAfter(kernelWith(moving))), 2u);
  // -1 is more than n where it is compared without a sign.
  const std::string mixed = sumOfTiles("int q = m; q < (uint)n; q++", "16 * q");
  TestedKernel tested(mixed);
  if (tested.apply("forward t").message.empty())
    EXPECT_EQ(loopsIn(bodyAfter(mixed)), 2u);
}

TEST(ForwardTest, PaddingKeepsItsConversions) {
  const std::string text = bodyAfter(sumOfTiles(
      "int q = 0; q < (n + 15) / 16; q++", "16 * q", "s += t[k] / (t[k] + 1);",
      "16 * q + l < n ? a[16 * q + l] : 2"));
  expectIn(text, "(float)2 / ((float)2 + ");
}

TEST(ForwardTest, ValuesOnTheirWayLeave) {
  const std::string text = bodyAfter(kernelWith(
      "__local float t[16];\nfloat s = 0;\nfor (int q = 0; q < n; q++) {\n"
      "float v = 0;\nif (16 * q + l < m) v = a[16 * q + l];\nt[l] = v;\n" +
      std::string(barrier) + "for (int k = 0; k < 16; k++) s += t[k];\n" +
      barrier + "}\no[i] = s;"));
  EXPECT_EQ(text.find("v ="), std::string::npos) << text;
  EXPECT_EQ(loopsIn(text), 2u) << text; // one number, cut at m
}

TEST(ForwardTest, ConditionsThatWrapCutNothing) {
  const std::string text = bodyAfter(sumOfTiles(
      "int q = 0; q < n / 16; q++", "16 * q",
      "if ((uint)(16 * q + k - 5) < (uint)(n - 8)) s += t[k]; else s -= 1;"));
  EXPECT_EQ(loopsIn(text), 1u) << text;
}

TEST(ForwardTest, BlocksBesideTheLoopsStay) {
  // What stands in a block of its own is a statement more.
  std::string source = sumOfTiles("int q = 0; q < n; q++", "16 * q");
  source.insert(source.find("for (int k"), "{ s += 1; s *= 2; }\n");
  std::string text = bodyAfter(source);
  EXPECT_EQ(loopsIn(text), 2u) << text;
  expectIn(text, "s *= 2");
  // Beside a choice that could cut the loop, too.
  text =
      bodyAfter(sumOfTiles("int q = 0; q < n; q += 16", "q",
                           "{ { s *= 2; s += 3; }\n"
                           "if (q + k < n - 5) s += t[k]; else s -= t[k]; }"));
  EXPECT_EQ(loopsIn(text), 1u) << text;
  expectIn(text, "s *= 2");
  // Blocks of one statement are that statement.
  EXPECT_EQ(loopsIn(bodyAfter(sumOfTiles("int q = 0; q < n; q++", "16 * q",
                                         "{ { s += t[k]; } }"))),
            1u);
}

TEST(ForwardTest, LoopsStayWhereTheBodyMovesTheirHeads) {
  const std::string text = bodyAfter(sumOfTiles(
      "int q = 0, p = 0; q < n; q += 16", "q", "{ s += t[k] * d[p]; p++; }"));
  EXPECT_EQ(loopsIn(text), 2u) << text;
}
