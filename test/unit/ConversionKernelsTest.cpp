//===- ConversionKernelsTest.cpp - kernels that change a layout -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of the tiles and the banks of their words; RuntimeLayoutTest.cpp
// runs the kernels.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/ConversionKernels.h"

#include "Analysis/memory/BankConflict.h"
#include "Frontend/clang/ClangParser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

using namespace clopt;

namespace {

HostNumber named(const std::string &text) { return {text, {}}; }

ConversionShape shapeOf(std::vector<HostNumber> counts,
                        std::vector<HostNumber> original,
                        std::vector<HostNumber> copy) {
  ConversionShape shape;
  shape.name = "convert";
  shape.counts = std::move(counts);
  shape.originalSteps = std::move(original);
  shape.copySteps = std::move(copy);
  shape.originalBase = shape.copyBase = HostNumber::of(0);
  return shape;
}

ConversionShape transposition() {
  return shapeOf({named("rows"), named("columns")},
                 {HostNumber::of(1), named("n")},
                 {named("pitch"), HostNumber::of(1)});
}

bool has(const ConversionKernel &kernel, const std::string &text) {
  return kernel.text.find(text) != std::string::npos;
}

void expectCompiles(const ConversionKernel &kernel) {
  ParseResult parsed = parseOpenCL("convert.cl", kernel.text, {});
  ASSERT_TRUE(parsed.unit) << kernel.text;
  // Two buffers come first.
  EXPECT_EQ(parsed.unit->functions[0]->params.size(),
            kernel.launch.arguments.size() + 2);
}

TEST(ConversionKernelsTest, TilesAreTurnedInLocalMemory) {
  ConversionKernel kernel = writeConversion(transposition());
  expectCompiles(kernel);
  EXPECT_TRUE(has(kernel, "__local uint words[2112];")) << "64 columns of 33";
  EXPECT_TRUE(has(kernel, "barrier(CLK_LOCAL_MEM_FENCE);"));
  EXPECT_TRUE(has(kernel, "const uint4 v0 = *(__global const uint4 *)"));
  EXPECT_EQ(kernel.launch.local, std::vector<std::string>{"256"});
  ASSERT_EQ(kernel.launch.global.size(), 1u);
  EXPECT_EQ(
      kernel.launch.global[0],
      "((((ulong)(rows) + 63) / 64) * (((ulong)(columns) + 31) / 32)) * 256");
}

TEST(ConversionKernelsTest, ThereAndBackAreTheSameTiles) {
  ConversionShape shape = transposition();
  shape.isBack = true;
  ConversionKernel kernel = writeConversion(shape);
  expectCompiles(kernel);
  EXPECT_TRUE(has(kernel, "to[index] = words["));
  EXPECT_TRUE(has(kernel, "= from[place + (long)x * p0 + y];"));
  EXPECT_EQ(kernel.launch.global,
            writeConversion(transposition()).launch.global);
}

TEST(ConversionKernelsTest, RowsAreCopiedAsTheyAre) {
  ConversionKernel kernel = writeConversion(shapeOf(
      {named("rows"), named("columns")}, {named("n"), HostNumber::of(1)},
      {named("pitch"), HostNumber::of(1)}));
  expectCompiles(kernel);
  EXPECT_FALSE(has(kernel, "barrier"));
  EXPECT_TRUE(has(kernel, "*(__global uint4 *)(to + place"));
}

ConversionShape rowsOf(unsigned bytes, int64_t step) {
  ConversionShape shape = shapeOf({named("rows"), named("columns")},
                                  {named("skewed"), HostNumber::of(step)},
                                  {named("pitch"), HostNumber::of(1)});
  shape.elementBytes = bytes;
  return shape;
}

/// Rows that begin anywhere: two aligned pieces, of which one is made.
TEST(ConversionKernelsTest, RowsThatBeginAnywhereAreMovedInAlignedPieces) {
  for (unsigned bytes : {1u, 2u, 4u, 8u, 16u})
    for (bool isBack : {false, true}) {
      ConversionShape shape = rowsOf(bytes, 1);
      shape.isBack = isBack;
      ConversionKernel kernel = writeConversion(shape);
      expectCompiles(kernel);
      EXPECT_TRUE(has(kernel, isBack ? "*(__global uint4 *)(to + at + x)"
                                     : "*(__global uint4 *)(to + place + x)"));
      EXPECT_EQ(has(kernel, "upsample"), bytes < 4) << "parts of words";
      EXPECT_EQ(has(kernel, "w8.x"), bytes < 8) << "whole words";
      EXPECT_EQ(has(kernel, "b.xy"), bytes < 16) << "pairs of words";
      EXPECT_TRUE(has(kernel, isBack ? "<= p_end" : "<= c_end"))
          << "what is read beside a row is in the buffer";
    }
}

TEST(ConversionKernelsTest, ReversedRowsAreMovedInAlignedPieces) {
  for (const auto &[bytes, order] : {std::pair(1u, "as_uchar4(v.w).wzyx"),
                                     {2u, "as_ushort2(v.w).yx"},
                                     {4u, "v4.wzyx"},
                                     {8u, "v8.zwxy"}})
    for (bool isBack : {false, true}) {
      ConversionShape shape = rowsOf(bytes, -1);
      shape.isBack = isBack;
      ConversionKernel kernel = writeConversion(shape);
      expectCompiles(kernel);
      EXPECT_TRUE(has(kernel, order)) << kernel.text;
      EXPECT_TRUE(has(kernel, isBack ? "place - x" : "at - x"))
          << "what is written runs forward";
    }
}

/// One work-item per piece, a piece more for rows that begin between two.
TEST(ConversionKernelsTest, PiecesOfAllRows) {
  ConversionKernel kernel = writeConversion(rowsOf(4, 1));
  EXPECT_EQ(kernel.launch.global[0],
            "((((ulong)(columns) + 6) / 4 * (ulong)(rows) + 255) / 256) * 256");
  EXPECT_EQ(kernel.launch.local[0], "256");
}

TEST(ConversionKernelsTest, CellsThatAreFarApartAreSingleElements) {
  ConversionKernel kernel = writeConversion(rowsOf(4, 3));
  expectCompiles(kernel);
  EXPECT_FALSE(has(kernel, "uint4"));
}

ConversionShape planes(int64_t count, int64_t stride) {
  return shapeOf({HostNumber::of(count), named("cells")},
                 {HostNumber::of(1), HostNumber::of(stride)},
                 {named("pitch"), HostNumber::of(1)});
}

TEST(ConversionKernelsTest, StructuresAreTakenApart) {
  ConversionKernel kernel = writeConversion(planes(3, 3));
  expectCompiles(kernel);
  EXPECT_TRUE(has(kernel, "__local uint words[1536];")) << kernel.text;
  EXPECT_TRUE(has(kernel, "s * 3 + x"));
  kernel = writeConversion(planes(4, 4));
  expectCompiles(kernel);
  EXPECT_TRUE(has(kernel, " / 32]")) << "a gap in every 32 words";
}

TEST(ConversionKernelsTest, PartsOfStructuresAreNotWrittenBackAsAWhole) {
  ConversionShape shape = planes(2, 5);
  ConversionKernel there = writeConversion(shape);
  expectCompiles(there);
  EXPECT_TRUE(has(there, "e % 5 < 2"));
  shape.isBack = true;
  ConversionKernel back = writeConversion(shape);
  expectCompiles(back);
  EXPECT_FALSE(has(back, "% 5 ")) << "by blocks, which have these cells only";
}

TEST(ConversionKernelsTest, NarrowArraysHaveLongTiles) {
  ConversionKernel kernel = writeConversion(shapeOf(
      {HostNumber::of(3), named("rows")}, {HostNumber::of(1), named("n")},
      {named("pitch"), HostNumber::of(1)}));
  expectCompiles(kernel);
  EXPECT_TRUE(has(kernel, "cell % 3"));
  EXPECT_EQ(kernel.launch.global[0],
            "((((ulong)(3) + 2) / 3) * (((ulong)(rows) + 511) / 512)) * 256");
}

TEST(ConversionKernelsTest, ReversedColumnsAreCountedFromTheOtherEnd) {
  ConversionShape shape = transposition();
  shape.originalSteps[0] = HostNumber::of(-1);
  shape.originalBase = named("first");
  ConversionKernel kernel = writeConversion(shape);
  expectCompiles(kernel);
  std::vector<std::string> values;
  for (const PlanArgument &argument : kernel.launch.arguments)
    values.push_back(argument.value);
  auto passes = [&](const std::string &value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  };
  EXPECT_TRUE(passes("-(pitch)"));
  EXPECT_TRUE(passes("(first) + ((long)((rows) - (1)) * (-1))"));
}

//===-- Banks
//--------------------------------------------------------------===//

/// Most turns that a group of 32 takes when `items` work-items move one word
/// each, which `wordOf` places.
unsigned turns(int64_t items, unsigned wordBytes,
               const std::function<int64_t(int64_t)> &wordOf) {
  unsigned most = 0;
  for (int64_t first = 0; first < items; first += 32) {
    std::vector<int64_t> addresses;
    for (int64_t item = first; item < std::min(first + 32, items); ++item)
      addresses.push_back(wordOf(item) * wordBytes);
    most = std::max(most, countTurns(addresses, wordBytes, BankShape()));
  }
  return most;
}

TEST(ConversionKernelsTest, BlocksHaveNoBankConflicts) {
  for (unsigned bytes : {1u, 2u, 4u, 8u, 16u})
    for (std::optional<int64_t> columns :
         {std::optional<int64_t>(), std::optional<int64_t>(100),
          std::optional<int64_t>(40)}) {
      const BlockTile tile = blockTileOf(bytes, columns);
      const int64_t wordRows = tile.rows / tile.perWord;
      const int64_t blocks = tile.columns / tile.perVector * wordRows;
      for (unsigned j = 0; j < tile.perVector; ++j)
        EXPECT_EQ(turns(blocks, tile.wordBytes,
                        [&](int64_t block) {
                          int64_t x =
                              (block / (wordRows * tile.across) * tile.across +
                               block % tile.across) *
                              tile.perVector;
                          int64_t y = block / tile.across % wordRows;
                          return (x + j) * tile.pitch + y;
                        }),
                  1u)
            << bytes;
      const int64_t perColumn = tile.rows / tile.perVector;
      for (unsigned i = 0; i < 16 / tile.wordBytes; ++i)
        EXPECT_EQ(turns(perColumn * tile.columns, tile.wordBytes,
                        [&](int64_t part) {
                          return part / perColumn * tile.pitch +
                                 part % perColumn * (16 / tile.wordBytes) + i;
                        }),
                  1u)
            << bytes;
    }
}

TEST(ConversionKernelsTest, PlanesHaveNoBankConflicts) {
  for (unsigned bytes : {1u, 2u, 4u, 8u, 16u})
    for (int64_t stride = 2; stride <= 64; ++stride) {
      std::optional<PlaneTile> tile = planeTileOf(bytes, stride);
      ASSERT_TRUE(tile) << stride;
      EXPECT_EQ(turns(tile->words, tile->wordBytes,
                      [&](int64_t word) { return tile->place(word); }),
                1u)
          << bytes << " " << stride;
      // Element j of the word of plane x.
      for (int64_t x : {int64_t(0), stride - 1})
        for (unsigned j = 0; j < tile->perWord; ++j)
          EXPECT_EQ(turns(tile->structures / tile->perWord, tile->wordBytes,
                          [&](int64_t word) {
                            int64_t e = (word * tile->perWord + j) * stride + x;
                            return tile->place(e / tile->perWord);
                          }),
                    1u)
              << bytes << " " << stride;
    }
  EXPECT_FALSE(planeTileOf(4, 65)) << "local memory";
}

TEST(ConversionKernelsTest, CellsBeyondTheEndAreLeftOut) {
  for (ConversionShape shape : {transposition(), planes(2, 3)}) {
    shape.originalEnd = "last + 1";
    ConversionKernel kernel = writeConversion(shape);
    expectCompiles(kernel);
    EXPECT_TRUE(has(kernel, ">= 0 && at + e < end") ||
                has(kernel, "index >= 0 && index < end"));
    EXPECT_TRUE(has(kernel, "0l) < end")) << "of whole tiles, too";
  }
}

TEST(ConversionKernelsTest, ElementsOfEverySize) {
  for (const auto &[bytes, type] :
       {std::pair(1u, "uchar"), {2u, "ushort"}, {8u, "ulong"}, {16u, "uint4"}})
    for (bool isBack : {false, true})
      for (ConversionShape shape : {transposition(), planes(3, 3)}) {
        shape.elementBytes = bytes;
        shape.isBack = isBack;
        shape.originalEnd = "last";
        ConversionKernel kernel = writeConversion(shape);
        expectCompiles(kernel);
        EXPECT_TRUE(
            has(kernel, std::string("__global ") + type + " *restrict to"));
      }
}

} // namespace
