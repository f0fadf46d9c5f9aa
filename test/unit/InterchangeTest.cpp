//===- InterchangeTest.cpp - two nested loops change places ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

#include "Transform/verify/VerifySteps.h"

using namespace clopt;

static std::string item(const std::string &body) {
  return kernelOf("int w = get_global_id(0);\n" + body);
}

/// The loops in the order of the tree, outermost first.
static std::string order(const TestedKernel &tested) {
  std::string names;
  for (unsigned loop : loopsBelow(tested.kernel.tree))
    names += (names.empty() ? "" : " ") + tested.kernel.model->loops[loop].name;
  return names;
}

static std::string first(const TestedKernel &tested, const std::string &loop) {
  const KernelModel &model = *tested.kernel.model;
  return model.loops[tested.loop(loop)].first.str(
      [&](SymbolId id) { return model.symbols.name(id); });
}

static bool isWithin(const isl::set &set, const std::string &text) {
  return set.is_subset(isl::set(set.ctx(), text)) && !set.is_empty();
}

static const char *const square = "for (int i = 0; i < n; i++)\n"
                                  "  for (int j = 0; j < m; j++)\n";

//===-- The new order -----------------------------------------------------===//

TEST(InterchangeTest, TheInnerLoopIsOutside) {
  TestedKernel tested(item(square + std::string("r[i * m + j] += s[j];")));
  EXPECT_EQ(order(tested), "i j");
  ASSERT_EQ(tested.apply("interchange i j").message, "");
  EXPECT_EQ(order(tested), "j i");
  const KernelModel &model = *tested.kernel.model;
  const Statement &update = model.statements.back();
  EXPECT_EQ(model.symbols.name(update.coordinates[1]), "j");
  EXPECT_EQ(model.symbols.name(update.coordinates[2]), "i");
  EXPECT_EQ(update.loops, (std::vector<unsigned>{1, 0}));
  EXPECT_EQ(model.loops[0].outer, std::vector<unsigned>{1});
  EXPECT_TRUE(model.loops[1].outer.empty());
  // The model of the front end stays as it was.
  EXPECT_EQ(tested.model->loops[1].outer, std::vector<unsigned>{0});
  EXPECT_FALSE(verifyOrder(tested.kernel, AliasMode::Check));
}

TEST(InterchangeTest, TwiceIsTheProgram) {
  TestedKernel tested(item(square + std::string("r[i * m + j] += s[j];")));
  ASSERT_EQ(tested.apply("interchange i j\ninterchange i j").message, "");
  EXPECT_EQ(order(tested), "i j");
  EXPECT_EQ(tested.kernel.model->loops[1].outer, std::vector<unsigned>{0});
}

TEST(InterchangeTest, BoundsOfTrianglesComeFromIsl) {
  TestedKernel upper(item("for (int i = 0; i < n; i++)\n"
                          "  for (int j = i + 2; j < n; j++) r[j] += s[i];"));
  ASSERT_EQ(upper.apply("interchange i j").message, "");
  EXPECT_EQ(first(upper, "j"), "2");
  EXPECT_EQ(first(upper, "i"), "0");
  TestedKernel lower(item("for (int i = 0; i < n; i++)\n"
                          "  for (int j = 0; j < i; j++) r[j] += s[i];"));
  ASSERT_EQ(lower.apply("interchange i j").message, "");
  EXPECT_EQ(first(lower, "j"), "0");
  EXPECT_EQ(first(lower, "i"), "j + 1");
  TestedKernel down(item("for (int i = n - 1; i >= 0; i--)\n"
                         "  for (int j = n - 1; j >= i; j--) r[j] += s[i];"));
  ASSERT_EQ(down.apply("interchange i j").message, "");
  EXPECT_EQ(first(down, "j"), "n - 1");
  EXPECT_EQ(first(down, "i"), "j");
}

TEST(InterchangeTest, ABandBeginsAtTheGreaterOfTwoValues) {
  TestedKernel tested(
      item("for (int i = 0; i < n; i++)\n"
           "  for (int j = max(0, i - 3); j < n; j++) r[j] += s[i];\n"));
  EXPECT_EQ(tested.apply("interchange i j").message, "");
  TestedKernel both(item("for (int i = 0; i < n; i++)\n"
                         "  for (int j = i; j < i + 4; j++) r[j] += s[i];\n"));
  ASSERT_EQ(both.apply("interchange i j").message, "");
  const KernelModel &model = *both.kernel.model;
  std::vector<SymbolId> symbols = model.loops[0].first.symbols();
  ASSERT_EQ(symbols.size(), 1u);
  EXPECT_EQ(model.symbols[symbols[0]].kind, SymbolKind::Select);
  EXPECT_EQ(both.apply("unroll i:2").message, "");
}

TEST(InterchangeTest, ImperfectNests) {
  TestedKernel tested(item("for (int i = 0; i < n; i++) {\n"
                           "  float x = s[i];\n"
                           "  r[i] = 1;\n"
                           "  for (int j = 0; j < 5; j++) r[i] += x;\n"
                           "  a[i] = 2;\n}"));
  ASSERT_EQ(tested.apply("interchange i j").message, "");
  const KernelModel &model = *tested.kernel.model;
  // S1 sets x, S2 stores 1, S3 adds, S4 stores 2.
  EXPECT_TRUE(isWithin(model.statements[2].domain, "{ S2[w, 0, i] }"));
  EXPECT_TRUE(isWithin(model.statements[4].domain, "{ S4[w, 4, i] }"));
  EXPECT_TRUE(
      isWithin(model.statements[1].domain, "{ S1[w, j, i] : 0 <= j < 5 }"));
  EXPECT_FALSE(isWithin(model.statements[1].domain, "{ S1[w, 0, i] }"));
  EXPECT_FALSE(verifyOrder(tested.kernel, AliasMode::Check));
}

TEST(InterchangeTest, TheInnerLoopMustRun) {
  TestedKernel tested(item("for (int i = 0; i < n; i++) {\n"
                           "  r[i] = 1;\n"
                           "  for (int j = 0; j < m; j++) r[i] += s[j];\n}"));
  ASSERT_EQ(tested.apply("interchange i j").message, "");
  const Assumption &runs = tested.kernel.model->assumptions.back();
  EXPECT_EQ(runs.text, "the loop 'j' runs");
  expectRefused(item("for (int i = 0; i < n; i++) {\n"
                     "  r[i] = 1;\n"
                     "  for (int j = 0; j < i; j++) r[i] += s[j];\n}"),
                "interchange i j", "clopt-dependence",
                "has something else to do where the loop 'j' does not run");
}

TEST(InterchangeTest, RegistersOverBothLoopsStay) {
  TestedKernel tested(item(square + std::string("r[w] += s[i * m + j] * 0;")));
  Refusal refusal = tested.apply("privatize r\ninterchange i j");
  EXPECT_EQ(refusal.ruleId, "clopt-dependence") << refusal.message;
  TestedKernel read(item(square + std::string("r[i * m + j] = s[w];")));
  ASSERT_EQ(read.apply("privatize s\ninterchange i j").message, "");
  ASSERT_EQ(read.kernel.tiles.size(), 1u);
  EXPECT_FALSE(read.kernel.tiles[0].loop == read.loop("i"));
}

//===-- Refusals ----------------------------------------------------------===//

TEST(InterchangeTest, ADependenceThatWouldTurnIsNamed) {
  // (1, -1): the classical case.
  expectRefused(item("for (int i = 1; i < n; i++)\n"
                     "  for (int j = 0; j < m - 1; j++)\n"
                     "    r[i * m + j] = r[(i - 1) * m + j + 1];"),
                "interchange i j", "clopt-dependence",
                "the value written to 'r' at line 7 is read in a later "
                "iteration at line 7");
  expectTaken(item("for (int i = 1; i < n; i++)\n"
                   "  for (int j = 1; j < m; j++)\n"
                   "    r[i * m + j] = r[(i - 1) * m + j - 1];"),
              "interchange i j");
  expectRefused(item(square + std::string("r[w] = s[i * m + j];")),
                "interchange i j", "clopt-dependence",
                "'r' at line 7 is written again in a later iteration");
}

TEST(InterchangeTest, ValuesThatPassBetweenIterations) {
  expectRefused(item("float x = 0;\n" + std::string(square) +
                     "x += s[i * m + j];\nr[w] = x;"),
                "interchange i j", "clopt-reassociation",
                "the value of 'x' goes from one iteration to another");
  expectRefused(item("for (int i = 0; i < n; i++) { float x = 0;\n"
                     "  for (int j = 0; j < m; j++) x += s[i * m + j];\n"
                     "  r[i] = x; }"),
                "interchange i j", "clopt-reassociation", "the value of 'x'");
  expectRefused(item("int x = 0;\n" + std::string(square) +
                     "{ r[i * m + j] = x; if (s[j] > 0) x = i; }"),
                "interchange i j", "clopt-dependence", "the value of 'x'");
}

TEST(InterchangeTest, AValueOfTheLastIterationOnly) {
  // Both orders end with the same iteration.
  expectTaken(item("float x;\nfor (int i = 0; i < 4; i++)\n"
                   "  for (int j = 0; j < 3; j++)\n"
                   "    { x = s[i + j]; r[i * 3 + j] = x; }\n r[w + 12] = x;"),
              "interchange i j");
}

TEST(InterchangeTest, WhatIsReadBeforeTheInnerLoopMustNotBeWrittenInIt) {
  expectRefused(item("for (int i = 0; i < n; i++) {\n"
                     "  float x = r[i];\n"
                     "  for (int j = 0; j < m; j++) r[i] = x + s[j]; }"),
                "interchange i j", "clopt-dependence",
                "the value read from 'r' at line 6 is overwritten");
}

TEST(InterchangeTest, BuffersThatMayOverlap) {
  const std::string source =
      item(square + std::string("a[i * m + j] = b[i * m + j];"));
  expectTaken(source, "interchange i j");
  expectRefused(source, "interchange i j", "clopt-may-alias",
                "'a' and 'b' may overlap", AliasMode::Strict);
}

TEST(InterchangeTest, LoopsThatAreNoPair) {
  const std::string three = item("for (int i = 0; i < n; i++)\n"
                                 "  for (int t = 0; t < 3; t++)\n"
                                 "    for (int j = 0; j < 4; j++)\n"
                                 "      r[i * 4 + j] = s[t];\n"
                                 "for (int k = 0; k < n; k++) s[k] = 1;");
  expectRefused(three, "interchange i j", "clopt-dependence",
                "the loop 't' stands between 'i' and 'j'");
  expectRefused(three, "interchange i k", "clopt-dependence",
                "are not one inside the other");
  expectRefused(three, "interchange i i", "clopt-dependence",
                "are not one inside the other");
  expectRefused(three, "interchange i", "", "needs two loops");
  expectRefused(three, "interchange i w", "",
                "'w' is a work-item dimension, not a loop");
  expectRefused(three, "interchange i:2 t", "", "takes no numbers");
}

/// The step in front and behind give one order.
static void expectEither(const std::string &source, const std::string &step,
                         const std::string &other) {
  TestedKernel first(source), second(source);
  ASSERT_EQ(first.apply(step + "\n" + other).message, "") << step;
  ASSERT_EQ(second.apply(other + "\n" + step).message, "") << step;
  EXPECT_EQ(printTree(first.kernel), printTree(second.kernel));
}

TEST(InterchangeTest, LoopsKeepWhatIsAskedOfThem) {
  const std::string source = item(square + std::string("r[i * m + j] = 1;"));
  for (const char *step : {"unroll j:4", "tile j:4", "vectorize j:4",
                           "unroll i:2", "tile i:8", "vectorize i:2"})
    expectEither(source, step, "interchange i j");
}

TEST(InterchangeTest, ABarrierKeepsItsPlace) {
  expectRefused("__kernel void f(__global float *restrict r, int n) {\n"
                "  __local float t[64];\n"
                "  int l = get_local_id(0);\n"
                "  for (int i = 0; i < n; i++)\n"
                "    for (int j = 0; j < n; j++) {\n"
                "      t[l] = r[i * n + j]; barrier(CLK_LOCAL_MEM_FENCE);\n"
                "      r[i * n + j + l] = t[63 - l];\n"
                "      barrier(CLK_LOCAL_MEM_FENCE); } }",
                "interchange i j", "clopt-barrier", "barrier");
}
