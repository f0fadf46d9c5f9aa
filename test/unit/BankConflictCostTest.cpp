//===- BankConflictCostTest.cpp - turns that sections take ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning/cost/BankConflictCost.h"

#include "KernelTesting.h"

#include <map>
#include <set>

using namespace clopt;

static const BankShape banks{32, 4, 32};

static std::string rowSums(const std::string &type) {
  return "__kernel void f(__global const " + type +
         " *restrict A, __global int *restrict y, int n) {\n"
         "  int i = get_global_id(0); int sum = 0;\n"
         "  for (int k = 0; k < n; k++) sum += A[i * n + k];\n"
         "  y[i] = sum; }";
}

static BankConflictCost turnsOf(const std::string &source,
                                const std::string &steps) {
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(steps).message, "") << steps;
  std::optional<BankConflictCost> turns =
      bankConflictCost(tested.kernel, tested.kernel.tiles.at(0), banks);
  EXPECT_TRUE(turns) << steps;
  return turns.value_or(BankConflictCost());
}

/// Rows of 64 bytes are 16 words: of 32 rows each second one is in one bank. A
/// group of 256 has 8 lane groups, and 64 iterations.
TEST(BankConflictCostTest, F14ColumnsOfBytes) {
  const std::string source = rowSums("uchar");
  const std::string steps = "tile i:256\ntile k:64\nstage A";
  // Four lanes copy one row as vectors; eight at a time fill the banks.
  EXPECT_EQ(turnsOf(source, steps).copies, 256 * 64 / 16 / 32 * 4);
  EXPECT_EQ(turnsOf(source, steps).uses, 8 * 64 * 16);
  // 17 words: no two rows in one bank, but four lanes' bytes, 4 words apart,
  // meet those of 4 rows below.
  EXPECT_EQ(turnsOf(source, steps + " pad=4").uses, 8 * 64);
  EXPECT_EQ(turnsOf(source, steps + " pad=4").copies, 256 * 64 / 16 / 32 * 32);
  // Bytes side by side; a byte of a vector lies in one bank with those of the
  // three other vectors of its row, which are 4096 bytes apart.
  const std::string turned = steps + "\nlayout A transpose local";
  EXPECT_EQ(turnsOf(source, turned).uses, 8 * 64);
  EXPECT_EQ(turnsOf(source, turned).copies, 256 * 64 / 32 * 4);
}

TEST(BankConflictCostTest, F14Words) {
  const std::string source = rowSums("int");
  const std::string steps = "tile i:64\ntile k:32\nstage A";
  EXPECT_EQ(turnsOf(source, steps).uses, 2 * 32 * 32);
  EXPECT_EQ(turnsOf(source, steps + " pad=1").uses, 2 * 32);
  EXPECT_EQ(turnsOf(source, steps + "\nlayout A transpose local").uses, 2 * 32);
}

/// What all work-items read at once is one word's.
TEST(BankConflictCostTest, BroadcastsTakeOneTurn) {
  BankConflictCost turns =
      turnsOf("__kernel void f(__global const uchar *restrict x,\n"
              "                __global int *restrict y, int n) {\n"
              "  int i = get_global_id(0); int sum = 0;\n"
              "  for (int k = 0; k < n; k++) sum += x[k] * i;\n"
              "  y[i] = sum; }",
              "tile i:256\ntile k:64\nstage x");
  EXPECT_EQ(turns.uses, 8 * 64);
  EXPECT_EQ(turns.copies, 1);
}

/// Turns of 32 accesses to one word each, by sets of words.
static unsigned turnsOfWords(const std::vector<int64_t> &addresses) {
  std::map<int64_t, std::set<int64_t>> words;
  size_t most = 0;
  for (int64_t address : addresses) {
    std::set<int64_t> &bank = words[address / 4 % 32];
    bank.insert(address / 4);
    most = std::max(most, bank.size());
  }
  return static_cast<unsigned>(most);
}

/// Every access of every iteration, one after the other.
TEST(BankConflictCostTest, F14UsesAreThoseOfAllIterations) {
  for (const auto &[type, bytes] : std::vector<std::pair<std::string, int>>{
           {"uchar", 1}, {"short", 2}, {"int", 4}})
    for (int pad : {0, 1, 2, 3, 4, 5})
      for (bool isTransposed : {false, true}) {
        double expected = 0;
        for (int k = 0; k < 32; ++k)
          for (int group = 0; group < 64; group += 32) {
            std::vector<int64_t> addresses;
            for (int i = group; i < group + 32; ++i)
              addresses.push_back(
                  (isTransposed ? k * (64 + pad) + i : i * (32 + pad) + k) *
                  bytes);
            expected += turnsOfWords(addresses);
          }
        std::string steps = "tile i:64\ntile k:32\nstage A";
        if (pad)
          steps += " pad=" + std::to_string(pad);
        if (isTransposed)
          steps += "\nlayout A transpose local";
        EXPECT_EQ(turnsOf(rowSums(type), steps).uses, expected)
            << type << " " << pad << isTransposed;
      }
}

static std::optional<TileShape> shapeOf(const std::string &source,
                                        const std::string &steps) {
  TestedKernel tested(source);
  EXPECT_EQ(tested.apply(steps).message, "") << steps;
  return bestShape(tested.kernel, tested.kernel.tiles.at(0).array, banks);
}

TEST(BankConflictCostTest, F14TheFewestTurnsThenTheFewestBytes) {
  const std::string steps = "tile i:256\ntile k:64\nstage A";
  for (const std::string type : {"uchar", "ushort"}) {
    std::optional<TileShape> best = shapeOf(rowSums(type), steps);
    ASSERT_TRUE(best) << type;
    TestedKernel tested(rowSums(type));
    ASSERT_EQ(tested.apply(steps).message, "");
    ArrayTile tile = tested.kernel.tiles[0];
    tile.rowDimension = best->rowDimension;
    tile.pad = best->pad;
    const double least = bankConflictCost(tested.kernel, tile, banks)->total();
    for (unsigned rows : {0u, 1u})
      for (unsigned pad = 0; pad <= 8; ++pad) {
        tile.rowDimension = rows;
        tile.pad = pad;
        EXPECT_GE(bankConflictCost(tested.kernel, tile, banks)->total(), least)
            << type << rows << " " << pad;
      }
  }
}

//===-- Wide cells
//--------------------------------------------------------===//

static std::string vectorSums(const std::string &type,
                              const std::string &value) {
  return "struct P { float x, y; float4 z; };\n"
         "__kernel void f(__global const " +
         type +
         " *restrict A, __global float *restrict y, int n) {\n"
         "  int i = get_global_id(0); float sum = 0;\n"
         "  for (int k = 0; k < n; k++) sum += A[i * n + k]" +
         value + ";\n  y[i] = sum; }";
}

/// F13. Eight work-items at a time take vectors of four words. Rows of eight
/// such vectors begin in one bank, rows of nine four banks apart.
TEST(BankConflictCostTest, F13WholeVectors) {
  const std::string source =
      "__kernel void f(__global const float4 *restrict A,\n"
      "  __global float4 *restrict y, int n) {\n"
      "  int i = get_global_id(0); float4 sum = 0;\n"
      "  for (int k = 0; k < n; k++) sum += A[i * n + k];\n"
      "  y[i] = sum; }";
  const std::string steps = "tile i:32\ntile k:8\nstage A";
  EXPECT_EQ(turnsOf(source, steps).copies, 32 * 8 / 8);
  EXPECT_EQ(turnsOf(source, steps).uses, 8 * 4 * 8);
  EXPECT_EQ(turnsOf(source, steps + " pad=1").uses, 8 * 4);
  EXPECT_EQ(turnsOf(source, steps + " pad=1").copies, 32 * 8 / 8);
  // In planes 32 work-items take a word each, four times.
  const std::string planes = "\nlayout A planes local";
  EXPECT_EQ(turnsOf(source, steps + planes).uses, 8 * 4 * 8);
  EXPECT_EQ(turnsOf(source, steps + " pad=1" + planes).uses, 8 * 4);
}

/// F13. One word in four is used: vectors side by side are four to a bank,
/// words of a plane are not.
TEST(BankConflictCostTest, F13Components) {
  const std::string source = vectorSums("float4", ".z");
  const std::string steps = "tile i:32\ntile k:8\nstage A pad=1";
  EXPECT_EQ(turnsOf(source, steps).uses, 8 * 4);
  EXPECT_EQ(turnsOf(source, steps + "\nlayout A planes local").uses, 8);
  // The planes of vectors of three are three.
  const std::string three = steps + "\nlayout A planes local";
  TestedKernel tested(vectorSums("float3", ".zyx.x"));
  ASSERT_EQ(tested.apply(three).message, "");
  EXPECT_EQ(tileBytes(tested.kernel, tested.kernel.tiles[0]), 3 * 32 * 9 * 4);
}

/// Vectors of eight words are two accesses, of four words each.
TEST(BankConflictCostTest, F13CellsOfSeveralAccesses) {
  const std::string source =
      "__kernel void f(__global const float8 *restrict A,\n"
      "  __global float8 *restrict y) {\n"
      "  int i = get_global_id(0); y[i] = A[i] + A[i]; }";
  EXPECT_EQ(turnsOf(source, "tile i:32\nstage A").copies, 2 * 4 * 2);
  // Structures go word by word; a member alone is one access.
  BankConflictCost turns =
      turnsOf(vectorSums("struct P", ".y"), "tile i:32\ntile k:2\nstage A");
  EXPECT_EQ(turns.copies, 2 * 8 * 8);
  EXPECT_EQ(turns.uses, 2 * 16);
}

/// F13. Whole vectors stay together; components of them do not.
TEST(BankConflictCostTest, F13PlanesWhereTheyTakeFewerTurns) {
  const std::string steps = "tile i:32\ntile k:8\nstage A";
  std::optional<TileShape> part = shapeOf(vectorSums("float4", ".w"), steps);
  ASSERT_TRUE(part);
  EXPECT_TRUE(part->inPlanes);
  std::optional<TileShape> whole =
      shapeOf(vectorSums("float4", ".xyzw.w + length(A[i * n + k])"), steps);
  ASSERT_TRUE(whole);
  EXPECT_FALSE(whole->inPlanes);
}

/// A row of scalars has no rows to turn.
TEST(BankConflictCostTest, OneDimensionHasNoOtherShape) {
  EXPECT_FALSE(shapeOf("__kernel void f(__global const uchar *restrict a,\n"
                       "                __global int *restrict y, int n) {\n"
                       "  int i = get_global_id(0);\n"
                       "  y[i] = a[i] + a[i + 1]; }",
                       "tile i:64\nstage a"));
}

//===-- Padding of squares
//--------------------------------------------------===//

TEST(BankConflictCostTest, ColumnsOfSquaresArePaddedByAWordAtMost) {
  const BankShape banks;
  EXPECT_EQ(columnPadding(64, 4, banks), 1);
  EXPECT_EQ(columnPadding(64, 16, banks), 1);
  // Rows of 66 bytes are 16 words and a half: every other one is a bank on.
  EXPECT_EQ(columnPadding(64, 1, banks), 2);
}
