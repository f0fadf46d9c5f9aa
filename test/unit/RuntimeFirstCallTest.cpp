//===- RuntimeFirstCallTest.cpp - which device for how many calls ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/FirstCall.h"

#include <gtest/gtest.h>

using namespace clopt::runtime;

namespace {

/// Fourier transforms of 128 to 2048 elements in batches (thesis, 6.4.3.1):
/// what the first call costs more, and a call.
const double processor[5][2] = {{6.44, 17.95},
                                {11.26, 38.77},
                                {13.86, 71.60},
                                {26.10, 153.16},
                                {46.50, 305.97}};
const double gpu[5][2] = {{231.52, 2.27},
                          {231.75, 3.62},
                          {234.21, 6.36},
                          {233.17, 12.58},
                          {235.25, 24.14}};

CallCost costOf(const char *device, const double (&times)[2]) {
  CallCost cost;
  cost.device = device;
  cost.build = times[0];
  cost.run = times[1];
  return cost;
}

} // namespace

TEST(RuntimeFirstCall, F40TableOfTheThesis) {
  // "Single use: MKL up to 1024, cuFFT from 2048."
  for (int row = 0; row < 5; ++row) {
    const std::vector<CallCost> devices = {costOf("mkl", processor[row]),
                                           costOf("cufft", gpu[row])};
    EXPECT_EQ(cheapestFor(devices, 1), row < 4 ? 0u : 1u) << row;
    EXPECT_EQ(cheapestFor(devices, 1000), 1u) << row;
  }
}

TEST(RuntimeFirstCall, F40CallsFromWhichItPays) {
  const std::uint64_t calls[5] = {15, 7, 4, 2, 1};
  for (int row = 0; row < 5; ++row) {
    const CallCost usual = costOf("mkl", processor[row]);
    const CallCost other = costOf("cufft", gpu[row]);
    EXPECT_EQ(crossover(usual, other), calls[row]) << row;
    EXPECT_LT(other.total(calls[row]), usual.total(calls[row]));
    if (calls[row] > 1)
      EXPECT_GE(other.total(calls[row] - 1), usual.total(calls[row] - 1));
  }
}

TEST(RuntimeFirstCall, F40WhatNeverPays) {
  CallCost usual, other;
  usual.run = 1;
  other.run = 1;
  other.transfer = 5;
  EXPECT_EQ(crossover(usual, other), std::nullopt);
  EXPECT_EQ(crossover(other, usual), 1u);
  other.run = 2;
  other.transfer = 0;
  EXPECT_EQ(crossover(usual, other), std::nullopt);
  // Equal ones: the first.
  EXPECT_EQ(cheapestFor({usual, usual}, 7), 0u);
}
