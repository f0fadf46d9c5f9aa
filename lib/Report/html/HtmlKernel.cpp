//===- HtmlKernel.cpp - what was done to one kernel -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlKernelTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlKernel.h"

#include "Report/PriceTable.h"

using namespace clopt;

static void writeList(HtmlWriter &html, const std::vector<std::string> &items) {
  html.element("ul", [&] {
    for (const std::string &item : items)
      html.element("li", [&] { writeMessage(html, item); });
  });
}

static void writeValidation(HtmlWriter &html,
                            const ValidationReport &validation) {
  html.element("h4", "Validation");
  html.element("p", "The result and the original agree in " +
                        std::to_string(validation.launches) +
                        " launches, in which " +
                        std::to_string(validation.reached) + " of " +
                        std::to_string(validation.branches) +
                        " branches of the new code ran.");
  std::vector<std::string> rest = validation.missed;
  for (const std::string &skipped : validation.skipped)
    rest.push_back("not compared: " + skipped);
  if (!rest.empty())
    writeList(html, rest);
}

static void writeMissed(HtmlWriter &html, const KernelReport &kernel,
                        const std::vector<Annotation> &annotations) {
  std::vector<const Annotation *> missed;
  for (const Annotation &annotation : annotations)
    if (annotation.kind == AnnotationKind::Missed &&
        annotation.kernel == kernel.name && !annotation.isSuppressed)
      missed.push_back(&annotation);
  if (missed.empty())
    return;
  html.element("h4", "Not done");
  html.scrolledTable("data", [&] {
    html.element("tr", [&] {
      for (const char *name : {"step", "reason", "what would help", "rule"})
        html.element("th", name);
    });
    for (const Annotation *one : missed)
      html.element("tr", [&] {
        html.element("td", one->pass);
        html.element("td", [&] { writeMessage(html, one->message); });
        html.element("td", [&] { writeMessage(html, one->hint); });
        html.element("td", [&] {
          if (!one->ruleId.empty())
            html.element("a",
                         {{"class", "rule"}, {"href", "#rule-" + one->ruleId}},
                         one->ruleId);
        });
      });
  });
}

/// What each step is predicted to gain.
static void writePrices(HtmlWriter &html, const PriceList &prices) {
  if (prices.steps.size() < 2)
    return;
  html.element("h4", "Predicted, step by step");
  html.element("p", {{"class", "facts"}}, prices.launch);
  const std::vector<std::vector<std::string>> rows = priceRows(prices);
  html.scrolledTable("data prices", [&] {
    for (const std::vector<std::string> &row : rows)
      html.element("tr", [&] {
        for (size_t i = 0; i < row.size(); ++i)
          html.element(&row == &rows.front() ? "th" : "td",
                       {{"class", i == 1 || i == 2 ? "n" : "t"}}, row[i]);
      });
  });
}

void clopt::writeRecipe(HtmlWriter &html, const KernelReport &kernel,
                        const std::vector<Annotation> &annotations) {
  if (!kernel.recipe.empty() || !kernel.guards.empty() || kernel.validation)
    html.element("div", {{"class", "cards"}}, [&] {
      if (!kernel.recipe.empty())
        html.element("div", [&] {
          html.element("h4", "Recipe");
          html.element("pre", "kernel " + kernel.name + "\n" + kernel.recipe);
        });
      if (!kernel.guards.empty())
        html.element("div", [&] {
          html.element("h4", "The new code runs where");
          writeList(html, kernel.guards);
        });
      if (kernel.validation)
        html.element("div", [&] { writeValidation(html, *kernel.validation); });
    });
  if (kernel.prices)
    writePrices(html, *kernel.prices);
  writeMissed(html, kernel, annotations);
}
