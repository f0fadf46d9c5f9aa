//===- HtmlPlacementTest.cpp - tests of predicted work and memories ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlPlacement.h"

#include <gtest/gtest.h>

using namespace clopt;

static std::string workPage(const KernelReport &kernel) {
  HtmlWriter html;
  writeWork(html, kernel);
  return html.take();
}

static std::string placementPage(const KernelReport &kernel) {
  HtmlWriter html;
  writePlacement(html, kernel);
  return html.take();
}

TEST(HtmlPlacement, barsOfWork) {
  KernelReport kernel;
  EXPECT_EQ(workPage(kernel), "") << "not known";
  kernel.arithmeticClocks = 250;
  kernel.memoryClocks = 750;
  std::string page = workPage(kernel);
  EXPECT_NE(page.find("<td class=\"n\">250</td>"), std::string::npos);
  EXPECT_NE(page.find("width:25%"), std::string::npos);
  EXPECT_NE(page.find("width:75%"), std::string::npos);
}

TEST(HtmlPlacement, aRowForEveryMemory) {
  KernelReport kernel;
  EXPECT_EQ(placementPage(kernel), "");
  ArrayReport array;
  array.array = "table";
  array.chosen = array.dropIn = "local";
  array.memories = {{"private", false, false, 0, 0, "'n' is not known"},
                    {"local", true, false, 36, 500, ""},
                    {"global", true, false, 0, 1000, "takes longer"}};
  kernel.arrays = {array};
  std::string page = placementPage(kernel);
  EXPECT_NE(page.find("<tr class=\"first not\">"), std::string::npos);
  EXPECT_NE(page.find("<tr class=\" best\">"), std::string::npos);
  EXPECT_NE(page.find("<code>table</code>"), std::string::npos);
  EXPECT_NE(page.find("<code>n</code> is not known"), std::string::npos);
  EXPECT_NE(page.find("width:50%"), std::string::npos);
  EXPECT_NE(page.find("width:100%"), std::string::npos);
}
