//===- HoistValuesTest.cpp - values that are computed once ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Hoist.h"

#include "KernelTesting.h"
#include "Model/ExprPrinter.h"
#include "Transform/verify/VerifySteps.h"

using namespace clopt;

static std::string item(const std::string &body) {
  return kernelOf("int i = get_global_id(0);\nfloat q = s[i];\n" + body);
}

/// The values that the steps compute ahead, as text, in order.
static std::vector<std::string> ahead(TestedKernel &tested,
                                      const std::string &steps) {
  size_t before = tested.model->statements.size();
  EXPECT_EQ(tested.apply(steps).message, "");
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  EXPECT_FALSE(wrong) << wrong->message;
  std::vector<std::string> values;
  const KernelModel &model = *tested.kernel.model;
  for (size_t i = before; i < model.statements.size(); ++i)
    values.push_back(printExpr(model.statements[i].stmt->expr));
  return values;
}

static std::vector<std::string> ahead(const std::string &body,
                                      const std::string &steps = "hoist k") {
  TestedKernel tested(item(body));
  return ahead(tested, steps);
}

using Texts = std::vector<std::string>;

TEST(HoistValuesTest, TheLargestPartsThatStayTheSame) {
  EXPECT_EQ(ahead("for (int k = 0; k < n; k++)\n"
                  "  r[k] = sqrt(q) / 3 * k + a[(i % m) * n + k];"),
            (Texts{"sqrt(q) / 3", "i % m * n"}));
}

TEST(HoistValuesTest, OneVariableForAllThatAreAlike) {
  TestedKernel tested(item("for (int k = 0; k < n; k++) {\n"
                           "  r[k] = q / 3 * k;\n"
                           "  s[k + n] = k / (q / 3); }"));
  EXPECT_EQ(ahead(tested, "hoist k"), Texts{"q / 3"});
  EXPECT_EQ(tested.kernel.replacements.size(), 2u);
}

TEST(HoistValuesTest, TheStatementRunsWhereTheLoopDoes) {
  TestedKernel tested(item("for (int k = 0; k < n; k++)\n"
                           "  if (k > m) r[k] = q / m;"));
  ahead(tested, "hoist k");
  const Statement &added = tested.kernel.model->statements.back();
  EXPECT_EQ(added.coordinates.size(), 1u);
  isl::set runs(added.domain.ctx(),
                "[n, m] -> { " + added.name + "[w0] : n > 0 and n >= m + 2 }");
  EXPECT_TRUE(added.domain.is_subset(runs));
  EXPECT_FALSE(added.domain.is_empty());
}

TEST(HoistValuesTest, AProductStaysBesideItsSum) {
  // The two may become one fma.
  EXPECT_EQ(ahead("for (int k = 0; k < n; k++) {\n"
                  "  r[k] = q * m + k;\n"
                  "  r[k + n] -= -(q * m);\n"
                  "  r[k + n] = (k > 2 ? q * 2.0f : q) + k;\n"
                  "  a[k] = q / m; }"),
            Texts{"q / m"});
  EXPECT_EQ(ahead("for (int k = 0; k < n; k++) r[k] = (q * m + 1) * k;"),
            Texts{"q * m + 1"});
  EXPECT_EQ(ahead("for (int k = 0; k < n; k++) r[k] = q * m * k + q;"),
            Texts{"q * m"});
  // What the product is made of may move; integers have no fma.
  EXPECT_EQ(ahead("for (int k = 0; k < n; k++) r[k] = (q / 3) * q + k;"),
            Texts{"q / 3"});
  EXPECT_EQ(ahead("for (int k = 0; k < n; k++) p[k] = i * m + k;"),
            Texts{"i * m"});
}

TEST(HoistValuesTest, NothingIsDividedThatTheProgramDoesNotDivide) {
  const std::string loop = "for (int k = 0; k < n; k++) ";
  expectRefused(item(loop + "p[k] = k > m ? n / m : 3;"), "hoist k",
                "clopt-not-profitable", "is the same in all iterations");
  expectRefused(item(loop + "p[k] = k > m && n % m;"), "hoist k",
                "clopt-not-profitable", "is the same in all iterations");
  expectRefused(item(loop + "if (p[k]) r[k] = n / m;"), "hoist k",
                "clopt-not-profitable", "is the same in all iterations");
  EXPECT_EQ(ahead(loop + "p[k] = m > 0 ? n / m : 3;"),
            Texts{"m > 0 ? n / m : 3"});
  EXPECT_EQ(ahead(loop + "if (p[k]) r[k] = (n / 4) * m;"), Texts{"n / 4 * m"});
  // Floating-point operations have no traps.
  EXPECT_EQ(ahead(loop + "if (p[k]) r[k] = 1 / q;"), Texts{"1 / q"});
}

TEST(HoistValuesTest, WhatAnIterationWritesIsNotTheSame) {
  const std::string loop = "for (int k = 0; k < n; k++) ";
  expectRefused(item(loop + "{ r[k] = sqrt(q); q += 1; }"), "hoist k",
                "clopt-not-profitable", "'k' computes");
  expectRefused(item(loop + "{ float t = p[k]; r[k] = sqrt(t); }"), "hoist k",
                "clopt-not-profitable", "'k' computes");
  expectRefused(item(loop + "r[k] = sqrt((float)k);"), "hoist k",
                "clopt-not-profitable", "'k' computes");
  expectRefused(item("for (int k = 0; k < n; k++)\n"
                     "  for (int l = 0; l < n; l++) r[k] = sqrt((float)l);"),
                "hoist k", "clopt-not-profitable", "'k' computes");
}

TEST(HoistValuesTest, CellsThatNothingWrites) {
  const std::string loop = "for (int k = 0; k < n; k++) ";
  EXPECT_EQ(ahead(loop + "r[k] = sqrt(a[i]) * k;"), Texts{"sqrt(a[i])"});
  expectRefused(item(loop + "r[k + i] = sqrt(r[i]);"), "hoist k",
                "clopt-not-profitable", "'k' computes");
  TestedKernel tested(item(loop + "b[k] = sqrt(a[i]);"));
  EXPECT_EQ(ahead(tested, "hoist k"), Texts{"sqrt(a[i])"});
  EXPECT_EQ(tested.kernel.disjointArrays.size(), 1u);
  expectRefused(item(loop + "b[k] = sqrt(a[i]);"), "hoist k",
                "clopt-not-profitable", "'k' computes", AliasMode::Strict);
  // Registers that are filled before the loop, and those that are not.
  EXPECT_EQ(ahead(loop + "r[k] = sqrt(a[i]) * k;", "hoist a\nhoist k"),
            Texts{"sqrt(a[i])"});
  expectRefused(item(loop + "r[k] = sqrt(a[i]) * k;"), "privatize a\nhoist k",
                "clopt-not-profitable", "'k' computes");
}

TEST(HoistValuesTest, OuterLoopsFirst) {
  const std::string loops = "for (int k = 0; k < n; k++)\n"
                            "  for (int l = 0; l < m; l++)\n"
                            "    r[k * m + l] = q / m + (q + k) / m;";
  EXPECT_EQ(ahead(loops, "hoist k\nhoist l"),
            (Texts{"q / m", "k * m", "q / m + (q + k) / m"}));
  EXPECT_EQ(ahead(loops, "hoist l"), (Texts{"k * m", "q / m + (q + k) / m"}));
}

TEST(HoistValuesTest, LaterStepsTakeItLikeAnyVariable) {
  const std::string body = "for (int k = 0; k < n; k++)\n"
                           "  r[k * m + i] = sqrt(q) / m * k;";
  expectTaken(item(body), "hoist k\ncoarsen i:2\nunroll k:2");
  expectTaken(item(body), "hoist k\nvectorize i:4");
  expectTaken(item(body), "hoist k\nvectorize k:4");
  TestedKernel before(item(body)), after(item(body));
  ASSERT_EQ(before.apply("hoist k\nvectorize k:4").message, "");
  ASSERT_EQ(after.apply("vectorize k:4\nhoist k").message, "");
  EXPECT_EQ(printTree(before.kernel), printTree(after.kernel));
}

TEST(HoistValuesTest, CodeThatIsNotModelled) {
  expectRefused(item("for (int k = 0; k < n; k++) {\n"
                     "  printf(\"%d\", k); r[k] = sqrt(q); }"),
                "hoist k", "clopt-opaque-code", "not modelled");
}
