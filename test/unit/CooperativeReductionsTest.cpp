//===- CooperativeReductionsTest.cpp - loops that work-items can share ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/dependence/CooperativeReductions.h"

#include "KernelTesting.h"

using namespace clopt;

/// The first `for` statement of a kernel, as a counted loop.
static std::optional<CountedLoop> countedLoop(const std::string &head) {
  TestedKernel tested(kernelOf("int i = get_global_id(0), j = 0;\n"
                               "for (" +
                               head + ") r[i] += p[i];"));
  std::optional<CountedLoop> result;
  forEachStmt(tested.model->function->body, [&](const StmtRef &stmt) {
    if (stmt->kind == StmtKind::For)
      result = readCountedLoop(*stmt);
  });
  return result;
}

TEST(CooperativeReductionsTest, ReadsHeadsThatCount) {
  std::optional<CountedLoop> loop = countedLoop("int k = p[i]; k < p[m]; k++");
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->step, 1);
  EXPECT_EQ(loop->comparison, Op::Lt);
  loop = countedLoop("int k = p[i]; p[m] <= k; k -= 4");
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->step, -4);
  EXPECT_EQ(loop->comparison, Op::Ge);
  loop = countedLoop("j = 3; j != p[m]; j = j + 1");
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->comparison, Op::Lt);
  loop = countedLoop("int k = p[i], end = p[m]; k < end; ++k");
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->others.size(), 1u);
  EXPECT_TRUE(countedLoop("; j < p[m]; j++"));
}

TEST(CooperativeReductionsTest, OtherHeadsDoNot) {
  EXPECT_FALSE(countedLoop("int k = 1; k < p[m]; k *= 2"));
  EXPECT_FALSE(countedLoop("int k = 1; k < p[m]; k += n"));
  EXPECT_FALSE(countedLoop("int k = 1; k < p[m]; k--"));
  EXPECT_FALSE(countedLoop("int k = 1; k < p[m] && k < n; k++"));
  EXPECT_FALSE(countedLoop("int k = 1; k != p[m]; k += 2"));
  EXPECT_FALSE(countedLoop("char k = 1; k < p[m]; k++"));
  // Goes round all values before it meets the bound.
  EXPECT_FALSE(countedLoop("uint k = 1; k < (uint)p[m]; k += 3"));
  EXPECT_TRUE(countedLoop("uint k = 1; k < (uint)p[m]; k += 4"));
  EXPECT_FALSE(countedLoop("uint k = 1; k != (uint)p[m]; k++"));
}

TEST(CooperativeReductionsTest, NamesLoopsThatAreStatements) {
  TestedKernel tested(
      kernelOf("int i = get_global_id(0);\n"
               "for (int k = 0; k < n; k++) r[i] += a[k];\n"
               "for (int k = p[i]; k < p[i + 1]; k++) r[i] += a[k];\n"
               "for (int t = p[i]; t < p[i + 1]; t++) r[i] += a[t];\n"));
  auto loops = dataDependentLoops(*tested.model);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].first, "k_1");
  EXPECT_EQ(loops[1].first, "t");
}
