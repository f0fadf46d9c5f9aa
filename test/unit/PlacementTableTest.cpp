//===- PlacementTableTest.cpp - arrays by memories, for people ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/PlacementTable.h"

#include <gtest/gtest.h>

using namespace clopt;

static KernelReport sample() {
  KernelReport kernel;
  kernel.name = "f";
  ArrayReport array;
  array.array = "table";
  array.chosen = "constant";
  array.dropIn = "local";
  array.memories = {
      {"private", false, false, 0, 0, "too many cells"},
      {"constant", true, true, 36, 990, ""},
      {"local", true, false, 36, 1037, "takes longer"},
      {"image", true, true, 0, 1044, "takes longer"},
      {"global", true, false, 0, 1971, "takes longest"},
  };
  kernel.arrays.push_back(array);
  return kernel;
}

TEST(PlacementTableTest, OneRowPerMemory) {
  EXPECT_EQ(renderPlacement(sample()),
            "kernel f\n"
            "  array  memory    bytes  clocks  verdict           reason\n"
            "  table  private       -       -  no                too many "
            "cells\n"
            "         constant     36     990  yes, by the host\n"
            "         local        36    1037  otherwise         takes longer\n"
            "         image         -    1044  possible          takes longer\n"
            "         global        -    1971  possible          takes "
            "longest\n");
}

TEST(PlacementTableTest, KernelsAreApart) {
  Result result;
  EXPECT_EQ(renderPlacements(result), "");
  result.kernels = {sample(), KernelReport(), sample()};
  EXPECT_EQ(renderPlacements(result),
            renderPlacement(sample()) + "\n" + renderPlacement(sample()));
}
