//===- WorkMappingTest.cpp - a group's tile of logical work-items ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the text computes is enumerated by test/oracle/GroupTilesOracleTest.cpp;
// here are the pieces of which it is made.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/WorkMapping.h"

#include "EmissionTesting.h"
#include "Emit/frame/KernelWriter.h"

using namespace clopt;

static const char *const plane =
    "__kernel void f(__global float *a, int w) {\n"
    "  int y = get_global_id(1), x = get_global_id(0); a[y * w + x] = 1; }";

/// The body that clopt writes under the steps.
static std::string bodyOf(const std::string &steps, unsigned units = 1,
                          const std::string &source = plane) {
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(steps).message, "");
  EmitOptions options;
  options.computeUnits = units;
  return emittedBody(tested, options);
}

TEST(WorkMappingTest, PositionsCountDimensionZeroFastest) {
  EXPECT_EQ(linearId(1, WorkItemQuery::LocalId, WorkItemQuery::LocalSize),
            "get_local_id(0)");
  EXPECT_EQ(linearId(2, WorkItemQuery::LocalId, WorkItemQuery::LocalSize),
            "get_local_id(1) * get_local_size(0) + get_local_id(0)");
  EXPECT_EQ(linearId(3, WorkItemQuery::GroupId, WorkItemQuery::NumGroups),
            "(get_group_id(2) * get_num_groups(1) + get_group_id(1)) * "
            "get_num_groups(0) + get_group_id(0)");
  EXPECT_EQ(productOf(2, WorkItemQuery::LocalSize),
            "get_local_size(0) * get_local_size(1)");
}

TEST(WorkMappingTest, TheFewestWorkItemsAreOneRowOfATile) {
  struct Case {
    const char *steps;
    unsigned fewest;
  };
  for (const Case &each :
       {Case{"tile x:16 y:8", 16}, Case{"tile x:16", 1}, Case{"tile y:16", 1},
        Case{"coarsen x:4\ntile x:16 y:8", 4},
        Case{"coarsen y:8\ntile x:16 y:8", 1}}) {
    TestedKernel tested(plane);
    ASSERT_EQ(tested.apply(each.steps).message, "");
    EXPECT_EQ(minWorkItems(tested.kernel), each.fewest) << each.steps;
  }
}

TEST(WorkMappingTest, TheLaunchDecidesOnOneDimension) {
  std::string text = bodyOf("tile x:16 y:8");
  EXPECT_TRUE(has(text, "int threads = min(group_size / TILE_X, TILE_Y);"))
      << text;
  EXPECT_TRUE(has(text, "const int y_ids = threads;"));
  EXPECT_TRUE(has(text, "item < threads * TILE_X;"));
  EXPECT_TRUE(has(text, "const int x_local = item % TILE_X, "));
  EXPECT_TRUE(has(text, "y_local = item / TILE_X;"));
}

TEST(WorkMappingTest, SmallGroupsAreExcluded) {
  EXPECT_TRUE(has(bodyOf("tile x:16 y:8"),
                  "get_local_size(0) * get_local_size(1) >= 16"));
  EXPECT_FALSE(has(bodyOf("tile x:16"), "get_local_size(1) >="));
}

TEST(WorkMappingTest, StridesStayWithinTheTile) {
  std::string adaptive = bodyOf("coarsen y:2 stride\ntile x:16 y:8");
  EXPECT_TRUE(has(adaptive, "const int y_step = threads;")) << adaptive;
  EXPECT_TRUE(has(adaptive, "y_local = item / TILE_X;"));
  std::string fixed = bodyOf("coarsen x:2 stride\ntile x:16 y:8");
  EXPECT_TRUE(has(fixed, "a[y0 * w + x0 + 8] = 1;")) << fixed;
  std::string blocks = bodyOf("coarsen x:2\ntile x:16 y:8");
  EXPECT_TRUE(has(blocks, "x_local = item % (TILE_X / 2) * 2, ")) << blocks;
}

TEST(WorkMappingTest, TilesGetSmallerWhileUnitsHaveNone) {
  EXPECT_FALSE(has(bodyOf("tile x:128"), "while ("));
  std::string text = bodyOf("tile x:128", 20);
  EXPECT_TRUE(has(text, "while (threads > 64 &&")) << text;
  // Groups of more than half the work-items that a unit runs at once (256 of
  // 512) leave tiles as they are when twice as many would take two turns.
  EXPECT_TRUE(has(text, "< (size_t)min(groups, group_size > 256 ? 10 : 20))"))
      << text;
  // Nothing can be halved.
  EXPECT_FALSE(has(bodyOf("tile x:64", 20), "while ("));
}

TEST(WorkMappingTest, OneWorkItemMayHaveTheWholeTile) {
  std::string text = bodyOf("coarsen x:8\ntile x:8");
  EXPECT_TRUE(has(text, "item < 1;")) << text;
  EXPECT_FALSE(has(text, "threads"));
}

TEST(WorkMappingTest, WideIdsStayWide) {
  std::string text = bodyOf(
      "tile i:8", 1,
      "__kernel void f(__global float *a) { size_t i = get_global_id(0);\n"
      "  a[i] = 1; }");
  EXPECT_TRUE(has(text, "const long i_tile = (long)(")) << text;
}
