//===- TileTest.cpp - which work-items and loops may be tiled -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"

using namespace clopt;

static const char *const plain =
    "__kernel void f(__global float *a, __global const float *b, int n) {\n"
    "  int i = get_global_id(1), j = get_global_id(0);\n"
    "  for (int k = 0; k < n; k++) a[i * n + j] += b[k]; }";

TEST(TileTest, DimensionsHaveTiles) {
  TestedKernel tested(plain);
  EXPECT_FALSE(tested.kernel.isGrouped());
  ASSERT_EQ(tested.apply("tile i:8 j:32").message, "");
  EXPECT_EQ(tested.kernel.work[1].groupIds, 8u);
  EXPECT_EQ(tested.kernel.work[1].threads(), 8u);
  EXPECT_EQ(tested.kernel.work[0].groupIds, 32u);
  EXPECT_TRUE(tested.kernel.isGrouped());
  EXPECT_TRUE(tested.kernel.isVirtual());
}

TEST(TileTest, LoopsHaveTiles) {
  TestedKernel tested(plain);
  ASSERT_EQ(tested.apply("tile k:16").message, "");
  EXPECT_EQ(findLoop(tested.kernel.tree, tested.loop("k"))->tile, 16u);
  EXPECT_FALSE(tested.kernel.isGrouped());
}

TEST(TileTest, WorkItemsDoWhatTheyDid) {
  TestedKernel tested(plain);
  ASSERT_EQ(
      tested.apply("vectorize j:4\ncoarsen i:4 j:2\ntile i:16 j:64").message,
      "");
  EXPECT_EQ(tested.kernel.work[1].threads(), 4u);
  EXPECT_EQ(tested.kernel.work[0].threads(), 8u);
}

TEST(TileTest, TheHighestDimensionWithSeveralWorkItemsAdapts) {
  struct Case {
    const char *steps;
    std::optional<unsigned> dim;
  };
  for (const Case &each : {Case{"tile i:8 j:8", 1u}, Case{"tile j:8", 0u},
                           Case{"coarsen i:8\ntile i:8 j:8", 0u},
                           Case{"coarsen i:8\ntile i:8", std::nullopt}}) {
    TestedKernel tested(plain);
    ASSERT_EQ(tested.apply(each.steps).message, "");
    EXPECT_EQ(tested.kernel.adaptiveDimension(), each.dim) << each.steps;
  }
}

TEST(TileTest, SizesHaveLimits) {
  expectTaken(plain, "tile i:2\ntile k:4096");
  for (const char *target : {"i:1", "i:4097", "k:1", "k:4097"})
    expectRefused(plain, std::string("tile ") + target, "clopt-step-value",
                  "a tile has 2 to 4096 elements");
  expectRefused(plain, "coarsen i:4\ntile i:10", "clopt-not-profitable",
                "a tile of 10 is no multiple of what one work-item does, 4");
  expectRefused(plain, "vectorize j:4\ncoarsen j:2\ntile j:4",
                "clopt-not-profitable", "no multiple");
}

TEST(TileTest, StagedTilesStay) {
  expectRefused(plain, "tile i:8\ntile k:4\nstage b\ntile j:4",
                "clopt-dependence", "arrays are staged for the tile as it is");
}

TEST(TileTest, LoopsWithCopiesOrLanesStay) {
  expectTaken(kernelOf("for (int k = 0; k < n; k++) r[k] = s[k];"),
              "vectorize k:4\ntile k:8");
  expectTaken(plain, "tile k:8\nunroll k:8");
  expectTaken(plain, "unroll k:8\ntile k:8");
}

/// Ids of the group's tile, and of a work-item, along a dimension.
static std::pair<unsigned, unsigned> idsAfter(const std::string &steps,
                                              unsigned dim) {
  TestedKernel tested(plain);
  EXPECT_EQ(tested.apply(steps).message, "");
  const WorkDimension &work = tested.kernel.work[dim];
  return {work.groupIds, work.total()};
}

TEST(TileTest, OfTilesOfAGroupThereAreTheLarger) {
  EXPECT_EQ(idsAfter("tile i:8\ntile i:4", 1), idsAfter("tile i:8", 1));
  EXPECT_EQ(idsAfter("tile i:4\ntile i:8", 1), idsAfter("tile i:8", 1));
  expectRefused(plain, "tile i:4\ncoarsen i:4\ntile i:10",
                "clopt-not-profitable", "no multiple");
}

TEST(TileTest, WorkItemsDoMoreOfATile) {
  // As if they had done it before.
  EXPECT_EQ(idsAfter("tile i:8\ncoarsen i:4", 1),
            idsAfter("coarsen i:4\ntile i:8", 1));
  EXPECT_EQ(idsAfter("tile j:8\nvectorize j:4\ncoarsen j:2", 0),
            (std::pair<unsigned, unsigned>(8, 8)));
  EXPECT_EQ(idsAfter("tile i:8 j:8\ntile k:4\nstage b\ncoarsen i:2", 1),
            (std::pair<unsigned, unsigned>(8, 2)));
  expectRefused(plain, "tile i:8\ncoarsen i:3", "clopt-not-profitable",
                "a tile of 8 is no multiple of what one work-item does, 3");
  expectRefused(plain, "tile j:8\ncoarsen j:4\nvectorize j:4",
                "clopt-not-profitable",
                "a tile of 8 is no multiple of what one work-item does, 16");
}

TEST(TileTest, SectionsAndTiledLoopsKeepTheirWorkItems) {
  expectRefused(plain, "tile i:8\ntile k:4\nstage b\ncoarsen j:4",
                "clopt-dependence",
                "arrays are staged for the work-items as they are");
  expectRefused(plain, "tile j:8 i:8\ntile k:4\nstage b\ntile k:8",
                "clopt-dependence",
                "'b' is staged for the tiles of the loop 'k'");
  expectTaken(plain, "tile i:8\ncoarsen j:4");
}

TEST(TileTest, LoopsThatAreLeftEarlyHaveNoTiles) {
  // They are kept as one statement, and are no loops of the model.
  for (auto [jump, rule] : {std::pair("break", "clopt-non-affine-control"),
                            std::pair("return", "clopt-opaque-code")})
    expectRefused(kernelOf("for (int k = 0; k < n; k++) {\n"
                           "  if (s[k] > 1) " +
                           std::string(jump) + ";\n  r[k] = s[k]; }"),
                  "tile k:4", rule, "the loop 'k' is not analysed");
}

TEST(TileTest, WorkItemsThatBelongToTheirGroupStay) {
  auto body = [](const std::string &text) {
    return kernelOf("int i = get_global_id(0);\n" + text);
  };
  expectRefused(body("r[i] = 1; barrier(CLK_GLOBAL_MEM_FENCE); s[i] = r[i];"),
                "tile i:8", "clopt-barrier", "the kernel has barriers");
  expectRefused(body("r[i] = get_local_id(0);"), "tile w0:8",
                "clopt-group-shape", "ids within its work-group");
  expectRefused(body("atomic_add(p, 1);"), "tile i:8", "clopt-ordered-effect",
                "atomic");
  expectRefused(body("for (int k = 0; k < n; k++)\n"
                     "  if (s[k] > 1) return;\nr[i] = 1;"),
                "tile i:8", "clopt-opaque-code",
                "whether work-items return here is not known");
  TestedKernel tested(body("r[i] = 1;"));
  StepResult refusal = tileWork(tested.kernel, 1, 8);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->ruleId, "clopt-group-shape");
  EXPECT_EQ(refusal->message,
            "the kernel does not use dimension 1 of its NDRange");
}
