//===- HtmlMeasurementsTest.cpp - tests of times in the page -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlMeasurements.h"

#include <gtest/gtest.h>

using namespace clopt;

static std::string measuredPage(const Measurements &measured) {
  HtmlWriter html;
  writeMeasurements(html, measured, "f");
  return html.take();
}

static Measurement launch(double bytes, double before, double after) {
  Measurement result;
  result.kernel = "f";
  result.sizes = "n=4";
  result.ndRange = "global 4";
  result.bytes = bytes;
  result.original.kernel = before;
  result.optimized.kernel = after;
  return result;
}

TEST(HtmlMeasurements, onlyOfTheKernel) {
  Measurements measured;
  EXPECT_EQ(measuredPage(measured), "");
  measured.launches = {launch(1e6, 2, 1)};
  measured.launches[0].kernel = "g";
  EXPECT_EQ(measuredPage(measured), "");
}

TEST(HtmlMeasurements, timesAndPoints) {
  Measurements measured;
  measured.device = "<D>";
  measured.copyGigabytes = 10;
  measured.launches = {launch(1e6, 1, 0.1), launch(1e3, 1, 2)};
  std::string page = measuredPage(measured);
  EXPECT_NE(page.find("&lt;D&gt;"), std::string::npos);
  EXPECT_NE(page.find("<span class=\"tag good\">10.00x"), std::string::npos);
  EXPECT_NE(page.find("<span class=\"tag missed\">0.50x"), std::string::npos);
  EXPECT_NE(page.find("<td class=\"n\">10.00</td>"), std::string::npos);
  // The faster of the two launches reaches the line of a copy.
  EXPECT_NE(page.find("class=\"limit\" d=\"M70 20L630 20\""),
            std::string::npos);
  EXPECT_NE(page.find("class=\"is\" cx=\"630\" cy=\"20\""), std::string::npos);
  EXPECT_NE(page.find("class=\"was\" cx=\"70\" cy=\"180\""), std::string::npos)
      << page;
}

TEST(HtmlMeasurements, whatTookNoTimeHasNoPoint) {
  Measurements measured;
  measured.copyGigabytes = 10;
  measured.launches = {launch(1e6, 0, 0)};
  std::string page = measuredPage(measured);
  EXPECT_NE(page.find("0.0000"), std::string::npos);
  EXPECT_EQ(page.find("<circle"), std::string::npos);
  measured.copyGigabytes = 0;
  EXPECT_EQ(measuredPage(measured).find("<svg"), std::string::npos);
}
