//===- GroupPlannerTest.cpp - which kernels share tiles -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/search/GroupPlanner.h"

#include "Analysis/memory/BankConflict.h"

#include "KernelTesting.h"

#include <algorithm>

using namespace clopt;

/// A device with room for plans.
static DeviceProfile deviceWithLocalMemory() {
  DeviceProfile profile;
  profile.localMemoryBytes = 49152;
  profile.maxGroupSize = 1024;
  return profile;
}

/// The plan as text; "none" when there is none.
static std::string
planOf(const std::string &source,
       const DeviceProfile &profile = deviceWithLocalMemory(),
       AliasMode alias = AliasMode::Check) {
  TestedKernel tested(source);
  EXPECT_TRUE(tested.isStarted()) << source;
  std::optional<Plan> plan = planGroups(tested.kernel, profile, alias);
  if (!plan)
    return "none";
  std::string steps = printSteps(plan->steps);
  // Plans are replayed as recipes.
  EXPECT_EQ(tested.apply(steps, alias).message, "") << steps;
  EXPECT_FALSE(tested.kernel.sections().empty()) << steps;
  EXPECT_LE(localBytes(tested.kernel), profile.localMemoryBytes) << steps;
  return steps;
}

/// Arguments of the first step of this name on the target, "4" of "k:4"; or
/// nothing.
static std::optional<int>
sizeOf(const std::string &source, const std::string &name,
       const std::string &target,
       const DeviceProfile &profile = deviceWithLocalMemory()) {
  TestedKernel tested(source);
  std::optional<Plan> plan =
      planGroups(tested.kernel, profile, AliasMode::Check);
  if (!plan)
    return std::nullopt;
  for (const Step &step : plan->steps)
    for (const StepTarget &each : step.targets)
      if (step.name == name && each.name == target && each.count)
        return static_cast<int>(*each.count);
  return std::nullopt;
}

/// Points of a work-item along a dimension, as lanes or one by one.
static std::optional<int>
pointsOf(const std::string &source, const std::string &target,
         const DeviceProfile &profile = deviceWithLocalMemory()) {
  std::optional<int> lanes = sizeOf(source, "vectorize", target, profile);
  return lanes ? lanes : sizeOf(source, "coarsen", target, profile);
}

static bool has(const std::string &steps, const std::string &part) {
  return steps.find(part) != std::string::npos;
}

static std::string productOf(const std::string &type) {
  return "__kernel void f(__global const " + type +
         " *restrict A,\n"
         "  __global const " +
         type +
         " *restrict B,\n"
         "  __global " +
         type +
         " *restrict C, int n) {\n"
         "  int i = get_global_id(1), j = get_global_id(0);\n"
         "  " +
         type +
         " sum = 0;\n"
         "  for (int k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];\n"
         "  C[i * n + j] = sum; }";
}

static const char *const transposition =
    "__kernel void f(__global const float *restrict a,\n"
    "                __global float *restrict b, int n) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  b[x * n + y] = a[y * n + x]; }";

//===-- Loops -------------------------------------------------------------===//

TEST(GroupPlannerTest, ProductsShareBothOperands) {
  std::string steps = planOf(productOf("float"));
  // The block's registers are rows of vectors.
  for (const char *part :
       {"coarsen ", "vectorize ", "tile ", "stage ", "unroll "})
    EXPECT_TRUE(has(steps, part)) << part << "\n" << steps;
  std::string source = productOf("float");
  for (const char *target : {"i", "j"}) {
    std::optional<int> points = pointsOf(source, target);
    std::optional<int> ids = sizeOf(source, "tile", target);
    ASSERT_TRUE(points && ids) << target << "\n" << steps;
    EXPECT_GT(*points, 1);
    EXPECT_GT(*ids, *points);
    EXPECT_EQ(*ids % *points, 0);
  }
  TestedKernel tested(source);
  ASSERT_EQ(tested.apply(steps).message, "");
  std::set<unsigned> staged;
  for (const ArrayTile &tile : tested.kernel.tiles) {
    staged.insert(tile.array);
    EXPECT_FALSE(tile.copyOut);
  }
  EXPECT_EQ(staged, std::set<unsigned>({tested.array("A"), tested.array("B")}));
}

/// As many bytes along a row as one load takes, and rows instead.
TEST(GroupPlannerTest, WideElementsMakeNarrowBlocks) {
  const std::string wide = productOf("double"), narrow = productOf("float");
  EXPECT_EQ(pointsOf(wide, "j"), 2);
  EXPECT_EQ(pointsOf(wide, "i"), 8);
  EXPECT_EQ(pointsOf(narrow, "j"), 4);
  EXPECT_EQ(pointsOf(narrow, "i"), 4);
}

static std::string loopsOver(const std::string &loops) {
  return "__kernel void f(__global const float *restrict A,\n"
         "  __global const float *restrict B, __global float *restrict C,\n"
         "  int n, int m) {\n"
         "  int i = get_global_id(1), j = get_global_id(0);\n"
         "  float sum = 0;\n" +
         loops + "  C[i * n + j] = sum; }";
}

TEST(GroupPlannerTest, LoopsBesideLongerOnesGainNothing) {
  const std::string sum =
      "for (int k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];\n";
  const std::string tail = "for (int l = 0; l < n; l++)\n"
                           "  C[(i * n + j) * n + l] = sum - l;\n";
  EXPECT_NE(planOf(loopsOver(sum)), "none");
  EXPECT_EQ(planOf(loopsOver(sum + tail)), "none");
}

TEST(GroupPlannerTest, ArithmeticThatTakesLongerThanLoadsGainsNothing) {
  const std::string term = "A[i * n + k] * B[k * n + j]";
  const std::string loop = "for (int k = 0; k < n; k++) sum += ";
  EXPECT_NE(planOf(loopsOver(loop + "fabs(" + term + ");\n")), "none");
  EXPECT_EQ(planOf(loopsOver(loop + "sin(" + term + ") * cos(" + term +
                             ") + exp(" + term + ") + log(" + term + ");\n")),
            "none");
}

TEST(GroupPlannerTest, PartsOfASumAreTooShort) {
  const std::string inner = "  for (int k = 0; k < n; k++)\n"
                            "    sum += A[(p * n + i) * n + k] *\n"
                            "           B[(p * n + k) * n + j];\n";
  EXPECT_EQ(planOf(loopsOver("for (int p = 0; p < m; p++)\n" + inner)), "none");
  // Each has a sum of its own.
  EXPECT_NE(planOf(loopsOver("for (int p = 0; p < m; p++) {\n  sum = 0;\n" +
                             inner + "  C[(p * n + i) * n + j] = sum; }\n")),
            "none");
}

TEST(GroupPlannerTest, WhatIsAccumulatedInMemoryIsKeptInRegisters) {
  std::string steps =
      planOf("__kernel void f(__global const float *restrict A,\n"
             "  __global const float *restrict B, __global float *C, int n) {\n"
             "  int i = get_global_id(1), j = get_global_id(0);\n"
             "  for (int k = 0; k < n; k++)\n"
             "    C[i * n + j] += A[i * n + k] * B[k * n + j]; }");
  EXPECT_EQ(steps.find("privatize"), 0u) << steps;
  EXPECT_TRUE(has(steps, "stage ")) << steps;
}

TEST(GroupPlannerTest, SectionsThatAreTooLargeGetSmaller) {
  // Rows of doubles: the same iterations need twice the memory.
  auto columns = [](const std::string &type, unsigned arrays) {
    std::string head = "__kernel void f(", sum;
    for (unsigned a = 0; a < arrays; ++a) {
      std::string name = "a" + std::to_string(a);
      head += "__global const " + type + " *restrict " + name + ", ";
      sum += (a ? " + " : "") + name + "[k] * " + name + "[k]";
    }
    return head + "__global " + type + " *restrict r, int n) {\n" +
           "  int i = get_global_id(0);\n  " + type + " sum = 0;\n" +
           "  for (int k = 0; k < n; k++) sum += i * (" + sum + ");\n" +
           "  r[i] = sum; }";
  };
  std::optional<int> few = sizeOf(columns("float", 1), "tile", "k"),
                     many = sizeOf(columns("double", 16), "tile", "k");
  ASSERT_TRUE(few && many);
  EXPECT_GT(*few, *many);
  for (const char *type : {"float", "double"})
    for (unsigned arrays : {1u, 4u, 16u}) {
      TestedKernel tested(columns(type, arrays));
      std::string steps = planOf(columns(type, arrays));
      ASSERT_EQ(tested.apply(steps).message, "") << steps;
      EXPECT_EQ(tested.kernel.tiles.size(), arrays);
      EXPECT_LE(localBytes(tested.kernel), 24576) << steps;
    }
}

TEST(GroupPlannerTest, OperandsOfABlockJoinEachOther) {
  // A cache has bytes of a row as fast as local memory, for one work-item.
  llvm::Expected<DeviceProfile> hopper = loadProfile("nvidia-hopper");
  ASSERT_TRUE(bool(hopper));
  for (const char *type : {"char", "short", "float"})
    for (const char *array : {"A", "B"})
      EXPECT_TRUE(has(planOf(productOf(type), *hopper),
                      "stage      " + std::string(array)))
          << type;
}

TEST(GroupPlannerTest, WiderElementsHaveSmallerTiles) {
  auto cells = [](const std::string &type) {
    int result = 1;
    for (const char *target : {"i", "j", "k"})
      result *= sizeOf(productOf(type), "tile", target).value_or(0);
    return result;
  };
  EXPECT_GT(cells("double"), 0);
  EXPECT_LT(cells("double"), cells("float"));
}

TEST(GroupPlannerTest, OnlyWhatLanesRunTogetherBecomesVectors) {
  // Bytes are converted wherever they are read, and what is called for its
  // effect runs lane by lane: both stay scalars.
  EXPECT_TRUE(has(planOf(productOf("int")), "vectorize "));
  EXPECT_FALSE(has(planOf(productOf("uchar")), "vectorize "));
  std::string counted = productOf("float");
  const std::string sum = "sum += A[i * n + k] * B[k * n + j];";
  counted.replace(counted.find(sum), sum.size(),
                  "if (A[i * n + k] < B[k * n + j]) {\n"
                  "    sum += 1.0f; sum *= B[k * n + j + 1]; }");
  EXPECT_FALSE(has(planOf(counted), "vectorize ")) << planOf(counted);
}

TEST(GroupPlannerTest, SmallGroupsHaveSmallTiles) {
  DeviceProfile small = deviceWithLocalMemory();
  small.maxGroupSize = 64;
  std::string source = productOf("float");
  auto workItems = [&](const DeviceProfile &profile) {
    int result = 1;
    for (const char *target : {"i", "j"})
      result *= sizeOf(source, "tile", target, profile).value_or(0) /
                pointsOf(source, target, profile).value_or(1);
    return result;
  };
  EXPECT_GE(workItems(small), 2);
  EXPECT_LE(workItems(small), 64);
  EXPECT_GT(workItems(deviceWithLocalMemory()), workItems(small));
}

TEST(GroupPlannerTest, ArraysThatAllWorkItemsReadAreShared) {
  // One dimension: no register blocks, tiles of work-items and of the loop.
  std::string source =
      "__kernel void f(__global const float *restrict a,\n"
      "                __global float *restrict r, int n) {\n"
      "  int i = get_global_id(0);\n"
      "  float best = 0;\n"
      "  for (int k = 0; k < n; k++) best = fmax(best, a[k] * i + 1);\n"
      "  r[i] = best; }";
  std::string steps = planOf(source);
  EXPECT_FALSE(has(steps, "coarsen")) << steps;
  EXPECT_TRUE(sizeOf(source, "tile", "i")) << steps;
  EXPECT_TRUE(sizeOf(source, "tile", "k")) << steps;
  EXPECT_TRUE(has(steps, "stage ")) << steps;
}

TEST(GroupPlannerTest, LaunchesMustBeWorthTheTiles) {
  std::string steps = planOf(productOf("float"));
  std::optional<int> tile = sizeOf(productOf("float"), "tile", "k");
  ASSERT_TRUE(tile) << steps;
  EXPECT_TRUE(has(steps, "require    k:" + std::to_string(*tile) + "\n"));
  EXPECT_TRUE(has(steps, "require    items=")) << steps;
}

//===-- Nothing to share --------------------------------------------------===//

TEST(GroupPlannerTest, StreamsAreNotHeldUpByBarriers) {
  // The cells of x pass by once, whatever becomes of the weights.
  EXPECT_EQ(planOf("__kernel void f(__global const float *restrict w,\n"
                   "  __global const float *restrict x,\n"
                   "  __global float *restrict y, int n, int m) {\n"
                   "  int s = get_global_id(0);\n"
                   "  float sum = 0;\n"
                   "  for (int b = 0; b < n; b++) sum += w[b] * x[b * m + s];\n"
                   "  y[s] = sum; }"),
            "none");
}

TEST(GroupPlannerTest, OneCellAtATimeIsLeftWhereItIs) {
  auto columnOf = [](const std::string &cell) {
    return planOf("__kernel void f(__global const float *restrict a,\n"
                  "  __global float *restrict r, int n, int m, int j) {\n"
                  "  int i = get_global_id(0);\n"
                  "  float best = 0;\n"
                  "  for (int k = 0; k < n; k++)\n"
                  "    best = fmax(best, a[" +
                  cell + "] * i + 1);\n  r[i] = best; }");
  };
  EXPECT_EQ(columnOf("k * m + j"), "none");
  EXPECT_TRUE(has(columnOf("k"), "stage "));
}

TEST(GroupPlannerTest, LittleArithmeticHidesNoCopies) {
  auto polynomial = [](const std::string &term) {
    return planOf("__kernel void f(__constant float *c,\n"
                  "  __global float *restrict r, int n) {\n"
                  "  int i = get_global_id(0);\n"
                  "  float t = 0;\n"
                  "  for (int k = 0; k < n; k++) t = t * i + " +
                  term + ";\n  r[i] = t; }");
  };
  EXPECT_EQ(polynomial("c[k]"), "none");
  EXPECT_TRUE(has(polynomial("c[k] * c[k]"), "stage "));
}

TEST(GroupPlannerTest, SumsInMemoryNeedFewerWorkItems) {
  const std::string head =
      "__kernel void f(__global const float *restrict A,\n"
      "  __global const float *restrict B, __global float *restrict C,\n"
      "  int n) {\n  int i = get_global_id(1), j = get_global_id(0);\n";
  DeviceProfile profile = deviceWithLocalMemory();
  profile.computeUnits = 10;
  EXPECT_TRUE(has(planOf(head + "for (int k = 0; k < n; k++)\n"
                                "  C[i * n + j] += A[i * n + k] *\n"
                                "    B[k * n + j]; }",
                         profile),
                  "items=2400"));
  EXPECT_TRUE(has(planOf(head + "float t = 0;\n"
                                "for (int k = 0; k < n; k++)\n"
                                "  t += A[i * n + k] * B[k * n + j];\n"
                                "C[i * n + j] = t; }",
                         profile),
                  "items=19200"));
}

TEST(GroupPlannerTest, NothingIsSharedWithoutReuse) {
  // Every work-item has its column: neighbours read neighbours, once.
  EXPECT_EQ(planOf("__kernel void f(__global const float *restrict a,\n"
                   "                __global float *restrict r, int n) {\n"
                   "  int i = get_global_id(0);\n"
                   "  for (int k = 0; k < n; k++) r[k * n + i] =\n"
                   "    a[k * n + i] * 2; }"),
            "none");
  EXPECT_EQ(planOf("__kernel void f(__global const float *restrict a,\n"
                   "                __global float *restrict r) {\n"
                   "  int i = get_global_id(0); r[i] = a[i]; }"),
            "none");
}

/// Cells of a private array have registers where all loops that count them are
/// whole.
TEST(GroupPlannerTest, PrivateArraysStayInRegisters) {
  auto rowsOf = [](const std::string &condition) {
    return "__kernel void f(__global const float *restrict A,\n"
           "  __global const float *restrict B, __global float *restrict C,\n"
           "  int m, int n, int K) {\n"
           "  int i = get_global_id(0), j = get_global_id(1) * 4;\n"
           "  float acc[4];\n"
           "  for (int w = 0; w < 4; w++) acc[w] = 0;\n"
           "  for (int k = 0; k < K; k++)\n"
           "    for (int w = 0; w < 4; w++)" +
           condition +
           " acc[w] += A[k * m + i] * B[(j + w) * K + k];\n"
           "  for (int w = 0; w < 4; w++)" +
           condition + " C[(j + w) * m + i] = acc[w]; }";
  };
  EXPECT_NE(planOf(rowsOf("")), "none");
  EXPECT_EQ(planOf(rowsOf(" if (j + w < n)")), "none");
}

/// The same plan whichever way the loop counts.
TEST(GroupPlannerTest, LoopsThatCountDownwardAreCut) {
  const std::string upward = productOf("float");
  std::string downward = upward;
  const std::string up = "for (int k = 0; k < n; k++)";
  downward.replace(downward.find(up), up.size(),
                   "for (int k = n - 1; k >= 0; --k)");
  EXPECT_NE(planOf(upward), "none");
  EXPECT_EQ(planOf(downward), planOf(upward));
}

TEST(GroupPlannerTest, ShortLoopsAreNotCut) {
  auto source = [](const char *end) {
    return "__kernel void f(__global const float *restrict a,\n"
           "                __global float *restrict r, int n) {\n"
           "  int i = get_global_id(0);\n"
           "  float best = 0;\n"
           "  for (int k = 0; k < " +
           std::string(end) +
           "; k++) best = fmax(best, a[k] * i + 1);\n"
           "  r[i] = best; }";
  };
  EXPECT_EQ(planOf(source("16")), "none");
  EXPECT_NE(planOf(source("1024")), "none");
}

TEST(GroupPlannerTest, WhatTheLoopWritesIsNotShared) {
  EXPECT_EQ(planOf("__kernel void f(__global float *a, int n) {\n"
                   "  int i = get_global_id(0);\n"
                   "  for (int k = 0; k < n; k++) a[k] = a[k] + 1; }"),
            "none");
}

TEST(GroupPlannerTest, GathersAreNotShared) {
  EXPECT_EQ(planOf("__kernel void f(__global const float *restrict a,\n"
                   "  __global const int *restrict p,\n"
                   "  __global float *restrict r, int n) {\n"
                   "  int i = get_global_id(0), j = get_global_id(1);\n"
                   "  float sum = 0;\n"
                   "  for (int k = 0; k < n; k++)\n"
                   "    sum += a[p[k * n + (i + j)] % n];\n"
                   "  r[j * n + i] = sum; }"),
            "none");
}

TEST(GroupPlannerTest, LocalMemoryThatIsNoneIsNotUsed) {
  DeviceProfile profile = deviceWithLocalMemory();
  profile.localMemoryIsReal = false;
  EXPECT_EQ(planOf(productOf("float"), profile), "none");
  EXPECT_EQ(planOf(transposition, profile), "none");
}

TEST(GroupPlannerTest, ArraysThatMayOverlapNeedAGuard) {
  std::string source = productOf("float");
  for (size_t at; (at = source.find("restrict ")) != std::string::npos;)
    source.erase(at, 9);
  EXPECT_TRUE(has(planOf(source), "stage "));
  EXPECT_EQ(planOf(source, deviceWithLocalMemory(), AliasMode::Strict), "none");
}

//===-- Transpositions ----------------------------------------------------===//

TEST(GroupPlannerTest, TranspositionsPassThroughLocalMemory) {
  std::string steps = planOf(transposition);
  EXPECT_TRUE(has(steps, "stage ")) << steps;
  std::optional<int> x = sizeOf(transposition, "tile", "x"),
                     y = sizeOf(transposition, "tile", "y");
  ASSERT_TRUE(x && y) << steps;
  EXPECT_EQ(*x, *y);
  TestedKernel tested(transposition);
  ASSERT_EQ(tested.apply(steps).message, "");
  ASSERT_EQ(tested.kernel.tiles.size(), 1u);
  // What jumps is the store; its rows do not lie in one bank.
  EXPECT_EQ(tested.kernel.tiles[0].array, tested.array("b"));
  EXPECT_TRUE(tested.kernel.tiles[0].copyOut);
  EXPECT_GT(tested.kernel.tiles[0].pad, 0);
}

/// One tile would leave the other accesses as far apart as they were.
TEST(GroupPlannerTest, OneOfManyColumnsIsNoTransposition) {
  auto sourceWith = [](const std::string &other) {
    return "__kernel void f(__global const float *restrict a, __global const "
           "float *restrict c,\n"
           "                __global float *restrict b, int n, int m) {\n"
           "  int x = get_global_id(0), y = get_global_id(1);\n"
           "  if (x < n && y < m) b[x * m + y] = a[y * n + x] + " +
           other + "; }";
  };
  EXPECT_TRUE(has(planOf(sourceWith("c[y * n + x]")), "stage "));
  EXPECT_FALSE(has(planOf(sourceWith("c[x * m + y]")), "stage "));
}

/// Rows of bytes are moved apart until a column takes one turn: with 65 bytes
/// every second row would be in the bank of another, with 66 bytes it is for
/// half of the columns.
TEST(GroupPlannerTest, F14RowsOfNarrowCellsAreWordsApart) {
  for (const auto &[type, pad] : std::vector<std::pair<std::string, int64_t>>{
           {"uchar", 4}, {"ushort", 2}, {"float", 1}}) {
    const std::string source =
        "__kernel void f(__global const " + type + " *restrict a,\n" +
        "                __global " + type +
        " *restrict b, int n, int m) {\n"
        "  int x = get_global_id(0), y = get_global_id(1);\n"
        "  if (x < n && y < m) b[x * m + y] = a[y * n + x]; }";
    TestedKernel tested(source);
    ASSERT_EQ(tested.apply(planOf(source)).message, "") << type;
    ASSERT_EQ(tested.kernel.tiles.size(), 1u) << type;
    EXPECT_EQ(tested.kernel.tiles[0].pad, pad) << type;
    const int64_t bytes = type == "float" ? 4 : type == "ushort" ? 2 : 1;
    for (int64_t column = 0; column < 4; ++column) {
      std::vector<int64_t> addresses;
      for (int64_t lane = 0; lane < 32; ++lane)
        addresses.push_back((lane * (64 + pad) + column) * bytes);
      EXPECT_EQ(countTurns(addresses, static_cast<unsigned>(bytes),
                           BankShape{32, 4, 32}),
                1u)
          << type << column;
    }
  }
}

/// Rows of one work-item each: down a column of words that are apart, or along
/// a row of bytes side by side. Which of them takes fewer turns is counted,
/// with those of the copy.
TEST(GroupPlannerTest, F14NarrowCellsAreTransposed) {
  const std::string sums =
      "__kernel void f(__global const TYPE *restrict A,\n"
      "                __global const float *restrict x,\n"
      "                __global int *restrict y, int n) {\n"
      "  int i = get_global_id(0), sum = 0;\n"
      "  for (int k = 0; k < n; k++) sum += A[i * n + k] * (int)x[k];\n"
      "  y[i] = sum; }";
  auto planFor = [&](const std::string &type) {
    std::string source = sums;
    source.replace(source.find("TYPE"), 4, type);
    return planOf(source);
  };
  EXPECT_TRUE(has(planFor("uchar"), "layout     A transpose local\n"))
      << planFor("uchar");
  EXPECT_TRUE(has(planFor("short"), "layout     A transpose local\n"))
      << planFor("short");
  EXPECT_FALSE(has(planFor("int"), "layout")) << planFor("int");
}

//===-- Vectors
//-----------------------------------------------------------===//

/// F12. Every work-item reads all bodies, and its own one before the loop.
TEST(GroupPlannerTest, F12BodiesThatAreVectors) {
  const std::string plan =
      planOf("__kernel void f(__global const float4 *restrict pos,\n"
             "  __global float4 *restrict force, int n) {\n"
             "  int i = get_global_id(0);\n"
             "  float4 own = pos[i], sum = 0;\n"
             "  for (int j = 0; j < n; j++) {\n"
             "    float4 d = pos[j] - own;\n"
             "    sum += d * (pos[j].w / (dot(d, d) + 1.0f));\n"
             "  }\n  force[i] = sum; }");
  EXPECT_TRUE(has(plan, "stage      pos\n")) << plan;
}

/// F12. A vector that is loaded once more weighs more than a scalar: blocks are
/// high rather than wide. Sums take no more registers than those of scalars.
TEST(GroupPlannerTest, F12BlocksOfVectors) {
  const std::string source =
      "__kernel void f(__global const float *restrict A,\n"
      "  __global const float4 *restrict B, __global float4 *restrict C,\n"
      "  int n, int m) {\n"
      "  int i = get_global_id(1), j = get_global_id(0);\n"
      "  float4 sum = 0;\n"
      "  for (int k = 0; k < n; k++) sum += A[i * n + k] * B[k * m + j];\n"
      "  C[i * m + j] = sum; }";
  EXPECT_EQ(sizeOf(source, "coarsen", "i"), 4);
  EXPECT_EQ(sizeOf(source, "coarsen", "j"), std::nullopt);
  const std::string dots =
      "__kernel void f(__global const float4 *restrict A,\n"
      "  __global const float4 *restrict B, __global float *restrict C,\n"
      "  int n, int m) {\n"
      "  int i = get_global_id(1), j = get_global_id(0);\n"
      "  float sum = 0;\n"
      "  for (int k = 0; k < n; k++) sum += dot(A[i * n + k], B[j * n + k]);\n"
      "  C[i * m + j] = sum; }";
  const std::string plan = planOf(dots);
  EXPECT_TRUE(has(plan, "coarsen    i:4\n")) << plan;
  EXPECT_TRUE(has(plan, "coarsen    j:4 stride\n")) << plan;
}

/// F13. One component of every vector: planes keep it apart from the others.
TEST(GroupPlannerTest, F13PlanesOfComponents) {
  const std::string plan =
      planOf("__kernel void f(__global const float4 *restrict A,\n"
             "  __global float *restrict C, int n) {\n"
             "  int i = get_global_id(1), j = get_global_id(0);\n"
             "  float sum = 0;\n"
             "  for (int k = 0; k < n; k++)\n"
             "    sum += A[i * n + k].y * A[j * n + k].z;\n"
             "  C[i * n + j] = sum; }");
  EXPECT_TRUE(has(plan, "layout     A planes local\n")) << plan;
}

TEST(GroupPlannerTest, TransposedVectorsTakeSmallerTiles) {
  const std::string source =
      "__kernel void f(__global const float4 *restrict a,\n"
      "                __global float4 *restrict b, int n, int m) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n"
      "  if (x < n && y < m) b[x * m + y] = a[y * n + x]; }";
  EXPECT_EQ(sizeOf(source, "tile", "x"), 32);
  EXPECT_EQ(sizeOf(source, "tile", "y"), 32);
}

TEST(GroupPlannerTest, CopiesInOrderNeedNoLocalMemory) {
  EXPECT_EQ(planOf("__kernel void f(__global const float *restrict a,\n"
                   "                __global float *restrict b, int n) {\n"
                   "  int x = get_global_id(0), y = get_global_id(1);\n"
                   "  b[y * n + x] = a[y * n + x]; }"),
            "none");
}

TEST(GroupPlannerTest, PlansAreTheSameEveryTime) {
  EXPECT_EQ(planOf(productOf("float")), planOf(productOf("float")));
}
