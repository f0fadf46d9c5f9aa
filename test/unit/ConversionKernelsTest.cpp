//===- ConversionKernelsTest.cpp - kernels that change a layout -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of the tiles; RuntimeLayoutTest.cpp runs the kernels.
//
//===----------------------------------------------------------------------===//

#include "Emit/ConversionKernels.h"
#include "Frontend/ClangParser.h"

#include <gtest/gtest.h>

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

TEST(ConversionKernelsTest, TurnedTilesHaveRowsOfOddLength) {
  ConversionKernel kernel = writeConversion(transposition());
  expectCompiles(kernel);
  EXPECT_TRUE(has(kernel, "__local uint cells[1056];")) << "32 rows of 33";
  EXPECT_TRUE(has(kernel, "barrier(CLK_LOCAL_MEM_FENCE);"));
  EXPECT_EQ(kernel.launch.local, std::vector<std::string>{"256"});
  ASSERT_EQ(kernel.launch.global.size(), 1u);
  EXPECT_EQ(
      kernel.launch.global[0],
      "((((ulong)(columns) + 31) / 32) * (((ulong)(rows) + 31) / 32)) * 256");
}

TEST(ConversionKernelsTest, ThereAndBackAreTheSameTiles) {
  ConversionShape shape = transposition();
  shape.isBack = true;
  ConversionKernel kernel = writeConversion(shape);
  expectCompiles(kernel);
  EXPECT_TRUE(has(kernel, "to[at] = cells["));
  EXPECT_TRUE(has(kernel, "= from[(long)t0 * p0 + (long)t1];"));
}

TEST(ConversionKernelsTest, RowsAreCopiedAsTheyAre) {
  ConversionKernel kernel = writeConversion(shapeOf(
      {named("rows"), named("columns")}, {named("n"), HostNumber::of(1)},
      {named("pitch"), HostNumber::of(1)}));
  expectCompiles(kernel);
  EXPECT_FALSE(has(kernel, "barrier"));
}

TEST(ConversionKernelsTest, FewResiduesAreOneTile) {
  // Three planes of an interleaved array.
  ConversionKernel kernel =
      writeConversion(shapeOf({HostNumber::of(3), named("cells")},
                              {HostNumber::of(1), HostNumber::of(3)},
                              {named("pitch"), HostNumber::of(1)}));
  expectCompiles(kernel);
  EXPECT_TRUE(has(kernel, "__local uint cells[960];")) << kernel.text;
  EXPECT_TRUE(has(kernel, "cell % 3"));
}

TEST(ConversionKernelsTest, CellsBeyondTheEndAreLeftOut) {
  ConversionShape shape = transposition();
  shape.originalEnd = "last + 1";
  ConversionKernel kernel = writeConversion(shape);
  expectCompiles(kernel);
  EXPECT_TRUE(has(kernel, "at >= 0 && at < end"));
}

TEST(ConversionKernelsTest, ElementsOfEverySize) {
  for (const auto &[bytes, type] : {std::pair(1u, "uchar"),
                                    {2u, "ushort"},
                                    {8u, "ulong"},
                                    {16u, "uint4"}}) {
    ConversionShape shape = transposition();
    shape.elementBytes = bytes;
    shape.originalEnd = "last";
    ConversionKernel kernel = writeConversion(shape);
    expectCompiles(kernel);
    EXPECT_TRUE(has(kernel, std::string("__global ") + type + " *restrict to"));
  }
}

} // namespace
