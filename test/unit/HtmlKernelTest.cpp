//===- HtmlKernelTest.cpp - tests of what was done to a kernel -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlKernel.h"

#include "Report/html/HtmlOrder.h"
#include "ReportSamples.h"

#include <gtest/gtest.h>

using namespace clopt;

static std::string recipePage(const KernelReport &kernel,
                              const std::vector<Annotation> &annotations = {}) {
  HtmlWriter html;
  writeRecipe(html, kernel, annotations);
  return html.take();
}

static std::string orderPage(const KernelReport &kernel) {
  HtmlWriter html;
  writeOrders(html, kernel);
  return html.take();
}

static bool isIn(const std::string &part, const std::string &text) {
  return text.find(part) != std::string::npos;
}

TEST(HtmlKernel, recipeGuardsAndValidation) {
  KernelReport kernel;
  kernel.name = "copy";
  EXPECT_EQ(recipePage(kernel), "");
  kernel.recipe = "vectorize  i:4\n";
  kernel.guards = {"'n' < 4"};
  kernel.validation.emplace();
  kernel.validation->launches = 3;
  kernel.validation->branches = 4;
  kernel.validation->reached = 2;
  kernel.validation->missed = {"'a < b' is never true"};
  kernel.validation->skipped = {"too many steps"};
  std::string page = recipePage(kernel);
  EXPECT_TRUE(isIn("<pre>kernel copy\nvectorize  i:4\n</pre>", page));
  EXPECT_TRUE(isIn("<li><code>n</code> &lt; 4</li>", page));
  EXPECT_TRUE(isIn("in 3 launches, in which 2 of 4 branches", page));
  EXPECT_TRUE(isIn("<code>a &lt; b</code> is never true", page));
  EXPECT_TRUE(isIn("not compared: too many steps", page));
}

TEST(HtmlKernel, whatWasNotDone) {
  RunReport run = samples::run();
  const ProcessedFile &file = run.files[0];
  std::vector<Annotation> annotations = annotationsOf(file, {});
  std::string page = recipePage(file.result.kernels[0], annotations);
  EXPECT_TRUE(isIn("Not done", page));
  EXPECT_TRUE(isIn("<code>a</code> may overlap <code>b</code>", page));
  EXPECT_TRUE(isIn("href=\"#rule-clopt-may-alias\"", page));
  // Of this kernel, and not silenced.
  for (Annotation &one : annotations)
    one.isSuppressed = true;
  EXPECT_FALSE(
      isIn("Not done", recipePage(file.result.kernels[0], annotations)));
  KernelReport other;
  other.name = "other";
  EXPECT_EQ(recipePage(other, annotationsOf(file, {})), "");
}

TEST(HtmlKernel, orders) {
  KernelReport kernel;
  EXPECT_EQ(orderPage(kernel), "");
  kernel.orderBefore = "for i < n";
  EXPECT_TRUE(isIn("unchanged", orderPage(kernel)));
  EXPECT_TRUE(isIn("<pre>for i &lt; n</pre>", orderPage(kernel)));
  kernel.orderAfter = "for j";
  EXPECT_TRUE(isIn("<pre>for j</pre>", orderPage(kernel)));
}
