//===- FullBlocksTest.cpp - whole blocks of nested loops ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/FullBlocks.h"

#include "AstEvaluation.h"
#include "KernelTesting.h"

#include <set>

using namespace clopt;

static const char *const square = "for (int i = 0; i < n; i++)\n"
                                  "  for (int j = 0; j < m; j++)\n";

/// Domains of the statements as the front end and the steps left them.
static DomainMap domainsOf(const TransformedKernel &kernel) {
  DomainMap result;
  for (unsigned s = 0; s < kernel.model->statements.size(); ++s)
    result[static_cast<int>(s)] = kernel.model->statements[s].domain;
  return result;
}

static std::optional<isl::set> wholeAt(const TestedKernel &tested,
                                       const std::string &loop,
                                       const std::vector<std::string> &outer) {
  const KernelModel &model = *tested.kernel.model;
  std::vector<unsigned> around;
  for (const std::string &name : outer)
    around.push_back(*model.findLoop(name));
  return wholeBlocks(tested.kernel,
                     *findLoop(tested.kernel.tree, *model.findLoop(loop)),
                     around, domainsOf(tested.kernel));
}

static void expectSame(const std::optional<isl::set> &set,
                       const std::string &text) {
  ASSERT_TRUE(set);
  EXPECT_TRUE(set->is_equal(isl::set(set->ctx(), text))) << *set;
}

TEST(FullBlocksTest, BlocksThatEndBeforeTheLoopsDo) {
  TestedKernel tested(kernelOf(square + std::string("r[i * m + j] += s[j];")));
  ASSERT_EQ(tested.apply("tile i:16 j:32").message, "");
  const KernelModel &model = *tested.kernel.model;
  EXPECT_EQ(pointLoop(model, *model.findLoop("i_tile")), model.findLoop("i"));
  EXPECT_FALSE(pointLoop(model, *model.findLoop("i")));
  expectSame(wholeAt(tested, "i_tile", {}),
             "[n, m] -> { isolate[[] -> [i]] : i mod 16 = 0 and "
             "0 <= i <= n - 16 and m >= 32 }");
  expectSame(wholeAt(tested, "j_tile", {"i_tile"}),
             "[n, m] -> { isolate[[i] -> [j]] : i mod 16 = 0 and "
             "j mod 32 = 0 and 0 <= i <= n - 16 and 0 <= j <= m - 32 }");
  EXPECT_FALSE(wholeAt(tested, "i", {"i_tile", "j_tile"}));
}

TEST(FullBlocksTest, StepsAndDownwardLoops) {
  TestedKernel tested(kernelOf("for (int i = 0; i < n; i += 3)\n"
                               "  for (int j = m; j > 0; j--)\n"
                               "    r[j] += s[i];"));
  ASSERT_EQ(tested.apply("tile i:4 j:8").message, "");
  // The schedule counts up: -j.
  expectSame(wholeAt(tested, "j_tile", {"i_tile"}),
             "[n, m] -> { isolate[[i] -> [j]] : i mod 12 = 0 and "
             "0 <= i < n - 9 and (j + m) mod 8 = 0 and -m <= j <= -8 }");
}

TEST(FullBlocksTest, WhatIsNotSeparated) {
  TestedKernel lanes(kernelOf(square + std::string("r[i * m + j] += s[j];")));
  ASSERT_EQ(lanes.apply("tile i:16 j:32\nvectorize j:4").message, "");
  EXPECT_FALSE(wholeAt(lanes, "i_tile", {}));
  // No block is whole.
  TestedKernel few(kernelOf("for (int i = 0; i < 9; i++)\n"
                            "  for (int j = 0; j < 9; j++)\n"
                            "    r[i * m + j] += s[j];"));
  ASSERT_EQ(few.apply("tile i:16 j:16").message, "");
  EXPECT_FALSE(wholeAt(few, "i_tile", {}));
}

/// Everything runs once, in the order of blocks.
static void expectBlocks(const std::string &loops, const std::string &steps,
                         int iSize, int jSize,
                         bool (*runs)(int i, int j, int n)) {
  TestedKernel tested(kernelOf(loops + "r[j] += s[i];"));
  ASSERT_EQ(tested.apply(steps).message, "") << loops;
  LoweringError error;
  std::optional<LoweredKernel> kernel = lower(tested.kernel, error);
  ASSERT_TRUE(kernel) << error.message;
  for (int n = 0; n <= 21; ++n) {
    std::vector<std::string> expected;
    for (int it = 0; it <= n; it += iSize)
      for (int jt = 0; jt <= n; jt += jSize)
        for (int i = it; i < it + iSize; ++i)
          for (int j = jt; j < jt + jSize; ++j)
            if (runs(i, j, n))
              expected.push_back("S0(" + std::to_string(it) + "," +
                                 std::to_string(jt) + "," + std::to_string(i) +
                                 "," + std::to_string(j) + ")");
    LoweredRun run(*tested.kernel.model);
    run.run(kernel->general.root, {{"n", n}, {"m", n}});
    EXPECT_EQ(run.done, expected) << loops << " n=" << n;
  }
}

TEST(FullBlocksTest, TheOrderIsThatOfTheBlocks) {
  expectBlocks(square, "tile i:4 j:8", 4, 8,
               [](int i, int j, int n) { return i < n && j < n; });
  expectBlocks("for (int i = 0; i < n; i++) for (int j = i; j < n; j++) ",
               "tile i:4 j:8", 4, 8,
               [](int i, int j, int n) { return i <= j && j < n; });
  expectBlocks("for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) ",
               "tile i:8 j:4", 8, 4,
               [](int i, int j, int n) { return i < n && j <= i; });
  expectBlocks("for (int i = 0; i < n; i++)\n"
               "  for (int j = max(i - 3, 0); j < min(n, i + 5); j++) ",
               "tile i:4 j:4", 4, 4, [](int i, int j, int n) {
                 return i < n && j < n && j >= i - 3 && j < i + 5;
               });
}
