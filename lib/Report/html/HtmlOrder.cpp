//===- HtmlOrder.cpp - the order of statements before and after -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlKernelTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlOrder.h"

using namespace clopt;

void clopt::writeOrders(HtmlWriter &html, const KernelReport &kernel) {
  if (kernel.orderBefore.empty())
    return;
  const bool isChanged = !kernel.orderAfter.empty();
  auto tree = [&](const char *name, const std::string &text) {
    html.element("div", {{"class", "pane"}}, [&] {
      html.element("h4", name);
      html.element("pre", text);
    });
  };
  const char *facts = isChanged ? "before and after all steps" : "unchanged";
  html.details("orders", "Order of statements", facts, [&] {
    html.element("div", {{"class", isChanged ? "panes" : "single"}}, [&] {
      tree("before", kernel.orderBefore);
      if (isChanged)
        tree("after", kernel.orderAfter);
    });
  });
}
