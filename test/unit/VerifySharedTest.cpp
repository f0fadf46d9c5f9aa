//===- VerifySharedTest.cpp - loops that must not be shared ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step refuses what is wrong, so what it made is spoiled here.
//
//===----------------------------------------------------------------------===//

#include "Transform/verify/VerifySteps.h"

#include "KernelTesting.h"

using namespace clopt;

namespace {

std::string row(const std::string &body, const std::string &after,
                const std::string &before = "int sum = 0;",
                const std::string &head = "int k = 0; k < n; k++") {
  return kernelOf("int i = get_global_id(0);\n" + before + "\nfor (" + head +
                  ") {\n" + body + "\n}\n" + after);
}

const std::string plain = row("sum += p[i * n + k];", "r[i] = sum;");

std::string wrongness(const TestedKernel &tested) {
  StepResult wrong = verifyOrder(tested.kernel, AliasMode::Check);
  return wrong ? wrong->message : "";
}

void expectPart(const std::string &message, const std::string &part) {
  EXPECT_NE(message.find(part), std::string::npos) << "was: " << message;
}

/// The model of the kernel, to be changed.
KernelModel &openModel(TestedKernel &tested) {
  auto copy = std::make_shared<KernelModel>(*tested.kernel.model);
  tested.kernel.ownModel = copy;
  tested.kernel.model = copy.get();
  return *copy;
}

TEST(VerifySharedTest, LoopsInParts) {
  for (const std::string &source :
       {plain,
        row("sum ^= p[k];", "r[i] = sum;", "int sum = 0;",
            "int k = n; k > i; k -= 3"),
        row("int t = p[k]; if (t > 3) sum = max(sum, t * t);",
            "r[i] = sum + r[i];"),
        row("for (int l = k; l < m; l++) { sum += p[l]; all |= p[k]; }",
            "r[i] = sum + all;", "int sum = 0, all = 0;"),
        row("sum += p[k];", "r[i] = sum;", "int sum = 0;",
            "int k = p[i]; k < p[i + 1]; k++")}) {
    TestedKernel tested(source);
    ASSERT_EQ(tested.apply("split-reduction k:8").message, "") << source;
    EXPECT_EQ(wrongness(tested), "") << source;
  }
}

TEST(VerifySharedTest, RegistersAreResults) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n"
                               "for (int k = 0; k < n; k++)\n"
                               "  p[i] += (int)s[k];"));
  ASSERT_EQ(tested.apply("privatize p\nsplit-reduction k:4").message, "");
  EXPECT_EQ(wrongness(tested), "");
  tested.kernel.cooperativeReductions[0].results.clear();
  expectPart(wrongness(tested), "a value of 'p' goes from one part of 'k'");
}

TEST(VerifySharedTest, IterationsThatNoLaneTakes) {
  TestedKernel tested(plain);
  ASSERT_EQ(tested.apply("split-reduction k:8").message, "");
  openModel(tested).loops[0].step = 2;
  expectPart(wrongness(tested), "an iteration of 'k' is in no part");
}

TEST(VerifySharedTest, IterationsBeforeTheFirst) {
  TestedKernel tested(plain);
  ASSERT_EQ(tested.apply("split-reduction k:8").message, "");
  openModel(tested).loops[0].first = Polynomial(1);
  expectPart(wrongness(tested), "an iteration of 'k' is in no part");
}

TEST(VerifySharedTest, TilesBeforeTheOrigin) {
  // Each work-item begins at another number: tiles are counted from zero.
  TestedKernel tested(
      "__kernel void f(__global const int *p, __global int *r, int n) {\n"
      "int i = get_global_id(0), s = 0;\n"
      "for (int k = -i; k < n; k++) s = max(s, p[k + i]);\nr[i] = s;\n}\n");
  ASSERT_EQ(tested.apply("split-reduction k:8\nunroll k:4").message, "");
  EXPECT_EQ(wrongness(tested), "");
}

TEST(VerifySharedTest, ValuesThatAreNoResults) {
  for (const std::string &head :
       {std::string("int k = 0; k < n; k++"),
        std::string("int k = p[i]; k < p[i + 1]; k++")}) {
    TestedKernel tested(
        row("sum += p[k];", "r[i] = sum;", "int sum = 0;", head));
    ASSERT_EQ(tested.apply("split-reduction k:8").message, "");
    tested.kernel.cooperativeReductions[0].results.clear();
    expectPart(wrongness(tested),
               "a value of 'sum' goes from one part of 'k' to another");
  }
}

TEST(VerifySharedTest, ResultsAreCombinedOnce) {
  TestedKernel tested(plain);
  ASSERT_EQ(tested.apply("split-reduction k:8").message, "");
  std::vector<SharedResult> &results =
      tested.kernel.cooperativeReductions[0].results;
  ASSERT_EQ(results.size(), 1u);
  results.push_back(results[0]);
  expectPart(wrongness(tested), "'sum' is combined more than once");
}

TEST(VerifySharedTest, ByTheOperationOfTheLoop) {
  TestedKernel tested(plain);
  ASSERT_EQ(tested.apply("split-reduction k:8").message, "");
  tested.kernel.cooperativeReductions[0].results[0].operation =
      ReductionOp::Product;
  expectPart(wrongness(tested), "'sum' is combined by another operation");
}

TEST(VerifySharedTest, TermsWithAnOrder) {
  const std::string source =
      row("sum += a[k];", "r[i] = sum;", "float sum = 0;");
  TestedKernel tested(source, {"-cl-unsafe-math-optimizations"});
  ASSERT_EQ(tested.apply("split-reduction k:8").message, "");
  EXPECT_EQ(wrongness(tested), "");
  TestedKernel strict(source);
  strict.kernel.cooperativeReductions.push_back(
      {strict.loop("k"), 0, 8, {{strict.array("sum"), ReductionOp::Sum}}, {}});
  expectPart(wrongness(strict), "the terms of 'sum' have an order");
}

TEST(VerifySharedTest, LoopsThatWriteMemory) {
  TestedKernel tested(row("r[k] = p[k]; sum += p[k];", "s[i] = sum;"));
  tested.kernel.cooperativeReductions.push_back(
      {tested.loop("k"), 0, 8, {{tested.array("sum"), ReductionOp::Sum}}, {}});
  expectPart(wrongness(tested), "work-items that share 'k' write 'r'");
}

TEST(VerifySharedTest, LoopsThatAreSharedTwice) {
  TestedKernel tested(plain);
  ASSERT_EQ(tested.apply("split-reduction k:8").message, "");
  tested.kernel.cooperativeReductions.push_back(
      tested.kernel.cooperativeReductions[0]);
  expectPart(wrongness(tested), "a statement is shared more than once");
}

} // namespace
