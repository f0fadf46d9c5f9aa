//===- LaunchesTest.cpp - launches that are chosen from the tiles ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Validation/Launches.h"

#include "KernelTesting.h"
#include "Model/Operations.h"

#include <algorithm>

using namespace clopt;

namespace {

const std::string guarded =
    "__kernel void f(__global const float *a, __global const float *b,\n"
    "                __global float *c, int w, int h, int n) {\n"
    "  int j = get_global_id(0), i = get_global_id(1);\n"
    "  if (j < w && i < h) {\n"
    "    float sum = 0;\n"
    "    for (int k = 0; k < n; k++)\n"
    "      sum += a[i * n + k] * b[k * w + j];\n"
    "    c[i * w + j] = sum;\n"
    "  }\n"
    "}\n";

std::vector<SmallLaunch> launchesFor(const std::string &recipe,
                                     const std::string &source = guarded) {
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(recipe).message, "");
  return chooseLaunches(tested.kernel);
}

template <typename Condition>
bool hasLaunch(const std::vector<SmallLaunch> &launches, Condition holds) {
  return std::any_of(launches.begin(), launches.end(), holds);
}

bool sharesTiles(const SmallLaunch &launch) {
  return launch.local[0] * launch.local[1] >= 8;
}

TEST(LaunchesTest, ThoseThatAreThereHaveToDoWhenTheWorkIsUsedUp) {
  TestedKernel tested(guarded);
  EXPECT_EQ(tested.apply("coarsen j:2\ncoarsen i:2\n").message, "");
  isl_ctx *context = tested.model->context.get();
  isl_ctx_reset_operations(context);
  const std::vector<SmallLaunch> all = chooseLaunches(tested.kernel);
  const uint64_t work = operationsDone(context);
  isl_ctx_reset_operations(context);
  isl_ctx_set_max_operations(context, work);
  const std::vector<SmallLaunch> some = chooseLaunches(tested.kernel);
  ASSERT_LT(some.size(), all.size());
  EXPECT_GE(some.size(), 2u);
  for (size_t i = 0; i < some.size(); ++i)
    EXPECT_EQ(some[i].integers, all[i].integers);
  // Something is left for running them.
  EXPECT_LE(operationsDone(context), work * 4 / 5);
  EXPECT_FALSE(tested.model->paramContext.is_empty());
  isl_ctx_reset_operations(context);
  isl_ctx_set_max_operations(context, 8);
  EXPECT_THROW(chooseLaunches(tested.kernel), isl::exception);
  isl_ctx_set_max_operations(context, 0);
}

// A group of 8 work-items has 16 x 2 ids.
TEST(LaunchesTest, TilesOfGroupsLackOneWorkItem) {
  const auto launches =
      launchesFor("coarsen j:2\ncoarsen i:2\ntile j:16\ntile i:16\n"
                  "tile k:8\nstage a\nstage b\n");
  const auto isCut = [](int64_t columns, int64_t rows) {
    return [=](const SmallLaunch &launch) {
      return sharesTiles(launch) && launch.global[0] == columns &&
             launch.global[1] == rows && launch.integers.at("w") >= columns &&
             launch.integers.at("h") >= rows;
    };
  };
  EXPECT_TRUE(hasLaunch(launches, isCut(15, 2)));
  EXPECT_TRUE(hasLaunch(launches, isCut(16, 1)));
  const auto leavesOut = [](int64_t columns, int64_t rows) {
    return [=](const SmallLaunch &launch) {
      return sharesTiles(launch) && launch.global[0] == 16 &&
             launch.global[1] == 2 &&
             std::min<int64_t>(launch.integers.at("w"), 16) == columns &&
             std::min<int64_t>(launch.integers.at("h"), 2) == rows;
    };
  };
  EXPECT_TRUE(hasLaunch(launches, leavesOut(15, 2)));
  EXPECT_TRUE(hasLaunch(launches, leavesOut(16, 1)));
}

// What the recipe asks of loops holds wherever groups share tiles.
TEST(LaunchesTest, RequiredIterationsAreThereForMovedTiles) {
  const auto launches =
      launchesFor("coarsen j:4\ntile j:16\ntile i:16\ntile k:8\nstage a\n"
                  "require k:16\n");
  EXPECT_TRUE(hasLaunch(launches, [](const SmallLaunch &launch) {
    return launch.hasShortLoops;
  }));
  EXPECT_FALSE(hasLaunch(launches, [](const SmallLaunch &launch) {
    return launch.hasShortLoops && launch.integers.at("n") < 16;
  }));
}

// Buffers that the steps need apart overlap in a cell or two.
TEST(LaunchesTest, BuffersOverlapInACell) {
  const auto launches = launchesFor("vectorize j:4\nprivatize c\n");
  for (int64_t shift : {4, 8})
    EXPECT_TRUE(hasLaunch(launches, [=](const SmallLaunch &launch) {
      return !launch.sameAs.empty() && launch.overlapShift == shift &&
             launch.workItems() == 1;
    })) << shift;
}

// Rows are as long as an argument says.
TEST(LaunchesTest, BuffersOverlapByARow) {
  const auto launches = launchesFor("vectorize j:4\nprivatize c\n");
  EXPECT_TRUE(hasLaunch(launches, [](const SmallLaunch &launch) {
    return !launch.sameAs.empty() && launch.workItems() == 1 &&
           launch.overlapShift == 4 * launch.integers.at("w") &&
           launch.overlapShift > 8;
  }));
}

// The first work-item has nothing to do here.
TEST(LaunchesTest, TheOneWorkItemOfOverlapsHasWork) {
  const auto launches = launchesFor(
      "privatize b\n",
      "__kernel void f(__global const float *a, __global float *b, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  if (i > 0 && i < n - 1)\n"
      "    for (int k = 0; k < n; k++) b[i] += a[k * n + i];\n"
      "}\n");
  EXPECT_TRUE(hasLaunch(launches, [](const SmallLaunch &launch) {
    return !launch.sameAs.empty() && launch.workItems() == 1 &&
           launch.overlapShift > 0;
  }));
  EXPECT_FALSE(hasLaunch(launches, [](const SmallLaunch &launch) {
    return launch.overlapShift > 0 && launch.offset[0] == 0;
  }));
}

// Nobody has work where ids begin at the end of rows or of columns.
TEST(LaunchesTest, IdsBeginWhereArgumentsEndThem) {
  for (const std::string recipe :
       {"coarsen j:2\n", "coarsen j:2\ntile j:16\ntile i:16\ntile k:8\n"
                         "stage a\nstage b\n"}) {
    const auto launches = launchesFor(recipe);
    EXPECT_TRUE(hasLaunch(launches, [](const SmallLaunch &launch) {
      return launch.offset[0] == launch.integers.at("w");
    })) << recipe;
    EXPECT_TRUE(hasLaunch(launches, [](const SmallLaunch &launch) {
      return launch.offset[1] == launch.integers.at("h");
    })) << recipe;
  }
}

// Where work-items are left out, one tile of the loop is enough.
TEST(LaunchesTest, CutTilesOfGroupsRunLoopsOnce) {
  const auto launches =
      launchesFor("coarsen j:2\ncoarsen i:2\ntile j:16\ntile i:16\n"
                  "tile k:64\nstage a\nstage b\n");
  for (int64_t columns : {15, 16})
    EXPECT_TRUE(hasLaunch(launches, [=](const SmallLaunch &launch) {
      return sharesTiles(launch) && launch.global[0] == columns &&
             launch.global[1] == 17 - columns && launch.integers.at("n") == 64;
    })) << columns;
}

} // namespace
