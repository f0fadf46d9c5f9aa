//===- StrengthAddTest.cpp - subscripts that advance by addition ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/steps/Strength.h"

#include "Analysis/access/AccessPattern.h"
#include "KernelTesting.h"
#include "Model/ExprPrinter.h"
#include "Transform/verify/VerifySteps.h"

using namespace clopt;

static std::string item(const std::string &body) {
  return kernelOf("int i = get_global_id(0);\nfloat t = 0;\n" + body);
}

using Texts = std::vector<std::string>;

/// The new statements and what stands in place of subscripts, in order.
static Texts after(const std::string &body, const std::string &steps) {
  TestedKernel tested(item(body));
  Refusal refusal = tested.apply(steps);
  EXPECT_EQ(refusal.message, "") << body;
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  EXPECT_FALSE(wrong) << wrong->message;
  Texts texts;
  const KernelModel &model = *tested.kernel.model;
  for (size_t i = tested.model->statements.size(); i < model.statements.size();
       ++i)
    texts.push_back(printExpr(model.statements[i].stmt->expr));
  std::multiset<std::string> places;
  for (const auto &[expr, place] : tested.kernel.replacements)
    places.insert(printExpr(place));
  texts.insert(texts.end(), places.begin(), places.end());
  return texts;
}

TEST(StrengthAddTest, AnAdditionPerIteration) {
  EXPECT_EQ(after("for (int k = 0; k < n; k++) t += s[k * m + i];\nr[i] = t;",
                  "strength s add"),
            (Texts{"0 * m + i", "at += (long)m", "at"}));
  EXPECT_EQ(after("for (int k = n - 1; k >= 0; k -= 2) t += s[i + k * m];\n"
                  "r[i] = t;",
                  "strength s add"),
            (Texts{"i + (n - 1) * m", "at += 0L - (long)m * 2L", "at"}));
}

TEST(StrengthAddTest, NeighboursShareAVariable) {
  EXPECT_EQ(after("for (int k = 0; k < n; k++)\n"
                  "  t += s[k * m + i] + s[k * m + i + 1] + s[(k + 1) * m];\n"
                  "r[i] = t;",
                  "strength s add"),
            (Texts{"0 * m + i", "at += (long)m", "(0 + 1) * m",
                   "at2 += (long)m", "at", "at + 1L", "at2"}));
}

TEST(StrengthAddTest, ConstantStepsAreLeftToCompilers) {
  expectRefused(item("for (int k = 0; k < n; k++) t += s[4 * k + i * m];\n"
                     "r[i] = t;"),
                "strength s add", "clopt-not-profitable",
                "no subscript of 's' moves");
}

TEST(StrengthAddTest, IterationsWithGaps) {
  // The variable would not move where nothing runs.
  expectRefused(item("for (int k = 0; k < n; k++)\n"
                     "  if (k % 3 != 1) t += s[k * m];\nr[i] = t;"),
                "strength s add", "clopt-dependence",
                "some iterations of 'k' do nothing");
  expectRefused(item("for (int k = 0; k < n; k++)\n"
                     "  if (k > i) t += s[k * m];\nr[i] = t;"),
                "strength s add", "clopt-dependence",
                "some iterations of 'k' do nothing");
}

TEST(StrengthAddTest, StepsOfAnySize) {
  expectRefused("__kernel void f(__global float *a, long m, int n) {\n"
                "  float t = 0;\n"
                "  for (int k = 0; k < n; k++) t += a[k * m + 1];\n"
                "  a[0] = t; }",
                "strength a add", "clopt-value-range",
                "a step of 'a' may be greater than 2^62");
}

TEST(StrengthAddTest, LoopsWhoseOrderIsGone) {
  const std::string sum = "int u = 0;\n"
                          "for (int k = 0; k < n; k++) u += p[k * m + i];\n"
                          "r[i] = u;";
  expectRefused(item(sum), "vectorize k:4\nstrength p add", "clopt-dependence",
                "one after the other");
  // And the other way round: the value goes from iteration to iteration. A loop
  // is shared behind all other steps.
  expectRefused(item(sum), "split-reduction k:4\nstrength p add",
                "clopt-dependence",
                "the value of 'at' goes from one iteration to the next");
  const std::string advanced = "strength p add\n";
  for (const char *step : {"split-reduction k:4", "vectorize k:4"})
    expectRefused(item(sum), advanced + step, "clopt-dependence",
                  "the value of 'at' goes from one iteration to the next");
  expectRefused(item(sum), advanced + "map k", "clopt-dependence",
                "the value of 'u' goes from one iteration to the next");
}

TEST(StrengthAddTest, PointsAndLanesHaveTheirOwn) {
  const std::string sum = "for (int k = 0; k < n; k++) t += s[k * m + i];\n"
                          "r[i] = t;";
  expectTaken(item(sum), "strength s add\ncoarsen i:2\nunroll k:2");
  expectTaken(item(sum), "strength s add\nvectorize i:4");
}

TEST(StrengthRowsTest, CellsALoopMovesByAConstant) {
  TestedKernel tested(item("for (int k = 0; k < n; k++)\n"
                           "  t += s[i * m + 3 * k + 2];\nr[i] = t;"));
  const KernelModel &model = *tested.model;
  unsigned s = tested.array("s"), rows = 0;
  for (const Access &access : model.accesses) {
    std::optional<RowPlace> place = rowPlace(model, access, 0);
    EXPECT_EQ(place.has_value(), access.array == s);
    if (!place)
      continue;
    ++rows;
    EXPECT_EQ(place->step, 3);
    EXPECT_FALSE(place->start.contains(model.loops[0].iterator));
    EXPECT_EQ(place->start +
                  Polynomial::symbol(model.loops[0].iterator) * Polynomial(3),
              *access.offset);
  }
  EXPECT_EQ(rows, 1u);
  EXPECT_EQ(tested.apply("strength s rows").message, "");
  EXPECT_EQ(tested.kernel.rowPointers, std::set<unsigned>{s});
}

TEST(StrengthRowsTest, WithoutRows) {
  // The loop moves the cell by an argument, not at all, or from the array's
  // first cell on; the row depends on what the loop has read.
  for (const char *cell : {"k * m", "i * m", "k + 2", "p[k] * m + k"})
    expectRefused(item("for (int k = 0; k < n; k++)\n  t += s[" +
                       std::string(cell) + "];\nr[i] = t;"),
                  "strength s rows", "clopt-not-profitable",
                  "no loop walks along a row of 's'");
}
