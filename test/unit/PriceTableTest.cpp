//===- PriceTableTest.cpp - predicted times of recipes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/PriceTable.h"

#include <gtest/gtest.h>

using namespace clopt;

static KernelReport kernel() {
  KernelReport report;
  report.name = "f";
  report.prices.emplace();
  report.prices->launch = "64 work-items in groups of 16";
  report.prices->steps = {
      {"as written", 2e6, {{"memory", 2e6}, {"groups", 10}}, ""},
      {"privatize s", 5e5, {{"memory", 10}, {"latency", 5e5}}, ""}};
  return report;
}

TEST(PriceTableTest, GainsAreThoseOfTheAuthorsText) {
  EXPECT_EQ(renderPrices(kernel()),
            "kernel f\n"
            "  64 work-items in groups of 16\n"
            "  after             time  gain  longest\n"
            "  as written   2.0000 ms  1.00  memory\n"
            "  privatize s  0.5000 ms  4.00  latency\n");
}

TEST(PriceTableTest, WhatIsCheaperIsNamed) {
  KernelReport report = kernel();
  report.prices->others = {{"unroll k", 4e5, {}, ""},
                           {"tile i:8", 0, {}, "no text comes of it"}};
  const std::string text = renderPrices(report);
  EXPECT_NE(text.find("  instead:\n  unroll k "), std::string::npos) << text;
  EXPECT_NE(text.find("not predicted: no text comes of it\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  cheaper by 1.25: unroll k\n"), std::string::npos)
      << text;
  report.prices->others[0].nanoseconds = 4.9e5;
  EXPECT_NE(renderPrices(report).find("no recipe around it is more than 5 %"),
            std::string::npos);
}

TEST(PriceTableTest, ReasonsForNoPrices) {
  Result result;
  result.kernels = {kernel(), kernel()};
  result.kernels[0].prices.reset();
  result.kernels[1].prices = PriceList();
  result.kernels[1].prices->problem = "nothing is known";
  EXPECT_EQ(renderPrices(result),
            "kernel f\n  not predicted: nothing is known\n");
}
