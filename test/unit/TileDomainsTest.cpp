//===- TileDomainsTest.cpp - what the work-items of a tile agree on -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/TileDomains.h"
#include "Emit/lower/Lowering.h"

#include "KernelTesting.h"

#include "Model/Operations.h"

#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/set.h>

using namespace clopt;

static bool contains(const isl::set &set, const std::string &text) {
  return isl::set(set.ctx(), text).is_subset(set);
}

/// Does the set of parameters hold these values?
static bool holds(const isl::set &set, const TileDomains &tiles, int base,
                  int end, int n) {
  std::string base0 = tiles.baseNames[0], end0 = tiles.endNames[0];
  isl::set point(set.ctx(), "[n, " + base0 + ", " + end0 +
                                "] -> { : n = " + std::to_string(n) + " and " +
                                base0 + " = " + std::to_string(base) + " and " +
                                end0 + " = " + std::to_string(end) + " }");
  return !set.intersect(point).is_empty();
}

/// Compares `uniform` with enumeration for a kernel in which work-item i stores
/// when runs(i, n).
static void expectUniform(const std::string &condition,
                          const std::string &steps, int total,
                          bool (*runs)(int, int)) {
  TestedKernel tested(
      kernelOf("int i = get_global_id(0);\nif (" + condition + ") r[i] = 1;"));
  ASSERT_EQ(tested.apply(steps).message, "");
  TileDomains tiles = computeTileDomains(tested.kernel);
  ASSERT_EQ(tiles.baseNames.size(), 1u);
  for (int n = 0; n <= 20; ++n)
    for (int end = 1; end <= 12; ++end)
      for (int base = 0; base < end; base += total) {
        bool all = base + total <= end;
        for (int i = base; i < base + total; ++i)
          all &= runs(i, n);
        EXPECT_EQ(holds(tiles.uniform, tiles, base, end, n), all)
            << condition << " base " << base << " end " << end << " n " << n;
      }
}

TEST(TileDomainsTest, UniformTilesAreThoseInWhichAllWorkItemsRun) {
  for (int total : {2, 3, 4}) {
    std::string steps = "coarsen i:" + std::to_string(total);
    expectUniform("i < n", steps, total, [](int i, int n) { return i < n; });
    expectUniform("i > 0 && i < n - 1", steps, total,
                  [](int i, int n) { return i > 0 && i < n - 1; });
    expectUniform("i >= n", steps, total, [](int i, int n) { return i >= n; });
  }
  expectUniform("i < n", "vectorize i:2\ncoarsen i:2", 4,
                [](int i, int n) { return i < n; });
}

/// The same for tiles of a group, whose number of ids is a parameter.
static void expectUniformGroups(const std::string &condition, unsigned size,
                                bool (*runs)(int, int)) {
  TestedKernel tested(
      kernelOf("int i = get_global_id(0);\nif (" + condition + ") r[i] = 1;"));
  ASSERT_EQ(tested.apply("tile i:" + std::to_string(size)).message, "");
  TileDomains tiles = computeTileDomains(tested.kernel);
  ASSERT_EQ(tiles.extentNames.size(), 1u);
  ASSERT_FALSE(tiles.extentNames[0].empty());
  for (unsigned extent = 1; extent <= size; ++extent) {
    TileDomains fixed = tiles;
    int at = isl_set_find_dim_by_name(tiles.uniform.get(), isl_dim_param,
                                      tiles.extentNames[0].c_str());
    if (at >= 0)
      fixed.uniform = isl::manage(isl_set_fix_si(
          tiles.uniform.copy(), isl_dim_param, at, static_cast<int>(extent)));
    for (int n = 0; n <= 12; ++n)
      for (int end = 1; end <= 9; ++end)
        for (int base = 0; base < end; ++base) {
          int last = base + static_cast<int>(extent);
          bool all = last <= end;
          for (int i = base; i < last; ++i)
            all &= runs(i, n);
          EXPECT_EQ(holds(fixed.uniform, fixed, base, end, n), all)
              << condition << " base " << base << " end " << end << " n " << n
              << " extent " << extent;
        }
  }
}

TEST(TileDomainsTest, UniformTilesOfGroupsOfEverySize) {
  expectUniformGroups("i < n", 4, [](int i, int n) { return i < n; });
  expectUniformGroups("i > 0 && i < n - 1", 5,
                      [](int i, int n) { return i > 0 && i < n - 1; });
}

TEST(TileDomainsTest, ShiftsOfASet) {
  isl_ctx *context = isl_ctx_alloc();
  {
    isl::set set(isl::ctx(context), "{ S[i] : 3 <= i <= 9 }");
    EXPECT_TRUE(forAllShifts(set, 0, 4, 1)
                    .is_equal(isl::set(set.ctx(), "{ S[i] : 3 <= i <= 6 }")));
    EXPECT_TRUE(existsShift(set, 0, 4, 1)
                    .is_equal(isl::set(set.ctx(), "{ S[i] : 0 <= i <= 9 }")));
    EXPECT_TRUE(shiftedUnion(set, 0, 4, 1)
                    .is_equal(isl::set(set.ctx(), "{ S[i] : 3 <= i <= 12 }")));
    EXPECT_TRUE(forAllShifts(set, 0, 3, -2)
                    .is_equal(isl::set(set.ctx(), "{ S[i] : 7 <= i <= 9 }")));
  }
  isl_ctx_free(context);
}

TEST(TileDomainsTest, PrefixesAreLiftedBack) {
  isl_ctx *context = isl_ctx_alloc();
  {
    isl::set set(isl::ctx(context), "{ S[i, k] : 0 <= i < 4 and 0 <= k < i }");
    isl::set prefix = isl::manage(prefixOf(set, 1));
    EXPECT_TRUE(prefix.is_equal(isl::set(set.ctx(), "{ [i] : 1 <= i < 4 }")));
    EXPECT_TRUE(set.is_subset(liftTo(prefix, set)));
    EXPECT_FALSE(contains(liftTo(prefix, set), "{ S[0, 0] }"));
  }
  isl_ctx_free(context);
}

TEST(TileDomainsTest, WhatIsLeftBeginsWhereChunksEnd) {
  for (int count = 0; count <= 20; ++count) {
    TestedKernel tested(kernelOf("for (int k = 2; k < n; k++) r[k] = s[k];"));
    const isl::set &domain = tested.model->statements[0].domain;
    isl::set iterations = isl::manage(prefixOf(domain, 1));
    std::optional<isl::set> starts =
        chunkStarts(*tested.model, tested.loop("k"), iterations, 0, 4);
    ASSERT_TRUE(starts);
    isl::set taken = shiftedUnion(*starts, 0, 4, 1);
    isl::set left = fromFirstLeft(iterations, taken, 0, 1);
    isl::set fixed(domain.ctx(),
                   "[n] -> { : n = " + std::to_string(count) + " }");
    for (int k = 0; k < 24; ++k) {
      isl::set point(domain.ctx(), "[n] -> { [" + std::to_string(k) + "] }");
      auto has = [&](const isl::set &set) {
        return !set.intersect(point).intersect_params(fixed).is_empty();
      };
      bool runs = k >= 2 && k < count;
      int chunks = count > 2 ? (count - 2) / 4 : 0;
      EXPECT_EQ(has(*starts), runs && k < 2 + 4 * chunks && (k - 2) % 4 == 0);
      EXPECT_EQ(has(iterations.intersect(left)), runs && k >= 2 + 4 * chunks)
          << "n " << count << " k " << k;
    }
  }
}

/// Upward and downward, with steps: what is left is behind the whole chunks.
TEST(TileDomainsTest, WhatIsLeftIsPastTheWholeChunks) {
  for (const char *loop : {"k = 2; k < n; k++", "k = n - 1; k >= 2; k--",
                           "k = n; k > 1; k -= 3"}) {
    TestedKernel tested(
        kernelOf("for (int " + std::string(loop) + ") r[k] = s[k];"));
    const Loop &info = tested.model->loops[tested.loop("k")];
    isl::set iterations =
        isl::manage(prefixOf(tested.model->statements[0].domain, 1));
    std::optional<isl::set> starts =
        chunkStarts(*tested.model, tested.loop("k"), iterations, 0, 4);
    ASSERT_TRUE(starts);
    isl::set taken = shiftedUnion(*starts, 0, 4, info.step);
    isl::set left = fromFirstLeft(iterations, taken, 0, info.step);
    isl::set past = pastWholeChunks(*tested.model, tested.loop("k"), iterations,
                                    0, 4, left);
    EXPECT_TRUE(past.is_equal(iterations.subtract(taken))) << loop;
    // Said with a bound of its own, not by what is taken.
    EXPECT_EQ(isl_set_n_basic_set(past.get()), 1) << loop;
  }
}

TEST(TileDomainsTest, LabelsAreToldApartByWhatTheyStandFor) {
  isl::ctx context(isl_ctx_alloc());
  {
    isl::set points(context, "{ S[i] : 0 <= i < 4 }");
    IdLabel label;
    label.node.kind = EmitNode::Kind::Copy;
    label.node.index = 12;
    isl::set first = named(points, "Copy", label);
    label.node.index = 13;
    isl::set second = named(points, "Copy", label);
    auto labelAt = [](const isl::set &set) {
      return labelOf(isl::manage(isl_set_get_tuple_id(set.get())));
    };
    EXPECT_EQ(labelAt(points), nullptr);
    ASSERT_NE(labelAt(first), nullptr);
    EXPECT_EQ(labelAt(first)->node.index, 12u);
    EXPECT_EQ(labelAt(second)->node.index, 13u);
    EXPECT_FALSE(first.get_space().is_equal(second.get_space()));
  }
  isl_ctx_free(context.get());
}

TEST(TileDomainsTest, CopiesHaveKeysOfTheirOwn) {
  EXPECT_LT(copyKey(0), 0);
  EXPECT_NE(copyKey(0), copyKey(1));
}

TEST(TileDomainsTest, TilesAwayFromBordersAreFoundWithoutThoseAtBorders) {
  // One work-item per place adds to its cell, which is one of nine kinds: its
  // tiles disagree in dozens of ways at borders, and in one away from them.
  TestedKernel tested(
      "__kernel void f(__global float *r, __global const float *a, uint n,\n"
      "                uint m, uint p, uint q) {\n"
      "  ulong y = get_global_id(1), x = get_global_id(0);\n"
      "  y = min(y, (ulong)(n - 3));\n"
      "  x = min(x, (ulong)(m - 3));\n"
      "  y = max((ulong)2, y);\n"
      "  x = max((ulong)2, x);\n"
      "  long o = y * m + x;\n"
      "  r[o] = a[o];\n"
      "  if (y == p && x == q) r[o] += 1;\n"
      "}\n");
  ASSERT_EQ(tested.apply("select a\nvectorize w0:8\ncoarsen w1:4").message, "");
  isl_ctx *context = tested.model->context.get();
  operationsDone(context);
  isl_ctx_reset_operations(context);
  TileDomains tiles = computeTileDomains(tested.kernel);
  EXPECT_LT(operationsDone(context), 550000u);
  EXPECT_FALSE(tiles.uniform.is_empty());
}

TEST(TileDomainsTest, OfSeveralKindsOfTilesTheLongestStatementsAreTaken) {
  TestedKernel tested(kernelOf("int i = get_global_id(0);\n"
                               "if (i < n) r[i] = 1;\n"
                               "else r[i] = r[i] * r[i] + n;"));
  ASSERT_EQ(tested.apply("coarsen i:4").message, "");
  TileDomains tiles = computeTileDomains(tested.kernel);
  EXPECT_TRUE(holds(tiles.uniform, tiles, 4, 12, 3));
  EXPECT_FALSE(holds(tiles.uniform, tiles, 4, 12, 12));
  // The others run in none.
  size_t empty = 0;
  for (const auto &[key, domain] : tiles.full)
    empty += domain.is_empty();
  EXPECT_EQ(empty, 1u);
}
